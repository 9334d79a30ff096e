/* tile_queue.c - computes costs and limits, and chooses requests. */
#include "program/viewer/tiles/tile_queue.h"

#include <math.h>

/* Cost limits of a worker's batch. */
enum {
    HOST_BATCH = 32,    /* on the CPU; also the greatest number of tiles of a batch */
    SHARING_BATCH = 16, /* on the CPU, if the worker rests: while it works, frames take twice as long */
    DEVICE_BATCH = 64,  /* on a GPU: such a batch takes some milliseconds */
    MORPH_BATCH = 32    /* on a GPU in a morph: each tile is made twice */
};

/* ---- costs ---- */

static bool is_on_device(const tile_queue *q)
{
    return q->mode != TILES_BY_HOST_WORKER;
}

double tile_queue_cost(const tile_queue *q, int lod)
{
    static const double FEW_M = 180.0;  /* GPU: from this sample distance on, the network dominates the cost */
    static const double DOUBLE_M = 6.0; /* CPU: a tile of this sample distance takes twice as long as a fine one */
    /* From level 9 on samples are means. On the CPU all of them cost the same, on a GPU those from level 10 on. */
    const int costly = lod < TER_MEANS_LOD ? lod : TER_MEANS_LOD + is_on_device(q);
    const double step_m = ldexp(q->spacing_m, costly < lod ? costly : lod);
    if (!q->has_water)
        return 1.0;
    return is_on_device(q) ? fmax(step_m / FEW_M * (step_m / FEW_M), 1.0) : 1.0 + step_m / DOUBLE_M;
}

bool tile_queue_is_expensive(const tile_queue *q, int lod)
{
    static const double EXPENSIVE = 16.0;
    return tile_queue_cost(q, lod) > EXPENSIVE;
}

double tile_queue_cost_of(const tile_queue *q, const tile_key *keys, size_t count)
{
    double cost = 0.0;
    for (size_t n = 0; n < count; n++)
        cost += tile_queue_cost(q, keys[n].lod);
    return cost;
}

/* ---- tiles by frames ---- */

/** Cost limits of a frame. */
typedef struct frame_budget {
    double share, least, most; /* limit: this share of the number of requests, at least `least`, at most `most` */
    double uncounted;          /* part of an expensive tile's cost that does not count */
} frame_budget;

/** Limits that keep up with a fast flight; they are larger if many tiles are requested. Before and during a morph they
 * are lower, because tiles are made in two worlds. */
static const frame_budget *budget_of(const tile_queue *q)
{
    static const frame_budget budgets[] = {[PHASE_ONE_WORLD] = {1.0 / 2.0, 80.0, 128.0, 32.0},
                                           [PHASE_BEFORE_MORPH] = {1.0 / 2.0, 60.0, 72.0, 0.0},
                                           [PHASE_IN_MORPH] = {1.0 / 4.0, 40.0, 64.0, 12.0}};
    return &budgets[q->phase];
}

void tile_queue_begin_frame(tile_queue *q, double now_s)
{
    static const double LONG_S = 0.005, KEPT = 0.9;
    const double waited_s = now_s - q->updated_s, usual_s = q->usual_wait_s;
    q->usual_wait_s = KEPT * usual_s + (1.0 - KEPT) * waited_s;
    q->has_overrun = !q->has_overrun && waited_s > usual_s + LONG_S;
}

double tile_queue_frame_limit(const tile_queue *q, size_t n_requests)
{
    /* When a morph begins, all tiles are copied. When it ends, the remaining tiles are blended, and the bounds of all
     * tiles are measured. */
    static const double TRANSITION_LIMITS[] = {24.0, 0.0};
    const frame_budget *budget = budget_of(q);
    if (q->waits_for_tiles)
        return INFINITY;
    if (q->has_overrun)
        return 0.0;
    return q->transition_frames > 0 ? TRANSITION_LIMITS[q->transition_frames - 1]
                                    : fmax(budget->least, fmin(budget->share * (double)n_requests, budget->most));
}

static bool is_hidden_and_expensive(const tile_queue *q, const quadtree_request *r)
{
    return !r->is_seen && tile_queue_is_expensive(q, r->key.lod);
}

/** Index of the hidden expensive request that is made out of turn. Returns `count` if there is none, while a morph
 * begins or ends, and if the limit is 0. */
static size_t find_out_of_turn(const tile_queue *q, const quadtree_request *requests, size_t count, double limit)
{
    size_t n = q->transition_frames > 0 || limit <= 0.0 ? count : 0;
    while (n < count && !is_hidden_and_expensive(q, &requests[n]))
        n++;
    return n;
}

size_t tile_queue_choose_for_frame(const tile_queue *q, const quadtree_request *requests, size_t count, double limit,
                                   quadtree_request chosen[TILE_BATCH_MAX])
{
    size_t n_chosen = 0;
    const size_t out_of_turn = find_out_of_turn(q, requests, count, limit);
    double cost = out_of_turn < count
                      ? fmax(tile_queue_cost(q, requests[out_of_turn].key.lod) - budget_of(q)->uncounted, 0.0)
                      : 0.0;
    for (size_t n = 0; n < count && n_chosen < TILE_BATCH_MAX; n++) {
        if (n != out_of_turn && !requests[n].is_seen && (cost >= limit || is_hidden_and_expensive(q, &requests[n])))
            continue;
        cost += n == out_of_turn ? 0.0 : tile_queue_cost(q, requests[n].key.lod);
        chosen[n_chosen++] = requests[n];
    }
    for (size_t n = 0; n < count && n_chosen < TILE_BATCH_MAX && cost < limit; n++)
        if (n != out_of_turn && is_hidden_and_expensive(q, &requests[n])) {
            cost += tile_queue_cost(q, requests[n].key.lod);
            chosen[n_chosen++] = requests[n];
        }
    return n_chosen;
}

double tile_queue_hidden_limit(const tile_queue *q, double limit, double cost)
{
    static const double MOST = 32.0;         /* greatest limit */
    static const double BOTH_WORLDS = 140.0; /* for new tiles in both worlds and loaded tiles in the target world */
    static const double OLDER = 8.0;         /* least limit for loaded tiles before a morph */
    if (limit <= 0.0 || q->phase == PHASE_IN_MORPH)
        return 0.0;
    if (q->waits_for_tiles)
        return limit;
    if (q->transition_frames > 0)
        return 0.0;
    const double left = q->phase == PHASE_BEFORE_MORPH ? fmax(BOTH_WORLDS - cost, OLDER) : limit - cost;
    return fmax(fmin(left, MOST), 0.0);
}

bool tile_queue_end_frame(tile_queue *q, double cost)
{
    static const double MANY = 16.0; /* tiles of this cost take longer than drawing a frame */
    q->transition_frames -= q->transition_frames > 0;
    q->waits_for_device = cost > MANY || q->phase == PHASE_IN_MORPH;
    return cost > MANY;
}

/* ---- tiles by a worker ---- */

void tile_queue_begin_worker_update(tile_queue *q, double now_s)
{
    q->between_s = q->asked_s > 0.0 ? now_s - q->asked_s : 0.0;
    q->asked_s = now_s;
}

double tile_queue_worker_limit(const tile_queue *q)
{
    if (is_on_device(q))
        return q->phase == PHASE_IN_MORPH ? MORPH_BATCH : DEVICE_BATCH;
    return q->waits_for_tiles ? TILE_BATCH_MAX : q->rest > 0.0 ? SHARING_BATCH : HOST_BATCH;
}

double tile_queue_loaded_limit(const tile_queue *q)
{
    return is_on_device(q) ? MORPH_BATCH : tile_queue_worker_limit(q);
}

/** Cost limit of a batch of late tiles: if the worker rests, all that it can make until the next update, because it
 * gets no other batch earlier. */
static double limit_of_late(const tile_queue *q)
{
    static const double BETWEEN_MOST_S = 0.5;
    return fmax(tile_queue_worker_limit(q), q->rest > 0.0 ? q->pace * fmin(q->between_s, BETWEEN_MOST_S) : 0.0);
}

/** Whether the worker makes an expensive tile before cheap ones. */
static bool is_turn_of_expensive(const tile_queue *q, const quadtree_request *cheap, const quadtree_request *expensive)
{
    static const double CHEAP = 8.0 * SHARING_BATCH; /* cost of late cheap tiles before a late expensive one */
    if (cheap->is_seen != expensive->is_seen)
        return expensive->is_seen;
    return q->cheap_cost >= (expensive->is_seen ? CHEAP : 1.0) && (expensive->is_seen || !cheap->is_soon);
}

/** Index of the first request to make. Expensive tiles take turns with cheap ones; otherwise they would wait until they
 * are visible. An expensive tile that is not late waits for tiles that are late or needed soon. */
static size_t first_of_host(const tile_queue *q, const quadtree_request *requests, size_t count)
{
    size_t cheap = 0, expensive = 0;
    while (cheap < count && tile_queue_is_expensive(q, requests[cheap].key.lod))
        cheap++;
    while (expensive < count && !tile_queue_is_expensive(q, requests[expensive].key.lod))
        expensive++;
    const bool takes_expensive =
        expensive < count && (cheap == count || is_turn_of_expensive(q, &requests[cheap], &requests[expensive]));
    return takes_expensive ? expensive : cheap;
}

/** Number of requests, from the first one on, that form a batch for the CPU. */
static size_t count_for_host(const tile_queue *q, const quadtree_request *requests, size_t count)
{
    double cost = 0.0;
    if (count == 0)
        return 0;
    const double limit = requests[0].is_seen ? limit_of_late(q) : tile_queue_worker_limit(q);
    for (size_t n = 0; n < count; n++) {
        cost += tile_queue_cost(q, requests[n].key.lod);
        if (n == HOST_BATCH || (n > 0 && (cost > limit || requests[n].is_seen != requests[0].is_seen)))
            return n;
    }
    return count;
}

/** Number of requests, from the first one on, that fit the cost of a batch; at least one. */
static size_t count_for_device(const tile_queue *q, const quadtree_request *requests, size_t count)
{
    const double limit = tile_queue_worker_limit(q);
    double cost = 0.0;
    size_t n = 0;
    while (n < count && cost < limit)
        cost += tile_queue_cost(q, requests[n++].key.lod);
    return n;
}

/** Number of requests for visible tiles. They are first in the list. */
static size_t count_visible(const quadtree_request *requests, size_t count)
{
    size_t n = 0;
    while (n < count && requests[n].is_seen)
        n++;
    return n;
}

request_range tile_queue_choose_for_worker(const tile_queue *q, const quadtree_request *requests, size_t count)
{
    request_range range = {0, q->waits_for_tiles && q->has_water ? count_visible(requests, count) : count};
    if (is_on_device(q)) {
        const size_t affordable = count_for_device(q, requests, count);
        range.count = range.count < affordable ? range.count : affordable;
    } else if (!q->waits_for_tiles) {
        range.first = first_of_host(q, requests, count);
        range.count = count_for_host(q, requests + range.first, count - range.first);
    }
    return range;
}

size_t tile_queue_worker_order(const tile_queue *q, const worker_moment *m, batch_kind order[3])
{
    const bool is_awaited = q->phase == PHASE_BEFORE_MORPH;
    const bool is_turn_of_morph = is_awaited && !m->is_late && !(m->is_soon && m->last == BATCH_PREPARED);
    size_t n = 0;
    if (m->is_over || (is_awaited && !m->is_late && m->is_prepared))
        return 0;
    if (is_turn_of_morph)
        order[n++] = BATCH_PREPARED;
    order[n++] = BATCH_NEW;
    if (is_awaited && !is_turn_of_morph)
        order[n++] = BATCH_PREPARED;
    if (m->lacks_cover && q->phase != PHASE_IN_MORPH)
        order[n++] = BATCH_RIVERS;
    return n;
}

bool tile_queue_has_rested(const tile_queue *q, bool is_late, double worked_s, double ended_s, double now_s)
{
    return is_late || q->phase == PHASE_BEFORE_MORPH || now_s >= ended_s + q->rest * worked_s;
}

void tile_queue_note_batch(tile_queue *q, const tile_key *keys, size_t count)
{
    q->batch_cost = tile_queue_cost_of(q, keys, count);
    q->cheap_cost = count > 0 && tile_queue_is_expensive(q, keys[0].lod) ? 0.0 : q->cheap_cost + q->batch_cost;
}

void tile_queue_note_made(tile_queue *q, double worked_s)
{
    const double pace = worked_s > 0.0 ? q->batch_cost / worked_s : 0.0;
    if (pace > 0.0)
        q->pace = q->pace > 0.0 ? 0.5 * (q->pace + pace) : pace;
    q->batch_cost = 0.0;
}
