/* grid_cells.h - a grid of samples over which water is routed, and its cells: neighbours, edges, surfaces. */
#ifndef TERRANE_PROGRAM_DRAINAGE_GRID_CELLS_H
#define TERRANE_PROGRAM_DRAINAGE_GRID_CELLS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/** A grid, row-major, with at most 2^31 - 1 cells and sides of 2 or more. */
typedef struct routing_grid {
    const float *height; /* m */
    const float *water;  /* level of the water, m; not a number where it is dry. NULL: all is dry */
    int rows, columns;
    float sea_m, step_m;
    bool has_ring; /* the outermost cells are outside of the land: each is an end, and its own area is 0 */
    /** m2 for each cell, or NULL: least area that drains through the cell, because rivers enter the grid there. It
     * includes the area of cells of the grid that drain through the cell. */
    const float *least_m2;
} routing_grid;

/* Neighbours clockwise from the east. */
static const int grid_columns[8] = {1, 1, 0, -1, -1, -1, 0, 1}, grid_rows[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/** The cell that is neighbour n of a cell; -1 outside of the grid. */
static inline int32_t grid_neighbour(const routing_grid *grid, int32_t cell, int n)
{
    const int x = cell % grid->columns + grid_columns[n], y = cell / grid->columns + grid_rows[n];
    return x < 0 || y < 0 || x >= grid->columns || y >= grid->rows ? -1 : y * grid->columns + x;
}

static inline bool grid_is_at_edge(const routing_grid *grid, int32_t cell)
{
    const int x = cell % grid->columns, y = cell / grid->columns;
    return x == 0 || y == 0 || x == grid->columns - 1 || y == grid->rows - 1;
}

/** Whether water always leaves the grid at a cell. */
static inline bool grid_is_outside(const routing_grid *grid, int32_t cell)
{
    return grid->height[cell] < grid->sea_m || (grid->has_ring && grid_is_at_edge(grid, cell));
}

/** The level of a cell's water, or the height of its ground if it is dry, metres. */
static inline float grid_surface(const routing_grid *grid, int32_t cell)
{
    return !grid->water || isnan(grid->water[cell]) ? grid->height[cell] : grid->water[cell];
}

#endif
