/* codec_tiff.h - the codec of GeoTIFF files. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_TIFF_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_TIFF_H

#include "program/export/formats/codec.h"

extern const codec codec_tiff;

#endif
