/* web_tile.h - tiles of the world as a web map: where they lie, and their bytes as PNG.
 *
 * The world is a plane, and web maps show a square in Mercator's projection. So the map is that of a small planet: its
 * square has sides of 2^25 lattice steps, 33,554 km with the default spacing, in place of 40,075 km. A tile of zoom z
 * has 256 x 256 samples of level of detail 17 - z: at zoom 17 the samples are 1 m apart, and at zoom 0 one tile shows a
 * continent. A pixel shows the sample at its north-west corner. */
#ifndef TERRANE_PROGRAM_SERVE_WEB_TILE_H
#define TERRANE_PROGRAM_SERVE_WEB_TILE_H

#include "program/core/result.h"
#include "program/surface/look.h"

enum {
    WEB_TILE_SIDE = 256,   /* pixels */
    WEB_MAP_SIDE_LOG = 25, /* lattice steps of the map's side, as a power of two */
    WEB_LOD_OF_ZOOM_0 = WEB_MAP_SIDE_LOG - 8,
    WEB_ZOOM_MAX = WEB_LOD_OF_ZOOM_0 + TER_FINE_LODS
};

/** What a tile shows. */
typedef enum web_kind {
    WEB_TERRARIUM,   /* heights; the colours are numbers, in steps of 1/256 m */
    WEB_TERRAIN_RGB, /* heights in steps of 0.1 m */
    WEB_MAP,         /* shaded relief with rivers and lakes, as format map draws it */
    WEB_CLIMATE,     /* the same, in colours of the climate */
    WEB_BIOME,       /* the same, in colours of biomes */
    WEB_KINDS
} web_kind;

/** Names in addresses, in order, NULL-terminated. */
extern const char *const web_kind_names[WEB_KINDS + 1];

/** Whether the tiles of a kind are heights. */
bool web_kind_is_height(web_kind kind);

/** Address of a tile; x grows to the east, y to the south. */
typedef struct web_tile {
    web_kind kind;
    int zoom;
    int64_t x, y;
} web_tile;

/** A world as a web map. */
typedef struct web_land {
    const ter_world *world;
    const look *look;
    int64_t centre[2];   /* lattice coordinates of the map's middle, multiples of 2^WEB_LOD_OF_ZOOM_0 */
    uint64_t identity;   /* checksum of all that tiles depend on */
    const char *vectors; /* features that vector tiles beside the map have, "rivers,lakes"; NULL: there are none */
} web_land;

/** The least zoom of a world; worlds of few levels do not have coarse samples. */
int web_zoom_min(const ter_world *world);

/** Whether a world has tiles of a kind: only worlds of basis fluvial have a climate. */
bool web_land_has(const web_land *land, web_kind kind);

/** The middle of a map near a place, such that the map lies in the world. */
void web_centre_near(const double place[2], int64_t centre[2]);

/** Samples of a tile. */
ter_rect web_tile_rect(const web_land *land, const web_tile *tile);

/** Memory and generator for tiles; one for each thread. */
typedef struct web_maker web_maker;

/** Create a maker. It owns the generator, also on error. Errors RESULT_FAILED no memory */
result web_maker_create(ter_generator *generator, web_maker **out);
void web_maker_destroy(web_maker *maker);

/** A tile to be made, and the tile as PNG. */
typedef struct web_order {
    web_tile tile;
    void *bytes; /* NULL on error; the caller frees them with free() */
    size_t size;
    result result; /* RESULT_INTERRUPTED the generator was cancelled; RESULT_FAILED */
} web_order;

enum { WEB_BATCH_MAX = 32 };

/** Make up to WEB_BATCH_MAX tiles: one map, or tiles of heights, which a GPU makes faster together than one by one. */
void web_tiles_make(web_maker *maker, const web_land *land, web_order *orders, int count);

#endif
