/* plant_mesh.h - generates meshes of plants and stones, one unit high, and pictures of leaves. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_MESH_H
#define TERRANE_PROGRAM_RENDER_PLANT_MESH_H

#include "program/core/result.h"
#include "program/render/plant_triangles.h"

/** Make the meshes of all kinds; free them with plant_mesh_free. They are the same on every machine with the same C
 * library. Errors RESULT_FAILED out of memory */
result plant_mesh_create(plant_mesh *out);
void plant_mesh_free(plant_mesh *mesh);

/** Number of the list of meshes.comp for a mesh of some triangles, 0..PLANT_MESH_LISTS - 1. */
int plant_mesh_list(uint32_t n_triangles);

enum { PLANT_PICTURE_SIDE = 256 };

/** Draw a picture of leaves with PLANT_PICTURE_SIDE squared texels. A texel has two bytes: opacity, and brightness
 * times opacity. */
void plant_picture(plant_material material, uint8_t (*texels)[2]);

#endif
