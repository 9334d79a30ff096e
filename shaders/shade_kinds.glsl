// shade_kinds.glsl - kinds of blocks of pixels by their possible content.
//
// llvmpipe runs both sides of every branch. A program for one kind (SHADE_KIND) lacks the code for content that the
// kind excludes. Without SHADE_KIND a pixel may have any content.
#define BLOCK_KIND(name, number) const int name = number;
#include "block_kinds.glsl"

#ifndef SHADE_KIND
#define SHADE_KIND BLOCKS_WATER
#endif
const bool MAY_BE_LAND = SHADE_KIND != BLOCKS_SKY && SHADE_KIND != BLOCKS_SEA, MAY_HAVE_BED = SHADE_KIND != BLOCKS_SKY;
const bool MAY_BE_RIVER = SHADE_KIND == BLOCKS_RIVER || SHADE_KIND == BLOCKS_WATER,
           MAY_BE_BANK = MAY_BE_RIVER || SHADE_KIND == BLOCKS_BANKS;
const bool MAY_BE_COAST = SHADE_KIND == BLOCKS_COAST || SHADE_KIND == BLOCKS_WATER,
           MAY_BE_SEA = MAY_BE_COAST || SHADE_KIND == BLOCKS_SEA;
