/* rivers.h - directions, drained areas and final heights of a guide's network. */
#ifndef TERRANE_GUIDE_RIVERS_H
#define TERRANE_GUIDE_RIVERS_H

#include "library/guide/network.h"

/** Let each cell drain to the neighbour in the direction of steepest descent whose edge crosses no other edge. Sets
 * `to` and `order`. Errors TER_ENOMEM */
ter_status guide_direct(guide_network *n);

/** Areas that drain through the cells, in cells of level 8, including the water that enters the guide. area: receives
 * n->count numbers */
void guide_sum_areas(const guide_network *n, int64_t *area);

/** Set `z` from `wish` so that it falls along every edge. Heights that would have to be lowered and those that would
 * have to be raised share the change. */
void guide_level(guide_network *n);

#endif
