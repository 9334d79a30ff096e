/* displace.h - displaces points at random. At spacings of 16 m and less, each spacing adds new points between the
 * points of twice the spacing; these are displaced by noise, and by rills that run down the slope. Both are stronger on
 * steep and on rough ground.
 */
#ifndef TERRANE_FLUVIAL_DISPLACE_H
#define TERRANE_FLUVIAL_DISPLACE_H

#include "library/fluvial/ground.h"

enum {
    TER_RILL_REACH = 4, /* points that a rill adds up on each side of its middle point */
    TER_RILL_STEP = 4   /* m; points with a finer spacing have no rills */
};

#define TER_GROUND_FIELD(name) (offsetof(ter_ground, name) / sizeof(float))

/** A value of the ground, interpolated between the points of its lattice. offset: TER_GROUND_FIELD of the value */
TER_FN float ter_ground_value(const ter_ground_plan *plan, const ter_between *t, size_t offset)
{
    return ter_between_value(t, (const float *)plan->ground + offset, (int)(sizeof(ter_ground) / sizeof(float)));
}

/** Share of a noise byte in the displacement of points `step` metres apart. */
TER_FN float ter_noise_share(int step)
{
    return step == 16 ? 0.0f : step == 8 ? 0.02f : step == 4 ? 0.04f : step == 2 ? 0.085f : 0.07f;
}

/** Share of a rill in the displacement of points `step` metres apart. */
TER_FN float ter_rill_share(int step)
{
    return step == 16 ? 0.08f : step == 8 ? 0.12f : 0.14f;
}

/** Binary logarithm of a spacing in metres. It is added to TER_TAG_FINE. */
TER_FN int ter_step_shift(int step)
{
    return step == 16 ? 4 : step == 8 ? 3 : step == 4 ? 2 : step == 2 ? 1 : 0;
}

/** The random byte of point (x, y) of a spacing. */
TER_FN float ter_noise_byte(const ter_fluvial *f, int step, int64_t x, int64_t y)
{
    return (float)ter_tagged_byte(f->round_key, TER_TAG_FINE + ter_step_shift(step), x, y);
}

/** Heights of the four coarser points around a cell of twice the spacing. */
typedef struct ter_corners {
    float nw, ne, sw, se;
} ter_corners;

TER_FN float ter_least_corner(const ter_corners *c)
{
    return ter_min(ter_min(c->nw, c->ne), ter_min(c->sw, c->se));
}

/** Slope of a cell: metres per distance between two coarse points. */
typedef struct ter_tilt {
    float x, y;
} ter_tilt;

TER_FN ter_tilt ter_corners_tilt(const ter_corners *c)
{
    const ter_tilt t = {0.5f * ((c->ne + c->se) - (c->nw + c->sw)), 0.5f * ((c->sw + c->se) - (c->nw + c->ne))};
    return t;
}

/** Scale of the displacement of the new points of a cell, metres. rough: roughness at the cell's north-west point;
 * step: m; spacing of the new points */
TER_FN float ter_displacement_reach(ter_tilt t, float rough, int step)
{
    const float most = step < TER_RILL_STEP ? ter_max(rough, 0.5f) : rough;
    return (ter_length(t.x, t.y) + 0.02f * (float)(2 * step)) * most;
}

/** A rill at a point, about -1 to 1: the sum of the bytes on a line down the slope through the point. Hollows are
 * deeper than ridges are high. */
TER_FN float ter_rill(const ter_fluvial *f, int step, int64_t x, int64_t y, ter_tilt t)
{
    const float inverse = 1.0f / (ter_max(fabsf(t.x), fabsf(t.y)) + 1e-12f), ex = t.x * inverse, ey = t.y * inverse;
    float sum = 0.0f;
    for (int n = -TER_RILL_REACH; n <= TER_RILL_REACH; n++)
        sum += ter_noise_byte(f, step, x + (int64_t)rintf(ex * (float)n), y + (int64_t)rintf(ey * (float)n));
    const float q = (sum - 1147.5f) * (1.0f / 382.5f);
    return q - 0.5f * (q * q - 1.0f / 3.0f);
}

/** Displacement, in metres, of a new point: a point whose coordinates are not both even.
 *
 *  corners  heights of the coarser points around its cell
 *  rough    roughness of the ground at the north-west corner
 */
TER_FN float ter_displaced(const ter_fluvial *f, int step, int64_t x, int64_t y, const ter_corners *corners,
                           float rough)
{
    const ter_tilt t = ter_corners_tilt(corners);
    const float reach = ter_displacement_reach(t, rough, step);
    const float share = (x & 1) && (y & 1) ? ter_noise_share(step) * 0.6f : ter_noise_share(step);
    float r = (ter_noise_byte(f, step, x, y) - 127.5f) * (share * (1.0f / 127.5f));
    if (step >= TER_RILL_STEP)
        r = ter_fma(ter_rill_share(step), ter_rill(f, step, x, y, t), r);
    return reach * r;
}

/** Displacement of point (x, y) of spacing TER_FORM_STEP, computed only from the ground; 0 at the ground's own points.
 */
TER_FN float ter_displaced_ground(const ter_fluvial_job *job, const ter_ground_plan *plan, int64_t x, int64_t y)
{
    if (!(x & 1) && !(y & 1))
        return 0.0f;
    const ter_ground *g = &plan->ground[ter_window_index(plan->points.at, x >> 1, y >> 1)];
    const ter_corners c = {g[0].height, g[1].height, g[plan->points.at.width].height,
                           g[plan->points.at.width + 1].height};
    return ter_displaced(&job->f, TER_FORM_STEP, x, y, &c, g->rough);
}

#endif
