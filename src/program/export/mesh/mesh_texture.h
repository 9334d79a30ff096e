/* mesh_texture.h - the colours of the map as a picture for a mesh: a pixel a sample, without shading, for scenes have
 * light of their own. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_TEXTURE_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_TEXTURE_H

#include "program/export/mesh/mesh.h"

/** Whether this build can draw them. */
bool mesh_texture_is_possible(void);

/** The bytes of a PNG file; free() them. Errors OUTCOME_FAILED no memory; OUTCOME_INTERRUPTED */
outcome mesh_texture_make(const mesh *mesh, const export_pulse *pulse, void **bytes, size_t *size);

#endif
