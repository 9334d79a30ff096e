/* export_options.h - the options of terrane export, and the job that they ask for. */
#ifndef TERRANE_PROGRAM_CLI_EXPORT_OPTIONS_H
#define TERRANE_PROGRAM_CLI_EXPORT_OPTIONS_H

#include "program/cli/setup.h"
#include "program/export/job/job.h"
#include "program/export/presets/preset.h"

enum { EXPORT_OPTIONS_MAX = 42 };

typedef struct export_options {
    export_job job;
    const preset *preset; /* NULL without --preset */
    bool has_at, has_size, has_format, has_preset, has_tiles, has_overlap, has_row_order, has_byte_order, has_shard,
        is_dry_run;
    bool has_normal_map, has_normal_bits, has_max_error, has_skirt, has_base, has_up, has_water, has_map_style,
        has_origin, has_zoom, has_min_area, has_interval, has_outlet, has_pmtiles;
    const char *path, *verify, *layers, *crs, *features;
    double min_area_km2, interval_m;
    double at[2], outlet[2];
    int64_t size[2], tiles[2];
    int zoom[2];           /* least and greatest zoom of --preset web */
    int shard[2], lods[2]; /* lods: the finest and the coarsest level of detail */
    int format;            /* index into the names of export_format_names, then those of vector_format_names */
    int preset_number, byte_order, row_order, gpus, normal_map, normal_bits, up, water, map_style;
    char name[EXPORT_PATH_MAX]; /* pattern of file names: -o with the preset's indices and ending */
} export_options;

/** Whether the options ask for --preset web. This preset makes a web map; the others make files for a tool. */
bool export_options_are_of_web(const export_options *e);

/** The default values. */
export_options export_options_default(void);

/** Write the table of options, which store their values in `e`. Returns the number of options. */
size_t export_options_list(export_options *e, option options[EXPORT_OPTIONS_MAX]);

/** Set the parts of the job that do not need -o and --size: world, place, format, preset. */
void export_options_begin(export_options *e, const setup *setup);

/** Look up the coordinate system of --crs, for the files of a world. Errors RESULT_USAGE the system is unknown, the
 * guide has a coordinate system, or --origin is given without --crs */
result export_options_take_crs(export_options *e, const ter_params *world);

/** Make the job, which is e->job. It refers to `e`, so `e` must not move. Errors RESULT_USAGE options that are
 * missing, wrong or cannot be combined */
result export_options_job(export_options *e, const setup *setup);

#endif
