/* codec_tiff.c - tiled, deflated GeoTIFF files by libtiff and libgeotiff. All cores compress tiles, each in a separate
 * TIFF file in memory; the compressed tiles are then written in order. */
#include <fcntl.h>
#include <geotiff.h>
#include <geotiffio.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>
#include <xtiffio.h>

#include "program/core/tasks.h"
#include "program/export/formats/codec_tiff.h"
#include "program/export/formats/tiff_handle.h"
#include "program/file/input_file.h"

enum {
    SIDE = 256,                /* samples of a tile's side */
    GDAL_METADATA_TAG = 42112, /* these two tags of GDAL are not defined by libtiff */
    GDAL_NODATA_TAG = 42113,
    ALLOCATION_LEAST = 1 << 24, /* bytes that libtiff may always allocate at once when it reads */
    TILE_BYTES_LEAST = 8        /* bytes of each tile in a file's directory: offset and length */
};

#define CITATION "terrane|" /* GeoTIFF ends texts with '|' */

typedef struct tiff_file {
    tiff_handle handle;
    const export_file *file;
    output_file *out;
    uint64_t position; /* in `out` */
} tiff_file;

/** A TIFF file in memory, for the compression of one tile. */
typedef struct memory {
    unsigned char *bytes;
    size_t size, capacity, position;
} memory;

static int64_t tiles_of(const export_file *file)
{
    return ((file->width + SIDE - 1) / SIDE) * ((file->height + SIDE - 1) / SIDE);
}

static int close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

static tmsize_t read_nothing(thandle_t handle, void *bytes, tmsize_t count)
{
    (void)handle, (void)bytes, (void)count;
    return 0;
}

/* ---- tiles in memory ---- */

static tmsize_t memory_write(thandle_t handle, void *bytes, tmsize_t count)
{
    memory *m = handle;
    const size_t end = m->position + (size_t)count;
    if (end > m->capacity) {
        unsigned char *larger = realloc(m->bytes, end * 2);
        if (!larger)
            return 0;
        m->bytes = larger;
        m->capacity = end * 2;
    }
    memcpy(m->bytes + m->position, bytes, (size_t)count);
    m->position = end;
    m->size = end > m->size ? end : m->size;
    return count;
}

static toff_t memory_seek(thandle_t handle, toff_t offset, int whence)
{
    memory *m = handle;
    m->position = whence == SEEK_SET   ? (size_t)offset
                  : whence == SEEK_CUR ? m->position + (size_t)offset
                                       : m->size + (size_t)offset;
    return m->position;
}

static toff_t memory_size(thandle_t handle)
{
    return ((const memory *)handle)->size;
}

/** Set sample type, tiles and compression. They must be the same for the file and for each tile in memory. */
static bool set_packing(TIFF *tiff, const export_format *format)
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
static result compress_tile(const tiff_file *target, unsigned char *samples, memory *m, size_t *start)
{
    tiff_file t = {
        .handle = {.path = target->handle.path, .operation = "write"}, .file = target->file, .out = target->out};
    TIFFOpenOptions *options = tiff_handle_options(&t.handle);
    t.handle.tiff = options ? TIFFClientOpenExt("tile", "w", m, read_nothing, memory_write, memory_seek, close_nothing,
                                                memory_size, NULL, NULL, options)
                            : NULL;
    TIFFOpenOptionsFree(options);
    if (!t.handle.tiff)
        return tiff_handle_failure(&t.handle);
    const bool is_set = TIFFSetField(t.handle.tiff, TIFFTAG_IMAGEWIDTH, SIDE) &&
                        TIFFSetField(t.handle.tiff, TIFFTAG_IMAGELENGTH, SIDE) &&
                        set_packing(t.handle.tiff, target->file->format);
    *start = m->size;
    const bool is_written = is_set && TIFFWriteEncodedTile(t.handle.tiff, 0, samples, TIFFTileSize(t.handle.tiff)) >= 0;
    const result res =
        is_written && t.handle.result.kind == RESULT_DONE ? result_done() : tiff_handle_failure(&t.handle);
    tiff_handle_abandon(&t.handle);
    return res;
}

/* ---- the file ---- */

static tmsize_t file_write(thandle_t handle, void *bytes, tmsize_t count)
{
    tiff_file *t = handle;
    if (!bytes) {
        t->handle.result = tiff_handle_failure(&t->handle);
        return 0;
    }
    const result res = output_file_write_at(t->out, bytes, (size_t)count, t->position);
    if (res.kind != RESULT_DONE) {
        t->handle.result = res;
        return 0;
    }
    t->position += (uint64_t)count;
    return count;
}

static toff_t file_seek(thandle_t handle, toff_t offset, int whence)
{
    tiff_file *t = handle;
    t->position = whence == SEEK_SET ? offset : whence == SEEK_CUR ? t->position + offset : t->out->written + offset;
    return t->position;
}

static toff_t file_size(thandle_t handle)
{
    return ((const tiff_file *)handle)->out->written;
}

/** Set GDAL's tags: unit, scale, offset, name of the layer, no-data value. Source: GDAL, GeoTIFF driver, "Metadata". */
static bool set_gdal_metadata(TIFF *tiff, const export_file *file)
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
static bool set_place(TIFF *tiff, const export_file *file)
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

static bool set_picture(TIFF *tiff, const export_file *file)
{
    return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, (uint32_t)file->width) &&
           TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, (uint32_t)file->height) && set_packing(tiff, file->format) &&
           TIFFSetField(tiff, TIFFTAG_SOFTWARE, "terrane") && set_gdal_metadata(tiff, file);
}

static result tiff_open(const export_file *file, output_file *out, void **state)
{
    tiff_file *t = calloc(1, sizeof *t);
    *state = t;
    if (!t)
        return result_of(RESULT_FAILED, "no memory for a TIFF file");
    *t = (tiff_file){.handle = {.path = out->path, .operation = "write"}, .file = file, .out = out};
    XTIFFInitialize();
    TIFFOpenOptions *options = tiff_handle_options(&t->handle);
    const bool is_big = (double)tiles_of(file) * (SIDE * SIDE * (file->format->bits / 8) * 1.02 + 32.0) + 1e6 >
                        4294967295.0; /* upper bound of the file's size against the limit of TIFF */
    t->handle.tiff = options ? TIFFClientOpenExt(out->path, is_big ? "w8" : "w", t, read_nothing, file_write, file_seek,
                                                 close_nothing, file_size, NULL, NULL, options)
                             : NULL;
    TIFFOpenOptionsFree(options);
    if (!t->handle.tiff)
        return tiff_handle_failure(&t->handle);
    const bool is_set =
        set_picture(t->handle.tiff, file) && set_place(t->handle.tiff, file) && t->handle.result.kind == RESULT_DONE;
    return is_set ? result_done() : tiff_handle_failure(&t->handle);
}

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

static result pack_tile(const tiff_file *t, const block *block, int64_t across, int64_t down, memory *m, size_t *start)
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
    memory file;  /* the TIFF file in memory */
    size_t start; /* offset of the tile's bytes in `file` */
    result made;  /* result of the compression */
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

static result tiff_write(void *state, const block *block)
{
    result res = result_done();
    for (int64_t down = 0; down < block->rows && res.kind == RESULT_DONE; down += SIDE)
        res = write_tile_row(state, block, down);
    return res;
}

static result tiff_finish(void *state, const work_progress *progress)
{
    tiff_file *t = state;
    (void)progress;
    return TIFFFlush(t->handle.tiff) && t->handle.result.kind == RESULT_DONE ? result_done()
                                                                             : tiff_handle_failure(&t->handle);
}

static void tiff_close(void *state)
{
    tiff_file *t = state;
    if (t)
        tiff_handle_abandon(&t->handle);
    free(t);
}

/* ---- reading ---- */

static result check_picture(tiff_file *t)
{
    uint32_t width = 0, height = 0, tile_width = 0, tile_height = 0;
    uint16_t bits = 0, kind = SAMPLEFORMAT_UINT, channels = 1, compression = 0;
    const export_file *f = t->file;
    const uint16_t kind_wanted = export_format_is_scaled(f->format) ? SAMPLEFORMAT_UINT : SAMPLEFORMAT_IEEEFP;
    TIFFGetField(t->handle.tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(t->handle.tiff, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetField(t->handle.tiff, TIFFTAG_BITSPERSAMPLE, &bits);
    TIFFGetField(t->handle.tiff, TIFFTAG_TILEWIDTH, &tile_width);
    TIFFGetField(t->handle.tiff, TIFFTAG_TILELENGTH, &tile_height);
    TIFFGetField(t->handle.tiff, TIFFTAG_COMPRESSION, &compression);
    TIFFGetFieldDefaulted(t->handle.tiff, TIFFTAG_SAMPLESPERPIXEL, &channels);
    TIFFGetFieldDefaulted(t->handle.tiff, TIFFTAG_SAMPLEFORMAT, &kind);
    if (width != f->width || height != f->height || bits != f->format->bits || kind != kind_wanted || channels != 1 ||
        tile_width != SIDE || tile_height != SIDE || compression != COMPRESSION_ADOBE_DEFLATE)
        return result_of(RESULT_FILE, "'%s' is not a TIFF of %lld x %lld %s samples in deflated tiles of %d x %d",
                         t->handle.path, (long long)f->width, (long long)f->height,
                         kind_wanted == SAMPLEFORMAT_UINT ? "16-bit" : "32-bit float", SIDE, SIDE);
    return result_done();
}

/** Open a file and read its first directory. If libtiff 4.5 has no memory for its list of fields, it continues to read
 * with an invalid list; therefore the error handler jumps out of libtiff. */
static void open_first_directory(tiff_file *t, int descriptor, TIFFOpenOptions *options)
{
    jmp_buf escape;
    t->handle.escape = &escape;
    if (setjmp(escape) == 0)
        /* "m": no memory mapping, because the file may shrink */
        t->handle.tiff = TIFFFdOpenExt(descriptor, t->handle.path, "rm", options);
    t->handle.escape = NULL;
}

/** Open a file in libtiff, and limit its allocations to what the directory of a file of this size can need. */
static result read_directory(tiff_file *t, FILE *in, uint64_t bytes)
{
    const int64_t n_tiles = tiles_of(t->file);
    const int descriptor = fcntl(fileno(in), F_DUPFD_CLOEXEC, 0);
    if (bytes / TILE_BYTES_LEAST < (uint64_t)n_tiles)
        t->handle.result =
            result_of(RESULT_FILE, "'%s' has %llu bytes, too few for a TIFF of %lld x %lld samples", t->handle.path,
                      (unsigned long long)bytes, (long long)t->file->width, (long long)t->file->height);
    TIFFOpenOptions *options = tiff_handle_options(&t->handle);
    if (options)
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, ALLOCATION_LEAST + 2 * TILE_BYTES_LEAST * n_tiles);
    if (options && descriptor >= 0 && t->handle.result.kind == RESULT_DONE)
        open_first_directory(t, descriptor, options);
    TIFFOpenOptionsFree(options);
    if (!t->handle.tiff && descriptor >= 0)
        close(descriptor);
    return t->handle.tiff ? check_picture(t) : tiff_handle_failure(&t->handle);
}

static result tiff_open_reader(const export_file *file, const char *path, void **state)
{
    FILE *in;
    uint64_t bytes;
    tiff_file *t = calloc(1, sizeof *t);
    *state = t;
    if (!t)
        return result_of(RESULT_FAILED, "no memory for a TIFF file");
    *t = (tiff_file){.handle = {.path = path, .operation = "read"}, .file = file};
    XTIFFInitialize();
    result res = input_file_open(path, &in, &bytes);
    if (res.kind == RESULT_DONE) {
        res = read_directory(t, in, bytes);
        fclose(in);
    }
    return res;
}

static result read_tile(tiff_file *t, const block *block, int64_t across, int64_t down, unsigned char *samples)
{
    const size_t size = (size_t)t->file->format->bits / 8;
    const int64_t width = block->width - across < SIDE ? block->width - across : SIDE;
    const uint32_t tile =
        TIFFComputeTile(t->handle.tiff, (uint32_t)(block->column + across), (uint32_t)(block->row + down), 0, 0);
    if (TIFFReadEncodedTile(t->handle.tiff, tile, samples, TIFFTileSize(t->handle.tiff)) < 0)
        return tiff_handle_failure(&t->handle);
    for (int64_t n = 0; n < SIDE && down + n < block->rows; n++)
        memcpy(block->first + (down + n) * block->stride + across * (int64_t)size, samples + (size_t)n * SIDE * size,
               (size_t)width * size);
    return result_done();
}

static result tiff_read(void *state, const block *block)
{
    unsigned char *samples = malloc((size_t)SIDE * SIDE * sizeof(float));
    result res = samples ? result_done() : result_of(RESULT_FAILED, "no memory for a tile");
    for (int64_t down = 0; down < block->rows; down += SIDE)
        for (int64_t across = 0; across < block->width && res.kind == RESULT_DONE; across += SIDE)
            res = read_tile(state, block, across, down, samples);
    free(samples);
    return res;
}

const codec codec_tiff = {.rows_multiple = SIDE,
                          .may_cut_rows = true,
                          .open = tiff_open,
                          .write = tiff_write,
                          .finish = tiff_finish,
                          .close = tiff_close,
                          .open_reader = tiff_open_reader,
                          .read = tiff_read,
                          .close_reader = tiff_close};
