/* codec_cog.h - cloud-optimised GeoTIFF. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_COG_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_COG_H

#include "program/export/formats/codec.h"

extern const codec codec_cog;

#endif
