/* bench.h - measures generators: verifies each against the reference, then times all of them in turns. */
#ifndef TERRANE_PROGRAM_BENCH_BENCH_H
#define TERRANE_PROGRAM_BENCH_BENCH_H

#include <stdbool.h>

#include "program/bench/work.h"
#include "program/core/result.h"

/** One row of the benchmark's table: a generator of a backend, doing one work (work.h) in one world. */
typedef struct bench_row {
    ter_backend backend;
    ter_method method;
    bool is_replayed;  /* replay the generator's kernel launches as one CUDA graph */
    bool is_by_sample; /* single-pass with one sample per thread */
    int n_devices;     /* devices that share the array; above 1 for `tiled` only */
    const char *world_name;
    const ter_world *world;
    int64_t size; /* the work is an array of size x size samples; 0: the viewer's batch of small tiles */
    int lod;      /* level of detail of the array; 0 for the batch, whose tiles are of several levels */
    bench_work work;

    double median_ms, min_ms;
    double noise;      /* interquartile range divided by the median */
    double fill_ms;    /* median time to store a constant into the same memory, in the same rounds */
    bool is_identical; /* all bits are those of the reference; otherwise the row is not timed */
} bench_row;

/** How rows are measured. */
typedef struct bench_run {
    int samples;                        /* timed rounds, at most 1000 */
    int threads;                        /* CPU threads, 0 for all */
    ter_simd simd;                      /* CPU instruction set level */
    void (*progress)(const char *text); /* called with a text at each step and with "" at the end; may be NULL */
} bench_run;

/** Measure rows of the same backend, devices, size, level of detail and sample type: verify each, then time the fill
 * and all rows in turns, round by round.
 *
 *  Errors  RESULT_MISSING this build lacks the backend; RESULT_FAILED a generator fails, or no memory
 */
result bench_measure(bench_row *rows, size_t count, const bench_run *run);

/** Name of a row's generator in tables: "recursive", "recursive+graph", "single-pass", "by sample", "tiled, 16 bit",
 * "tiled x 2". */
const char *bench_row_generator(const bench_row *row);

/** Throughput of a row, in 10^9 samples and in 10^9 bytes per second. */
double bench_row_gsamples_per_s(const bench_row *row);
double bench_row_gb_per_s(const bench_row *row);

/** Time of a row for one sample, nanoseconds. */
double bench_row_ns_per_sample(const bench_row *row);

/** Median time of `recursive` without a graph for the same backend, work and world as `like`, milliseconds; 0 if it was
 * not measured or if its samples differ from the reference. */
double bench_row_recursive_ms(const bench_row *rows, size_t count, const bench_row *like);

#endif
