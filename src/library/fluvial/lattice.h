/* lattice.h - interpolation between the points of a lattice: bilinear, and by the four-point rule of World format 1,
 * whose weights are -1/16, 9/16, 9/16, -1/16. */
#ifndef TERRANE_FLUVIAL_LATTICE_H
#define TERRANE_FLUVIAL_LATTICE_H

#include "library/core/scalar.h"
#include "library/fluvial/window.h"
#include "library/fractal/height.h"

/** Value at point (x, y) of a lattice with half the spacing, by the four-point rule, along rows first. Points of the
 * coarse lattice keep their value.
 *
 *  at      window of the coarse points
 *  coarse  `step` floats per coarse point; the first of them is used
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

/** A place between four points of a lattice. The eastern column is not read where a is 0, nor the southern row where b
 * is 0. */
typedef struct ter_between {
    size_t index;    /* of the north-west point */
    int right, down; /* offsets to the points east and south of it; 0 where these are not read */
    float a, b;      /* shares of the spacing, from west to east and from north to south */
} ter_between;

/** Where point (x, y) of spacing `step` lies between points of lattice g, which is as coarse or coarser. */
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

/** Bilinear value at a place; values: `step` floats per point, of which the first is used. */
TER_FN float ter_between_value(const ter_between *t, const float *values, int step)
{
    const float *n = values + t->index * (size_t)step, *s = n + t->down * step;
    const int right = t->right * step;
    const float north = ter_fma(t->a, n[right] - n[0], n[0]), south = ter_fma(t->a, s[right] - s[0], s[0]);
    return ter_fma(t->b, south - north, north);
}

/** Least value of the four points around a place; values as above. */
TER_FN float ter_between_least(const ter_between *t, const float *values, int step)
{
    const float *n = values + t->index * (size_t)step, *s = n + t->down * step;
    const int right = t->right * step;
    return ter_min(ter_min(n[0], n[right]), ter_min(s[0], s[right]));
}

#endif
