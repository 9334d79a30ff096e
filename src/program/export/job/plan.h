/* plan.h - a job turned into files: each with its rectangle, its names, its bytes and what is there already. All that
 * comes after, estimates, writing, reports, the .vrt, reads the plan and never goes back to the job.
 *
 * A plan of a million tiles has 5 MB: a byte a file for its state and four for the list of those to make. The rest of a
 * file follows from its number and is spelled out by export_plan_file. */
#ifndef TERRANE_PROGRAM_EXPORT_JOB_PLAN_H
#define TERRANE_PROGRAM_EXPORT_JOB_PLAN_H

#include "program/export/job/job.h"

/** What stands where a planned file will be. */
typedef enum planned_state {
    PLANNED_NEW,      /* nothing */
    PLANNED_REPLACES, /* a file that may be replaced: --force */
    PLANNED_FOUND,    /* a file to be compared with its sidecar: --resume, until resume.h has looked at it */
    PLANNED_COMPLETE, /* the file itself, sound: nothing is to be done */
    PLANNED_PART      /* nothing, but FILE.part holds its first rows: --resume of a single raw file */
} planned_state;

/** One file of a plan, spelled out. */
typedef struct planned_file {
    int64_t tile;        /* its tile's number in the set, row by row from the north-west */
    int64_t column, row; /* of its first sample without the border, in the whole */
    export_file file;
    ter_rect rect;
    uint64_t bytes; /* of its samples, before compression */
    char path[EXPORT_PATH_MAX];
    char json[EXPORT_PATH_MAX + 16]; /* its sidecar; empty for none */
} planned_file;

typedef struct export_plan {
    export_job job;      /* what was asked for; its name is the pattern of all names */
    export_file whole;   /* all tiles as one file of the first layer, without the borders around the set */
    export_file request; /* the same with those borders: what the range is measured over */
    int64_t n_tiles;     /* of the set */
    int64_t n_files;     /* of this shard: its tiles times the layers */
    uint8_t *states;     /* planned_state of each file of the shard, in order */
    uint32_t *to_make;   /* numbers of the files that are to be made, in order */
    size_t n_to_make;
    int64_t n_there;    /* files that had their names when the plan was made */
    int64_t n_complete; /* of them, found sound */
    bool is_regular;    /* files; else a pipe, a device or standard output, in which nothing is looked up */
    bool keeps_part;    /* what is written is kept when it is interrupted: a single raw file of --resume */
} export_plan;

/** Make the plan of a job that export_check has passed, and look at what stands under its names; free the plan in any
 * case.
 *
 *  job     its path must last as long as the plan
 *  Errors  OUTCOME_FILE a file exists that must not be replaced, or the folder cannot be written to; OUTCOME_FAILED no
 * memory
 */
outcome export_plan_make(const export_job *job, export_plan *plan);
void export_plan_free(export_plan *plan);

/** A plan of one file that is written nowhere: the middle of a plan's first tile, about so many samples. Free it. */
outcome export_plan_sample(const export_plan *plan, int64_t samples, export_plan *part);

/** Spell out a file by its number, also one of another shard. */
void export_plan_file(const export_plan *plan, int64_t number, planned_file *file);

/** The rectangle of the n-th file that is to be made; all have one size and level. */
ter_rect export_plan_rect(const export_plan *plan, size_t n);

/** The number of the shard's n-th file, n_files of them: files are numbered as job.h says. */
int64_t export_plan_number(const export_plan *plan, int64_t n);

/** Whether something was left to be measured: the range of scaled heights, the bottom of solids. */
bool export_plan_needs_range(const export_plan *plan);

/** Decide what was left to be measured, from the least and the greatest height of the request. */
void export_plan_set_range(export_plan *plan, const double heights_m[2]);

/** List what is to be made anew, once states have changed. */
void export_plan_list(export_plan *plan);

#endif
