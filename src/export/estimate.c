/* estimate.c - what a job will make and how long that will take, from a part of it that is made and written nowhere. */
#include <unistd.h>

#include "program/clock.h"
#include "export/codec_raw.h"
#include "export/export.h"

/** A job of a part of about `samples` samples from the middle of another's first tile, into /dev/null. */
static export_job part_of(const export_job *job, int64_t samples)
{
    export_job part = *job;
    export_file *f = &part.tile;
    const int64_t step = INT64_C(1) << f->lod, width = f->width, height = f->height;
    while (f->width * f->height > samples && (f->width > 1 || f->height > 1)) {
        f->width = f->width > f->height ? (f->width + 1) / 2 : f->width;
        f->height = f->width > f->height ? f->height : (f->height + 1) / 2;
    }
    f->x += (width - f->width) / 2 * step;
    f->z += (height - f->height) / 2 * step;
    part.tiles = (tile_set){.columns = 1, .rows = 1};
    part.path = "/dev/null";
    part.preset = NULL;
    part.shard = 0;
    part.n_shards = 1;
    part.resume = false;
    return part;
}

static int64_t count_existing(const export_job *job)
{
    int64_t count = 0;
    char path[1024];
    for (int64_t n = job->shard; n < export_job_tiles(job) && output_file_is_regular(job->path); n += job->n_shards)
        count += export_job_path(job, n, path).kind == OUTCOME_DONE && access(path, F_OK) == 0;
    return count;
}

outcome export_estimate_job(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                            export_estimate *estimate)
{
    static const export_events silent = {0};
    const bool is_packed = job->tile.format->codec != &codec_raw;
    const export_file file = export_job_file(job, 0);
    const int64_t n_tiles = export_job_tiles(job);
    *estimate = (export_estimate){.n_files = (n_tiles - job->shard + job->n_shards - 1) / job->n_shards};
    estimate->n_existing = count_existing(job);
    estimate->samples_bytes = export_file_bytes(&file) * (uint64_t)estimate->n_files;
    estimate->bytes = is_packed ? 0.0 : (double)codec_raw_offset(&file, file.height) * (double)estimate->n_files;
    export_report report;
    outcome o = outcome_done();
    double elapsed = 0.0;
    int64_t samples = 1 << 18;
    /* Larger parts until one takes long enough to count; the first only warms up. */
    for (bool is_warm = false; o.kind == OUTCOME_DONE && (!is_warm || (elapsed < 0.1 && samples < file.width * file.height));) {
        samples *= is_warm ? 4 : 1;
        const export_job part = part_of(job, samples);
        const double start = clock_now_s();
        o = export_run(&part, world, generators, n_generators, &silent, &report);
        elapsed = clock_now_s() - start;
        if (o.kind == OUTCOME_DONE && is_packed)
            estimate->bytes = (double)report.bytes / (double)export_file_bytes(&part.tile) * (double)estimate->samples_bytes;
        estimate->seconds = elapsed / (double)export_file_bytes(&part.tile) * (double)estimate->samples_bytes;
        is_warm = true;
    }
    return o;
}
