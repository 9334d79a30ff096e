/* block.h - makes one block of a fluvial world on one thread, from a cached region of the network, or from the root.
 */
#ifndef TERRANE_FLUVIAL_CPU_BLOCK_H
#define TERRANE_FLUVIAL_CPU_BLOCK_H

#include "library/fluvial/cpu/memory.h"
#include "library/fluvial/cpu/region.h"

/** State that a thread keeps from block to block. At first it is zero, except for `regions`, which threads may share,
 * and `cancel`. */
typedef struct ter_fluvial_maker {
    ter_fluvial_regions *regions;
    ter_cancel cancel;
    ter_fluvial_job job;
    ter_fluvial_memory points, network, scratch;
    ter_fluvial_memory merged;  /* layers of a block that lies in several tiles */
    ter_fluvial_memory blurred; /* layers of the points of which a block of level of detail 9 is the mean */
    ter_fluvial_memory fine;    /* layers of the points from which a block of a level of detail below 0 is made */
    ter_window around;          /* cells that the next blocks share, set by ter_fluvial_share */
    ter_fluvial_job octave;     /* the octave of gullies that these blocks share; none if its points have width 0 */
    ter_fluvial_memory octave_points, octave_surface;
    ter_fluvial_job climate; /* knots of the climate that were made last, if has_climate is set */
    ter_fluvial_memory climate_memory;
    ter_fluvial_memory cover;  /* arrays of the sand and the glaciers of a block */
    ter_fluvial_memory needed; /* layers of a block that its cover needs and the caller does not want */
    bool has_climate;
} ter_fluvial_maker;

/** Prepare what the next blocks share, until the next call: the cells of their network, and their broadest octave of
 * gullies.
 *
 *  cells    approximately the cells of the network that all of these blocks need; width 0: unknown
 *  points   points at which the blocks need the octave, which is made now; width 0: each block makes its own octave
 *  Returns  false when there is no memory; then no block may be made
 */
bool ter_fluvial_share(ter_fluvial_maker *maker, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                       ter_window cells, ter_window points);

/** Make the samples of a block.
 *
 *  lod          level of detail
 *  at           the samples; they lie near enough to share most of their network
 *  out          the requested layers
 *  is_streamed  whether stores may bypass the caches, for arrays that are larger than these
 *  Returns      false when there is no memory. Samples are unspecified then, and when `cancel` is set
 */
bool ter_fluvial_make_block(ter_fluvial_maker *maker, const ter_fluvial_kernels *kernels, const ter_fluvial *f, int lod,
                            ter_window at, const ter_fluvial_output *out, bool is_streamed);

/** As ter_fluvial_make_block, by the definition: each step for each element. */
bool ter_fluvial_define_block(ter_fluvial_maker *maker, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                              int lod, ter_window at, const ter_fluvial_output *out);

/** Make knots of the climate in maker->climate, unless it has them already. shift: knots are 2^shift lattice steps
 * apart. Returns false when there is no memory. The knots are unspecified when `cancel` is set */
bool ter_fluvial_have_climate(ter_fluvial_maker *maker, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                              int shift, ter_window knots);

/** Free the memory of a maker, but not its regions. */
void ter_fluvial_maker_free(ter_fluvial_maker *maker);

#endif
