/* inflow.h - finds the rivers that enter a rectangle, and the areas that they drain according to the network. */
#ifndef TERRANE_PROGRAM_DRAINAGE_INFLOW_H
#define TERRANE_PROGRAM_DRAINAGE_INFLOW_H

#include "program/drainage/routing.h"
#include "program/features/river_net.h"

/** Find where rivers enter a rectangle. The grid is the rectangle with a ring of one sample around it.
 *
 *  net       a network with edges from TER_EDGE_AREA_MIN on; its tiles at the border are made
 *  rect      the rectangle with its ring
 *  grid      heights and water of the rectangle, to find the cells that rivers enter
 *  least_m2  0 for each cell of the grid; cells inside of the ring that rivers enter get the areas of these rivers
 *  Errors    RESULT_FAILED no memory; RESULT_INTERRUPTED; those of the library
 */
result inflow_find(const ter_world *world, river_net *net, const ter_rect *rect, const routing_grid *grid,
                   float *least_m2);

#endif
