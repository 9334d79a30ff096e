/* river_tree.c - draws the edges of the network from the greatest to the smallest. Each edge is drawn upstream, from
 * its end. So a cell always flows into a cell that was drawn before it, and never in a circle. */
#include "program/drainage/river_tree.h"

#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"

typedef struct drawn_edge {
    const ter_river_edge *edge;
    const ter_river_point *points;
} drawn_edge;

typedef struct edge_list {
    drawn_edge *at;
    size_t count, room;
} edge_list;

/** The state of a drawing. */
typedef struct drawing {
    const tree_grid *grid;
    int32_t *next;
    float *level_m;
    int32_t at; /* the last cell, which lies downstream of the next one; -1: outside of the grid */
} drawing;

static int by_area(const void *a, const void *b)
{
    const ter_river_edge *p = ((const drawn_edge *)a)->edge, *q = ((const drawn_edge *)b)->edge;
    if (p->area_m2 != q->area_m2)
        return p->area_m2 > q->area_m2 ? -1 : 1;
    return p->id < q->id ? -1 : p->id > q->id;
}

static bool add_edge(void *user, const ter_river_edge *edge, const ter_river_point *points)
{
    edge_list *list = user;
    drawn_edge *at = ter_grow(list->at, &list->room, list->count + 1, sizeof *at);
    if (!at)
        return false;
    list->at = at;
    list->at[list->count++] = (drawn_edge){edge, points};
    return true;
}

static bool are_neighbours(const tree_grid *g, int32_t a, int32_t b)
{
    return abs(a % g->columns - b % g->columns) <= 1 && abs(a / g->columns - b / g->columns) <= 1;
}

/** Go upstream to a cell. end: what `next` of the cell becomes if the last cell is no neighbour of it */
static void enter(drawing *d, int32_t cell, float level_m, int32_t end)
{
    if (cell == d->at)
        return;
    if (cell < 0 || d->next[cell] != TREE_LAND) { /* outside, or the cell of a river that is drawn already */
        d->at = cell;
        return;
    }
    d->next[cell] = d->at >= 0 && are_neighbours(d->grid, d->at, cell) ? d->at : end;
    d->level_m[cell] = level_m;
    d->at = cell;
}

/** The cell of a point; -1 outside of the grid. */
static int32_t cell_of(const tree_grid *g, double x, double z)
{
    const double column = floor((x - g->x) / g->step + 0.5), row = floor((z - g->z) / g->step + 0.5);
    if (!(column >= 0.0 && row >= 0.0 && column < g->columns && row < g->rows))
        return -1;
    return (int32_t)row * g->columns + (int32_t)column;
}

/** Draw an edge upstream, in steps of a tenth of a cell. */
static void draw_edge(drawing *d, const drawn_edge *e)
{
    const tree_grid *g = d->grid;
    const ter_river_point *last = &e->points[e->edge->n_points - 1];
    const int32_t end = e->edge->end == TER_EDGE_INTO_BASIN ? TREE_BASIN : TREE_ROOT;
    d->at = cell_of(g, last->x, last->z);
    if (d->at >= 0 && d->next[d->at] == TREE_LAND) {
        d->next[d->at] = end;
        d->level_m[d->at] = last->level_m;
    }
    for (size_t n = e->edge->n_points - 1; n-- > 0;) {
        const ter_river_point *a = &e->points[n + 1], *b = &e->points[n];
        const int steps = 1 + (int)(10.0 * hypot(b->x - a->x, b->z - a->z) / g->step);
        for (int k = 1; k <= steps; k++) {
            const double share = (double)k / steps;
            const int32_t cell = cell_of(g, a->x + share * (b->x - a->x), a->z + share * (b->z - a->z));
            enter(d, cell, a->level_m + (float)share * (b->level_m - a->level_m), TREE_ROOT);
        }
    }
}

/** Let rivers skip cells: if a neighbour of a cell lies up to nine cells downstream, the cell flows into it directly.
 */
static void straighten(drawing *d)
{
    const tree_grid *g = d->grid;
    const int32_t all = g->rows * g->columns;
    for (int32_t cell = 0; cell < all; cell++) {
        const int32_t first = d->next[cell];
        if (first < 0)
            continue;
        int32_t ahead = d->next[first];
        for (int n = 0; n < 8 && ahead >= 0; n++, ahead = d->next[ahead])
            if (are_neighbours(g, cell, ahead))
                d->next[cell] = ahead;
    }
}

result river_tree_draw(const river_net *net, const tree_grid *grid, int32_t *next, float *level_m)
{
    edge_list list = {0};
    drawing d = {.grid = grid, .next = next, .level_m = level_m};
    const bool has_all = river_net_visit(net, add_edge, &list);
    if (has_all) {
        for (int32_t cell = 0; cell < grid->rows * grid->columns; cell++)
            next[cell] = TREE_LAND;
        if (list.count > 0)
            qsort(list.at, list.count, sizeof *list.at, by_area);
        for (size_t n = 0; n < list.count; n++)
            draw_edge(&d, &list.at[n]);
        straighten(&d);
    }
    free(list.at);
    return has_all ? result_done() : result_of(RESULT_FAILED, "out of memory");
}
