/* tile.h - the viewer's tile: 128 x 128 quads of one level of detail, stored with an apron for normals. */
#ifndef TERRANE_PROGRAM_STREAM_TILE_H
#define TERRANE_PROGRAM_STREAM_TILE_H

#include <stdint.h>

enum {
    TILE_QUADS = 128,
    TILE_APRON = 4,     /* samples north and west of the tile: normals need 1, blocks of 4 suit generators */
    TILE_SAMPLES = 136, /* a side, apron included; also the row stride */
    TILE_FLOATS = TILE_SAMPLES * TILE_SAMPLES,
    TILE_LODS = 25,
    QUADTREE_TILES_MAX = 4096 /* that are drawn */
};

/** A tile covers lattice points x from i * 128 * 2^lod to (i + 1) * 128 * 2^lod, z likewise. */
typedef struct tile_key {
    int lod;
    int64_t i, j;
} tile_key;

/** A tile to draw, or a part of one: 0 is the whole tile, 1 a quarter, 2 a sixteenth, ... A part has as many quads as a
 * whole tile. Tiles of lod 0 near the camera are drawn in parts, so that the mesh gets as fine as the samples; other
 * tiles are where finer ones are missing. x and z are the north-west corner of what is drawn, relative to the camera's
 * cell, in lattice steps; column and row are the place of a part in its tile, in widths of such parts. */
typedef struct quadtree_tile {
    int32_t x, z;
    uint8_t lod, part, column, row;
    uint32_t slot;
    uint8_t coarser[4]; /* by how many levels the north, west, south and east edges are drawn coarser than the rest */
    float shown;        /* share of the mesh's own detail that is shown, the rest being that of the next coarser mesh */
} quadtree_tile;

#endif
