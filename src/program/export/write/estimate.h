/* estimate.h - what a plan will take, from a part of it that is made and written nowhere. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_ESTIMATE_H
#define TERRANE_PROGRAM_EXPORT_WRITE_ESTIMATE_H

#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

typedef struct export_estimate {
    uint64_t samples_bytes; /* before compression */
    double bytes;           /* about; exact for raw formats */
    bool is_exact;
    double seconds; /* about, to make and pack them, without waiting for the disk */
} export_estimate;

/** Estimate what all files of a plan's shard will be. Errors as export_make_files */
outcome export_estimate_plan(const export_plan *plan, const strips_source *source, export_estimate *estimate);

#endif
