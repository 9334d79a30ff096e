/* blocks.h - cuts an array into blocks, which are the tasks of a team of threads. */
#ifndef TERRANE_FRACTAL_CPU_BLOCKS_H
#define TERRANE_FRACTAL_CPU_BLOCKS_H

#include "library/fractal/cpu/grid.h"

typedef struct ter_blocks {
    int64_t width, height; /* points of a block; less at the east and south edges */
    int64_t n_columns, n_rows;
} ter_blocks;

/** Least number of points of a block that is worth another thread, for methods that make many points together. */
enum { TER_BLOCK_POINTS_MIN = 1 << 14 };

/** Cut n_arrays arrays of one size into blocks of nearly equal sizes. A block is at most an eighth wider and higher
 * than `width` and `height`, so that no block has only a few points. The height of blocks is halved until there are
 * four blocks for each thread, but a block has at least points_min points. */
ter_blocks ter_blocks_cut(const ter_grid *array, int64_t n_arrays, int n_threads, int64_t width, int64_t height,
                          int64_t points_min);

/** As ter_blocks_cut, with the usual size of blocks of bases midpoint and smooth. */
static inline ter_blocks ter_blocks_cut_usual(const ter_grid *array, int64_t n_arrays, int n_threads,
                                              int64_t points_min)
{
    return ter_blocks_cut(array, n_arrays, n_threads, TER_BLOCK_WIDTH, TER_BLOCK_HEIGHT, points_min);
}

/** Number of blocks of one array. */
static inline int64_t ter_blocks_count(const ter_blocks *b)
{
    return b->n_columns * b->n_rows;
}

/** Block n of an array. */
ter_grid ter_blocks_at(const ter_blocks *b, const ter_grid *array, int64_t n);

#endif
