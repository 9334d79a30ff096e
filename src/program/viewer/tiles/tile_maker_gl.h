/* tile_maker_gl.h - tiles that a GPU makes in GL buffers of the store. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_GL_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_MAKER_GL_H

#include "program/viewer/tiles/tile_maker.h"

extern const tile_maker_table tile_maker_direct;  /* into slots: dry land */
extern const tile_maker_table tile_maker_staging; /* by the staging buffer: land with rivers */

/** Let the generator write into the store's buffers, into all or none. Errors TER_EINTEROP, TER_ENOBACKEND */
ter_status tile_maker_share_buffers(tile_maker *maker);

/** End that. */
void tile_maker_release_buffers(tile_maker *maker);

#endif
