/* lattice.h - values between the points of a lattice: the four-point rule of World format 1, and straight lines. */
#ifndef TERRANE_FLUVIAL_LATTICE_H
#define TERRANE_FLUVIAL_LATTICE_H

#include "library/fluvial/scalar.h"
#include "library/fluvial/window.h"
#include "library/fractal/height.h"

/** Point (x, y) of half the spacing by the four-point rule, first along rows; points of the coarse lattice keep their
 * value.
 *
 *  coarse  its first number of each point is used; `step` floats from point to point
 */
TER_FN float ter_halved(ter_window at, const float *coarse, int step, int64_t x, int64_t y)
{
    const int row = at.width * step;
    const float *p = coarse + (size_t)ter_window_index(at, x >> 1, y >> 1) * (size_t)step;
    const int is_x = (int)(x & 1), is_y = (int)(y & 1);
    if (!is_x && !is_y)
        return p[0];
    if (!is_y)
        return ter_four(p[-step], p[0], p[step], p[2 * step]);
    if (!is_x)
        return ter_four(p[-row], p[0], p[row], p[2 * row]);
    float q[4];
    TER_UNROLL
    for (int n = 0; n < 4; n++) {
        const float *r = p + (n - 1) * row;
        q[n] = ter_four(r[-step], r[0], r[step], r[2 * step]);
    }
    return ter_four(q[0], q[1], q[2], q[3]);
}

/** A place between four points of a lattice. Without a share of a column or row, that column or row is not read. */
typedef struct ter_between {
    size_t index; /* of the north-west point */
    int right, down;
    float a, b;
} ter_between;

/** Point (x, y) of spacing `step` between those of a lattice that is as coarse or coarser. */
TER_FN ter_between ter_lattice_between(const ter_lattice *g, int64_t x, int64_t y, int step)
{
    ter_between t;
    int shift = 0;
    while (step << shift < g->step)
        shift++;
    const int64_t mask = ((int64_t)1 << shift) - 1;
    const float scale = 1.0f / (float)(1 << shift);
    t.index = (size_t)ter_window_index(g->at, x >> shift, y >> shift);
    t.a = (float)(int)(x & mask) * scale;
    t.b = (float)(int)(y & mask) * scale;
    t.right = t.a > 0.0f;
    t.down = t.b > 0.0f ? g->at.width : 0;
    return t;
}

/** Value there; `step` floats from point to point. */
TER_FN float ter_between_value(const ter_between *t, const float *values, int step)
{
    const float *n = values + t->index * (size_t)step, *s = n + t->down * step;
    const int right = t->right * step;
    const float north = ter_fma(t->a, n[right] - n[0], n[0]), south = ter_fma(t->a, s[right] - s[0], s[0]);
    return ter_fma(t->b, south - north, north);
}

/** Least of the values around it. */
TER_FN float ter_between_least(const ter_between *t, const float *values, int step)
{
    const float *n = values + t->index * (size_t)step, *s = n + t->down * step;
    const int right = t->right * step;
    return ter_min(ter_min(n[0], n[right]), ter_min(s[0], s[right]));
}

#endif
