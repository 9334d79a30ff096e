/* region_trace.h - polygons of regions: samples of equal numbers that touch at their sides. */
#ifndef TERRANE_PROGRAM_FEATURES_REGION_TRACE_H
#define TERRANE_PROGRAM_FEATURES_REGION_TRACE_H

#include "program/features/trace.h"

/** Numbers that are read row after row. */
typedef struct region_source {
    trace_raster raster;
    result (*row)(void *user, int64_t row, const int32_t **out); /* each one in turn; valid until the next call */
    result (*goes_on)(void *user, double share);                 /* called now and then with the share that is done */
    void *user;
} region_source;

/** Find the polygons of all regions whose number is not 0. They run along the edges of samples, and touch each other
 * without gap or overlap. A polygon is visited when the next row but one is read, or at the end. In memory are two rows
 * and the borders of the regions that reach into them.
 *
 *  Errors  RESULT_FAILED; those of `visit` and of the source
 */
result region_trace(const region_source *source, trace_polygon visit, void *user);

#endif
