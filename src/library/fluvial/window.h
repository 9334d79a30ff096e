/* window.h - rectangles of cells, knots and lattice points, and which rectangle depends on which. */
#ifndef TERRANE_FLUVIAL_WINDOW_H
#define TERRANE_FLUVIAL_WINDOW_H

#include <stdint.h>

#include "library/core/fma.h"

/** Cells, knots or points x .. x + width - 1, y .. y + height - 1. */
typedef struct ter_window {
    int64_t x, y;
    int width, height;
} ter_window;

/** Points of the world's lattice: the window counts multiples of `step` metres. */
typedef struct ter_lattice {
    ter_window at;
    int step;
} ter_lattice;

/** Window from (x0, y0) to (x1, y1), both included. */
TER_FN ter_window ter_window_between(int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    const ter_window w = {x0, y0, (int)(x1 - x0 + 1), (int)(y1 - y0 + 1)};
    return w;
}

TER_FN ter_window ter_window_grown(ter_window w, int margin)
{
    return ter_window_between(w.x - margin, w.y - margin, w.x + w.width - 1 + margin, w.y + w.height - 1 + margin);
}

/** The smallest window that contains two windows. */
TER_FN ter_window ter_window_united(ter_window a, ter_window b)
{
    const int64_t ax = a.x + a.width - 1, ay = a.y + a.height - 1, bx = b.x + b.width - 1, by = b.y + b.height - 1;
    return ter_window_between(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, ax > bx ? ax : bx, ay > by ? ay : by);
}

TER_FN int ter_window_contains(ter_window w, ter_window inner)
{
    return inner.x >= w.x && inner.y >= w.y && inner.x + inner.width <= w.x + w.width &&
           inner.y + inner.height <= w.y + w.height;
}

/** Index of cell or point (x, y) in the array of a window. */
TER_FN int ter_window_index(ter_window w, int64_t x, int64_t y)
{
    return (int)(y - w.y) * w.width + (int)(x - w.x);
}

/** floor(a / b), b > 0. */
TER_FN int64_t ter_floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/** The lattice of twice the spacing from which the four-point rule makes any point of a lattice. */
TER_FN ter_lattice ter_lattice_parents(ter_lattice g)
{
    ter_lattice p;
    p.step = 2 * g.step;
    p.at = ter_window_between((g.at.x >> 1) - 1, (g.at.y >> 1) - 1, ((g.at.x + g.at.width - 1) >> 1) + 2,
                              ((g.at.y + g.at.height - 1) >> 1) + 2);
    return p;
}

/** As ter_lattice_parents, but only the points that are read: a last or single column or row that lies on the coarse
 * lattice is copied from it, and needs no neighbours. */
TER_FN ter_lattice ter_lattice_sources(ter_lattice g)
{
    const int64_t last_x = g.at.x + g.at.width - 1, last_y = g.at.y + g.at.height - 1;
    const int is_column = g.at.width == 1 && !(g.at.x & 1), is_row = g.at.height == 1 && !(g.at.y & 1);
    ter_lattice p;
    p.step = 2 * g.step;
    p.at = ter_window_between((g.at.x >> 1) - !is_column, (g.at.y >> 1) - !is_row,
                              (last_x >> 1) + (is_column ? 0 : 1 + (int)(last_x & 1)),
                              (last_y >> 1) + (is_row ? 0 : 1 + (int)(last_y & 1)));
    return p;
}

/** The lattice of spacing `step` from which repeated halving makes a lattice: its sources, their sources, and so on. A
 * lattice that is no finer than `step` is returned as it is. step: the lattice's spacing times a power of two */
TER_FN ter_lattice ter_lattice_ancestors(ter_lattice g, int step)
{
    while (g.step < step)
        g = ter_lattice_sources(g);
    return g;
}

/** The lattice of spacing `step` that covers a lattice and `margin` metres around it. */
TER_FN ter_lattice ter_lattice_cover(ter_lattice g, int step, int margin)
{
    const int64_t s = g.step;
    ter_lattice c;
    c.step = step;
    c.at = ter_window_between(ter_floor_div(g.at.x * s - margin, step), ter_floor_div(g.at.y * s - margin, step),
                              -ter_floor_div(-((g.at.x + g.at.width - 1) * s + margin), step),
                              -ter_floor_div(-((g.at.y + g.at.height - 1) * s + margin), step));
    return c;
}

#endif
