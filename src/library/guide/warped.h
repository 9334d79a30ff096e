/* warped.h - finds the places of points of the world in the plane of the network. */
#ifndef TERRANE_GUIDE_WARPED_H
#define TERRANE_GUIDE_WARPED_H

#include "library/guide/making.h"

enum { GUIDE_POINTS = 32 };

/** Points of the world, lattice steps, and the places to which the warp brings them. */
typedef struct guide_points {
    int count;
    int64_t x[GUIDE_POINTS], y[GUIDE_POINTS], px[GUIDE_POINTS], py[GUIDE_POINTS];
} guide_points;

/** Find the places of points that lie near each other. Returns false when there is no memory. */
bool guide_warp_points(const guide_making *m, guide_points *p);

#endif
