/* window.c - the cells of the network whose edges can have points in a rectangle of the world. */
#include <math.h>
#include <string.h>

#include "library/reaches/unwarp.h"
#include "library/world/world.h"
#include "terrane/reaches.h"

enum { PARTS = 48, EDGE_REACH = 4 }; /* intervals of a side; greatest distance of an edge from its cell, in cells */

#define SPLINE_STEEPEST 1.5 /* greatest change of an octave from knot to knot, in multiples of its reach */

/** How far the place of any point can lie from the place of the nearest point of a grid, 2^-8 units. step: lattice
 * steps between points of the grid */
static double reach_between(double step)
{
    double metres = step; /* half a diagonal and more, for the plane itself */
    for (int m = 0; m < TER_WARP_OCTAVES; m++) {
        const double reach = (double)ter_warp_reach(m), pitch = ldexp(1.0, TER_WARP_SHIFT - m);
        metres += fmin(2.0 * reach, reach * SPLINE_STEEPEST * step / pitch);
    }
    return 128.0 * (metres + 4.0); /* the small shifts of places are less than 4 m */
}

static void find_window(reach_unwarp *u, const double low[2], const double high[2], ter_river_window *out)
{
    const double step_x = (high[0] - low[0]) / PARTS, step_y = (high[1] - low[1]) / PARTS;
    const double margin = reach_between(fmax(step_x, step_y)), cell = ldexp(1.0, TER_CELL_SHIFT);
    double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int n = 0; n < (PARTS + 1) * (PARTS + 1); n++) {
        const int i = n % (PARTS + 1), j = n / (PARTS + 1);
        const reach_spot p = reach_place_near(u, low[0] + i * step_x, low[1] + j * step_y);
        x0 = fmin(x0, p.x);
        y0 = fmin(y0, p.y);
        x1 = fmax(x1, p.x);
        y1 = fmax(y1, p.y);
    }
    out->column = (int64_t)floor((x0 - margin) / cell) - EDGE_REACH;
    out->row = (int64_t)floor((y0 - margin) / cell) - EDGE_REACH;
    out->columns = (int)((int64_t)floor((x1 + margin) / cell) + EDGE_REACH + 1 - out->column);
    out->rows = (int)((int64_t)floor((y1 + margin) / cell) + EDGE_REACH + 1 - out->row);
}

ter_status ter_river_edges_window(const ter_world *world, const ter_rect *rect, ter_river_window *out)
{
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    TER_REQUIRE(out);
    if (world->params.basis != TER_BASIS_FLUVIAL)
        return ter_fail(TER_EINVAL, "basis %s has no rivers", ter_basis_name(world->params.basis));
    const ter_status status = ter_lattice_check(world->params.levels, rect);
    if (status != TER_OK)
        return status;
    const double step = ldexp(1.0, world->params.levels - rect->level);
    const double low[2] = {(double)rect->i * step, (double)rect->j * step};
    const double high[2] = {low[0] + (double)rect->width * step, low[1] + (double)rect->height * step};
    if (fmax(high[0] - low[0], high[1] - low[1]) > (double)INT32_MAX * 256.0)
        return ter_fail(TER_EINVAL, "the rectangle is too large for a window of cells");
    reach_unwarp u = {.f = &world->fluvial};
    find_window(&u, low, high, out);
    reach_unwarp_free(&u);
    return TER_OK;
}
