/* region_rings.h - turns the closed chains of a region into the rings of a polygon. */
#ifndef TERRANE_PROGRAM_FEATURES_REGION_RINGS_H
#define TERRANE_PROGRAM_FEATURES_REGION_RINGS_H

#include "program/features/region_chains.h"
#include "program/features/vector_file.h"

/** A node on the walk along a chain. */
typedef struct ring_step {
    int32_t x, y;
    size_t earlier; /* index of the step that came to the same corner before; SIZE_MAX: none */
    size_t place;   /* of the step on the walk */
} ring_step;

/** A step to a corner that the border may pass twice. */
typedef struct ring_pinch {
    int32_t x, y;
    size_t step;
} ring_pinch;

/** The rings of a polygon, and memory that is used again. At first all members are 0. */
typedef struct region_rings {
    vector_ring *rings; /* the outer one first */
    size_t n_rings, rings_room;
    ring_step *steps; /* of a chain */
    size_t steps_room;
    size_t *walk; /* steps that are in no ring yet */
    size_t walk_room;
    ring_pinch *pinches;
    size_t n_pinches, pinches_room;
} region_rings;

/** Make the polygon of a region, and drop its chains. A ring passes each corner once: where the border passes a corner
 * twice, it is cut into two rings that touch there. Coordinates are those of trace.h.
 *
 *  chain    the first closed chain of the region; the others follow as `next`
 *  Returns  false when there is no memory
 */
bool region_rings_make(region_rings *rings, region_chains *chains, int32_t chain);

/** Free the points of the rings that nobody has taken over. */
void region_rings_drop(region_rings *rings);

void region_rings_free(region_rings *rings);

#endif
