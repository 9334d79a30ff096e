/* mesh_format.h - how formats of meshes write one. Bytes go into a sink, whose result tells afterwards whether they got
 * there. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_FORMAT_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_FORMAT_H

#include "program/export/mesh/mesh.h"
#include "program/export/mesh/mesh_sink.h"

/** glTF 2.0, binary. Source: Khronos, glTF 2.0 Specification. Errors OUTCOME_FAILED no memory for the texture */
outcome mesh_write_glb(const mesh *mesh, mesh_sink *sink);

/** Binary STL. Source: StereoLithography Interface Specification, 3D Systems 1988 */
outcome mesh_write_stl(const mesh *mesh, mesh_sink *sink);

/** Wavefront OBJ. Source: Advanced Visualizer manual, appendix B1 */
outcome mesh_write_obj(const mesh *mesh, mesh_sink *sink);

#endif
