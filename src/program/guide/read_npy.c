/* read_npy.c - reads arrays that numpy.save has written. Source: NumPy Enhancement Proposal 1, "A simple file format
 * for NumPy arrays" */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/file/input_file.h"
#include "program/guide/guide_readers.h"

enum { HEADER_MAX = 4096 };

/** Types of numbers, as the header names them. */
static const struct {
    const char *name;
    size_t bytes;
    double greatest; /* of a picture */
    bool is_picture;
} types[] = {
    {"'<f4'", 4, 1.0, false},  {"'<f8'", 8, 1.0, false},     {"'<i2'", 2, 32767.0, false},
    {"'|u1'", 1, 255.0, true}, {"'<u2'", 2, 65535.0, false}, {"'<i4'", 4, 2147483647.0, false},
};

static float number_at(const unsigned char *p, int type)
{
    double f8;
    float f4;
    int16_t i2;
    uint16_t u2;
    int32_t i4;
    switch (type) {
    case 0:
        memcpy(&f4, p, sizeof f4);
        return f4;
    case 1:
        memcpy(&f8, p, sizeof f8);
        return (float)f8;
    case 2:
        memcpy(&i2, p, sizeof i2);
        return (float)i2;
    case 3:
        return (float)*p;
    case 4:
        memcpy(&u2, p, sizeof u2);
        return (float)u2;
    default:
        memcpy(&i4, p, sizeof i4);
        return (float)i4;
    }
}

/** Find the type in a header; -1: none of them. */
static int type_of(const char *header)
{
    for (int n = 0; n < (int)(sizeof types / sizeof types[0]); n++)
        if (strstr(header, types[n].name))
            return n;
    return -1;
}

/** Read the header. Returns false if it is not that of an array. */
static bool read_header(FILE *file, char header[HEADER_MAX])
{
    unsigned char start[12];
    if (fread(start, 1, 10, file) != 10 || memcmp(start, "\x93NUMPY", 6) != 0 || start[6] < 1 || start[6] > 3)
        return false;
    size_t length = start[8] | (size_t)start[9] << 8;
    if (start[6] > 1) {
        if (fread(start + 10, 1, 2, file) != 2)
            return false;
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    }
    if (length >= HEADER_MAX || fread(header, 1, length, file) != length)
        return false;
    header[length] = '\0';
    return true;
}

static result read_rows(FILE *file, const char *path, int type, guide_raster *out)
{
    const size_t bytes = types[type].bytes, row = (size_t)out->cols * bytes;
    unsigned char *line = malloc(row);
    if (!line)
        return result_of(RESULT_FAILED, "out of memory");
    result res = result_done();
    for (int y = 0; y < out->rows && res.kind == RESULT_DONE; y++) {
        if (fread(line, 1, row, file) != row)
            res = result_of_file("read", path);
        for (int x = 0; x < out->cols && res.kind == RESULT_DONE; x++)
            out->numbers[(size_t)y * (size_t)out->cols + (size_t)x] = number_at(line + (size_t)x * bytes, type);
    }
    free(line);
    return res;
}

/** Numbers of rows and columns of a header. Returns false if it is not that of rows and columns in C order. */
static bool find_shape(const char *header, long long *rows, long long *cols)
{
    const char *shape = strstr(header, "'shape': (");
    char end = 0;
    return shape && sscanf(shape, "'shape': (%lld, %lld%c", rows, cols, &end) == 3 && end == ')' &&
           !strstr(header, "'fortran_order': True");
}

/** Check the size of an array whose header has been read against that of its file. */
static result check_size(FILE *file, const char *path, uint64_t bytes, long long rows, long long cols, int type)
{
    const result res = guide_raster_check(path, cols, rows);
    if (res.kind != RESULT_DONE)
        return res;
    const uint64_t needed = (uint64_t)ftell(file) + (uint64_t)rows * (uint64_t)cols * types[type].bytes;
    if (bytes >= needed)
        return res;
    return result_of(RESULT_FILE, "'%s' has %llu bytes, expected %llu for %lld x %lld numbers", path,
                     (unsigned long long)bytes, (unsigned long long)needed, cols, rows);
}

static result read_array(FILE *file, const char *path, uint64_t bytes, guide_raster *out)
{
    char header[HEADER_MAX];
    long long rows = 0, cols = 0;
    if (!read_header(file, header))
        return result_of(RESULT_FILE, "'%s' is not an array of NumPy", path);
    if (!find_shape(header, &rows, &cols))
        return result_of(RESULT_FILE, "'%s' is not an array of rows and columns in C order", path);
    const int type = type_of(header);
    if (type < 0)
        return result_of(RESULT_FILE,
                         "'%s' has numbers of another type, expected float32, float64, int16, int32, uint8 or uint16",
                         path);
    result res = check_size(file, path, bytes, rows, cols, type);
    if (res.kind == RESULT_DONE)
        res = guide_raster_allocate(path, cols, rows, out);
    if (res.kind != RESULT_DONE)
        return res;
    out->greatest = types[type].greatest;
    out->is_picture = types[type].is_picture;
    return read_rows(file, path, type, out);
}

result guide_read_npy(const char *path, guide_raster *out)
{
    FILE *file = NULL;
    uint64_t bytes = 0;
    result res = input_file_open(path, &file, &bytes);
    if (res.kind != RESULT_DONE)
        return res;
    res = read_array(file, path, bytes, out);
    fclose(file);
    return res;
}
