/* codecs.c - the table of codecs, in the order of the formats. */
#include "program/export/write/codecs.h"

#include "program/export/formats/codec_asc.h"
#include "program/export/formats/codec_cog.h"
#include "program/export/formats/codec_exr.h"
#include "program/export/formats/codec_png.h"
#include "program/export/formats/codec_raw.h"
#include "program/export/formats/codec_tiff.h"
#include "program/export/mesh/codec_mesh.h"

static const codec *const codecs[EXPORT_FORMATS] = {
    [EXPORT_R32] = &codec_raw,    [EXPORT_R16] = &codec_raw,     [EXPORT_PGM] = &codec_raw,
    [EXPORT_HFIELD] = &codec_raw, [EXPORT_GLB] = &codec_glb,     [EXPORT_STL] = &codec_stl,
    [EXPORT_OBJ] = &codec_obj,    [EXPORT_ASC] = &codec_asc,
#ifdef TER_HAVE_PNG
    [EXPORT_PNG16] = &codec_png,  [EXPORT_RGB8] = &codec_png,    [EXPORT_RGB16] = &codec_png,
    [EXPORT_RGBA8] = &codec_png,  [EXPORT_GRAY8] = &codec_png,
#endif
#ifdef TER_HAVE_TIFF
    [EXPORT_TIFF] = &codec_tiff,  [EXPORT_TIFF16] = &codec_tiff, [EXPORT_COG] = &codec_cog,
#endif
#ifdef TER_HAVE_EXR
    [EXPORT_EXR] = &codec_exr,
#endif
};

const codec *codec_of(const export_format *format)
{
    return codecs[format - export_formats];
}
