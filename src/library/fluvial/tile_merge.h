/* tile_merge.h - merges tiles of a fluvial world that lie near each other into rectangles, each of which is made at
 * once. A tile of fine samples needs ground and gullies over ten times its own area, and shares most of them with its
 * neighbours. */
#ifndef TERRANE_FLUVIAL_TILE_MERGE_H
#define TERRANE_FLUVIAL_TILE_MERGE_H

#include "library/fluvial/workspace.h"
#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A rectangle that is made at once, and contains one or more tiles. */
typedef struct ter_merged_rect {
    ter_rect at;
    size_t first, count; /* its tiles are order[first] .. order[first + count - 1] of the batch */
} ter_merged_rect;

/** A batch of tiles to merge. */
typedef struct ter_merge_batch {
    const ter_fluvial *f;
    int levels;            /* of the world */
    const ter_tile *tiles; /* `count` tiles, of any levels */
    size_t count;
    int width, height; /* points of a tile */
    size_t points_max; /* greatest number of points of a rectangle with more than one tile */
} ter_merge_batch;

/** Merge tiles into rectangles, where one rectangle costs no more than those that it replaces. Rectangles of coarse
 * levels come first.
 *
 *  order    receives the indices of the tiles, rectangle by rectangle; room for `count`
 *  rects    receives the rectangles; room for `count`
 *  Returns  the number of rectangles
 */
size_t ter_merge_tiles(const ter_merge_batch *b, size_t *order, ter_merged_rect *rects);

/** As ter_merge_tiles, but every tile stays a rectangle of its own, in the order of the batch. */
void ter_merge_none(const ter_merge_batch *b, size_t *order, ter_merged_rect *rects);

#ifdef __cplusplus
}
#endif

#endif
