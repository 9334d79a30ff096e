/* descent.h - makes a block level by level, in memory that fits the second-level cache. */
#ifndef TERRANE_FRACTAL_CPU_DESCENT_H
#define TERRANE_FRACTAL_CPU_DESCENT_H

#include "library/core/cpu/state.h"
#include "library/fractal/cpu/row_kernels.h"

enum {
    TER_PARENT_WIDTH = TER_BLOCK_WIDTH_MAX / 2 + 8, /* width of a block's window one level above, for both bases */
    TER_PARENT_HEIGHT = TER_BLOCK_HEIGHT_MAX / 2 + 8,
    TER_DESCENT_FLOATS = 2 * (TER_PARENT_WIDTH * TER_PARENT_HEIGHT + 2 * TER_GRID_PAD) /* scratch of a descent */
};

/** A coarse level from which several blocks start. It lies `depth` levels above the blocks' level. */
typedef struct ter_common_level {
    ter_grid grid;
    int depth; /* 0: no common level, blocks start from the root */
} ter_common_level;

/** Make a block of a level.
 *
 *  common   a level to start from, or NULL for the root
 *  scratch  TER_DESCENT_FLOATS floats of the calling thread
 */
void ter_descend(const ter_row_kernels *kernels, const ter_field *f, int level, const ter_common_level *common,
                 const ter_grid *out, float *scratch);

/** Scratch memory of a thread for ter_descend. */
static inline float *ter_descent_scratch(const ter_cpu_state *cpu, int thread)
{
    return cpu->scratch + (size_t)thread * TER_DESCENT_FLOATS;
}

#endif
