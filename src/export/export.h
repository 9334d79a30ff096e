/* export.h - a rectangle of a world as a file that other tools read: formats, streaming, sidecars. */
#ifndef TERRANE_EXPORT_EXPORT_H
#define TERRANE_EXPORT_EXPORT_H

#include <stdbool.h>

#include "outcome.h"

/** Formats; export_formats lists them in this order. */
typedef enum export_format_id { EXPORT_R32, EXPORT_R16, EXPORT_MAP, EXPORT_FORMATS } export_format_id;

typedef struct export_format {
    const char *name; /* also the file name's ending */
    int bits;         /* a sample */
    bool is_scaled;   /* heights scaled over a range to integers */
    int envi_type;    /* "data type" of an ENVI header; 0: not raw */
} export_format;

enum { EXPORT_MAP_SIDE_MAX = 16384 }; /* pixels */

extern const export_format export_formats[EXPORT_FORMATS];

/** Names of the formats, NULL-terminated, in order. */
extern const char *const export_format_names[EXPORT_FORMATS + 1];

typedef struct export_job {
    int64_t x, z;          /* lattice coordinates of the north-west sample */
    int64_t width, height; /* samples */
    int lod;               /* samples are 2^lod lattice steps apart */
    export_format_id format;
    bool has_range;  /* `range` was given; else it is measured */
    double range[2]; /* metres: what becomes 0 and 65535 */
    bool is_big_endian;
    bool is_south_first; /* last row first */
    const char *path;    /* "-" is standard output: no sidecars */
    bool force;          /* an existing file may be replaced */
} export_job;

/** What an export did. */
typedef struct export_report {
    uint64_t bytes;
    float min_m, max_m;
    uint64_t n_clamped; /* samples outside the range */
    double range[2];    /* used, metres */
} export_report;

/** Called now and then with the share done, 0..1; returns false to interrupt. */
typedef bool (*export_progress)(void *user, double share);

/** Run a job: constant memory; generation, copies from devices and writing overlap; the file appears when it is complete.
 *
 *  generators  1 to STRIPS_GENERATORS_MAX, which take strips in turns
 *  Errors  OUTCOME_USAGE place or size does not fit the world or the lod; OUTCOME_FILE; OUTCOME_INTERRUPTED; OUTCOME_FAILED
 */
outcome export_run(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators,
                   export_progress progress, void *user, export_report *report);

/** Check that a job's place, size and level of detail fit the world. Errors OUTCOME_USAGE */
outcome export_check(const export_job *job, const ter_world *world);

/** Bytes of the file a job makes; of a map, before its picture is compressed. */
uint64_t export_bytes(const export_job *job);

#endif
