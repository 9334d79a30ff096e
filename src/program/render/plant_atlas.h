/* plant_atlas.h - owns the plants' table, meshes, leaf pictures and impostor views on the GPU. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_ATLAS_H
#define TERRANE_PROGRAM_RENDER_PLANT_ATLAS_H

#include "program/render/gl.h"
#include "program/render/plant_mesh.h"

typedef struct plant_atlas {
    GLuint vertices, indices, table; /* buffers */
    GLuint leaves, impostors;        /* textures */
} plant_atlas;

/** Create buffers and textures. view_px: side of a view of a plant, pixels. Errors RESULT_FAILED */
result plant_atlas_create(int view_px, plant_atlas *out);
void plant_atlas_destroy(plant_atlas *atlas);

/** Bind the textures and the table of kinds. */
void plant_atlas_bind(const plant_atlas *atlas);

#endif
