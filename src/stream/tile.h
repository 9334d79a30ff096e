/* tile.h - the viewer's tile: 128 x 128 quads of one level of detail, stored with an apron for normals. */
#ifndef TERRANE_STREAM_TILE_H
#define TERRANE_STREAM_TILE_H

#include <stdint.h>

enum {
    TILE_QUADS = 128,
    TILE_APRON = 4,     /* samples north and west of the tile: normals need 1, blocks of 4 suit generators */
    TILE_SAMPLES = 136, /* a side, apron included; also the row stride */
    TILE_FLOATS = TILE_SAMPLES * TILE_SAMPLES,
    TILE_LODS = 25
};

/** A tile covers lattice points x from i * 128 * 2^lod to (i + 1) * 128 * 2^lod, z likewise. */
typedef struct tile_key {
    int lod;
    int64_t i, j;
} tile_key;

#endif
