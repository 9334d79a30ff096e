/* tile_ways.h - which way tiles go: by GL buffers where CUDA and OpenGL share memory, else by host memory. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_WAYS_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_WAYS_H

#include "program/viewer/tiles/tile_maker.h"

/** Open the ways that generator and OpenGL allow. The caller has set the members from generator to is_interrupted.
 *  Errors RESULT_FAILED */
result tile_ways_open(tile_maker *maker);
void tile_ways_close(tile_maker *maker);

/** The way for the land as it is now. */
const tile_maker_table *tile_ways_choose(const tile_maker *maker);

#endif
