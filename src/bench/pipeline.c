/* pipeline.c - runs of the strips that exports are made of. */
#include "bench/pipeline.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "bench/target.h"
#include "strips.h"

enum { SAMPLES_MAX = 25 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare_doubles);
    return values[count / 2];
}

/** Take all strips; descriptor -1: leave them. */
static outcome run_once(const ter_world *world, ter_generator *const *generators, const bench_pipeline *p, int descriptor,
                        double *elapsed_s)
{
    const strips_request request = {.world = world, .rect = {ter_world_params(world)->levels, 0, 0, p->size, p->size}};
    strips *strips = NULL;
    strip strip;
    outcome o = strips_open(&request, generators, p->n_devices, &strips);
    const double start = now_s();
    while (o.kind == OUTCOME_DONE && (o = strips_next(strips, &strip)).kind == OUTCOME_DONE && strip.rows > 0) {
        const char *at = (const char *)strip.fetched.heights;
        size_t left = descriptor < 0 ? 0 : (size_t)(strip.rows * p->size) * sizeof(float);
        while (left > 0) {
            const ssize_t n = write(descriptor, at, left);
            if (n < 0)
                break;
            at += n;
            left -= (size_t)n;
        }
        if (left > 0)
            o = outcome_of(OUTCOME_FILE, "cannot write to /dev/null");
    }
    *elapsed_s = now_s() - start;
    strips_close(strips);
    return o;
}

static outcome measure_devices(const bench_target *target, const ter_world *world, ter_generator *const *generators, int samples,
                               bench_pipeline *p)
{
    double one[SAMPLES_MAX], all[SAMPLES_MAX];
    outcome o = outcome_done();
    for (int n = 0; n < samples && o.kind == OUTCOME_DONE; n++) {
        o = target->time_devices(generators, 1, world, p->size, &one[n]);
        if (o.kind == OUTCOME_DONE)
            o = target->time_devices(generators, p->n_devices, world, p->size, &all[n]);
    }
    if (o.kind == OUTCOME_DONE) {
        p->one_ms = median(one, samples);
        p->all_ms = median(all, samples);
    }
    return o;
}

outcome bench_pipeline_measure(const ter_world *world, ter_generator *const *generators, int samples, bench_pipeline *p)
{
    const bench_target *target = bench_target_find(p->backend);
    double copy[SAMPLES_MAX], made[SAMPLES_MAX], written[SAMPLES_MAX];
    outcome o = outcome_done();
    samples = samples < SAMPLES_MAX ? samples : SAMPLES_MAX;
    p->gigabytes = (double)p->size * (double)p->size * sizeof(float) * 1e-9;
    const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null < 0)
        return outcome_of(OUTCOME_FILE, "cannot open /dev/null");
    o = run_once(world, generators, p, null, &written[0]); /* warm-up */
    for (int n = 0; n < samples && o.kind == OUTCOME_DONE; n++) {
        copy[n] = 0.0;
        if (target && target->time_copy)
            o = target->time_copy(&copy[n]);
        if (o.kind == OUTCOME_DONE)
            o = run_once(world, generators, p, -1, &made[n]);
        if (o.kind == OUTCOME_DONE)
            o = run_once(world, generators, p, null, &written[n]);
    }
    close(null);
    if (o.kind != OUTCOME_DONE)
        return o;
    p->copy_gb_per_s = median(copy, samples);
    p->made_gb_per_s = p->gigabytes / median(made, samples);
    p->written_gb_per_s = p->gigabytes / median(written, samples);
    return p->n_devices > 1 && target && target->time_devices ? measure_devices(target, world, generators, samples, p)
                                                              : outcome_done();
}
