// shade_kinds.glsl - kinds of blocks of pixels by what they may show, for renderers that run both sides of every branch: a program that is
// made for a kind (SHADE_KIND) lacks all that its pixels cannot show. Without SHADE_KIND a pixel may show anything.
const int BLOCKS_SKY = 0,   // nothing else
          BLOCKS_LAND = 1,  // far from rivers and lakes
          BLOCKS_BANKS = 2, // land beside rivers and lakes
          BLOCKS_RIVER = 3, // rivers, lakes and their banks
          BLOCKS_SEA = 4,   // over a bed too deep to be seen
          BLOCKS_COAST = 5, // sea and land
          BLOCKS_WATER = 6; // anything
const int BLOCK_KINDS = 7;

#ifndef SHADE_KIND
#define SHADE_KIND BLOCKS_WATER
#endif
const bool MAY_BE_LAND = SHADE_KIND != BLOCKS_SKY && SHADE_KIND != BLOCKS_SEA, MAY_HAVE_BED = SHADE_KIND != BLOCKS_SKY;
const bool MAY_BE_RIVER = SHADE_KIND == BLOCKS_RIVER || SHADE_KIND == BLOCKS_WATER, MAY_BE_BANK = MAY_BE_RIVER || SHADE_KIND == BLOCKS_BANKS;
const bool MAY_BE_COAST = SHADE_KIND == BLOCKS_COAST || SHADE_KIND == BLOCKS_WATER, MAY_BE_SEA = MAY_BE_COAST || SHADE_KIND == BLOCKS_SEA;
