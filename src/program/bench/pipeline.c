/* pipeline.c - times the strips that exports are made of, with and without writing. */
#include "program/bench/pipeline.h"

#include "program/bench/targets.h"
#include "program/bench/timed_runs.h"
#include "program/core/clock.h"
#include "program/core/system.h"
#include "program/export/write/strips.h"
#include "program/file/output_file.h"

enum { SAMPLES_MAX = 25 };

static double median(double *values, int count)
{
    times_sort(values, count);
    return times_quantile(values, count, 0.5);
}

/** Generate all strips, and write them to `file` unless it is NULL. */
static result run_once(const ter_world *world, ter_generator *const *generators, const bench_pipeline *p,
                       output_file *file, double *elapsed_ms)
{
    const ter_rect rect = {ter_world_params(world)->levels, 0, 0, p->size, p->size};
    const strips_request request = {.world = world, .rects = &rect, .n_rects = 1};
    strips *strips = NULL;
    strip strip;
    result res = strips_open(&request, generators, p->n_devices, &strips);
    const double start = clock_now_s();
    while (res.kind == RESULT_DONE && (res = strips_next(strips, &strip)).kind == RESULT_DONE && strip.rows > 0) {
        if (file)
            res = output_file_write(file, strip.fetched.heights, (size_t)(strip.rows * p->size) * sizeof(float));
        if (res.kind != RESULT_DONE)
            break;
    }
    *elapsed_ms = (clock_now_s() - start) * 1e3;
    strips_close(strips);
    return res;
}

result bench_pipeline_measure(const ter_world *world, ter_generator *const *generators, int samples, bench_pipeline *p)
{
    const bench_target *target = bench_target_find(p->backend, 1);
    double copy[SAMPLES_MAX], made[SAMPLES_MAX], written[SAMPLES_MAX];
    result res;
    samples = samples < SAMPLES_MAX ? samples : SAMPLES_MAX;
    p->gigabytes = (double)p->size * (double)p->size * sizeof(float) * 1e-9;
    output_file null;
    res = output_file_open(&null, system_null_device, 0, true);
    if (res.kind != RESULT_DONE)
        return res;
    res = run_once(world, generators, p, &null, &written[0]); /* warm-up */
    for (int n = 0; n < samples && res.kind == RESULT_DONE; n++) {
        copy[n] = 0.0;
        if (target && target->time_copy)
            res = target->time_copy(p->n_devices, &copy[n]);
        if (res.kind == RESULT_DONE)
            res = run_once(world, generators, p, NULL, &made[n]);
        if (res.kind == RESULT_DONE)
            res = run_once(world, generators, p, &null, &written[n]);
    }
    output_file_discard(&null);
    if (res.kind != RESULT_DONE)
        return res;
    p->copy_gb_per_s = median(copy, samples);
    p->made_gb_per_s = p->gigabytes / median(made, samples) * 1e3;
    p->written_gb_per_s = p->gigabytes / median(written, samples) * 1e3;
    return result_done();
}
