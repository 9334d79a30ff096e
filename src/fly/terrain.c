/* terrain.c - quadtree, pool and source together. */
#include "fly/terrain.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "program/clock.h"

static const double LOAD_S = 20.0; /* a view waits for the land at most so long, unless its frames always wait */
static const double LONG_S = 1e9;  /* in it ranges of levels grow to their full width, and tiles show all of their detail */
static const double AHEAD_S = 0.5; /* what a flight may need soon is loaded at most so long before it begins */
static const double AWAIT_S = 20.0, AWAIT_HOST_S = 60.0; /* of flight: a morph waits for its tiles at most so long; on the CPU */
static const long WORKER_NS = 500000;                    /* between two looks at what the worker has made */

/* ---- life ---- */

void terrain_begin(terrain *t, ter_world *world, const look *look)
{
    landscape_create(&t->land, world, look);
    landscape_bounds(&t->land, &t->low_m, &t->high_m);
}

outcome terrain_open(terrain *t, const terrain_means *means)
{
    t->n_slots = means->n_slots;
    t->is_patient = means->is_patient;
    t->rest = means->rest;
    t->pool = tile_pool_create(means->n_slots);
    if (!t->pool)
        return outcome_of(OUTCOME_FAILED, "no memory for the tile pool");
    quadtree_init(&t->tree, t->pool, ter_world_params(t->land.world), QUADTREE_DETAIL_MIN, means->mesh_step);
    const tile_source_means source = {.generator = means->generator,
                                      .land = &t->land,
                                      .store = means->store,
                                      .pool = t->pool,
                                      .n_slots = means->n_slots,
                                      .is_patient = means->is_patient,
                                      .is_real_time = means->is_real_time,
                                      .is_interrupted = means->is_interrupted};
    outcome o = tile_source_create(&source, &t->source);
    if (o.kind == OUTCOME_DONE && means->has_morphs)
        o = tile_source_prepare_morphs(t->source);
    return o;
}

void terrain_close(terrain *t)
{
    tile_source_destroy(t->source);
    ter_world_destroy(t->coming.world);
    tile_pool_destroy(t->pool);
    landscape_destroy(&t->land);
}

/* ---- morphs ---- */

/** Begin a morph, with the tiles that are loaded for it and the others now. */
static outcome begin_morph(terrain *t, const fly_morph *m, bool is_front, const camera *c)
{
    outcome o = tile_source_settle(t->source);
    if (o.kind == OUTCOME_DONE)
        o = landscape_morph(&t->land, &m->params, &m->look, m->seconds, is_front, c);
    if (o.kind != OUTCOME_DONE)
        return o;
    o = tile_source_begin_morph(t->source, t->tree.frame);
    if (o.kind != OUTCOME_DONE) { /* the land stays as it is */
        tile_source_end_morph(t->source);
        landscape_stay(&t->land);
        return o;
    }
    quadtree_admit(&t->tree, &m->params);
    landscape_bounds(&t->land, &t->low_m, &t->high_m);
    t->counts.n_morphs++;
    return o;
}

/** Let updates load tiles for a morph before it begins: all at once they take longer than a frame. */
static outcome await_morph(terrain *t, const fly_morph *m, bool is_front)
{
    outcome o = landscape_admits(&t->land, &m->params);
    if (o.kind == OUTCOME_DONE)
        o = tile_source_prepare_morphs(t->source);
    if (o.kind == OUTCOME_DONE)
        o = outcome_of_library(ter_world_create(&m->params, &t->coming.world), "morph");
    if (o.kind != OUTCOME_DONE)
        return o;
    t->coming.morph = *m;
    t->coming.is_front = is_front;
    t->coming.waited_s = 0.0;
    tile_source_await_morph(t->source, t->coming.world);
    return o;
}

/** Begin the morph that is awaited when its tiles are there, or have not come for long. */
static outcome begin_awaited(terrain *t, double elapsed_s, const camera *c)
{
    const double most_s = tile_source_is_shared(t->source) ? AWAIT_S : AWAIT_HOST_S;
    t->coming.waited_s += elapsed_s;
    if (!t->coming.world || !tile_source_is_idle(t->source) ||
        (t->coming.waited_s < most_s && !tile_source_is_prepared(t->source, t->tree.frame)))
        return outcome_done();
    const outcome o = begin_morph(t, &t->coming.morph, t->coming.is_front, c);
    tile_source_await_morph(t->source, NULL);
    ter_world_destroy(t->coming.world);
    t->coming.world = NULL;
    return o;
}

outcome terrain_morph(terrain *t, const fly_morph *m, bool is_front, const camera *c)
{
    if (t->land.next || t->coming.world)
        return outcome_done(); /* one at a time */
    if (m->params.levels < t->tree.top)
        return outcome_of(OUTCOME_USAGE, "this land can only become a world of at least %d levels, not %d", t->tree.top,
                          m->params.levels);
    return t->is_patient ? begin_morph(t, m, is_front, c) : await_morph(t, m, is_front);
}

outcome terrain_morph_on(terrain *t, double seconds, bool is_front, const camera *c)
{
    fly_morph m = {
        .params = *ter_world_params(t->land.next ? t->land.next : t->land.world), .look = t->land.next_look, .seconds = seconds};
    m.params.seed++;
    return terrain_morph(t, &m, is_front, c);
}

outcome terrain_advance(terrain *t, double elapsed_s, double far_m, const camera *c)
{
    const outcome begun = begin_awaited(t, elapsed_s, c);
    if (begun.kind != OUTCOME_DONE || !landscape_advance(&t->land, elapsed_s, far_m))
        return begun;
    if (!tile_source_is_idle(t->source))
        return begun;                                                    /* it reads both worlds; no frame waits for it */
    const outcome o = tile_source_blend(t->source, t->tree.frame, true); /* the next world, bit for bit */
    landscape_arrive(&t->land);
    tile_source_end_morph(t->source);
    landscape_bounds(&t->land, &t->low_m, &t->high_m);
    return o;
}

const ter_world *terrain_world_at(const terrain *t, const camera *c)
{
    return t->land.next && landscape_share(&t->land, c) > 0.5 ? t->land.next : t->land.world;
}

/* ---- tiles ---- */

/** Start on what the quadtree asks for, and take what has become ready. */
static outcome update_source(terrain *t, size_t *n_completed)
{
    const outcome o = tile_source_update(t->source, t->tree.requests, t->tree.n_requests, t->tree.frame, n_completed);
    t->counts.n_generated += *n_completed;
    return o;
}

static outcome blend_morph(terrain *t)
{
    return t->land.next ? tile_source_blend(t->source, t->tree.frame, false) : outcome_done();
}

outcome terrain_stream(terrain *t, const quadtree_view *view, double elapsed_s)
{
    const double start_s = clock_now_s();
    outcome o = outcome_done();
    size_t n_completed = 1, n_made = 0;
    for (int round = 0; o.kind == OUTCOME_DONE && n_completed > 0 && (round == 0 || (t->is_patient && n_made < t->n_slots));
         round++) {
        quadtree_update(&t->tree, view, t->is_patient ? LONG_S : elapsed_s);
        o = update_source(t, &n_completed);
        n_made += n_completed;
    }
    if (o.kind == OUTCOME_DONE)
        o = blend_morph(t);
    t->counts.n_late += t->tree.n_late;
    t->generation_ms = (clock_now_s() - start_s) * 1e3;
    return o;
}

/** Whether a view is drawn although tiles are missing; says why. is_idle: the last update has brought none */
static bool is_hopeless(const terrain *t, double waited_s, size_t n_made, bool is_idle, const fly_events *events)
{
    char text[160];
    /* a patient source has made all it can; else tiles may have made room for each other all the time */
    const bool is_full = (t->is_patient && is_idle) || n_made >= 2 * (size_t)t->n_slots;
    if (is_full)
        snprintf(text, sizeof text,
                 "memory for %u tiles is too small for this view, %zu are missing: expected a larger --tile-memory",
                 (unsigned)t->n_slots, t->tree.n_late);
    else if (!t->is_patient && waited_s > LOAD_S)
        snprintf(text, sizeof text, "%zu tiles are still missing after %.0f s; the flight goes on without them", t->tree.n_late,
                 LOAD_S);
    else
        return false;
    events->say(text);
    return true;
}

static outcome complete(terrain *t, const quadtree_view *view, const fly_events *events)
{
    const double start_s = clock_now_s();
    size_t n_made = 0;
    bool is_idle = false;
    while (!events->is_interrupted()) {
        size_t n_completed;
        quadtree_update(&t->tree, view, LONG_S);
        if (t->tree.n_late == 0 || is_hopeless(t, clock_now_s() - start_s, n_made, is_idle, events))
            return blend_morph(t);
        const outcome o = update_source(t, &n_completed);
        if (o.kind != OUTCOME_DONE)
            return o;
        n_made += n_completed;
        is_idle = n_completed == 0;
        if (is_idle)
            nanosleep(&(struct timespec){.tv_nsec = WORKER_NS}, NULL);
    }
    return outcome_of(OUTCOME_INTERRUPTED, "interrupted");
}

outcome terrain_complete(terrain *t, const quadtree_view *view, const fly_events *events)
{
    tile_source_share(t->source, 0.0); /* nothing is drawn meanwhile */
    const outcome o = complete(t, view, events);
    tile_source_share(t->source, t->rest);
    return o;
}

outcome terrain_look_ahead(terrain *t, const quadtree_view *view)
{
    outcome o = outcome_done();
    const double start_s = clock_now_s();
    const bool is_waited_for = !tile_source_is_shared(t->source) && t->is_patient; /* frames wait for the CPU's tiles anyway */
    tile_source_share(t->source, 0.0);
    while (o.kind == OUTCOME_DONE && !is_waited_for && clock_now_s() - start_s < AHEAD_S) {
        size_t n_completed;
        quadtree_update(&t->tree, view, LONG_S);
        if (t->tree.n_requests == 0)
            break;
        o = update_source(t, &n_completed);
        if (n_completed == 0)
            nanosleep(&(struct timespec){.tv_nsec = WORKER_NS}, NULL);
    }
    tile_source_share(t->source, t->rest);
    return o;
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
    return lod;
}
