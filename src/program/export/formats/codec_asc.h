/* codec_asc.h - Arc ASCII grids. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_ASC_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_ASC_H

#include "program/export/formats/codec.h"

extern const codec codec_asc;

#endif
