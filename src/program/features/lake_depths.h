/* lake_depths.h - rows of depths of lakes, whose outlines lie at depth 0. */
#ifndef TERRANE_PROGRAM_FEATURES_LAKE_DEPTHS_H
#define TERRANE_PROGRAM_FEATURES_LAKE_DEPTHS_H

#include "program/features/lake_marks.h"

enum { LAKE_ROWS_HELD = 3 };

/** Rows of depths, made from the runs of lakes. */
typedef struct lake_depths {
    const feature_run *run;
    const lake_marks *marks;
    int32_t *numbers[LAKE_ROWS_HELD]; /* of the lakes of the samples of a row; 0: none */
    int64_t held[LAKE_ROWS_HELD];     /* the rows */
    float *depths;
} lake_depths;

/** Begin. Free the rows in any case. Errors RESULT_FAILED */
result lake_depths_begin(lake_depths *depths, const feature_run *run, const lake_marks *marks);

void lake_depths_free(lake_depths *depths);

/** Give a row of depths, valid until the next call, metres: above 0 in lakes and below 0 outside of them. Two lakes
 * never touch, not even at a corner. Errors RESULT_FILE; RESULT_FAILED */
result lake_depths_row(lake_depths *depths, int64_t row, const float **out);

/** Find the lake of a sample that lies in one: 0 if its depth is below 0. Errors RESULT_FILE; RESULT_FAILED */
result lake_depths_lake(lake_depths *depths, int64_t column, int64_t row, int32_t *out);

#endif
