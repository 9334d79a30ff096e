/* bench.c - verifies generators against the CPU reference, and times them in turns. */
#include "program/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/bench/targets.h"
#include "program/bench/timed_runs.h"
#include "program/core/system.h"
#include "program/export/write/strips.h"

enum { SAMPLES_MAX = 1000, STRIP_FLOATS = 1 << 24 };
static const double BATCH_MS = 2.0; /* least time of a measurement: a shorter run is repeated, up to 200 times */

typedef struct runner {
    bench_row *row;
    ter_generator *generator;
    int repeats;
    double times[SAMPLES_MAX];
} runner;

/* ---- rows ---- */

const char *bench_row_generator(const bench_row *row)
{
    static const char *const on_devices[] = {"tiled",      "tiled",      "tiled x 2",  "tiled x 3",  "tiled x 4",
                                             "tiled x 5",  "tiled x 6",  "tiled x 7",  "tiled x 8",  "tiled x 9",
                                             "tiled x 10", "tiled x 11", "tiled x 12", "tiled x 13", "tiled x 14",
                                             "tiled x 15", "tiled x 16"};
    _Static_assert(sizeof on_devices / sizeof on_devices[0] == STRIPS_GENERATORS_MAX + 1,
                   "a name for every number of devices");
    if (row->n_devices > 1)
        return on_devices[row->n_devices];
    if (row->is_replayed)
        return "recursive+graph";
    if (row->is_by_sample)
        return "by sample";
    return row->work.is_u16 ? "tiled, 16 bit" : ter_method_name(row->method);
}

double bench_row_gsamples_per_s(const bench_row *row)
{
    return bench_work_samples(&row->work) / row->median_ms * 1e-6;
}

double bench_row_gb_per_s(const bench_row *row)
{
    return bench_row_gsamples_per_s(row) * (double)bench_work_sample_bytes(&row->work);
}

double bench_row_ns_per_sample(const bench_row *row)
{
    return row->median_ms * 1e6 / bench_work_samples(&row->work);
}

double bench_row_recursive_ms(const bench_row *rows, size_t count, const bench_row *like)
{
    for (size_t n = 0; n < count; n++)
        if (rows[n].backend == like->backend && rows[n].method == TER_METHOD_RECURSIVE && !rows[n].is_replayed &&
            rows[n].world == like->world && rows[n].size == like->size && rows[n].lod == like->lod &&
            rows[n].n_devices == like->n_devices && rows[n].is_identical)
            return rows[n].median_ms;
    return 0.0;
}

/* ---- verification ---- */

/** A part of a work that is verified at once: some rows of an array, or all tiles of a batch. */
typedef struct part {
    bench_work work;
    size_t first; /* index of its first sample in the target's array */
} part;

static bool next_part(const bench_work *work, part *part, int64_t *row)
{
    if (*row >= work->layout.height)
        return false;
    const int64_t rows_max = STRIP_FLOATS / work->layout.width > 0 ? STRIP_FLOATS / work->layout.width : 1;
    part->work = *work;
    part->first = (size_t)*row * work->layout.row_stride;
    if (work->count == 1) {
        const int64_t rows = work->layout.height - *row < rows_max ? work->layout.height - *row : rows_max;
        part->work.layout.height = (int)rows;
        part->work.tiles[0].j += *row;
        *row += rows;
    } else {
        *row = work->layout.height;
    }
    return true;
}

/** Compare all samples of a part bit by bit. */
static bool is_part_identical(const bench_work *work, const void *expected, const void *got)
{
    const tile_layout *l = &work->layout;
    const size_t bytes = bench_work_sample_bytes(work);
    for (size_t t = 0; t < work->count; t++)
        for (int row = 0; row < l->height; row++) {
            const size_t at = (t * l->slot_stride + (size_t)row * l->row_stride) * bytes;
            if (memcmp((const char *)expected + at, (const char *)got + at, (size_t)l->width * bytes) != 0)
                return false;
        }
    return true;
}

/** Compare 64 heights of the reference with the height function. */
static bool is_reference_right(const bench_work *work, const ter_world *world, const float *heights)
{
    const tile_layout *l = &work->layout;
    for (size_t n = 0; n < 64; n++) {
        const size_t t = n * 7919u % work->count, row = n * 104729u % (size_t)l->height,
                     column = n * 1299709u % (size_t)l->width;
        const ter_tile *tile = &work->tiles[t];
        float h = 0.0f;
        if (ter_world_height(world, tile->level, tile->i + (int64_t)column, tile->j + (int64_t)row, &h) != TER_OK ||
            memcmp(&h, &heights[t * l->slot_stride + row * l->row_stride + column], sizeof h) != 0)
            return false;
    }
    return true;
}

/** Quantise in place: the 16-bit samples take the first half of the memory. */
static result quantise(const bench_work *work, float *heights)
{
    enum { CHUNK = 4096 };
    static uint16_t samples[CHUNK];
    const size_t count = bench_work_extent(work);
    for (size_t first = 0; first < count; first += CHUNK) {
        const size_t n = count - first < CHUNK ? count - first : CHUNK;
        const ter_status status = ter_quantise_values(heights + first, n, work->range[0], work->range[1], samples);
        if (status != TER_OK)
            return result_of_library(status, "bench");
        memcpy((uint16_t *)(void *)heights + first, samples, n * sizeof samples[0]);
    }
    return result_done();
}

/** Compare the target's array with the reference, which is generator `recursive` on the CPU. If the row is this
 * generator, compare with `tiled` on the CPU. */
static result verify(const bench_target *target, void *array, bench_row *row, int threads)
{
    const bool is_reference = row->backend == TER_BACKEND_CPU && row->method == TER_METHOD_RECURSIVE;
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU,
                                           .method = is_reference ? TER_METHOD_TILED : TER_METHOD_RECURSIVE,
                                           .threads = threads};
    ter_generator *reference = NULL;
    int64_t at_row = 0;
    part part;
    float *expected = NULL, *got = NULL;
    result res = result_of_library(ter_generator_create(&options, &reference), "bench");
    row->is_identical = true;
    while (res.kind == RESULT_DONE && row->is_identical && next_part(&row->work, &part, &at_row)) {
        const size_t extent = bench_work_extent(&part.work), bytes = bench_work_sample_bytes(&part.work);
        if (!expected) { /* the first part is the largest */
            expected = calloc(extent, sizeof(float));
            got = calloc(extent, sizeof(float));
        }
        if (!expected || !got)
            res = result_of(RESULT_FAILED, "no memory to verify %zu samples", extent);
        if (res.kind == RESULT_DONE)
            res = result_of_library(bench_work_fill(&part.work, reference, row->world, expected), "bench");
        row->is_identical = res.kind == RESULT_DONE && is_reference_right(&part.work, row->world, expected);
        if (res.kind == RESULT_DONE && row->work.is_u16)
            res = quantise(&part.work, expected);
        if (res.kind == RESULT_DONE)
            res = target->read(array, part.first * bytes, extent * bytes, got);
        row->is_identical =
            row->is_identical && res.kind == RESULT_DONE && is_part_identical(&part.work, expected, got);
    }
    ter_generator_destroy(reference);
    free(expected);
    free(got);
    return res;
}

/* ---- timing ---- */

static int repeats_for(double elapsed_ms)
{
    const double repeats = BATCH_MS / (elapsed_ms > 1e-4 ? elapsed_ms : 1e-4);
    return repeats < 1.0 ? 1 : repeats > 200.0 ? 200 : (int)repeats;
}

static void summarise(runner *r, int samples)
{
    times_sort(r->times, samples);
    r->row->min_ms = r->times[0];
    r->row->median_ms = times_quantile(r->times, samples, 0.5);
    r->row->noise =
        (times_quantile(r->times, samples, 0.75) - times_quantile(r->times, samples, 0.25)) / r->row->median_ms;
}

/** What all rows of a measurement share: target, memory and settings. */
typedef struct setting {
    const bench_target *target;
    void *array;
    const bench_run *run;
} setting;

static result time_once(const setting *s, const runner *r, bool is_replayed, double *ms)
{
    return s->target->time_generator(s->array, r->generator, r->row->world, &r->row->work, is_replayed, 1, ms);
}

/** Make a row's generator, verify its output, and find how many runs a measurement needs. */
static result prepare(const setting *s, runner *r)
{
    const bench_row *row = r->row;
    const ter_generator_options options = {
        TER_SIZED(ter_generator_options), .backend = row->backend, .method = row->method,
        .threads = s->run->threads,       .simd = s->run->simd,    .is_by_sample = row->is_by_sample};
    double ms;
    result res = s->target->has_generators ? result_done()
                                           : result_of_library(ter_generator_create(&options, &r->generator), "bench");
    if (res.kind == RESULT_DONE) /* without a graph first: allocations are not allowed while a graph is recorded */
        res = time_once(s, r, false, &ms);
    if (res.kind == RESULT_DONE && row->is_replayed)
        res = time_once(s, r, true, &ms);
    if (res.kind == RESULT_DONE)
        res = verify(s->target, s->array, r->row, s->run->threads);
    if (res.kind == RESULT_DONE)
        res = time_once(s, r, row->is_replayed, &ms);
    r->repeats = res.kind == RESULT_DONE ? repeats_for(ms) : 1;
    return res;
}

static result time_rounds(const setting *s, runner *runners, size_t count, int samples, double *fill_times)
{
    double ms = 0.0;
    result res = s->target->time_fill(s->array, 1, &ms);
    if (res.kind == RESULT_DONE)
        res = s->target->time_fill(s->array, 1, &ms);
    const int fill_repeats = repeats_for(ms);
    for (int round = 0; round < samples && res.kind == RESULT_DONE; round++) {
        res = s->target->time_fill(s->array, fill_repeats, &fill_times[round]);
        for (size_t n = 0; n < count && res.kind == RESULT_DONE; n++) {
            runner *r = &runners[n];
            if (r->row->is_identical)
                res = s->target->time_generator(s->array, r->generator, r->row->world, &r->row->work,
                                                r->row->is_replayed, r->repeats, &r->times[round]);
        }
    }
    return res;
}

static void show(const bench_run *run, const char *text)
{
    if (run->progress)
        run->progress(text);
}

static result measure_on(const setting *s, runner *runners, size_t count)
{
    static double fill_times[SAMPLES_MAX];
    const int samples = s->run->samples < SAMPLES_MAX ? s->run->samples : SAMPLES_MAX;
    result res = result_done();
    for (size_t n = 0; n < count && res.kind == RESULT_DONE; n++) {
        const bench_row *row = runners[n].row;
        char text[160];
        snprintf(text, sizeof text, "verifying %s %s, world %s, %d x %d, lod %d", ter_backend_name(row->backend),
                 bench_row_generator(row), row->world_name, row->work.layout.width, row->work.layout.height, row->lod);
        show(s->run, text);
        res = prepare(s, &runners[n]);
    }
    show(s->run, "timing");
    if (res.kind == RESULT_DONE)
        res = time_rounds(s, runners, count, samples, fill_times);
    show(s->run, "");
    if (res.kind != RESULT_DONE)
        return res;
    times_sort(fill_times, samples);
    for (size_t n = 0; n < count; n++) {
        runners[n].row->fill_ms = times_quantile(fill_times, samples, 0.5);
        if (runners[n].row->is_identical)
            summarise(&runners[n], samples);
    }
    return res;
}

result bench_measure(bench_row *rows, size_t count, const bench_run *run)
{
    setting s = {.target = bench_target_find(rows[0].backend, rows[0].n_devices), .run = run};
    if (!s.target)
        return result_of(RESULT_MISSING, "this build has no backend %s", ter_backend_name(rows[0].backend));
    const int fill_threads = run->threads > 0 ? run->threads : system_processors();
    runner *runners = calloc(count, sizeof *runners);
    result res = runners ? s.target->open(&rows[0].work, fill_threads, rows[0].n_devices, &s.array)
                         : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE) {
        for (size_t n = 0; n < count; n++)
            runners[n].row = &rows[n];
        res = measure_on(&s, runners, count);
        for (size_t n = 0; n < count; n++)
            ter_generator_destroy(runners[n].generator);
        s.target->close(s.array);
    }
    free(runners);
    return res;
}
