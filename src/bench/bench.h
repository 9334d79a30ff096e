/* bench.h - verify every generator against the reference, then race them. */
#ifndef TERRANE_BENCH_BENCH_H
#define TERRANE_BENCH_BENCH_H

#include <stdbool.h>

#include "outcome.h"

/** One variant: a backend's generator on one world at one size. */
typedef struct bench_row {
    ter_backend backend;
    ter_method method;
    const char *world_name;
    const ter_world *world;
    int64_t size; /* the array is size x size */
    int level;

    double median_ms, min_ms;
    double noise;      /* interquartile range over the median */
    double fill_ms;    /* median time to store a constant into the same array, same run */
    bool is_identical; /* bits equal to the reference's; a row that is not is not timed */
} bench_row;

/** Measure rows that share backend and size: verify each, warm up, then time them and the fill in turns, `samples` rounds.
 *
 *  threads   CPU threads, 0 for all
 *  progress  called with a text for each step, may be NULL
 */
outcome bench_measure(bench_row *rows, size_t count, int samples, int threads, void (*progress)(const char *text));

#endif
