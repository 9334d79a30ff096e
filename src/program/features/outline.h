/* outline.h - polygons of what lies above a level, from the contour lines of that level. */
#ifndef TERRANE_PROGRAM_FEATURES_OUTLINE_H
#define TERRANE_PROGRAM_FEATURES_OUTLINE_H

#include "program/features/trace.h"

/** Find the polygons that contain the samples above a level. Outlines run between samples. In memory are two rows and
 * the lines that are not in a complete polygon: a polygon is complete when its outer line is closed; those that the
 * edge of the samples cuts are complete at the end. Errors RESULT_FAILED; those of `visit` and of the source */
result outline_trace(const trace_source *source, double level, trace_polygon visit, void *user);

#endif
