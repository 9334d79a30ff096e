/* bench.c - verification and interleaved timing. */
#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/target.h"

enum { SAMPLES_MAX = 1000, STRIP_FLOATS = 1 << 24 };
static const double BATCH_MS = 2.0; /* short runs are timed in batches of at least this length */

typedef struct runner {
    bench_row *row;
    ter_generator *generator;
    int repeats;
    double times[SAMPLES_MAX];
} runner;

/* ---- verification ---- */

static ter_rect rect_of(const bench_row *row)
{
    return (ter_rect){row->level, 0, 0, row->size, row->size};
}

/** Compare the target's array with the CPU's `recursive` (for that one itself: `tiled`), strip by strip, and with single points. */
static outcome verify(const bench_target *target, void *array, bench_row *row, int threads)
{
    const bool is_itself = row->backend == TER_BACKEND_CPU && row->method == TER_METHOD_RECURSIVE;
    const ter_generator_options options = {
        .backend = TER_BACKEND_CPU, .method = is_itself ? TER_METHOD_TILED : TER_METHOD_RECURSIVE, .threads = threads};
    ter_generator *reference = NULL;
    const int64_t rows_a_strip = STRIP_FLOATS / row->size > 0 ? STRIP_FLOATS / row->size : 1;
    const size_t strip_floats = (size_t)((rows_a_strip < row->size ? rows_a_strip : row->size) * row->size);
    float *expected = malloc(strip_floats * sizeof(float)), *got = malloc(strip_floats * sizeof(float));
    outcome o = expected && got ? outcome_of_library(ter_generator_create(&options, &reference), "bench")
                                : outcome_of(OUTCOME_FAILED, "no memory to verify %zu heights", strip_floats);
    row->is_identical = true;
    for (int64_t first = 0; o.kind == OUTCOME_DONE && row->is_identical && first < row->size; first += rows_a_strip) {
        const int64_t rows = row->size - first < rows_a_strip ? row->size - first : rows_a_strip;
        const ter_rect rect = {row->level, 0, first, row->size, rows};
        const size_t floats = (size_t)(rows * row->size);
        o = outcome_of_library(ter_generator_fill(reference, row->world, &rect, expected, (size_t)row->size), "bench");
        if (o.kind == OUTCOME_DONE)
            o = target->read(array, (size_t)(first * row->size), floats, got);
        row->is_identical = o.kind == OUTCOME_DONE && memcmp(expected, got, floats * sizeof(float)) == 0;
        for (int n = 0; n < 64 && row->is_identical; n++) { /* points of the strip by the definition itself */
            const size_t at = ((size_t)n * 2654435761u) % floats;
            float h = 0.0f;
            const int64_t i = (int64_t)at % row->size, j = first + (int64_t)at / row->size;
            row->is_identical = ter_world_height(row->world, row->level, i, j, &h) == TER_OK && memcmp(&h, &got[at], sizeof h) == 0;
        }
    }
    ter_generator_destroy(reference);
    free(expected);
    free(got);
    return o;
}

/* ---- timing ---- */

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int count, double q)
{
    return sorted[(int)(q * (double)(count - 1) + 0.5)];
}

static int repeats_for(double elapsed_ms)
{
    const double wanted = BATCH_MS / (elapsed_ms > 1e-4 ? elapsed_ms : 1e-4);
    return wanted < 1.0 ? 1 : wanted > 200.0 ? 200 : (int)wanted;
}

static void summarise(runner *r, int samples)
{
    qsort(r->times, (size_t)samples, sizeof r->times[0], compare_doubles);
    r->row->min_ms = r->times[0];
    r->row->median_ms = quantile(r->times, samples, 0.5);
    r->row->noise = (quantile(r->times, samples, 0.75) - quantile(r->times, samples, 0.25)) / r->row->median_ms;
}

/** First run of a row: fills the array, verifies it, finds how many runs make a batch. */
static outcome prepare(const bench_target *target, void *array, runner *r, int threads)
{
    const ter_generator_options options = {.backend = r->row->backend, .method = r->row->method, .threads = threads};
    const ter_rect rect = rect_of(r->row);
    double ms;
    outcome o = outcome_of_library(ter_generator_create(&options, &r->generator), "bench");
    if (o.kind == OUTCOME_DONE)
        o = target->time_generator(array, r->generator, r->row->world, &rect, 1, &ms);
    if (o.kind == OUTCOME_DONE)
        o = verify(target, array, r->row, threads);
    if (o.kind == OUTCOME_DONE)
        o = target->time_generator(array, r->generator, r->row->world, &rect, 1, &ms);
    r->repeats = o.kind == OUTCOME_DONE ? repeats_for(ms) : 1;
    return o;
}

static outcome time_rounds(const bench_target *target, void *array, runner *runners, size_t count, int samples, double *fill_times)
{
    const size_t floats = (size_t)(runners[0].row->size * runners[0].row->size);
    double ms = 0.0;
    outcome o = target->time_fill(array, floats, 1, &ms);
    if (o.kind == OUTCOME_DONE)
        o = target->time_fill(array, floats, 1, &ms);
    const int fill_repeats = repeats_for(ms);
    for (int round = 0; round < samples && o.kind == OUTCOME_DONE; round++) {
        o = target->time_fill(array, floats, fill_repeats, &fill_times[round]);
        for (size_t n = 0; n < count && o.kind == OUTCOME_DONE; n++) {
            const ter_rect rect = rect_of(runners[n].row);
            if (runners[n].row->is_identical)
                o = target->time_generator(array, runners[n].generator, runners[n].row->world, &rect, runners[n].repeats,
                                           &runners[n].times[round]);
        }
    }
    return o;
}

static outcome measure_on(const bench_target *target, void *array, runner *runners, size_t count, int samples, int threads,
                          void (*progress)(const char *))
{
    static double fill_times[SAMPLES_MAX];
    outcome o = outcome_done();
    for (size_t n = 0; n < count && o.kind == OUTCOME_DONE; n++) {
        char text[160];
        snprintf(text, sizeof text, "verifying %s %s, world %s, %lld x %lld", ter_backend_name(runners[n].row->backend),
                 ter_method_name(runners[n].row->method), runners[n].row->world_name, (long long)runners[n].row->size,
                 (long long)runners[n].row->size);
        if (progress)
            progress(text);
        o = prepare(target, array, &runners[n], threads);
    }
    if (progress)
        progress("timing");
    if (o.kind == OUTCOME_DONE)
        o = time_rounds(target, array, runners, count, samples, fill_times);
    if (o.kind != OUTCOME_DONE)
        return o;
    qsort(fill_times, (size_t)samples, sizeof fill_times[0], compare_doubles);
    for (size_t n = 0; n < count; n++) {
        runners[n].row->fill_ms = quantile(fill_times, samples, 0.5);
        if (runners[n].row->is_identical)
            summarise(&runners[n], samples);
    }
    return o;
}

outcome bench_measure(bench_row *rows, size_t count, int samples, int threads, void (*progress)(const char *text))
{
    const bench_target *target = bench_target_find(rows[0].backend);
    if (!target)
        return outcome_of(OUTCOME_MISSING, "this build has no backend %s", ter_backend_name(rows[0].backend));
    samples = samples < SAMPLES_MAX ? samples : SAMPLES_MAX;
    const int fill_threads = threads > 0 ? threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    runner *runners = calloc(count, sizeof *runners);
    void *array = NULL;
    outcome o = runners ? target->open((size_t)(rows[0].size * rows[0].size), fill_threads, &array)
                        : outcome_of(OUTCOME_FAILED, "out of memory");
    if (o.kind == OUTCOME_DONE) {
        for (size_t n = 0; n < count; n++)
            runners[n].row = &rows[n];
        o = measure_on(target, array, runners, count, samples, threads, progress);
        for (size_t n = 0; n < count; n++)
            ter_generator_destroy(runners[n].generator);
        target->close(array);
    }
    free(runners);
    return o;
}
