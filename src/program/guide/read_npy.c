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
    result res = line ? result_done() : result_of(RESULT_FAILED, "out of memory");
    for (int y = 0; y < out->rows && res.kind == RESULT_DONE; y++) {
        if (fread(line, 1, row, file) != row)
            res = result_of(RESULT_FILE, "'%s' ends in row %d of %d", path, y, out->rows);
        for (int x = 0; x < out->cols && res.kind == RESULT_DONE; x++)
            out->numbers[(size_t)y * (size_t)out->cols + (size_t)x] = number_at(line + (size_t)x * bytes, type);
    }
    free(line);
    return res;
}

result guide_read_npy(const char *path, guide_raster *out)
{
    FILE *file = NULL;
    char header[HEADER_MAX];
    long long rows = 0, cols = 0;
    result res = input_file_open(path, &file, NULL);
    if (res.kind != RESULT_DONE)
        return res;
    const bool has_header = read_header(file, header);
    const char *shape = has_header ? strstr(header, "'shape': (") : NULL;
    const int type = has_header ? type_of(header) : -1;
    char end = 0;
    const bool is_plane = shape && sscanf(shape, "'shape': (%lld, %lld%c", &rows, &cols, &end) == 3 && end == ')';
    if (!has_header)
        res = result_of(RESULT_FILE, "'%s' is not an array of NumPy", path);
    else if (!is_plane || strstr(header, "'fortran_order': True"))
        res = result_of(RESULT_FILE, "'%s' is not an array of rows and columns in C order", path);
    else if (type < 0)
        res = result_of(RESULT_FILE,
                        "'%s' has numbers of another type, expected float32, float64, int16, int32, uint8 or uint16",
                        path);
    if (res.kind == RESULT_DONE)
        res = guide_raster_allocate(path, cols, rows, out);
    if (res.kind == RESULT_DONE) {
        out->greatest = types[type].greatest;
        out->is_picture = types[type].is_picture;
        res = read_rows(file, path, type, out);
    }
    fclose(file);
    return res;
}
