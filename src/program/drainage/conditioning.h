/* conditioning.h - changes the heights of a grid so that its water follows the rivers of the network. */
#ifndef TERRANE_PROGRAM_DRAINAGE_CONDITIONING_H
#define TERRANE_PROGRAM_DRAINAGE_CONDITIONING_H

#include "program/core/result.h"
#include "program/drainage/routing.h"

/** Condition heights.
 *
 *  Cells of rivers get the level of their water, and each lies above the cell that it flows into. Cells beside a river
 *  that would draw its water away are raised. Other cells without a lower neighbour are drained: the lowest way to
 *  lower ground is lowered. Where this way is a river or its bank, or is very long, the cells are raised instead.
 *  Then every cell has a lower neighbour, except in the sea, in the ring and at the bottoms of basins. Cells of lakes
 *  get the level of the lake, and rise a little away from its outlet.
 *
 *  grid     heights and water; it has a ring
 *  next     from river_tree_draw
 *  level_m  from river_tree_draw: altitudes of rivers; receives the conditioned heights of all cells
 *  Errors   RESULT_FAILED no memory
 */
result condition_heights(const routing_grid *grid, const int32_t *next, float *level_m);

#endif
