/* outlets.h - follows water into the land around a guide: finds where it may leave, and what rivers change outside. */
#ifndef TERRANE_GUIDE_OUTLETS_H
#define TERRANE_GUIDE_OUTLETS_H

#include "library/guide/cell_map.h"
#include "library/guide/network.h"

/** For each fixed cell, find whether its water comes back into the guide, and down to which height a river may cut the
 * cell: the highest lake on its way. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status guide_find_outlets(guide_network *n);

/** Find the nodes outside that rivers of the guide reach, with the areas and heights that they get. The final
 * heights of the network must have been set. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status guide_find_tails(const guide_network *n, const int64_t *area, guide_cell_map *tails);

#endif
