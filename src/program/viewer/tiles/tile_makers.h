/* tile_makers.h - chooses the method that makes tiles: in GL buffers if CUDA and OpenGL share memory, else in host
 * memory. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKERS_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKERS_H

#include "program/viewer/tiles/tile_maker.h"

/** Open the methods that generator and OpenGL allow. The caller must have set fine_lods and the members of `maker` that
 * come before has_water; the others must be 0.
 *  Errors RESULT_FAILED */
result tile_makers_open(tile_maker *maker);
void tile_makers_close(tile_maker *maker);

/** The method for the present land. */
const tile_maker_table *tile_makers_choose(const tile_maker *maker);

#endif
