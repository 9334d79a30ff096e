/* lake_marks.h - finds the lakes in samples: connected samples of equal level in which the network has a lake. */
#ifndef TERRANE_PROGRAM_FEATURES_LAKE_MARKS_H
#define TERRANE_PROGRAM_FEATURES_LAKE_MARKS_H

#include "program/features/lake_points.h"
#include "program/features/lake_runs.h"
#include "program/features/polygon_group.h"

enum { LAKE_SAMPLES_MIN = 4 }; /* smaller lakes are left out */

/** A lake. */
typedef struct lake {
    float level;      /* m */
    double depth;     /* m; greatest of its samples */
    double volume;    /* sum of the depths of its samples, m */
    int64_t samples;  /* their number */
    int64_t first;    /* index of the first one, row-major in the rectangle; it tells lakes apart */
    int64_t last_row; /* of its samples */
    bool is_cut;      /* it has samples at the edge of the rectangle */
    lake_facts facts;
    polygon_group *polygons; /* those that are complete; NULL: none */
} lake;

/** The lakes of a rectangle. */
typedef struct lake_marks {
    lake *lakes; /* by number, in the order of their last rows; entry 0 is not used */
    size_t count, room;
    lake_runs *runs; /* of all rows */
} lake_marks;

/** Find the lakes. Free them in any case. In memory are the lakes, and the areas of equal level that reach into two
 * rows.
 *
 *  share   of the step that is reached at the end
 *  Errors  RESULT_FILE; RESULT_INTERRUPTED; RESULT_FAILED
 */
result lake_marks_make(feature_run *run, double share, lake_marks *marks);

void lake_marks_free(lake_marks *marks);

#endif
