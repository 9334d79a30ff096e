/* tile_batch.c - finds the places of a batch's tiles and of their blocks. */
#include "library/fractal/cpu/tile_batch.h"

ter_grid ter_cpu_batch_grid(const ter_cpu_batch *batch, size_t n)
{
    const ter_tile_layout *layout = batch->layout;
    const size_t slot = layout->slots ? layout->slots[n] : n;
    return (ter_grid){.at = batch->out + slot * layout->slot_stride,
                      .stride = layout->row_stride,
                      .i = batch->tiles[n].i,
                      .j = batch->tiles[n].j,
                      .width = layout->width,
                      .height = layout->height,
                      .is_streamed = ter_cpu_is_large(layout)};
}

ter_grid ter_cpu_batch_block(const ter_cpu_batch *batch, const ter_blocks *blocks, int64_t n, size_t *tile)
{
    const int64_t per_tile = ter_blocks_count(blocks);
    *tile = (size_t)(n / per_tile);
    const ter_grid grid = ter_cpu_batch_grid(batch, *tile);
    return ter_blocks_at(blocks, &grid, n % per_tile);
}
