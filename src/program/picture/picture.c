/* picture.c - pixels as PNG files, by libpng: at once into memory, or row by row into a file. */
#include "program/picture/picture.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "program/file/commit.h"
#include "program/file/output_file.h"

/** Bytes of a picture that grow in memory. */
typedef struct growing {
    const picture_pulse *pulse;
    char *bytes;
    size_t size, room;
    bool is_interrupted, is_short; /* of memory */
} growing;

static ssize_t add_bytes(void *user, const char *bytes, size_t count)
{
    growing *g = user;
    if (!g->pulse->goes_on(g->pulse->user)) {
        g->is_interrupted = true;
        return 0;
    }
    if (g->size + count > g->room) {
        const size_t room = 2 * g->room > g->size + count ? 2 * g->room : g->size + count + (1 << 16);
        char *larger = realloc(g->bytes, room);
        if (!larger) {
            g->is_short = true;
            return 0;
        }
        g->bytes = larger;
        g->room = room;
    }
    memcpy(g->bytes + g->size, bytes, count);
    g->size += count;
    return (ssize_t)count;
}

/** Pack into a stream, whose writes may be refused. Libpng takes it for a file. */
static bool pack(png_image *image, const uint8_t *pixels, growing *g)
{
    static const cookie_io_functions_t to_memory = {.write = add_bytes};
    FILE *stream = fopencookie(g, "w", to_memory);
    g->is_short = !stream;
    if (!stream)
        return false;
    bool is_packed = png_image_write_to_stdio(image, stream, 0, pixels, 0, NULL);
    is_packed = fclose(stream) == 0 && is_packed;
    return is_packed && !g->is_interrupted && !g->is_short;
}

outcome picture_encode(const char *name, const uint8_t *pixels, int width, int height, const picture_pulse *pulse,
                       void **bytes, size_t *size)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = PNG_FORMAT_RGB};
    growing g = {.pulse = pulse};
    if (!pack(&image, pixels, &g)) {
        free(g.bytes);
        if (g.is_interrupted)
            return outcome_of(OUTCOME_INTERRUPTED, "interrupted");
        return outcome_of(OUTCOME_FAILED, "'%s': %s", name,
                          g.is_short || !*image.message ? "out of memory" : image.message);
    }
    *bytes = g.bytes;
    *size = g.size;
    return outcome_done();
}

/* ---- row by row into a file ---- */

/** A picture on its way. */
typedef struct writing {
    output_file file;
    const uint8_t *pixels;
    int width, height;
    int (*is_interrupted)(void);
    outcome result; /* what went wrong first */
} writing;

enum { CHUNK_BYTES = 1 << 16, ROWS = 16 }; /* of an IDAT chunk; between two looks at whether to go on */

static void write_bytes(png_structp png, png_bytep bytes, png_size_t count)
{
    writing *w = png_get_io_ptr(png);
    w->result = output_file_write(&w->file, bytes, count);
    if (w->result.kind != OUTCOME_DONE)
        png_error(png, "not written");
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

static void note_error(png_structp png, png_const_charp text)
{
    writing *w = png_get_error_ptr(png);
    if (w->result.kind == OUTCOME_DONE)
        w->result = outcome_of(OUTCOME_FAILED, "'%s': %s", w->file.path, text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

static void write_rows(png_structp png, png_infop info, writing *w)
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
            w->result = outcome_of(OUTCOME_INTERRUPTED, "interrupted");
            return;
        }
        png_write_row(png, w->pixels + (size_t)y * (size_t)w->width * 3);
    }
    png_write_end(png, info);
}

static outcome write_png(writing *w)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, w, note_error, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    w->result = info ? outcome_done() : outcome_of(OUTCOME_FAILED, "no memory for the picture '%s'", w->file.path);
    if (info)
        write_rows(png, info, w);
    png_destroy_write_struct(&png, &info);
    return w->result;
}

outcome picture_write(const char *path, const uint8_t *pixels, int width, int height, const picture_output *output)
{
    writing w = {.pixels = pixels, .width = width, .height = height, .is_interrupted = output->is_interrupted};
    outcome o = (output->is_beside ? output_file_open_beside : output_file_open)(&w.file, path, 0, output->may_replace);
    if (o.kind != OUTCOME_DONE)
        return o;
    o = write_png(&w);
    if (o.kind == OUTCOME_DONE)
        return output_file_commit(&w.file);
    output_file_discard(&w.file);
    return o;
}
