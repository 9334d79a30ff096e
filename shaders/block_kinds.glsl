// block_kinds.glsl - the kinds of blocks of pixels by their possible content. It is included as GLSL in
// shade_kinds.glsl and as C in src/program/render/shade_kinds.h. Each includer defines the macro.
//
//   BLOCK_KIND(name, number)
BLOCK_KIND(BLOCKS_SKY, 0)   // only sky
BLOCK_KIND(BLOCKS_LAND, 1)  // land far from rivers and lakes, and sky
BLOCK_KIND(BLOCKS_BANKS, 2) // the same as BLOCKS_LAND, and land beside rivers and lakes
BLOCK_KIND(BLOCKS_RIVER, 3) // the same as BLOCKS_BANKS, and rivers and lakes
BLOCK_KIND(BLOCKS_SEA, 4)   // sea over a bed too deep to be visible, and sky
BLOCK_KIND(BLOCKS_COAST, 5) // sea, land far from rivers and lakes, and sky
BLOCK_KIND(BLOCKS_WATER, 6) // anything
