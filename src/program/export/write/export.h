/* export.h - the files of a plan: generated strip by strip, encoded, written, given their names and sidecars. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_EXPORT_H
#define TERRANE_PROGRAM_EXPORT_WRITE_EXPORT_H

#include "program/core/events.h"
#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

/** What an export did. */
typedef struct export_report {
    int64_t n_files, n_kept; /* written; found complete by --resume */
    uint64_t bytes;          /* of the files written */
    uint64_t n_samples;      /* in those of the first layer, whose range is reported */
    uint64_t n_clamped;      /* of these, outside the range */
    float min_m, max_m;
} export_report;

/** A report of nothing. */
export_report export_report_none(void);

/** Make the files of a plan that are to be made, whose range must be known: constant memory; generation, copies from
 * devices and writing overlap; a file appears when it is complete. What was made is added to the report.
 *
 *  Errors  OUTCOME_FILE; OUTCOME_INTERRUPTED: complete files of a set stay; OUTCOME_FAILED
 */
outcome export_make_files(const export_plan *plan, const strips_source *source, const export_events *events,
                          export_report *report);

#endif
