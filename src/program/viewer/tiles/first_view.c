/* first_view.c - counts tiles by running the quadtree with a pool whose tiles are never made. */
#include "program/viewer/tiles/first_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/fill.h"
#include "program/core/clock.h"
#include "program/core/duration.h"

enum {
    EXPENSIVE_LOD = 11, /* finer tiles take less than half a second each */
    ALONE_LOD = 13,     /* from this lod on no two samples share a network, so all lods take the same time */
    ROUNDS_MAX = 64     /* most updates of the quadtree; each adds a level */
};
/* LONG_S: passed to updates as elapsed time, so that all ranges reach their full width at once, and new tiles show all
 * of their detail. REPORT_S: longer times are reported. */
static const double LONG_S = 1e9, REPORT_S = 5.0;

/** Number of tiles of each lod. */
typedef struct tile_counts {
    size_t of[TILE_LODS];
} tile_counts;

/** Complete the visible requests without making their tiles. Returns false if there is no visible request. */
static bool take_requests(quadtree *tree, tile_counts *counts)
{
    bool has_taken = false;
    for (size_t n = 0; n < tree->n_requests && tree->requests[n].is_seen; n++) {
        uint32_t slot;
        if (!tile_pool_reserve(tree->pool, tree->requests[n].key, tree->frame, &slot))
            break;
        tile_pool_complete(tree->pool, slot);
        counts->of[tree->requests[n].key.lod]++;
        has_taken = true;
    }
    return has_taken;
}

static result count_tiles(const terrain *t, const quadtree_view *view, tile_counts *counts)
{
    quadtree *tree = malloc(sizeof *tree);
    tile_pool *pool = tile_pool_create(t->n_slots);
    const result res = tree && pool ? result_done() : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE) {
        memcpy(tree, &t->tree, sizeof *tree);
        tree->pool = pool;
        for (int n = 0; n < ROUNDS_MAX; n++) {
            quadtree_update(tree, view, LONG_S);
            if (!take_requests(tree, counts))
                break;
        }
    }
    tile_pool_destroy(pool);
    free(tree);
    return res;
}

/** Measure how long a sample of a lod takes at the camera's position, seconds. */
static result time_sample(const terrain *t, const quadtree_view *view, int lod, ter_generator *generator,
                          double *seconds)
{
    enum { COLUMNS = 16, ROWS = 16, ROWS_ALONE = 2, LAYERS = 4 };
    static const ter_layer made[LAYERS] = {TER_LAYER_HEIGHT, TER_LAYER_WATER, TER_LAYER_FLOW, TER_LAYER_SHORE};
    static float samples[LAYERS][COLUMNS * ROWS];
    layer_arrays out = {{0}};
    const int rows = lod > EXPENSIVE_LOD ? ROWS_ALONE : ROWS;
    const int64_t step = INT64_C(1) << lod;
    const ter_rect rect = {ter_world_params(t->land.world)->levels + t->tree.fine_lods - lod, view->cell_x / step,
                           view->cell_z / step, COLUMNS, rows};
    for (int n = 0; n < LAYERS; n++)
        out.at[made[n]] = samples[n];
    const double begun_s = clock_now_s();
    const ter_status status = fill_rect(generator, t->land.world, &rect, &out, COLUMNS);
    *seconds = (clock_now_s() - begun_s) / (COLUMNS * rows);
    return result_of_library(status, "tiles");
}

/** Report number and time of the expensive tiles. */
static void report_forecast(terrain *t, const tile_counts *counts, double seconds, const fly_events *events)
{
    char text[256], time[DURATION_TEXT];
    size_t n_expensive = 0;
    int finest = TILE_LODS - 1;
    for (int lod = TILE_LODS - 1; lod >= EXPENSIVE_LOD; lod--) {
        n_expensive += counts->of[lod];
        finest = counts->of[lod] > 0 ? lod : finest;
    }
    duration_describe(seconds, time);
    snprintf(text, sizeof text,
             "first view: %zu tiles of coarse land, samples %g m apart and more, take the CPU about %s; a lower "
             "--altitude or --backend cuda takes less time",
             n_expensive, ldexp(t->tree.spacing, finest), time);
    events->report(text);
    t->is_announced = true;
}

result first_view_forecast(terrain *t, const quadtree_view *view, ter_generator *generator, const fly_events *events)
{
    tile_counts counts = {{0}};
    double sample_s = 0.0, seconds = 0.0;
    if (ter_generator_backend(generator) != TER_BACKEND_CPU || !ter_world_has_layer(t->land.world, TER_LAYER_WATER))
        return result_done();
    result res = count_tiles(t, view, &counts);
    for (int lod = EXPENSIVE_LOD, timed = -1; lod < TILE_LODS && res.kind == RESULT_DONE; lod++) {
        if (counts.of[lod] > 0 && timed < ALONE_LOD) {
            res = time_sample(t, view, lod, generator, &sample_s);
            timed = lod;
        }
        seconds += (double)counts.of[lod] * TILE_FLOATS * sample_s;
    }
    if (res.kind == RESULT_DONE && seconds > REPORT_S)
        report_forecast(t, &counts, seconds, events);
    return res;
}
