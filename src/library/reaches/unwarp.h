/* unwarp.h - finds the point of the world that has a given place in the network's plane. Samples go the other way: from
 * their point to its place, by the warp. */
#ifndef TERRANE_REACHES_UNWARP_H
#define TERRANE_REACHES_UNWARP_H

#include "library/fluvial/cpu/kernels.h"
#include "library/fluvial/cpu/memory.h"

/** A place in the network's plane, 2^-8 units, or a point of the world, lattice steps. */
typedef struct reach_spot {
    double x, y;
} reach_spot;

/** How a place changes with its point, 2^-8 units for each lattice step. [0] is the change to the east of the plane,
 * [1] to the south. */
typedef struct reach_slope {
    double x[2], y[2]; /* x: for a step to the east of the world; y: to the south */
} reach_slope;

/** The knots of an octave of the warp around the last point. */
typedef struct reach_knots {
    bool is_made;
    int64_t column, row; /* of the knot north-west of the point, the second one of the second row */
    double value[16][2]; /* to the east, to the south */
} reach_knots;

/** State of a thread. At first it is zero, except for `f` and `kernels`. */
typedef struct reach_unwarp {
    const ter_fluvial *f;
    const ter_fluvial_kernels *kernels;
    ter_fluvial_job *job; /* a lattice of warps of TER_PLACE_STEP */
    ter_fluvial_memory points, scratch;
    reach_knots knots[TER_WARP_OCTAVES];
} reach_unwarp;

/** Find the point of a place. The result depends on the place alone. Returns false when there is no memory. */
bool reach_unwarp_joint(reach_unwarp *u, reach_spot place, reach_spot *out);

/** Find the points of the places of a line. Neighbouring places are at most some hundred steps apart.
 *
 *  first    the point of the first place, from reach_unwarp_joint
 *  out      `count` points. They depend on the line alone
 *  Returns  false when there is no memory
 */
bool reach_unwarp_line(reach_unwarp *u, reach_spot first, const reach_spot *places, int count, reach_spot *out);

/** The approximate place of a point: without the small shifts that points finer than TER_GROUND_STEP get, which are
 * less than 4 m. */
reach_spot reach_place_near(reach_unwarp *u, double x, double y);

/** Free the memory of a state. */
void reach_unwarp_free(reach_unwarp *u);

#endif
