/* inflow.h - finds the rivers that enter a rectangle, and the areas that they drain according to the network. */
#ifndef TERRANE_PROGRAM_DRAINAGE_INFLOW_H
#define TERRANE_PROGRAM_DRAINAGE_INFLOW_H

#include "program/core/events.h"
#include "program/core/result.h"
#include "program/drainage/routing.h"
#include "terrane/reaches.h"

/** Find where rivers enter a rectangle. The grid is the rectangle with a ring of one sample around it.
 *
 *  rect      the rectangle with its ring
 *  grid      heights and water of the rectangle, to find the cells that rivers enter
 *  least_m2  0 for each cell of the grid; cells inside of the ring that rivers enter get the areas of these rivers
 *  Errors    RESULT_FAILED no memory; RESULT_INTERRUPTED; those of the library
 */
result inflow_find(const ter_world *world, const ter_rect *rect, const routing_grid *grid, float *least_m2,
                   const work_progress *progress);

#endif
