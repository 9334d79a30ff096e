/* codec_mesh.h - the codecs of the mesh formats glb, stl and obj. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_CODEC_MESH_H
#define TERRANE_PROGRAM_EXPORT_MESH_CODEC_MESH_H

#include "program/export/formats/codec.h"

extern const codec codec_glb, codec_stl, codec_obj;

#endif
