/* routing.c - takes the cells of a grid in the order of the filled surface, finds their directions, and adds up areas.
 */
#include "program/drainage/routing.h"

#include <math.h>
#include <stdlib.h>

#include "program/drainage/cell_heap.h"
#include "program/drainage/grid_cells.h"

enum { NO_NEIGHBOUR = 8 }; /* the code of neighbour n is 1 << n */

/** A grid while it is flooded. */
typedef struct flood {
    const routing_grid *grid;
    int32_t n_cells;
    float *level;   /* of the filled surface; not a number: not reached yet */
    uint8_t *from;  /* neighbour from which the cell was reached; NO_NEIGHBOUR: from outside */
    uint8_t *taken; /* whether the cell was taken */
    int32_t *order; /* the cells in the order in which they were taken */
    cell_heap heap;
} flood;

static bool reach(flood *f, int32_t cell, float level, int from)
{
    f->level[cell] = level;
    f->from[cell] = (uint8_t)from;
    return cell_heap_add(&f->heap, cell, level);
}

static bool reach_neighbours(flood *f, int32_t cell)
{
    for (int n = 0; n < 8; n++) {
        const int32_t next = grid_neighbour(f->grid, cell, n);
        if (next >= 0 && isnan(f->level[next]) &&
            !reach(f, next, fmaxf(grid_surface(f->grid, next), f->level[cell]), (n + 4) % 8))
            return false;
    }
    return true;
}

static uint8_t direction_of(const flood *f, int32_t cell)
{
    int best = f->from[cell];
    float steepest = 0.0f;
    for (int n = 0; n < 8; n++) {
        const int32_t next = grid_neighbour(f->grid, cell, n);
        if (next < 0 || !f->taken[next])
            continue;
        const float fall = (f->level[cell] - f->level[next]) * (n % 2 != 0 ? sqrtf(0.5f) : 1.0f);
        if (fall > steepest) {
            steepest = fall;
            best = n;
        }
    }
    return best == NO_NEIGHBOUR ? 0 : (uint8_t)(1 << best);
}

/** Take all cells, and set their directions. Returns false when there is no memory. */
static bool take_cells(flood *f, uint8_t *direction)
{
    const routing_grid *grid = f->grid;
    for (int32_t cell = 0; cell < f->n_cells; cell++) {
        f->level[cell] = NAN;
        f->taken[cell] = 0;
    }
    for (int32_t cell = 0; cell < f->n_cells; cell++)
        if ((grid_is_at_edge(grid, cell) || grid_is_outside(grid, cell)) &&
            !reach(f, cell, grid_surface(grid, cell), NO_NEIGHBOUR))
            return false;
    for (int32_t n = 0; n < f->n_cells; n++) {
        const int32_t cell = cell_heap_take(&f->heap);
        direction[cell] = grid_is_outside(grid, cell) ? 0 : direction_of(f, cell);
        f->taken[cell] = 1;
        f->order[n] = cell;
        if (!reach_neighbours(f, cell))
            return false;
    }
    return true;
}

/** The number of the neighbour of a code that is not 0. */
static int neighbour_of_code(uint8_t code)
{
    int n = 0;
    while (code >> n != 1)
        n++;
    return n;
}

void routing_step(uint8_t direction, int *columns, int *rows)
{
    *columns = direction ? grid_columns[neighbour_of_code(direction)] : 0;
    *rows = direction ? grid_rows[neighbour_of_code(direction)] : 0;
}

/** Add up areas from the cells that were taken last to those that were taken first. Returns false when there is no
 * memory. */
static bool add_areas(const flood *f, const routing *out)
{
    const routing_grid *grid = f->grid;
    const double cell_m2 = (double)grid->step_m * (double)grid->step_m;
    double *cells = malloc((size_t)f->n_cells * sizeof *cells);
    if (!cells)
        return false;
    for (int32_t cell = 0; cell < f->n_cells; cell++)
        cells[cell] = grid->has_ring && grid_is_at_edge(grid, cell) ? 0.0 : 1.0;
    for (int32_t n = f->n_cells; n-- > 0;) {
        const int32_t cell = f->order[n];
        const uint8_t code = out->direction[cell];
        if (grid->least_m2)
            cells[cell] = fmax(cells[cell], (double)grid->least_m2[cell] / cell_m2);
        if (code)
            cells[grid_neighbour(grid, cell, neighbour_of_code(code))] += cells[cell];
        out->accumulation[cell] = (float)(cells[cell] * cell_m2);
    }
    free(cells);
    return true;
}

/** Set the catchment of a cell, its height above water and its distance from water, from those of the cell that it
 * drains to. water: level of the first water on the way of each cell */
static void follow(const routing_grid *grid, const routing *out, float *water, int32_t cell)
{
    const uint8_t code = out->direction[cell];
    const int n = code ? neighbour_of_code(code) : 0;
    const int32_t next = code ? grid_neighbour(grid, cell, n) : cell;
    const bool is_wet = grid->water && !isnan(grid->water[cell]);
    out->catchment[cell] = code ? out->catchment[next] : cell;
    if (is_wet) {
        water[cell] = grid->water[cell];
        out->above_water[cell] = out->to_water[cell] = 0.0f;
        return;
    }
    water[cell] = code ? water[next] : NAN;
    out->above_water[cell] = grid->height[cell] - water[cell];
    out->to_water[cell] = code ? out->to_water[next] + grid->step_m * (n % 2 != 0 ? sqrtf(2.0f) : 1.0f) : NAN;
}

static bool follow_all(const flood *f, const routing *out)
{
    float *water = malloc((size_t)f->n_cells * sizeof *water);
    for (int32_t n = 0; water && n < f->n_cells; n++)
        follow(f->grid, out, water, f->order[n]);
    free(water);
    return water != NULL;
}

bool route_water(const routing_grid *grid, const routing *out)
{
    const size_t all = (size_t)grid->rows * (size_t)grid->columns;
    flood f = {.grid = grid,
               .n_cells = (int32_t)all,
               .level = malloc(all * sizeof *f.level),
               .from = malloc(all),
               .taken = malloc(all),
               .order = malloc(all * sizeof *f.order)};
    bool is_done = f.level && f.from && f.taken && f.order && take_cells(&f, out->direction);
    free(f.heap.at);
    free(f.level);
    free(f.from);
    free(f.taken);
    if (is_done)
        is_done = add_areas(&f, out);
    if (is_done && out->catchment && out->above_water && out->to_water)
        is_done = follow_all(&f, out);
    free(f.order);
    return is_done;
}
