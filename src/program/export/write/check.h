/* check.h - whether a job can be done: in its world, by its format, under its name, for its preset's tool. Nothing on
 * the disk is looked at but what a path names. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_CHECK_H
#define TERRANE_PROGRAM_EXPORT_WRITE_CHECK_H

#include "program/export/job/job.h"
#include "program/export/presets/preset.h"

/** Check a job, and whether its tool takes what it makes; preset NULL: no tool. Errors OUTCOME_USAGE */
outcome export_check(const export_job *job, const preset *preset);

#endif
