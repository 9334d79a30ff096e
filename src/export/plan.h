/* plan.h - which files of a job are to be made: its shard's, less those that an earlier run completed. */
#ifndef TERRANE_EXPORT_PLAN_H
#define TERRANE_EXPORT_PLAN_H

#include "export/export.h"

typedef struct export_plan {
    int64_t *tiles;  /* numbers of the tiles to make, in order */
    ter_rect *rects; /* their rectangles */
    size_t n_tiles;
    int64_t n_kept; /* complete already */
} export_plan;

/** Plan a job whose range is known if it is to be resumed; free the plan in any case.
 *
 *  Errors  OUTCOME_FILE a file exists that must not be replaced; OUTCOME_INTERRUPTED; OUTCOME_FAILED no memory
 */
outcome export_plan_make(const export_job *job, const export_events *events, export_plan *plan);
void export_plan_free(export_plan *plan);

/** Whether the sidecar of the job's files is NAME.json instead of FILE.json. */
bool export_replaces_ending(const export_job *job);

/** Whether what is written of a job is kept when it is interrupted: a single raw file of --resume. */
bool export_keeps_part(const export_job *job);

#endif
