/* command_export.c - terrane export: makes a job from options, turns it into a plan, and carries the plan out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/cli/command.h"
#include "program/cli/export_features.h"
#include "program/cli/export_options.h"
#include "program/cli/export_report.h"
#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/cli/run_options.h"
#include "program/cli/web_export.h"
#include "program/core/system.h"
#include "program/export/job/chain.h"
#include "program/export/maps/map.h"
#include "program/export/presets/preset_help.h"
#include "program/export/run.h"
#include "program/export/write/steepness.h"
#include "program/export/write/verify.h"

/* ---- exports ---- */

#ifdef TER_HAVE_FLY

static result write_map(const setup *s, const export_plan *plan, const strips_source *source, export_report *report)
{
    return export_map(plan, source, &s->look, &export_terminal_events, report);
}

static result estimate_map(const setup *s, const export_plan *plan, const strips_source *source, double *seconds)
{
    const result res = export_map_estimate(plan, source, &s->look, seconds);
    if (res.kind == RESULT_DONE)
        export_print_map_estimate(plan, *seconds);
    return res;
}

#else

static result estimate_map(const setup *s, const export_plan *plan, const strips_source *source, double *seconds)
{
    (void)s, (void)plan, (void)source, (void)seconds;
    return result_of(RESULT_USAGE, "--format map: this build cannot draw maps (libpng or stb was missing)");
}

static result write_map(const setup *s, const export_plan *plan, const strips_source *source, export_report *report)
{
    double seconds;
    (void)report;
    return estimate_map(s, plan, source, &seconds);
}

#endif

static bool is_map(const export_plan *plan)
{
    return plan->whole.format == &export_formats[EXPORT_MAP];
}

static result write_files(const setup *s, export_plan *plan, const preset *preset, const strips_source *source)
{
    export_report report;
    const result res =
        is_map(plan) ? write_map(s, plan, source, &report) : export_run(plan, source, &export_terminal_events, &report);
    progress_bar_end();
    if (res.kind != RESULT_DONE)
        return res;
    export_print_report(plan, &report);
    if (preset && notes_are_wanted()) {
        import_sheet sheet = import_sheet_of_plan(plan);
        if (report.n_files == 1 && plan->n_files == 1) {
            sheet.least_m = (double)report.min_m;
            sheet.greatest_m = (double)report.max_m;
        }
        export_explain_preset(stderr, preset, &sheet);
    }
    return res;
}

/** Warn if a short spacing makes the land too steep: spacing scales land sideways only. */
static result warn_of_walls(const export_plan *plan, const strips_source *source)
{
    const double spacing = plan->whole.world.spacing;
    double degrees = 0.0;
    if (spacing >= 1.0)
        return result_done();
    const result res = export_mean_slope(plan, source, &degrees);
    if (res.kind == RESULT_DONE && degrees > EXPORT_TOO_STEEP_DEG)
        note("warning: the mean slope is %.0f degrees, for a spacing of %g m scales land sideways and not upwards;\n"
             "  for samples less than 1 m apart leave the spacing at 1 m and give --lod: --lod -3 has samples 0.125 m "
             "apart",
             degrees, spacing);
    return res;
}

/* ---- levels of detail ---- */

/** One level of detail of an export. */
typedef struct export_level {
    export_job job;
    char path[EXPORT_PATH_MAX];
    export_plan plan;
} export_level;

/** All levels of detail of an export, from the finest to the coarsest; most exports have one. */
typedef struct export_levels {
    export_level *at;
    int count;
} export_levels;

static void free_levels(export_levels *levels)
{
    for (int n = 0; n < levels->count; n++)
        export_plan_free(&levels->at[n].plan);
    free(levels->at);
}

/** Add the level of detail to the text of a usage error, if there are several levels. */
static result name_level(result res, const export_levels *levels, int n)
{
    return res.kind == RESULT_USAGE && levels->count > 1
               ? result_of(res.kind, "level of detail %d: %s", levels->at[n].job.tile.lod, res.text)
               : res;
}

/** Check the jobs of all levels of detail, and make their plans. Free the levels in any case. */
static result prepare_levels(const export_options *e, export_levels *levels)
{
    const export_lods lods = {e->lods[0], e->lods[1]};
    result res = export_chain_check(&e->job, lods);
    if (res.kind != RESULT_DONE)
        return res;
    const int count = lods.coarsest - lods.finest + 1;
    levels->at = calloc((size_t)count, sizeof *levels->at);
    if (!levels->at)
        return result_of(RESULT_FAILED, "out of memory");
    levels->count = count;
    for (int n = 0; n < levels->count && res.kind == RESULT_DONE; n++) {
        export_level *level = &levels->at[n];
        res = export_chain_job(&e->job, lods, lods.finest + n, level->path, &level->job);
        if (res.kind == RESULT_DONE)
            res = export_prepare(&level->job, e->preset, &level->plan);
        res = name_level(res, levels, n);
    }
    return res;
}

static result estimate_levels(const setup *s, const export_levels *levels, const strips_source *source)
{
    result res = result_done();
    export_estimate all = {.is_exact = true};
    for (int n = 0; n < levels->count && res.kind == RESULT_DONE; n++) {
        const export_plan *plan = &levels->at[n].plan;
        export_estimate e = {0};
        res = is_map(plan) ? estimate_map(s, plan, source, &e.seconds) : export_print_estimate(plan, source, &e);
        all.seconds += e.seconds;
        all.bytes += e.bytes;
        all.is_exact &= e.is_exact;
    }
    if (res.kind == RESULT_DONE && levels->count > 1)
        res = export_print_sum(&levels->at[0].plan, levels->count, &all);
    return res;
}

static result write_levels(const setup *s, export_levels *levels, const preset *preset, const strips_source *source)
{
    for (int n = 0; n < levels->count; n++) {
        const result res = write_files(s, &levels->at[n].plan, preset, source);
        if (res.kind == RESULT_INTERRUPTED && levels->count > 1)
            return result_of(res.kind, "%s; %d of %d levels of detail are complete%s", res.text, n, levels->count,
                             is_map(&levels->at[n].plan) ? "" : ", --resume makes the others");
        if (res.kind != RESULT_DONE)
            return res;
    }
    return result_done();
}

/* ---- the job ---- */

static result carry_out(const setup *s, const export_options *e, export_levels *levels)
{
    ter_world *world = NULL;
    ter_generator *generators[STRIPS_GENERATORS_MAX];
    int n_generators = 0;
    const export_plan *finest = &levels->at[0].plan;
    result res = setup_world(s, &world);
    if (res.kind == RESULT_DONE)
        res = setup_generators(s, e->gpus, generators, is_map(finest) ? 1 : STRIPS_GENERATORS_MAX, &n_generators);
    const strips_source source = {world, generators, n_generators};
    if (res.kind == RESULT_DONE)
        res = warn_of_walls(finest, &source);
    if (res.kind == RESULT_DONE)
        res = e->is_dry_run ? estimate_levels(s, levels, &source) : write_levels(s, levels, e->preset, &source);
    setup_destroy(generators, n_generators);
    ter_world_destroy(world);
    return res;
}

static result export_job_of_options(export_options *e, const setup *s)
{
    export_levels levels = {0};
    result res = export_options_job(e, s);
    if (res.kind == RESULT_DONE)
        res = prepare_levels(e, &levels);
    if (res.kind == RESULT_DONE && strcmp(e->path, "-") == 0 && system_is_terminal(fileno(stdout)))
        res = result_of(RESULT_USAGE,
                        "-o - would write samples to the terminal; send standard output to a file or a pipe");
    if (res.kind == RESULT_DONE)
        res = carry_out(s, e, &levels);
    free_levels(&levels);
    return res;
}

/* ---- verification ---- */

/** Verify the file of --verify and the files that further words name. A failure does not stop the verification of
 * further files; an interruption does. Returns the last failure. */
static result verify(const setup *s, const char *first, int n_words, const char *const *words)
{
    const ter_generator_options options = setup_generator_options(s);
    result last_failure = result_done();
    for (int n = -1; n < n_words && last_failure.kind != RESULT_INTERRUPTED; n++) {
        char finding[512];
        const result res = export_verify(n < 0 ? first : words[n], &options, &export_terminal_events, finding);
        progress_bar_end();
        if (res.kind == RESULT_DONE) {
            printf("%s\n", finding);
            continue;
        }
        if (last_failure.kind != RESULT_DONE)
            fprintf(stderr, "terrane export: %s\n", last_failure.text);
        last_failure = res;
    }
    return last_failure;
}

/* ---- the command ---- */

static result export_heights(void *user, const setup *s, int n_words, const char *const *words)
{
    export_options *e = user;
    char quoted[RESULT_QUOTE];
    if (e->verify && (e->has_size || e->path))
        return result_of(RESULT_USAGE, "--verify takes files only: what should be in them is in their sidecars");
    if (e->verify)
        return verify(s, e->verify, n_words, words);
    if (n_words > 0)
        return result_of(RESULT_USAGE, "unexpected word %s", result_quote(words[0], quoted));
    const result res = export_features_check_format(e);
    if (res.kind != RESULT_DONE)
        return res;
    if (export_options_are_of_web(e))
        return web_export(e, s);
    return e->features ? export_features(e, s) : export_job_of_options(e, s);
}

static void print_more(void *user, const setup *s)
{
    (void)user, (void)s;
    export_formats_print();
    export_layers_print();
    presets_print();
    printf("  %-13s Web maps: a folder of tiles and a page that shows them, with --zoom A-B\n", "web");
}

/** Print the help of --preset NAME --help: what the tool takes, and what to enter in the tool. */
static bool print_preset(void *user, const setup *s)
{
    export_options *e = user;
    export_options_begin(e, s);
    if (!e->preset)
        return false;
    import_sheet sheet = import_sheet_of_options(&e->job.tile, &e->job.tiles);
    sheet.format = e->has_format ? e->job.tile.format : NULL;
    printf("Preset %s. ", e->preset->name);
    preset_print(e->preset);
    preset_explain(e->preset, stdout, &sheet);
    return true;
}

result command_export(const command_line *line)
{
    export_options e = export_options_default();
    option options[EXPORT_OPTIONS_MAX];
    static const usage_example examples[] = {
        {"export --lod 3 --size 2048x2048 -o land.tif", "a GeoTIFF with samples 8 m apart"},
        {"export --size 1024x1024 --tiles 4x4 -o 'land_{x}_{y}.r16' --format r16", "a set of 16 tiles over one range"},
        {"export --preset unreal --size 1009x1009 --layer height,normal -o land.png",
         "a landscape for Unreal Engine with its normals, and what to enter in the engine"},
        {"export --lod 0-6 --skirt 20 --texture --size 1025x1025 -o 'land_{lod}.glb'",
         "meshes in the map's colours, in seven levels of detail"},
        {"export --features rivers --lod 5 --size 1024x1024 -o rivers.gpkg", "rivers as lines, 32 km x 32 km"},
        {"export --verify land.tif", "check a file against its sidecar"},
        {NULL, NULL},
    };
    const usage usage = {
        .name = "export",
        .synopsis = "--size WxH -o FILE [OPTIONS]\n       terrane export --verify FILE...",
        .text = "Writes the heights of a rectangle, other layers of its land, and layers that are computed from\n"
                "heights. Samples are row-major, north-west sample first; heights can become meshes instead. The\n"
                "output is one file or a set of tiles. Beside each file it writes a .json with all that is needed to\n"
                "make the file again and to read it. Beside raw files it writes a .hdr (ENVI), so that GDAL opens\n"
                "them. Beside a set it writes a .vrt, which GDAL opens as one picture of all tiles.",
        .options = {"Export", options, export_options_list(&e, options)},
        .takes_words = true,
        .more_help = print_more,
        .topic_help = print_preset,
        .examples = examples};
    return run_command(&usage, line, export_heights, &e);
}
