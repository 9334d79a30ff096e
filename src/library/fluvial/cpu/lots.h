/* lots.h - decides which blocks of a call share their broadest octave of gullies, and which share a network.
 *
 * A sample of a lattice with a spacing of 1 m depends on 24 x 24 points of the ground 128 m apart, 25 x 25 points 32 m
 * apart, 19 x 19 points 16 m apart, and a network of over 9000 nodes. Blocks of few samples that lie near each other
 * have most of these in common.
 *
 *     lot        A group of blocks that one thread makes one after the other. If that costs less, the ground at 128 m
 *                and 32 m and the octave of gullies on it are made once, in an array that covers the points of all
 *                blocks.
 *     network    Lots share one window of cells if it costs no more nodes than a window for each lot.
 */
#ifndef TERRANE_FLUVIAL_CPU_LOTS_H
#define TERRANE_FLUVIAL_CPU_LOTS_H

#include "library/core/cpu/state.h"
#include "library/fluvial/plan.h"

typedef struct ter_fluvial_lot {
    size_t first, count; /* blocks order[first] .. order[first + count - 1] */
    ter_window points;   /* of the shared octave; width 0: each block makes its own */
    ter_window cells;    /* approximate cells of the shared network; width 0: the network is not shared */
} ter_fluvial_lot;

typedef struct ter_fluvial_lots {
    ter_fluvial_lot *lot; /* lots that share a network follow each other */
    size_t n_lots;
    size_t *order; /* indices of the blocks, lot by lot */
} ter_fluvial_lots;

/** Put blocks into lots, on all threads.
 *
 *  blocks  points of each block; of any levels of detail
 *  out     to be freed by ter_fluvial_lots_free, also after an error
 *  Errors  TER_ENOMEM, TER_ECANCELLED
 */
ter_status ter_fluvial_lots_find(const ter_cpu_state *cpu, const ter_fluvial *f, const ter_lattice *blocks,
                                 size_t count, ter_fluvial_lots *out);

void ter_fluvial_lots_free(ter_fluvial_lots *lots);

#endif
