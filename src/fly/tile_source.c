/* tile_source.c - the shared way, the way through host memory, and morphs on both. */
#include "fly/tile_source.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SHARED_BATCH = 256, /* tiles a frame when the GPU makes them */
    HOST_BATCH = 32     /* tiles the worker thread makes at a time */
};

/** A batch on its way through host memory. */
typedef struct host_batch {
    ter_tile tiles[SHARED_BATCH];
    uint32_t slots[SHARED_BATCH];
    tile_key keys[SHARED_BATCH];
    size_t count;
    float *heights;
} host_batch;

typedef enum worker_state { WORKER_IDLE, WORKER_BUSY, WORKER_DONE, WORKER_STOP } worker_state;

struct tile_source {
    ter_generator *generator;
    const landscape *land;
    tile_store *store;
    tile_pool *pool;
    size_t n_slots;
    bool is_patient;
    ter_morph *morph; /* heights of both worlds by slot; made for the first morph and kept for the next ones */
    bool is_morphing; /* the landscape morphs, and tiles are loaded into the morph */
    uint32_t *held;   /* room for a list of all slots */
    tile_key *keys;
    ter_tile *tiles;
    size_t n_settled;      /* tiles completed between updates */
    ter_gl_buffer *shared; /* NULL: through host memory */
    char interop[256];

    host_batch batch;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    worker_state state;
    outcome worker_result;
    bool has_thread;
};

static const ter_tile_layout host_layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};

/** Level of a lod in a world. */
static int level_of(const ter_world *world, int lod)
{
    return ter_world_params(world)->levels - lod;
}

/** Fill slots of the morph with both worlds' heights; tiles are those of the first one. */
static ter_status load_morph(tile_source *s, const ter_tile *tiles, const uint32_t *held, size_t count)
{
    ter_status status = ter_morph_load(s->morph, 0, s->land->world, tiles, held, count, NULL);
    const int shift = level_of(s->land->next, 0) - level_of(s->land->world, 0);
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        ter_tile other[SHARED_BATCH];
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        for (size_t k = 0; k < n; k++)
            other[k] = (ter_tile){tiles[first + k].level + shift, tiles[first + k].i, tiles[first + k].j};
        status = ter_morph_load(s->morph, 1, s->land->next, other, held + first, n, NULL);
    }
    return status;
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
        const ter_status status = s->is_morphing ? load_morph(s, s->batch.tiles, s->batch.slots, s->batch.count)
                                                 : ter_generator_fill_tiles(s->generator, s->land->world, s->batch.tiles,
                                                                            s->batch.count, &host_layout, s->batch.heights);
        pthread_mutex_lock(&s->lock);
        s->worker_result = outcome_of_library(status, "tiles");
        if (s->state == WORKER_BUSY)
            s->state = WORKER_DONE;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static outcome start_worker(tile_source *s)
{
    const size_t bytes = (size_t)SHARED_BATCH * TILE_FLOATS * sizeof(float);
    if (ter_host_memory_create(s->generator, bytes, (void **)&s->batch.heights) != TER_OK)
        s->batch.heights = NULL;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->has_thread = s->batch.heights && pthread_create(&s->thread, NULL, work, s) == 0;
    return s->has_thread ? outcome_done() : outcome_of(OUTCOME_FAILED, "no memory for the tile worker");
}

outcome tile_source_create(const tile_source_means *means, tile_source **out)
{
    tile_source *s = calloc(1, sizeof *s);
    if (!s)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    s->generator = means->generator;
    s->land = means->land;
    s->store = means->store;
    s->pool = means->pool;
    s->n_slots = means->n_slots;
    s->is_patient = means->is_patient;
    s->worker_result = outcome_done();
    s->held = calloc(s->n_slots, sizeof *s->held);
    s->keys = calloc(s->n_slots, sizeof *s->keys);
    s->tiles = calloc(s->n_slots, sizeof *s->tiles);
    const ter_status status = ter_gl_buffer_register(s->generator, tile_store_buffer(s->store), &s->shared);
    snprintf(s->interop, sizeof s->interop, "%s%s", status == TER_OK ? "on" : "off: ", status == TER_OK ? "" : ter_error_detail());
    outcome o = s->held && s->keys && s->tiles ? outcome_done() : outcome_of(OUTCOME_FAILED, "out of memory");
    if (o.kind == OUTCOME_DONE && !s->shared)
        o = start_worker(s);
    if (o.kind != OUTCOME_DONE) {
        tile_source_destroy(s);
        return o;
    }
    *out = s;
    return o;
}

void tile_source_destroy(tile_source *s)
{
    if (!s)
        return;
    if (s->has_thread) {
        pthread_mutex_lock(&s->lock);
        s->state = WORKER_STOP;
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
    }
    ter_gl_buffer_unregister(s->shared);
    ter_morph_destroy(s->morph);
    ter_host_memory_destroy(s->generator, s->batch.heights);
    free(s->held);
    free(s->keys);
    free(s->tiles);
    free(s);
}

const char *tile_source_interop(const tile_source *s)
{
    return s->interop;
}

static ter_tile tile_of(const tile_source *s, tile_key key)
{
    return (ter_tile){level_of(s->land->world, key.lod), key.i * TILE_QUADS - TILE_APRON, key.j * TILE_QUADS - TILE_APRON};
}

/** Reserve slots for requests, up to `most`. */
static void take_requests(tile_source *s, const quadtree_request *requests, size_t count, size_t most, uint64_t frame)
{
    host_batch *b = &s->batch;
    b->count = 0;
    for (size_t n = 0; n < count && b->count < most; n++) {
        const tile_key key = requests[n].key;
        uint32_t slot;
        if (!tile_pool_reserve(s->pool, key, frame, &slot))
            break;
        b->tiles[b->count] = tile_of(s, key);
        b->slots[b->count] = slot;
        b->keys[b->count] = key;
        tile_store_vacate(s->store, slot);
        b->count++;
    }
}

static void complete_batch(tile_source *s, size_t *n_completed)
{
    for (size_t n = 0; n < s->batch.count; n++) {
        tile_store_complete(s->store, s->batch.slots[n], s->batch.keys[n]);
        tile_pool_complete(s->pool, s->batch.slots[n]);
    }
    *n_completed += s->batch.count;
    s->batch.count = 0;
}

static outcome update_shared(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame, size_t *n_completed)
{
    float *out;
    size_t bytes;
    take_requests(s, requests, count, SHARED_BATCH, frame);
    if (s->batch.count == 0)
        return outcome_done();
    if (s->is_morphing) { /* their heights come with the next blend */
        const ter_status status = load_morph(s, s->batch.tiles, s->batch.slots, s->batch.count);
        complete_batch(s, n_completed);
        return outcome_of_library(status, "tiles");
    }
    const ter_tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, s->batch.slots};
    ter_status status = ter_gl_buffer_map(s->shared, NULL, &out, &bytes);
    if (status == TER_OK) {
        status = ter_generator_fill_tiles_device(s->generator, s->land->world, s->batch.tiles, s->batch.count, &layout, out, NULL);
        const ter_status unmapped = ter_gl_buffer_unmap(s->shared, NULL);
        status = status == TER_OK ? unmapped : status;
    }
    if (status != TER_OK)
        return outcome_of_library(status, "tiles");
    complete_batch(s, n_completed);
    return outcome_done();
}

/** Upload what the worker has finished. Call with the lock held. */
static outcome collect(tile_source *s, size_t *n_completed)
{
    if (s->state != WORKER_DONE)
        return outcome_done();
    s->state = WORKER_IDLE;
    if (s->worker_result.kind != OUTCOME_DONE)
        return s->worker_result;
    for (size_t n = 0; n < s->batch.count && !s->is_morphing; n++)
        tile_store_upload(s->store, s->batch.slots[n], s->batch.heights + n * TILE_FLOATS);
    complete_batch(s, n_completed);
    return outcome_done();
}

static outcome update_through_host(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                                   size_t *n_completed)
{
    pthread_mutex_lock(&s->lock);
    outcome o = collect(s, n_completed);
    if (o.kind == OUTCOME_DONE && s->state == WORKER_IDLE) {
        take_requests(s, requests, count, s->is_patient ? SHARED_BATCH : HOST_BATCH, frame);
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

outcome tile_source_update(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame, size_t *n_completed)
{
    *n_completed = s->n_settled;
    s->n_settled = 0;
    return s->shared ? update_shared(s, requests, count, frame, n_completed)
                     : update_through_host(s, requests, count, frame, n_completed);
}

/* ---- morphs ---- */

/** Wait until the worker has nothing to do and its batch has been taken; the generator and the batch are ours then. */
static outcome settle_worker(tile_source *s)
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

/** List the tiles that are there. */
static size_t list_tiles(tile_source *s)
{
    const size_t count = tile_store_list(s->store, s->held, s->keys);
    for (size_t n = 0; n < count; n++)
        s->tiles[n] = tile_of(s, s->keys[n]);
    return count;
}

static void vacate(void *user, uint32_t slot)
{
    tile_store_vacate(user, slot);
}

outcome tile_source_prepare_morphs(tile_source *s)
{
    if (s->morph)
        return outcome_done();
    return outcome_of_library(ter_morph_create(s->generator, s->n_slots, TILE_SAMPLES, TILE_SAMPLES, &s->morph), "morph");
}

outcome tile_source_begin_morph(tile_source *s, uint64_t frame)
{
    const outcome o = settle_worker(s);
    if (o.kind != OUTCOME_DONE)
        return o;
    tile_pool_drop_unused(s->pool, frame, vacate, s->store);
    tile_pool_forget_bounds(s->pool);
    tile_store_set_changing(s->store, true);
    const outcome prepared = tile_source_prepare_morphs(s);
    if (prepared.kind != OUTCOME_DONE)
        return prepared;
    s->is_morphing = true;
    return outcome_of_library(load_morph(s, s->tiles, s->held, list_tiles(s)), "morph");
}

static ter_status blend_shared(tile_source *s, size_t count)
{
    float *out;
    size_t bytes;
    const ter_tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, s->held};
    ter_status status = ter_gl_buffer_map(s->shared, NULL, &out, &bytes);
    if (status != TER_OK)
        return status;
    const ter_morph_tiles tiles = {level_of(s->land->world, 0), s->tiles, s->held, count};
    status = ter_morph_blend(s->morph, &s->land->blend, &tiles, &layout, out, NULL);
    const ter_status unmapped = ter_gl_buffer_unmap(s->shared, NULL);
    return status == TER_OK ? unmapped : status;
}

static ter_status blend_through_host(tile_source *s, size_t count)
{
    ter_status status = TER_OK;
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        const ter_morph_tiles tiles = {level_of(s->land->world, 0), s->tiles + first, s->held + first, n};
        status = ter_morph_blend_host(s->morph, &s->land->blend, &tiles, s->batch.heights);
        for (size_t k = 0; k < n && status == TER_OK; k++)
            tile_store_upload(s->store, s->held[first + k], s->batch.heights + k * TILE_FLOATS);
    }
    return status;
}

outcome tile_source_blend(tile_source *s)
{
    const outcome o = settle_worker(s);
    if (o.kind != OUTCOME_DONE)
        return o;
    const size_t count = list_tiles(s);
    return outcome_of_library(s->shared ? blend_shared(s, count) : blend_through_host(s, count), "morph");
}

void tile_source_end_morph(tile_source *s)
{
    s->is_morphing = false;
    tile_store_set_changing(s->store, false);
}
