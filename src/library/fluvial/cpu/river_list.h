/* river_list.h - lists the reaches of rivers that may change the samples of a patch: those whose line comes near enough
 * to a disc around the places of the samples.
 */
#ifndef TERRANE_FLUVIAL_CPU_RIVER_LIST_H
#define TERRANE_FLUVIAL_CPU_RIVER_LIST_H

#include "library/fluvial/cpu/ground.h"

enum {
    FLUVIAL_RIVER_CELLS = 2 * TER_RIVER_CELLS + 4, /* greatest number of columns, and of rows, of cells with rivers */
    FLUVIAL_REACHES_MAX = FLUVIAL_RIVER_CELLS * FLUVIAL_RIVER_CELLS * TER_REACHES
};

/** Reaches; places are units from the corner of a cell of the network. */
typedef struct fluvial_reaches {
    int count;
    ter_reach reach[FLUVIAL_REACHES_MAX];
} fluvial_reaches;

/** A patch: cells x0 .. x1 - 1, y0 .. y1 - 1 of the places' lattice. */
typedef struct fluvial_patch {
    int64_t x0, y0, x1, y1;
    int right, down; /* 1 if the points at the east or the south edge are read; 0 if no sample lies beyond the last
                        points before these edges */
} fluvial_patch;

/** Bounds of the places of a patch's points, 2^-8 units in the network's plane. */
typedef struct fluvial_extent {
    int64_t low_x, low_y, high_x, high_y;
} fluvial_extent;

/** The finest lattice of places. The places of samples are interpolated between its points. */
static const ter_lattice *places_of(const ter_fluvial_job *job)
{
    return &job->places.at[job->places.count - 1];
}

/** The warp at point (x, y) of that lattice. */
static const float *place_warp(const ter_fluvial_job *job, int64_t x, int64_t y)
{
    const ter_place_plan *p = &job->places;
    return p->shift[p->count - 1] +
           (size_t)ter_window_index(places_of(job)->at, x, y) * (p->count > 1 ? 2 : TER_SHIFTS);
}

static fluvial_extent extent_of(const ter_fluvial_job *job, const fluvial_patch *p)
{
    const int step = places_of(job)->step;
    fluvial_extent e = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    for (int64_t y = p->y0; y < p->y1 + p->down; y++)
        for (int64_t x = p->x0; x < p->x1 + p->right; x++) {
            const float *warp = place_warp(job, x, y);
            const int64_t px = ter_place_x(x * step, y * step, warp), py = ter_place_y(x * step, y * step, warp);
            e.low_x = px < e.low_x ? px : e.low_x;
            e.high_x = px > e.high_x ? px : e.high_x;
            e.low_y = py < e.low_y ? py : e.low_y;
            e.high_y = py > e.high_y ? py : e.high_y;
        }
    return e;
}

/** Disc around the places of an extent, units from the corner of a cell of the network. */
typedef struct river_disc {
    float x, y, radius;
} river_disc;

/** The disc of an extent. origin: the corner is that of the first cell of this extent */
static river_disc river_disc_of(const fluvial_extent *e, const fluvial_extent *origin)
{
    const int64_t corner_x = origin->low_x & ~(int64_t)0xffff, corner_y = origin->low_y & ~(int64_t)0xffff;
    const river_disc d = {(float)(e->low_x + e->high_x - 2 * corner_x) * (0.5f / 256.0f),
                          (float)(e->low_y + e->high_y - 2 * corner_y) * (0.5f / 256.0f),
                          ter_length((float)(e->high_x - e->low_x), (float)(e->high_y - e->low_y)) * (0.5f / 256.0f) +
                              1.0f};
    return d;
}

/** Whether a reach may change samples in a disc. x, y: start of the reach */
static bool is_river_in(const ter_reach *p, float x, float y, const river_disc *d)
{
    const float within = d->radius + river_extent(p);
    float along;
    return ter_reach_distance(p, d->x - x, d->y - y, &along) < within * within;
}

/** List the reaches of rivers that may change samples of an extent, in the order of their nodes. The origin of the list
 * is the corner of the extent's first cell of the network. Returns false when there are more than a list holds; that
 * never happens for a single cell of places. */
static bool list_rivers(const ter_fluvial_job *job, const fluvial_extent *e, fluvial_reaches *list)
{
    const int64_t cell_x = e->low_x >> TER_CELL_SHIFT, cell_y = e->low_y >> TER_CELL_SHIFT;
    const int columns = (int)((e->high_x >> TER_CELL_SHIFT) - cell_x),
              rows = (int)((e->high_y >> TER_CELL_SHIFT) - cell_y);
    const river_disc disc = river_disc_of(e, e);
    list->count = 0;
    for (int b = -TER_RIVER_CELLS; b <= rows + TER_RIVER_CELLS; b++)
        for (int a = -TER_RIVER_CELLS; a <= columns + TER_RIVER_CELLS; a++) {
            const int cell = ter_window_index(job->piece_at, cell_x + a, cell_y + b);
            const fluvial_box *bed = &boxes_of(job, (size_t)cell)->bed;
            if (job->course[cell] != TER_COURSE_BROOK ||
                !is_box_in(bed, (float)a * TER_CELL - disc.x, (float)b * TER_CELL - disc.y, disc.radius))
                continue;
            for (int n = 0; n < TER_REACHES; n++) {
                const ter_reach *p = &job->reach[(size_t)cell * TER_REACHES + (size_t)n];
                const float x = p->x + (float)a * TER_CELL, y = p->y + (float)b * TER_CELL;
                if (!ter_has_bed(p) || !is_river_in(p, x, y, &disc))
                    continue;
                if (list->count == FLUVIAL_REACHES_MAX)
                    return false;
                ter_reach *out = &list->reach[list->count++];
                *out = *p;
                out->x = x;
                out->y = y;
            }
        }
    return true;
}

/** Copy the rivers of a list that may change samples of extent `e`. patch_extent: extent that `from` was made for */
static void select_rivers(const fluvial_reaches *from, const fluvial_extent *patch_extent, const fluvial_extent *e,
                          fluvial_reaches *to)
{
    const river_disc disc = river_disc_of(e, patch_extent);
    to->count = 0;
    for (int n = 0; n < from->count; n++)
        if (is_river_in(&from->reach[n], from->reach[n].x, from->reach[n].y, &disc))
            to->reach[to->count++] = from->reach[n];
}

#endif
