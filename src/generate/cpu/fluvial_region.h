/* fluvial_region.h - the drainage network around some cells of the last level. Blocks that lie near each other share it: a thread
 * keeps the last few.
 *
 * A region is larger than what asked for it, and its edges lie on multiples of REGION_CELLS, so that the next blocks find theirs in
 * it. It is known by all that it depends on: the parameters of its world, not the world's address.
 */
#ifndef TER_GENERATE_CPU_FLUVIAL_REGION_H
#define TER_GENERATE_CPU_FLUVIAL_REGION_H

#include "generate/cpu/fluvial_kernels.h"

typedef struct ter_fluvial_region ter_fluvial_region;

/** Regions that are kept, the least recently used is the next to go. */
typedef struct ter_fluvial_regions {
    ter_fluvial_region *region; /* `count` of them, or NULL before the first one */
    int count;
    uint64_t clock;
} ter_fluvial_regions;

/** The region that holds some cells, made when it is not kept.
 *
 *  cells    of the last level
 *  Returns  a job with network, provinces and pieces alone, valid until the next call; NULL when there is no memory
 */
const ter_fluvial_job *ter_fluvial_region_of(ter_fluvial_regions *regions, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                                             ter_window cells);

void ter_fluvial_regions_free(ter_fluvial_regions *regions);

#endif
