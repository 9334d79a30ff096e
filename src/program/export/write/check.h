/* check.h - checks whether a job is possible: in its world, with its formats, under its name, and for its preset's
 * tool. On the disk, the check examines only whether the job's name is that of a regular file. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_CHECK_H
#define TERRANE_PROGRAM_EXPORT_WRITE_CHECK_H

#include "program/export/job/job.h"
#include "program/export/presets/preset.h"

/** Check a job.
 *
 *  preset  the preset of the tool that will read the files; NULL for none
 *  Errors  RESULT_USAGE; RESULT_FAILED no memory
 */
result export_check(const export_job *job, const preset *preset);

#endif
