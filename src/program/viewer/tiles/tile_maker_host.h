/* tile_maker_host.h - the method that makes tiles in host memory. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_HOST_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_HOST_H

#include "program/viewer/tiles/tile_maker.h"

extern const tile_maker_table tile_maker_host;

/** Reserve host memory for a batch. Errors RESULT_FAILED */
result tile_maker_reserve_host(tile_maker *maker);
void tile_maker_release_host(tile_maker *maker);

#endif
