/* check_drained.h - checks jobs for drained layers and conditioned heights. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_CHECK_DRAINED_H
#define TERRANE_PROGRAM_EXPORT_WRITE_CHECK_DRAINED_H

#include "program/export/job/job.h"

/** Check a job; one without such layers passes. Errors RESULT_USAGE */
result export_check_drained(const export_job *job);

#endif
