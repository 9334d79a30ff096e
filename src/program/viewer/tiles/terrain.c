/* terrain.c - runs quadtree, tile pool and tile source together. */
#include "program/viewer/tiles/terrain.h"

#include <math.h>
#include <stdio.h>

#include "program/core/clock.h"
#include "program/core/system.h"

static const double LOAD_S = 20.0; /* longest wait for a view, unless frames wait for their tiles */
/* Passed to updates as elapsed time, so that all ranges reach their full width at once, and new tiles show all of their
 * detail. */
static const double LONG_S = 1e9;
static const double AHEAD_S = 0.5; /* longest time of terrain_look_ahead */
/* Longest wait of a morph for its tiles, if a GPU makes them (AWAIT_S) or if the CPU does (AWAIT_HOST_S). */
static const double AWAIT_S = 20.0, AWAIT_HOST_S = 60.0;
static const long WORKER_NS = 500000; /* time between checks of the worker */

/* ---- life ---- */

void terrain_begin(terrain *t, ter_world *world, const look *look)
{
    landscape_create(&t->land, world, look);
    landscape_bounds(&t->land, &t->low_m, &t->high_m);
}

/** Worlds of lattice steps below this show no levels of detail below 0. */
static const double SPACING_MIN_M = 0.25;

result terrain_open(terrain *t, const terrain_options *options)
{
    t->n_slots = options->n_slots;
    t->waits_for_tiles = options->waits_for_tiles;
    t->rest = options->rest;
    t->pool = tile_pool_create(options->n_slots);
    if (!t->pool)
        return result_of(RESULT_FAILED, "no memory for the tile pool");
    const ter_params *p = ter_world_params(t->land.world);
    const int fine_lods = p->spacing >= SPACING_MIN_M ? options->fine_lods : 0;
    quadtree_init(&t->tree, t->pool, p, QUADTREE_DETAIL_MIN, options->mesh_step, fine_lods);
    const tile_source_options source = {.generator = options->generator,
                                        .land = &t->land,
                                        .store = options->store,
                                        .pool = t->pool,
                                        .n_slots = options->n_slots,
                                        .fine_lods = fine_lods,
                                        .waits_for_tiles = options->waits_for_tiles,
                                        .is_real_time = options->is_real_time,
                                        .is_interrupted = options->is_interrupted};
    result res = tile_source_create(&source, &t->source);
    if (res.kind == RESULT_DONE && options->has_morphs)
        res = tile_source_prepare_morphs(t->source);
    return res;
}

void terrain_close(terrain *t)
{
    tile_source_destroy(t->source);
    ter_world_destroy(t->awaited.world);
    tile_pool_destroy(t->pool);
    landscape_destroy(&t->land);
}

/* ---- morphs ---- */

/** Begin a morph now. Tiles that are not prepared for it are loaded in this call. */
static result begin_morph(terrain *t, const fly_morph *m, bool is_front, const camera *c)
{
    result res = tile_source_drain(t->source);
    if (res.kind == RESULT_DONE)
        res = landscape_morph(&t->land, &m->params, &m->look, m->seconds, is_front, c);
    if (res.kind != RESULT_DONE)
        return res;
    res = tile_source_begin_morph(t->source, t->tree.frame);
    if (res.kind != RESULT_DONE) { /* keep the present world */
        tile_source_end_morph(t->source);
        landscape_stay(&t->land);
        return res;
    }
    quadtree_widen_bounds(&t->tree, &m->params);
    landscape_bounds(&t->land, &t->low_m, &t->high_m);
    t->counts.n_morphs++;
    return res;
}

/** Let updates prepare tiles for a morph before it begins, because preparing all at once takes longer than a frame. */
static result await_morph(terrain *t, const fly_morph *m, bool is_front)
{
    result res = landscape_admits(&t->land, &m->params);
    if (res.kind == RESULT_DONE)
        res = tile_source_prepare_morphs(t->source);
    if (res.kind == RESULT_DONE)
        res = result_of_library(ter_world_create(&m->params, &t->awaited.world), "morph");
    if (res.kind != RESULT_DONE)
        return res;
    t->awaited.morph = *m;
    t->awaited.is_front = is_front;
    t->awaited.waited_s = 0.0;
    t->awaited.is_cancelled = false;
    tile_source_await_morph(t->source, t->awaited.world);
    return res;
}

/** Stop waiting for a morph. The worker is idle afterwards. */
static result stop_awaiting(terrain *t)
{
    const result res = tile_source_drain(t->source);
    tile_source_await_morph(t->source, NULL);
    ter_world_destroy(t->awaited.world);
    t->awaited.world = NULL;
    return res;
}

/** Begin the awaited morph if its tiles are prepared, or if it has waited too long. */
static result begin_awaited(terrain *t, double elapsed_s, const camera *c)
{
    const double most_s = tile_source_is_shared(t->source) ? AWAIT_S : AWAIT_HOST_S;
    t->awaited.waited_s += elapsed_s;
    if (!t->awaited.world || !tile_source_is_idle(t->source))
        return result_done();
    if (t->awaited.is_cancelled)
        return stop_awaiting(t);
    if (t->awaited.waited_s < most_s && !tile_source_is_prepared(t->source, t->tree.frame))
        return result_done();
    const result res = begin_morph(t, &t->awaited.morph, t->awaited.is_front, c), stopped = stop_awaiting(t);
    return res.kind == RESULT_DONE ? stopped : res;
}

result terrain_morph(terrain *t, const fly_morph *m, bool is_front, const camera *c)
{
    if (t->land.next || t->awaited.world)
        return result_done(); /* only one morph at a time */
    const int least = quadtree_least_top(&t->tree, ter_world_params(t->land.world));
    if (m->params.levels < least)
        return result_of(RESULT_USAGE, "this land can only become a world of at least %d levels, not %d", least,
                         m->params.levels);
    quadtree_limit_top(&t->tree, &m->params);
    return t->waits_for_tiles ? begin_morph(t, m, is_front, c) : await_morph(t, m, is_front);
}

result terrain_morph_on(terrain *t, double seconds, bool is_front, const camera *c)
{
    fly_morph m = {.params = *ter_world_params(t->land.next ? t->land.next : t->land.world),
                   .look = t->land.next_look,
                   .seconds = seconds};
    m.params.seed++;
    return terrain_morph(t, &m, is_front, c);
}

bool terrain_cancel_morph(terrain *t)
{
    if (t->land.next)
        landscape_turn_back(&t->land);
    else if (t->awaited.world)
        t->awaited.is_cancelled = true; /* destroyed later, because the worker may be reading the morph's world */
    else
        return false;
    return true;
}

result terrain_advance(terrain *t, double elapsed_s, double far_m, const camera *c)
{
    const result begun = begin_awaited(t, elapsed_s, c);
    if (begun.kind != RESULT_DONE || !landscape_advance(&t->land, elapsed_s, far_m))
        return begun;
    if (!tile_source_is_idle(t->source))
        return begun; /* the worker reads both worlds, and frames do not wait for it */
    const result res =
        tile_source_blend(t->source, t->tree.frame, true); /* now each tile has the heights of one world, bit for bit */
    if (t->land.is_returning)
        landscape_stay(&t->land);
    else
        landscape_arrive(&t->land);
    tile_source_end_morph(t->source);
    landscape_bounds(&t->land, &t->low_m, &t->high_m);
    return res;
}

const ter_world *terrain_world_at(const terrain *t, const camera *c)
{
    return t->land.next && landscape_share(&t->land, c) > 0.5 ? t->land.next : t->land.world;
}

/* ---- tiles ---- */

/** Pass the quadtree's requests to the source, and take the completed tiles. */
static result update_source(terrain *t, size_t *n_completed)
{
    const result res = tile_source_update(t->source, t->tree.requests, t->tree.n_requests, t->tree.frame, n_completed);
    t->counts.n_generated += *n_completed;
    return res;
}

static result blend_morph(terrain *t)
{
    return t->land.next ? tile_source_blend(t->source, t->tree.frame, false) : result_done();
}

result terrain_stream(terrain *t, const quadtree_view *view, double elapsed_s)
{
    const double start_s = clock_now_s();
    result res = result_done();
    size_t n_completed = 1, n_made = 0;
    for (int round = 0;
         res.kind == RESULT_DONE && n_completed > 0 && (round == 0 || (t->waits_for_tiles && n_made < t->n_slots));
         round++) {
        quadtree_update(&t->tree, view, t->waits_for_tiles ? LONG_S : elapsed_s);
        res = update_source(t, &n_completed);
        n_made += n_completed;
    }
    if (res.kind == RESULT_DONE)
        res = blend_morph(t);
    t->counts.n_late += t->tree.n_late;
    t->generation_ms = (clock_now_s() - start_s) * 1e3;
    return res;
}

result terrain_catch_up(terrain *t, const quadtree_view *view, double most_s)
{
    const double begun_s = clock_now_s();
    double updated_s = begun_s;
    result res = result_done();
    for (double now_s = begun_s; res.kind == RESULT_DONE && t->tree.n_late > 0 && now_s < begun_s + most_s;
         now_s = clock_now_s()) {
        size_t n_completed;
        system_rest(WORKER_NS);
        if (!tile_source_is_idle(t->source))
            continue;
        quadtree_update(&t->tree, view, now_s - updated_s);
        updated_s = now_s;
        res = update_source(t, &n_completed);
    }
    return res;
}

/** Whether a view must be drawn although tiles are missing. Reports why. */
static bool is_hopeless(const terrain *t, const fly_events *events)
{
    char text[160];
    const terrain_loading *l = &t->loading;
    /* If a source that waits for tiles completes no tile in an update, it has made all tiles that fit into memory. A
     * source that does not wait may let tiles evict each other again and again. */
    const bool is_full = (t->waits_for_tiles && l->is_idle) || l->n_made >= 2 * (size_t)t->n_slots;
    if (is_full)
        snprintf(text, sizeof text,
                 "memory for %u tiles is too small for this view, %zu are missing: expected a larger --tile-memory",
                 (unsigned)t->n_slots, t->tree.n_late);
    else if (!t->waits_for_tiles && clock_now_s() - l->start_s > LOAD_S)
        snprintf(text, sizeof text, "%zu tiles are still missing after %.0f s; the flight goes on without them",
                 t->tree.n_late, LOAD_S);
    else
        return false;
    events->report(text);
    return true;
}

/** Cost of the first `count` requests. */
static double cost_of_requests(const terrain *t, size_t count)
{
    double cost = 0.0;
    for (size_t n = 0; n < count; n++)
        cost += tile_source_cost(t->source, t->tree.requests[n].key.lod);
    return cost;
}

/** If frames wait for tiles, report the estimated time for making the view's land if it is long. Every level of detail
 * has about the same number of visible tiles. Coarse tiles are made first and cost most. */
static void announce(terrain *t, const quadtree_view *view, const fly_events *events)
{
    static const double SOON_S = 1.0, LONG_TIME_S = 5.0;
    char text[96];
    terrain_loading *l = &t->loading;
    const double passed_s = clock_now_s() - l->start_s;
    if (!t->waits_for_tiles || t->is_announced || l->cost_made == 0.0 || passed_s < SOON_S || t->tree.n_requests == 0)
        return;
    size_t n_seen = 0;
    while (n_seen < t->tree.n_requests && t->tree.requests[n_seen].is_seen)
        n_seen++;
    int lod = n_seen > 0 ? t->tree.requests[n_seen - 1].key.lod : 0;
    const size_t of_level = l->n_made / (size_t)(l->coarsest - lod + 1);
    double left = cost_of_requests(t, n_seen);
    while (lod-- > 0 && t->tree.detail * quadtree_tile_width(&t->tree, lod) > view->height)
        left += (double)of_level * tile_source_cost(t->source, lod);
    const double left_s = passed_s * left / l->cost_made;
    t->is_announced = true;
    snprintf(text, sizeof text, "making the land of this view takes about %.0f s", passed_s + left_s);
    if (passed_s + left_s > LONG_TIME_S)
        events->report(text);
}

void terrain_begin_loading(terrain *t)
{
    t->loading = (terrain_loading){.start_s = clock_now_s()};
    tile_source_set_rest(t->source, 0.0); /* no frames compete for the processors */
}

result terrain_load(terrain *t, const quadtree_view *view, double most_s, const fly_events *events, bool *is_done)
{
    const double start_s = clock_now_s();
    terrain_loading *l = &t->loading;
    result res = result_done();
    *is_done = false;
    do {
        size_t n_completed;
        if (events->is_interrupted())
            return result_of(RESULT_INTERRUPTED, "interrupted");
        quadtree_update(&t->tree, view, LONG_S);
        *is_done = t->tree.n_late == 0 || is_hopeless(t, events);
        if (*is_done)
            return res;
        announce(t, view, events);
        if (l->coarsest == 0 && t->tree.n_requests > 0)
            l->coarsest = t->tree.requests[0].key.lod;
        res = update_source(t, &n_completed);
        l->cost_made += cost_of_requests(t, n_completed < t->tree.n_requests ? n_completed : t->tree.n_requests);
        l->n_made += n_completed;
        l->is_idle = n_completed == 0;
        if (l->is_idle)
            system_rest(WORKER_NS);
    } while (res.kind == RESULT_DONE && clock_now_s() - start_s < most_s);
    return res;
}

result terrain_end_loading(terrain *t)
{
    tile_source_set_rest(t->source, t->rest);
    return blend_morph(t);
}

result terrain_complete(terrain *t, const quadtree_view *view, const fly_events *events)
{
    bool is_done = false;
    result res = result_done();
    terrain_begin_loading(t);
    while (res.kind == RESULT_DONE && !is_done)
        res = terrain_load(t, view, LONG_S, events, &is_done);
    const result ended = terrain_end_loading(t);
    return res.kind == RESULT_DONE ? ended : res;
}

result terrain_look_ahead(terrain *t, const quadtree_view *view)
{
    result res = result_done();
    const double start_s = clock_now_s();
    const bool is_waited_for =
        !tile_source_is_shared(t->source) && t->waits_for_tiles; /* frames wait for tiles of the CPU anyway */
    tile_source_set_rest(t->source, 0.0);
    while (res.kind == RESULT_DONE && !is_waited_for && clock_now_s() - start_s < AHEAD_S) {
        size_t n_completed;
        quadtree_update(&t->tree, view, LONG_S);
        if (t->tree.n_requests == 0)
            break;
        res = update_source(t, &n_completed);
        if (n_completed == 0)
            system_rest(WORKER_NS);
    }
    tile_source_set_rest(t->source, t->rest);
    return res;
}

bool terrain_waits_for_device(const terrain *t)
{
    return tile_source_waits_for_device(t->source);
}

int terrain_lod_at(const terrain *t, double distance_m, float *coarser)
{
    const quadtree *tree = &t->tree;
    int lod = 0;
    while (lod < tree->top && quadtree_morph_end(tree, lod) <= distance_m)
        lod++;
    const double start = quadtree_morph_start(tree, lod), end = quadtree_morph_end(tree, lod);
    const double share = lod < tree->top && end > start ? (distance_m - start) / (end - start) : 0.0;
    *coarser = (float)fmin(fmax(share, 0.0), 1.0);
    return lod - tree->fine_lods;
}
