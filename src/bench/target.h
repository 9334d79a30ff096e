/* target.h - where a benchmark runs: an output array in host or device memory, and a clock that fits. */
#ifndef TERRANE_BENCH_TARGET_H
#define TERRANE_BENCH_TARGET_H

#include "outcome.h"

typedef struct bench_target {
    ter_backend backend;

    /** Reserve an array of `floats` floats, touched once. */
    outcome (*open)(size_t floats, int threads, void **state);
    void (*close)(void *state);

    /** Time storing a constant into the first `floats` floats, milliseconds a run, mean of `repeats` runs. */
    outcome (*time_fill)(void *state, size_t floats, int repeats, double *elapsed_ms);

    /** Time a generator filling a rectangle into the array (stride = width), milliseconds a run, mean of `repeats` runs. */
    outcome (*time_generator)(void *state, ter_generator *generator, const ter_world *world, const ter_rect *rect, int repeats,
                              double *elapsed_ms);

    /** Copy floats of the array to host memory. */
    outcome (*read)(void *state, size_t first, size_t count, float *out);
} bench_target;

/** Target of a backend, or NULL when this build lacks it. */
const bench_target *bench_target_find(ter_backend backend);

extern const bench_target bench_target_cpu;
extern const bench_target bench_target_cuda;

#endif
