/* tile_source_host.c - tiles by way of host memory: where they are made, their upload, and morphs blended there. */
#include <math.h>

#include "fly/tile_source_state.h"

static const ter_tile_layout host_layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};

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

/** Where layers of the host's memory lie from a tile's row on; those that the store does not keep are left out. */
static ter_layers layers_from(const tile_source *s, size_t tile, int row)
{
    const host_batch *b = &s->batch;
    const size_t at = tile * TILE_FLOATS + (size_t)row * TILE_SAMPLES;
    ter_layers out = {.at = {[TER_LAYER_HEIGHT] = b->heights + at}};
    if (s->has_water && ter_world_has_layer(s->land->world, TER_LAYER_WATER)) {
        out.at[TER_LAYER_WATER] = b->water + at;
        out.at[TER_LAYER_FLOW] = b->flow + at;
        out.at[TER_LAYER_SHORE] = b->shore + at;
    }
    return out;
}

/** Rows of a tile that take the CPU some tenths of a second: all of it, but where each sample lies over a network of its own. */
static int rows_at_once(const tile_source *s, int lod)
{
    static const double OWN_M = 2000.0; /* from sample to sample */
    const double step_m = ldexp(ter_world_params(s->land->world)->spacing, lod);
    return !s->has_water || step_m < OWN_M ? TILE_SAMPLES : step_m < 2.0 * OWN_M ? 16 : 2;
}

/** Fill tile n band by band. */
static ter_status fill_in_bands(const tile_source *s, size_t n, int rows)
{
    const ter_tile *tile = &s->batch.tiles[n];
    ter_status status = TER_OK;
    for (int row = 0; row < TILE_SAMPLES && status == TER_OK && !s->is_interrupted(); row += rows) {
        const ter_rect band = {tile->level, tile->i, tile->j + row, TILE_SAMPLES,
                               TILE_SAMPLES - row < rows ? TILE_SAMPLES - row : rows};
        const ter_layers out = layers_from(s, n, row);
        status = out.at[TER_LAYER_WATER]
                     ? ter_generator_fill_layers(s->generator, s->land->world, &band, &out, TILE_SAMPLES)
                     : ter_generator_fill(s->generator, s->land->world, &band, out.at[TER_LAYER_HEIGHT], TILE_SAMPLES);
    }
    return status;
}

/** Fill some tiles from the n-th on, together. */
static ter_status fill_together(const tile_source *s, size_t n, size_t count)
{
    const ter_layers out = layers_from(s, n, 0);
    const ter_tile *tiles = s->batch.tiles + n;
    return out.at[TER_LAYER_WATER]
               ? ter_generator_fill_tiles_layers(s->generator, s->land->world, tiles, count, &host_layout, &out)
               : ter_generator_fill_tiles(s->generator, s->land->world, tiles, count, &host_layout, out.at[TER_LAYER_HEIGHT]);
}

ter_status tile_source_fill_host(tile_source *s)
{
    static const double MOST = 200.0; /* cost of tiles that are filled together: some tenths of a second */
    const host_batch *b = &s->batch;
    ter_status status = TER_OK;
    for (size_t n = 0, count; n < b->count && status == TER_OK && !s->is_interrupted(); n += count) {
        const int rows = rows_at_once(s, b->keys[n].lod);
        double cost = 0.0;
        for (count = 0; n + count < b->count && rows_at_once(s, b->keys[n + count].lod) == TILE_SAMPLES; count++) {
            cost += tile_source_cost(s, b->keys[n + count].lod);
            if (count > 0 && cost > MOST)
                break;
        }
        status = count > 0 ? fill_together(s, n, count) : fill_in_bands(s, n, rows);
        count = count > 0 ? count : 1;
    }
    s->is_given_up = s->is_interrupted();
    return status;
}

/** Upload tile n of the host's memory. */
static void upload(tile_source *s, uint32_t slot, size_t n)
{
    const bool has_water = s->has_water && landscape_drains(s->land);
    tile_store_upload(s->store, slot, s->batch.heights + n * TILE_FLOATS, has_water ? s->batch.water + n * TILE_FLOATS : NULL);
}

/** Tell the pool how low and high a tile in host memory reaches: the GPU would say so some frames later, when much that nobody can
 * see has been asked for. */
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

ter_status tile_source_blend_through_host(tile_source *s, size_t count)
{
    const bool has_water = s->has_water && landscape_drains(s->land);
    const ter_layers out = {.at = {[TER_LAYER_HEIGHT] = s->batch.heights, [TER_LAYER_WATER] = has_water ? s->batch.water : NULL}};
    ter_status status = TER_OK;
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        const ter_morph_tiles tiles = {tile_source_level(s->land->world, 0), s->tiles + first, s->held + first, n};
        status = ter_morph_blend_layers_host(s->morph, &s->land->blend, &tiles, &out);
        for (size_t k = 0; k < n && status == TER_OK; k++)
            upload(s, s->held[first + k], k);
    }
    return status;
}
