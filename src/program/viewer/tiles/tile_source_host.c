/* tile_source_host.c - tiles by way of host memory: where they are made, their upload, and morphs blended there. */
#include <math.h>

#include "program/viewer/tiles/tile_source_state.h"

static const tile_layout host_layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};

outcome tile_source_reserve_host(tile_source *s)
{
    const size_t bytes = (size_t)SHARED_BATCH * TILE_FLOATS * sizeof(float);
    float **const layers[ARRIVAL_LAYERS] = {&s->batch.heights, &s->batch.water, &s->batch.flow, &s->batch.shore};
    for (int n = 0; n < (s->has_water ? ARRIVAL_LAYERS : 1); n++)
        if (ter_host_memory_create(s->generator, bytes, (void **)layers[n]) != TER_OK) {
            *layers[n] = NULL;
            return outcome_of(OUTCOME_FAILED, "no memory for the tile worker");
        }
    return outcome_done();
}

/** Fill some tiles from the n-th on: all rows, or a band of those of one. */
static ter_status fill(const tile_source *s, size_t n, size_t count, int row, int rows)
{
    const host_batch *b = &s->batch;
    const ter_world *world = s->land->world;
    const size_t at = n * TILE_FLOATS + (size_t)row * TILE_SAMPLES;
    const ter_tile band = {b->tiles[n].level, b->tiles[n].i, b->tiles[n].j + row},
                   *tiles = row > 0 ? &band : b->tiles + n;
    tile_layout layout = host_layout;
    layout.height = rows;
    if (!s->has_water || !ter_world_has_layer(world, TER_LAYER_WATER))
        return fill_tiles(s->generator, world, (tile_span){tiles, count}, &layout,
                          &(layer_arrays){.at = {[TER_LAYER_HEIGHT] = b->heights + at}});
    const layer_arrays layers = {.at = {[TER_LAYER_HEIGHT] = b->heights + at,
                                        [TER_LAYER_WATER] = b->water + at,
                                        [TER_LAYER_FLOW] = b->flow + at,
                                        [TER_LAYER_SHORE] = b->shore + at}};
    return fill_tiles(s->generator, world, (tile_span){tiles, count}, &layout, &layers);
}

/** Rows of a tile that take the CPU some tenths of a second: all of it, but where each sample lies over a network of
 * its own. */
static int rows_at_once(const tile_source *s, size_t n)
{
    static const double OWN_M = 2000.0; /* from sample to sample */
    const double step_m = ldexp(ter_world_params(s->land->world)->spacing, s->batch.keys[n].lod);
    return !s->has_water || step_m < OWN_M ? TILE_SAMPLES : step_m < 2.0 * OWN_M ? 16 : 2;
}

/** How many tiles from the n-th on take together as long as that; one at least. */
static size_t tiles_at_once(const tile_source *s, size_t n)
{
    static const double MOST = 200.0; /* what they cost */
    size_t count = 1;
    double cost = tile_source_cost(s, s->batch.keys[n].lod);
    while (n + count < s->batch.count && rows_at_once(s, n) == TILE_SAMPLES &&
           rows_at_once(s, n + count) == TILE_SAMPLES) {
        cost += tile_source_cost(s, s->batch.keys[n + count].lod);
        if (cost > MOST)
            break;
        count++;
    }
    return count;
}

ter_status tile_source_fill_host(tile_source *s)
{
    ter_status status = TER_OK;
    for (size_t n = 0, count; n < s->batch.count; n += count) {
        const int rows = rows_at_once(s, n);
        count = tiles_at_once(s, n);
        for (int row = 0; row < TILE_SAMPLES && status == TER_OK && !s->is_interrupted(); row += rows)
            status = fill(s, n, count, row, TILE_SAMPLES - row < rows ? TILE_SAMPLES - row : rows);
    }
    return status;
}

/** Upload tile n of the host's memory. */
static void upload(tile_source *s, uint32_t slot, size_t n)
{
    const bool has_water = s->has_water && landscape_drains(s->land);
    tile_store_upload(s->store, slot, s->batch.heights + n * TILE_FLOATS,
                      has_water ? s->batch.water + n * TILE_FLOATS : NULL);
}

/** Tell the pool how low and high a tile in host memory reaches: the GPU would say so some frames later, when much that
 * nobody can see has been asked for. */
static void note_bounds(tile_source *s, uint32_t slot, const float *tile)
{
    float low = INFINITY, high = -INFINITY;
    for (int j = TILE_APRON; j <= TILE_APRON + TILE_QUADS; j++)
        for (int i = TILE_APRON; i <= TILE_APRON + TILE_QUADS; i++) {
            low = fminf(low, tile[j * TILE_SAMPLES + i]);
            high = fmaxf(high, tile[j * TILE_SAMPLES + i]);
        }
    tile_pool_set_bounds(s->pool, slot, low, high);
}

void tile_source_upload(tile_source *s)
{
    const bool has_rivers = s->has_water && landscape_drains(s->land);
    for (size_t n = 0; n < s->batch.count; n++) {
        upload(s, s->batch.slots[n], n);
        note_bounds(s, s->batch.slots[n], s->batch.heights + n * TILE_FLOATS);
        if (has_rivers)
            tile_store_upload_rivers(s->store, n, s->batch.flow + n * TILE_FLOATS, s->batch.shore + n * TILE_FLOATS);
    }
    if (has_rivers)
        tile_source_find_rivers(s);
}

ter_status tile_source_take_stored(tile_source *s, size_t count)
{
    const layer_arrays in = {.at = {[TER_LAYER_HEIGHT] = s->batch.heights, [TER_LAYER_WATER] = s->batch.water}};
    ter_output outputs[TER_LAYER_COUNT];
    const ter_target made = fill_target(outputs, fill_outputs(&in, outputs), &host_layout);
    ter_status status = TER_OK;
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        for (size_t k = 0; k < n; k++)
            tile_store_read(s->store, s->held[first + k], s->batch.heights + k * TILE_FLOATS,
                            s->has_water ? s->batch.water + k * TILE_FLOATS : NULL);
        const ter_morph_source stored = {TER_SIZED(ter_morph_source), .world = s->land->world, .held = s->held + first,
                                         .count = n, .made = &made};
        status = ter_morph_load(s->morph, &stored);
    }
    return status;
}

ter_status tile_source_blend_through_host(tile_source *s, size_t count)
{
    const bool has_water = s->has_water && landscape_drains(s->land);
    const layer_arrays out = {
        .at = {[TER_LAYER_HEIGHT] = s->batch.heights, [TER_LAYER_WATER] = has_water ? s->batch.water : NULL}};
    ter_output outputs[TER_LAYER_COUNT];
    const ter_target target = fill_target(outputs, fill_outputs(&out, outputs), &host_layout);
    ter_status status = TER_OK;
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        const ter_morph_tiles tiles = {TER_SIZED(ter_morph_tiles), tile_source_level(s->land->world, 0),
                                       s->tiles + first, s->held + first, n};
        status = ter_morph_blend(s->morph, &s->land->blend, &tiles, &target);
        for (size_t k = 0; k < n && status == TER_OK; k++)
            upload(s, s->held[first + k], k);
    }
    return status;
}
