/* job.h - what is asked for: a rectangle or a set of tiles, and the pattern of its files' names. It knows nothing of
 * presets and of what is on the disk: check.h says whether a job can be done, plan.h turns it into files. */
#ifndef TERRANE_PROGRAM_EXPORT_JOB_JOB_H
#define TERRANE_PROGRAM_EXPORT_JOB_JOB_H

#include "program/core/result.h"
#include "program/export/formats/export_file.h"

enum { EXPORT_TILES_MAX = 1000000, EXPORT_PATH_MAX = 1024 };

/** Tiles beside one another: columns to the east, rows to the south. One file is a set of one tile. */
typedef struct tile_set {
    int64_t columns, rows;
    bool is_set;       /* --tiles was given: names have indices */
    int overlap;       /* samples that neighbours share */
    int border;        /* samples added around every tile */
    int start;         /* least index in names */
    bool y_from_south; /* rows are counted from the south in names */
} tile_set;

/** A layer that is asked for. */
typedef struct job_layer {
    export_layer_id id;
    const export_format *format;
} job_layer;

/* Files are numbered tile by tile, row by row from the north-west, and of a tile layer by layer. */
typedef struct export_job {
    export_file tile; /* the north-west tile without its border; of range NAN the whole request is measured */
    job_layer layers[EXPORT_LAYERS];
    int n_layers; /* 0: heights alone, in the tile's format */
    tile_set tiles;
    const char *path; /* "-" is standard output; {x} and {y} are a tile's indices, {x:3} with at least three digits;
                         {layer} is a layer's name, where there are several */
    bool json_replaces_ending; /* the sidecar of a raw file is NAME.json instead of FILE.json */
    int shard, n_shards;       /* make the tiles whose number is shard modulo n_shards; 0 of 1: all */
    bool force;                /* existing files may be replaced */
    bool durable;              /* a file and its name outlast a loss of power once they are written */
    bool resume;               /* take what an interrupted run of the same job left */
} export_job;

/** Number of tiles of the whole set. */
int64_t export_job_tiles(const export_job *job);

/** Number of layers of a tile, each a file. */
int export_job_layers(const export_job *job);

/** The format of a tile's k-th layer. */
const export_format *export_job_format(const export_job *job, int k);

/** The k-th layer. */
export_layer_id export_job_layer(const export_job *job, int k);

/** Whether a file's sidecar is NAME.json. */
bool export_job_json_replaces_ending(const export_job *job, const export_file *file);

/** File n, with its border. */
export_file export_job_file(const export_job *job, int64_t n);

/** Everything, as one file of the first layer: all tiles without the borders around the set. */
export_file export_job_whole(const export_job *job);

/** The same with the borders around the set: all that is asked for. */
export_file export_job_request(const export_job *job);

/** Digits of the largest index of a set. */
int tile_set_digits(const tile_set *tiles);

/** Whether a name has {x} ('x') or {y} ('y') before `end`, or anywhere with `end` NULL. */
bool export_name_has_index(const char *path, char which, const char *end);

/** Whether different tiles may get the same name because the digits of two indices run together: is "111" 1, 11 or 11,
 * 1? */
bool export_name_is_ambiguous(const char *path, const tile_set *tiles);

/** Whether a name has {layer} before `end`, or anywhere with `end` NULL. */
bool export_name_has_layer(const char *path, const char *end);

/** Name of file n. A file of another format than the heights, as a picture, has the ending of that. Errors
 * OUTCOME_USAGE a name that is too long */
outcome export_job_path(const export_job *job, int64_t n, char path[EXPORT_PATH_MAX]);

/** Name of the file beside a set that joins its tiles of the k-th layer: the name with the indices and what joins them
 * left out, and an ending. */
void export_job_set_path(const export_job *job, int k, const char *ending, char path[EXPORT_PATH_MAX]);

#endif
