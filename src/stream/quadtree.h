/* quadtree.h - which tiles make up the land around the camera, and which have to be generated for it.
 *
 * Distance-dependent quadtree with geomorphing. Source: Strugar, "Continuous Distance-Dependent Level of Detail for Rendering
 * Heightmaps", 2010. Tiles of lod d are drawn within range[d] of the camera and have become tiles of lod d + 1 where that ends, so
 * levels meet without cracks. A range never reaches over a tile that is not there yet: it shrinks to the nearest missing one and
 * grows back smoothly, so land that comes late unfolds instead of tearing open or popping.
 */
#ifndef TERRANE_STREAM_QUADTREE_H
#define TERRANE_STREAM_QUADTREE_H

#include "stream/tile_pool.h"
#include "terrane.h"

/** The camera as the quadtree sees it. Distances are metres. */
typedef struct quadtree_view {
    int64_t cell_x, cell_z;    /* lattice cell of the camera */
    double offset_x, offset_z; /* lattice steps from the cell's corner, 0..1 */
    double ahead_x, ahead_z; /* where the camera will soon be, lattice steps from where it is: what is near there is wanted, too */
    double height;           /* of the camera above the ground under it: distance to the land is measured from there */
    double far_distance;     /* land beyond is not drawn */
    double planet_radius;    /* the land curves away by distance^2 / (2 * radius); 0 is flat */
    double planes[5][4];     /* frustum, camera-relative metres (east, up, south): inside where n . p + d >= 0 */
    double low, high;        /* lowest and highest ground anywhere, relative to the camera */
    double altitude;         /* of the camera over the datum */
    double occluder;         /* altitude of an opaque sphere that hides land beyond its horizon, below low where there is none */
} quadtree_view;

/** A tile to draw: its north-west corner relative to the camera's cell, in lattice steps. Tiles of lod 0 near the camera are drawn
 * in parts, `part` 1: quarters, 2: sixteenths, ..., each with as many quads as a whole tile, so that the mesh gets as fine as the
 * samples; column and row are a part's place in its tile, in widths of such parts. */
typedef struct quadtree_tile {
    int32_t x, z;
    uint8_t lod, part, column, row;
    uint32_t slot;
} quadtree_tile;

/** A tile to generate. */
typedef struct quadtree_request {
    tile_key key;
    double distance; /* metres */
    double due;      /* metres that the camera goes at least until it is wanted, below 0 it is; out of view some more, 0 at least */
    bool is_seen;    /* in this view, now: it is late; else it is for what the camera may see next */
    bool is_soon;    /* wanted some frames from now */
} quadtree_request;

enum {
    QUADTREE_TILES_MAX = 4096,
    QUADTREE_REQUESTS_MAX = 4096,
    QUADTREE_PARTS_MAX = 3,
    QUADTREE_PAGES = 32 /* tiles of a level's side in the page table; more than any range reaches over */
};

/** Least and greatest detail, see quadtree.detail. */
static const double QUADTREE_DETAIL_MIN = 4.8, QUADTREE_DETAIL_MAX = 12.0;

/** How far heights may lie beyond the sum of the displacements that make them: the four-point rule overshoots. */
static const double QUADTREE_OVERSHOOT = 1.25;

typedef struct quadtree {
    tile_pool *pool;
    int top;                                    /* coarsest lod; near views begin with finer roots */
    double spacing;                             /* metres a lattice step */
    double detail;                              /* range of a lod in widths of its tiles */
    double reach[TILE_LODS];                    /* how far levels finer than a lod may lie above or below it, metres */
    int n_parts;                                /* times a tile of lod 0 may be split for drawing */
    double shown[TILE_LODS];                    /* ranges used for drawing, metres */
    double shown_parts[QUADTREE_PARTS_MAX + 1]; /* ranges of parts; [0] is that of whole tiles of lod 0 */
    uint64_t frame;

    quadtree_tile tiles[QUADTREE_TILES_MAX];
    size_t n_tiles;
    /* Slots of the tiles that are there: [lod][j modulo QUADTREE_PAGES][i modulo QUADTREE_PAGES], -1 elsewhere. */
    int32_t pages[TILE_LODS][QUADTREE_PAGES * QUADTREE_PAGES];
    quadtree_request requests[QUADTREE_REQUESTS_MAX];
    size_t n_requests;
    size_t n_late; /* tiles the view wanted in this frame and did not have */
} quadtree;

/** Set up for a world; pool is the caller's. n_parts 0..QUADTREE_PARTS_MAX. */
void quadtree_init(quadtree *tree, tile_pool *pool, const ter_params *params, double detail, int n_parts);

/** The land is becoming another world: it may lie as far from coarser levels as either, and has the roots of the one with fewer
 * levels. */
void quadtree_admit(quadtree *tree, const ter_params *params);

/** Find the tiles to draw and to request for a view.
 *
 *  elapsed_s  since the last update: how far ranges may grow back; a huge value lets them jump
 */
void quadtree_update(quadtree *tree, const quadtree_view *view, double elapsed_s);

/** Where tiles of a lod begin and end turning into the next coarser one, metres. */
double quadtree_morph_start(const quadtree *tree, int lod);
double quadtree_morph_end(const quadtree *tree, int lod);

/** The same for parts of tiles of lod 0, 1..n_parts, and the parts twice as wide. */
double quadtree_part_morph_start(const quadtree *tree, int part);
double quadtree_part_morph_end(const quadtree *tree, int part);

/** Width of a tile, metres. */
double quadtree_tile_width(const quadtree *tree, int lod);

#endif
