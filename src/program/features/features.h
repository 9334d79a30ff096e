/* features.h - an export of vector features: rivers as lines. */
#ifndef TERRANE_PROGRAM_FEATURES_FEATURES_H
#define TERRANE_PROGRAM_FEATURES_FEATURES_H

#include "program/core/events.h"
#include "program/features/vector_file.h"
#include "program/guide/earth_place.h"

#define FEATURES_AREA_MIN_KM2 0.5 /* about that from which a channel has a bed, with the default spacing */

enum { FEATURES_SIDE_MAX = 4096 }; /* cells of the network; greatest side of a rectangle */

/** Names of the features as the command line spells them; NULL-terminated. */
extern const char *const feature_names[];

/** What is written. */
typedef struct features_job {
    const ter_world *world;
    double x, z;           /* lattice coordinates of the north-west corner */
    int64_t width, height; /* samples */
    int lod;               /* distance of samples: 2^lod lattice steps; points of lines are at most eight times as far
                              apart, and at most as far as those of the bed */
    double min_area_km2;   /* 0: from where beds hold water */
    const char *path;
    vector_format format;
    earth_crs crs;
    bool may_replace;
    int (*is_cancelled)(void *user);
    void *cancel_user;
} features_job;

typedef struct features_report {
    uint64_t reaches, points;
    double length_m;
} features_report;

/** Check a job before its world is made.
 *
 *  params  of the world
 *  Errors  RESULT_USAGE the basis has no rivers, the format cannot be written, or the rectangle is too large;
 * RESULT_FILE
 */
result features_check(const features_job *job, const ter_params *params);

/** Write the reaches of all rivers in a rectangle. Errors RESULT_USAGE; RESULT_FILE; RESULT_INTERRUPTED; RESULT_FAILED
 */
result features_export(const features_job *job, const work_events *events, features_report *report);

#endif
