/* codec_raw.h - the codec of raw files, and where their rows lie. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_RAW_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_RAW_H

#include "program/export/formats/codec.h"

extern const codec codec_raw;

/** Bytes before a row of a raw file; those of the whole file for row == height. */
uint64_t codec_raw_offset(const export_file *file, int64_t row);

#endif
