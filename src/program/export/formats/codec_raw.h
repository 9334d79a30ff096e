/* codec_raw.h - the codec of raw files, and the offsets of their rows. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_RAW_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_RAW_H

#include "program/export/formats/codec.h"

extern const codec codec_raw;

/** Offset of a row in a raw file, bytes; for row == height, the size of the file. */
uint64_t codec_raw_offset(const export_file *file, int64_t row);

#endif
