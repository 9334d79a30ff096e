/* codecs.h - which codec writes and reads a format. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_CODECS_H
#define TERRANE_PROGRAM_EXPORT_WRITE_CODECS_H

#include "program/export/formats/codec.h"

/** The codec of a format, or NULL: this build lacks it, or it is the picture of a map. */
const codec *codec_of(const export_format *format);

#endif
