/* run.h - an export from beginning to end: from a job to a plan, and from the plan to its files. */
#ifndef TERRANE_PROGRAM_EXPORT_RUN_H
#define TERRANE_PROGRAM_EXPORT_RUN_H

#include "program/export/presets/preset.h"
#include "program/export/write/export.h"

/** Check a job, and make its plan. Nothing is written. Free the plan in any case, with export_plan_free.
 *
 *  preset  the preset of the tool that will read the files; NULL for none
 *  Errors  RESULT_USAGE the job cannot be done; RESULT_FILE a file must not be replaced; RESULT_FAILED
 */
result export_prepare(const export_job *job, const preset *preset, export_plan *plan);

/** Carry a plan out: measure the range if it is not known, find complete files of an interrupted run, check the free
 * space, make the other files, and write the .vrt of a set. The range and the states of the plan are updated.
 *
 *  Errors  RESULT_FILE; RESULT_INTERRUPTED: complete files of a set stay; RESULT_FAILED
 */
result export_run(export_plan *plan, const strips_source *source, const work_events *events, export_report *report);

#endif
