/* target.h - where a benchmark runs: an output array in host or device memory, and a clock that fits. */
#ifndef TERRANE_BENCH_TARGET_H
#define TERRANE_BENCH_TARGET_H

#include <stdbool.h>

#include "bench/work.h"
#include "outcome.h"

typedef struct bench_target {
    ter_backend backend;
    bool can_replay;   /* has graphs: a generator's launches recorded once and replayed as one */
    bool can_quantise; /* its `tiled` makes 16-bit samples */

    /** Reserve an array of bytes, a multiple of 16, touched once. */
    outcome (*open)(size_t bytes, int threads, void **state);
    void (*close)(void *state);

    /** Time storing a constant into all of it, milliseconds a run, mean of `repeats` runs. */
    outcome (*time_fill)(void *state, int repeats, double *elapsed_ms);

    /** Time a generator doing a work in the array, milliseconds a run, mean of `repeats` runs one after the other; is_replayed: by
     *  replaying a graph. */
    outcome (*time_generator)(void *state, ter_generator *generator, const ter_world *world, const bench_work *work,
                              bool is_replayed, int repeats, double *elapsed_ms);

    /** Bandwidth of copies to pinned memory from the first `count` devices at once, 10^9 bytes a second in all; NULL where there is
     *  no device. */
    outcome (*time_copy)(int count, double *gb_per_s);

    /** Time size x size heights made by `count` generators, each an equal band of rows into memory of its own device, milliseconds;
     *  NULL where there is no device. */
    outcome (*time_devices)(ter_generator *const *generators, int count, const ter_world *world, int64_t size, double *elapsed_ms);

    /** Copy bytes of the array to host memory. */
    outcome (*read)(void *state, size_t first, size_t count, void *out);
} bench_target;

/** Target of a backend, or NULL when this build lacks it. */
const bench_target *bench_target_find(ter_backend backend);

extern const bench_target bench_target_cpu;
extern const bench_target bench_target_cuda;

#endif
