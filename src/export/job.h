/* job.h - what is to be exported: a rectangle or a set of tiles, its files and their names. */
#ifndef TERRANE_EXPORT_JOB_H
#define TERRANE_EXPORT_JOB_H

#include "export/format.h"
#include "export/preset.h"

enum { EXPORT_TILES_MAX = 1000000 };

/** Tiles beside one another: columns to the east, rows to the south. One file is a set of one tile. */
typedef struct tile_set {
    int64_t columns, rows;
    bool is_set;       /* --tiles was given: names have indices */
    int overlap;       /* samples that neighbours share */
    int border;        /* samples added around every tile */
    int start;         /* least index in names */
    bool y_from_south; /* rows are counted from the south in names */
} tile_set;

typedef struct export_job {
    export_file tile; /* the north-west tile without its border; of range NAN the whole request is measured */
    tile_set tiles;
    const char *path;     /* "-" is standard output; {x} and {y} are a tile's indices, {x:3} with at least three digits */
    const preset *preset; /* or NULL */
    int shard, n_shards;  /* make the tiles whose number is shard modulo n_shards; 0 of 1: all */
    bool force;           /* existing files may be replaced */
    bool durable;         /* a file and its name outlast a loss of power once they are written */
    bool resume;          /* take what an interrupted run of the same job left */
} export_job;

/** Number of tiles of the whole set. */
int64_t export_job_tiles(const export_job *job);

/** Digits of the largest index of a set. */
int tile_set_digits(const tile_set *tiles);

/** Tile n, counted row by row from the north-west, as a file: with its border. */
export_file export_job_file(const export_job *job, int64_t n);

/** Everything, as one file: all tiles without the borders around the set. */
export_file export_job_whole(const export_job *job);

/** The same with the borders around the set: all that is asked for. */
export_file export_job_request(const export_job *job);

/** Name of tile n's file. Errors OUTCOME_USAGE a name that is too long */
outcome export_job_path(const export_job *job, int64_t n, char path[1024]);

/** Name of the file beside a set that joins its tiles: the name with the indices and what joins them left out, and an ending. */
void export_job_set_path(const export_job *job, const char *ending, char path[1024]);

/** Check a job against its world, format, preset and name. Errors OUTCOME_USAGE */
outcome export_job_check(const export_job *job);

/** The rectangle of a file. */
ter_rect export_file_rect(const export_file *file);

/** Bytes of a file's samples as they are, before compression. */
uint64_t export_file_bytes(const export_file *file);

/** Whether heights are scaled over the range. */
bool export_file_is_scaled(const export_file *file);

/** One line with all that the samples of a file follow from. Two files of the same line have the same samples. */
void export_file_describe(const export_file *file, char text[1024]);

#endif
