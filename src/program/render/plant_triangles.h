/* plant_triangles.h - the triangles of plants' meshes. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_TRIANGLES_H
#define TERRANE_PROGRAM_RENDER_PLANT_TRIANGLES_H

#include <stddef.h>
#include <stdint.h>

#include "program/render/plant_kinds.h"

typedef struct plant_vertex {
    float place[3], normal[3]; /* y is up; the foot is at y = 0, the top at y = 1 */
    float picture[2];          /* texture coordinates in the picture of leaves, 0..1 */
    float brightness;          /* lower inside the crown */
    float material;            /* plant_material */
} plant_vertex;
_Static_assert(sizeof(plant_vertex) == PLANT_VERTEX_FLOATS * sizeof(float), "meshes.comp reads plant_vertex");

/** The meshes of all kinds at all ages. Mesh kind * PLANT_AGES + age has count[] indices from first[] on. */
typedef struct plant_mesh {
    plant_vertex *vertices;
    uint32_t *indices;
    size_t n_vertices, n_indices;
    uint32_t first[PLANT_MESHES], count[PLANT_MESHES];
} plant_mesh;

#endif
