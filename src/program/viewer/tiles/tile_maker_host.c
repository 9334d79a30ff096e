/* tile_maker_host.c - makes tiles in host memory and uploads them; also blends morphs in host memory. */
#include "program/viewer/tiles/tile_maker_host.h"

#include <math.h>

static const tile_layout host_layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};

result tile_maker_reserve_host(tile_maker *m)
{
    const size_t bytes = (size_t)TILE_BATCH_MAX * TILE_FLOATS * sizeof(float);
    for (int n = 0; n < (m->has_water ? STAGING_LAYERS : 1); n++)
        if (ter_host_memory_create(m->generator, bytes, (void **)&m->host[n]) != TER_OK) {
            m->host[n] = NULL;
            return result_of(RESULT_FAILED, "no memory for the tile worker");
        }
    return result_done();
}

void tile_maker_release_host(tile_maker *m)
{
    for (int n = 0; n < STAGING_LAYERS; n++) {
        ter_host_memory_destroy(m->generator, m->host[n]);
        m->host[n] = NULL;
    }
}

static result do_nothing(tile_maker *m)
{
    (void)m;
    return result_done();
}

/* ---- making ---- */

/** Make `count` tiles of a batch from the first one on. */
static ter_status make_part(const tile_maker *m, const tile_batch *b, size_t first, size_t count)
{
    const size_t at = first * TILE_FLOATS;
    const tile_span tiles = {b->tiles + first, count};
    float *staging[STAGING_LAYERS] = {NULL};
    for (int n = 0; n < STAGING_LAYERS && m->host[n]; n++)
        staging[n] = m->host[n] + at;
    const layer_arrays layers = tile_maker_layers(m, staging);
    return fill_tiles(m->generator, m->land->world, tiles, &host_layout, &layers);
}

/** Number of tiles from the n-th on that the CPU makes within some tenths of a second; at least one. */
static size_t tiles_at_once(const tile_maker *m, const tile_batch *b, size_t n)
{
    static const double COST_MOST = 1400.0;
    size_t count = 1;
    double cost = tile_queue_cost(m->queue, b->keys[n].lod);
    while (n + count < b->count) {
        cost += tile_queue_cost(m->queue, b->keys[n + count].lod);
        if (cost > COST_MOST)
            break;
        count++;
    }
    return count;
}

static ter_status make(tile_maker *m, const tile_batch *b)
{
    ter_status status = TER_OK;
    for (size_t n = 0, count; n < b->count && status == TER_OK && !m->is_interrupted(); n += count) {
        count = tiles_at_once(m, b, n);
        status = make_part(m, b, n, count);
    }
    return status;
}

/* ---- uploading ---- */

/** Upload tile n of host memory. */
static void upload(tile_maker *m, uint32_t slot, size_t n)
{
    tile_store_upload(m->store, slot, m->host[STAGING_HEIGHT] + n * TILE_FLOATS,
                      tile_maker_has_rivers(m) ? m->host[STAGING_WATER] + n * TILE_FLOATS : NULL);
}

/** Set a tile's lowest and highest sample in the pool from host memory. The GPU measures them, too, but some frames
 * later; until then many hidden tiles would be requested. */
static void note_bounds(tile_maker *m, uint32_t slot, const float *tile)
{
    float low = INFINITY, high = -INFINITY;
    for (int j = TILE_APRON; j <= TILE_APRON + TILE_QUADS; j++)
        for (int i = TILE_APRON; i <= TILE_APRON + TILE_QUADS; i++) {
            low = fminf(low, tile[j * TILE_SAMPLES + i]);
            high = fmaxf(high, tile[j * TILE_SAMPLES + i]);
        }
    tile_pool_set_bounds(m->pool, slot, low, high);
}

static void take(tile_maker *m, const tile_batch *b)
{
    const bool has_rivers = tile_maker_has_rivers(m);
    for (size_t n = 0; n < b->count; n++) {
        upload(m, b->slots[n], n);
        note_bounds(m, b->slots[n], m->host[STAGING_HEIGHT] + n * TILE_FLOATS);
        if (has_rivers)
            for (int layer = STAGING_FLOW; layer < STAGING_LAYERS; layer++)
                tile_store_upload_staging(m->store, layer, n, m->host[layer] + n * TILE_FLOATS);
    }
    if (has_rivers)
        tile_maker_find_rivers(m, b);
}

/* ---- morphs ---- */

static size_t part_of(size_t count, size_t first)
{
    return count - first < TILE_BATCH_MAX ? count - first : TILE_BATCH_MAX;
}

static ter_status load_shown(tile_maker *m, ter_morph *morph, tile_list tiles)
{
    const layer_arrays in = {
        .at = {[TER_LAYER_HEIGHT] = m->host[STAGING_HEIGHT], [TER_LAYER_WATER] = m->host[STAGING_WATER]}};
    ter_output outputs[TER_LAYER_COUNT];
    const ter_target made = fill_target(outputs, fill_outputs(&in, outputs), &host_layout);
    ter_status status = TER_OK;
    for (size_t first = 0; first < tiles.count && status == TER_OK; first += TILE_BATCH_MAX) {
        const size_t n = part_of(tiles.count, first);
        for (size_t k = 0; k < n; k++)
            tile_store_read(m->store, tiles.slots[first + k], m->host[STAGING_HEIGHT] + k * TILE_FLOATS,
                            m->has_water ? m->host[STAGING_WATER] + k * TILE_FLOATS : NULL);
        const ter_morph_source stored = {TER_SIZED(ter_morph_source), .world = m->land->world,
                                         .held = tiles.slots + first, .count = n, .made = &made};
        status = ter_morph_load(morph, &stored);
    }
    return status;
}

static ter_status blend(tile_maker *m, ter_morph *morph, tile_list tiles, tile_list final)
{
    const layer_arrays out = {.at = {[TER_LAYER_HEIGHT] = m->host[STAGING_HEIGHT],
                                     [TER_LAYER_WATER] = tile_maker_has_rivers(m) ? m->host[STAGING_WATER] : NULL}};
    ter_output outputs[TER_LAYER_COUNT];
    const ter_target target = fill_target(outputs, fill_outputs(&out, outputs), &host_layout);
    ter_status status = TER_OK;
    (void) final; /* hidden tiles are blended at the end of the morph */
    for (size_t first = 0; first < tiles.count && status == TER_OK; first += TILE_BATCH_MAX) {
        const size_t n = part_of(tiles.count, first);
        const ter_morph_tiles part = {TER_SIZED(ter_morph_tiles), ter_world_params(m->land->world)->levels,
                                      tiles.tiles + first, tiles.slots + first, n};
        status = ter_morph_blend(morph, &m->land->blend, &part, &target);
        for (size_t k = 0; k < n && status == TER_OK; k++)
            upload(m, tiles.slots[first + k], k);
    }
    return status;
}

const tile_maker_table tile_maker_host = {
    .begin = do_nothing, .make = make, .end = do_nothing, .take = take, .load_shown = load_shown, .blend = blend};
