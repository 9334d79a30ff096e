/* export_options.c - the table of options, and the job from their values. */
#include "cli/export_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/notes.h"
#include "export/strips.h"
#include "file/path_name.h"
#include "world/start.h"

static const char *const byte_orders[] = {"le", "be", NULL};
static const char *const row_orders[] = {"north", "south", NULL};

export_options export_options_default(void)
{
    return (export_options){.job.tile.range = {NAN, NAN}, .at = {START_X, START_Z}};
}

/* ---- the table ---- */

size_t export_options_list(export_options *e, option options[EXPORT_OPTIONS_MAX])
{
    export_job *job = &e->job;
    const option all[] = {
        {"at", "X,Z", "lattice coordinates of the north-west sample", OPTION_PLACE, e->at, .is_given = &e->has_at},
        {"size", "WxH", "samples; with --tiles, of each", OPTION_SIZE, e->size, .is_given = &e->has_size,
         .otherwise = option_required},
        {"lod",
         "D",
         "samples 2^D metres apart, with the default spacing",
         OPTION_INTEGER,
         &job->tile.lod,
         {0, TER_LEVELS_MAX, 0, 0}},
        {"o", "FILE", "file to write, - for standard output; {x} and {y} are a tile's indices", OPTION_PATH, &e->path,
         .otherwise = option_required},
        {"format", "NAME", "format of the files, see below", OPTION_CHOICE, &e->format, .choices = export_format_names,
         .is_given = &e->has_format, .otherwise = "by FILE's ending, else r32"},
        {"preset", "NAME", "what a tool reads, see below", OPTION_CHOICE, &e->preset_number, .choices = preset_names,
         .is_given = &e->has_preset, .otherwise = "none"},
        {"range", "LO,HI", "16 bit: metres that become 0 and 65535; auto measures the whole request first", OPTION_RANGE,
         job->tile.range, .otherwise = "auto"},
        {"byte-order", "NAME", "raw: little or big endian", OPTION_CHOICE, &e->byte_order, .choices = byte_orders,
         .is_given = &e->has_byte_order},
        {"row-order", "NAME", "which row comes first", OPTION_CHOICE, &e->row_order, .choices = row_orders,
         .is_given = &e->has_row_order},
        {"tiles", "CxR", "a set of files, C columns to the east and R rows to the south", OPTION_SIZE, e->tiles,
         .is_given = &e->has_tiles, .otherwise = "one file"},
        {"overlap",
         "N",
         "samples that neighbouring tiles share",
         OPTION_INTEGER,
         &job->tiles.overlap,
         {0, 1, 0, 0},
         .is_given = &e->has_overlap,
         .otherwise = "0, or as the preset needs"},
        {"border",
         "N",
         "samples added around every tile, for tools that blend",
         OPTION_INTEGER,
         &job->tiles.border,
         {0, 4096, 0, 0}},
        {"start-index", "N", "first index in names", OPTION_INTEGER, &job->tiles.start, {0, 1, 0, 0}},
        {"shard", "I/N", "make every Nth tile from the Ith on", OPTION_SHARD, e->shard, .is_given = &e->has_shard,
         .otherwise = "all tiles; in a job array of SLURM, this task's"},
        {"resume", NULL,
         "take what an interrupted run left, once its checksums are right; a single raw file is kept as FILE.part meanwhile",
         OPTION_FLAG, &job->resume},
        {"durable", NULL, "bring each file and its name to the disk before the next one begins, so that a loss of power takes none",
         OPTION_FLAG, &job->durable},
        {"verify", "FILE", "make a file again from its sidecar and compare; further words are files too", OPTION_PATH, &e->verify,
         .otherwise = "files are written, not verified"},
        {"gpus", "N", "CUDA devices to use", OPTION_INTEGER, &e->gpus, {1, STRIPS_GENERATORS_MAX, 0, 0}, .otherwise = "all"},
        {"force", NULL, "replace existing files", OPTION_FLAG, &job->force},
        {"dry-run", NULL, "say what would be written and how long it takes, write nothing", OPTION_FLAG, &e->is_dry_run},
    };
    _Static_assert(sizeof all / sizeof all[0] <= EXPORT_OPTIONS_MAX, "room for all options");
    memcpy(options, all, sizeof all);
    return sizeof all / sizeof all[0];
}

/* ---- world, place, format, preset ---- */

/** What a preset decides where nothing else was asked for. */
static void take_preset(export_options *e, export_format_id named)
{
    const preset *p = e->has_preset ? &presets[e->preset_number] : NULL;
    export_file *f = &e->job.tile;
    e->preset = p;
    f->channel = p ? p->channel : "Y";
    if (!p)
        return;
    if (!e->has_format)
        f->format = export_format_named(p->formats[0]);
    if (!e->has_format && named < EXPORT_FORMATS && preset_takes_format(p, &export_formats[named]))
        f->format = &export_formats[named];
    f->is_south_first = e->has_row_order ? f->is_south_first : p->is_south_first;
    f->is_marked_linear = p->is_marked_linear;
    f->is_normalised = p->normalises_floats && f->format->bits == 32;
    e->job.tiles.overlap = e->has_overlap ? e->job.tiles.overlap : e->has_tiles ? p->overlap : 0;
    e->job.tiles.y_from_south = p->y_from_south;
    e->job.json_replaces_ending = p->json_replaces_ending && f->format->envi_type != 0;
}

/** The place asked for, or where commands begin: there, the nearest sample of the level to the north-west. */
static int64_t place(const export_options *e, int axis)
{
    const int64_t step = INT64_C(1) << e->job.tile.lod;
    return e->has_at ? e->at[axis] : e->at[axis] / step * step;
}

void export_options_begin(export_options *e, const setup *s)
{
    export_job *job = &e->job;
    export_file *f = &job->tile;
    const export_format_id named = e->path ? export_format_of_name(e->path) : EXPORT_FORMATS;
    f->world = s->params;
    f->x = place(e, 0);
    f->z = place(e, 1);
    f->width = e->size[0];
    f->height = e->size[1];
    f->format = &export_formats[e->has_format ? (export_format_id)e->format : named < EXPORT_FORMATS ? named : EXPORT_R32];
    f->is_south_first = e->row_order == 1;
    job->tiles.columns = e->has_tiles ? e->tiles[0] : 1;
    job->tiles.rows = e->has_tiles ? e->tiles[1] : 1;
    job->tiles.is_set = e->has_tiles;
    job->n_shards = 1;
    take_preset(e, named);
    f->is_big_endian = e->byte_order == 1 || f->format == &export_formats[EXPORT_PGM];
}

/* ---- the shard ---- */

/** A number from the environment; false when it is not there. */
static bool environment(const char *name, int *value)
{
    const char *text = getenv(name);
    const option number = {.name = name, .kind = OPTION_INTEGER, .target = value};
    return text && option_set(&number, name, text).kind == OUTCOME_DONE;
}

/** This task's part of a SLURM job array. */
static outcome take_task(export_options *e)
{
    int id, count, least = 0, step = 1;
    if (!environment("SLURM_ARRAY_TASK_ID", &id) || !environment("SLURM_ARRAY_TASK_COUNT", &count))
        return outcome_of(OUTCOME_USAGE,
                          "SLURM_ARRAY_TASK_ID is '%s' and SLURM_ARRAY_TASK_COUNT '%s', expected two integers; or --shard I/N",
                          getenv("SLURM_ARRAY_TASK_ID"), getenv("SLURM_ARRAY_TASK_COUNT") ? getenv("SLURM_ARRAY_TASK_COUNT") : "");
    environment("SLURM_ARRAY_TASK_MIN", &least);
    environment("SLURM_ARRAY_TASK_STEP", &step);
    const int64_t shard = step > 0 && id >= least ? ((int64_t)id - least) / step : -1;
    if (shard < 0 || shard >= count)
        return outcome_of(OUTCOME_USAGE, "SLURM_ARRAY_TASK_ID is %d of %d tasks from %d on, expected one of them; or --shard I/N",
                          id, count, least);
    e->job.shard = (int)shard;
    e->job.n_shards = count;
    note("shard %d/%d, from SLURM's job array; --shard 0/1 makes all", e->job.shard, count);
    return outcome_done();
}

/** Which tiles to make. */
static outcome take_shard(export_options *e)
{
    if (e->has_shard && !e->has_tiles)
        return outcome_of(OUTCOME_USAGE, "--shard is for sets of tiles, expected --tiles CxR too");
    if (e->has_shard) {
        e->job.shard = e->shard[0];
        e->job.n_shards = e->shard[1];
    }
    return e->has_tiles && !e->has_shard && getenv("SLURM_ARRAY_TASK_ID") ? take_task(e) : outcome_done();
}

/* ---- the job ---- */

/** Options that mean nothing together. */
static outcome check_options(const export_options *e)
{
    const export_job *job = &e->job;
    const export_format *format = job->tile.format;
    if ((e->has_overlap || job->tiles.start || job->tiles.border) && !e->has_tiles)
        return outcome_of(OUTCOME_USAGE, "--overlap, --start-index and --border are for sets of tiles, expected --tiles CxR too");
    if (format == &export_formats[EXPORT_MAP] && (e->gpus > 0 || e->has_tiles || job->resume || job->durable))
        return outcome_of(OUTCOME_USAGE, "--gpus, --tiles, --resume and --durable are for heights, not for format map");
    if (job->durable && !output_file_is_regular(e->path))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', expected the name of a file with --durable", e->path);
    if (format == &export_formats[EXPORT_PGM] && e->has_byte_order && e->byte_order == 0)
        return outcome_of(OUTCOME_USAGE, "--byte-order is le, but PGM is big endian: expected be");
    return outcome_done();
}

/** An ending that means no format is a slip unless the format was named: what opens a .jpg expects a JPEG. */
static outcome check_ending(const export_options *e)
{
    char endings[256], quoted[OUTCOME_QUOTE];
    const char *dot = path_dot(e->path);
    if (e->has_format || !*dot || !output_file_is_regular(e->path) || export_format_of_name(e->path) < EXPORT_FORMATS ||
        (e->preset && e->preset->ending && strcmp(dot + 1, e->preset->ending) == 0))
        return outcome_done();
    export_formats_list_endings(endings, sizeof endings);
    return outcome_of(OUTCOME_USAGE, "-o is %s, whose ending no format has: expected one of %s, or --format NAME",
                      outcome_quote(e->path, quoted), endings);
}

static outcome name_files(export_options *e)
{
    char changed[512];
    const outcome o = preset_name_files(e->preset, &e->job, e->path, e->name, changed);
    if (*changed)
        note("%s", changed);
    e->job.path = e->name;
    return o;
}

outcome export_options_job(export_options *e, const setup *s)
{
    if (!e->has_size)
        return outcome_of(OUTCOME_USAGE, "--size is missing, expected --size WxH");
    if (!e->path)
        return outcome_of(OUTCOME_USAGE, "-o is missing, expected -o FILE, or -o - for standard output");
    export_options_begin(e, s);
    outcome o = check_options(e);
    if (o.kind == OUTCOME_DONE)
        o = take_shard(e);
    if (o.kind == OUTCOME_DONE)
        o = check_ending(e);
    return o.kind == OUTCOME_DONE ? name_files(e) : o;
}
