/* target.h - where a benchmark runs: an output array in host or device memory, and a clock that fits. */
#ifndef TERRANE_PROGRAM_BENCH_TARGET_H
#define TERRANE_PROGRAM_BENCH_TARGET_H

#include <stdbool.h>

#include "program/bench/work.h"
#include "program/core/result.h"

typedef struct bench_target {
    ter_backend backend;
    bool can_replay;     /* has graphs: a generator's launches recorded once and replayed as one */
    bool can_quantise;   /* its `tiled` makes 16-bit samples */
    bool has_generators; /* of its own, `tiled`: it is given none */

    /** Reserve the memory that a work fills, touched once, by `threads` threads or on n_devices devices. */
    outcome (*open)(const bench_work *work, int threads, int n_devices, void **state);
    void (*close)(void *state);

    /** Time storing a constant into all of it, milliseconds a run, mean of `repeats` runs. */
    outcome (*time_fill)(void *state, int repeats, double *elapsed_ms);

    /** Time a generator doing a work in the array, milliseconds a run, mean of `repeats` runs one after the other;
     * is_replayed: by replaying a graph. */
    outcome (*time_generator)(void *state, ter_generator *generator, const ter_world *world, const bench_work *work,
                              bool is_replayed, int repeats, double *elapsed_ms);

    /** Bandwidth of copies to pinned memory from the first `count` devices at once, 10^9 bytes a second in all; NULL
     * where there is no device. */
    outcome (*time_copy)(int count, double *gb_per_s);

    /** Copy bytes of the array to host memory. */
    outcome (*read)(void *state, size_t first, size_t count, void *out);
} bench_target;

/** Target of a backend, for arrays on one device or on several, or NULL when this build lacks it. */
const bench_target *bench_target_find(ter_backend backend, int n_devices);

extern const bench_target bench_target_cpu;
extern const bench_target bench_target_cuda;
extern const bench_target bench_target_devices;

#endif
