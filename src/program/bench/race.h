/* race.h - a race: a benchmark of several generators, backends, sizes and worlds. Makes the rows of its table and
 * measures them. */
#ifndef TERRANE_PROGRAM_BENCH_RACE_H
#define TERRANE_PROGRAM_BENCH_RACE_H

#include <stdio.h>

#include "program/bench/bench.h"

enum { RACE_LIST_MAX = 16, RACE_ROWS_MAX = RACE_LIST_MAX * 32 };

typedef struct race_world {
    const char *name;
    ter_params params;
    bool has_levels_of_size; /* the number of levels is log2 of the array's side */
} race_world;

typedef struct race_request {
    int64_t sizes[RACE_LIST_MAX + 1]; /* sides of arrays, samples; 0: the viewer's batch of small tiles */
    ter_method methods[RACE_LIST_MAX];
    ter_backend backends[RACE_LIST_MAX];
    race_world worlds[RACE_LIST_MAX];
    int n_sizes, n_methods, n_backends, n_worlds;
    int lods[2];   /* finest and coarsest level of detail of the arrays */
    int n_devices; /* CUDA devices that share arrays */
    bool is_u16;   /* measure `tiled` with 16-bit samples too */
    bench_run run;
} race_request;

typedef struct race {
    bench_row rows[RACE_ROWS_MAX];
    size_t count;
    ter_world *worlds[RACE_ROWS_MAX];
    size_t n_worlds;
} race;

/** Parameters of a world by its name in benchmarks. "classic" is midpoint displacement. Its amplitude halves from
 * level to level, and its number of levels is log2 of the array's side. "smooth" has the parameters of World format
 * 1. Returns false for another name. */
bool race_world_named(const char *name, uint64_t seed, race_world *world);

/** Check that all worlds have the levels of detail of a request.
 *
 *  Errors  RESULT_USAGE a world has too few levels
 */
result race_check_lods(const race_request *request);

/** Create a world for arrays of `size` x `size` samples, or for the batch of tiles if size is 0. The race owns the
 * world.
 *
 *  lod     level of detail of the arrays
 *  Errors  RESULT_USAGE too many worlds; the errors of ter_world_create
 */
result race_add_world(race *race, const race_world *world, int64_t size, int lod, const ter_world **out);

/** Verify and time all rows, and print the rows of each group into `table` once they are measured. All bytes of `race`
 * are 0 before the call; destroy it also after an error.
 *
 *  Errors  RESULT_USAGE too many rows; the errors of bench_measure
 */
result race_run(race *race, const race_request *request, FILE *table);

/** The result of a race: RESULT_FAILED if a row differs from the reference. */
result race_verdict(const race *race);

void race_destroy(race *race);

#endif
