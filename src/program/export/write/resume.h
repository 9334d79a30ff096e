/* resume.h - finds the files of a plan that an earlier run has completed. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_RESUME_H
#define TERRANE_PROGRAM_EXPORT_WRITE_RESUME_H

#include "program/core/events.h"
#include "program/export/job/plan.h"

/** Compare all files in state PLANNED_FOUND with their sidecars and checksums. Undamaged files become
 * PLANNED_COMPLETE. Damaged files become PLANNED_REPLACES, with a note. The plan's range must be known.
 *
 *  Errors  RESULT_FILE a file belongs to another job, and --force was not given; RESULT_USAGE a file is of an earlier
 *          world format, and --force was not given; RESULT_INTERRUPTED
 */
result export_resume(export_plan *plan, const work_events *events);

#endif
