/* blocks.h - computes a guide's own means over the cells of coarser levels, for overviews. */
#ifndef TERRANE_GUIDE_BLOCKS_H
#define TERRANE_GUIDE_BLOCKS_H

#include "library/guide/making.h"

/** The smallest window of a level coarser than the guide's whose cells contain all cells of the guide's tables. */
ter_window guide_block_window(const guide_making *m, int level);

/** Set the blocks of all levels. The nodes of the guide's cells must have been set. Errors TER_ENOMEM */
ter_status guide_make_blocks(const guide_making *m);

#endif
