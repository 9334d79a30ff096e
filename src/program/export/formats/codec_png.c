/* codec_png.c - PNG files by libpng: 16-bit gray for layers of numbers, and layers that are pictures. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/export/formats/codec_png.h"
#include "program/file/input_file.h"

enum {
    COMPRESSION = 3,     /* level of zlib; level 6 makes files of heights 1 % smaller, but takes twice as long */
    CHUNK_BYTES = 65536, /* greatest size of a chunk of metadata */
    CHUNKS_CACHED = 16
};

typedef struct png_file {
    const export_file *file;
    output_file *out;
    FILE *in;
    const char *path; /* name of the file `in` */
    png_structp png;
    png_infop info;
    result result; /* why libpng was stopped */
} png_file;

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "no memory for a PNG file");
}

/** Keep the first error and jump out of libpng, which does not allow this function to return. */
static void on_error(png_structp png, png_const_charp message)
{
    png_file *p = png_get_error_ptr(png);
    if (p->result.kind == RESULT_DONE)
        p->result = result_of(RESULT_FILE, "cannot %s '%s': libpng: %s", p->out ? "write" : "read",
                              p->out ? p->out->path : p->path, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count)
{
    png_file *p = png_get_io_ptr(png);
    p->result = output_file_write(p->out, bytes, count);
    if (p->result.kind != RESULT_DONE)
        png_error(png, "write");
}

/** Allocate memory for libpng, and record a failure here, because libpng's messages do not show that memory was the
 * cause. */
static png_voidp allocate(png_structp png, png_alloc_size_t bytes)
{
    png_file *p = png_get_mem_ptr(png);
    void *memory = malloc(bytes);
    if (!memory && p->result.kind == RESULT_DONE)
        p->result = out_of_memory();
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

static png_file *create(const export_file *file)
{
    png_file *p = calloc(1, sizeof *p);
    if (p)
        p->file = file;
    return p;
}

/* ---- writing ---- */

static void add_text(png_file *p)
{
    const export_layer *layer = &export_layers[p->file->layer];
    char heights[160];
    snprintf(heights, sizeof heights, "%s in %s = %.17g + sample * %.17g", layer->name,
             p->file->layer == EXPORT_HEIGHT ? "metres" : layer->unit, p->file->range[0],
             (p->file->range[1] - p->file->range[0]) / 65535.0);
    png_text text[2] = {{.compression = PNG_TEXT_COMPRESSION_NONE, .key = "Software", .text = "terrane"},
                        {.compression = PNG_TEXT_COMPRESSION_NONE, .key = "Description", .text = heights}};
    png_set_text(p->png, p->info, text, p->file->format->channels ? 1 : 2);
}

static int color_type(const export_format *format)
{
    return format->channels == 4   ? PNG_COLOR_TYPE_RGB_ALPHA
           : format->channels == 3 ? PNG_COLOR_TYPE_RGB
                                   : PNG_COLOR_TYPE_GRAY;
}

static void write_header(png_file *p)
{
    const export_format *format = p->file->format;
    if (setjmp(png_jmpbuf(p->png)))
        return;
    png_set_write_fn(p->png, p, write_bytes, flush_bytes);
    png_set_user_limits(p->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_compression_level(p->png, COMPRESSION);
    png_set_filter(p->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP | PNG_FILTER_AVG | PNG_FILTER_PAETH);
    png_set_IHDR(p->png, p->info, (png_uint_32)p->file->width, (png_uint_32)p->file->height, format->bits,
                 color_type(format), PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (p->file->is_marked_linear && format->channels == 0)
        png_set_gAMA(p->png, p->info, 1.0);
    add_text(p);
    png_write_info(p->png, p->info);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(p->png);
#endif
}

static result png_open(const export_file *file, output_file *out, void **state)
{
    png_file *p = create(file);
    *state = p;
    if (!p)
        return out_of_memory();
    p->out = out;
    p->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, p, on_error, on_warning, p, allocate, release);
    p->info = p->png ? png_create_info_struct(p->png) : NULL;
    if (!p->info)
        return out_of_memory();
    write_header(p);
    return p->result;
}

static result png_write(void *state, const block *block)
{
    png_file *p = state;
    if (setjmp(png_jmpbuf(p->png)))
        return p->result;
    for (int64_t n = 0; n < block->rows; n++)
        png_write_row(p->png, block->first + n * block->stride);
    return result_done();
}

static result png_finish(void *state, const work_progress *progress)
{
    png_file *p = state;
    (void)progress;
    if (setjmp(png_jmpbuf(p->png)))
        return p->result;
    png_write_end(p->png, NULL);
    return result_done();
}

static void png_close(void *state)
{
    png_file *p = state;
    if (p)
        png_destroy_write_struct(&p->png, &p->info);
    free(p);
}

/* ---- reading ---- */

static void read_header(png_file *p)
{
    if (setjmp(png_jmpbuf(p->png)))
        return;
    const png_uint_32 side_max = (png_uint_32)p->file->format->side_max;
    png_init_io(p->png, p->in);
    png_set_user_limits(p->png, side_max, side_max);
    png_set_chunk_malloc_max(p->png, CHUNK_BYTES);
    png_set_chunk_cache_max(p->png, CHUNKS_CACHED);
    png_read_info(p->png, p->info);
    const png_uint_32 width = png_get_image_width(p->png, p->info), height = png_get_image_height(p->png, p->info);
    const export_format *format = p->file->format;
    const int bits = png_get_bit_depth(p->png, p->info), channels = png_get_channels(p->png, p->info),
              expected = format->channels ? format->channels : 1;
    if ((int64_t)width != p->file->width || (int64_t)height != p->file->height || bits != format->bits ||
        channels != expected || png_get_interlace_type(p->png, p->info) != PNG_INTERLACE_NONE)
        p->result = result_of(
            RESULT_FILE, "'%s' has %u x %u pixels, %d of %d bits each, expected %lld x %lld, %d of %d, not interlaced",
            p->path, width, height, channels, bits, (long long)p->file->width, (long long)p->file->height, expected,
            format->bits);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    png_set_swap(p->png);
#endif
}

static result png_open_reader(const export_file *file, const char *path, void **state)
{
    png_file *p = create(file);
    *state = p;
    if (!p)
        return out_of_memory();
    p->path = path;
    const result res = input_file_open(path, &p->in, NULL);
    if (res.kind != RESULT_DONE)
        return res;
    p->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, p, on_error, on_warning, p, allocate, release);
    p->info = p->png ? png_create_info_struct(p->png) : NULL;
    if (!p->info)
        return out_of_memory();
    read_header(p);
    return p->result;
}

static result png_read(void *state, const block *block)
{
    png_file *p = state;
    if (setjmp(png_jmpbuf(p->png)))
        return p->result;
    for (int64_t n = 0; n < block->rows; n++)
        png_read_row(p->png, block->first + n * block->stride, NULL);
    return result_done();
}

static void png_close_reader(void *state)
{
    png_file *p = state;
    if (!p)
        return;
    png_destroy_read_struct(&p->png, &p->info, NULL);
    if (p->in)
        fclose(p->in);
    free(p);
}

const codec codec_png = {.rows_multiple = 1,
                         .open = png_open,
                         .write = png_write,
                         .finish = png_finish,
                         .close = png_close,
                         .open_reader = png_open_reader,
                         .read = png_read,
                         .close_reader = png_close_reader};
