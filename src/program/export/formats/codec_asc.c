/* codec_asc.c - Arc ASCII grids: a header of a few lines, then a line of numbers for each row, from the north. Numbers
 * have the fewest digits from which a reader gets the same floats again. Source: ESRI, "ASCII raster format". */
#include "program/export/formats/codec_asc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/tasks.h"
#include "program/file/input_file.h"

enum {
    HEADER_TEXT = 320,
    NUMBER_TEXT = 20,  /* memory for a number and the space after it, bytes */
    ROWS_AT_ONCE = 64, /* rows that are made at the same time */
    NO_DATA = -9999
};

typedef struct asc {
    const export_file *file;
    output_file *out;
    FILE *in;
    const char *path; /* name of the file `in` */
    char *text;       /* ROWS_AT_ONCE rows of row_bytes */
    size_t row_bytes;
    size_t lengths[ROWS_AT_ONCE];
} asc;

static bool has_no_data(const export_file *file)
{
    return export_layers[file->layer].has_no_data;
}

static size_t make_header(const export_file *file, char header[HEADER_TEXT])
{
    const export_place place = export_file_place(file);
    const double south = place.north - (double)(file->height - 1) * place.step;
    int n = snprintf(header, HEADER_TEXT, "ncols %lld\nnrows %lld\nxllcenter %.17g\nyllcenter %.17g\ncellsize %.17g\n",
                     (long long)file->width, (long long)file->height, place.east, 0.0 + south, place.step);
    if (has_no_data(file))
        n += snprintf(header + n, HEADER_TEXT - (size_t)n, "NODATA_value %d\n", NO_DATA);
    return (size_t)n;
}

static result create(const export_file *file, asc **out)
{
    asc *a = calloc(1, sizeof *a);
    *out = a;
    if (a)
        a->row_bytes = (size_t)file->width * NUMBER_TEXT;
    if (a)
        a->text = malloc(a->row_bytes * ROWS_AT_ONCE);
    if (!a || !a->text)
        return result_of(RESULT_FAILED, "no memory for a file of text");
    a->file = file;
    return result_done();
}

static void destroy(void *state)
{
    asc *a = state;
    if (!a)
        return;
    if (a->in)
        fclose(a->in);
    free(a->text);
    free(a);
}

/* ---- writing ---- */

static result asc_open(const export_file *file, output_file *out, void **state)
{
    char header[HEADER_TEXT];
    asc *a = NULL;
    result res = create(file, &a);
    *state = a;
    if (res.kind != RESULT_DONE)
        return res;
    a->out = out;
    return output_file_write(out, header, make_header(file, header));
}

/** Write a number, always with a point or an exponent, because readers store the numbers of a file without points as
 * integers. */
static size_t write_number(float number, char text[NUMBER_TEXT])
{
    if (isnan(number))
        return (size_t)snprintf(text, NUMBER_TEXT, "%d", NO_DATA);
    int digits = 6, n;
    do
        n = snprintf(text, NUMBER_TEXT, "%.*g", digits, (double)number);
    while (strtof(text, NULL) != number && ++digits <= 9);
    if (!strpbrk(text, ".e"))
        n += snprintf(text + n, (size_t)(NUMBER_TEXT - n), ".0");
    return (size_t)n;
}

/** Rows of a block that are being made. */
typedef struct text_rows {
    asc *a;
    const block *block;
    int64_t first;
} text_rows;

static void make_row(void *user, int64_t n)
{
    const text_rows *rows = user;
    const float *numbers = (const float *)(const void *)(rows->block->first + (rows->first + n) * rows->block->stride);
    char *start = rows->a->text + (size_t)n * rows->a->row_bytes, *at = start;
    for (int64_t x = 0; x < rows->block->width; x++) {
        at += write_number(numbers[x], at);
        *at++ = x + 1 < rows->block->width ? ' ' : '\n';
    }
    rows->a->lengths[n] = (size_t)(at - start);
}

static result asc_write(void *state, const block *block)
{
    asc *a = state;
    result res = result_done();
    for (int64_t first = 0; first < block->rows && res.kind == RESULT_DONE; first += ROWS_AT_ONCE) {
        text_rows rows = {a, block, first};
        const int64_t count = block->rows - first < ROWS_AT_ONCE ? block->rows - first : ROWS_AT_ONCE;
        tasks_run(count, make_row, &rows);
        for (int64_t n = 0; n < count && res.kind == RESULT_DONE; n++)
            res = output_file_write(a->out, a->text + (size_t)n * a->row_bytes, a->lengths[n]);
    }
    return res;
}

static result asc_finish(void *state, const work_progress *progress)
{
    (void)state, (void)progress;
    return result_done();
}

/* ---- reading ---- */

static result asc_open_reader(const export_file *file, const char *path, void **state)
{
    char expected[HEADER_TEXT], got[HEADER_TEXT];
    asc *a = NULL;
    result res = create(file, &a);
    *state = a;
    if (res.kind == RESULT_DONE)
        res = input_file_open(path, &a->in, NULL);
    if (res.kind != RESULT_DONE)
        return res;
    a->path = path;
    const size_t bytes = make_header(file, expected);
    if (fread(got, 1, bytes, a->in) != bytes || memcmp(got, expected, bytes) != 0)
        return result_of(RESULT_FILE, "'%s' does not begin as an Arc ASCII grid of %lld x %lld samples at this place",
                         path, (long long)file->width, (long long)file->height);
    return res;
}

/** Read a row into a->text. */
static result read_row(asc *a)
{
    if (fgets(a->text, (int)(a->row_bytes < INT32_MAX ? a->row_bytes : INT32_MAX), a->in))
        return result_done();
    return ferror(a->in)
               ? result_of_file("read", a->path)
               : result_of(RESULT_FILE, "'%s' has too few rows, expected %lld", a->path, (long long)a->file->height);
}

static result parse_row(const asc *a, float *numbers, int64_t width)
{
    char *at = a->text;
    for (int64_t x = 0; x < width; x++) {
        char *end;
        numbers[x] = strtof(at, &end);
        if (end == at || (*end != ' ' && *end != '\n'))
            return result_of(RESULT_FILE, "'%s' has a row with a word that is no number, expected %lld numbers",
                             a->path, (long long)width);
        if (has_no_data(a->file) && numbers[x] == (float)NO_DATA)
            numbers[x] = NAN;
        at = end;
    }
    return result_done();
}

static result asc_read(void *state, const block *block)
{
    asc *a = state;
    result res = result_done();
    for (int64_t n = 0; n < block->rows && res.kind == RESULT_DONE; n++) {
        res = read_row(a);
        if (res.kind == RESULT_DONE)
            res = parse_row(a, (float *)(void *)(block->first + n * block->stride), block->width);
    }
    return res;
}

const codec codec_asc = {.rows_multiple = 1,
                         .open = asc_open,
                         .write = asc_write,
                         .finish = asc_finish,
                         .close = destroy,
                         .open_reader = asc_open_reader,
                         .read = asc_read,
                         .close_reader = destroy};
