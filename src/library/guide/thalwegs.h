/* thalwegs.h - makes lines along the rivers of a guide's own pixels. The network follows these lines. */
#ifndef TERRANE_GUIDE_THALWEGS_H
#define TERRANE_GUIDE_THALWEGS_H

#include "library/guide/pixel_flood.h"

/** Make lines along the rivers of the pixels, each from its upper to its lower end; larger rivers come first. A line
 * ends in the river that it flows into.
 *
 *  f        flooded
 *  walk     called for each line. places: x, y of `count` points, lattice steps. Returns false when there is no memory
 *  Errors   TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_follow_thalwegs(const guide_making *m, const guide_pixel_flood *f,
                                 bool (*walk)(void *user, const double *places, int count), void *user);

#endif
