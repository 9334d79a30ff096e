/* tile_source.c - starts a batch of tiles in each update, made by the frame itself or by a worker, and takes finished
 * batches. */
#include "program/viewer/tiles/tile_source.h"

#include <math.h>
#include <stdlib.h>

#include "program/core/clock.h"
#include "program/viewer/tiles/tile_morph.h"
#include "program/viewer/tiles/tile_queue.h"
#include "program/viewer/tiles/tile_makers.h"
#include "program/viewer/tiles/tile_worker.h"

struct tile_source {
    tile_queue queue;
    tile_maker maker;
    tile_morph morph;
    tile_worker worker;
    tile_batch batch;              /* while the worker is busy, no other thread may use the batch */
    const tile_maker_table *table; /* the method that makes the batch */
    size_t n_drained;              /* tiles completed between updates */
};

/* ---- life ---- */

static ter_status make_batch(void *user);

/** Distance of the samples of tiles of lod 0. */
static double tile_spacing_m(const tile_maker *m)
{
    return ldexp(ter_world_params(m->land->world)->spacing, -m->fine_lods);
}

result tile_source_create(const tile_source_options *options, tile_source **out)
{
    tile_source *s = calloc(1, sizeof *s);
    if (!s)
        return result_of(RESULT_FAILED, "out of memory");
    s->maker = (tile_maker){.generator = options->generator,
                            .land = options->land,
                            .store = options->store,
                            .pool = options->pool,
                            .queue = &s->queue,
                            .fine_lods = options->fine_lods,
                            .is_interrupted = options->is_interrupted};
    result res = tile_morph_create(&s->morph, &s->maker, options->n_slots);
    if (res.kind == RESULT_DONE)
        res = tile_makers_open(&s->maker);
    s->queue = (tile_queue){.mode = tile_maker_is_shared(&s->maker) ? TILES_BY_FRAMES : TILES_BY_HOST_WORKER,
                            .has_water = s->maker.has_water,
                            .waits_for_tiles = options->waits_for_tiles,
                            .spacing_m = tile_spacing_m(&s->maker),
                            .updated_s = clock_now_s()};
    const bool wants_worker = !tile_maker_is_shared(&s->maker) || (options->is_real_time && s->maker.has_water);
    if (res.kind == RESULT_DONE && wants_worker)
        res = tile_worker_start(&s->worker, make_batch, s, options->is_interrupted);
    if (res.kind != RESULT_DONE) {
        tile_source_destroy(s);
        return res;
    }
    *out = s;
    return res;
}

void tile_source_destroy(tile_source *s)
{
    if (!s)
        return;
    tile_worker_stop(&s->worker);
    tile_morph_destroy(&s->morph);
    tile_makers_close(&s->maker);
    free(s);
}

const char *tile_source_interop(const tile_source *s)
{
    return s->maker.interop;
}

bool tile_source_is_shared(const tile_source *s)
{
    return tile_maker_is_shared(&s->maker);
}

void tile_source_set_rest(tile_source *s, double rest)
{
    s->queue.rest = rest;
    /* `rest` is 0 while the first view is loaded. The priority is lowered only afterwards, because it cannot be raised
     * again. */
    if (rest > 0.0 && s->worker.has_thread)
        tile_worker_give_way(&s->worker);
}

double tile_source_cost(const tile_source *s, int lod)
{
    return tile_queue_cost(&s->queue, lod);
}

/** Update mode and phase of the queue. With a GPU a worker is used only for land with rivers. */
static void update_queue(tile_source *s)
{
    s->queue.spacing_m = tile_spacing_m(&s->maker);
    s->queue.phase = s->morph.next ? PHASE_BEFORE_MORPH : s->morph.is_morphing ? PHASE_IN_MORPH : PHASE_ONE_WORLD;
    if (tile_maker_is_shared(&s->maker))
        s->queue.mode =
            s->worker.has_thread && landscape_drains(s->maker.land) ? TILES_BY_DEVICE_WORKER : TILES_BY_FRAMES;
}

bool tile_source_waits_for_device(const tile_source *s)
{
    return s->queue.waits_for_device && s->queue.mode == TILES_BY_FRAMES;
}

/* ---- batches ---- */

static tile_list list_of(const tile_batch *b)
{
    return (tile_list){b->tiles, b->slots, b->count};
}

/** Whether a batch writes heights to the store, not only to the morph. */
static bool has_heights(const tile_source *s)
{
    return !s->morph.is_morphing && s->batch.kind != BATCH_PREPARED;
}

/** Make the batch. If a GPU makes it, wait for the GPU. */
static ter_status make_batch(void *user)
{
    tile_source *s = user;
    ter_status status;
    if (s->batch.kind == BATCH_PREPARED)
        status = tile_morph_prepare(&s->morph, list_of(&s->batch));
    else if (s->morph.is_morphing)
        status = tile_morph_load(&s->morph, list_of(&s->batch));
    else
        status = s->table->make(&s->maker, &s->batch);
    return status == TER_OK ? tile_morph_wait(&s->morph) : status;
}

/** Fill the batch with requests, and reserve their slots. */
static void take_requests(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame)
{
    tile_batch *b = &s->batch;
    b->count = 0;
    b->kind = BATCH_NEW;
    for (size_t n = 0; n < count && b->count < TILE_BATCH_MAX; n++) {
        const tile_key key = requests[n].key;
        uint32_t slot;
        if (!tile_pool_reserve(s->maker.pool, key, frame, &slot))
            break;
        b->tiles[b->count] = tile_maker_tile(&s->maker, key);
        b->slots[b->count] = slot;
        b->keys[b->count++] = key;
        tile_store_vacate(s->maker.store, slot);
        tile_morph_forget_slot(&s->morph, slot);
    }
}

/** Record in store, pool and morph that the batch is finished, and empty it. */
static void complete_batch(tile_source *s, size_t *n_completed)
{
    tile_batch *b = &s->batch;
    for (size_t n = 0; n < b->count; n++) {
        const uint32_t slot = b->slots[n];
        if (b->kind == BATCH_NEW) {
            tile_store_complete(s->maker.store, slot, b->keys[n]);
            tile_pool_complete(s->maker.pool, slot);
        } else if (b->kind == BATCH_PREPARED) {
            s->morph.is_prepared[slot] = true;
        } else {
            s->morph.lacks_cover[slot] = false;
        }
    }
    *n_completed += b->kind == BATCH_NEW ? b->count : 0;
    b->count = 0;
}

/* ---- by frames ---- */

/** Make the batch and put it into its slots. */
static result make_into_store(tile_source *s)
{
    result res = s->table->begin(&s->maker);
    if (res.kind != RESULT_DONE)
        return res;
    res = result_of_library(s->table->make(&s->maker, &s->batch), "tiles");
    const result ended = s->table->end(&s->maker);
    if (res.kind != RESULT_DONE || ended.kind != RESULT_DONE)
        return res.kind != RESULT_DONE ? res : ended;
    s->table->take(&s->maker, &s->batch);
    return res;
}

/** Prepare the batch for the awaited morph. */
static result prepare_batch(tile_source *s)
{
    const ter_status status = tile_morph_prepare(&s->morph, list_of(&s->batch));
    for (size_t n = 0; n < s->batch.count && status == TER_OK; n++)
        s->morph.is_prepared[s->batch.slots[n]] = true;
    return result_of_library(status, "morph");
}

/** Make the new tiles of a frame. During a morph they are loaded into the morph, and the next blend writes them to the
 * store. */
static result make_new(tile_source *s)
{
    result res = result_done();
    if (s->batch.count == 0)
        return res;
    res = s->morph.is_morphing ? result_of_library(tile_morph_load(&s->morph, list_of(&s->batch)), "tiles")
                               : make_into_store(s);
    return res.kind == RESULT_DONE && s->morph.next ? prepare_batch(s) : res;
}

/** Use what is left of a frame's cost limit: prepare tiles for the awaited morph, or find rivers again after a morph.
 */
static result make_hidden(tile_source *s, double limit, uint64_t frame)
{
    result res = result_done();
    size_t none = 0;
    if (limit <= 0.0 || !(s->morph.next || s->morph.has_uncovered))
        return res;
    tile_morph_take_loaded(&s->morph, &s->batch, s->morph.next ? BATCH_PREPARED : BATCH_RIVERS, limit, frame);
    if (s->batch.count > 0)
        res = s->morph.next ? prepare_batch(s) : make_into_store(s);
    complete_batch(s, &none);
    return res;
}

static result update_by_frame(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                              size_t *n_completed)
{
    tile_queue *q = &s->queue;
    quadtree_request chosen[TILE_BATCH_MAX];
    tile_queue_begin_frame(q, clock_now_s());
    const double limit = tile_queue_frame_limit(q, count);
    const size_t n_chosen = tile_queue_choose_for_frame(q, requests, count, limit, chosen);
    take_requests(s, chosen, n_chosen, frame);
    const double cost = tile_queue_cost_of(q, s->batch.keys, s->batch.count) * (s->morph.next ? 2.0 : 1.0);
    s->table = tile_makers_choose(&s->maker);
    result res = make_new(s);
    if (res.kind != RESULT_DONE)
        return res;
    complete_batch(s, n_completed);
    res = make_hidden(s, tile_queue_hidden_limit(q, limit, cost), frame);
    const bool waits = tile_queue_end_frame(q, cost);
    if (res.kind == RESULT_DONE && waits)
        res = result_of_library(tile_morph_wait(&s->morph), "tiles");
    q->updated_s = clock_now_s();
    return res;
}

/* ---- by a worker ---- */

/** Take the worker's batch if it is finished. */
static result collect(tile_source *s, size_t *n_completed)
{
    result made = result_done();
    if (!tile_worker_collect(&s->worker, &made))
        return result_done();
    tile_queue_note_made(&s->queue, s->worker.worked_s);
    const result ended = has_heights(s) ? s->table->end(&s->maker) : result_done();
    if (made.kind != RESULT_DONE || ended.kind != RESULT_DONE)
        return made.kind != RESULT_DONE ? made : ended;
    if (has_heights(s))
        s->table->take(&s->maker, &s->batch);
    complete_batch(s, n_completed);
    return result_done();
}

result tile_source_drain(tile_source *s)
{
    if (!s->worker.has_thread)
        return result_done();
    tile_worker_wait(&s->worker);
    return collect(s, &s->n_drained);
}

bool tile_source_is_idle(tile_source *s)
{
    return !s->worker.has_thread || !tile_worker_is_busy(&s->worker);
}

static void take_chosen(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame)
{
    const request_range range = tile_queue_choose_for_worker(&s->queue, requests, count);
    take_requests(s, requests + range.first, range.count, frame);
    if (s->queue.mode == TILES_BY_HOST_WORKER && !s->queue.waits_for_tiles)
        tile_queue_note_batch(&s->queue, s->batch.keys, s->batch.count);
}

/** Choose the worker's next batch. */
static void choose_batch(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame)
{
    batch_kind order[3];
    const worker_moment moment = {.is_late = count > 0 && requests[0].is_seen,
                                  .is_soon = count > 0 && requests[0].is_soon,
                                  .is_over = landscape_is_over(s->maker.land),
                                  .is_prepared = s->morph.next && tile_morph_is_prepared(&s->morph, frame),
                                  .lacks_cover = s->morph.has_uncovered,
                                  .last = s->batch.kind};
    const size_t n_kinds = tile_queue_worker_order(&s->queue, &moment, order);
    s->batch.count = 0;
    for (size_t n = 0; n < n_kinds && s->batch.count == 0; n++)
        if (order[n] == BATCH_NEW)
            take_chosen(s, requests, count, frame);
        else
            tile_morph_take_loaded(&s->morph, &s->batch, order[n], tile_queue_loaded_limit(&s->queue), frame);
}

/** Start the worker on the batch, unless it is empty. */
static result begin_batch(tile_source *s)
{
    result res = result_done();
    if (s->batch.count == 0)
        return res;
    s->table = tile_makers_choose(&s->maker);
    if (has_heights(s))
        res = s->table->begin(&s->maker);
    if (res.kind == RESULT_DONE)
        tile_worker_begin(&s->worker);
    return res;
}

static result update_by_worker(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                               size_t *n_completed)
{
    tile_queue *q = &s->queue;
    const tile_worker *w = &s->worker;
    const double now_s = clock_now_s();
    tile_queue_begin_worker_update(q, now_s);
    result res = collect(s, n_completed);
    if (res.kind != RESULT_DONE || tile_worker_is_busy(&s->worker))
        return res;
    if (s->morph.is_morphing && q->mode == TILES_BY_HOST_WORKER && !q->waits_for_tiles)
        res = result_of_library(tile_morph_blend(&s->morph, tile_makers_choose(&s->maker), NULL), "morph");
    if (res.kind != RESULT_DONE ||
        !tile_queue_has_rested(q, count > 0 && requests[0].is_seen, w->worked_s, w->ended_s, now_s))
        return res;
    choose_batch(s, requests, count, frame);
    res = begin_batch(s);
    if (q->waits_for_tiles && res.kind == RESULT_DONE) {
        tile_worker_wait(&s->worker);
        res = collect(s, n_completed);
    }
    return res;
}

result tile_source_update(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                          size_t *n_completed)
{
    update_queue(s);
    if (s->queue.mode == TILES_BY_FRAMES) {
        const result res = tile_source_drain(s);
        if (res.kind != RESULT_DONE)
            return res;
    }
    *n_completed = s->n_drained;
    s->n_drained = 0;
    return s->queue.mode == TILES_BY_FRAMES ? update_by_frame(s, requests, count, frame, n_completed)
                                            : update_by_worker(s, requests, count, frame, n_completed);
}

/* ---- morphs ---- */

result tile_source_prepare_morphs(tile_source *s)
{
    const result res = s->morph.morph ? result_done() : tile_source_drain(s);
    return res.kind == RESULT_DONE ? tile_morph_reserve(&s->morph) : res;
}

void tile_source_await_morph(tile_source *s, const ter_world *next)
{
    tile_morph_await(&s->morph, next);
}

bool tile_source_is_prepared(const tile_source *s, uint64_t frame)
{
    return tile_morph_is_prepared(&s->morph, frame);
}

double tile_source_share_prepared(const tile_source *s, uint64_t frame)
{
    return tile_morph_share_prepared(&s->morph, frame);
}

result tile_source_begin_morph(tile_source *s, uint64_t frame)
{
    s->queue.transition_frames = 1;
    return tile_morph_begin(&s->morph, tile_makers_choose(&s->maker), frame);
}

result tile_source_blend(tile_source *s, uint64_t frame, bool is_last)
{
    const bool is_shared = tile_maker_is_shared(&s->maker);
    const bool uses_worker = s->worker.has_thread && !s->queue.waits_for_tiles && !is_last;
    if (uses_worker && !is_shared)
        return result_done(); /* updates blend between two batches */
    const result res = uses_worker ? result_done() : tile_source_drain(s);
    if (res.kind != RESULT_DONE)
        return res;
    ter_status status = tile_morph_blend(&s->morph, tile_makers_choose(&s->maker), is_last ? NULL : &frame);
    const bool frames_wait = is_shared && !s->worker.has_thread && !s->queue.waits_for_tiles;
    if (status == TER_OK && is_last && frames_wait) /* otherwise the next frame would wait for the GPU, too */
        status = ter_generator_wait(s->maker.generator, NULL);
    return result_of_library(status, "morph");
}

void tile_source_end_morph(tile_source *s)
{
    s->queue.transition_frames = 2;
    tile_morph_end(&s->morph);
}
