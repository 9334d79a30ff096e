/* tile_merge.c - splits a set of tiles into halves by their places, recursively, and merges a set into one rectangle
 * where that costs no more than its halves. */
#include "library/fluvial/tile_merge.h"

#include <math.h>
#include <stdbool.h>

#include "library/fluvial/fine.h"
#include "library/fluvial/overview.h"
#include "library/fluvial/plan.h"

/** Bounds of the north-west points of some tiles of one level. */
typedef struct places {
    int64_t i0, j0, i1, j1;
} places;

static places places_of(const ter_merge_batch *b, const size_t *order, size_t count)
{
    places p = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (size_t n = 0; n < count; n++) {
        const ter_tile *t = &b->tiles[order[n]];
        p.i0 = t->i < p.i0 ? t->i : p.i0;
        p.j0 = t->j < p.j0 ? t->j : p.j0;
        p.i1 = t->i > p.i1 ? t->i : p.i1;
        p.j1 = t->j > p.j1 ? t->j : p.j1;
    }
    return p;
}

/** The rectangle around some tiles of one level. */
static ter_rect rect_of(const ter_merge_batch *b, int level, const places *p)
{
    return (ter_rect){level, p->i0, p->j0, (int)(p->i1 - p->i0) + b->width, (int)(p->j1 - p->j0) + b->height};
}

static bool is_small(const ter_merge_batch *b, const places *p)
{
    const int64_t side_max = INT32_MAX / 2;
    return p->i1 - p->i0 < side_max && p->j1 - p->j0 < side_max &&
           (uint64_t)(p->i1 - p->i0 + b->width) * (uint64_t)(p->j1 - p->j0 + b->height) <= b->points_max;
}

/** Cost of a rectangle, in points of the ground, which take most of the time. A sample costs a twentieth of a point. */
static double cost_of(const ter_merge_batch *b, const ter_rect *rect)
{
    static const double SAMPLE = 0.05, OVERVIEW_MARGIN = 16.0; /* an overview needs nodes so many samples around it */
    if (b->levels - rect->level >= TER_OVERVIEW_LOD)
        return (rect->width + OVERVIEW_MARGIN) * (rect->height + OVERVIEW_MARGIN);
    const ter_window samples = {rect->i, rect->j, rect->width, rect->height};
    ter_fluvial_job job;
    ter_plan_windows(b->f, ter_sample_points(b->levels - rect->level, samples), &job);
    double cost = SAMPLE * rect->width * rect->height;
    for (int g = 0; g < job.n_grounds; g++)
        cost += (double)ter_window_count(job.ground[g].points.at);
    return cost;
}

/** Partition tiles by the longer side of their bounds: those of the western or northern half come first. Returns their
 * number. */
static size_t partition(const ter_merge_batch *b, const places *p, size_t *order, size_t count)
{
    const bool is_wide = p->i1 - p->i0 >= p->j1 - p->j0;
    const int64_t middle = is_wide ? p->i0 + (p->i1 - p->i0) / 2 : p->j0 + (p->j1 - p->j0) / 2;
    size_t n_first = 0;
    for (size_t n = 0; n < count; n++) {
        const size_t tile = order[n];
        if ((is_wide ? b->tiles[tile].i : b->tiles[tile].j) <= middle) {
            order[n] = order[n_first];
            order[n_first++] = tile;
        }
    }
    return n_first;
}

/** Merge tiles order[first] .. order[first + count - 1], which have one level, and append their rectangles. Returns the
 * cost of these rectangles. */
static double merge(const ter_merge_batch *b, size_t *order, size_t first, size_t count, ter_merged_rect *rects,
                    size_t *n_rects)
{
    const places p = places_of(b, order + first, count);
    const ter_rect all = rect_of(b, b->tiles[order[first]].level, &p);
    const bool is_one_place = p.i0 == p.i1 && p.j0 == p.j1;
    const double together = is_one_place || is_small(b, &p) ? cost_of(b, &all) : INFINITY;
    const size_t n_before = *n_rects;
    double apart = INFINITY;
    if (!is_one_place) {
        const size_t n_first = partition(b, &p, order + first, count);
        apart = merge(b, order, first, n_first, rects, n_rects);
        apart += merge(b, order, first + n_first, count - n_first, rects, n_rects);
    }
    if (together > apart)
        return apart;
    rects[n_before] = (ter_merged_rect){all, first, count};
    *n_rects = n_before + 1;
    return together;
}

size_t ter_merge_tiles(const ter_merge_batch *b, size_t *order, ter_merged_rect *rects)
{
    size_t n_rects = 0, first = 0;
    for (int level = 0; level <= b->levels + TER_FINE_LODS && first < b->count; level++) {
        size_t count = 0;
        for (size_t n = 0; n < b->count; n++)
            if (b->tiles[n].level == level)
                order[first + count++] = n;
        if (count > 0)
            merge(b, order, first, count, rects, &n_rects);
        first += count;
    }
    return n_rects;
}

void ter_merge_none(const ter_merge_batch *b, size_t *order, ter_merged_rect *rects)
{
    for (size_t n = 0; n < b->count; n++) {
        const ter_tile *t = &b->tiles[n];
        order[n] = n;
        rects[n] = (ter_merged_rect){{t->level, t->i, t->j, b->width, b->height}, n, 1};
    }
}
