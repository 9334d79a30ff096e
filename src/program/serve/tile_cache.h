/* tile_cache.h - the tiles that were made last, in bounded memory. Any thread may call the functions. */
#ifndef TERRANE_PROGRAM_SERVE_TILE_CACHE_H
#define TERRANE_PROGRAM_SERVE_TILE_CACHE_H

#include "program/serve/web_tile.h"

enum { TILE_CACHE_SLOTS = 512 }; /* about 50 MB of tiles; a tile has one slot, where it replaces another tile */

typedef struct tile_cache tile_cache;

/** Returns NULL if there is no memory. */
tile_cache *tile_cache_create(void);
void tile_cache_destroy(tile_cache *cache);

/** Keep a copy of a tile's bytes. Without memory nothing is kept. */
void tile_cache_keep(tile_cache *cache, const web_tile *tile, const void *bytes, size_t size);

/** A copy of a tile's bytes, which the caller frees with free(); NULL if the tile is not kept. */
void *tile_cache_find(tile_cache *cache, const web_tile *tile, size_t *size);

#endif
