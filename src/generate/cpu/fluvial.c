/* fluvial.c - tiles of fluvial worlds, cut into blocks; each block is made by one thread. */
#include "generate/cpu/fluvial.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "generate/cpu/fluvial_block.h"

enum {
    REGIONS = 3,       /* that are kept, beside one for each thread */
    BLOCK_M_MIN = 512, /* blocks of half the side would cost as much */
    BLOCK_SIDE_MAX = 4096,
    HELD_SIDE_MAX = 2048 /* of blocks that each thread keeps memory for: 16 to 21 MiB */
};

typedef struct fluvial_pass {
    ter_cpu_state *cpu;
    const ter_world *world;
    const ter_tile *tiles;
    const ter_tile_layout *layout;
    const ter_layers *out;
    ter_blocks blocks; /* of every tile */
    atomic_int is_out_of_memory;
} fluvial_pass;

ter_status ter_cpu_fluvial_begin(ter_cpu_state *cpu)
{
    const int n_threads = ter_team_size(cpu->team);
    if (cpu->fluvial)
        return TER_OK;
    cpu->fluvial = calloc((size_t)n_threads, sizeof *cpu->fluvial);
    ter_fluvial_regions *regions = cpu->fluvial ? ter_fluvial_regions_create(n_threads + REGIONS) : NULL;
    if (!regions) {
        free(cpu->fluvial);
        cpu->fluvial = NULL;
        return ter_fail(TER_ENOMEM, "no memory for the scratch of %d threads", n_threads);
    }
    for (int n = 0; n < n_threads; n++)
        cpu->fluvial[n].regions = regions;
    return TER_OK;
}

void ter_cpu_fluvial_free(ter_cpu_state *cpu)
{
    if (!cpu->fluvial)
        return;
    const int n_threads = ter_team_size(cpu->team);
    ter_fluvial_regions_destroy(cpu->fluvial[0].regions);
    for (int n = 0; n < n_threads; n++)
        ter_fluvial_maker_free(&cpu->fluvial[n]);
    free(cpu->fluvial);
    cpu->fluvial = NULL;
}

static int step_of(const ter_world *world, int level)
{
    return 1 << (world->params.levels - level);
}

static ter_lattice lattice_of(const ter_world *world, int level, const ter_grid *block)
{
    const ter_lattice points = {{block->i, block->j, (int)block->width, (int)block->height}, step_of(world, level)};
    return points;
}

static void make_block(void *user, int thread, int64_t n)
{
    fluvial_pass *p = user;
    ter_fluvial_maker *maker = &p->cpu->fluvial[thread];
    const int64_t per_tile = ter_blocks_count(&p->blocks);
    const size_t tile = (size_t)(n / per_tile);
    const ter_tile_layout *layout = p->layout;
    const ter_tile *at = &p->tiles[tile];
    const ter_grid whole = {.i = at->i, .j = at->j, .width = layout->width, .height = layout->height};
    const ter_grid block = ter_blocks_at(&p->blocks, &whole, n % per_tile);
    const size_t slot = layout->slots ? layout->slots[tile] : tile;
    const size_t first = slot * layout->slot_stride + (size_t)(block.j - at->j) * layout->row_stride + (size_t)(block.i - at->i);
    ter_fluvial_output out = {.stride = layout->row_stride};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        out.layer[layer] = p->out->at[layer] ? p->out->at[layer] + first : NULL;
    const ter_lattice points = lattice_of(p->world, at->level, &block);
    const ter_fluvial *f = &p->world->fluvial;
    const ter_fluvial_kernels *kernels = p->cpu->kernels->fluvial;
    if (atomic_load(&p->is_out_of_memory))
        return;
    const bool is_made = p->cpu->method == TER_METHOD_TILED
                             ? ter_fluvial_make_block(maker, kernels, f, points, &out, ter_cpu_is_large(layout))
                             : ter_fluvial_define_block(maker, kernels, f, points, &out);
    if (!is_made)
        atomic_store(&p->is_out_of_memory, 1);
}

bool ter_cpu_fluvial_block(const ter_cpu_state *cpu, int thread, const ter_world *world, int level, const ter_grid *block)
{
    const ter_fluvial_output out = {.layer[TER_LAYER_HEIGHT] = block->at, .stride = block->stride};
    return cpu->fluvial && ter_fluvial_make_block(&cpu->fluvial[thread], cpu->kernels->fluvial, &world->fluvial,
                                                  lattice_of(world, level, block), &out, false);
}

/** Points of a block's side, at most: as many as share most of their ground. Far apart they share nothing. */
static int block_side(ter_method method, int step)
{
    if (method == TER_METHOD_SINGLE_PASS)
        return step < 256 ? 16 : step < 2048 ? 4 : 1;
    if (step >= 4096)
        return step >= 8192 ? 1 : 2;
    static const int sides[12] = {BLOCK_SIDE_MAX, 2048, 1024, 512, 512, 256, 256, 256, 128, 128, 64, 32};
    int lod = 0;
    while (1 << lod < step)
        lod++;
    const int side = method == TER_METHOD_RECURSIVE ? 4 * sides[lod] : sides[lod];
    return side < BLOCK_SIDE_MAX ? side : BLOCK_SIDE_MAX;
}

/** Blocks of at most `side` points to a side, or smaller, nearly square ones, so that each thread gets one. */
static ter_blocks cut(int64_t side, int step, const ter_grid *array, int64_t n_arrays, int n_threads)
{
    int64_t width = array->width < side ? array->width : side, height = array->height < side ? array->height : side;
    for (;;) {
        const ter_blocks blocks = ter_blocks_cut(array, n_arrays, 1, width, height, 1);
        const int64_t longer = width > height ? width : height;
        if (ter_blocks_count(&blocks) * n_arrays >= n_threads || longer < 2 || longer * step < 2 * BLOCK_M_MIN)
            return blocks;
        if (width > height)
            width /= 2;
        else
            height /= 2;
    }
}

ter_blocks ter_cpu_fluvial_blocks(const ter_cpu_state *cpu, int step, const ter_grid *array, int64_t n_arrays)
{
    const int side = block_side(TER_METHOD_TILED, step);
    return cut(side < HELD_SIDE_MAX ? side : HELD_SIDE_MAX, step, array, n_arrays, ter_team_size(cpu->team));
}

ter_status ter_cpu_fluvial(ter_cpu_state *cpu, const ter_world *world, const ter_tile *tiles, size_t count,
                           const ter_tile_layout *layout, const ter_layers *out)
{
    const ter_status status = ter_cpu_fluvial_begin(cpu);
    if (status != TER_OK)
        return status;
    const ter_grid tile = {.width = layout->width, .height = layout->height};
    for (size_t first = 0, end; first < count; first = end) { /* tiles of one level have blocks of one size */
        for (end = first + 1; end < count && tiles[end].level == tiles[first].level;)
            end++;
        ter_tile_layout part = *layout;
        ter_layers shifted = *out;
        if (layout->slots)
            part.slots = layout->slots + first;
        else
            for (int n = 0; n < TER_LAYER_COUNT; n++)
                shifted.at[n] = out->at[n] ? out->at[n] + first * layout->slot_stride : NULL;
        fluvial_pass pass = {.cpu = cpu, .world = world, .tiles = tiles + first, .layout = &part, .out = &shifted};
        const int step = step_of(world, tiles[first].level);
        pass.blocks = cut(block_side(cpu->method, step), step, &tile, (int64_t)(end - first), ter_team_size(cpu->team));
        ter_team_run(cpu->team, ter_blocks_count(&pass.blocks) * (int64_t)(end - first), make_block, &pass);
        if (atomic_load(&pass.is_out_of_memory))
            return ter_fail(TER_ENOMEM, "no memory for the network of a block of %lld x %lld points", (long long)pass.blocks.width,
                            (long long)pass.blocks.height);
    }
    return TER_OK;
}

ter_status ter_cpu_fluvial_points(ter_cpu_state *cpu, const ter_world *world, int level, const int64_t (*points)[2], size_t count,
                                  float *out)
{
    const ter_tile_layout layout = {.width = 1, .height = 1, .row_stride = 1, .slot_stride = 1};
    const ter_layers layers = {.at[TER_LAYER_HEIGHT] = out};
    ter_tile *tiles = malloc((count + 1) * sizeof *tiles);
    if (!tiles)
        return ter_fail(TER_ENOMEM, "no memory for %zu points", count);
    for (size_t n = 0; n < count; n++)
        tiles[n] = (ter_tile){.level = level, .i = points[n][0], .j = points[n][1]};
    const ter_status status = ter_cpu_fluvial(cpu, world, tiles, count, &layout, &layers);
    free(tiles);
    return status;
}
