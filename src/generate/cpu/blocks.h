/* blocks.h - an array cut into blocks, the tasks of a team. */
#ifndef TER_GENERATE_CPU_BLOCKS_H
#define TER_GENERATE_CPU_BLOCKS_H

#include "generate/cpu/grid.h"

typedef struct ter_blocks {
    int64_t width, height; /* points of a block; less at the east and south edges */
    int64_t n_columns, n_rows;
} ter_blocks;

/** Less than this is not worth another thread, where many points are made together. */
enum { TER_BLOCK_POINTS_MIN = 1 << 14 };

/** Side of the blocks that share an extent evenly: about `wanted` points, at most an 8th more, so that none is made for a few
 * points alone. A multiple of `unit`, which divides an 8th of `wanted`. */
int64_t ter_blocks_side(int64_t extent, int64_t wanted, int64_t unit);

/** Cut n_arrays arrays of one size into blocks: full width first, then low enough that each thread gets several, but none of fewer
 *  than points_min points. */
ter_blocks ter_blocks_cut(const ter_grid *array, int64_t n_arrays, int n_threads, int64_t points_min);

/** Blocks of one array. */
static inline int64_t ter_blocks_count(const ter_blocks *b)
{
    return b->n_columns * b->n_rows;
}

/** Block n of an array. */
ter_grid ter_blocks_at(const ter_blocks *b, const ter_grid *array, int64_t n);

#endif
