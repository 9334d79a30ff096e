/* descent.h - one block's way down the levels, in memory that the second-level cache holds. */
#ifndef TERRANE_FRACTAL_CPU_DESCENT_H
#define TERRANE_FRACTAL_CPU_DESCENT_H

#include "library/core/cpu/state.h"
#include "library/fractal/cpu/row_kernels.h"

enum {
    TER_PARENT_WIDTH = TER_BLOCK_WIDTH_MAX / 2 + 8, /* of a block's window one level up, either basis */
    TER_PARENT_HEIGHT = TER_BLOCK_HEIGHT_MAX / 2 + 8,
    TER_DESCENT_FLOATS = 2 * (TER_PARENT_WIDTH * TER_PARENT_HEIGHT + 2 * TER_GRID_PAD) /* scratch of a descent */
};

/** A level that several blocks start from: their windows `depth` levels above them. */
typedef struct ter_common_level {
    ter_grid grid;
    int depth; /* 0: there is none, blocks start from the root */
} ter_common_level;

/** Make a block of a level.
 *
 *  common   a level to start from, or NULL for the root
 *  scratch  TER_DESCENT_FLOATS floats of the calling thread
 */
void ter_descend(const ter_row_kernels *kernels, const ter_field *f, int level, const ter_common_level *common,
                 const ter_grid *out, float *scratch);

/** Scratch of a thread's descents. */
static inline float *ter_descent_scratch(const ter_cpu_state *cpu, int thread)
{
    return cpu->scratch + (size_t)thread * TER_DESCENT_FLOATS;
}

#endif
