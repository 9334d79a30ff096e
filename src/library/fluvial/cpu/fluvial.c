/* fluvial.c - fills tiles of fluvial worlds: merges them into rectangles, cuts these into blocks, and gives the blocks
 * to threads. */
#include "library/fluvial/cpu/fluvial.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "library/fluvial/climate_layers.h"
#include "library/fluvial/cpu/block.h"
#include "library/fluvial/cpu/climate.h"
#include "library/fluvial/cpu/lots.h"
#include "library/fluvial/tile_merge.h"
#include "library/fractal/cpu/row_kernels.h"

enum {
    REGIONS = 3,           /* cached regions in addition to one for each thread */
    BLOCK_M_MIN = 512,     /* m; smaller blocks would cost as much, because of the ground around them */
    BLOCK_SIDE_MAX = 4096, /* points */
    HELD_SIDE_MAX = 2048   /* points; side of blocks for which each thread keeps memory: 16 to 21 MiB */
};

/** The work of one call: rectangles of one or more tiles, cut into blocks. */
typedef struct fluvial_pass {
    ter_cpu_state *cpu;
    const ter_fluvial *world;
    const ter_tile *tiles;
    const ter_tile_layout *layout;
    const ter_layers *out;
    bool are_overviews; /* whether all tiles are overviews; otherwise none is */
    size_t *order;      /* indices of the tiles, rectangle by rectangle */
    ter_merged_rect *rects;
    size_t n_rects;
    ter_blocks *blocks; /* of each rectangle */
    int64_t *first;     /* index of each rectangle's first block; first[n_rects] is the number of all blocks */
    ter_fluvial_lots lots;
    atomic_llong *next; /* of each thread: the next lot of its share */
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
    for (int n = 0; n < n_threads; n++) {
        cpu->fluvial[n].regions = regions;
        cpu->fluvial[n].cancel = cpu->cancel;
    }
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

static ter_window window_of(const ter_grid *block)
{
    return (ter_window){block->i, block->j, (int)block->width, (int)block->height};
}

static ter_grid grid_of(const ter_rect *rect)
{
    return (ter_grid){.i = rect->i, .j = rect->j, .width = rect->width, .height = rect->height};
}

/** Index of a tile's first sample in each layer. */
static size_t start_of(const fluvial_pass *p, size_t tile)
{
    return (p->layout->slots ? p->layout->slots[tile] : tile) * p->layout->slot_stride;
}

/** Direct the samples of a block straight to the tile that it is a part of. */
static void direct_to_tile(const fluvial_pass *p, size_t tile, const ter_grid *block, ter_fluvial_output *out)
{
    const ter_tile *at = &p->tiles[tile];
    const size_t first =
        start_of(p, tile) + (size_t)(block->j - at->j) * p->layout->row_stride + (size_t)(block->i - at->i);
    out->stride = p->layout->row_stride;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        out->layer[layer] = p->out->at[layer] ? p->out->at[layer] + first : NULL;
}

/** Direct the samples of a block to memory of the thread, from where they are copied to several tiles. Returns false
 * when there is no memory. */
static bool direct_to_memory(const fluvial_pass *p, const ter_grid *block, ter_fluvial_memory *memory,
                             ter_fluvial_output *out)
{
    const size_t floats = (size_t)block->width * (size_t)block->height;
    size_t n_layers = 0;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        n_layers += p->out->at[layer] != NULL;
    if (!ter_fluvial_reserve(memory, n_layers * floats * sizeof(float)))
        return false;
    out->stride = (size_t)block->width;
    n_layers = 0;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        out->layer[layer] = p->out->at[layer] ? (float *)memory->at + n_layers++ * floats : NULL;
    return true;
}

/** Copy the samples of a block that lie in a tile. */
static void copy_to_tile(const fluvial_pass *p, size_t tile, const ter_grid *block, const ter_fluvial_output *from)
{
    const ter_tile *at = &p->tiles[tile];
    const int64_t i0 = block->i > at->i ? block->i : at->i, j0 = block->j > at->j ? block->j : at->j;
    const int64_t block_i1 = block->i + block->width, block_j1 = block->j + block->height;
    const int64_t tile_i1 = at->i + p->layout->width, tile_j1 = at->j + p->layout->height;
    const int64_t i1 = block_i1 < tile_i1 ? block_i1 : tile_i1, j1 = block_j1 < tile_j1 ? block_j1 : tile_j1;
    if (i0 >= i1)
        return;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        for (int64_t j = j0; j < j1 && from->layer[layer]; j++)
            memcpy(p->out->at[layer] + start_of(p, tile) + (size_t)(j - at->j) * p->layout->row_stride +
                       (size_t)(i0 - at->i),
                   from->layer[layer] + (size_t)(j - block->j) * from->stride + (size_t)(i0 - block->i),
                   (size_t)(i1 - i0) * sizeof(float));
}

/** Index of the rectangle that block n is a part of. */
static size_t find_rect(const fluvial_pass *p, int64_t n)
{
    size_t low = 0, high = p->n_rects;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(p->first[middle] <= n ? &low : &high) = middle;
    }
    return low;
}

/** Block n; rect: receives the index of its rectangle */
static ter_grid block_at(const fluvial_pass *p, int64_t n, size_t *rect)
{
    *rect = find_rect(p, n);
    const ter_grid grid = grid_of(&p->rects[*rect].at);
    return ter_blocks_at(&p->blocks[*rect], &grid, n - p->first[*rect]);
}

static bool make_samples(const fluvial_pass *p, ter_fluvial_maker *maker, int64_t n)
{
    size_t k;
    const ter_grid block = block_at(p, n, &k);
    const ter_merged_rect *rect = &p->rects[k];
    const size_t *tiles = p->order + rect->first;
    const bool is_shared = rect->count > 1;
    ter_fluvial_output out = {.stride = 0};
    if (is_shared && !direct_to_memory(p, &block, &maker->merged, &out))
        return false;
    if (!is_shared)
        direct_to_tile(p, tiles[0], &block, &out);
    const ter_window at = window_of(&block);
    const int lod = p->world->levels - rect->at.level;
    const ter_fluvial *f = p->world;
    const ter_fluvial_kernels *kernels = p->cpu->kernels->fluvial;
    if (!(p->cpu->method == TER_METHOD_TILED
              ? ter_fluvial_make_block(maker, kernels, f, lod, at, &out, !is_shared && ter_cpu_is_large(p->layout))
              : ter_fluvial_define_block(maker, kernels, f, lod, at, &out)))
        return false;
    for (size_t t = 0; t < rect->count && is_shared; t++)
        copy_to_tile(p, tiles[t], &block, &out);
    return true;
}

/** Task n: make block n. */
static void make_block(void *user, int thread, int64_t n)
{
    fluvial_pass *p = user;
    if (!atomic_load(&p->is_out_of_memory) && !make_samples(p, &p->cpu->fluvial[thread], n))
        atomic_store(&p->is_out_of_memory, 1);
}

/** Take the next lot. Each thread has a share of consecutive lots, which lie near each other, so that threads make
 * different networks. A thread whose share is done takes lots from other shares. Returns false when no lot is left. */
static bool take_lot(fluvial_pass *p, int thread, size_t *lot)
{
    const int n_threads = ter_team_size(p->cpu->team);
    for (int n = 0; n < n_threads; n++) {
        const int share = (thread + n) % n_threads;
        const long long end = (long long)p->lots.n_lots * (share + 1) / n_threads;
        if (atomic_load(&p->next[share]) >= end)
            continue;
        const long long next = atomic_fetch_add(&p->next[share], 1);
        *lot = (size_t)next;
        if (next < end)
            return true;
    }
    return false;
}

/** A task: make the next lot. */
static void make_lot(void *user, int thread, int64_t n)
{
    fluvial_pass *p = user;
    ter_fluvial_maker *maker = &p->cpu->fluvial[thread];
    size_t k;
    (void)n;
    if (atomic_load(&p->is_out_of_memory) || !take_lot(p, thread, &k))
        return;
    const ter_fluvial_lot *lot = &p->lots.lot[k];
    bool is_made = ter_fluvial_share(maker, p->cpu->kernels->fluvial, p->world, lot->cells, lot->points);
    for (size_t b = 0; b < lot->count && is_made && !ter_is_cancelled(&maker->cancel); b++)
        is_made = make_samples(p, maker, (int64_t)p->lots.order[lot->first + b]);
    if (!is_made)
        atomic_store(&p->is_out_of_memory, 1);
}

bool ter_cpu_fluvial_block(const ter_cpu_state *cpu, int thread, const ter_fluvial *world, int level,
                           const ter_grid *block)
{
    const ter_fluvial_output out = {.layer[TER_LAYER_HEIGHT] = block->at, .stride = block->stride};
    return cpu->fluvial && ter_fluvial_make_block(&cpu->fluvial[thread], cpu->kernels->fluvial, world,
                                                  world->levels - level, window_of(block), &out, false);
}

/** Greatest side of a block, points. A block is so large that its points share most of their ground. Points far apart
 * share nothing, so blocks of coarse levels are small. */
static int block_side(ter_method method, int lod)
{
    if (method == TER_METHOD_SINGLE_PASS)
        return lod < 8 ? 16 : lod < 11 ? 4 : 1;
    static const int sides[TER_OVERVIEW_LOD + 1] = {BLOCK_SIDE_MAX, 2048, 1024, 512, 512, 256, 256, 256, 256, 256, 256};
    static const int sides_recursive[TER_OVERVIEW_LOD + 1] = {
        BLOCK_SIDE_MAX, BLOCK_SIDE_MAX, BLOCK_SIDE_MAX, 2048, 2048, 1024, 1024, 1024, 512, 512, 1024};
    const int known = lod < 0 ? 0 : lod < TER_OVERVIEW_LOD ? lod : (int)TER_OVERVIEW_LOD;
    return method == TER_METHOD_RECURSIVE ? sides_recursive[known] : sides[known];
}

/** Side of the blocks into which a side of an array is cut. Blocks of overviews are equally long. Otherwise merged
 * tiles, which are a little longer than `side`, would be cut into a large and a narrow block, and one thread would do
 * nearly all of the work. */
static int64_t side_of_blocks(int64_t length, int64_t side, int lod)
{
    if (length <= side || lod < TER_OVERVIEW_LOD)
        return length < side ? length : side;
    const int64_t count = (length + side - 1) / side;
    return (length + count - 1) / count;
}

/** Cut an array into blocks with sides of at most `side` points. Blocks are halved, and stay nearly square, until each
 * thread gets one. */
static ter_blocks cut(int64_t side, int lod, const ter_grid *array, int64_t n_arrays, int n_threads)
{
    int64_t width = side_of_blocks(array->width, side, lod), height = side_of_blocks(array->height, side, lod);
    for (;;) {
        const ter_blocks blocks = ter_blocks_cut(array, n_arrays, 1, width, height, 1);
        const int64_t longer = width > height ? width : height;
        if (ter_blocks_count(&blocks) * n_arrays >= n_threads || longer < 2 ||
            ldexp((double)longer, lod) < 2 * BLOCK_M_MIN)
            return blocks;
        if (width > height)
            width /= 2;
        else
            height /= 2;
    }
}

ter_blocks ter_cpu_fluvial_blocks(const ter_cpu_state *cpu, int lod, const ter_grid *array, int64_t n_arrays)
{
    const int side = block_side(TER_METHOD_TILED, lod);
    return cut(side < HELD_SIDE_MAX ? side : HELD_SIDE_MAX, lod, array, n_arrays, ter_team_size(cpu->team));
}

/** Merge the tiles of a call into rectangles, and cut these into blocks. */
static void plan(fluvial_pass *p, size_t count)
{
    enum { SHARED_POINTS_MAX = 1 << 20 };
    const ter_merge_batch batch = {.f = p->world,
                                   .levels = p->world->levels,
                                   .tiles = p->tiles,
                                   .count = count,
                                   .width = p->layout->width,
                                   .height = p->layout->height,
                                   .points_max = SHARED_POINTS_MAX};
    p->n_rects = count;
    if (p->cpu->method == TER_METHOD_TILED)
        p->n_rects = ter_merge_tiles(&batch, p->order, p->rects);
    else
        ter_merge_none(&batch, p->order, p->rects);
    p->first[0] = 0;
    for (size_t n = 0; n < p->n_rects; n++) {
        const ter_grid grid = grid_of(&p->rects[n].at);
        const int lod = p->world->levels - p->rects[n].at.level;
        p->blocks[n] =
            cut(block_side(p->cpu->method, lod), lod, &grid, (int64_t)p->n_rects, ter_team_size(p->cpu->team));
        p->first[n + 1] = p->first[n] + ter_blocks_count(&p->blocks[n]);
    }
}

/** Drop what the blocks of a call have shared: the blocks of the next call may belong to another world. */
static void end_sharing(const fluvial_pass *p)
{
    const ter_window none = {0, 0, 0, 0};
    for (int n = 0; n < ter_team_size(p->cpu->team); n++)
        ter_fluvial_share(&p->cpu->fluvial[n], p->cpu->kernels->fluvial, p->world, none, none);
}

/** Make the blocks of many rectangles in lots. */
static ter_status make_lots(fluvial_pass *p)
{
    const int n_threads = ter_team_size(p->cpu->team);
    const int64_t n_blocks = p->first[p->n_rects];
    ter_lattice *points = calloc((size_t)n_blocks, sizeof *points);
    p->next = calloc((size_t)n_threads, sizeof *p->next);
    ter_status status = points && p->next
                            ? TER_OK
                            : ter_fail(TER_ENOMEM, "no memory for the places of %lld blocks", (long long)n_blocks);
    for (int64_t n = 0; n < n_blocks && status == TER_OK; n++) {
        size_t k;
        const ter_grid block = block_at(p, n, &k);
        points[n] = ter_sample_points(p->world->levels - p->rects[k].at.level, window_of(&block));
    }
    if (status == TER_OK)
        status = ter_fluvial_lots_find(p->cpu, p->world, points, (size_t)n_blocks, &p->lots);
    for (int n = 0; n < n_threads && status == TER_OK; n++)
        atomic_init(&p->next[n], (long long)p->lots.n_lots * n / n_threads);
    if (status == TER_OK) {
        status = ter_cpu_run(p->cpu, (int64_t)p->lots.n_lots, make_lot, p);
        end_sharing(p);
    }
    ter_fluvial_lots_free(&p->lots);
    free(p->next);
    free(points);
    return status;
}

/** Make all blocks. Blocks of a single rectangle are so large that they share little except regions, so they need no
 * lots. */
static ter_status make_blocks(fluvial_pass *p)
{
    ter_status status = p->n_rects > 1 && p->cpu->method == TER_METHOD_TILED && !p->are_overviews
                            ? make_lots(p)
                            : ter_cpu_run(p->cpu, p->first[p->n_rects], make_block, p);
    if (status == TER_OK && atomic_load(&p->is_out_of_memory))
        status = ter_fail(TER_ENOMEM, "no memory for the networks of %lld blocks", (long long)p->first[p->n_rects]);
    return status;
}

/** Fill tiles of which all are overviews, or none is. */
static ter_status fill_one_kind(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                                const ter_tile_layout *layout, const ter_layers *out, bool are_overviews)
{
    fluvial_pass pass = {
        .cpu = cpu, .world = world, .tiles = tiles, .layout = layout, .out = out, .are_overviews = are_overviews};
    ter_status status = TER_OK;
    pass.order = calloc(count, sizeof *pass.order);
    pass.rects = calloc(count, sizeof *pass.rects);
    pass.blocks = calloc(count, sizeof *pass.blocks);
    pass.first = calloc(count + 1, sizeof *pass.first);
    if (!pass.order || !pass.rects || !pass.blocks || !pass.first) {
        status = ter_fail(TER_ENOMEM, "no memory for %zu tiles", count);
    } else {
        plan(&pass, count);
        status = make_blocks(&pass);
    }
    free(pass.order);
    free(pass.rects);
    free(pass.blocks);
    free(pass.first);
    return status;
}

static bool is_overview(const ter_fluvial *world, const ter_tile *tile)
{
    return world->levels - tile->level >= TER_OVERVIEW_LOD;
}

/** Fill only those tiles of a call that are overviews, or only those that are not. */
static ter_status fill_kind(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                            const ter_tile_layout *layout, const ter_layers *out, bool are_overviews)
{
    ter_tile *chosen = malloc(count * sizeof *chosen);
    uint32_t *slots = malloc(count * sizeof *slots);
    ter_tile_layout at_slots = *layout;
    size_t n_chosen = 0;
    for (size_t n = 0; n < count && chosen && slots; n++)
        if (is_overview(world, &tiles[n]) == are_overviews) {
            slots[n_chosen] = layout->slots ? layout->slots[n] : (uint32_t)n;
            chosen[n_chosen++] = tiles[n];
        }
    at_slots.slots = slots;
    const ter_status status = chosen && slots
                                  ? fill_one_kind(cpu, world, chosen, n_chosen, &at_slots, out, are_overviews)
                                  : ter_fail(TER_ENOMEM, "no memory for %zu tiles", count);
    free(chosen);
    free(slots);
    return status;
}

/** Fill layers of the land. */
static ter_status fill_land(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                            const ter_tile_layout *layout, const ter_layers *out)
{
    ter_status status = ter_cpu_fluvial_begin(cpu);
    size_t n_overviews = 0;
    for (size_t n = 0; n < count; n++)
        n_overviews += is_overview(world, &tiles[n]);
    if (status != TER_OK || count == 0)
        return status;
    if (n_overviews == 0 || n_overviews == count)
        return fill_one_kind(cpu, world, tiles, count, layout, out, n_overviews > 0);
    status = fill_kind(cpu, world, tiles, count, layout, out, false);
    return status == TER_OK ? fill_kind(cpu, world, tiles, count, layout, out, true) : status;
}

ter_status ter_cpu_fluvial(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                           const ter_tile_layout *layout, const ter_layers *out)
{
    const ter_layers land = ter_land_of(out);
    const ter_status status = fill_land(cpu, world, tiles, count, layout, &land);
    return status == TER_OK && count > 0 && ter_first_of_climate(out) < TER_LAYER_COUNT
               ? ter_cpu_climate(cpu, world, tiles, count, layout, land.at[TER_LAYER_HEIGHT], out)
               : status;
}

ter_status ter_cpu_fluvial_points(ter_cpu_state *cpu, const ter_fluvial *world, int level, const int64_t (*points)[2],
                                  size_t count, float *out)
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
