/* outline.h - puts together the contour lines of one level to the polygons of what lies above it. A polygon is complete
 * when its outer line is closed; those that the edge of the samples cuts are complete at the end. */
#ifndef TERRANE_PROGRAM_FEATURES_OUTLINE_H
#define TERRANE_PROGRAM_FEATURES_OUTLINE_H

#include "program/features/trace.h"

/** The lines that are not in a complete polygon yet. */
typedef struct outline {
    const trace_source *source;
    double level;
    trace_polygon visit;
    void *user;
    vector_ring *lines; /* that begin and end at the edge */
    size_t n_lines, lines_room;
    vector_ring *holes;
    size_t n_holes, holes_room;
} outline;

/** A trace_line: add a contour line. It must come after all lines that it encloses. user: the outline
 *
 *  Errors  RESULT_FAILED; those of the visitor and of the source
 */
result outline_add(void *user, double level, double *points, size_t n_points);

/** Visit the polygons that the edge cuts. Errors as outline_add */
result outline_end(outline *outline);

/** Free the lines. */
void outline_free(outline *outline);

#endif
