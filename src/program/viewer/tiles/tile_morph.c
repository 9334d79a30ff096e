/* tile_morph.c - lists the tiles of a morph, loads and blends them. */
#include "program/viewer/tiles/tile_morph.h"

#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

result tile_morph_create(tile_morph *m, tile_maker *maker, size_t n_slots)
{
    *m = (tile_morph){.maker = maker, .n_slots = n_slots};
    m->slots = calloc(n_slots, sizeof *m->slots);
    m->keys = calloc(n_slots, sizeof *m->keys);
    m->tiles = calloc(n_slots, sizeof *m->tiles);
    m->is_prepared = calloc(n_slots, sizeof *m->is_prepared);
    m->lacks_cover = calloc(n_slots, sizeof *m->lacks_cover);
    m->phases = calloc(n_slots, sizeof *m->phases);
    return m->slots && m->keys && m->tiles && m->is_prepared && m->lacks_cover && m->phases
               ? result_done()
               : result_of(RESULT_FAILED, "out of memory");
}

void tile_morph_destroy(tile_morph *m)
{
    ter_morph_destroy(m->morph);
    ter_generator_destroy(m->next_generator);
    free(m->slots);
    free(m->keys);
    free(m->tiles);
    free(m->is_prepared);
    free(m->lacks_cover);
    free(m->phases);
}

result tile_morph_reserve(tile_morph *m)
{
    const tile_maker *maker = m->maker;
    const ter_generator_options options = {TER_SIZED(ter_generator_options),
                                           .backend = ter_generator_backend(maker->generator), .threads = 1};
    const ter_morph_options size = {TER_SIZED(ter_morph_options), m->n_slots, TILE_SAMPLES, TILE_SAMPLES,
                                    maker->has_water};
    ter_status status = TER_OK;
    if (m->morph)
        return result_done();
    if (tile_maker_is_shared(maker) && !m->next_generator)
        status = ter_generator_create(&options, &m->next_generator);
    if (status == TER_OK)
        status = ter_morph_create(maker->generator, &size, &m->morph);
    return result_of_library(status, "morph");
}

void tile_morph_forget_slot(tile_morph *m, uint32_t slot)
{
    m->is_prepared[slot] = m->lacks_cover[slot] = false;
    m->phases[slot] = TER_BLEND_WITHIN; /* so the next blend of a morph writes the slot */
}

/* ---- loading ---- */

/** Load tiles in the target world of the running or awaited morph. */
static ter_status load_next(tile_morph *m, tile_list tiles)
{
    const landscape *land = m->maker->land;
    const ter_world *next = land->next ? land->next : m->next;
    ter_generator *generator = m->next_generator ? m->next_generator : m->maker->generator;
    const int shift = ter_world_params(next)->levels - ter_world_params(land->world)->levels;
    ter_status status = TER_OK;
    for (size_t first = 0; first < tiles.count && status == TER_OK; first += TILE_BATCH_MAX) {
        ter_tile shifted[TILE_BATCH_MAX];
        const size_t n = tiles.count - first < TILE_BATCH_MAX ? tiles.count - first : TILE_BATCH_MAX;
        for (size_t k = 0; k < n; k++) {
            const ter_tile *tile = &tiles.tiles[first + k];
            shifted[k] = (ter_tile){tile->level + shift, tile->i, tile->j};
        }
        const ter_morph_source source = {TER_SIZED(ter_morph_source),
                                         .landscape = 1,
                                         .world = next,
                                         .held = tiles.slots + first,
                                         .count = n,
                                         .tiles = shifted,
                                         .generator = generator,
                                         .cuda_stream = ter_generator_stream(generator)};
        status = ter_morph_load(m->morph, &source);
    }
    return status;
}

ter_status tile_morph_wait(const tile_morph *m)
{
    ter_generator *generator = m->maker->generator;
    ter_status status = TER_OK;
    if (tile_maker_is_shared(m->maker))
        status = ter_generator_wait(generator, ter_generator_stream(generator));
    if (m->next_generator && status == TER_OK)
        status = ter_generator_wait(m->next_generator, ter_generator_stream(m->next_generator));
    return status;
}

ter_status tile_morph_load(tile_morph *m, tile_list tiles)
{
    ter_generator *generator = m->maker->generator;
    const ter_morph_source source = {TER_SIZED(ter_morph_source), .world = m->maker->land->world,
                                     .held = tiles.slots,         .count = tiles.count,
                                     .tiles = tiles.tiles,        .cuda_stream = ter_generator_stream(generator)};
    ter_status status = ter_morph_load(m->morph, &source);
    if (status == TER_OK)
        status = load_next(m, tiles);
    return status == TER_OK ? tile_morph_wait(m) : status;
}

/** Whether a morph takes the heights of the first world from the store when it begins, because the generator can read
 * them there. */
static bool takes_shown(const tile_morph *m)
{
    return tile_maker_is_shared(m->maker) || ter_generator_backend(m->maker->generator) == TER_BACKEND_CPU;
}

ter_status tile_morph_prepare(tile_morph *m, tile_list tiles)
{
    return takes_shown(m) ? load_next(m, tiles) : tile_morph_load(m, tiles);
}

/* ---- before a morph ---- */

void tile_morph_await(tile_morph *m, const ter_world *next)
{
    m->next = next;
    memset(m->is_prepared, 0, m->n_slots * sizeof *m->is_prepared);
}

bool tile_morph_is_prepared(const tile_morph *m, uint64_t frame)
{
    const size_t count = tile_store_list(m->maker->store, m->slots, m->keys);
    for (size_t n = 0; n < count; n++)
        if (!m->is_prepared[m->slots[n]] && tile_pool_is_used(m->maker->pool, m->slots[n], frame))
            return false;
    return true;
}

double tile_morph_share_prepared(const tile_morph *m, uint64_t frame)
{
    const size_t count = tile_store_list(m->maker->store, m->slots, m->keys);
    double all = 0.0, done = 0.0;
    for (size_t n = 0; n < count; n++)
        if (tile_pool_is_used(m->maker->pool, m->slots[n], frame)) {
            const double cost = tile_queue_cost(m->maker->queue, m->keys[n].lod);
            all += cost;
            done += m->is_prepared[m->slots[n]] ? cost : 0.0;
        }
    return all > 0.0 ? done / all : 1.0;
}

/** Move the first listed tile, and listed tiles of its level near it, to a batch until the batch costs `limit`. */
static void take_neighbours(tile_morph *m, tile_batch *b, size_t *count, double *cost, double limit)
{
    enum { NEAR = 8 }; /* distance within which tiles share a drainage network, in tiles */
    const tile_key first = m->keys[0];
    for (size_t n = 0; n < *count && b->count < TILE_BATCH_MAX && *cost < limit;) {
        const tile_key key = m->keys[n];
        if (key.lod != first.lod || llabs(key.i - first.i) > NEAR || llabs(key.j - first.j) > NEAR) {
            n++;
            continue;
        }
        b->slots[b->count] = m->slots[n];
        b->keys[b->count] = key;
        b->tiles[b->count++] = tile_maker_tile(m->maker, key);
        *cost += tile_queue_cost(m->maker->queue, key.lod);
        --*count;
        m->slots[n] = m->slots[*count];
        m->keys[n] = m->keys[*count];
    }
}

static void swap_listed(tile_morph *m, size_t a, size_t b)
{
    const uint32_t slot = m->slots[a];
    const tile_key key = m->keys[a];
    m->slots[a] = m->slots[b];
    m->keys[a] = m->keys[b];
    m->slots[b] = slot;
    m->keys[b] = key;
}

void tile_morph_take_loaded(tile_morph *m, tile_batch *b, batch_kind kind, double limit, uint64_t frame)
{
    const size_t n_listed = tile_store_list(m->maker->store, m->slots, m->keys);
    size_t count = 0, n_wanted = 0;
    double cost = 0.0;
    b->count = 0;
    b->kind = kind;
    for (size_t n = 0; n < n_listed; n++) {
        const uint32_t slot = m->slots[n];
        const bool is_wanted = kind == BATCH_PREPARED ? !m->is_prepared[slot] : m->lacks_cover[slot];
        n_wanted += is_wanted;
        if (is_wanted && tile_pool_is_used(m->maker->pool, slot, frame))
            swap_listed(m, n, count++);
    }
    m->has_uncovered &= kind != BATCH_RIVERS || n_wanted > 0;
    while (count > 0 && b->count < TILE_BATCH_MAX && cost < limit) {
        for (size_t n = 1; n < count; n++)
            if (m->keys[n].lod > m->keys[0].lod)
                swap_listed(m, n, 0);
        take_neighbours(m, b, &count, &cost, limit);
    }
}

/* ---- in a morph ---- */

static void vacate(void *user, uint32_t slot)
{
    tile_store_vacate(user, slot);
}

/** Whether tiles in the store equal the result of a blend where the morph's front has not arrived. They differ if the
 * first world is dry and the second is not, because then slots have no water. */
static bool is_shown_unblended(const tile_maker *maker)
{
    return !tile_maker_has_rivers(maker) || ter_world_has_layer(maker->land->world, TER_LAYER_WATER);
}

/** List all loaded tiles. Returns how many. */
static size_t list_all(tile_morph *m)
{
    const size_t count = tile_store_list(m->maker->store, m->slots, m->keys);
    for (size_t n = 0; n < count; n++)
        m->tiles[n] = tile_maker_tile(m->maker, m->keys[n]);
    return count;
}

result tile_morph_begin(tile_morph *m, const tile_maker_table *table, uint64_t frame)
{
    tile_maker *maker = m->maker;
    const result res = tile_morph_reserve(m);
    if (res.kind != RESULT_DONE)
        return res;
    tile_pool_drop_unused(maker->pool, frame, vacate, maker->store);
    tile_pool_forget_bounds(maker->pool);
    tile_store_set_changing(maker->store, true);
    const size_t count = list_all(m);
    const ter_blend_phase shown = is_shown_unblended(maker) ? TER_BLEND_BEFORE : TER_BLEND_WITHIN;
    for (size_t n = 0; n < m->n_slots; n++)
        m->phases[n] = shown;
    ter_status status = TER_OK;
    if (takes_shown(m))
        status = table->load_shown(maker, m->morph, (tile_list){m->tiles, m->slots, count});
    size_t n_left = 0;
    for (size_t n = 0; n < count; n++)
        if (!m->next || !m->is_prepared[m->slots[n]]) {
            m->tiles[n_left] = m->tiles[n];
            m->slots[n_left++] = m->slots[n];
        }
    m->is_morphing = true;
    m->next = NULL;
    if (status == TER_OK)
        status = tile_morph_prepare(m, (tile_list){m->tiles, m->slots, n_left});
    if (status == TER_OK)
        status = tile_morph_wait(m);
    return result_of_library(status, "morph");
}

/** Whether a blend would change a slot. Records the new phase of the slot. */
static bool is_changed(tile_morph *m, uint32_t slot, const ter_tile *tile)
{
    const landscape *land = m->maker->land;
    const ter_rect rect = {tile->level, tile->i, tile->j, TILE_SAMPLES, TILE_SAMPLES};
    ter_blend_phase phase;
    if (ter_blend_phase_over(&land->blend, ter_world_params(land->world)->levels, &rect, &phase) != TER_OK)
        phase = TER_BLEND_WITHIN; /* the blend will return the error */
    const bool is_same = phase != TER_BLEND_WITHIN && phase == m->phases[slot];
    m->phases[slot] = phase;
    return !is_same;
}

/** List the tiles that the blend changes: those used in *frame, or all if frame is NULL. Returns how many. After them,
 * *n_final hidden tiles are listed that are blended to the end of the morph now. */
static size_t list_changed(tile_morph *m, const uint64_t *frame, size_t *n_final)
{
    enum { FINAL_MOST = 64 };
    uint32_t slots[FINAL_MOST] = {0};
    ter_tile tiles[FINAL_MOST] = {{0}};
    const tile_maker *maker = m->maker;
    const size_t n_listed = tile_store_list(maker->store, m->slots, m->keys),
                 final_most = tile_maker_is_shared(maker) && !maker->land->is_returning ? FINAL_MOST : 0;
    size_t count = 0;
    *n_final = 0;
    for (size_t n = 0; n < n_listed; n++) {
        const uint32_t slot = m->slots[n];
        const ter_tile tile = tile_maker_tile(maker, m->keys[n]);
        if (frame && !tile_pool_is_used(maker->pool, slot, *frame)) {
            if (*n_final == final_most || m->phases[slot] == TER_BLEND_AFTER)
                continue;
            m->phases[slot] = TER_BLEND_AFTER;
            slots[*n_final] = slot;
            tiles[(*n_final)++] = tile;
        } else if (is_changed(m, slot, &tile)) {
            m->slots[count] = slot;
            m->tiles[count++] = tile;
        }
    }
    memcpy(m->slots + count, slots, *n_final * sizeof *slots);
    memcpy(m->tiles + count, tiles, *n_final * sizeof *tiles);
    return count;
}

ter_status tile_morph_blend(tile_morph *m, const tile_maker_table *table, const uint64_t *frame)
{
    size_t n_final;
    const size_t count = list_changed(m, frame, &n_final);
    return table->blend(m->maker, m->morph, (tile_list){m->tiles, m->slots, count},
                        (tile_list){m->tiles + count, m->slots + count, n_final});
}

void tile_morph_end(tile_morph *m)
{
    m->is_morphing = false;
    tile_store_set_changing(m->maker->store, false);
    m->has_uncovered = tile_maker_has_rivers(m->maker);
    memset(m->lacks_cover, m->has_uncovered, m->n_slots * sizeof *m->lacks_cover);
}
