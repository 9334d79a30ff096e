/* seams.h - edges between meshes of different levels of detail, where some are coarser than the view wants.
 *
 * Where two tiles, or parts of them, meet, the finer one draws its edge as the coarser one does: it moves its vertices
 * to the coarser mesh's places. Every sample that the coarser mesh has is one of the finer tile's own, so the edges are
 * the same to the bit.
 *
 *     coarser mesh    A-----------------B-----------------C
 *     finer mesh      a-----b-----c-----d-----e-----f-----g     b and c move to a, e and f to d
 */
#ifndef TERRANE_PROGRAM_STREAM_SEAMS_H
#define TERRANE_PROGRAM_STREAM_SEAMS_H

#include <stddef.h>

#include "program/stream/bounds.h"
#include "program/stream/tile.h"

enum { SEAM_MESHES = 4 * QUADTREE_TILES_MAX };

/** A mesh that is drawn, by its level and place; see seams.c. */
typedef struct seam_mesh {
    int64_t i, j;
    int32_t level, edge_level;
    uint64_t table; /* number of the table that it is part of */
} seam_mesh;

/** Room for a hash table of the meshes that are drawn; all 0 at first. */
typedef struct seam_table {
    seam_mesh meshes[SEAM_MESHES];
    uint64_t n_tables; /* times that it has been filled */
} seam_table;

/** Set `coarser` of all tiles that are drawn.
 *
 *  tiles      at most QUADTREE_TILES_MAX
 *  mesh_step  samples a mesh quad
 *  ancestors  A tile can draw its edge only so coarsely that the edge keeps three vertices at least. Where it would
 * have to be coarser, an ancestor that can be drawn in its place is listed here, each once, `most` at most.
 *
 *  Returns how many ancestors are listed: 0 where all meshes meet.
 */
size_t seams_close(seam_table *table, quadtree_tile *tiles, size_t count, const quadtree_view *view, int mesh_step,
                   tile_key *ancestors, size_t most);

#endif
