/* tile_merge.c - merges the tiles of each level as window_groups.c groups windows. */
#include "library/fluvial/tile_merge.h"

#include <math.h>
#include <stdbool.h>

#include "library/fluvial/fine.h"
#include "library/fluvial/overview.h"
#include "library/fluvial/plan.h"
#include "library/fluvial/window_groups.h"

/** Tiles of one level that are merged. */
typedef struct merging {
    const ter_merge_batch *batch;
    ter_merged_rect *rects; /* of this level */
    size_t first;           /* of the level's tiles in the order of the batch */
    int level;
} merging;

/** Cost of a rectangle, in points of the ground, which take most of the time. A sample costs a twentieth of a point. */
static double cost_of(const ter_merge_batch *b, const ter_rect *rect)
{
    static const double SAMPLE = 0.05, OVERVIEW_MARGIN = 16.0; /* OVERVIEW_MARGIN: columns and rows of nodes that an
                                                                  overview needs in addition to those of its samples */
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

static ter_window window_of(const void *user, size_t n)
{
    const ter_merge_batch *b = ((const merging *)user)->batch;
    return (ter_window){b->tiles[n].i, b->tiles[n].j, b->width, b->height};
}

static double cost_around(const void *user, ter_window around, size_t count)
{
    const merging *m = user;
    const ter_merge_batch *b = m->batch;
    const ter_rect rect = {m->level, around.x, around.y, around.width, around.height};
    const bool is_one_place = around.width == b->width && around.height == b->height;
    (void)count;
    if (!is_one_place && (uint64_t)around.width * (uint64_t)around.height > b->points_max)
        return INFINITY;
    return cost_of(b, &rect);
}

static void set_rect(void *user, size_t n, const ter_window_group *group)
{
    const merging *m = user;
    const ter_window *at = &group->at;
    m->rects[n] =
        (ter_merged_rect){{m->level, at->x, at->y, at->width, at->height}, m->first + group->first, group->count};
}

size_t ter_merge_tiles(const ter_merge_batch *b, size_t *order, ter_merged_rect *rects)
{
    size_t n_rects = 0, first = 0;
    for (int level = 0; level <= b->levels + TER_FINE_LODS && first < b->count; level++) {
        size_t count = 0;
        for (size_t n = 0; n < b->count; n++)
            if (b->tiles[n].level == level)
                order[first + count++] = n;
        merging m = {b, rects + n_rects, first, level};
        const ter_grouping grouping = {window_of, cost_around, set_rect, &m};
        n_rects += ter_group_windows(&grouping, order + first, count);
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
