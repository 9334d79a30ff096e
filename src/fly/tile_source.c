/* tile_source.c - the shared way and the way through host memory. */
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
    const ter_world *world;
    tile_store *store;
    tile_pool *pool;
    bool is_patient;
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
        const ter_status status =
            ter_generator_fill_tiles(s->generator, s->world, s->batch.tiles, s->batch.count, &host_layout, s->batch.heights);
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
    s->batch.heights = malloc((size_t)SHARED_BATCH * TILE_FLOATS * sizeof(float));
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->has_thread = s->batch.heights && pthread_create(&s->thread, NULL, work, s) == 0;
    return s->has_thread ? outcome_done() : outcome_of(OUTCOME_FAILED, "no memory for the tile worker");
}

outcome tile_source_create(ter_generator *generator, const ter_world *world, tile_store *store, tile_pool *pool, bool is_patient,
                           tile_source **out)
{
    tile_source *s = calloc(1, sizeof *s);
    if (!s)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    s->generator = generator;
    s->world = world;
    s->store = store;
    s->pool = pool;
    s->is_patient = is_patient;
    s->worker_result = outcome_done();
    const ter_status status = ter_gl_buffer_register(generator, tile_store_buffer(store), &s->shared);
    snprintf(s->interop, sizeof s->interop, "%s%s", status == TER_OK ? "on" : "off: ", status == TER_OK ? "" : ter_error_detail());
    const outcome o = s->shared ? outcome_done() : start_worker(s);
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
    free(s->batch.heights);
    free(s);
}

const char *tile_source_interop(const tile_source *s)
{
    return s->interop;
}

/** Reserve slots for requests, up to `most`. */
static void take_requests(tile_source *s, const quadtree_request *requests, size_t count, size_t most, uint64_t frame)
{
    const ter_params *p = ter_world_params(s->world);
    host_batch *b = &s->batch;
    b->count = 0;
    for (size_t n = 0; n < count && b->count < most; n++) {
        const tile_key key = requests[n].key;
        uint32_t slot;
        if (!tile_pool_reserve(s->pool, key, frame, &slot))
            break;
        b->tiles[b->count] = (ter_tile){p->levels - key.lod, key.i * TILE_QUADS - TILE_APRON, key.j * TILE_QUADS - TILE_APRON};
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
    const ter_tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, s->batch.slots};
    ter_status status = ter_gl_buffer_map(s->shared, NULL, &out, &bytes);
    if (status == TER_OK) {
        status = ter_generator_fill_tiles_device(s->generator, s->world, s->batch.tiles, s->batch.count, &layout, out, NULL);
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
    for (size_t n = 0; n < s->batch.count; n++)
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
    *n_completed = 0;
    return s->shared ? update_shared(s, requests, count, frame, n_completed)
                     : update_through_host(s, requests, count, frame, n_completed);
}
