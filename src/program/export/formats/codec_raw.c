/* codec_raw.c - raw samples without a header, and two formats of raw samples after a header: PGM and MuJoCo's height
 * fields. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/export/formats/codec_raw.h"
#include "program/file/input_file.h"

typedef struct raw {
    const export_file *file;
    output_file *out;
    FILE *in;
    const char *path; /* name of the file `in` */
    size_t sample_bytes;
    unsigned char *swapped; /* buffer of SWAPPED_SAMPLES samples */
} raw;

enum { SWAPPED_SAMPLES = 1 << 14 };

/** Make the header, and return its length; 0 for formats without a header. Sources: netpbm, PGM: two bytes a sample,
 * the most significant first. MuJoCo, XML reference, asset/hfield, file: the numbers of rows and columns, four bytes
 * each, the least significant first. */
static size_t make_header(const export_file *file, char header[64])
{
    if (file->format == &export_formats[EXPORT_PGM])
        return (size_t)snprintf(header, 64, "P5\n%lld %lld\n65535\n", (long long)file->width, (long long)file->height);
    if (file->format != &export_formats[EXPORT_HFIELD])
        return 0;
    for (int n = 0; n < 4; n++) {
        header[n] = (char)(file->height >> 8 * n);
        header[4 + n] = (char)(file->width >> 8 * n);
    }
    return 8;
}

uint64_t codec_raw_offset(const export_file *file, int64_t row)
{
    char header[64];
    return make_header(file, header) + (uint64_t)row * (uint64_t)file->width * export_format_sample_bytes(file->format);
}

static void swap_samples(const raw *r, const unsigned char *from, size_t n_samples)
{
    const size_t size = r->sample_bytes;
    for (size_t n = 0; n < n_samples; n++)
        for (size_t b = 0; b < size; b++)
            r->swapped[n * size + b] = from[n * size + size - 1 - b];
}

static result create(const export_file *file, raw **out)
{
    raw *r = calloc(1, sizeof *r);
    unsigned char *swapped = malloc(SWAPPED_SAMPLES * sizeof(float));
    if (!r || !swapped) {
        free(r);
        free(swapped);
        return result_of(RESULT_FAILED, "no memory for a raw file");
    }
    *r = (raw){.file = file, .sample_bytes = export_format_sample_bytes(file->format), .swapped = swapped};
    *out = r;
    return result_done();
}

static void destroy(void *state)
{
    raw *r = state;
    if (!r)
        return;
    if (r->in)
        fclose(r->in);
    free(r->swapped);
    free(r);
}

static result raw_open(const export_file *file, output_file *out, void **state)
{
    char header[64];
    raw *r = NULL;
    result res = create(file, &r);
    if (res.kind != RESULT_DONE)
        return res;
    r->out = out;
    *state = r;
    const size_t header_bytes = make_header(file, header);
    return out->written == 0 ? output_file_write(out, header, header_bytes) : res;
}

/** Write samples of a row with reversed bytes. */
static result write_swapped(const raw *r, const unsigned char *row, size_t n_samples)
{
    result res = result_done();
    for (size_t n = 0; n < n_samples && res.kind == RESULT_DONE; n += SWAPPED_SAMPLES) {
        const size_t count = n_samples - n < SWAPPED_SAMPLES ? n_samples - n : SWAPPED_SAMPLES;
        swap_samples(r, row + n * r->sample_bytes, count);
        res = output_file_write(r->out, r->swapped, count * r->sample_bytes);
    }
    return res;
}

static result raw_write(void *state, const block *block)
{
    const raw *r = state;
    const size_t row_bytes = (size_t)block->width * r->sample_bytes;
    if (!r->file->is_big_endian && block->stride == (ptrdiff_t)row_bytes)
        return output_file_write(r->out, block->first, row_bytes * (size_t)block->rows);
    result res = result_done();
    for (int64_t n = 0; n < block->rows && res.kind == RESULT_DONE; n++) {
        const unsigned char *row = block->first + n * block->stride;
        res = r->file->is_big_endian ? write_swapped(r, row, (size_t)block->width)
                                     : output_file_write(r->out, row, row_bytes);
    }
    return res;
}

static result raw_finish(void *state, const work_progress *progress)
{
    (void)state, (void)progress;
    return result_done();
}

static result open_input(raw *r, const char *path)
{
    char expected[64], got[64];
    uint64_t present;
    const size_t header_bytes = make_header(r->file, expected);
    const uint64_t bytes = codec_raw_offset(r->file, r->file->height);
    r->path = path;
    const result res = input_file_open(path, &r->in, &present);
    if (res.kind != RESULT_DONE)
        return res;
    if (present != bytes)
        return result_of(RESULT_FILE, "'%s' has %llu bytes, expected %llu", path, (unsigned long long)present,
                         (unsigned long long)bytes);
    if (fread(got, 1, header_bytes, r->in) != header_bytes || memcmp(got, expected, header_bytes) != 0)
        return result_of(RESULT_FILE, "'%s' does not begin as a %s file of %lld x %lld samples does", path,
                         r->file->format->name, (long long)r->file->width, (long long)r->file->height);
    return result_done();
}

static result raw_open_reader(const export_file *file, const char *path, void **state)
{
    raw *r = NULL;
    result res = create(file, &r);
    if (res.kind == RESULT_DONE)
        res = open_input(r, path);
    *state = r;
    return res;
}

static result raw_read(void *state, const block *block)
{
    raw *r = state;
    const size_t row_bytes = (size_t)block->width * r->sample_bytes;
    for (int64_t n = 0; n < block->rows; n++) {
        unsigned char *row = block->first + n * block->stride;
        if (fread(row, 1, row_bytes, r->in) != row_bytes)
            return ferror(r->in) ? result_of_file("read", r->path)
                                 : result_of(RESULT_FILE, "cannot read '%s': it became shorter meanwhile", r->path);
        for (size_t x = 0; r->file->is_big_endian && x < (size_t)block->width; x += SWAPPED_SAMPLES) {
            const size_t count =
                (size_t)block->width - x < SWAPPED_SAMPLES ? (size_t)block->width - x : SWAPPED_SAMPLES;
            swap_samples(r, row + x * r->sample_bytes, count);
            memcpy(row + x * r->sample_bytes, r->swapped, count * r->sample_bytes);
        }
    }
    return result_done();
}

const codec codec_raw = {.rows_multiple = 1,
                         .may_cut_rows = true,
                         .open = raw_open,
                         .write = raw_write,
                         .finish = raw_finish,
                         .close = destroy,
                         .open_reader = raw_open_reader,
                         .read = raw_read,
                         .close_reader = destroy};
