/* check_drained.h - checks jobs that have drained layers or conditioned heights. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_CHECK_DRAINED_H
#define TERRANE_PROGRAM_EXPORT_WRITE_CHECK_DRAINED_H

#include "program/export/job/job.h"

/** Check a job. A job without such layers passes. Errors RESULT_USAGE */
result export_check_drained(const export_job *job);

#endif
