/* estimate.h - estimates time and bytes of a plan from a part that is made and written to /dev/null. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_ESTIMATE_H
#define TERRANE_PROGRAM_EXPORT_WRITE_ESTIMATE_H

#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

typedef struct export_estimate {
    uint64_t samples_bytes; /* bytes of the samples before compression */
    double bytes;           /* bytes of all files; estimated, or exact for raw formats */
    bool is_exact;          /* `bytes` is exact */
    double seconds;         /* estimated time for generation and compression, without writing to the disk */
} export_estimate;

/** Estimate all files of a plan's shard. Errors those of export_make_files */
result export_estimate_plan(const export_plan *plan, const strips_source *source, export_estimate *estimate);

#endif
