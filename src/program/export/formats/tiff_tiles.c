/* tiff_tiles.c - what TIFF files of this program have in common: their tags, and the compression of their tiles. All
 * cores compress tiles, each in a separate TIFF file in memory; the compressed tiles are then written in order. */
#include "program/export/formats/tiff_tiles.h"

#include <geotiff.h>
#include <geotiffio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xtiffio.h>

#include "program/core/tasks.h"
#include "program/export/formats/tiff_memory.h"

enum {
    SIDE = TIFF_TILE_SIDE,
    GDAL_METADATA_TAG = 42112, /* these two tags of GDAL are not defined by libtiff */
    GDAL_NODATA_TAG = 42113
};

#define CITATION "terrane|" /* GeoTIFF ends texts with '|' */

int64_t tiff_tile_count(const export_file *file)
{
    return ((file->width + SIDE - 1) / SIDE) * ((file->height + SIDE - 1) / SIDE);
}

double tiff_bytes_max(const export_file *file)
{
    return (double)tiff_tile_count(file) * (SIDE * SIDE * (file->format->bits / 8) * 1.02 + 32.0) + 1e6;
}

/** Set sample type, tiles and compression. They must be the same for the file and for each tile in memory. */
bool tiff_set_packing(TIFF *tiff, const export_format *format)
{
    const bool is_float = !export_format_is_scaled(format);
    return TIFFSetField(tiff, TIFFTAG_TILEWIDTH, SIDE) && TIFFSetField(tiff, TIFFTAG_TILELENGTH, SIDE) &&
           TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, format->bits) && TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) &&
           TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, is_float ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT) &&
           TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK) &&
           TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
           TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE) &&
           /* For floats too: the floating-point predictor makes files a sixth smaller, but tifffile without its
              optional codecs, and other readers, cannot read it. */
           TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
}

/** Compress a tile of SIDE x SIDE samples, and overwrite the samples. The compressed bytes lie in m->bytes from *start
 * to the end. */
static result compress_tile(const tiff_file *target, unsigned char *samples, tiff_memory *m, size_t *start)
{
    tiff_file t = {
        .handle = {.path = target->handle.path, .operation = "write"}, .file = target->file, .out = target->out};
    TIFFOpenOptions *options = tiff_handle_options(&t.handle);
    t.handle.tiff = options ? TIFFClientOpenExt("tile", "w", m, tiff_read_nothing, tiff_memory_write, tiff_memory_seek,
                                                tiff_close_nothing, tiff_memory_size, NULL, NULL, options)
                            : NULL;
    TIFFOpenOptionsFree(options);
    if (!t.handle.tiff)
        return tiff_handle_failure(&t.handle);
    const bool is_set = TIFFSetField(t.handle.tiff, TIFFTAG_IMAGEWIDTH, SIDE) &&
                        TIFFSetField(t.handle.tiff, TIFFTAG_IMAGELENGTH, SIDE) &&
                        tiff_set_packing(t.handle.tiff, target->file->format);
    *start = m->size;
    const bool is_written = is_set && TIFFWriteEncodedTile(t.handle.tiff, 0, samples, TIFFTileSize(t.handle.tiff)) >= 0;
    const result res =
        is_written && t.handle.result.kind == RESULT_DONE ? result_done() : tiff_handle_failure(&t.handle);
    tiff_handle_abandon(&t.handle);
    return res;
}

/* ---- tags ---- */

/** Set GDAL's tags: unit, scale, offset, name of the layer, no-data value. Source: GDAL, GeoTIFF driver, "Metadata". */
bool tiff_set_gdal(TIFF *tiff, const export_file *file)
{
    static const TIFFFieldInfo fields[] = {
        {GDAL_METADATA_TAG, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "GDALMetadata"},
        {GDAL_NODATA_TAG, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, "GDALNoDataValue"}};
    const export_layer *layer = &export_layers[file->layer];
    char text[512];
    int n =
        snprintf(text, sizeof text,
                 "<GDALMetadata>\n  <Item name=\"UNITTYPE\" sample=\"0\" role=\"unittype\">%s</Item>\n", layer->unit);
    if (export_format_is_scaled(file->format))
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">%.17g</Item>\n"
                      "  <Item name=\"SCALE\" sample=\"0\" role=\"scale\">%.17g</Item>\n",
                      file->range[0], (file->range[1] - file->range[0]) / 65535.0);
    snprintf(text + n, sizeof text - (size_t)n,
             "  <Item name=\"DESCRIPTION\" sample=\"0\" role=\"description\">%s</Item>\n"
             "</GDALMetadata>\n",
             layer->name);
    return TIFFMergeFieldInfo(tiff, fields, 2) == 0 && TIFFSetField(tiff, GDAL_METADATA_TAG, text) &&
           (!layer->has_no_data || TIFFSetField(tiff, GDAL_NODATA_TAG, "nan"));
}

static bool set_keys(TIFF *tiff, const uint16_t *keys, int count)
{
    return TIFFSetField(tiff, TIFFTAG_GEOKEYDIRECTORY, 4 * count, keys);
}

/** Set place and coordinate system; samples are points. Source: OGC GeoTIFF 1.1. */
bool tiff_set_place(TIFF *tiff, const export_file *file)
{
    const export_place place = export_file_place(file);
    double scale[3] = {place.step, place.step, 0.0};
    double tie[6] = {0, 0, 0, place.east, place.north, 0};
    /* libgeotiff's functions for these keys copy text into memory without checking the allocation, so set them here */
    const uint16_t local[][4] = {
        /* version 1.1.0, number of keys; then for each key: id, tag of its value or 0, count, value or offset */
        {1, 1, 0, 4},
        {GTModelTypeGeoKey, 0, 1, KvUserDefined},
        {GTRasterTypeGeoKey, 0, 1, RasterPixelIsPoint},
        {GTCitationGeoKey, TIFFTAG_GEOASCIIPARAMS, sizeof CITATION - 1, 0},
        {ProjLinearUnitsGeoKey, 0, 1, Linear_Meter}};
    const uint16_t projected[][4] = {{1, 1, 0, 3},
                                     {GTModelTypeGeoKey, 0, 1, ModelTypeProjected},
                                     {GTRasterTypeGeoKey, 0, 1, RasterPixelIsPoint},
                                     {ProjectedCSTypeGeoKey, 0, 1, (uint16_t)place.epsg}};
    if (!TIFFSetField(tiff, TIFFTAG_GEOPIXELSCALE, 3, scale) || !TIFFSetField(tiff, TIFFTAG_GEOTIEPOINTS, 6, tie))
        return false;
    if (place.epsg > 0)
        return set_keys(tiff, projected[0], sizeof projected / sizeof projected[0]);
    return set_keys(tiff, local[0], sizeof local / sizeof local[0]) &&
           TIFFSetField(tiff, TIFFTAG_GEOASCIIPARAMS, CITATION);
}

bool tiff_set_picture(TIFF *tiff, const export_file *file)
{
    return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)file->width) &&
           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)file->height) && tiff_set_packing(tiff, file->format) &&
           TIFFSetField(tiff, TIFFTAG_SOFTWARE, "terrane") && tiff_set_gdal(tiff, file);
}

/* ---- tiles ---- */

/** Copy a tile's samples from a block. A tile that extends beyond the block repeats the last column and row. */
static void take_tile(const tiff_file *t, const block *block, int64_t across, int64_t down, unsigned char *samples)
{
    const size_t size = (size_t)t->file->format->bits / 8;
    const int64_t width = block->width - across < SIDE ? block->width - across : SIDE;
    for (int64_t n = 0; n < SIDE; n++) {
        const int64_t row = down + n < block->rows ? down + n : block->rows - 1;
        const unsigned char *from = block->first + row * block->stride + across * (int64_t)size;
        unsigned char *to = samples + (size_t)n * SIDE * size;
        memcpy(to, from, (size_t)width * size);
        for (int64_t x = width; x < SIDE; x++)
            memcpy(to + (size_t)x * size, from + (size_t)(width - 1) * size, size);
    }
}

static result pack_tile(const tiff_file *t, const block *block, int64_t across, int64_t down, tiff_memory *m,
                        size_t *start)
{
    unsigned char *samples = malloc((size_t)SIDE * SIDE * sizeof(float));
    if (!samples)
        return result_of(RESULT_FAILED, "no memory for a tile");
    take_tile(t, block, across, down, samples);
    const result res = compress_tile(t, samples, m, start);
    free(samples);
    return res;
}

/** A compressed tile. */
typedef struct packed_tile {
    tiff_memory file; /* the TIFF file in memory */
    size_t start;     /* offset of the tile's bytes in `file` */
    result made;      /* result of the compression */
} packed_tile;

/** A row of a block's tiles that are being compressed. */
typedef struct tile_row {
    const tiff_file *t;
    const block *block;
    int64_t down;
    packed_tile *tiles;
} tile_row;

static void pack_one(void *user, int64_t n)
{
    const tile_row *row = user;
    packed_tile *tile = &row->tiles[n];
    tile->made = pack_tile(row->t, row->block, n * SIDE, row->down, &tile->file, &tile->start);
}

static result write_tile(tiff_file *t, const block *block, int64_t across, int64_t down, const packed_tile *tile)
{
    if (tile->made.kind != RESULT_DONE)
        return tile->made;
    const uint32_t number =
        TIFFComputeTile(t->handle.tiff, (uint32_t)(block->column + across), (uint32_t)(block->row + down), 0, 0);
    if (TIFFWriteRawTile(t->handle.tiff, number, tile->file.bytes + tile->start,
                         (tmsize_t)(tile->file.size - tile->start)) < 0)
        return tiff_handle_failure(&t->handle);
    return result_done();
}

/** Compress a row of a block's tiles on all cores, then write them in order. */
static result write_tile_row(tiff_file *t, const block *block, int64_t down)
{
    const int64_t count = (block->width + SIDE - 1) / SIDE;
    packed_tile *tiles = calloc((size_t)count, sizeof *tiles);
    if (!tiles)
        return result_of(RESULT_FAILED, "no memory for %lld tiles", (long long)count);
    tile_row row = {t, block, down, tiles};
    result res = result_done();
    tasks_run(count, pack_one, &row);
    for (int64_t n = 0; n < count && res.kind == RESULT_DONE; n++)
        res = write_tile(t, block, n * SIDE, down, &tiles[n]);
    for (int64_t n = 0; n < count; n++)
        free(tiles[n].file.bytes);
    free(tiles);
    return res;
}

result tiff_write_block(tiff_file *t, const block *block)
{
    result res = result_done();
    for (int64_t down = 0; down < block->rows && res.kind == RESULT_DONE; down += SIDE)
        res = write_tile_row(t, block, down);
    return res;
}
