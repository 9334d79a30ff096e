/* guide_request.h - what the user asks of a guide, and the guides that a process has opened.
 *
 * A guide is read once in a process. It lives until the process ends, because sidecars name it. */
#ifndef TERRANE_PROGRAM_GUIDE_GUIDE_REQUEST_H
#define TERRANE_PROGRAM_GUIDE_GUIDE_REQUEST_H

#include <stdbool.h>

#include "program/guide/guide_lines.h"
#include "program/guide/guide_raster.h"

enum { GUIDE_PATH = 4096 };

/** Options of a guide. */
typedef struct guide_request {
    const char *file; /* NULL: no guide */
    int64_t at[2];    /* m; place of the middle of pixel (0, 0) */
    bool has_place;   /* whether `at` is given; otherwise the place is that of the file, or the guide's middle lies at
                         guide_hooks.home */
    double spacing;   /* m; 0: the file's */
    double range[2];  /* m; heights of the least and the greatest number of a picture; NAN: heights are metres */
    double vertical;  /* factor of the heights */
    int level;        /* 0: the library chooses it */
    int surround;     /* ter_guide_surround */
    double lakes;     /* m; 0: none */
    double rim, rough, steep;                    /* as in ter_guide_options; only sidecars set them */
    double endorheic;                            /* m; 0: none */
    const char *rasters[TER_GUIDE_RASTER_COUNT]; /* files of the rasters beside the heights; NULL: none */
    const char *rivers;                          /* file of the lines of rivers; NULL: none */
    char path[GUIDE_PATH];                       /* memory for `file` */
    char raster_paths[TER_GUIDE_RASTER_COUNT][GUIDE_PATH];
    char river_path[GUIDE_PATH];
} guide_request;

/** How progress is shown and cancelled while tables are made, and other settings of the caller. Functions may be NULL.
 * They may be called as long as the guide exists.
 */
typedef struct guide_hooks {
    int (*is_cancelled)(void *user); /* as in ter_guide_options, as is the next one */
    void (*progress)(void *user, double share);
    void *user;
    int threads;
    int64_t home[2];     /* m; where the middle of a guide without a place lies */
    const char *options; /* how options of a guide begin in errors: "--guide-" or "guide_" */
} guide_hooks;

/** What a caller has in memory instead of in files. NULL: it is read from the request's file, if there is one */
typedef struct guide_arrays {
    const guide_raster *rasters[TER_GUIDE_RASTER_COUNT];
    const guide_lines *rivers; /* in metres of the world */
} guide_arrays;

/** A request without a guide, with the defaults. */
void guide_request_default(guide_request *request);

/** Memory of a request for the name of a file, GUIDE_PATH bytes. file: &request->file, &request->rivers, or one of
 * request->rasters */
char *guide_request_path(guide_request *request, const char *const *file);

/** Create a guide from a raster that was read. The numbers of the raster are changed to metres. Place and spacing of
 * the request are set to those that are used.
 *
 *  label   what the raster is, in errors: "--guide 'a.npy'"
 *  arrays  used instead of the files of the request for rasters and rivers; NULL: none
 *  Errors  RESULT_USAGE an option that does not fit, or no heights; RESULT_FILE a raster cannot be read; RESULT_FAILED
 *          no memory
 */
result guide_create(guide_request *request, const char *label, guide_raster *raster, const guide_arrays *arrays,
                    const guide_hooks *hooks, ter_guide **out);

/** Set hooks for all guides that guide_open opens from now on. */
void guide_set_hooks(const guide_hooks *hooks);

/** Read the file of a request and create the guide. The same request gives the same guide. out: NULL without a file
 *
 *  label   name of the option in errors: "--guide"
 *  Errors  RESULT_FILE the file cannot be read, or has no heights; RESULT_USAGE an option that does not fit
 */
result guide_open(const guide_request *request, const char *label, const ter_guide **out);

/** The request from which guide_open has made a guide. Place and spacing are those that were used. NULL: the guide was
 * made elsewhere */
const guide_request *guide_request_of(const ter_guide *guide);

/** Where a guide of guide_open lies on the Earth. NULL: its file has no coordinate system with an EPSG code, or the
 * guide's spacing is not that of the file */
const guide_crs *guide_crs_of(const ter_guide *guide);

#endif
