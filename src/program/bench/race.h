/* race.h - a benchmark of several generators, backends, sizes and worlds: which rows it has, and their measurement. */
#ifndef TERRANE_PROGRAM_BENCH_RACE_H
#define TERRANE_PROGRAM_BENCH_RACE_H

#include <stdio.h>

#include "program/bench/bench.h"

enum { RACE_LIST_MAX = 16, RACE_ROWS_MAX = RACE_LIST_MAX * 32 };

typedef struct race_world {
    const char *name;
    ter_params params;
    bool has_levels_of_size; /* as many levels as the array has: log2 of its side */
} race_world;

typedef struct race_request {
    int64_t sizes[RACE_LIST_MAX + 1]; /* of an array's side; 0 is the batch of tiles */
    ter_method methods[RACE_LIST_MAX];
    ter_backend backends[RACE_LIST_MAX];
    race_world worlds[RACE_LIST_MAX];
    int n_sizes, n_methods, n_backends, n_worlds;
    int n_devices; /* CUDA devices that share arrays */
    bool is_u16;   /* `tiled` with 16-bit samples too */
    bench_run run;
} race_request;

typedef struct race {
    bench_row rows[RACE_ROWS_MAX];
    size_t count;
    ter_world *worlds[RACE_ROWS_MAX];
    size_t n_worlds;
} race;

/** The parameters of a world that has a name in benchmarks: "classic", midpoint displacement whose amplitude halves
 * from level to level, with as many levels as the array has; "smooth", the parameters of World format 1. False: no such
 * name. */
bool race_world_named(const char *name, uint64_t seed, race_world *world);

/** Create a world for arrays of a size, or with size 0 for the batch. It lives until race_destroy.
 *
 *  Errors  OUTCOME_USAGE too many worlds
 */
outcome race_add_world(race *race, const race_world *world, int64_t size, const ter_world **out);

/** Verify and time all rows; the table is printed as they are measured. An all-zero `race` begins; destroy it also
 * after an error.
 *
 *  Errors  OUTCOME_USAGE too many rows; what bench_measure returns
 */
outcome race_run(race *race, const race_request *request, FILE *table);

/** OUTCOME_FAILED when a row differs from the reference. */
outcome race_verdict(const race *race);

void race_destroy(race *race);

#endif
