/* quadtree.h - chooses the tiles to draw around the camera and lists the tiles to generate.
 *
 * The method is a distance-dependent quadtree with geomorphing. Source: Strugar, "Continuous Distance-Dependent Level
 * of Detail for Rendering Heightmaps", 2010. Tiles of lod d are drawn within range[d] of the camera. Toward the end of
 * this range their vertices move to the shape of lod d + 1, so levels meet without cracks. Where all of a tile is
 * beyond its range, a quarter of its parent is drawn instead. While a tile is missing, its nearest ancestor is drawn
 * instead, split into parts whose meshes are as fine as the mesh of the missing tile. The tiles beside it keep their
 * detail. A tile that was missing in view unfolds: it starts with the shape of its parent and shows all of its own
 * detail after a fraction of a second. So late land does not pop.
 */
#ifndef TERRANE_PROGRAM_STREAM_QUADTREE_H
#define TERRANE_PROGRAM_STREAM_QUADTREE_H

#include "program/stream/bounds.h"
#include "program/stream/lod_ranges.h"
#include "program/stream/requests.h"
#include "program/stream/seams.h"
#include "program/stream/tile_pool.h"
#include "terrane/terrane.h"

enum {
    QUADTREE_REQUESTS_MAX = 4096,
    QUADTREE_UNSPLIT_MAX = 64 /* greatest number of tiles that a frame draws instead of their children to close seams */
};
/* From constants.glsl:
 *   QUADTREE_PARTS_MAX  greatest number of times that a tile is halved for drawing
 *   QUADTREE_PAGES      tiles per side of a level in the page table; wider than any range
 *   QUADTREE_SLOT_BITS  low bits of an entry of the page table: the slot
 *   QUADTREE_HIDDEN_MAX greatest value of the bits above: the weight of the parent's shape */

/** Limits of quadtree.detail. Below the least value ranges would shrink from level to level, see lod_ranges.c. */
static const double QUADTREE_DETAIL_MIN = 2.4, QUADTREE_DETAIL_MAX = 12.0;

/** Factor on the sum of displacements that bounds the heights: four-point interpolation overshoots. */
static const double QUADTREE_OVERSHOOT = 1.25;

typedef struct quadtree {
    tile_pool *pool;
    int top;                 /* coarsest lod; a view with a short far distance has finer roots */
    int fine_lods;           /* tiles of lod 0 have the world's level of detail -fine_lods */
    int means_lod;           /* from this lod on, samples are means and differ from those of finer lods */
    double spacing;          /* metres per step of the lattice of tiles */
    double detail;           /* range of a lod in widths of its tiles */
    double reach[TILE_LODS]; /* greatest difference of finer levels from the samples of a lod, m */
    int mesh_step;           /* samples per mesh quad */
    int n_parts;             /* how often a tile may be halved for drawing */
    lod_ranges ranges;       /* used for drawing */
    uint64_t frame;
    double elapsed_s; /* time since the last update, s */
    bool is_fading;   /* some tiles still show a share of their parent's shape */
    bool has_seams;   /* some meshes are coarser than the view needs; then parts outside the frustum are listed, too */
    uint32_t unsplit[QUADTREE_UNSPLIT_MAX]; /* slots of tiles that this frame draws instead of their children */
    size_t n_unsplit;
    seam_table seams;

    quadtree_tile tiles[QUADTREE_TILES_MAX];
    size_t n_tiles;
    /* Page table: [lod][j modulo QUADTREE_PAGES][i modulo QUADTREE_PAGES]. An entry holds the slot of a ready tile and
     * the share of its parent's shape that the tile still shows; -1: no tile. Descendants of a tile that is drawn
     * instead of its children are left out. */
    int32_t pages[TILE_LODS][QUADTREE_PAGES * QUADTREE_PAGES];
    quadtree_request requests[QUADTREE_REQUESTS_MAX];
    size_t n_requests;
    size_t n_late; /* tiles in view that were missing or still unfolding */
} quadtree;

/** Set a quadtree up for a world.
 *
 *  pool       owned by the caller; has fewer than 2^24 slots
 *  detail     QUADTREE_DETAIL_MIN..QUADTREE_DETAIL_MAX
 *  mesh_step  samples per mesh quad: a power of two, 2..32
 *  fine_lods  0..TER_FINE_LODS: how many of the world's levels of detail below 0 have tiles
 */
void quadtree_init(quadtree *tree, tile_pool *pool, const ter_params *params, double detail, int mesh_step,
                   int fine_lods);

/** Number of levels below which a world would lack tiles for views from low altitudes. */
int quadtree_least_top(const quadtree *tree, const ter_params *params);

/** Use no lod that a world lacks. The world needs at least quadtree_least_top levels. */
void quadtree_limit_top(quadtree *tree, const ter_params *params);

/** Slot of an entry of the page table; -1: no tile. */
int32_t quadtree_page_slot(int32_t page);

/** Prepare for a morph to another world: widen `reach` so that it bounds the heights of both worlds. The other world
 * needs at least `top` levels. */
void quadtree_widen_bounds(quadtree *tree, const ter_params *params);

/** Find the tiles to draw and to request for a view.
 *
 *  elapsed_s  time since the last update; limits how far ranges grow and new tiles unfold. A huge value finishes both.
 */
void quadtree_update(quadtree *tree, const quadtree_view *view, double elapsed_s);

/** Distances at which tiles of a lod begin and end their morph to the next coarser lod, metres. */
double quadtree_morph_start(const quadtree *tree, int lod);
double quadtree_morph_end(const quadtree *tree, int lod);

/** The same distances for parts 1..n_parts of tiles of lod 0, which morph to parts twice as wide. */
double quadtree_part_morph_start(const quadtree *tree, int part);
double quadtree_part_morph_end(const quadtree *tree, int part);

/** Width of a tile, metres. */
double quadtree_tile_width(const quadtree *tree, int lod);

#endif
