/* picture.c - writes PNG by libpng, row by row: to memory or to a file. */
#include "program/picture/picture.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"
#include "program/file/commit.h"
#include "program/file/output_file.h"

/** A picture that is being encoded. */
typedef struct encoder {
    const char *name; /* in messages */
    const uint8_t *pixels;
    int width, height;
    size_t chunk_bytes; /* of an IDAT chunk; 0: as libpng chooses */
    bool is_fast;
    bool (*goes_on)(void *user); /* called every ROWS rows */
    void *user;
    result (*write)(struct encoder *e, const void *bytes, size_t count);
    output_file file; /* of write_to_file */
    char *bytes;      /* of write_to_memory, as the next two members */
    size_t size, room;
    result result; /* the first error */
} encoder;

enum { CHUNK_BYTES = 1 << 16, ROWS = 16, FAST_LEVEL = 3 }; /* FAST_LEVEL: level of zlib */

static result write_to_file(encoder *e, const void *bytes, size_t count)
{
    return output_file_write(&e->file, bytes, count);
}

static result write_to_memory(encoder *e, const void *bytes, size_t count)
{
    char *larger = ter_grow(e->bytes, &e->room, e->size + count, 1);
    if (!larger)
        return result_of(RESULT_FAILED, "'%s': out of memory", e->name);
    e->bytes = larger;
    memcpy(e->bytes + e->size, bytes, count);
    e->size += count;
    return result_done();
}

static void write_bytes(png_structp png, png_bytep bytes, png_size_t count)
{
    encoder *e = png_get_io_ptr(png);
    e->result = e->write(e, bytes, count);
    if (e->result.kind != RESULT_DONE)
        png_error(png, "not written");
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void note_error(png_structp png, png_const_charp text)
{
    encoder *e = png_get_error_ptr(png);
    if (e->result.kind == RESULT_DONE)
        e->result = result_of(RESULT_FAILED, "'%s': %s", e->name, text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void write_rows(png_structp png, png_infop info, encoder *e)
{
    if (setjmp(png_jmpbuf(png)))
        return;
    png_set_write_fn(png, e, write_bytes, flush_nothing);
    if (e->chunk_bytes > 0)
        png_set_compression_buffer_size(png, e->chunk_bytes);
    png_set_IHDR(png, info, (png_uint_32)e->width, (png_uint_32)e->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    if (e->is_fast) {
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
        png_set_compression_level(png, FAST_LEVEL);
    }
    png_write_info(png, info);
    for (int y = 0; y < e->height; y++) {
        if (y % ROWS == 0 && !e->goes_on(e->user)) {
            e->result = result_of(RESULT_INTERRUPTED, "interrupted");
            return;
        }
        png_write_row(png, e->pixels + (size_t)y * (size_t)e->width * 3);
    }
    png_write_end(png, info);
}

static result encode(encoder *e)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, e, note_error, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    e->result = info ? result_done() : result_of(RESULT_FAILED, "no memory for the picture '%s'", e->name);
    if (info)
        write_rows(png, info, e);
    png_destroy_write_struct(&png, &info);
    return e->result;
}

static result encode_to_memory(encoder *e, void **bytes, size_t *size)
{
    e->write = write_to_memory;
    const result res = encode(e);
    if (res.kind != RESULT_DONE) {
        free(e->bytes);
        return res;
    }
    *bytes = e->bytes;
    *size = e->size;
    return res;
}

result picture_encode(const char *name, const uint8_t *pixels, int width, int height, const picture_progress *progress,
                      void **bytes, size_t *size)
{
    encoder e = {.name = name,
                 .pixels = pixels,
                 .width = width,
                 .height = height,
                 .goes_on = progress->goes_on,
                 .user = progress->user};
    return encode_to_memory(&e, bytes, size);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

result picture_encode_fast(const char *name, const uint8_t *pixels, int width, int height, void **bytes, size_t *size)
{
    encoder e = {.name = name, .pixels = pixels, .width = width, .height = height, .is_fast = true, .goes_on = always};
    return encode_to_memory(&e, bytes, size);
}

static bool is_not_interrupted(void *user)
{
    const picture_output *output = user;
    return !output->is_interrupted();
}

result picture_write(const char *path, const uint8_t *pixels, int width, int height, const picture_output *output)
{
    picture_output options = *output;
    encoder e = {.name = path,
                 .pixels = pixels,
                 .width = width,
                 .height = height,
                 .goes_on = is_not_interrupted,
                 .user = &options,
                 .chunk_bytes = CHUNK_BYTES,
                 .write = write_to_file};
    result res =
        (output->is_own_file ? output_file_open_beside : output_file_open)(&e.file, path, 0, output->may_replace);
    if (res.kind != RESULT_DONE)
        return res;
    res = encode(&e);
    if (res.kind == RESULT_DONE)
        return output_file_commit(&e.file);
    output_file_discard(&e.file);
    return res;
}
