/* codec_tiff.c - tiled, deflated GeoTIFF files by libtiff and libgeotiff. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <xtiffio.h>

#include "program/core/system.h"
#include "program/export/formats/codec_tiff.h"
#include "program/export/formats/tiff_memory.h"
#include "program/export/formats/tiff_tiles.h"
#include "program/file/input_file.h"

enum {
    SIDE = TIFF_TILE_SIDE,
    ALLOCATION_LEAST = 1 << 24, /* bytes that libtiff may always allocate at once when it reads */
    TILE_BYTES_LEAST = 8        /* bytes that a tile takes in a file's directory, at least: offset and length */
};

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

static result tiff_open(const export_file *file, output_file *out, void **state)
{
    tiff_file *t = calloc(1, sizeof *t);
    *state = t;
    if (!t)
        return result_of(RESULT_FAILED, "no memory for a TIFF file");
    *t = (tiff_file){.handle = {.path = out->path, .operation = "write"}, .file = file, .out = out};
    XTIFFInitialize();
    TIFFOpenOptions *options = tiff_handle_options(&t->handle);
    const bool is_big = tiff_bytes_max(file) > TIFF_BYTES_MAX;
    t->handle.tiff = options ? TIFFClientOpenExt(out->path, is_big ? "w8" : "w", t, tiff_read_nothing, file_write,
                                                 file_seek, tiff_close_nothing, file_size, NULL, NULL, options)
                             : NULL;
    TIFFOpenOptionsFree(options);
    if (!t->handle.tiff)
        return tiff_handle_failure(&t->handle);
    const bool is_set = tiff_set_picture(t->handle.tiff, file) && tiff_set_place(t->handle.tiff, file) &&
                        t->handle.result.kind == RESULT_DONE;
    return is_set ? result_done() : tiff_handle_failure(&t->handle);
}

static result tiff_write(void *state, const block *block)
{
    return tiff_write_block(state, block);
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
    const int64_t n_tiles = tiff_tile_count(t->file);
    const int descriptor = system_duplicate(fileno(in));
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
        system_close(descriptor);
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
