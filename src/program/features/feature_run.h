/* feature_run.h - what the writers of all features share: the job, the network, the samples, places on the Earth. */
#ifndef TERRANE_PROGRAM_FEATURES_FEATURE_RUN_H
#define TERRANE_PROGRAM_FEATURES_FEATURE_RUN_H

#include "program/features/feature_job.h"
#include "program/features/feature_part.h"
#include "program/features/rivers.h"
#include "program/features/sample_spool.h"
#include "program/features/trace.h"

/** The state of an export. */
typedef struct feature_run {
    const features_job *job;
    char beside[1100]; /* temporary files have this name with an ending */
    const work_events *events;
    const ter_params *params;  /* of the world */
    rivers_request request;    /* its events report the share of the step */
    double step_from, step_to; /* shares of the export between which the step lies */
    ter_river_window cells;
    river_net *net;      /* of the rivers that drain at least request.min_area_m2; NULL where no feature needs it */
    river_net *fine_net; /* of all rivers that hold water; may be `net` itself */
    trace_raster raster;
    sample_spool *spool; /* rows of heights, each followed by a row of water and one of owners if features need them;
                            NULL where no feature needs samples */
    bool spools_water, spools_owners;
    vector_file *file;
    feature_part *part; /* with --resume: rivers are written here first; else NULL */
    uint64_t count;     /* features that were written in this step */
    features_report *report;
} feature_run;

/* Writers: each begins a layer of run->file and fills it. Errors RESULT_FILE; RESULT_FAILED; RESULT_INTERRUPTED */
result write_river_layer(feature_run *run);
result write_lake_layer(feature_run *run);
result write_coast_layer(feature_run *run);
result write_catchment_layer(feature_run *run);
result write_contour_layer(feature_run *run);
result write_peak_layer(feature_run *run);

/** Report the share of the step that is done. Errors RESULT_INTERRUPTED */
result feature_run_goes_on(const feature_run *run, double share);

/** A row of samples. */
typedef struct feature_row {
    const float *height, *water; /* m; water: NULL where no feature needs it */
    const int32_t *owners;       /* as in owner_rows.h; NULL where no feature needs them */
} feature_row;

/** Read a row of samples, which stays valid as in sample_spool.h. Errors RESULT_FILE */
result feature_read_row(const feature_run *run, int64_t row, feature_row *out);

/** A source of heights, which reports its progress as the share of the step. run: must stay valid */
trace_source feature_heights(feature_run *run);

/** Fill a row with the heights of the ground, or of the water over it. Errors RESULT_FILE */
result feature_surface_row(const feature_run *run, int64_t row, float *out);

/** Number of samples along some cells of the network, at least 1. */
int64_t feature_samples_along(const feature_run *run, int64_t cells);

/** A block of samples, from the north-west sample of all. */
typedef struct feature_block {
    int64_t column, row, columns, rows;
} feature_block;

/** The cells of the network whose edges can have points in a block. Errors RESULT_FAILED */
result feature_cells(const feature_run *run, const feature_block *block, ter_river_window *out);

/** Place on the Earth of a point of the lattice. */
static inline earth_place feature_place(const feature_run *run, double x, double z)
{
    return earth_place_of(run->params, &run->job->crs, x, z);
}

/** Place on the Earth of a column and a row of samples. */
earth_place feature_place_of_sample(const feature_run *run, double column, double row);

/** Turn columns and rows of points into places on the Earth. */
void feature_place_points(const feature_run *run, double *points, size_t count);

/** Rings of a polygon, before they are placed. */
typedef struct ring_measure {
    double area;   /* samples2, without holes */
    double length; /* samples; of all rings, without the edge of the raster */
    bool is_cut;   /* whether a ring runs along the edge of the raster */
} ring_measure;

ring_measure feature_measure(const feature_run *run, const vector_ring *rings, size_t n_rings);

/** Metres of the world between samples. */
double feature_step_m(const feature_run *run);

#endif
