/* tile_source_host.c - a worker thread makes tiles in host memory; updates upload them. */
#include <math.h>

#include "fly/tile_source_state.h"
#include "program/clock.h"

enum {
    HOST_BATCH = 32,   /* tiles the worker thread makes at a time */
    SHARING_BATCH = 2, /* the same where the worker rests: frames meanwhile take twice as long */
    SLOW_BATCH = 6     /* the same of land that drains: a tile takes some 20 ms, and what is wanted changes meanwhile */
};

static const ter_tile_layout host_layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};

/** Make the worker's batch in host memory. */
static ter_status make_batch(tile_source *s)
{
    const host_batch *b = &s->batch;
    const ter_world *world = s->land->world;
    if (s->is_morphing || b->is_preparation)
        return tile_source_load_morph(s, b->tiles, b->slots, b->count);
    if (!s->has_water || !ter_world_has_layer(world, TER_LAYER_WATER))
        return ter_generator_fill_tiles(s->generator, world, b->tiles, b->count, &host_layout, b->heights);
    const ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = b->heights,
                                      [TER_LAYER_WATER] = b->water,
                                      [TER_LAYER_FLOW] = b->flow,
                                      [TER_LAYER_SHORE] = b->shore}};
    return ter_generator_fill_tiles_layers(s->generator, world, b->tiles, b->count, &host_layout, &layers);
}

static void *work(void *user)
{
    tile_source *s = user;
    pthread_mutex_lock(&s->lock);
    while (s->state != WORKER_STOP) {
        if (s->state != WORKER_BUSY) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        const double begun_s = clock_now_s();
        const ter_status status = make_batch(s);
        const double ended_s = clock_now_s();
        pthread_mutex_lock(&s->lock);
        s->worked_s = ended_s - begun_s;
        s->worked_until_s = ended_s;
        s->worker_result = outcome_of_library(status, "tiles");
        if (s->state == WORKER_BUSY)
            s->state = WORKER_DONE;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

outcome tile_source_start_worker(tile_source *s)
{
    const size_t bytes = (size_t)SHARED_BATCH * TILE_FLOATS * sizeof(float);
    float **const layers[ARRIVAL_LAYERS] = {&s->batch.heights, &s->batch.water, &s->batch.flow, &s->batch.shore};
    bool has_memory = true;
    for (int n = 0; n < (s->has_water ? ARRIVAL_LAYERS : 1); n++)
        if (ter_host_memory_create(s->generator, bytes, (void **)layers[n]) != TER_OK) {
            *layers[n] = NULL;
            has_memory = false;
        }
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->has_thread = has_memory && pthread_create(&s->thread, NULL, work, s) == 0;
    return s->has_thread ? outcome_done() : outcome_of(OUTCOME_FAILED, "no memory for the tile worker");
}

void tile_source_stop_worker(tile_source *s)
{
    if (!s->has_thread)
        return;
    pthread_mutex_lock(&s->lock);
    s->state = WORKER_STOP;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
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

/** Upload what the worker has finished. Call with the lock held. */
static outcome collect(tile_source *s, size_t *n_completed)
{
    if (s->state != WORKER_DONE)
        return outcome_done();
    s->state = WORKER_IDLE;
    if (s->worker_result.kind != OUTCOME_DONE)
        return s->worker_result;
    const bool has_heights = !s->is_morphing && !s->batch.is_preparation;
    const bool has_rivers = has_heights && s->has_water && landscape_drains(s->land);
    for (size_t n = 0; n < s->batch.count && has_heights; n++) {
        upload(s, s->batch.slots[n], n);
        note_bounds(s, s->batch.slots[n], s->batch.heights + n * TILE_FLOATS);
        if (has_rivers)
            tile_store_upload_rivers(s->store, n, s->batch.flow + n * TILE_FLOATS, s->batch.shore + n * TILE_FLOATS);
    }
    if (has_rivers)
        tile_source_find_rivers(s);
    tile_source_complete_batch(s, n_completed);
    return outcome_done();
}

outcome tile_source_settle_worker(tile_source *s)
{
    if (!s->has_thread)
        return outcome_done();
    pthread_mutex_lock(&s->lock);
    while (s->state == WORKER_BUSY)
        pthread_cond_wait(&s->changed, &s->lock);
    const outcome o = collect(s, &s->n_settled);
    pthread_mutex_unlock(&s->lock);
    return o;
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

static size_t batch_size(const tile_source *s)
{
    return s->is_patient ? SHARED_BATCH : s->rest > 0.0 ? SHARING_BATCH : s->has_water ? SLOW_BATCH : HOST_BATCH;
}

/** How many requests are worked on. A patient flight over land that is slow to make, now or after a morph, waits only for
 * what it sees, which comes first.
 */
static size_t count_wanted(const tile_source *s, const quadtree_request *requests, size_t count)
{
    size_t n_seen = 0;
    while (n_seen < count && requests[n_seen].is_seen)
        n_seen++;
    return s->is_patient && s->has_water ? n_seen : count;
}

/** Choose what the worker makes next: what is seen and missing; else by turns tiles for a coming morph and what may be seen soon.
 */
static void choose_batch(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame)
{
    const bool is_late = count > 0 && requests[0].is_seen;
    const bool is_turn = s->coming && !is_late && !s->batch.is_preparation;
    s->batch.count = 0;
    if (is_turn)
        tile_source_take_unprepared(s, batch_size(s), frame);
    if (s->batch.count == 0)
        tile_source_take_requests(s, requests, count_wanted(s, requests, count), batch_size(s), frame);
    if (s->batch.count == 0 && s->coming && !is_turn)
        tile_source_take_unprepared(s, batch_size(s), frame);
}

/** Whether the worker has rested long enough after its last batch; half as long where land in view is missing. */
static bool has_rested(const tile_source *s, bool is_late)
{
    return clock_now_s() >= s->worked_until_s + (is_late ? 0.5 : 1.0) * s->rest * s->worked_s;
}

outcome tile_source_update_through_host(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                                        size_t *n_completed)
{
    pthread_mutex_lock(&s->lock);
    outcome o = collect(s, n_completed);
    if (o.kind == OUTCOME_DONE && s->state == WORKER_IDLE && s->is_morphing && !s->is_patient)
        o = outcome_of_library(tile_source_blend_through_host(s, tile_source_list(s)), "morph");
    if (o.kind == OUTCOME_DONE && s->state == WORKER_IDLE && has_rested(s, count > 0 && requests[0].is_seen)) {
        choose_batch(s, requests, count, frame);
        if (s->batch.count > 0) {
            s->state = WORKER_BUSY;
            pthread_cond_broadcast(&s->changed);
        }
        while (s->is_patient && s->state == WORKER_BUSY)
            pthread_cond_wait(&s->changed, &s->lock);
        if (s->is_patient)
            o = collect(s, n_completed);
    }
    pthread_mutex_unlock(&s->lock);
    return o;
}
