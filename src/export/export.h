/* export.h - a job from request to files. */
#ifndef TERRANE_EXPORT_EXPORT_H
#define TERRANE_EXPORT_EXPORT_H

#include "export/job.h"

/** What happens in between, for the user. */
typedef struct export_events {
    void *user;
    bool (*progress)(void *user, const char *path, double share); /* share done, 0..1; returns false to interrupt */
    void (*note)(void *user, const char *sentence);
} export_events;

/** What an export did. */
typedef struct export_report {
    int64_t n_files, n_kept; /* written; found complete by --resume */
    uint64_t bytes;          /* of the files written */
    float min_m, max_m;
    uint64_t n_clamped; /* samples outside the range */
    double range[2];    /* used, metres */
} export_report;

/** Check a job before anything is made of it: its files, preset and names, and what exists where files will be.
 *  Errors OUTCOME_USAGE; OUTCOME_FILE */
outcome export_check(const export_job *job, const export_events *events);

/** Run a job that export_check has passed: constant memory; generation, copies from devices and writing overlap; a file appears
 * when it is complete, its sidecars after it. A set of tiles ends with a .vrt that joins them.
 *
 *  generators  1 to STRIPS_GENERATORS_MAX, which take strips in turns
 *  Errors  OUTCOME_USAGE; OUTCOME_FILE; OUTCOME_INTERRUPTED: complete files of a set stay; OUTCOME_FAILED
 */
outcome export_run(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                   const export_events *events, export_report *report);

/** What a job will make and take. */
typedef struct export_estimate {
    int64_t n_files;
    int64_t n_existing;     /* of these files are there already */
    uint64_t samples_bytes; /* before compression */
    double bytes;           /* about; exact for raw formats */
    double seconds;         /* about, to make and pack them, without waiting for the disk */
} export_estimate;

/** Estimate a job by making a part of it, which is written nowhere. */
outcome export_estimate_job(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                            export_estimate *estimate);

/** Compare a file with what its sidecar says should be in it. `said` becomes one line about what was found.
 *  Errors OUTCOME_FILE no sidecar, or the file is not of that kind; OUTCOME_FAILED it differs */
outcome export_verify(const char *path, const ter_generator_options *how, const export_events *events, char said[512]);

#endif
