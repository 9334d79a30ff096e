/* thalwegs.h - the rivers of a guide's own pixels become lines that the network follows. */
#ifndef TERRANE_GUIDE_THALWEGS_H
#define TERRANE_GUIDE_THALWEGS_H

#include "library/guide/pixel_flood.h"

/** Lines along the rivers of the pixels, from their upper to their lower ends; large rivers first. A line ends in the
 * river that it flows into.
 *
 *  f        flooded
 *  walk     takes over one line. places: x, y of `count` points, lattice steps. Returns false when there is no memory
 *  Errors   TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_follow_thalwegs(const guide_making *m, const guide_pixel_flood *f,
                                 bool (*walk)(void *user, const double *places, int count), void *user);

#endif
