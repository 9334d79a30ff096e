/* tile_source.c - the shared way, the way through host memory, and morphs on both. */
#include "fly/tile_source.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/clock.h"
#include "render/river_cover.h"

enum {
    SHARED_BATCH = RIVER_ARRIVALS, /* tiles a frame when the GPU makes them */
    HOST_BATCH = 32,               /* tiles the worker thread makes at a time */
    SHARING_BATCH = 2,             /* the same where the worker rests: frames meanwhile take twice as long */
    SLOW_BATCH = 6                 /* the same of land that drains: a tile takes some 20 ms, and what is wanted changes meanwhile */
};

/** A batch on its way through host memory. */
typedef struct host_batch {
    ter_tile tiles[SHARED_BATCH];
    uint32_t slots[SHARED_BATCH];
    tile_key keys[SHARED_BATCH];
    size_t count;
    float *heights, *water; /* water: NULL where the store has none, and flow and shore likewise */
    float *flow, *shore;
    bool is_preparation; /* its tiles are there already; the morph that comes gets them */
} host_batch;

typedef enum worker_state { WORKER_IDLE, WORKER_BUSY, WORKER_DONE, WORKER_STOP } worker_state;

struct tile_source {
    ter_generator *generator;
    const landscape *land;
    tile_store *store;
    tile_pool *pool;
    size_t n_slots;
    bool is_patient;
    double rest;                     /* of the worker thread, see tile_source_share */
    double worked_s, worked_until_s; /* how long it took for its last batch, and when that was done */
    ter_morph *morph;                /* heights of both worlds by slot; made for the first morph and kept for the next ones */
    bool is_morphing;                /* the landscape morphs, and tiles are loaded into the morph */
    const ter_world *coming;         /* of a morph that is being prepared, or NULL */
    bool *prepared;                  /* slots whose tiles the morph holds */
    uint32_t *held;                  /* room for a list of all slots */
    tile_key *keys;
    ter_tile *tiles;
    size_t n_settled;      /* tiles completed between updates */
    ter_gl_buffer *shared; /* NULL: through host memory */
    ter_gl_buffer *shared_water;
    ter_gl_buffer *arrivals; /* where tiles with water arrive */
    bool has_water;          /* the store keeps water */
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
    const ter_world *next = s->land->next ? s->land->next : s->coming;
    ter_status status = ter_morph_load(s->morph, 0, s->land->world, tiles, held, count, NULL);
    const int shift = level_of(next, 0) - level_of(s->land->world, 0);
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        ter_tile other[SHARED_BATCH];
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        for (size_t k = 0; k < n; k++)
            other[k] = (ter_tile){tiles[first + k].level + shift, tiles[first + k].i, tiles[first + k].j};
        status = ter_morph_load(s->morph, 1, next, other, held + first, n, NULL);
    }
    return status;
}

/** Make the worker's batch in host memory. */
static ter_status make_batch(tile_source *s)
{
    const host_batch *b = &s->batch;
    const ter_world *world = s->land->world;
    if (s->is_morphing || b->is_preparation)
        return load_morph(s, b->tiles, b->slots, b->count);
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

static outcome start_worker(tile_source *s)
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

/** Let the generator write into the store's buffers, into all or into none. */
static ter_status share_buffers(tile_source *s)
{
    ter_status status = ter_gl_buffer_register(s->generator, tile_store_buffer(s->store), &s->shared);
    if (status == TER_OK && s->has_water)
        status = ter_gl_buffer_register(s->generator, tile_store_water_buffer(s->store), &s->shared_water);
    if (status == TER_OK && s->has_water)
        status = ter_gl_buffer_register(s->generator, tile_store_arrivals_buffer(s->store), &s->arrivals);
    if (status != TER_OK) {
        ter_gl_buffer_unregister(s->shared);
        ter_gl_buffer_unregister(s->shared_water);
        s->shared = s->shared_water = NULL;
    }
    return status;
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
    s->prepared = calloc(s->n_slots, sizeof *s->prepared);
    s->has_water = tile_store_water_buffer(s->store) != 0;
    const ter_status status = share_buffers(s);
    snprintf(s->interop, sizeof s->interop, "%s%s", status == TER_OK ? "on" : "off: ", status == TER_OK ? "" : ter_error_detail());
    outcome o = s->held && s->keys && s->tiles && s->prepared ? outcome_done() : outcome_of(OUTCOME_FAILED, "out of memory");
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
    ter_gl_buffer_unregister(s->shared_water);
    ter_gl_buffer_unregister(s->arrivals);
    ter_morph_destroy(s->morph);
    ter_host_memory_destroy(s->generator, s->batch.heights);
    ter_host_memory_destroy(s->generator, s->batch.water);
    ter_host_memory_destroy(s->generator, s->batch.flow);
    ter_host_memory_destroy(s->generator, s->batch.shore);
    free(s->held);
    free(s->keys);
    free(s->tiles);
    free(s->prepared);
    free(s);
}

const char *tile_source_interop(const tile_source *s)
{
    return s->interop;
}

void tile_source_share(tile_source *s, double rest)
{
    if (!s->has_thread)
        return;
    pthread_mutex_lock(&s->lock);
    s->rest = rest;
    pthread_mutex_unlock(&s->lock);
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
    b->is_preparation = false;
    for (size_t n = 0; n < count && b->count < most; n++) {
        const tile_key key = requests[n].key;
        uint32_t slot;
        if (!tile_pool_reserve(s->pool, key, frame, &slot))
            break;
        b->tiles[b->count] = tile_of(s, key);
        b->slots[b->count] = slot;
        b->keys[b->count] = key;
        tile_store_vacate(s->store, slot);
        s->prepared[slot] = false;
        b->count++;
    }
}

/** Take tiles in view that the coming morph does not hold, up to `most`. */
static void take_unprepared(tile_source *s, size_t most, uint64_t frame)
{
    host_batch *b = &s->batch;
    const size_t count = tile_store_list(s->store, s->held, s->keys);
    b->count = 0;
    b->is_preparation = true;
    for (size_t n = 0; n < count && b->count < most; n++)
        if (!s->prepared[s->held[n]] && tile_pool_is_used(s->pool, s->held[n], frame)) {
            b->slots[b->count] = s->held[n];
            b->tiles[b->count++] = tile_of(s, s->keys[n]);
        }
}

static void complete_batch(tile_source *s, size_t *n_completed)
{
    for (size_t n = 0; n < s->batch.count && s->batch.is_preparation; n++)
        s->prepared[s->batch.slots[n]] = true;
    if (s->batch.is_preparation)
        s->batch.count = 0;
    for (size_t n = 0; n < s->batch.count; n++) {
        tile_store_complete(s->store, s->batch.slots[n], s->batch.keys[n]);
        tile_pool_complete(s->pool, s->batch.slots[n]);
    }
    *n_completed += s->batch.count;
    s->batch.count = 0;
}

/** Find the narrow rivers of a batch that is there. */
static void find_rivers(tile_source *s)
{
    const ter_params *p = ter_world_params(s->land->world);
    float steps_m[SHARED_BATCH];
    for (size_t n = 0; n < s->batch.count; n++)
        steps_m[n] = (float)ldexp(p->spacing, s->batch.keys[n].lod);
    tile_store_find_rivers(s->store, s->batch.slots, steps_m, s->batch.count);
}

/** Map the store's buffers; water too where one of the worlds has it. */
static ter_status map_shared(tile_source *s, ter_layers *out)
{
    size_t bytes;
    *out = (ter_layers){{0}};
    ter_status status = ter_gl_buffer_map(s->shared, NULL, &out->at[TER_LAYER_HEIGHT], &bytes);
    if (status != TER_OK || !s->has_water || !landscape_drains(s->land))
        return status;
    status = ter_gl_buffer_map(s->shared_water, NULL, &out->at[TER_LAYER_WATER], &bytes);
    if (status != TER_OK)
        ter_gl_buffer_unmap(s->shared, NULL);
    return status;
}

/** Give the buffers back after work that went as `status` says. */
static ter_status unmap_shared(tile_source *s, const ter_layers *mapped, ter_status status)
{
    const ter_status water = mapped->at[TER_LAYER_WATER] ? ter_gl_buffer_unmap(s->shared_water, NULL) : TER_OK;
    const ter_status heights = ter_gl_buffer_unmap(s->shared, NULL);
    return status != TER_OK ? status : heights != TER_OK ? heights : water;
}

/** Let a batch arrive with its rivers, and put it into its slots. */
static ter_status fill_arrivals(tile_source *s)
{
    const host_batch *b = &s->batch;
    const ter_tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};
    const size_t layer = (size_t)RIVER_ARRIVALS * TILE_FLOATS;
    float *to;
    size_t bytes;
    ter_status status = ter_gl_buffer_map(s->arrivals, NULL, &to, &bytes);
    if (status != TER_OK)
        return status;
    const ter_layers out = {.at = {[TER_LAYER_HEIGHT] = to + ARRIVAL_HEIGHT * layer,
                                   [TER_LAYER_WATER] = to + ARRIVAL_WATER * layer,
                                   [TER_LAYER_FLOW] = to + ARRIVAL_FLOW * layer,
                                   [TER_LAYER_SHORE] = to + ARRIVAL_SHORE * layer}};
    status = ter_generator_fill_tiles_layers_device(s->generator, s->land->world, b->tiles, b->count, &layout, &out, NULL);
    const ter_status unmapped = ter_gl_buffer_unmap(s->arrivals, NULL);
    if (status != TER_OK || unmapped != TER_OK)
        return status != TER_OK ? status : unmapped;
    tile_store_take_arrivals(s->store, b->slots, b->count);
    find_rivers(s);
    return TER_OK;
}

static ter_status fill_shared(tile_source *s)
{
    ter_layers out;
    const host_batch *b = &s->batch;
    const ter_tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, b->slots};
    if (s->has_water && landscape_drains(s->land))
        return fill_arrivals(s);
    ter_status status = map_shared(s, &out);
    if (status == TER_OK) {
        float *heights = out.at[TER_LAYER_HEIGHT];
        status = ter_generator_fill_tiles_device(s->generator, s->land->world, b->tiles, b->count, &layout, heights, NULL);
        status = unmap_shared(s, &out, status);
    }
    return status;
}

/** Load what room is left in a frame for with tiles of the coming morph. */
static outcome prepare_shared(tile_source *s, size_t room, uint64_t frame, size_t *n_completed)
{
    if (!s->coming)
        return outcome_done();
    take_unprepared(s, room, frame);
    const ter_status status = s->batch.count > 0 ? load_morph(s, s->batch.tiles, s->batch.slots, s->batch.count) : TER_OK;
    complete_batch(s, n_completed);
    return outcome_of_library(status, "morph");
}

static outcome update_shared(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame, size_t *n_completed)
{
    take_requests(s, requests, count, SHARED_BATCH, frame);
    const size_t taken = s->batch.count;
    ter_status status = TER_OK;
    if (taken > 0) /* while the land morphs heights come with the next blend */
        status = s->is_morphing ? load_morph(s, s->batch.tiles, s->batch.slots, taken) : fill_shared(s);
    if (status != TER_OK)
        return outcome_of_library(status, "tiles");
    complete_batch(s, n_completed);
    return prepare_shared(s, SHARED_BATCH - taken, frame, n_completed);
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
        find_rivers(s);
    complete_batch(s, n_completed);
    return outcome_done();
}

/** List the tiles that are there. */
static size_t list_tiles(tile_source *s)
{
    const size_t count = tile_store_list(s->store, s->held, s->keys);
    for (size_t n = 0; n < count; n++)
        s->tiles[n] = tile_of(s, s->keys[n]);
    return count;
}

/** Blend all tiles that are there, through host memory. The worker rests. */
static ter_status blend_through_host(tile_source *s, size_t count)
{
    const bool has_water = s->has_water && landscape_drains(s->land);
    const ter_layers out = {.at = {[TER_LAYER_HEIGHT] = s->batch.heights, [TER_LAYER_WATER] = has_water ? s->batch.water : NULL}};
    ter_status status = TER_OK;
    for (size_t first = 0; first < count && status == TER_OK; first += SHARED_BATCH) {
        const size_t n = count - first < SHARED_BATCH ? count - first : SHARED_BATCH;
        const ter_morph_tiles tiles = {level_of(s->land->world, 0), s->tiles + first, s->held + first, n};
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
        take_unprepared(s, batch_size(s), frame);
    if (s->batch.count == 0)
        take_requests(s, requests, count_wanted(s, requests, count), batch_size(s), frame);
    if (s->batch.count == 0 && s->coming && !is_turn)
        take_unprepared(s, batch_size(s), frame);
}

/** Whether the worker has rested long enough after its last batch; half as long where land in view is missing. */
static bool has_rested(const tile_source *s, bool is_late)
{
    return clock_now_s() >= s->worked_until_s + (is_late ? 0.5 : 1.0) * s->rest * s->worked_s;
}

static outcome update_through_host(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                                   size_t *n_completed)
{
    pthread_mutex_lock(&s->lock);
    outcome o = collect(s, n_completed);
    if (o.kind == OUTCOME_DONE && s->state == WORKER_IDLE && s->is_morphing && !s->is_patient)
        o = outcome_of_library(blend_through_host(s, list_tiles(s)), "morph");
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

static void vacate(void *user, uint32_t slot)
{
    tile_store_vacate(user, slot);
}

outcome tile_source_prepare_morphs(tile_source *s)
{
    if (s->morph)
        return outcome_done();
    ter_status status = ter_morph_create(s->generator, s->n_slots, TILE_SAMPLES, TILE_SAMPLES, &s->morph);
    if (status == TER_OK && s->has_water)
        status = ter_morph_add_water(s->morph);
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

outcome tile_source_begin_morph(tile_source *s, uint64_t frame)
{
    outcome o = settle_worker(s);
    if (o.kind == OUTCOME_DONE)
        o = tile_source_prepare_morphs(s);
    if (o.kind != OUTCOME_DONE)
        return o;
    tile_pool_drop_unused(s->pool, frame, vacate, s->store);
    tile_pool_forget_bounds(s->pool);
    tile_store_set_changing(s->store, true);
    size_t count = list_tiles(s), n_left = 0;
    for (size_t n = 0; n < count; n++)
        if (!s->coming || !s->prepared[s->held[n]]) {
            s->tiles[n_left] = s->tiles[n];
            s->held[n_left++] = s->held[n];
        }
    s->is_morphing = true;
    s->coming = NULL;
    return outcome_of_library(load_morph(s, s->tiles, s->held, n_left), "morph");
}

static ter_status blend_shared(tile_source *s, size_t count)
{
    ter_layers out;
    const ter_tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, s->held};
    const ter_morph_tiles tiles = {level_of(s->land->world, 0), s->tiles, s->held, count};
    ter_status status = map_shared(s, &out);
    if (status != TER_OK)
        return status;
    status = ter_morph_blend_layers(s->morph, &s->land->blend, &tiles, &layout, &out, NULL);
    return unmap_shared(s, &out, status);
}

outcome tile_source_blend(tile_source *s, bool is_last)
{
    if (s->has_thread && !s->is_patient && !is_last)
        return outcome_done(); /* that is done whenever the worker rests */
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
