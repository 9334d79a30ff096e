/* export.h - makes the files of a plan: generates them strip by strip, encodes and writes them, and gives them names
 * and sidecars. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_EXPORT_H
#define TERRANE_PROGRAM_EXPORT_WRITE_EXPORT_H

#include "program/core/events.h"
#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

/** Result of an export. */
typedef struct export_report {
    int64_t n_files, n_kept; /* files written; files that --resume has found complete */
    uint64_t bytes;          /* size of the written files */
    uint64_t n_samples;      /* samples of the first layer in the written files */
    uint64_t n_clamped;      /* how many of these samples lay outside the file's range and were set to its nearer end */
    float min_m, max_m;      /* least and greatest height */
} export_report;

/** The report of an export that has written nothing. */
export_report export_report_none(void);

/** Make the files in the plan's list `to_make`. The plan's range must be known. The memory needed does not depend on
 * the number of samples, except for meshes, which hold all samples of a tile. Generation, copies from devices and
 * writing overlap. A file gets its name when it is complete.
 *
 *  report  the written files are added to it
 *  Errors  RESULT_FILE; RESULT_INTERRUPTED: complete files stay; RESULT_FAILED
 */
result export_make_files(const export_plan *plan, const strips_source *source, const work_events *events,
                         export_report *report);

#endif
