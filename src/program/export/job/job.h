/* job.h - the request for an export: a rectangle or a set of tiles, their layers, and a pattern of file names.
 *
 * A job depends neither on presets nor on the disk. check.h checks whether a job can be done, and plan.h turns it into
 * a plan of files. No later step reads the job. */
#ifndef TERRANE_PROGRAM_EXPORT_JOB_JOB_H
#define TERRANE_PROGRAM_EXPORT_JOB_JOB_H

#include "program/core/result.h"
#include "program/export/formats/export_file.h"
#include "program/export/job/file_names.h"
#include "program/export/job/tile_set.h"

/** One requested layer and the format of its files. */
typedef struct job_layer {
    export_layer_id id;
    const export_format *format;
} job_layer;

/** Files are numbered tile by tile, row by row from the north-west, and within a tile layer by layer. */
typedef struct export_job {
    export_file tile; /* the north-west tile without its border; range NAN: measure it over the whole request */
    job_layer layers[EXPORT_LAYERS];
    int n_layers; /* 0: only heights, in the tile's format */
    tile_set tiles;
    const char *path;          /* pattern of all file names, see file_names.h */
    bool json_replaces_ending; /* the sidecar of a raw file such as a.r16 is a.json instead of a.r16.json */
    int shard, n_shards;       /* make the tiles whose number modulo n_shards is shard; 0 of 1: all tiles */
    bool force;                /* existing files may be replaced */
    bool durable;              /* a written file and its name survive a loss of power */
    bool resume;               /* keep what an interrupted run of the same job has written */
    bool is_of_chain;          /* one of several levels of detail, see chain.h */
} export_job;

/** Number of files of each tile: one for each layer, at least 1. */
int export_job_layer_count(const export_job *job);

/** The format of the k-th layer. */
const export_format *export_job_format(const export_job *job, int k);

/** The k-th layer. */
export_layer_id export_job_layer(const export_job *job, int k);

/** File number n, with its border. */
export_file export_job_file(const export_job *job, int64_t n);

/** All tiles as one file of the first layer, without the border around the set. */
export_file export_job_whole(const export_job *job);

/** All tiles as one file of the first layer, with the border around the set. */
export_file export_job_request(const export_job *job);

/** What file names are made from. The result refers to the job's path. */
file_names export_job_names(const export_job *job);

/** Name of file number n. A file that has another format than the heights, such as a picture, has the ending of its
 * format. Errors RESULT_USAGE the name is too long */
result export_job_path(const export_job *job, int64_t n, char path[EXPORT_PATH_MAX]);

#endif
