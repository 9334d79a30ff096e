/* region.h - the drainage network around some cells of the last level. Blocks that lie near each other share
 * it: the last few are kept, for all threads of a generator.
 *
 * A region's edges lie on multiples of REGION_CELLS. The first one at a place is little larger than what asked for it;
 * where one is kept that overlaps what is asked for, more will be wanted nearby, and the new one is made wider. A
 * region is known by all that it depends on: the parameters of its world, not the world's address.
 */
#ifndef TERRANE_FLUVIAL_CPU_REGION_H
#define TERRANE_FLUVIAL_CPU_REGION_H

#include "library/fluvial/cpu/kernels.h"

typedef struct ter_fluvial_region ter_fluvial_region;

/** Regions that are kept, the least recently used is the next to go. */
typedef struct ter_fluvial_regions ter_fluvial_regions;

/** Keep up to `count` regions, at least as many as threads take at one time; NULL when there is no memory. */
ter_fluvial_regions *ter_fluvial_regions_create(int count);

/** Free them; NULL is allowed. None is in use. */
void ter_fluvial_regions_destroy(ter_fluvial_regions *regions);

/** Take the region that holds some cells; it is made when it is not kept. Any number of threads, each takes one at a
 * time; one that wants a region that another one is making waits for it.
 *
 *  cells    of the last level
 *  around   what a region that is made holds at least, if the cells lie in it: more of the same call will want it
 *  cancel   asked while a region is made
 *  Returns  NULL when there is no memory, and once it is cancelled
 */
ter_fluvial_region *ter_fluvial_regions_take(ter_fluvial_regions *regions, const ter_fluvial_kernels *kernels,
                                             const ter_fluvial *f, ter_window cells, ter_window around,
                                             const ter_cancel *cancel);

/** A job with network, provinces and pieces alone, valid until the region is left. */
const ter_fluvial_job *ter_fluvial_region_job(const ter_fluvial_region *region);

/** Regions made so far, and cells of all of them. */
typedef struct ter_fluvial_regions_made {
    uint64_t regions, cells;
} ter_fluvial_regions_made;

/** How much has been made. No thread takes a region meanwhile. */
ter_fluvial_regions_made ter_fluvial_regions_count(const ter_fluvial_regions *regions);

/** Leave a region that was taken. */
void ter_fluvial_regions_leave(ter_fluvial_regions *regions, ter_fluvial_region *region);

#endif
