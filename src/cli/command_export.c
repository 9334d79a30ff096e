/* command_export.c - terrane export: options, and the job they make. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/export_report.h"
#include "cli/run_options.h"
#include "export/map.h"
#include "export/strips.h"

typedef struct export_options {
    export_job job;
    bool has_size, has_format, has_preset, has_tiles, has_overlap, has_row_order, has_byte_order, has_shard, is_dry_run;
    const char *path, *verify;
    int64_t at[2], size[2], tiles[2];
    int shard[2];
    int format, preset, byte_order, row_order, gpus;
    char name[1024]; /* of the files, with a preset's indices and ending */
} export_options;

static const char *const byte_orders[] = {"le", "be", NULL};
static const char *const row_orders[] = {"north", "south", NULL};

/* ---- the job from the options ---- */

/** What a preset decides where nothing else was asked for. */
static void take_preset(export_options *e)
{
    const preset *p = e->has_preset ? &presets[e->preset] : NULL;
    export_file *f = &e->job.tile;
    e->job.preset = p;
    f->channel = p ? p->channel : "Y";
    if (!p)
        return;
    if (!e->has_format)
        f->format = export_format_named(p->formats[0]);
    const export_format_id named = e->path ? export_format_of_name(e->path) : EXPORT_FORMATS;
    if (!e->has_format && named < EXPORT_FORMATS && preset_takes_format(p, &export_formats[named]))
        f->format = &export_formats[named];
    f->is_south_first = e->has_row_order ? f->is_south_first : p->is_south_first;
    f->is_marked_linear = p->is_marked_linear;
    f->is_normalised = p->normalises_floats && f->format->bits == 32;
    e->job.tiles.overlap = e->has_overlap ? e->job.tiles.overlap : e->has_tiles ? p->overlap : 0;
    e->job.tiles.y_from_south = p->y_from_south;
}

/** Everything that does not depend on a name or a size being given. */
static void begin_job(export_options *e, const setup *s)
{
    export_job *job = &e->job;
    export_file *f = &job->tile;
    const export_format_id named = e->path ? export_format_of_name(e->path) : EXPORT_FORMATS;
    f->world = s->params;
    f->x = e->at[0];
    f->z = e->at[1];
    f->width = e->size[0];
    f->height = e->size[1];
    f->format = &export_formats[e->has_format ? (export_format_id)e->format : named < EXPORT_FORMATS ? named : EXPORT_R32];
    f->is_south_first = e->row_order == 1;
    job->tiles.columns = e->has_tiles ? e->tiles[0] : 1;
    job->tiles.rows = e->has_tiles ? e->tiles[1] : 1;
    job->tiles.is_set = e->has_tiles;
    job->n_shards = 1;
    take_preset(e);
    f->is_big_endian = e->byte_order == 1 || f->format == &export_formats[EXPORT_PGM];
}

/** A number from the environment; false when it is not there. */
static bool environment(const char *name, int *value)
{
    const char *text = getenv(name);
    const option number = {.name = name, .kind = OPTION_INTEGER, .target = value};
    return text && option_set(&number, name, text).kind == OUTCOME_DONE;
}

/** Which tiles to make: as asked for, or this task's of a SLURM job array. */
static outcome take_shard(export_options *e)
{
    int id, count, least = 0, step = 1;
    if (e->has_shard && !e->has_tiles)
        return outcome_of(OUTCOME_USAGE, "--shard is for sets of tiles, expected --tiles CxR too");
    if (!e->has_tiles)
        return outcome_done();
    if (e->has_shard) {
        e->job.shard = e->shard[0];
        e->job.n_shards = e->shard[1];
    } else if (getenv("SLURM_ARRAY_TASK_ID")) {
        if (!environment("SLURM_ARRAY_TASK_ID", &id) || !environment("SLURM_ARRAY_TASK_COUNT", &count))
            return outcome_of(
                OUTCOME_USAGE, "SLURM_ARRAY_TASK_ID is '%s' and SLURM_ARRAY_TASK_COUNT '%s', expected two integers; or --shard I/N",
                getenv("SLURM_ARRAY_TASK_ID"), getenv("SLURM_ARRAY_TASK_COUNT") ? getenv("SLURM_ARRAY_TASK_COUNT") : "");
        environment("SLURM_ARRAY_TASK_MIN", &least);
        environment("SLURM_ARRAY_TASK_STEP", &step);
        const int shard = step > 0 ? (id - least) / step : -1;
        if (shard < 0 || shard >= count)
            return outcome_of(OUTCOME_USAGE,
                              "SLURM_ARRAY_TASK_ID is %d of %d tasks from %d on, expected one of them; or --shard I/N", id, count,
                              least);
        e->job.shard = shard;
        e->job.n_shards = count;
        fprintf(stderr, "terrane: shard %d/%d, from SLURM's job array; --shard 0/1 makes all\n", shard, count);
    }
    return outcome_done();
}

static outcome name_files(export_options *e)
{
    char changed[512];
    const outcome o = preset_name_files(e->job.preset, &e->job, e->path, e->name, changed);
    if (*changed)
        fprintf(stderr, "terrane: %s\n", changed);
    e->job.path = e->name;
    return o;
}

static outcome make_job(export_options *e, const setup *s)
{
    if (!e->has_size)
        return outcome_of(OUTCOME_USAGE, "--size is missing, expected --size WxH");
    if (!e->path)
        return outcome_of(OUTCOME_USAGE, "-o is missing, expected -o FILE, or -o - for standard output");
    begin_job(e, s);
    if ((e->has_overlap || e->job.tiles.start || e->job.tiles.border) && !e->has_tiles)
        return outcome_of(OUTCOME_USAGE, "--overlap, --start-index and --border are for sets of tiles, expected --tiles CxR too");
    if (e->job.tile.format == &export_formats[EXPORT_MAP] && (e->gpus > 0 || e->has_tiles || e->job.resume || e->job.durable))
        return outcome_of(OUTCOME_USAGE, "--gpus, --tiles, --resume and --durable are for heights, not for format map");
    if (e->job.durable && !output_file_is_regular(e->path))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', expected the name of a file with --durable", e->path);
    if (e->job.tile.format == &export_formats[EXPORT_PGM] && e->has_byte_order && e->byte_order == 0)
        return outcome_of(OUTCOME_USAGE, "--byte-order is le, but PGM is big endian: expected be");
    outcome o = take_shard(e);
    if (o.kind == OUTCOME_DONE)
        o = name_files(e);
    if (o.kind == OUTCOME_DONE)
        o = export_check(&e->job, &export_terminal_events);
    if (o.kind == OUTCOME_DONE && strcmp(e->path, "-") == 0 && isatty(STDOUT_FILENO))
        o = outcome_of(OUTCOME_USAGE, "-o - would write samples to the terminal; send standard output to a file or a pipe");
    return o;
}

/* ---- what is done ---- */

#ifdef TER_HAVE_FLY

static outcome write_map(const setup *s, const export_job *job, const ter_world *world, ter_generator *generator,
                         export_report *report)
{
    return export_map(job, world, generator, &s->look, &export_terminal_events, report);
}

#else

static outcome write_map(const setup *s, const export_job *job, const ter_world *world, ter_generator *generator,
                         export_report *report)
{
    (void)s, (void)job, (void)world, (void)generator, (void)report;
    return outcome_of(OUTCOME_USAGE, "--format map: this build cannot draw maps (libpng or stb was missing)");
}

#endif

static outcome write_files(const setup *s, const export_job *job, const ter_world *world, ter_generator *const *generators,
                           int n_generators)
{
    export_report report;
    const outcome o = job->tile.format == &export_formats[EXPORT_MAP]
                          ? write_map(s, job, world, generators[0], &report)
                          : export_run(job, world, generators, n_generators, &export_terminal_events, &report);
    if (o.kind != OUTCOME_DONE)
        return o;
    export_print_report(job, &report);
    if (job->preset)
        export_explain_preset(stderr, job, report.range);
    return o;
}

static outcome run_job(const setup *s, const export_options *e)
{
    ter_world *world = NULL;
    ter_generator *generators[STRIPS_GENERATORS_MAX];
    int n_generators = 0;
    const bool is_map = e->job.tile.format == &export_formats[EXPORT_MAP];
    outcome o = setup_world(s, &world);
    if (o.kind == OUTCOME_DONE)
        o = setup_generators(s, e->gpus, generators, is_map ? 1 : STRIPS_GENERATORS_MAX, &n_generators);
    if (o.kind == OUTCOME_DONE)
        o = e->is_dry_run ? export_print_estimate(&e->job, world, generators, n_generators)
                          : write_files(s, &e->job, world, generators, n_generators);
    setup_destroy(generators, n_generators);
    ter_world_destroy(world);
    return o;
}

/** Verify the file of --verify, and those that are words. All are looked at; the worst outcome is returned. */
static outcome verify(const setup *s, const char *first, int n_words, const char *const *words)
{
    const ter_generator_options how = {
        .backend = (ter_backend)s->backend, .method = (ter_method)s->generator, .threads = s->threads};
    outcome worst = outcome_done();
    for (int n = -1; n < n_words && worst.kind != OUTCOME_INTERRUPTED; n++) {
        char said[512];
        const outcome o = export_verify(n < 0 ? first : words[n], &how, &export_terminal_events, said);
        if (o.kind == OUTCOME_DONE) {
            printf("%s\n", said);
            continue;
        }
        if (worst.kind != OUTCOME_DONE)
            fprintf(stderr, "terrane export: %s\n", worst.text);
        worst = o;
    }
    return worst;
}

static outcome export_heights(void *user, const setup *s, int n_words, const char *const *words)
{
    export_options *e = user;
    if (e->verify && (e->has_size || e->path))
        return outcome_of(OUTCOME_USAGE, "--verify takes files only: what should be in them is in their sidecars");
    if (e->verify)
        return verify(s, e->verify, n_words, words);
    if (n_words > 0)
        return outcome_of(OUTCOME_USAGE, "unexpected word '%s'", words[0]);
    const outcome o = make_job(e, s);
    return o.kind == OUTCOME_DONE ? run_job(s, e) : o;
}

static void print_more(void *user, const setup *s)
{
    export_options *e = user;
    export_formats_print();
    presets_print();
    begin_job(e, s);
    if (!e->job.preset)
        return;
    printf("\nPreset %s. ", e->job.preset->name);
    export_explain_preset(stdout, &e->job, e->job.tile.range);
}

outcome command_export(int argc, char **argv)
{
    export_options e = {.job.tile.range = {NAN, NAN}};
    export_job *job = &e.job;
    const option options[] = {
        {"at", "X,Z", "lattice coordinates of the north-west sample", OPTION_PLACE, e.at, {0}, NULL, NULL},
        {"size", "WxH", "samples; with --tiles, of each", OPTION_SIZE, e.size, {0}, NULL, &e.has_size},
        {"lod", "D", "samples 2^D lattice steps apart", OPTION_INTEGER, &job->tile.lod, {0, TER_LEVELS_MAX, 0, 0}, NULL, NULL},
        {"o",
         "FILE",
         "file to write, - for standard output; {x} and {y} are a tile's indices",
         OPTION_TEXT,
         &e.path,
         {0},
         NULL,
         NULL},
        {"format", "NAME", "see below", OPTION_CHOICE, &e.format, {0}, export_format_names, &e.has_format},
        {"preset", "NAME", "what a tool reads, see below", OPTION_CHOICE, &e.preset, {0}, preset_names, &e.has_preset},
        {"range",
         "LO,HI",
         "16 bit: metres that become 0 and 65535; auto, the default, measures the whole request first",
         OPTION_RANGE,
         job->tile.range,
         {0},
         NULL,
         NULL},
        {"byte-order", "NAME", "raw: little or big endian", OPTION_CHOICE, &e.byte_order, {0}, byte_orders, &e.has_byte_order},
        {"row-order", "NAME", "which row comes first", OPTION_CHOICE, &e.row_order, {0}, row_orders, &e.has_row_order},
        {"tiles",
         "CxR",
         "a set of files, C columns to the east and R rows to the south",
         OPTION_SIZE,
         e.tiles,
         {0},
         NULL,
         &e.has_tiles},
        {"overlap",
         "N",
         "samples that neighbouring tiles share",
         OPTION_INTEGER,
         &job->tiles.overlap,
         {0, 1, 0, 0},
         NULL,
         &e.has_overlap},
        {"border",
         "N",
         "samples added around every tile, for tools that blend",
         OPTION_INTEGER,
         &job->tiles.border,
         {0, 4096, 0, 0},
         NULL,
         NULL},
        {"start-index", "N", "first index in names", OPTION_INTEGER, &job->tiles.start, {0, 1, 0, 0}, NULL, NULL},
        {"shard",
         "I/N",
         "make every Nth tile from the Ith on; without it, SLURM's job array decides",
         OPTION_SHARD,
         e.shard,
         {0},
         NULL,
         &e.has_shard},
        {"resume",
         NULL,
         "take what an interrupted run left, once its checksums are right; a single raw file is kept as FILE.part meanwhile",
         OPTION_FLAG,
         &job->resume,
         {0},
         NULL,
         NULL},
        {"durable",
         NULL,
         "bring each file and its name to the disk before the next one begins, so that a loss of power takes none",
         OPTION_FLAG,
         &job->durable,
         {0},
         NULL,
         NULL},
        {"verify",
         "FILE",
         "make a file again from its sidecar and compare; further words are files too",
         OPTION_TEXT,
         &e.verify,
         {0},
         NULL,
         NULL},
        {"gpus",
         "N",
         "CUDA devices to use; without it, all",
         OPTION_INTEGER,
         &e.gpus,
         {1, STRIPS_GENERATORS_MAX, 0, 0},
         NULL,
         NULL},
        {"force", NULL, "replace existing files", OPTION_FLAG, &job->force, {0}, NULL, NULL},
        {"dry-run",
         NULL,
         "say what would be written and how long it takes, write nothing",
         OPTION_FLAG,
         &e.is_dry_run,
         {0},
         NULL,
         NULL},
    };
    const usage usage = {
        "export",
        "--size WxH -o FILE [OPTIONS]\n       terrane export --verify FILE...",
        "Writes the heights of a rectangle, row-major, north-west sample first, as a file or as a set of tiles. Beside each it\n"
        "writes a .json with all that is needed to make and to read it, and beside raw files a .hdr (ENVI), so that GDAL opens\n"
        "them as they are; a set gets a .vrt, which is all tiles as one picture.",
        {"Export", options, sizeof options / sizeof options[0]},
        true,
        print_more};
    return run_command(&usage, argc, argv, export_heights, &e);
}
