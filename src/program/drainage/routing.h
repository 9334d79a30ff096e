/* routing.h - routes water over a grid of samples. For each cell it finds the neighbour that the cell drains to (D8),
 * the area that drains through the cell, the cell where its water leaves the grid, the height of the cell above
 * open water, and the distance to this water along the flow.
 *
 * The surface of a cell is the level of its water, or the height of its ground if it is dry. Depressions of the surface
 * are filled until water from every cell leaves the grid, and cells are taken in the order of the filled surface
 * (priority flood: Barnes, Lehman and Mulla 2014). A cell drains to the steepest neighbour among those that were taken
 * before it; on level ground, to the neighbour from which it was reached. Cells at the edge of the grid and cells of
 * the sea are reached from outside. Such a cell is an end, where water leaves the grid, if it lies in the sea or has no
 * lower neighbour. */
#ifndef TERRANE_PROGRAM_DRAINAGE_ROUTING_H
#define TERRANE_PROGRAM_DRAINAGE_ROUTING_H

#include <stdbool.h>
#include <stdint.h>

#include "program/drainage/grid_cells.h"

/** Results, row-major as the grid. Members other than `direction` and `accumulation` may be NULL. */
typedef struct routing {
    uint8_t *direction;  /* 1 east, 2 south-east, 4 south, ... 128 north-east, as in GIS programs; 0: an end */
    float *accumulation; /* m2; area that drains through the cell, including the cell */
    int32_t *catchment;  /* row * columns + column of the end */
    float *above_water;  /* m; height above the first wet cell on the way of the water; not a number if there is none */
    float *to_water;     /* m; distance to that cell along the way; not a number if there is none */
} routing;

/** Route the water of a grid. Returns false when there is no memory. */
bool route_water(const routing_grid *grid, const routing *out);

/** The cell that a code of `direction` leads to: its distance in columns and rows. 0, 0 for an end. */
void routing_step(uint8_t direction, int *columns, int *rows);

#endif
