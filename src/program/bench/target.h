/* target.h - where a benchmark runs: an output array in host or device memory, and functions that time work there. */
#ifndef TERRANE_PROGRAM_BENCH_TARGET_H
#define TERRANE_PROGRAM_BENCH_TARGET_H

#include <stdbool.h>

#include "program/bench/work.h"
#include "program/core/result.h"

typedef struct bench_target {
    ter_backend backend;
    bool can_replay;     /* kernel launches can be recorded as a graph and replayed */
    bool can_quantise;   /* generator `tiled` can make 16-bit samples */
    bool has_generators; /* the target makes its own generators, of method `tiled`; the caller makes none */

    /** Allocate the memory that a work fills, and touch it once. `threads` is for the CPU, n_devices for CUDA. */
    result (*open)(const bench_work *work, int threads, int n_devices, void **state);
    void (*close)(void *state);

    /** Measure the time of storing a constant into all of the memory: milliseconds, mean of `repeats` runs. */
    result (*time_fill)(void *state, int repeats, double *elapsed_ms);

    /** Measure the time a generator takes for a work: milliseconds, mean of `repeats` runs one after the other. With
     * is_replayed the runs replay a graph. */
    result (*time_generator)(void *state, ter_generator *generator, const ter_world *world, const bench_work *work,
                             bool is_replayed, int repeats, double *elapsed_ms);

    /** Measure the total bandwidth of copies from the first `count` devices at once to pinned memory, 10^9 bytes per
     * second. NULL for targets without devices. */
    result (*time_copy)(int count, double *gb_per_s);

    /** Copy `count` bytes of the array, from byte `first` on, to host memory. */
    result (*read)(void *state, size_t first, size_t count, void *out);
} bench_target;

extern const bench_target bench_target_cpu;
extern const bench_target bench_target_cuda;
extern const bench_target bench_target_devices;

#endif
