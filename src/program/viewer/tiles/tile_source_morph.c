/* tile_source_morph.c - tiles that hold two worlds. */
#include <stdlib.h>
#include <string.h>

#include "program/viewer/tiles/tile_source_state.h"

/** List the tiles that are there. Returns how many. */
static size_t list_all(tile_source *s)
{
    const size_t count = tile_store_list(s->store, s->held, s->keys);
    for (size_t n = 0; n < count; n++)
        s->tiles[n] = tile_source_tile(s, s->keys[n]);
    return count;
}

/** Fill slots with heights of the world that the landscape becomes. */
static ter_status load_next(tile_source *s, const ter_tile *tiles, const uint32_t *held, size_t count)
{
    const ter_world *next = s->land->next ? s->land->next : s->coming;
    ter_generator *generator = s->other ? s->other : s->generator;
    ter_status status = TER_OK;
    const int shift = tile_source_level(next, 0) - tile_source_level(s->land->world, 0);
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        ter_tile other[SHARED_BATCH];
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        for (size_t k = 0; k < n; k++)
            other[k] = (ter_tile){tiles[first + k].level + shift, tiles[first + k].i, tiles[first + k].j};
        const ter_morph_source source = {TER_SIZED(ter_morph_source),
                                         .landscape = 1,
                                         .world = next,
                                         .held = held + first,
                                         .count = n,
                                         .tiles = other,
                                         .generator = generator,
                                         .cuda_stream = ter_generator_stream(generator)};
        status = ter_morph_load(s->morph, &source);
    }
    return status;
}

ter_status tile_source_wait(tile_source *s)
{
    ter_status status = TER_OK;
    if (s->shared)
        status = ter_generator_wait(s->generator, ter_generator_stream(s->generator));
    if (s->other && status == TER_OK)
        status = ter_generator_wait(s->other, ter_generator_stream(s->other));
    return status;
}

ter_status tile_source_load_morph(tile_source *s, const ter_tile *tiles, const uint32_t *held, size_t count)
{
    const ter_morph_source source = {TER_SIZED(ter_morph_source),
                                     .world = s->land->world,
                                     .held = held,
                                     .count = count,
                                     .tiles = tiles,
                                     .cuda_stream = ter_generator_stream(s->generator)};
    ter_status status = ter_morph_load(s->morph, &source);
    if (status == TER_OK)
        status = load_next(s, tiles, held, count);
    return status == TER_OK ? tile_source_wait(s) : status;
}

/** Whether a morph takes the first world's heights from the store when it begins: they lie where its generator can read
 * them. */
static bool takes_shown(const tile_source *s)
{
    return s->shared || ter_generator_backend(s->generator) == TER_BACKEND_CPU;
}

/** Let the morph take the first world's heights of all tiles, `count` of them, listed. */
static ter_status take_shown(tile_source *s, size_t count)
{
    return s->shared ? tile_source_take_shown(s, count) : takes_shown(s) ? tile_source_take_stored(s, count) : TER_OK;
}

ter_status tile_source_load_coming(tile_source *s, const ter_tile *tiles, const uint32_t *held, size_t count)
{
    return takes_shown(s) ? load_next(s, tiles, held, count) : tile_source_load_morph(s, tiles, held, count);
}

/** Take listed tiles of one level of detail near the first of them, until they cost `most`; they are listed no more. */
static void take_neighbours(tile_source *s, size_t *count, double *cost, double most)
{
    enum { NEAR = 8 }; /* tiles: so far they share a network */
    host_batch *b = &s->batch;
    const tile_key first = s->keys[0];
    for (size_t n = 0; n < *count && b->count < SHARED_BATCH && *cost < most;) {
        const tile_key key = s->keys[n];
        if (key.lod != first.lod || llabs(key.i - first.i) > NEAR || llabs(key.j - first.j) > NEAR) {
            n++;
            continue;
        }
        b->slots[b->count] = s->held[n];
        b->keys[b->count] = key;
        b->tiles[b->count++] = tile_source_tile(s, key);
        *cost += tile_source_cost(s, key.lod);
        --*count;
        s->held[n] = s->held[*count];
        s->keys[n] = s->keys[*count];
    }
}

static void swap_listed(tile_source *s, size_t a, size_t b)
{
    const uint32_t slot = s->held[a];
    const tile_key key = s->keys[a];
    s->held[a] = s->held[b];
    s->keys[a] = s->keys[b];
    s->held[b] = slot;
    s->keys[b] = key;
}

void tile_source_take_held(tile_source *s, batch_kind kind, double most, uint64_t frame)
{
    const size_t n_held = tile_store_list(s->store, s->held, s->keys);
    size_t count = 0, n_wanted = 0;
    double cost = 0.0;
    s->batch.count = 0;
    s->batch.kind = kind;
    for (size_t n = 0; n < n_held; n++) {
        const uint32_t slot = s->held[n];
        const bool is_wanted = kind == BATCH_PREPARED ? !s->prepared[slot] : s->bare[slot];
        n_wanted += is_wanted;
        if (is_wanted && tile_pool_is_used(s->pool, slot, frame))
            swap_listed(s, n, count++);
    }
    s->has_bare &= kind != BATCH_RIVERS || n_wanted > 0;
    while (count > 0 && s->batch.count < SHARED_BATCH && cost < most) {
        for (size_t n = 1; n < count; n++)
            if (s->keys[n].lod > s->keys[0].lod)
                swap_listed(s, n, 0);
        take_neighbours(s, &count, &cost, most);
    }
}

static void vacate(void *user, uint32_t slot)
{
    tile_store_vacate(user, slot);
}

outcome tile_source_prepare_morphs(tile_source *s)
{
    if (s->morph)
        return outcome_done();
    const outcome o = tile_source_settle(s);
    if (o.kind != OUTCOME_DONE)
        return o;
    const ter_generator_options options = {TER_SIZED(ter_generator_options),
                                           .backend = ter_generator_backend(s->generator), .threads = 1};
    const ter_morph_options size = {TER_SIZED(ter_morph_options), s->n_slots, TILE_SAMPLES, TILE_SAMPLES, s->has_water};
    ter_status status = s->shared && !s->other ? ter_generator_create(&options, &s->other) : TER_OK;
    if (status == TER_OK)
        status = ter_morph_create(s->generator, &size, &s->morph);
    return outcome_of_library(status, "morph");
}

void tile_source_await_morph(tile_source *s, const ter_world *coming)
{
    s->coming = coming;
    memset(s->prepared, 0, s->n_slots * sizeof *s->prepared);
}

bool tile_source_is_prepared(const tile_source *s, uint64_t frame)
{
    const size_t count = tile_store_list(s->store, s->held, s->keys);
    for (size_t n = 0; n < count; n++)
        if (!s->prepared[s->held[n]] && tile_pool_is_used(s->pool, s->held[n], frame))
            return false;
    return true;
}

double tile_source_share_prepared(const tile_source *s, uint64_t frame)
{
    const size_t count = tile_store_list(s->store, s->held, s->keys);
    double all = 0.0, done = 0.0;
    for (size_t n = 0; n < count; n++)
        if (tile_pool_is_used(s->pool, s->held[n], frame)) {
            const double cost = tile_source_cost(s, s->keys[n].lod);
            all += cost;
            done += s->prepared[s->held[n]] ? cost : 0.0;
        }
    return all > 0.0 ? done / all : 1.0;
}

/** Whether the store shows the first world as a blend before the front does: slots of a dry world hold no water yet. */
static bool is_shown_as_it_is(const tile_source *s)
{
    return !s->has_water || !landscape_drains(s->land) || ter_world_has_layer(s->land->world, TER_LAYER_WATER);
}

outcome tile_source_begin_morph(tile_source *s, uint64_t frame)
{
    const outcome o = tile_source_prepare_morphs(s);
    if (o.kind != OUTCOME_DONE)
        return o;
    tile_pool_drop_unused(s->pool, frame, vacate, s->store);
    tile_pool_forget_bounds(s->pool);
    tile_store_set_changing(s->store, true);
    const size_t count = list_all(s);
    const ter_blend_phase shown = is_shown_as_it_is(s) ? TER_BLEND_BEFORE : TER_BLEND_WITHIN;
    size_t n_left = 0;
    for (size_t n = 0; n < s->n_slots; n++)
        s->shown[n] = shown;
    ter_status status = take_shown(s, count);
    for (size_t n = 0; n < count; n++)
        if (!s->coming || !s->prepared[s->held[n]]) {
            s->tiles[n_left] = s->tiles[n];
            s->held[n_left++] = s->held[n];
        }
    s->is_morphing = true;
    s->n_turning = 1;
    s->coming = NULL;
    if (status == TER_OK)
        status = tile_source_load_coming(s, s->tiles, s->held, n_left);
    if (status == TER_OK)
        status = tile_source_wait(s);
    return outcome_of_library(status, "morph");
}

/** Whether the landscape's blend changes what a slot shows of a tile; it shows that then. */
static bool is_changed(tile_source *s, uint32_t slot, const ter_tile *tile)
{
    const ter_rect rect = {tile->level, tile->i, tile->j, TILE_SAMPLES, TILE_SAMPLES};
    ter_blend_phase phase;
    if (ter_blend_phase_over(&s->land->blend, tile_source_level(s->land->world, 0), &rect, &phase) != TER_OK)
        phase = TER_BLEND_WITHIN; /* the blend says why */
    const bool is_same = phase != TER_BLEND_WITHIN && phase == s->shown[slot];
    s->shown[slot] = phase;
    return !is_same;
}

/** List the tiles of a frame, or of the whole store, that the landscape's blend changes; and after those of a frame
 * some that nobody sees and that can be taken as far as the morph goes: what is left of them when it ends is blended in
 * one frame.
 *
 *  frame  NULL: the whole store
 */
static size_t list_changed(tile_source *s, const uint64_t *frame, size_t *n_over)
{
    enum { OVER = 64 };
    uint32_t held[OVER];
    ter_tile tiles[OVER];
    const size_t n_held = tile_store_list(s->store, s->held, s->keys),
                 over_most = s->shared && !s->land->is_returning ? OVER : 0;
    size_t count = 0;
    *n_over = 0;
    for (size_t n = 0; n < n_held; n++) {
        const uint32_t slot = s->held[n];
        const ter_tile tile = tile_source_tile(s, s->keys[n]);
        if (frame && !tile_pool_is_used(s->pool, slot, *frame)) {
            if (*n_over == over_most || s->shown[slot] == TER_BLEND_AFTER)
                continue;
            s->shown[slot] = TER_BLEND_AFTER;
            held[*n_over] = slot;
            tiles[(*n_over)++] = tile;
        } else if (is_changed(s, slot, &tile)) {
            s->held[count] = slot;
            s->tiles[count++] = tile;
        }
    }
    for (size_t n = 0; n < *n_over; n++) {
        s->held[count + n] = held[n];
        s->tiles[count + n] = tiles[n];
    }
    return count;
}

size_t tile_source_list_changed(tile_source *s)
{
    size_t none;
    return list_changed(s, NULL, &none);
}

outcome tile_source_blend(tile_source *s, uint64_t frame, bool is_last)
{
    size_t n_over = 0;
    const bool is_aside = s->has_thread && !s->is_patient && !is_last;
    if (is_aside && !s->shared)
        return outcome_done(); /* that is done whenever the worker rests */
    const outcome o = is_aside ? outcome_done() : tile_source_settle(s);
    if (o.kind != OUTCOME_DONE)
        return o;
    const size_t count = list_changed(s, is_last ? NULL : &frame, &n_over);
    ter_status status =
        s->shared ? tile_source_blend_shared(s, count, n_over) : tile_source_blend_through_host(s, count);
    const bool makes_tiles = s->shared && !s->has_thread && !s->is_patient; /* a frame, and waits for them */
    if (status == TER_OK && is_last && makes_tiles) /* else the next frame waits for that, too */
        status = ter_generator_wait(s->generator, NULL);
    return outcome_of_library(status, "morph");
}

void tile_source_end_morph(tile_source *s)
{
    s->is_morphing = false;
    s->n_turning = 2;
    tile_store_set_changing(s->store, false);
    s->has_bare = s->has_water && landscape_drains(s->land);
    memset(s->bare, s->has_bare, s->n_slots * sizeof *s->bare);
}
