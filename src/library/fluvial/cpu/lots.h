/* lots.h - which blocks of a call share their broadest octave of gullies, and which share a network.
 *
 * A sample of 1 m looks at 24 x 24 points of the ground 128 m apart, 25 x 25 of 32 m and 19 x 19 of 16 m, and at a
 * network of over 9000 nodes. Blocks of few samples that lie near each other have most of that in common:
 *
 *     lot        Blocks that one thread makes one after the other. Where that costs less, they take the ground of
 *                128 m and 32 m, and the octave of gullies on it, from an array that holds the points of all of them.
 *     network    Lots whose cells lie in one window, where that window costs no more nodes than a window for each lot.
 */
#ifndef TERRANE_FLUVIAL_CPU_LOTS_H
#define TERRANE_FLUVIAL_CPU_LOTS_H

#include "library/core/cpu/state.h"
#include "library/fluvial/plan.h"

typedef struct ter_fluvial_lot {
    size_t first, count; /* blocks order[first] .. order[first + count - 1] */
    ter_window points;   /* where they share the octave; without width: they do not */
    ter_window cells; /* that the network should hold, as far as it is known before it is made; without width: the lot's
                         alone */
} ter_fluvial_lot;

typedef struct ter_fluvial_lots {
    ter_fluvial_lot *lot; /* those that share a network follow each other */
    size_t n_lots;
    size_t *order; /* of the blocks */
} ter_fluvial_lots;

/** Put blocks into lots, on all threads.
 *
 *  blocks  points of each; of any levels of detail
 *  out     ter_fluvial_lots_free frees it, whatever is returned
 *  Errors  TER_ENOMEM, TER_ECANCELLED
 */
ter_status ter_fluvial_lots_find(const ter_cpu_state *cpu, const ter_fluvial *f, const ter_lattice *blocks,
                                 size_t count, ter_fluvial_lots *out);

void ter_fluvial_lots_free(ter_fluvial_lots *lots);

#endif
