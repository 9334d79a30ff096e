/* block.h - one block of a fluvial world, made by one thread from the root, or from a region of the network
 * that the thread has kept.
 */
#ifndef TERRANE_FLUVIAL_CPU_BLOCK_H
#define TERRANE_FLUVIAL_CPU_BLOCK_H

#include "library/fluvial/cpu/memory.h"
#include "library/fluvial/cpu/region.h"

/** What a thread keeps from block to block; all zero but for the regions at first, which others may share, and the
 * cancellation. */
typedef struct ter_fluvial_maker {
    ter_fluvial_regions *regions;
    ter_cancel cancel;
    ter_fluvial_job job;
    ter_fluvial_memory points, network, scratch;
    ter_fluvial_memory united;  /* layers of a block that several tiles share */
    ter_fluvial_memory blurred; /* layers that a block of level of detail 9 is the mean of */
    ter_window around;          /* cells that blocks share: ter_fluvial_share */
    ter_fluvial_job octave;     /* and their broadest octave, where its points have a width */
    ter_fluvial_memory octave_points, octave_surface;
} ter_fluvial_maker;

/** Let the blocks that are made from now on share what they have in common, until this is called again.
 *
 *  cells    of the network that all of them need, about; without width: that is not known
 *  points   at which they want their broadest octave of gullies, which is made here; without width: each makes its own
 *  Returns  false when there is no memory; blocks must not be made then
 */
bool ter_fluvial_share(ter_fluvial_maker *maker, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                       ter_window cells, ter_window points);

/** Make the samples of a block.
 *
 *  points   of one level of detail, as many as share most of their network
 *  out      the layers that are wanted
 *  is_streamed  whether they are parts of arrays that no cache holds
 *  Returns  false when there is no memory; samples are unspecified then, and once the maker is cancelled
 */
bool ter_fluvial_make_block(ter_fluvial_maker *maker, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                            ter_lattice points, const ter_fluvial_output *out, bool is_streamed);

/** The same by the definition, each step for each element; overviews have no other way. */
bool ter_fluvial_define_block(ter_fluvial_maker *maker, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                              ter_lattice points, const ter_fluvial_output *out);

/** Free what a maker keeps, but not the regions. */
void ter_fluvial_maker_free(ter_fluvial_maker *maker);

#endif
