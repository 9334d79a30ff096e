/* lake_runs.h - the lakes along each row of samples, in a temporary file: a run is a part of a row in one lake. What an
 * area of water is, a lake or not, is known after its last row; so rows are added from north to south with what
 * connects their runs, and a way back from south to north gives each run its lake. */
#ifndef TERRANE_PROGRAM_FEATURES_LAKE_RUNS_H
#define TERRANE_PROGRAM_FEATURES_LAKE_RUNS_H

#include <stddef.h>

#include "program/core/result.h"

/** A run of samples: start .. end - 1. */
typedef struct lake_run {
    int32_t start, end; /* columns */
    int32_t area;       /* when it is added: the area of the run, a small number that later rows may use again; after
                           the way back: the number of its lake, 0 if it has none */
    int32_t next;       /* the area of which it is a part in the next row; -1 - n: it ends before, in lake n */
} lake_run;

typedef struct lake_runs lake_runs;

/** Begin a temporary file beside another one. path: of the complete file. Errors RESULT_FILE; RESULT_FAILED */
result lake_runs_open(const char *path, int64_t height, lake_runs **out);

/** Close the file, and remove it. NULL is allowed. */
void lake_runs_close(lake_runs *runs);

/** Add the runs of the next row. Errors RESULT_FILE */
result lake_runs_add(lake_runs *runs, const lake_run *row, size_t count);

/** When all rows are there: give each run its lake. n_areas: areas are less than this. Errors RESULT_FILE;
 * RESULT_FAILED */
result lake_runs_resolve(lake_runs *runs, size_t n_areas);

/** Read the runs of a row, valid until the next call. Errors RESULT_FILE; RESULT_FAILED */
result lake_runs_read(lake_runs *runs, int64_t row, const lake_run **out, size_t *count);

#endif
