/* lod_ranges.h - the ranges of levels of detail: distances from the camera up to which tiles of a level, or parts of
 * tiles, are drawn.
 *
 *     camera          morph start   end  range of lod d
 *     |--- lod d ----------+---------+---|--- lod d + 1 ---
 */
#ifndef TERRANE_PROGRAM_STREAM_LOD_RANGES_H
#define TERRANE_PROGRAM_STREAM_LOD_RANGES_H

#include <stdbool.h>

#include "program/stream/tile.h"

/** The sizes of tiles and parts, and the detail, from which ranges follow. */
typedef struct lod_scale {
    int top;        /* coarsest lod */
    int n_parts;    /* how often a tile of lod 0 may be halved */
    double spacing; /* metres per lattice step */
    double detail;  /* range of a lod in widths of its tiles */
} lod_scale;

/** Ranges used for drawing, metres. All are 0 before the first update. */
typedef struct lod_ranges {
    double tiles[TILE_LODS];              /* by lod */
    double parts[QUADTREE_PARTS_MAX + 1]; /* by number of halvings; [0] is the range of whole tiles of lod 0 */
} lod_ranges;

/** Width of a tile, metres. */
double lod_tile_width(const lod_scale *scale, int lod);

/** The first lod whose tiles are at least `width` metres wide, or the coarsest lod of a world with `levels` levels. */
int lod_of_width(double spacing, int levels, double width);

/** Range that a lod should have, metres; INFINITY for the coarsest lod. */
double lod_wanted_range(const lod_scale *scale, int lod);

/** Whether a lod is coarser than the roots of a view: the next finer level covers everything up to the far distance, so
 * tiles of this lod are never drawn. */
bool lod_is_above_roots(const lod_scale *scale, double far_distance, int lod);

/** Set the ranges of the next frame.
 *
 *  height     height of the camera over the ground, metres; a range that was shorter grows from this value
 *  elapsed_s  time since the last frame, seconds; limits how far ranges grow
 */
void lod_ranges_update(lod_ranges *ranges, const lod_scale *scale, double far_distance, double height,
                       double elapsed_s);

/** Distances at which meshes begin and end their morph to the next coarser mesh, from the range of their level. */
double lod_morph_start(double range);
double lod_morph_end(double range);

#endif
