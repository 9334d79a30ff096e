/* tile_source_batches.c - life of a tile source, and its batches. */
#include "program/viewer/tiles/tile_source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/core/clock.h"
#include "program/viewer/tiles/tile_source_state.h"

int tile_source_level(const ter_world *world, int lod)
{
    return ter_world_params(world)->levels - lod;
}

ter_tile tile_source_tile(const tile_source *s, tile_key key)
{
    return (ter_tile){tile_source_level(s->land->world, key.lod), key.i * TILE_QUADS - TILE_APRON,
                      key.j * TILE_QUADS - TILE_APRON};
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
    s->is_interrupted = means->is_interrupted;
    s->worker_result = outcome_done();
    s->updated_s = clock_now_s();
    s->held = calloc(s->n_slots, sizeof *s->held);
    s->keys = calloc(s->n_slots, sizeof *s->keys);
    s->tiles = calloc(s->n_slots, sizeof *s->tiles);
    s->prepared = calloc(s->n_slots, sizeof *s->prepared);
    s->bare = calloc(s->n_slots, sizeof *s->bare);
    s->shown = calloc(s->n_slots, sizeof *s->shown);
    s->has_water = tile_store_water_buffer(s->store) != 0;
    const ter_status status = tile_source_share_buffers(s);
    snprintf(s->interop, sizeof s->interop, "%s%s",
             status == TER_OK ? "on" : "off: ", status == TER_OK ? "" : ter_error_detail());
    outcome o = s->held && s->keys && s->tiles && s->prepared && s->bare && s->shown
                    ? outcome_done()
                    : outcome_of(OUTCOME_FAILED, "out of memory");
    if (o.kind == OUTCOME_DONE && !s->shared)
        o = tile_source_reserve_host(s);
    if (o.kind == OUTCOME_DONE && (!s->shared || (means->is_real_time && s->has_water)))
        o = tile_source_start_worker(s);
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
    tile_source_stop_worker(s);
    (void)tile_source_unmap_arrivals(s);
    ter_gl_buffer_unregister(s->shared);
    ter_gl_buffer_unregister(s->shared_water);
    ter_gl_buffer_unregister(s->arrivals);
    ter_morph_destroy(s->morph);
    ter_generator_destroy(s->other);
    ter_host_memory_destroy(s->generator, s->batch.heights);
    ter_host_memory_destroy(s->generator, s->batch.water);
    ter_host_memory_destroy(s->generator, s->batch.flow);
    ter_host_memory_destroy(s->generator, s->batch.shore);
    free(s->held);
    free(s->keys);
    free(s->tiles);
    free(s->prepared);
    free(s->bare);
    free(s->shown);
    free(s);
}

const char *tile_source_interop(const tile_source *s)
{
    return s->interop;
}

bool tile_source_is_shared(const tile_source *s)
{
    return s->shared != NULL;
}

void tile_source_share(tile_source *s, double rest)
{
    if (!s->has_thread)
        return;
    pthread_mutex_lock(&s->lock);
    s->rest = rest;
    pthread_mutex_unlock(&s->lock);
}

double tile_source_cost(const tile_source *s, int lod)
{
    static const double FEW_M = 180.0; /* distance of samples from which on the network counts on a GPU */
    static const double DOUBLE_M =
        6.0; /* and at which a tile takes a CPU twice as long as a fine one: 1.5 ms, 130 ms at 512 m */
    const double step_m = ldexp(ter_world_params(s->land->world)->spacing, lod);
    if (!s->has_water)
        return 1.0;
    return s->shared ? fmax(step_m / FEW_M * (step_m / FEW_M), 1.0) : 1.0 + step_m / DOUBLE_M;
}

bool tile_source_is_dear(const tile_source *s, int lod)
{
    static const double DEAR = 16.0;
    return tile_source_cost(s, lod) > DEAR;
}

size_t tile_source_count_seen(const quadtree_request *requests, size_t count)
{
    size_t n = 0;
    while (n < count && requests[n].is_seen)
        n++;
    return n;
}

size_t tile_source_affordable(const tile_source *s, const quadtree_request *requests, size_t count, double most)
{
    double cost = 0.0;
    size_t n = 0;
    while (n < count && cost < most)
        cost += tile_source_cost(s, requests[n++].key.lod);
    return n;
}

void tile_source_take_requests(tile_source *s, const quadtree_request *requests, size_t count, size_t most,
                               uint64_t frame)
{
    host_batch *b = &s->batch;
    b->count = 0;
    b->kind = BATCH_NEW;
    for (size_t n = 0; n < count && b->count < most; n++) {
        const tile_key key = requests[n].key;
        uint32_t slot;
        if (!tile_pool_reserve(s->pool, key, frame, &slot))
            break;
        b->tiles[b->count] = tile_source_tile(s, key);
        b->slots[b->count] = slot;
        b->keys[b->count] = key;
        tile_store_vacate(s->store, slot);
        s->prepared[slot] = s->bare[slot] = false;
        s->shown[slot] = TER_BLEND_WITHIN; /* nothing yet: in a morph the next blend shows it */
        b->count++;
    }
}

void tile_source_complete_batch(tile_source *s, size_t *n_completed)
{
    host_batch *b = &s->batch;
    for (size_t n = 0; n < b->count; n++) {
        const uint32_t slot = b->slots[n];
        if (b->kind == BATCH_NEW) {
            tile_store_complete(s->store, slot, b->keys[n]);
            tile_pool_complete(s->pool, slot);
        } else if (b->kind == BATCH_PREPARED) {
            s->prepared[slot] = true;
        } else {
            s->bare[slot] = false;
        }
    }
    *n_completed += b->kind == BATCH_NEW ? b->count : 0;
    b->count = 0;
}

void tile_source_find_rivers(tile_source *s)
{
    const ter_params *p = ter_world_params(s->land->world);
    float steps_m[SHARED_BATCH];
    for (size_t n = 0; n < s->batch.count; n++)
        steps_m[n] = (float)ldexp(p->spacing, s->batch.keys[n].lod);
    tile_store_find_rivers(s->store, s->batch.slots, steps_m, (float)p->spacing, s->batch.count);
}

/** Whether tiles are made while frames are drawn. Where GPU memory is shared that is worth it for land that drains
 * alone. */
static bool is_made_aside(const tile_source *s)
{
    return s->has_thread && (!s->shared || landscape_drains(s->land));
}

bool tile_source_waits_for_device(const tile_source *s)
{
    return s->waits && !is_made_aside(s);
}

outcome tile_source_update(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                           size_t *n_completed)
{
    if (!is_made_aside(s)) {
        const outcome o = tile_source_settle(s);
        if (o.kind != OUTCOME_DONE)
            return o;
    }
    *n_completed = s->n_settled;
    s->n_settled = 0;
    return is_made_aside(s) ? tile_source_update_by_worker(s, requests, count, frame, n_completed)
                            : tile_source_update_shared(s, requests, count, frame, n_completed);
}
