/* pipeline.h - measures how fast heights reach the host and a file: generation, copies and writing overlap, on one or
 * several devices. */
#ifndef TERRANE_PROGRAM_BENCH_PIPELINE_H
#define TERRANE_PROGRAM_BENCH_PIPELINE_H

#include "program/core/result.h"

typedef struct bench_pipeline {
    ter_backend backend;
    int n_devices;
    int64_t size;            /* size x size heights */
    double gigabytes;        /* size of these heights, 10^9 bytes */
    double copy_gb_per_s;    /* only copies to pinned memory, from all devices at once; 0 without devices */
    double made_gb_per_s;    /* generation and copies */
    double written_gb_per_s; /* generation, copies, and writing to /dev/null */
} bench_pipeline;

/** Measure medians of `samples` rounds, of 25 if `samples` is greater; each round measures copies, generation and
 * writing once.
 *
 *  generators  one for each device
 *  out         the caller sets backend, n_devices and size
 *  Errors      RESULT_FAILED; RESULT_FILE
 */
result bench_pipeline_measure(const ter_world *world, ter_generator *const *generators, int samples,
                              bench_pipeline *out);

#endif
