/* resume.h - which files of a plan an earlier run has completed. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_RESUME_H
#define TERRANE_PROGRAM_EXPORT_WRITE_RESUME_H

#include "program/core/events.h"
#include "program/export/job/plan.h"

/** Compare the files that a plan has found with their sidecars and checksums: those that are sound are complete, those
 * that are damaged are made again, with a note. The plan's range must be known.
 *
 *  Errors  OUTCOME_FILE a file is of another job, and --force was not given; OUTCOME_INTERRUPTED
 */
outcome export_resume(export_plan *plan, const export_events *events);

#endif
