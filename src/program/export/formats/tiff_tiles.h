/* tiff_tiles.h - what TIFF files of this program have in common: their tags, and the compression of their tiles. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_TILES_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_TILES_H

#include "program/export/formats/codec.h"
#include "program/export/formats/tiff_handle.h"

enum { TIFF_TILE_SIDE = 256 }; /* samples of a tile's side */

static const double TIFF_BYTES_MAX = 4294967295.0; /* larger files must be BigTIFF */

typedef struct tiff_file {
    tiff_handle handle;
    const export_file *file;
    output_file *out;
    uint64_t position; /* offset in `out` */
} tiff_file;

int64_t tiff_tile_count(const export_file *file);

/** Upper bound of a file's size, bytes. */
double tiff_bytes_max(const export_file *file);

/** Set sample type, tiles and compression. They must be the same for the file and for each tile in memory. */
bool tiff_set_packing(TIFF *tiff, const export_format *format);

/** Set GDAL's tags: unit, scale, offset, name of the layer, no-data value. */
bool tiff_set_gdal(TIFF *tiff, const export_file *file);

/** Set all tags of a picture of samples except its place: size, packing, GDAL's tags. */
bool tiff_set_picture(TIFF *tiff, const export_file *file);

/** Set place and coordinate system. */
bool tiff_set_place(TIFF *tiff, const export_file *file);

/** Compress the tiles of a block and write them to the current directory of the file. */
result tiff_write_block(tiff_file *t, const block *block);

#endif
