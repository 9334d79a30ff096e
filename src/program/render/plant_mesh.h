/* plant_mesh.h - generates meshes of plants and stones, one unit high, and pictures of leaves. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_MESH_H
#define TERRANE_PROGRAM_RENDER_PLANT_MESH_H

#include <stdint.h>

#include "program/core/result.h"

#include <constants.glsl>

/** Kinds of plants, PLANT_SPRUCE ... The first PLANT_VIEWED kinds have impostors, too. */
#define PLANT_KIND(name, number) PLANT_##name = (number),
#define PLANT_MATERIAL(name, number)
typedef enum plant_kind {
#include <plant_kinds.glsl>
    PLANT_KINDS,
    PLANT_VIEWED = PLANT_BOULDER
} plant_kind;
#undef PLANT_KIND
#undef PLANT_MATERIAL

/** Material of a triangle: a picture of leaves, or bark or rock. */
#define PLANT_KIND(name, number)
#define PLANT_MATERIAL(name, number) name = (number),
typedef enum plant_material {
#include <plant_kinds.glsl>
    MATERIAL_PICTURES = MATERIAL_BARK
} plant_material;
#undef PLANT_KIND
#undef PLANT_MATERIAL

typedef struct plant_vertex {
    float place[3], normal[3]; /* y is up; the foot is at y = 0, the top at y = 1 */
    float picture[2];          /* texture coordinates in the picture of leaves, 0..1 */
    float brightness;          /* lower inside the crown */
    float material;            /* plant_material */
} plant_vertex;
_Static_assert(sizeof(plant_vertex) == PLANT_VERTEX_FLOATS * sizeof(float), "meshes.comp reads plant_vertex");

typedef struct plant_mesh {
    plant_vertex *vertices;
    uint32_t *indices;
    size_t n_vertices, n_indices;
    uint32_t first[PLANT_KINDS], count[PLANT_KINDS]; /* range of each kind in `indices` */
} plant_mesh;

/** Make the meshes of all kinds; free them with plant_mesh_free. Errors RESULT_FAILED out of memory */
result plant_mesh_create(plant_mesh *out);
void plant_mesh_free(plant_mesh *mesh);

enum { PLANT_PICTURE_SIDE = 256 };

/** Draw a picture of leaves with PLANT_PICTURE_SIDE squared texels. A texel has two bytes: opacity, and brightness
 * times opacity. */
void plant_picture(plant_material material, uint8_t (*texels)[2]);

#endif
