/* codec_exr.h - the codec of OpenEXR files. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_EXR_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_EXR_H

#include "program/export/formats/codec.h"

extern const codec codec_exr;

#endif
