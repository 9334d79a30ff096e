/* pipeline.h - how fast heights reach the host and a file: generation, copies and writing at the same time, on one or
 * several devices. */
#ifndef TERRANE_PROGRAM_BENCH_PIPELINE_H
#define TERRANE_PROGRAM_BENCH_PIPELINE_H

#include "program/core/result.h"

typedef struct bench_pipeline {
    ter_backend backend;
    int n_devices;
    int64_t size;            /* size x size heights */
    double gigabytes;        /* 10^9 bytes of them */
    double copy_gb_per_s;    /* pinned copies alone, from all devices at once, 0 without devices */
    double made_gb_per_s;    /* generation and copies */
    double written_gb_per_s; /* and writing to /dev/null */
} bench_pipeline;

/** Measure. generators: one a device; fields of `out` up to size are set by the caller. Medians of `samples` runs,
 * interleaved.
 *
 *  Errors  OUTCOME_FAILED; OUTCOME_FILE
 */
outcome bench_pipeline_measure(const ter_world *world, ter_generator *const *generators, int samples,
                               bench_pipeline *out);

#endif
