/* tile_maker_gl.h - methods by which a GPU makes tiles in GL buffers of the store. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_GL_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_GL_H

#include "program/viewer/tiles/tile_maker.h"

extern const tile_maker_table tile_maker_direct;  /* directly into slots: land without water */
extern const tile_maker_table tile_maker_staging; /* through the staging buffer: land with rivers */

/** Share the store's buffers with the generator. On error no buffer is shared. Errors TER_EINTEROP, TER_ENOBACKEND */
ter_status tile_maker_share_buffers(tile_maker *maker);

/** End the sharing. */
void tile_maker_release_buffers(tile_maker *maker);

#endif
