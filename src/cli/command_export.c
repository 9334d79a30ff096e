/* command_export.c - terrane export: options, progress bar, report. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/run_options.h"
#include "export/export.h"
#include "export/map.h"
#include "strips.h"

typedef struct export_options {
    export_job job;
    bool has_size;
    const char *path;
    int64_t at[2], size[2];
    int format, byte_order, row_order, gpus;
    bool is_dry_run;
} export_options;

static const char *const byte_orders[] = {"le", "be", NULL};
static const char *const row_orders[] = {"north", "south", NULL};

static bool show_progress(void *user, double share)
{
    const export_job *job = user;
    if (isatty(STDERR_FILENO)) {
        char bar[41];
        const int filled = (int)(share * 40.0);
        memset(bar, '.', 40);
        memset(bar, '#', (size_t)filled);
        bar[40] = '\0';
        fprintf(stderr, "\r%s [%s] %3.0f %%%s", job->path, bar, share * 100.0, share >= 1.0 ? "\n" : "");
    }
    return !command_is_interrupted();
}

static void print_report(const export_job *job, const export_report *report)
{
    fprintf(stderr, "terrane: %s: %lld x %lld samples, %llu bytes, heights %.3f to %.3f m\n", job->path, (long long)job->width,
            (long long)job->height, (unsigned long long)report->bytes, (double)report->min_m, (double)report->max_m);
    if (export_formats[job->format].is_scaled)
        fprintf(stderr, "terrane: range %.10g to %.10g m, a step is %.6g m, %llu samples clamped\n", report->range[0],
                report->range[1], (report->range[1] - report->range[0]) / 65535.0, (unsigned long long)report->n_clamped);
}

/** The job from the options. */
static outcome make_job(export_options *e)
{
    if (!e->has_size)
        return outcome_of(OUTCOME_USAGE, "--size is missing, expected --size WxH");
    if (!e->path)
        return outcome_of(OUTCOME_USAGE, "-o is missing, expected -o FILE, or -o - for standard output");
    e->job.x = e->at[0];
    e->job.z = e->at[1];
    e->job.width = e->size[0];
    e->job.height = e->size[1];
    e->job.format = (export_format_id)e->format;
    e->job.is_big_endian = e->byte_order == 1;
    e->job.is_south_first = e->row_order == 1;
    e->job.path = e->path;
    if (e->job.has_range && !export_formats[e->format].is_scaled)
        return outcome_of(OUTCOME_USAGE, "--range is for format r16, not for %s", export_formats[e->format].name);
    const bool is_raw = export_formats[e->format].envi_type != 0;
    if (!is_raw && (e->job.is_big_endian || e->job.is_south_first || e->gpus > 0))
        return outcome_of(OUTCOME_USAGE, "--byte-order, --row-order and --gpus are for raw samples, not for format %s",
                          export_formats[e->format].name);
    if (strcmp(e->path, "-") == 0 && isatty(STDOUT_FILENO))
        return outcome_of(OUTCOME_USAGE, "-o - would write raw samples to the terminal; send standard output to a file or a pipe");
    return outcome_done();
}

#ifdef TER_HAVE_FLY

static outcome write_map(const setup *s, const export_job *job, const ter_world *world, ter_generator *generator,
                         export_report *report)
{
    return export_map(job, world, generator, &s->look, show_progress, (void *)(uintptr_t)job, report);
}

#else

static outcome write_map(const setup *s, const export_job *job, const ter_world *world, ter_generator *generator,
                         export_report *report)
{
    (void)s, (void)job, (void)world, (void)generator, (void)report;
    return outcome_of(OUTCOME_USAGE, "--format map: this build cannot draw maps (libpng or stb was missing)");
}

#endif

static outcome run_job(const setup *s, const export_job *job, int gpus)
{
    ter_world *world = NULL;
    ter_generator *generators[STRIPS_GENERATORS_MAX];
    int n_generators = 0;
    export_report report;
    outcome o = setup_world(s, &world);
    if (o.kind == OUTCOME_DONE)
        o = setup_generators(s, gpus, generators, job->format == EXPORT_MAP ? 1 : STRIPS_GENERATORS_MAX, &n_generators);
    if (o.kind == OUTCOME_DONE)
        o = job->format == EXPORT_MAP
                ? write_map(s, job, world, generators[0], &report)
                : export_run(job, world, generators, n_generators, show_progress, (void *)(uintptr_t)job, &report);
    if (o.kind == OUTCOME_DONE)
        print_report(job, &report);
    setup_destroy(generators, n_generators);
    ter_world_destroy(world);
    return o;
}

static outcome export_heights(void *user, const setup *s, int n_words, const char *const *words)
{
    export_options *e = user;
    (void)n_words, (void)words;
    ter_world *world = NULL;
    outcome o = make_job(e);
    if (o.kind == OUTCOME_DONE && !e->is_dry_run)
        return run_job(s, &e->job, e->gpus);
    if (o.kind == OUTCOME_DONE)
        o = setup_world(s, &world);
    if (o.kind == OUTCOME_DONE)
        o = export_check(&e->job, world);
    ter_world_destroy(world);
    if (o.kind == OUTCOME_DONE)
        printf("%s: %lld x %lld samples, %llu bytes\n", e->path, (long long)e->size[0], (long long)e->size[1],
               (unsigned long long)export_bytes(&e->job));
    return o;
}

outcome command_export(int argc, char **argv)
{
    export_options e = {0};
    const option options[] = {
        {"at", "X,Z", "lattice coordinates of the north-west sample", OPTION_PLACE, e.at, {0}, NULL, NULL},
        {"size", "WxH", "samples", OPTION_SIZE, e.size, {0}, NULL, &e.has_size},
        {"lod", "D", "samples 2^D lattice steps apart", OPTION_INTEGER, &e.job.lod, {0, TER_LEVELS_MAX, 0, 0}, NULL, NULL},
        {"format",
         "NAME",
         "r32, r16: raw samples; map: a shaded picture with a legend, PNG",
         OPTION_CHOICE,
         &e.format,
         {0},
         export_format_names,
         NULL},
        {"range",
         "LO,HI",
         "r16: metres that become 0 and 65535; without it, what the rectangle holds",
         OPTION_RANGE,
         e.job.range,
         {0},
         NULL,
         &e.job.has_range},
        {"byte-order", "NAME", "little or big endian", OPTION_CHOICE, &e.byte_order, {0}, byte_orders, NULL},
        {"row-order", "NAME", "which row comes first", OPTION_CHOICE, &e.row_order, {0}, row_orders, NULL},
        {"o", "FILE", "file to write, - for standard output", OPTION_TEXT, &e.path, {0}, NULL, NULL},
        {"gpus",
         "N",
         "CUDA devices to use; without it, all",
         OPTION_INTEGER,
         &e.gpus,
         {1, STRIPS_GENERATORS_MAX, 0, 0},
         NULL,
         NULL},
        {"force", NULL, "replace an existing file", OPTION_FLAG, &e.job.force, {0}, NULL, NULL},
        {"dry-run", NULL, "say what would be written, write nothing", OPTION_FLAG, &e.is_dry_run, {0}, NULL, NULL},
    };
    const usage usage = {
        "export",
        "--size WxH -o FILE [OPTIONS]",
        "Writes the heights of a rectangle, row-major, north-west sample first. Beside raw files it writes a .json with all\n"
        "that is needed to make and to read them, and a .hdr (ENVI) so that GDAL opens them as they are; or a map, PNG.",
        {"Export", options, sizeof options / sizeof options[0]}};
    return run_command(&usage, argc, argv, export_heights, &e);
}
