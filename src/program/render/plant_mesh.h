/* plant_mesh.h - plants and stones as triangles, one unit high, made of numbers alone. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_MESH_H
#define TERRANE_PROGRAM_RENDER_PLANT_MESH_H

#include <stdint.h>

#include "program/core/result.h"

/** As in shaders/plants.glsl. The first PLANT_VIEWED are drawn as impostors, too. */
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

/** What a triangle shows: pictures of leaves, or bark and rock. As in plant.frag. */
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
    float place[3], normal[3]; /* y is up; the foot is at 0, the top at 1 */
    float picture[2];          /* place in the picture of leaves, 0..1 */
    float brightness;          /* less within the crown */
    float material;
} plant_vertex;

typedef struct plant_mesh {
    plant_vertex *vertices;
    uint32_t *indices;
    size_t n_vertices, n_indices;
    uint32_t first[PLANT_KINDS], count[PLANT_KINDS]; /* indices of each kind */
} plant_mesh;

/** Make the meshes of all kinds; free them. Errors OUTCOME_FAILED no memory */
outcome plant_mesh_create(plant_mesh *out);
void plant_mesh_free(plant_mesh *mesh);

enum { PLANT_PICTURE_SIDE = 256 };

/** Opacity, and brightness times opacity, of a picture of leaves: PLANT_PICTURE_SIDE squared texels. */
void plant_picture(plant_material material, uint8_t (*texels)[2]);

#endif
