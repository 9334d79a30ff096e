/* mesh.h - the heights of a file as vertices and triangles, with a skirt or with the walls and bottom of a solid.
 *
 * A mesh stores heights and, if its triangles are reduced, the list of vertices. Everything else is computed when it is
 * needed. A grid of 4097 x 4097 takes 64 MiB, and up to 1.5 GiB while it is triangulated with an error of 0.
 */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_H

#include "program/core/events.h"
#include "program/core/result.h"
#include "program/export/formats/block.h"
#include "program/export/formats/export_file.h"
#include "program/export/mesh/triangulation.h"

typedef struct mesh {
    const export_file *file;
    float *samples; /* heights of the file and an apron of 1 sample, row by row */
    height_grid grid;
    triangulation land;  /* triangles of a reduced mesh. In other meshes all samples are vertices, row by row, and this
                            has only the border */
    uint32_t n_land;     /* number of land vertices, without walls and bottom */
    uint32_t n_vertices; /* number of all vertices */
    uint32_t n_positions, n_normals, n_triangles;
} mesh;

/** A vertex: the numbers of its position and its normal. Several vertices can share a position or a normal. */
typedef struct mesh_vertex {
    uint32_t position, normal;
} mesh_vertex;

/** Begin the mesh of a file. Then pass its heights to mesh_take. Free the mesh in any case. Errors RESULT_FAILED no
 * memory */
result mesh_begin(const export_file *file, mesh *out);

/** Copy a block of heights, with its apron, into the mesh. */
void mesh_take(mesh *mesh, const block *block);

/** Choose the vertices and triangles, after mesh_take has received all heights. Errors RESULT_FAILED no memory;
 * RESULT_INTERRUPTED */
result mesh_build(mesh *mesh, const work_progress *progress);

void mesh_free(mesh *mesh);

/** Vertex k, k < n_vertices. */
mesh_vertex mesh_vertex_at(const mesh *mesh, uint32_t k);

/** Position in the mesh's axes: metres from the north-west sample, and altitude. */
void mesh_position(const mesh *mesh, uint32_t position, float out[3]);

/** Unit normal in the mesh's axes. */
void mesh_normal(const mesh *mesh, uint32_t normal, float out[3]);

/** Texture coordinates of a position: 0..1 from the north-west corner. */
void mesh_texture_place(const mesh *mesh, uint32_t position, float out[2]);

/** The vertices of triangle t, t < n_triangles, counter-clockwise as seen from outside. */
void mesh_triangle(const mesh *mesh, uint32_t t, uint32_t vertices[3]);

/** Least and greatest coordinates of all positions. */
void mesh_bounds(const mesh *mesh, float low[3], float high[3]);

#endif
