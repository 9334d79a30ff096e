/* tile_merge.c - tiles are halved by their places, again and again; halves become one where their rectangle is no
 * dearer. */
#include "library/fluvial/tile_merge.h"

#include <math.h>
#include <stdbool.h>

#include "library/fluvial/plan.h"

/** North-west points of some tiles of one level: the least and the greatest. */
typedef struct places {
    int64_t i0, j0, i1, j1;
} places;

static places places_of(const ter_uniting *u, const size_t *order, size_t count)
{
    places p = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (size_t n = 0; n < count; n++) {
        const ter_tile *t = &u->tiles[order[n]];
        p.i0 = t->i < p.i0 ? t->i : p.i0;
        p.j0 = t->j < p.j0 ? t->j : p.j0;
        p.i1 = t->i > p.i1 ? t->i : p.i1;
        p.j1 = t->j > p.j1 ? t->j : p.j1;
    }
    return p;
}

/** The rectangle of some tiles of one level. */
static ter_rect rect_of(const ter_uniting *u, int level, const places *p)
{
    return (ter_rect){level, p->i0, p->j0, (int)(p->i1 - p->i0) + u->width, (int)(p->j1 - p->j0) + u->height};
}

static bool is_small(const ter_uniting *u, const places *p)
{
    const int64_t side_max = INT32_MAX / 2;
    return p->i1 - p->i0 < side_max && p->j1 - p->j0 < side_max &&
           (uint64_t)(p->i1 - p->i0 + u->width) * (uint64_t)(p->j1 - p->j0 + u->height) <= u->points_max;
}

/** What a rectangle costs, in points of the ground: they take longest, and a sample as long as a twentieth of one. */
static double cost_of(const ter_uniting *u, const ter_rect *rect)
{
    static const double SAMPLE = 0.05;
    const ter_lattice points = {{rect->i, rect->j, rect->width, rect->height}, 1 << (u->levels - rect->level)};
    ter_fluvial_job job;
    ter_plan_windows(u->f, points, &job);
    double cost = SAMPLE * rect->width * rect->height;
    for (int g = 0; g < job.n_grounds; g++)
        cost += (double)ter_window_count(job.ground[g].points.at);
    return cost;
}

/** Bring the western or northern half of some tiles, by their longer side, before the others; how many they are. */
static size_t part(const ter_uniting *u, const places *p, size_t *order, size_t count)
{
    const bool is_wide = p->i1 - p->i0 >= p->j1 - p->j0;
    const int64_t middle = is_wide ? p->i0 + (p->i1 - p->i0) / 2 : p->j0 + (p->j1 - p->j0) / 2;
    size_t n_first = 0;
    for (size_t n = 0; n < count; n++) {
        const size_t tile = order[n];
        if ((is_wide ? u->tiles[tile].i : u->tiles[tile].j) <= middle) {
            order[n] = order[n_first];
            order[n_first++] = tile;
        }
    }
    return n_first;
}

/** Unite tiles of one level. Returns what all of their rectangles cost. */
static double unite(const ter_uniting *u, size_t *order, size_t first, size_t count, ter_united *united,
                    size_t *n_united)
{
    const places p = places_of(u, order + first, count);
    const ter_rect all = rect_of(u, u->tiles[order[first]].level, &p);
    const bool is_one_place = p.i0 == p.i1 && p.j0 == p.j1;
    const double together = is_one_place || is_small(u, &p) ? cost_of(u, &all) : INFINITY;
    const size_t n_before = *n_united;
    double apart = INFINITY;
    if (!is_one_place) {
        const size_t n_first = part(u, &p, order + first, count);
        apart = unite(u, order, first, n_first, united, n_united);
        apart += unite(u, order, first + n_first, count - n_first, united, n_united);
    }
    if (together > apart)
        return apart;
    united[n_before] = (ter_united){all, first, count};
    *n_united = n_before + 1;
    return together;
}

size_t ter_unite_tiles(const ter_uniting *u, size_t *order, ter_united *united)
{
    size_t n_united = 0, first = 0;
    for (int level = 0; level <= u->levels && first < u->count; level++) {
        size_t count = 0;
        for (size_t n = 0; n < u->count; n++)
            if (u->tiles[n].level == level)
                order[first + count++] = n;
        if (count > 0)
            unite(u, order, first, count, united, &n_united);
        first += count;
    }
    return n_united;
}

void ter_unite_none(const ter_uniting *u, size_t *order, ter_united *united)
{
    for (size_t n = 0; n < u->count; n++) {
        const ter_tile *t = &u->tiles[n];
        order[n] = n;
        united[n] = (ter_united){{t->level, t->i, t->j, u->width, u->height}, n, 1};
    }
}
