/* lake_marks.h - finds the lakes in samples: connected samples of equal level in which the network has a lake. */
#ifndef TERRANE_PROGRAM_FEATURES_LAKE_MARKS_H
#define TERRANE_PROGRAM_FEATURES_LAKE_MARKS_H

#include "program/features/feature_run.h"

enum { LAKE_SAMPLES_MIN = 4 }; /* smaller lakes are left out */

/** A lake. */
typedef struct lake {
    float level;   /* m */
    double depth;  /* m; greatest of its samples */
    double volume; /* sum of the depths of its samples, m */
    size_t samples;
    bool is_known;  /* whether the network has it */
    edge_part part; /* of an edge of run->fine_net in the lake */
} lake;

/** The lakes of a rectangle. */
typedef struct lake_marks {
    int32_t *numbers; /* for each sample, the number of its lake; 0: none */
    lake *lakes;      /* by number; entry 0 is not used */
    size_t count, room;
} lake_marks;

/** Mark the samples of lakes. Free the marks in any case. Errors RESULT_FAILED */
result lake_marks_make(feature_run *run, lake_marks *marks);

void lake_marks_free(lake_marks *marks);

#endif
