/* run.h - an export from beginning to end: the one way through the folder, from a job to its files. */
#ifndef TERRANE_PROGRAM_EXPORT_RUN_H
#define TERRANE_PROGRAM_EXPORT_RUN_H

#include "program/export/presets/preset.h"
#include "program/export/write/export.h"

/** Check a job, before anything is made of it, and turn it into a plan: its files, preset and names, and what exists
 * where files will be; preset NULL for none. Free the plan in any case, with export_plan_free. Errors OUTCOME_USAGE;
 * OUTCOME_FILE */
outcome export_prepare(const export_job *job, const preset *preset, export_plan *plan);

/** Carry a plan out: measure the range that was left open, take what an interrupted run completed, look whether there
 * is space, make the files, and join those of a set by a .vrt. The plan's range and states become what was found.
 *
 *  Errors  OUTCOME_FILE; OUTCOME_INTERRUPTED: complete files of a set stay; OUTCOME_FAILED
 */
outcome export_run(export_plan *plan, const strips_source *source, const export_events *events, export_report *report);

#endif
