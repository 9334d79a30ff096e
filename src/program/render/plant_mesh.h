/* plant_mesh.h - generates meshes of plants and stones, one unit high, and pictures of leaves. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_MESH_H
#define TERRANE_PROGRAM_RENDER_PLANT_MESH_H

#include <stdint.h>

#include "program/core/result.h"

/** Kinds of plants, as in shaders/plants.glsl. The first PLANT_VIEWED kinds have impostors, too. */
typedef enum plant_kind {
    PLANT_SPRUCE,
    PLANT_PINE,
    PLANT_OAK,
    PLANT_BIRCH,
    PLANT_SHRUB,
    PLANT_DRY_BUSH,
    PLANT_BOULDER,
    PLANT_STONE,
    PLANT_TUFT,
    PLANT_KINDS,
    PLANT_VIEWED = PLANT_BOULDER
} plant_kind;

/** Material of a triangle: a picture of leaves, or bark or rock. As in shaders/plants.glsl and meshes.comp. */
typedef enum plant_material {
    MATERIAL_NEEDLES,
    MATERIAL_LEAVES,
    MATERIAL_SMALL_LEAVES,
    MATERIAL_BLADES,
    MATERIAL_BARK,
    MATERIAL_PALE_BARK,
    MATERIAL_ROCK,
    MATERIAL_PICTURES = MATERIAL_BARK
} plant_material;

typedef struct plant_vertex {
    float place[3], normal[3]; /* y is up; the foot is at y = 0, the top at y = 1 */
    float picture[2];          /* texture coordinates in the picture of leaves, 0..1 */
    float brightness;          /* lower inside the crown */
    float material;            /* plant_material */
} plant_vertex;

typedef struct plant_mesh {
    plant_vertex *vertices;
    uint32_t *indices;
    size_t n_vertices, n_indices;
    uint32_t first[PLANT_KINDS], count[PLANT_KINDS]; /* indices of each kind */
} plant_mesh;

/** Make the meshes of all kinds; free them with plant_mesh_free. Errors OUTCOME_FAILED out of memory */
outcome plant_mesh_create(plant_mesh *out);
void plant_mesh_free(plant_mesh *mesh);

enum { PLANT_PICTURE_SIDE = 256 };

/** Draw a picture of leaves: opacity, and brightness times opacity, of PLANT_PICTURE_SIDE squared texels. */
void plant_picture(plant_material material, uint8_t (*texels)[2]);

#endif
