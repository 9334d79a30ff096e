/* export.c - a job from request to file: check, measure the range, generate and write strip by strip. */
#include "export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "output_file.h"
#include "export/sidecar.h"
#include "strips.h"

const export_format export_formats[EXPORT_FORMATS] = {
    [EXPORT_R32] = {"r32", 32, false, 4},
    [EXPORT_R16] = {"r16", 16, true, 12},
    [EXPORT_MAP] = {"map", 24, false, 0},
};

const char *const export_format_names[EXPORT_FORMATS + 1] = {"r32", "r16", "map", NULL};

uint64_t export_bytes(const export_job *job)
{
    return (uint64_t)job->width * (uint64_t)job->height * (uint64_t)(export_formats[job->format].bits / 8);
}

/* ---- checks ---- */

static outcome job_rect(const export_job *job, const ter_world *world, ter_rect *rect)
{
    const int levels = ter_world_params(world)->levels;
    const int64_t step = INT64_C(1) << (job->lod <= levels ? job->lod : 0);
    if (job->lod > levels)
        return outcome_of(OUTCOME_USAGE, "--lod is %d, expected 0 to %d, the levels of this world", job->lod, levels);
    if (job->x % step != 0 || job->z % step != 0)
        return outcome_of(OUTCOME_USAGE, "--at is %lld,%lld, expected multiples of %lld with --lod %d", (long long)job->x,
                          (long long)job->z, (long long)step, job->lod);
    const int64_t side_max = 2 * TER_COORDINATE_MAX / step + 1;
    if (job->width > side_max || job->height > side_max || job->width > (INT64_C(1) << 30))
        return outcome_of(OUTCOME_USAGE, "--size is %lldx%lld, expected at most %lld samples wide and %lld high at --lod %d",
                          (long long)job->width, (long long)job->height,
                          (long long)(side_max < (INT64_C(1) << 30) ? side_max : INT64_C(1) << 30), (long long)side_max, job->lod);
    if (job->x + (job->width - 1) * step > TER_COORDINATE_MAX || job->z + (job->height - 1) * step > TER_COORDINATE_MAX)
        return outcome_of(OUTCOME_USAGE, "--at %lld,%lld with --size %lldx%lld leaves the world, which ends at 2^46 = %lld",
                          (long long)job->x, (long long)job->z, (long long)job->width, (long long)job->height,
                          (long long)TER_COORDINATE_MAX);
    if (job->height > INT64_MAX / 4 / job->width)
        return outcome_of(OUTCOME_USAGE, "--size is %lldx%lld, expected less than 2^61 samples", (long long)job->width,
                          (long long)job->height);
    *rect = (ter_rect){levels - job->lod, job->x / step, job->z / step, job->width, job->height};
    return outcome_done();
}

outcome export_check(const export_job *job, const ter_world *world)
{
    ter_rect rect;
    if (job->format == EXPORT_MAP && (job->width > EXPORT_MAP_SIDE_MAX || job->height > EXPORT_MAP_SIDE_MAX))
        return outcome_of(OUTCOME_USAGE, "--size is %lldx%lld, expected at most %dx%d for a map", (long long)job->width,
                          (long long)job->height, EXPORT_MAP_SIDE_MAX, EXPORT_MAP_SIDE_MAX);
    return job_rect(job, world, &rect);
}

/** The range to scale over: as given, or what the rectangle holds. */
static outcome choose_range(const export_job *job, const ter_world *world, ter_generator *generator, const ter_rect *rect,
                            double range[2])
{
    memcpy(range, job->range, sizeof job->range);
    if (job->has_range || !export_formats[job->format].is_scaled)
        return outcome_done();
    ter_statistics statistics;
    const ter_status status = ter_generator_statistics(generator, world, rect, 0, 0, 0, NULL, &statistics);
    range[0] = floor((double)statistics.min_m);
    range[1] = ceil((double)statistics.max_m);
    if (range[0] == range[1])
        range[1] += 1.0;
    return outcome_of_library(status, "measuring the range");
}

/* ---- samples ---- */

static void swap_bytes(unsigned char *bytes, size_t n_samples, int size)
{
    for (size_t n = 0; n < n_samples; n++)
        for (int a = 0, b = size - 1; a < b; a++, b--) {
            unsigned char *at = bytes + n * (size_t)size;
            const unsigned char t = at[a];
            at[a] = at[b];
            at[b] = t;
        }
}

static outcome write_strip(const export_job *job, const strip *strip, output_file *file, export_report *report,
                           unsigned char *swapped)
{
    const ter_fetched *from = &strip->fetched;
    const int size = export_formats[job->format].bits / 8;
    const size_t width = (size_t)job->width, row_bytes = width * (size_t)size;
    const char *samples = from->samples ? (const char *)from->samples : (const char *)from->heights;
    report->min_m = from->min_m < report->min_m ? from->min_m : report->min_m;
    report->max_m = from->max_m > report->max_m ? from->max_m : report->max_m;
    report->n_clamped += from->n_clamped;
    if (!job->is_big_endian && !job->is_south_first)
        return output_file_write(file, samples, row_bytes * (size_t)strip->rows);
    outcome o = outcome_done();
    for (int64_t n = 0; n < strip->rows && o.kind == OUTCOME_DONE; n++) {
        const char *row = samples + (size_t)(job->is_south_first ? strip->rows - 1 - n : n) * row_bytes;
        if (job->is_big_endian) {
            memcpy(swapped, row, row_bytes);
            swap_bytes(swapped, width, size);
        }
        o = output_file_write(file, job->is_big_endian ? (const char *)swapped : row, row_bytes);
    }
    return o;
}

static outcome write_strips(const export_job *job, strips *strips, output_file *file, export_progress progress, void *user,
                            export_report *report)
{
    unsigned char *swapped = malloc((size_t)job->width * sizeof(float));
    if (!swapped)
        return outcome_of(OUTCOME_FAILED, "no memory for a row of %lld samples", (long long)job->width);
    outcome o;
    strip strip;
    int64_t rows = 0;
    while ((o = strips_next(strips, &strip)).kind == OUTCOME_DONE && strip.rows > 0) {
        o = write_strip(job, &strip, file, report, swapped);
        rows += strip.rows;
        if (o.kind == OUTCOME_DONE && progress && !progress(user, (double)rows / (double)job->height))
            o = outcome_of(OUTCOME_INTERRUPTED, "interrupted; nothing is left of '%s'", job->path);
        if (o.kind != OUTCOME_DONE)
            break;
    }
    free(swapped);
    return o;
}

static outcome open_strips(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                           const ter_rect *rect, const export_report *report, strips **out)
{
    const strips_request request = {.world = world,
                                    .rect = *rect,
                                    .from_south = job->is_south_first,
                                    .range_m = export_formats[job->format].is_scaled ? report->range : NULL};
    return strips_open(&request, generators, n_generators, out);
}

outcome export_run(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                   export_progress progress, void *user, export_report *report)
{
    ter_rect rect;
    output_file file;
    strips *strips = NULL;
    *report = (export_report){.min_m = INFINITY, .max_m = -INFINITY, .bytes = export_bytes(job)};
    outcome o = job_rect(job, world, &rect);
    if (o.kind != OUTCOME_DONE)
        return o;
    o = output_file_open(&file, job->path, report->bytes, job->force);
    if (o.kind != OUTCOME_DONE)
        return o;
    o = choose_range(job, world, generators[0], &rect, report->range);
    if (o.kind == OUTCOME_DONE)
        o = open_strips(job, world, generators, n_generators, &rect, report, &strips);
    if (o.kind == OUTCOME_DONE)
        o = write_strips(job, strips, &file, progress, user, report);
    strips_close(strips);
    if (o.kind == OUTCOME_DONE)
        o = sidecar_write(job, world, report);
    if (o.kind == OUTCOME_DONE)
        return output_file_commit(&file);
    output_file_discard(&file);
    return o;
}
