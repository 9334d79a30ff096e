/* conditioning.c - floods the grid from the sea, the ring and the bottoms of basins, as routing.c does. But a cell of a
 * river is reached only from the cell that it flows into. Depressions are drained through the cells by which they were
 * reached (breaching: Lindsay and Dhun 2015; in a priority flood: Barnes 2016). */
#include "program/drainage/conditioning.h"

#include <math.h>
#include <stdlib.h>

#include "program/drainage/cell_heap.h"
#include "program/drainage/grid_cells.h"
#include "program/drainage/river_tree.h"

/** The state of a conditioning. */
typedef struct conditioning {
    const routing_grid *grid;
    const int32_t *next;
    float *height; /* m; the result */
    float *floor;  /* m; how far a cell may be lowered */
    int32_t *from; /* the cell from which a cell was reached; the cell itself where the flood begins; -1: not reached */
    cell_heap heap;
} conditioning;

enum { WAY = 4096 };                /* cells; greatest length of a way that is lowered */
static const float LEAST_M = 2e-3f; /* least fall from a cell to the next one */

static float above(float height)
{
    return fmaxf(height + LEAST_M, nextafterf(height, INFINITY));
}

static float below(float height)
{
    return fminf(height - LEAST_M, nextafterf(height, -INFINITY));
}

/** The height of a cell before the flood: the level of its river or of other water, or the height of its ground. */
static float first_height(const conditioning *c, int32_t cell)
{
    const routing_grid *g = c->grid;
    if (c->next[cell] != TREE_LAND && g->height[cell] >= g->sea_m)
        return c->height[cell];
    return !g->water || isnan(g->water[cell]) || g->height[cell] < g->sea_m ? g->height[cell] : g->water[cell];
}

/** Raise the floors of the cells around a cell of a river, so that none draws its water away: the slope to them must be
 * less than the slope to the cell that the river flows into. */
static void set_floors(conditioning *c, int32_t cell)
{
    const int32_t to = c->next[cell];
    const int columns = c->grid->columns;
    const float length = to % columns != cell % columns && to / columns != cell / columns ? sqrtf(2.0f) : 1.0f,
                slope = (c->height[cell] - c->height[to]) / length;
    for (int n = 0; n < 8; n++) {
        const int32_t beside = grid_neighbour(c->grid, cell, n);
        if (beside < 0 || c->next[beside] != TREE_LAND || grid_is_outside(c->grid, beside))
            continue;
        const float least = above(c->height[cell] - slope * (n % 2 ? sqrtf(2.0f) : 1.0f));
        c->floor[beside] = fmaxf(c->floor[beside], least);
    }
}

static bool reach(conditioning *c, int32_t cell, int32_t from)
{
    c->from[cell] = from;
    return cell_heap_add(&c->heap, cell, c->height[cell]);
}

/** Lower the way from a cell to lower ground, as far as the floors permit. Each cell of the way that changes stays
 * higher than the cell after it. No cell is raised. from: the first cell of the way */
static void breach(conditioning *c, int32_t cell, int32_t from)
{
    int32_t way[WAY];
    int count = 0;
    float limit = c->height[cell];
    for (int32_t at = from; count < WAY; at = c->from[at]) {
        limit = below(limit);
        way[count++] = at;
        if (c->height[at] <= limit || c->from[at] == at)
            break;
    }
    for (int n = count - 2; n >= 0; n--) {
        const float least = fmaxf(above(c->height[way[n + 1]]), c->floor[way[n]]);
        limit = above(limit);
        c->height[way[n]] = fminf(c->height[way[n]], fmaxf(least, limit));
    }
}

/** Reach a neighbour of a taken cell. */
static bool reach_neighbour(conditioning *c, int32_t cell, int32_t beside)
{
    if (c->next[beside] < 0) { /* no river, or the end of one */
        if (c->height[beside] <= c->height[cell])
            breach(c, beside, cell);
        c->height[beside] = fmaxf(c->height[beside], above(c->height[cell]));
        return reach(c, beside, cell);
    }
    if (c->next[beside] != cell)
        return true;
    c->height[beside] = fmaxf(c->height[beside], above(c->height[cell]));
    return reach(c, beside, cell);
}

static bool flood(conditioning *c)
{
    const routing_grid *g = c->grid;
    const int32_t all = g->rows * g->columns;
    for (int32_t cell = 0; cell < all; cell++)
        if ((grid_is_outside(g, cell) || c->next[cell] == TREE_BASIN) && !reach(c, cell, cell))
            return false;
    while (c->heap.count > 0) {
        const int32_t cell = cell_heap_take(&c->heap);
        for (int n = 0; n < 8; n++) {
            const int32_t beside = grid_neighbour(g, cell, n);
            if (beside >= 0 && c->from[beside] < 0 && !reach_neighbour(c, cell, beside))
                return false;
        }
    }
    return true;
}

/** Lower the cells of rivers from the springs down, until each cell lies below the one before it. waiting: room for all
 * cells */
static void lower_rivers(conditioning *c, int32_t *waiting)
{
    const int32_t all = c->grid->rows * c->grid->columns;
    int32_t *inflows = c->from, count = 0;
    for (int32_t cell = 0; cell < all; cell++)
        inflows[cell] = 0;
    for (int32_t cell = 0; cell < all; cell++)
        if (c->next[cell] >= 0)
            inflows[c->next[cell]]++;
    for (int32_t cell = 0; cell < all; cell++)
        if (c->next[cell] >= 0 && inflows[cell] == 0)
            waiting[count++] = cell;
    while (count > 0) {
        const int32_t cell = waiting[--count], to = c->next[cell];
        if (!(c->grid->height[to] < c->grid->sea_m))
            c->height[to] = fminf(c->height[to], below(c->height[cell]));
        if (--inflows[to] == 0 && c->next[to] >= 0)
            waiting[count++] = to;
    }
}

/** Find the heights and floors before the flood. */
static void prepare(conditioning *c, int32_t *waiting)
{
    const int32_t all = c->grid->rows * c->grid->columns;
    for (int32_t cell = 0; cell < all; cell++)
        c->height[cell] = first_height(c, cell);
    lower_rivers(c, waiting);
    for (int32_t cell = 0; cell < all; cell++) {
        const bool may_change = c->next[cell] == TREE_LAND && !grid_is_outside(c->grid, cell);
        c->floor[cell] = may_change ? -INFINITY : c->height[cell];
        c->from[cell] = -1;
    }
    for (int32_t cell = 0; cell < all; cell++)
        if (c->next[cell] >= 0)
            set_floors(c, cell);
    for (int32_t cell = 0; cell < all; cell++)
        c->height[cell] = fmaxf(c->height[cell], c->floor[cell]);
}

result condition_heights(const routing_grid *grid, const int32_t *next, float *level_m)
{
    const int32_t all = grid->rows * grid->columns;
    conditioning c = {.grid = grid, .next = next, .height = level_m};
    c.floor = malloc((size_t)all * sizeof *c.floor);
    c.from = malloc((size_t)all * sizeof *c.from);
    int32_t *waiting = malloc((size_t)all * sizeof *waiting);
    bool is_done = c.floor && c.from && waiting;
    if (is_done)
        prepare(&c, waiting);
    free(waiting);
    is_done = is_done && flood(&c);
    free(c.heap.at);
    free(c.floor);
    free(c.from);
    return is_done ? result_done() : result_of(RESULT_FAILED, "out of memory");
}
