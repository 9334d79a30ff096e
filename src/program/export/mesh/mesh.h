/* mesh.h - a file's heights as vertices and triangles, with skirts or a solid's walls and bottom, for what writes them.
 *
 * A mesh holds heights and, where triangles are fewer than the grid's, which samples are vertices; all else is made as
 * it is asked for. So a grid of 4097 x 4097 takes 64 MiB, and at most 1.5 GiB while it is triangulated without any
 * error.
 */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_H

#include "program/export/formats/codec.h"
#include "program/export/mesh/triangulation.h"

typedef struct mesh {
    const export_file *file;
    float *samples; /* of the file and an apron of 1, row by row */
    height_grid grid;
    triangulation land;  /* without vertices: those of the grid, in its order */
    uint32_t n_land;     /* vertices of the land */
    uint32_t n_vertices; /* all */
    uint32_t n_positions, n_normals, n_triangles;
} mesh;

/** A vertex: a position and a normal, by their numbers, which vertices share. */
typedef struct mesh_vertex {
    uint32_t position, normal;
} mesh_vertex;

/** Begin a mesh of a file, for which its heights are then given. Free it in any case. Errors OUTCOME_FAILED no memory
 */
outcome mesh_begin(const export_file *file, mesh *out);

/** Take heights with their apron. */
void mesh_take(mesh *mesh, const block *block);

/** Make vertices and triangles of the heights. Errors OUTCOME_FAILED no memory; OUTCOME_INTERRUPTED */
outcome mesh_build(mesh *mesh, const export_pulse *pulse);

void mesh_free(mesh *mesh);

/** Vertex k, k < n_vertices. */
mesh_vertex mesh_vertex_at(const mesh *mesh, uint32_t k);

/** A position, metres from the mesh's own north-western sample and altitude 0, in its axes. */
void mesh_position(const mesh *mesh, uint32_t position, float out[3]);

/** A unit normal in the mesh's axes. */
void mesh_normal(const mesh *mesh, uint32_t normal, float out[3]);

/** Where a position lies in a picture of the land, 0..1 from its north-western corner. */
void mesh_texture_place(const mesh *mesh, uint32_t position, float out[2]);

/** The vertices of triangle t, t < n_triangles, counter-clockwise from outside. */
void mesh_triangle(const mesh *mesh, uint32_t t, uint32_t vertices[3]);

/** Least and greatest coordinates of all positions. */
void mesh_bounds(const mesh *mesh, float low[3], float high[3]);

#endif
