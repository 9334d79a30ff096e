/* codecs.h - finds the codec that writes and reads a format. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_CODECS_H
#define TERRANE_PROGRAM_EXPORT_WRITE_CODECS_H

#include "program/export/formats/codec.h"

/** The codec of a format; NULL for maps, and for formats that this build lacks. */
const codec *codec_of(const export_format *format);

#endif
