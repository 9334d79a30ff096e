/* tile_source_worker.c - a thread that makes tiles while frames are drawn; updates take what it has made, and give it
 * the next batch. */
#include <math.h>

#include "library/core/priority.h"
#include "program/core/clock.h"
#include "program/viewer/tiles/tile_source_state.h"

enum {
    HOST_BATCH =
        32, /* cost of the tiles that the worker thread makes at a time, in fine ones; no more tiles than this, too */
    SHARING_BATCH = 16, /* the same where the worker rests: frames meanwhile take twice as long; more where land in view
                           is missing */
    GPU_BATCH = 64,     /* the same where a GPU makes it: some milliseconds */
    MORPH_BATCH = 32,   /* the same for a morph: each tile is made twice */
    NICE = 5            /* of the worker where it rests: frames come first, and tiles get more of what they leave */
};

/** Make the worker's batch, and, where a GPU does, wait for it. */
static ter_status make_batch(tile_source *s)
{
    const host_batch *b = &s->batch;
    ter_status status;
    if (b->kind == BATCH_PREPARED)
        status = tile_source_load_coming(s, b->tiles, b->slots, b->count);
    else if (s->is_morphing)
        status = tile_source_load_morph(s, b->tiles, b->slots, b->count);
    else
        status = s->shared ? tile_source_fill_arrivals(s) : tile_source_fill_host(s);
    return status == TER_OK ? tile_source_wait(s) : status;
}

static void *work(void *user)
{
    tile_source *s = user;
    bool gives_way = false;
    pthread_mutex_lock(&s->lock);
    while (s->state != WORKER_STOP) {
        if (s->state != WORKER_BUSY) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        if (s->rest > 0.0 && !gives_way) /* not while the first view is loaded: lower priorities stay */
            ter_thread_set_nice(ter_thread_nice() + NICE);
        gives_way |= s->rest > 0.0;
        pthread_mutex_unlock(&s->lock);
        const double begun_s = clock_now_s();
        const ter_status status = make_batch(s);
        const double ended_s = clock_now_s();
        pthread_mutex_lock(&s->lock);
        s->worked_s = ended_s - begun_s;
        s->worked_until_s = ended_s;
        s->worker_result =
            s->is_interrupted() ? outcome_of(OUTCOME_INTERRUPTED, "interrupted") : outcome_of_library(status, "tiles");
        if (s->state == WORKER_BUSY)
            s->state = WORKER_DONE;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

outcome tile_source_start_worker(tile_source *s)
{
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    s->has_thread = pthread_create(&s->thread, NULL, work, s) == 0;
    return s->has_thread ? outcome_done() : outcome_of(OUTCOME_FAILED, "the system has no thread for the tile worker");
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

/** Note how fast the worker was with a batch whose cost is known. */
static void note_pace(tile_source *s)
{
    const double pace = s->worked_s > 0.0 ? s->batch_cost / s->worked_s : 0.0;
    if (pace > 0.0)
        s->pace = s->pace > 0.0 ? 0.5 * (s->pace + pace) : pace;
    s->batch_cost = 0.0;
}

/** Take what the worker has finished. Call with the lock held. */
static outcome collect(tile_source *s, size_t *n_completed)
{
    if (s->state != WORKER_DONE)
        return outcome_done();
    s->state = WORKER_IDLE;
    note_pace(s);
    const bool has_heights = !s->is_morphing && s->batch.kind != BATCH_PREPARED;
    const outcome taken = s->shared ? tile_source_unmap_arrivals(s) : outcome_done();
    if (s->worker_result.kind != OUTCOME_DONE || taken.kind != OUTCOME_DONE)
        return s->worker_result.kind != OUTCOME_DONE ? s->worker_result : taken;
    if (has_heights && s->shared)
        tile_source_take_arrivals(s);
    else if (has_heights)
        tile_source_upload(s);
    tile_source_complete_batch(s, n_completed);
    return outcome_done();
}

outcome tile_source_settle(tile_source *s)
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

bool tile_source_is_idle(tile_source *s)
{
    if (!s->has_thread)
        return true;
    pthread_mutex_lock(&s->lock);
    const bool is_idle = s->state != WORKER_BUSY;
    pthread_mutex_unlock(&s->lock);
    return is_idle;
}

/** What a batch may cost. */
static double most_at_once(const tile_source *s)
{
    if (s->shared)
        return s->is_morphing ? MORPH_BATCH : GPU_BATCH;
    return s->is_patient ? SHARED_BATCH : s->rest > 0.0 ? SHARING_BATCH : HOST_BATCH;
}

/** What a batch of late tiles may cost: what the worker makes until it is asked again, for between two frames nobody
 * gives it another one. */
static double most_late(const tile_source *s)
{
    static const double BETWEEN_MOST_S = 0.5;
    return fmax(most_at_once(s), s->rest > 0.0 ? s->pace * fmin(s->between_s, BETWEEN_MOST_S) : 0.0);
}

/** Whether the worker makes a dear tile before cheap ones. */
static bool is_turn_of_dear(const tile_source *s, const quadtree_request *cheap, const quadtree_request *dear)
{
    static const double CHEAP =
        8.0 * SHARING_BATCH; /* of late cheap tiles, a tenth of a second, for a dear one that is late too */
    if (cheap->is_seen != dear->is_seen)
        return dear->is_seen;
    return s->cheap_cost >= (dear->is_seen ? CHEAP : 1.0) && (dear->is_seen || !cheap->is_soon);
}

/** The first request to work on. Dear tiles take turns with others, but wait for what is late or wanted soon unless
 * they are late themselves: without turns they would wait until somebody sees them. */
static size_t first_of_host(const tile_source *s, const quadtree_request *requests, size_t count)
{
    size_t cheap = 0, dear = 0;
    while (cheap < count && tile_source_is_dear(s, requests[cheap].key.lod))
        cheap++;
    while (dear < count && !tile_source_is_dear(s, requests[dear].key.lod))
        dear++;
    const bool is_dear = dear < count && (cheap == count || is_turn_of_dear(s, &requests[cheap], &requests[dear]));
    return is_dear ? dear : cheap;
}

/** How many requests make a batch of the CPU, from the first one on: none that nobody sees beside those that are late.
 */
static size_t count_for_host(const tile_source *s, const quadtree_request *requests, size_t count)
{
    const double most = requests[0].is_seen ? most_late(s) : most_at_once(s);
    double cost = 0.0;
    for (size_t n = 0; n < count; n++) {
        cost += tile_source_cost(s, requests[n].key.lod);
        if (n == HOST_BATCH || (n > 0 && (cost > most || requests[n].is_seen != requests[0].is_seen)))
            return n;
    }
    return count;
}

/** Note what a batch of the CPU costs. */
static void note_batch(tile_source *s)
{
    const host_batch *b = &s->batch;
    s->batch_cost = 0.0;
    for (size_t n = 0; n < b->count; n++)
        s->batch_cost += tile_source_cost(s, b->keys[n].lod);
    s->cheap_cost = b->count > 0 && tile_source_is_dear(s, b->keys[0].lod) ? 0.0 : s->cheap_cost + s->batch_cost;
}

/** Choose of what is requested. A patient flight over land that is slow to make, now or after a morph, waits only for
 * what it sees, which comes first. */
static void choose_requests(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame)
{
    const size_t wanted = s->is_patient && s->has_water ? tile_source_count_seen(requests, count) : count;
    if (s->shared) {
        tile_source_take_requests(s, requests, wanted, tile_source_affordable(s, requests, count, most_at_once(s)),
                                  frame);
    } else if (s->is_patient) {
        tile_source_take_requests(s, requests, wanted, SHARED_BATCH, frame);
    } else {
        const size_t first = first_of_host(s, requests, count);
        tile_source_take_requests(s, requests + first, count - first,
                                  count_for_host(s, requests + first, count - first), frame);
        note_batch(s);
    }
}

/** Choose what the worker makes next: what is seen and missing; else by turns tiles for a coming morph and what will be
 * seen soon, and then what may be seen later. Nothing once all are there that the morph needs, or once it is over: no
 * frame waits for its begin and its end. */
static void choose_batch(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame)
{
    const bool is_late = count > 0 && requests[0].is_seen;
    const bool is_soon = count > 0 && requests[0].is_soon;
    const bool is_turn = s->coming && !is_late && !(is_soon && s->batch.kind == BATCH_PREPARED);
    const double unprepared = s->shared ? MORPH_BATCH : most_at_once(s);
    s->batch.count = 0;
    if (landscape_is_over(s->land) || (s->coming && !is_late && tile_source_is_prepared(s, frame)))
        return;
    if (is_turn)
        tile_source_take_held(s, BATCH_PREPARED, unprepared, frame);
    if (s->batch.count == 0)
        choose_requests(s, requests, count, frame);
    if (s->batch.count == 0 && s->coming && !is_turn)
        tile_source_take_held(s, BATCH_PREPARED, unprepared, frame);
    if (s->batch.count == 0 && s->has_bare && !s->is_morphing)
        tile_source_take_held(s, BATCH_RIVERS, unprepared, frame);
}

/** Whether the worker has rested long enough after its last batch; it does not rest where land in view is missing, nor
 * while somebody waits for a morph. */
static bool has_rested(const tile_source *s, bool is_late)
{
    return is_late || s->coming || clock_now_s() >= s->worked_until_s + s->rest * s->worked_s;
}

/** Give the worker a batch, if there is one. Call with the lock held. */
static outcome begin_batch(tile_source *s)
{
    outcome o = outcome_done();
    if (s->batch.count == 0)
        return o;
    if (s->shared && !s->is_morphing && s->batch.kind != BATCH_PREPARED)
        o = tile_source_map_arrivals(s);
    if (o.kind == OUTCOME_DONE) {
        s->state = WORKER_BUSY;
        pthread_cond_broadcast(&s->changed);
    }
    return o;
}

outcome tile_source_update_by_worker(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                                     size_t *n_completed)
{
    const double now_s = clock_now_s();
    s->between_s = s->asked_s > 0.0 ? now_s - s->asked_s : 0.0;
    s->asked_s = now_s;
    pthread_mutex_lock(&s->lock);
    outcome o = collect(s, n_completed);
    if (o.kind == OUTCOME_DONE && s->state == WORKER_IDLE && s->is_morphing && !s->shared && !s->is_patient)
        o = outcome_of_library(tile_source_blend_through_host(s, tile_source_list_changed(s)), "morph");
    if (o.kind == OUTCOME_DONE && s->state == WORKER_IDLE && has_rested(s, count > 0 && requests[0].is_seen)) {
        choose_batch(s, requests, count, frame);
        o = begin_batch(s);
        while (s->is_patient && s->state == WORKER_BUSY)
            pthread_cond_wait(&s->changed, &s->lock);
        if (s->is_patient && o.kind == OUTCOME_DONE)
            o = collect(s, n_completed);
    }
    pthread_mutex_unlock(&s->lock);
    return o;
}
