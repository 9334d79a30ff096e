/* codec_png.h - the codec of PNG files. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_PNG_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_PNG_H

#include "program/export/formats/codec.h"

extern const codec codec_png;

#endif
