/* tile_merge.h - tiles that lie beside each other in a fluvial world are made as one rectangle: the ground and the
 * gullies that a tile of fine samples needs lie over ten times as much land as the tile itself, and neighbours share
 * most of it. */
#ifndef TERRANE_FLUVIAL_TILE_MERGE_H
#define TERRANE_FLUVIAL_TILE_MERGE_H

#include "library/fluvial/workspace.h"
#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tiles that are made as one rectangle. */
typedef struct ter_united {
    ter_rect at;
    size_t first, count; /* they are tiles order[first] .. order[first + count - 1] of the batch */
} ter_united;

/** What tiles of a batch are united. */
typedef struct ter_uniting {
    const ter_fluvial *f;
    int levels;            /* of the world */
    const ter_tile *tiles; /* `count` of them */
    size_t count;
    int width, height; /* points of a tile */
    size_t points_max; /* of a rectangle of more than one tile */
} ter_uniting;

/** Find rectangles in which all tiles lie, where one costs no more than those that it takes the place of; coarse ones
 * first.
 *
 *  order   receives the numbers of the tiles, 0 .. count - 1, rectangle by rectangle
 *  united  receives them; room for `count`
 *  Returns  how many they are
 */
size_t ter_unite_tiles(const ter_uniting *u, size_t *order, ter_united *united);

/** Every tile by itself, in the order of the batch. */
void ter_unite_none(const ter_uniting *u, size_t *order, ter_united *united);

#ifdef __cplusplus
}
#endif

#endif
