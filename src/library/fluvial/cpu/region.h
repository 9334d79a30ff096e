/* region.h - a cache of regions. A region is the drainage network over a window of cells of the last level. Blocks that
 * lie near each other share a region. The threads of a generator share the cache, which holds the last few regions.
 *
 * A region is at first little larger than the requested cells. If a cached region overlaps the requested cells, more
 * requests nearby are likely, and the new region is made wider. A region is identified by the parameters of its world,
 * because a world's address may be reused.
 */
#ifndef TERRANE_FLUVIAL_CPU_REGION_H
#define TERRANE_FLUVIAL_CPU_REGION_H

#include "library/fluvial/cpu/kernels.h"

typedef struct ter_fluvial_region ter_fluvial_region;

/** The cache. The least recently used region is replaced first. */
typedef struct ter_fluvial_regions ter_fluvial_regions;

/** Create a cache of `count` regions, at least one for each thread. Returns NULL when there is no memory. */
ter_fluvial_regions *ter_fluvial_regions_create(int count);

/** Destroy a cache; NULL is allowed. No region may be in use. */
void ter_fluvial_regions_destroy(ter_fluvial_regions *regions);

/** Take a region that contains some cells. If none is cached, it is made.
 *
 *  cells    of the last level
 *  around   if it contains `cells`, a new region covers all of it, because later blocks of the call need it; width 0:
 *           unknown
 *  cancel   tested while a region is made
 *  Returns  NULL when there is no memory, and when `cancel` is set
 *  Threads  any; each takes one region at a time. If another thread is making the region, the call waits for it
 */
ter_fluvial_region *ter_fluvial_regions_take(ter_fluvial_regions *regions, const ter_fluvial_kernels *kernels,
                                             const ter_fluvial *f, ter_window cells, ter_window around,
                                             const ter_cancel *cancel);

/** The job of a region. Only its network, provinces and pieces are set. Valid until ter_fluvial_regions_leave. */
const ter_fluvial_job *ter_fluvial_region_job(const ter_fluvial_region *region);

/** Number of regions made so far, and total number of their cells. */
typedef struct ter_fluvial_regions_made {
    uint64_t regions, cells;
} ter_fluvial_regions_made;

/** Counts of a cache. No thread may take a region during the call. */
ter_fluvial_regions_made ter_fluvial_regions_count(const ter_fluvial_regions *regions);

/** Release a region that was taken. */
void ter_fluvial_regions_leave(ter_fluvial_regions *regions, ter_fluvial_region *region);

#endif
