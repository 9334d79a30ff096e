/* trace.h - lines from samples, by GDAL, and the polygons that are made of lines. Coordinates are columns and rows of
 * samples: sample (column, row) lies at (column, row), and the raster reaches half a sample beyond the outer ones. */
#ifndef TERRANE_PROGRAM_FEATURES_TRACE_H
#define TERRANE_PROGRAM_FEATURES_TRACE_H

#include "program/core/result.h"
#include "program/features/vector_file.h"

/** Size of a raster of samples, which is row-major from the north-west. */
typedef struct trace_raster {
    int width, height;
} trace_raster;

/** Samples that are read row after row. */
typedef struct trace_source {
    trace_raster raster;
    /** Give a row: each one in turn, now and then one shortly before, and at the end any of them. It stays valid until
     * the next call. */
    result (*row)(void *user, int64_t row, const float **out);
    result (*goes_on)(void *user, double share); /* called now and then with the share that is done */
    void *user;
} trace_source;

/** Called for each contour line. The callee may change the points. Their altitude is the level of the line. */
typedef result (*trace_line)(void *user, double level, double *points, size_t n_points);

/** Called for each polygon: an outer ring and its holes. The callee may change the points, or take them over and leave
 * NULL. value: the number of a region, or 0 */
typedef result (*trace_polygon)(void *user, int64_t value, vector_ring *rings, size_t n_rings);

/** Find the contour lines whose levels are multiples of an interval. In memory are two rows and the lines that are not
 * complete. Errors RESULT_FAILED; those of `visit` and of the source */
result trace_contours(const trace_source *source, double interval, trace_line visit, void *user);

/** Find the contour lines at one level. As trace_contours */
result trace_level(const trace_source *source, double level, trace_line visit, void *user);

#endif
