/* guide_raster.h - rasters of numbers that are read from files, before they become heights. */
#ifndef TERRANE_PROGRAM_GUIDE_GUIDE_RASTER_H
#define TERRANE_PROGRAM_GUIDE_GUIDE_RASTER_H

#include <stdbool.h>

#include "program/core/result.h"

/** Where a raster lies in the coordinate system of its file. */
typedef struct guide_crs {
    int epsg;           /* number of a projected coordinate system; 0: none is known */
    double east, north; /* middle of pixel (0, 0), in units of the coordinate system */
    double metres;      /* of a unit */
    double spacing;     /* m between pixels; 0: the file has no coordinates */
} guide_crs;

/** Numbers as the file has them. */
typedef struct guide_raster {
    float *numbers; /* cols * rows, not a number: no data; freed with free() */
    int cols, rows;
    double spacing; /* m; 0: the file does not say */
    bool has_place;
    double x, z;     /* m; middle of pixel (0, 0) */
    double greatest; /* greatest number of the file's type, which is white in a picture: 255, 65535; 1 for floats */
    bool is_picture; /* whether numbers have no unit, so that a range is needed */
    guide_crs crs;
} guide_raster;

/** Check the size of a raster. Errors RESULT_FILE */
result guide_raster_check(const char *path, int64_t cols, int64_t rows);

/** Check the size of a raster and allocate its numbers. Errors RESULT_FILE, RESULT_FAILED */
result guide_raster_allocate(const char *path, int64_t cols, int64_t rows, guide_raster *out);

#endif
