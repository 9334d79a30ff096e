/* climate.c - fills tiles with the climate of their samples: cuts them into blocks, and gives the blocks to threads.
 * Each thread keeps the knots of its last block, because the next one often lies between the same knots. */
#include "library/fluvial/cpu/climate.h"

#include <stdatomic.h>

#include "library/fluvial/cpu/block.h"
#include "library/fractal/cpu/row_kernels.h"

enum { BLOCK_SIDE = 512 /* samples */ };

typedef struct climate_pass {
    ter_cpu_state *cpu;
    const ter_fluvial *world;
    const ter_tile *tiles;
    const ter_tile_layout *layout;
    const float *heights;
    const ter_layers *out;
    int64_t across, down; /* blocks of a tile */
    atomic_int is_out_of_memory;
} climate_pass;

/** Block n of a call. */
static ter_climate_block block_at(const climate_pass *p, int64_t n)
{
    const int64_t per_tile = p->across * p->down, tile = n / per_tile, x = n % per_tile % p->across * BLOCK_SIDE,
                  y = n % per_tile / p->across * BLOCK_SIDE;
    const int64_t right = p->layout->width - x, below = p->layout->height - y;
    const size_t slot = p->layout->slots ? p->layout->slots[tile] : (size_t)tile,
                 first = slot * p->layout->slot_stride + (size_t)y * p->layout->row_stride + (size_t)x;
    ter_climate_block b = {
        .f = p->world,
        .lod = p->world->levels - p->tiles[tile].level,
        .at = {p->tiles[tile].i + x, p->tiles[tile].j + y, (int)(right < BLOCK_SIDE ? right : BLOCK_SIDE),
               (int)(below < BLOCK_SIDE ? below : BLOCK_SIDE)},
        .stride = p->layout->row_stride,
        .height = p->heights + first,
    };
    for (int layer = 0; layer < TER_CLIMATE_LAYERS; layer++)
        b.out[layer] = p->out->at[TER_LAND_LAYERS + layer] ? p->out->at[TER_LAND_LAYERS + layer] + first : NULL;
    return b;
}

/** Task n: make block n. */
static void make_block(void *user, int thread, int64_t n)
{
    climate_pass *p = user;
    ter_fluvial_maker *maker = &p->cpu->fluvial[thread];
    const ter_fluvial_kernels *kernels = p->cpu->kernels->fluvial;
    const ter_climate_block block = block_at(p, n);
    if (atomic_load(&p->is_out_of_memory))
        return;
    if (ter_fluvial_have_climate(maker, kernels, p->world, ter_climate_shift(block.lod),
                                 ter_climate_knots(block.lod, block.at)))
        kernels->climate(&maker->climate.climate, &block, &maker->cancel);
    else
        atomic_store(&p->is_out_of_memory, 1);
}

ter_status ter_cpu_climate(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                           const ter_tile_layout *layout, const float *heights, const ter_layers *out)
{
    climate_pass pass = {.cpu = cpu,
                         .world = world,
                         .tiles = tiles,
                         .layout = layout,
                         .heights = heights,
                         .out = out,
                         .across = (layout->width + BLOCK_SIDE - 1) / BLOCK_SIDE,
                         .down = (layout->height + BLOCK_SIDE - 1) / BLOCK_SIDE};
    const ter_status status = ter_cpu_run(cpu, (int64_t)count * pass.across * pass.down, make_block, &pass);
    return status == TER_OK && atomic_load(&pass.is_out_of_memory)
               ? ter_fail(TER_ENOMEM, "no memory for the climate of %zu tiles", count)
               : status;
}
