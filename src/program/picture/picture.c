/* picture.c - writes PNG by libpng: at once to memory, or row by row to a file. */
#include "program/picture/picture.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "library/core/grow.h"
#include "program/file/commit.h"
#include "program/file/output_file.h"

/** A PNG file that grows in memory. */
typedef struct memory_file {
    const picture_progress *progress;
    char *bytes;
    size_t size, room;
    bool is_interrupted, is_out_of_memory;
} memory_file;

static ssize_t add_bytes(void *user, const char *bytes, size_t count)
{
    memory_file *g = user;
    if (!g->progress->goes_on(g->progress->user)) {
        g->is_interrupted = true;
        return 0;
    }
    char *larger = ter_grow(g->bytes, &g->room, g->size + count, 1);
    g->is_out_of_memory |= !larger;
    if (!larger)
        return 0;
    g->bytes = larger;
    memcpy(g->bytes + g->size, bytes, count);
    g->size += count;
    return (ssize_t)count;
}

/** Encode to a stream that writes to memory. libpng's simplified API can be interrupted only by a failing write. */
static bool encode(png_image *image, const uint8_t *pixels, memory_file *g)
{
    static const cookie_io_functions_t to_memory = {.write = add_bytes};
    FILE *stream = fopencookie(g, "w", to_memory);
    g->is_out_of_memory = !stream;
    if (!stream)
        return false;
    bool is_encoded = png_image_write_to_stdio(image, stream, 0, pixels, 0, NULL);
    is_encoded = fclose(stream) == 0 && is_encoded;
    return is_encoded && !g->is_interrupted && !g->is_out_of_memory;
}

/** Encode an image of which size and flags are set. */
static result encode_image(const char *name, png_image *image, const uint8_t *pixels, memory_file start, void **bytes,
                           size_t *size)
{
    memory_file g = start;
    if (!encode(image, pixels, &g)) {
        free(g.bytes);
        if (g.is_interrupted)
            return result_of(RESULT_INTERRUPTED, "interrupted");
        return result_of(RESULT_FAILED, "'%s': %s", name,
                         g.is_out_of_memory || !*image->message ? "out of memory" : image->message);
    }
    *bytes = g.bytes;
    *size = g.size;
    return result_done();
}

result picture_encode(const char *name, const uint8_t *pixels, int width, int height, const picture_progress *progress,
                      void **bytes, size_t *size)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    return encode_image(name, &image, pixels, (memory_file){.progress = progress}, bytes, size);
}

static bool always(void *user)
{
    (void)user;
    return true;
}

result picture_encode_fast(const char *name, const uint8_t *pixels, int width, int height, void **bytes, size_t *size)
{
    static const picture_progress whole = {always, NULL};
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB,
                       .flags = PNG_IMAGE_FLAG_FAST};
    return encode_image(name, &image, pixels, (memory_file){.progress = &whole}, bytes, size);
}

/* ---- row by row into a file ---- */

/** A picture that is being written. */
typedef struct writer {
    output_file file;
    const uint8_t *pixels;
    int width, height;
    int (*is_interrupted)(void);
    result result; /* the first error */
} writer;

/* Bytes of an IDAT chunk; rows between two checks for interruption. */
enum { CHUNK_BYTES = 1 << 16, ROWS = 16 };

static void write_bytes(png_structp png, png_bytep bytes, png_size_t count)
{
    writer *w = png_get_io_ptr(png);
    w->result = output_file_write(&w->file, bytes, count);
    if (w->result.kind != RESULT_DONE)
        png_error(png, "not written");
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void note_error(png_structp png, png_const_charp text)
{
    writer *w = png_get_error_ptr(png);
    if (w->result.kind == RESULT_DONE)
        w->result = result_of(RESULT_FAILED, "'%s': %s", w->file.path, text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void write_rows(png_structp png, png_infop info, writer *w)
{
    if (setjmp(png_jmpbuf(png)))
        return;
    png_set_write_fn(png, w, write_bytes, flush_nothing);
    png_set_compression_buffer_size(png, CHUNK_BYTES);
    png_set_IHDR(png, info, (png_uint_32)w->width, (png_uint_32)w->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_write_info(png, info);
    for (int y = 0; y < w->height; y++) {
        if (y % ROWS == 0 && w->is_interrupted()) {
            w->result = result_of(RESULT_INTERRUPTED, "interrupted");
            return;
        }
        png_write_row(png, w->pixels + (size_t)y * (size_t)w->width * 3);
    }
    png_write_end(png, info);
}

static result write_png(writer *w)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, note_error, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    w->result = info ? result_done() : result_of(RESULT_FAILED, "no memory for the picture '%s'", w->file.path);
    if (info)
        write_rows(png, info, w);
    png_destroy_write_struct(&png, &info);
    return w->result;
}

result picture_write(const char *path, const uint8_t *pixels, int width, int height, const picture_output *output)
{
    writer w = {.pixels = pixels, .width = width, .height = height, .is_interrupted = output->is_interrupted};
    result res =
        (output->is_own_file ? output_file_open_beside : output_file_open)(&w.file, path, 0, output->may_replace);
    if (res.kind != RESULT_DONE)
        return res;
    res = write_png(&w);
    if (res.kind == RESULT_DONE)
        return output_file_commit(&w.file);
    output_file_discard(&w.file);
    return res;
}
