/* work.h - what a benchmark's row does: one array, or the viewer's batch of small tiles. */
#ifndef TERRANE_PROGRAM_BENCH_WORK_H
#define TERRANE_PROGRAM_BENCH_WORK_H

#include <stdbool.h>

#include "program/core/fill.h"

enum { BENCH_BATCH_TILES = 256, BENCH_BATCH_SIDE = 67 }; /* tiles of the batch, and points of a side of each */

typedef struct bench_work {
    ter_tile tiles[BENCH_BATCH_TILES];
    size_t count;
    tile_layout layout;
    bool is_u16;     /* 16-bit samples over `range` instead of heights */
    double range[2]; /* metres */
} bench_work;

/** Heights of a work as floats in host memory. Errors as ter_fill */
ter_status bench_work_fill(const bench_work *work, ter_generator *generator, const ter_world *world, float *out);

/** size x size points of a level from its origin; size at most 2^31 - 1. */
bench_work bench_work_array(int level, int64_t size);

/** What a viewer asks for when it arrives somewhere: tiles of the finest eight levels around one place, as many of
 * each. */
bench_work bench_work_batch(int levels);

/** Bytes of a sample. */
size_t bench_work_sample_bytes(const bench_work *work);

/** Samples that fit into the memory that a work fills, gaps between rows and tiles included. */
size_t bench_work_extent(const bench_work *work);

/** Bytes of that memory, padded. */
size_t bench_work_bytes(const bench_work *work);

/** A multiple of the bytes that a fill stores at once, not less than `bytes`. */
size_t bench_work_padded(size_t bytes);

/** Samples that a work makes. */
double bench_work_samples(const bench_work *work);

#endif
