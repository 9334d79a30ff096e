/* plan.h - the files of an export: rectangle, names and bytes of each, and whether the file exists already.
 *
 * A plan is made from a job and keeps nothing of the job but its path. All later steps (estimates, writing, reports,
 * verification, the .vrt) read only the plan.
 *
 * A plan of a million tiles takes 5 MB: one byte a file for its state and four for the list of files to make. The other
 * members of a file follow from its number; export_plan_file computes them. */
#ifndef TERRANE_PROGRAM_EXPORT_JOB_PLAN_H
#define TERRANE_PROGRAM_EXPORT_JOB_PLAN_H

#include "program/export/formats/export_file.h"
#include "program/export/job/file_names.h"
#include "program/export/job/tile_set.h"

typedef struct export_job export_job; /* job.h */

/** State of a planned file on the disk. */
typedef enum planned_state {
    PLANNED_NEW,      /* no file has its name */
    PLANNED_REPLACES, /* a file has its name and is replaced: --force, or --resume found damage */
    PLANNED_FOUND,    /* --resume: a file has its name, and resume.h must compare it with its sidecar */
    PLANNED_COMPLETE, /* the planned file exists and is undamaged: it is not made again */
    PLANNED_PART      /* --resume of a single raw file: no file has its name, but FILE.part holds its first rows */
} planned_state;

/** One file of a plan. */
typedef struct planned_file {
    int64_t tile;        /* number of its tile in the set, row by row from the north-west */
    int64_t column, row; /* place of its first sample, without the border, among the samples of the whole set */
    export_file file;
    ter_rect rect;
    uint64_t bytes; /* bytes of its samples before compression */
    char path[EXPORT_PATH_MAX];
    char json[EXPORT_PATH_MAX + 16]; /* name of its sidecar; empty for none */
    bool json_replaces_ending;       /* the sidecar of a file such as a.r16 is a.json instead of a.r16.json */
} planned_file;

typedef struct export_plan {
    export_file layers[EXPORT_LAYERS]; /* the north-west tile's file of each layer, with its border */
    int n_layers;                      /* files of each tile, at least 1 */
    file_names names;
    tile_set tiles;
    int64_t tile_width, tile_height; /* samples of a tile without its border */
    export_file whole;               /* all tiles as one file of the first layer, without the border around the set */
    export_file request;             /* like `whole`, but with the border; the range is measured over this rectangle */
    int shard, n_shards;             /* the plan has the tiles whose number modulo n_shards is shard */
    int64_t n_tiles;                 /* number of tiles of the whole set */
    int64_t n_files;                 /* number of files of this shard */
    uint8_t *states;                 /* planned_state of each of the n_files, in order */
    uint32_t *to_make;               /* numbers of the files that are to be made, in order */
    size_t n_to_make;
    int64_t n_existing;        /* files that existed when the plan was made */
    int64_t n_complete;        /* files among them that were found undamaged */
    bool is_regular;           /* false: output is a pipe, a device or standard output, and no file is looked up */
    bool may_replace;          /* --force */
    bool resumes;              /* --resume */
    bool is_durable;           /* --durable */
    bool keeps_part;           /* an interrupted file stays as FILE.part: --resume of a single raw file */
    bool is_of_chain;          /* one of several levels of detail */
    bool json_replaces_ending; /* the sidecar of raw heights such as a.r16 is a.json instead of a.r16.json */
} export_plan;

/** Make the plan of a job that export_check has passed, and find out which files exist already. Free the plan in any
 * case.
 *
 *  job     its path must outlive the plan
 *  Errors  RESULT_FILE a file must not be replaced, or its folder cannot be written to; RESULT_USAGE a file would have
 *          the name of its own sidecar; RESULT_FAILED no memory
 */
result export_plan_make(const export_job *job, export_plan *plan);
void export_plan_free(export_plan *plan);

/** Make a plan that writes the middle of the first tile, about `samples` samples, to /dev/null. Free it.
 * Errors RESULT_FAILED no memory */
result export_plan_sample(const export_plan *plan, int64_t samples, export_plan *part);

/** Number of the shard's n-th file, n < n_files. Files are numbered as in job.h. */
int64_t export_plan_number(const export_plan *plan, int64_t n);

/** Compute a file from its number, which may belong to another shard. */
void export_plan_file(const export_plan *plan, int64_t number, planned_file *file);

/** Rectangle of a file by its number. All files of a plan have one size and level. */
ter_rect export_plan_rect(const export_plan *plan, int64_t number);

/** State of a file of this shard by its number. */
planned_state export_plan_state(const export_plan *plan, int64_t number);

/** The file of the north-west tile's heights; NULL if heights are not exported. */
const export_file *export_plan_heights(const export_plan *plan);

/** Whether heights must be measured first: for the range of scaled samples, or for the bottom of solids. */
bool export_plan_needs_range(const export_plan *plan);

/** Set the range of scaled samples, or the bottom of solids, from the least and the greatest height of the request. */
void export_plan_set_range(export_plan *plan, const double heights_m[2]);

/** Update the list of files to make, after states have changed. */
void export_plan_list(export_plan *plan);

#endif
