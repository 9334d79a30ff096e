/* blocks.h - a guide's own means over the cells of coarser levels, for overviews. */
#ifndef TERRANE_GUIDE_BLOCKS_H
#define TERRANE_GUIDE_BLOCKS_H

#include "library/guide/making.h"

/** Window of the cells of a level coarser than the guide's that contain cells of the guide. */
ter_window guide_block_window(const guide_making *m, int level);

/** Set the blocks of all levels. The cells have their nodes. Errors TER_ENOMEM */
ter_status guide_make_blocks(const guide_making *m);

#endif
