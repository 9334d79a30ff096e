/* bench.h - verify every generator against the reference, then race them. */
#ifndef TERRANE_PROGRAM_BENCH_BENCH_H
#define TERRANE_PROGRAM_BENCH_BENCH_H

#include <stdbool.h>

#include "program/bench/work.h"
#include "program/core/result.h"

/** One variant: a backend's generator at one work in one world. */
typedef struct bench_row {
    ter_backend backend;
    ter_method method;
    bool is_replayed;  /* the generator's launches as one CUDA graph */
    bool is_by_sample; /* single-pass with one sample a thread */
    int n_devices;     /* that share the array; more than one for `tiled` alone */
    const char *world_name;
    const ter_world *world;
    int64_t size; /* the work is an array of size x size, or when 0 the batch of tiles */
    bench_work work;

    double median_ms, min_ms;
    double noise;      /* interquartile range over the median */
    double fill_ms;    /* median time to store a constant into the same memory, same run */
    bool is_identical; /* bits equal to the reference's; a row that is not is not timed */
} bench_row;

/** How rows are measured. */
typedef struct bench_run {
    int samples;                        /* timed rounds */
    int threads;                        /* CPU threads, 0 for all */
    ter_simd simd;                      /* CPU instruction set level */
    void (*progress)(const char *text); /* called with a text for each step, and "" at the end; may be NULL */
} bench_run;

/** Measure rows that share backend, devices, size and kind of sample: verify each, warm up, then time them and the fill
 * in turns.
 *
 *  Errors  OUTCOME_MISSING no such backend; OUTCOME_FAILED
 */
outcome bench_measure(bench_row *rows, size_t count, const bench_run *run);

/** A row's generator as it is named in tables: "recursive", "recursive+graph", "single-pass", "by sample", "tiled, 16
 * bit", "tiled x 2". */
const char *bench_row_generator(const bench_row *row);

/** What a row's samples cost: 10^9 samples a second, and 10^9 bytes a second. */
double bench_row_gsamples_per_s(const bench_row *row);
double bench_row_gb_per_s(const bench_row *row);

/** Median of `recursive`, launch by launch, at the same work in the same world, milliseconds; 0 when it was not
 * measured. */
double bench_row_recursive_ms(const bench_row *rows, size_t count, const bench_row *like);

#endif
