/* mesh_format.h - writes meshes in each format. The functions write to a sink; errors of writing are in the sink's
 * result. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_FORMAT_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_FORMAT_H

#include "program/export/mesh/mesh.h"
#include "program/export/mesh/mesh_sink.h"

/** Write binary glTF 2.0. Source: Khronos, glTF 2.0 Specification. Errors as mesh_texture_make */
result mesh_write_glb(const mesh *mesh, mesh_sink *sink);

/** Write binary STL. Source: StereoLithography Interface Specification, 3D Systems 1988 */
result mesh_write_stl(const mesh *mesh, mesh_sink *sink);

/** Write Wavefront OBJ. Source: Advanced Visualizer manual, appendix B1 */
result mesh_write_obj(const mesh *mesh, mesh_sink *sink);

#endif
