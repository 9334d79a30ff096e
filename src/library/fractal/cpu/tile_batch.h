/* tile_batch.h - tiles of bases midpoint and smooth that one call fills, and the blocks that they are cut into. */
#ifndef TERRANE_FRACTAL_CPU_TILE_BATCH_H
#define TERRANE_FRACTAL_CPU_TILE_BATCH_H

#include "library/core/cpu/state.h"
#include "library/fractal/cpu/blocks.h"
#include "library/fractal/cpu/descent.h"

/** A batch of tiles. */
typedef struct ter_cpu_batch {
    const ter_field *f;
    const ter_tile *tiles;
    size_t count;
    const ter_tile_layout *layout;
    float *out;
} ter_cpu_batch;

/** Tile n of a batch. Stores to large arrays bypass the caches. */
ter_grid ter_cpu_batch_grid(const ter_cpu_batch *batch, size_t n);

/** Block n of a batch, and its tile. All tiles of the batch are cut into the same blocks. */
ter_grid ter_cpu_batch_block(const ter_cpu_batch *batch, const ter_blocks *blocks, int64_t n, size_t *tile);

/** Make each block of all tiles of a batch by `make`, a function of ter_row_kernels. points_min: as in ter_blocks_cut
 */
ter_status ter_cpu_batch_run(ter_cpu_state *cpu, const ter_cpu_batch *batch, int64_t points_min,
                             void (*make)(const ter_field *f, int level, const ter_grid *block));

#endif
