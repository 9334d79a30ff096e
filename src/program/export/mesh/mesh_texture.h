/* mesh_texture.h - draws a texture in the colours of format map, one pixel for each sample. It has no shading, because
 * scenes have lights. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_TEXTURE_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_TEXTURE_H

#include "program/export/mesh/mesh.h"

/** Whether this build can draw textures. */
bool mesh_texture_is_possible(void);

/** Make the texture as a PNG file in memory. The caller frees *bytes with free(). Errors RESULT_FAILED no memory;
 * RESULT_INTERRUPTED; RESULT_USAGE this build cannot draw textures */
result mesh_texture_make(const mesh *mesh, const work_progress *progress, void **bytes, size_t *size);

#endif
