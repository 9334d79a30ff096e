/* tile.h - defines the viewer's tile: 128 x 128 quads of one level of detail, stored with an apron for normals. */
#ifndef TERRANE_PROGRAM_STREAM_TILE_H
#define TERRANE_PROGRAM_STREAM_TILE_H

#include <stdint.h>

#include <constants.glsl>

/* From constants.glsl:
 *   TILE_QUADS    quads per side, 1 << TILE_BITS
 *   TILE_APRON    samples north and west of the tile: normals need 1, generators work in blocks of 4
 *   TILE_SAMPLES  samples per side with the apron, which has one sample less in the south and east; also the row stride
 *   TILE_LODS     levels of detail */
enum {
    TILE_FLOATS = TILE_SAMPLES * TILE_SAMPLES,
    QUADTREE_TILES_MAX = 4096 /* greatest number of tiles and parts that a frame draws */
};

/** A tile covers lattice points x from i * 128 * 2^lod to (i + 1) * 128 * 2^lod, z likewise. The lattice of tiles is
 * 2^quadtree.fine_lods times as fine as the world's, so tiles of lod `fine_lods` have the world's level of detail 0. */
typedef struct tile_key {
    int lod;
    int64_t i, j;
} tile_key;

/** A tile to draw or a part of a tile. `part` 0 is the whole tile, 1 a quarter, 2 a sixteenth, ... A part has as many
 * quads as a whole tile. Tiles of lod 0 near the camera are drawn in parts, so that the mesh becomes as fine as the
 * samples. Coarser tiles are drawn in parts where finer tiles are missing. x and z are the north-west corner of the
 * part, in lattice steps from the camera's cell. column and row are the part's position in its tile, in widths of such
 * parts. */
typedef struct quadtree_tile {
    int32_t x, z;
    uint8_t lod, part, column, row;
    uint32_t slot;
    uint8_t coarser[4]; /* levels by which the north, west, south and east edges are coarser than the mesh */
    float detail_share; /* weight of the tile's own shape, 0..1; the rest is the shape of the next coarser mesh */
} quadtree_tile;

#endif
