/* inflow.c - follows each river near the border of a rectangle, and notes where it comes in.
 *
 * A river can leave the rectangle and enter it again. Its area at the second crossing contains the water of the grid
 * that it brought outside. So a crossing sets the least area of its cell, and adds nothing to what arrives there: if
 * the directions of the grid do not leave the rectangle between the crossings, no water is counted twice. */
#include "program/drainage/inflow.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"
#include "program/drainage/grid_cells.h"

/** A river that enters the grid. */
typedef struct crossing {
    const ter_river_edge *edge;
    int32_t cell;
} crossing;

typedef struct inflow {
    const river_net *net;
    const routing_grid *grid;
    double x, z, step; /* lattice coordinates of the first sample; distance of samples */
    crossing *list;
    size_t count, room;
} inflow;

/** Column and row of a point in the grid. */
static void place_of(const inflow *f, const ter_river_point *p, double place[2])
{
    place[0] = (p->x - f->x) / f->step;
    place[1] = (p->z - f->z) / f->step;
}

/** Whether a place lies in a cell inside of the ring. */
static bool is_inside(const routing_grid *g, const double place[2])
{
    return place[0] >= 0.5 && place[1] >= 0.5 && place[0] < g->columns - 1.5 && place[1] < g->rows - 1.5;
}

/** The lowest cell at a place or beside it, inside of the ring. Cells with water come first, because a dry cell can lie
 * lower than the river. */
static int32_t lowest_cell(const routing_grid *g, const double place[2])
{
    int32_t best = -1;
    const int x = (int)floor(place[0] + 0.5), y = (int)floor(place[1] + 0.5);
    for (int n = 0; n < 9; n++) {
        const int u = x + n % 3 - 1, v = y + n / 3 - 1;
        if (u < 1 || v < 1 || u > g->columns - 2 || v > g->rows - 2)
            continue;
        const int32_t cell = v * g->columns + u;
        const bool is_wet = g->water && !isnan(g->water[cell]);
        const bool has_wet = best >= 0 && g->water && !isnan(g->water[best]);
        if (best < 0 || is_wet > has_wet || (is_wet == has_wet && grid_surface(g, cell) < grid_surface(g, best)))
            best = cell;
    }
    return best;
}

static bool add_crossing(inflow *f, const ter_river_edge *edge, const double place[2])
{
    crossing *list = ter_grow(f->list, &f->room, f->count + 1, sizeof *list);
    if (!list)
        return false;
    f->list = list;
    f->list[f->count++] = (crossing){edge, lowest_cell(f->grid, place)};
    return true;
}

/** Note the crossings of an edge. Returns false when there is no memory. */
static bool follow_edge(void *user, const ter_river_edge *edge, const ter_river_point *points)
{
    inflow *f = user;
    double last[2], next[2];
    place_of(f, points, last);
    for (size_t n = 1; n < edge->n_points; n++) {
        place_of(f, &points[n], next);
        if (!is_inside(f->grid, last) && is_inside(f->grid, next)) {
            double out = 0.0, in = 1.0; /* shares of the way; the border lies between them */
            for (int k = 0; k < 30; k++) {
                const double half = 0.5 * (out + in),
                             p[2] = {last[0] + half * (next[0] - last[0]), last[1] + half * (next[1] - last[1])};
                *(is_inside(f->grid, p) ? &in : &out) = half;
            }
            const double p[2] = {last[0] + in * (next[0] - last[0]), last[1] + in * (next[1] - last[1])};
            if (!add_crossing(f, edge, p))
                return false;
        }
        last[0] = next[0];
        last[1] = next[1];
    }
    return true;
}

static int by_cell(const void *a, const void *b)
{
    const crossing *p = a, *q = b;
    if (p->cell != q->cell)
        return p->cell < q->cell ? -1 : 1;
    return p->edge->id < q->edge->id ? -1 : p->edge->id > q->edge->id;
}

/** Whether another crossing of the same cell contains the area of crossing n: an earlier one of the same edge, or one
 * of an edge downstream. c: the crossings of the cell */
static bool is_part_of_another(const river_net *net, const crossing *c, size_t count, size_t n)
{
    const ter_river_edge *edge = c[n].edge;
    double most = 0.0; /* areas grow downstream */
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, c[k].edge->area_m2);
        if (k < n && c[k].edge->id == edge->id)
            return true;
    }
    while ((edge = river_net_below_made(net, edge)) && edge->area_m2 <= most)
        for (size_t k = 0; k < count; k++)
            if (c[k].edge->id == edge->id)
                return true;
    return false;
}

/** Add up the areas of the rivers that enter each cell. */
static void add_up(const inflow *f, float *least_m2)
{
    size_t first = 0;
    for (size_t n = 1; n <= f->count; n++) {
        if (n < f->count && f->list[n].cell == f->list[first].cell)
            continue;
        double area = 0.0;
        for (size_t k = first; k < n; k++)
            area += is_part_of_another(f->net, f->list + first, n - first, k - first) ? 0.0 : f->list[k].edge->area_m2;
        least_m2[f->list[first].cell] = (float)area;
        first = n;
    }
}

/** Make the edges near the border. */
static result load_border(const ter_world *world, river_net *net, const ter_rect *r)
{
    const ter_rect sides[4] = {{r->level, r->i, r->j, r->width, 2},
                               {r->level, r->i, r->j + r->height - 2, r->width, 2},
                               {r->level, r->i, r->j, 2, r->height},
                               {r->level, r->i + r->width - 2, r->j, 2, r->height}};
    result res = result_done();
    for (int n = 0; n < 4 && res.kind == RESULT_DONE; n++) {
        ter_river_window cells;
        res = result_of_library(ter_river_edges_window(world, &sides[n], &cells), "rivers");
        if (res.kind == RESULT_DONE)
            res = river_net_load(net, &cells, true, 0.0, 1.0);
    }
    return res;
}

result inflow_find(const ter_world *world, river_net *net, const ter_rect *rect, const routing_grid *grid,
                   float *least_m2)
{
    const double step = ldexp(1.0, ter_world_params(world)->levels - rect->level);
    inflow f = {.net = net, .grid = grid, .x = (double)rect->i * step, .z = (double)rect->j * step, .step = step};
    result res = load_border(world, net, rect);
    if (res.kind == RESULT_DONE && !river_net_visit(net, follow_edge, &f))
        res = result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE && f.count > 0) {
        qsort(f.list, f.count, sizeof *f.list, by_cell);
        add_up(&f, least_m2);
    }
    free(f.list);
    return res;
}
