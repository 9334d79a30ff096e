/* feature_job.h - the list of features, and the description of an export of features. */
#ifndef TERRANE_PROGRAM_FEATURES_FEATURE_JOB_H
#define TERRANE_PROGRAM_FEATURES_FEATURE_JOB_H

#include "program/features/vector_file.h"
#include "program/guide/earth_place.h"

#define FEATURES_AREA_MIN_KM2 0.5         /* about that from which a channel has a bed, with the default spacing */
#define FEATURES_FIELD        "{feature}" /* in a name of files: the name of the feature */

/** Greatest side of a rectangle of rivers, lakes or catchments, in cells of the network. */
enum { FEATURES_SIDE_MAX = 16384 };

/** Features, in the order in which they are written. */
typedef enum feature {
    FEATURE_RIVERS,
    FEATURE_LAKES,
    FEATURE_COAST,
    FEATURE_CATCHMENTS,
    FEATURE_CONTOURS,
    FEATURE_PEAKS,
    FEATURES
} feature;

/** Names of the features as the command line spells them; NULL-terminated. */
extern const char *const feature_names[FEATURES + 1];

/** What is written. */
typedef struct features_job {
    const ter_world *world;
    ter_generator *generator; /* for features that are made from samples; else NULL */
    bool has[FEATURES];
    double x, z;           /* lattice coordinates of the north-west corner */
    int64_t width, height; /* samples */
    int lod;               /* distance of samples: 2^lod lattice steps; points of lines are at most eight times as far
                              apart, and at most as far as those of the bed */
    double min_area_km2;   /* 0: all rivers whose beds hold water */
    double interval_m;     /* of contours; least prominence of peaks */
    bool has_outlet;       /* write only the catchment of the outlet */
    double outlet[2];      /* lattice coordinates x, z */
    const char *path;      /* contains {feature} if several features are written in a format of one layer */
    vector_format format;
    const vector_tiles *tiles; /* not NULL: `path` becomes a folder of vector tiles, and `format` is not read */
    earth_crs crs;
    bool may_replace;
    bool resumes;     /* go on from FILE.part, and keep it when the export is interrupted; for rivers alone, or for
                         features without rivers */
    const char *text; /* with `resumes`: one line that tells this export from others */
    int (*is_cancelled)(void *user);
    void *cancel_user;
} features_job;

typedef struct features_report {
    uint64_t count[FEATURES];
    uint64_t points; /* of rivers */
    double length_m; /* of rivers */
} features_report;

#endif
