/* codec_raw.h - where rows of raw files lie. */
#ifndef TERRANE_EXPORT_CODEC_RAW_H
#define TERRANE_EXPORT_CODEC_RAW_H

#include "export/codec.h"

/** Bytes before a row of a raw file; those of the whole file for row == height. */
uint64_t codec_raw_offset(const export_file *file, int64_t row);

#endif
