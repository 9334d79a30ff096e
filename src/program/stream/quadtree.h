/* quadtree.h - which tiles make up the land around the camera, and which have to be generated for it.
 *
 * Distance-dependent quadtree with geomorphing. Source: Strugar, "Continuous Distance-Dependent Level of Detail for
 * Rendering Heightmaps", 2010. Tiles of lod d are drawn within range[d] of the camera and have become tiles of lod d +
 * 1 where that ends, so levels meet without cracks. Where a tile is not there yet, its nearest ancestor is drawn in its
 * place, in parts whose meshes are as fine as those of the missing tile. Other directions keep their detail. A tile
 * that arrives shows its own detail within a fraction of a second, so late land unfolds instead of popping.
 */
#ifndef TERRANE_PROGRAM_STREAM_QUADTREE_H
#define TERRANE_PROGRAM_STREAM_QUADTREE_H

#include "program/stream/bounds.h"
#include "program/stream/seams.h"
#include "program/stream/tile_pool.h"
#include "terrane/terrane.h"

/** A tile to generate. */
typedef struct quadtree_request {
    tile_key key;
    double distance; /* metres */
    double due;   /* metres that the camera goes at least until it is wanted, below 0 it is; out of view some more, 0 at
                     least */
    bool is_seen; /* in this view, now: it is late; else it is for what the camera may see next */
    bool is_soon; /* wanted some frames from now */
} quadtree_request;

enum {
    QUADTREE_REQUESTS_MAX = 4096,
    QUADTREE_PARTS_MAX = 3,
    QUADTREE_HELD_MAX = 64,
    QUADTREE_SLOT_BITS =
        24, /* of an entry of the page table; above them: how much of its parent a tile still shows, 0..127 */
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
    int mesh_step;                              /* samples a mesh quad */
    int n_parts;                                /* times a tile may be split for drawing */
    double shown[TILE_LODS];                    /* ranges used for drawing, metres */
    double shown_parts[QUADTREE_PARTS_MAX + 1]; /* ranges of parts; [0] is that of whole tiles of lod 0 */
    uint64_t frame;
    double elapsed_s;                 /* since the last update */
    bool is_fading;                   /* some tiles do not show all of their own detail */
    bool has_seams;                   /* some meshes are coarser than wanted: all parts of tiles in view are drawn */
    uint32_t held[QUADTREE_HELD_MAX]; /* slots of tiles that are drawn in place of their children in this frame */
    size_t n_held;
    seam_table seams;

    quadtree_tile tiles[QUADTREE_TILES_MAX];
    size_t n_tiles;
    /* Slots of the tiles that are there, with what each still shows of its parent: [lod][j modulo QUADTREE_PAGES][i
     * modulo QUADTREE_PAGES], -1 elsewhere. Tiles below one that stands in for its children are left out. */
    int32_t pages[TILE_LODS][QUADTREE_PAGES * QUADTREE_PAGES];
    quadtree_request requests[QUADTREE_REQUESTS_MAX];
    size_t n_requests;
    size_t n_late; /* tiles in view that were not there, or did not show all of their detail */
} quadtree;

/** Set up for a world; pool is the caller's and has fewer than 2^24 slots.
 *
 *  mesh_step  samples a mesh quad: a power of two, 2..32
 */
void quadtree_init(quadtree *tree, tile_pool *pool, const ter_params *params, double detail, int mesh_step);

/** Slot of an entry of the page table; -1: none. */
int32_t quadtree_page_slot(int32_t page);

/** The land is becoming another world: it may lie as far from coarser levels as either, and has the roots of the one
 * with fewer levels. */
void quadtree_admit(quadtree *tree, const ter_params *params);

/** Find the tiles to draw and to request for a view.
 *
 *  elapsed_s  since the last update: how far ranges may grow and new tiles unfold; a huge value lets both jump
 */
void quadtree_update(quadtree *tree, const quadtree_view *view, double elapsed_s);

/** Where tiles of a lod begin and end turning into the next coarser one, metres. */
double quadtree_morph_start(const quadtree *tree, int lod);
double quadtree_morph_end(const quadtree *tree, int lod);

/** The same for parts of tiles of lod 0, 1..n_parts, and parts twice as wide. */
double quadtree_part_morph_start(const quadtree *tree, int part);
double quadtree_part_morph_end(const quadtree *tree, int part);

/** Width of a tile, metres. */
double quadtree_tile_width(const quadtree *tree, int lod);

#endif
