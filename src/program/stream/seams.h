/* seams.h - closes the edges between meshes of different levels of detail.
 *
 * Where two tiles or parts of tiles meet, the finer mesh moves the vertices of its edge to vertices of the coarser
 * mesh. Both meshes have the same heights there, so their edges are equal to the bit. Samples of the coarser tile are
 * also samples of the finer tile. Where the coarser samples are means (quadtree.means_lod), shaders read the heights of
 * the coarser tile.
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

/** An entry of the hash table: a drawn mesh, by its level and position; see seams.c. */
typedef struct seam_mesh {
    int64_t i, j;
    int32_t level, edge_level;
    uint64_t generation; /* fill of the table that wrote this entry; older entries are free */
} seam_mesh;

/** A hash table of the drawn meshes. Zero it before the first use. */
typedef struct seam_table {
    seam_mesh meshes[SEAM_MESHES];
    uint64_t generation; /* how often the table was filled */
} seam_table;

/** Set `coarser` of all tiles that are drawn.
 *
 *  tiles      at most QUADTREE_TILES_MAX
 *  mesh_step  samples per mesh quad
 *  ancestors  An edge needs at least three vertices. If an edge of a tile would have fewer, the ancestor to draw
 *             instead of the tile is listed here, each ancestor once, `most` at most.
 *
 *  Returns the number of listed ancestors; 0: all meshes meet.
 */
size_t seams_close(seam_table *table, quadtree_tile *tiles, size_t count, const quadtree_view *view, int mesh_step,
                   tile_key *ancestors, size_t most);

#endif
