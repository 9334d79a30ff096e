/* ground_limit.h - lowers the water of a line where the ground is low, as samples of rivers do: a river lies at most
 * TER_RIVER_ABOVE above the ground. */
#ifndef TERRANE_REACHES_GROUND_LIMIT_H
#define TERRANE_REACHES_GROUND_LIMIT_H

#include "library/reaches/bed_line.h"

enum { GROUND_LIMIT_CELLS = TER_GROUND_CELLS + 4 }; /* cells of the network that it reads around the cell of an edge */

/** Lower the water of points of a line.
 *
 *  network  the network from which the line was made
 *  u        the state that has just found the points. Its lattice receives the network
 *  spots    the points in the world
 *  limits   limits of the points
 */
void ground_limit_apply(const ter_fluvial_job *network, reach_unwarp *u, const reach_spot *spots,
                        const bed_limit *limits, ter_river_point *points, int count);

#endif
