/* work.h - what a generator does in a benchmark: fill one array, or the viewer's batch of small tiles. */
#ifndef TERRANE_PROGRAM_BENCH_WORK_H
#define TERRANE_PROGRAM_BENCH_WORK_H

#include <stdbool.h>

#include "program/core/fill.h"

enum { BENCH_BATCH_TILES = 256, BENCH_BATCH_SIDE = 67 }; /* number of tiles of the batch; samples of a tile's side */

typedef struct bench_work {
    ter_tile tiles[BENCH_BATCH_TILES];
    size_t count;
    tile_layout layout;
    bool is_u16;     /* 16-bit samples over `range` instead of heights */
    double range[2]; /* metres */
} bench_work;

/** Fill host memory with the heights of a work, as floats. Errors as ter_fill */
ter_status bench_work_fill(const bench_work *work, ter_generator *generator, const ter_world *world, float *out);

/** An array of size x size samples of a level, from the level's origin; size at most 2^31 - 1. */
bench_work bench_work_array(int level, int64_t size);

/** The tiles that a viewer requests when it starts at a place: equally many of each of the finest eight levels, around
 * that place. */
bench_work bench_work_batch(int levels);

/** Bytes of one sample. */
size_t bench_work_sample_bytes(const bench_work *work);

/** Samples of the output array, with the gaps between rows and tiles. */
size_t bench_work_extent(const bench_work *work);

/** Bytes of the output array, padded for the fill. */
size_t bench_work_bytes(const bench_work *work);

/** Round `bytes` up to a multiple of the bytes that a fill stores at once. */
size_t bench_work_padded(size_t bytes);

/** Number of samples that a work makes. */
double bench_work_samples(const bench_work *work);

#endif
