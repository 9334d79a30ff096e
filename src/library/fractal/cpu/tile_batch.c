/* tile_batch.c - finds the places of a batch's tiles and of their blocks, and makes the blocks. */
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

/** A batch that is made block by block. */
typedef struct batch_pass {
    const ter_cpu_batch *batch;
    ter_blocks blocks; /* the same for every tile */
    void (*make)(const ter_field *f, int level, const ter_grid *block);
} batch_pass;

static void make_block(void *user, int thread, int64_t n)
{
    const batch_pass *p = user;
    size_t tile;
    const ter_grid block = ter_cpu_batch_block(p->batch, &p->blocks, n, &tile);
    (void)thread;
    p->make(p->batch->f, p->batch->tiles[tile].level, &block);
}

ter_status ter_cpu_batch_run(ter_cpu_state *cpu, const ter_cpu_batch *batch, int64_t points_min,
                             void (*make)(const ter_field *f, int level, const ter_grid *block))
{
    const ter_grid first = ter_cpu_batch_grid(batch, 0);
    batch_pass pass = {.batch = batch, .make = make};
    pass.blocks = ter_blocks_cut_usual(&first, (int64_t)batch->count, ter_team_size(cpu->team), points_min);
    return ter_cpu_run(cpu, ter_blocks_count(&pass.blocks) * (int64_t)batch->count, make_block, &pass);
}
