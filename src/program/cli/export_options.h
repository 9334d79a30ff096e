/* export_options.h - what the options of terrane export say, and the job they ask for. */
#ifndef TERRANE_PROGRAM_CLI_EXPORT_OPTIONS_H
#define TERRANE_PROGRAM_CLI_EXPORT_OPTIONS_H

#include "program/cli/setup.h"
#include "program/export/job/job.h"
#include "program/export/presets/preset.h"

enum { EXPORT_OPTIONS_MAX = 32 };

typedef struct export_options {
    export_job job;
    const preset *preset; /* or NULL */
    bool has_at, has_size, has_format, has_preset, has_tiles, has_overlap, has_row_order, has_byte_order, has_shard,
        is_dry_run;
    bool has_normal_map, has_normal_bits, has_max_error, has_skirt, has_base, has_up, has_water;
    const char *path, *verify, *layers;
    int64_t at[2], size[2], tiles[2];
    int shard[2];
    int format, preset_number, byte_order, row_order, gpus, normal_map, normal_bits, up, water;
    char name[EXPORT_PATH_MAX]; /* pattern of the files' names, with a preset's indices and ending */
} export_options;

/** Defaults. */
export_options export_options_default(void);

/** The table of options, whose targets are in `e`. Returns their number. */
size_t export_options_list(export_options *e, option options[EXPORT_OPTIONS_MAX]);

/** Decide what does not depend on a name or a size being given: world, place, format, preset. */
void export_options_begin(export_options *e, const setup *setup);

/** Make the job. `e` must stay where it is as long as the job is used. Errors OUTCOME_USAGE options that do not go
 * together */
outcome export_options_job(export_options *e, const setup *setup);

#endif
