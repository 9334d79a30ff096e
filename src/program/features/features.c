/* features.c - checks a job, makes the network and the samples that its features need, and lets each feature write its
 * layer. Files get their names when all are complete. */
#include "program/features/features.h"

#include <math.h>
#include <string.h>

#include "program/core/fill.h"
#include "program/core/least_river.h"
#include "program/features/owner_rows.h"
#include "program/features/part_file.h"
#include "program/file/path_name.h"

/** A feature: its name, what it is made from, and what writes it. */
typedef struct feature_kind {
    const char *name;
    bool needs_rivers, needs_samples, needs_water, needs_owners;
    result (*write)(feature_run *run);
} feature_kind;

static const feature_kind kinds[FEATURES] = {
    [FEATURE_RIVERS] = {"rivers", true, false, false, false, write_river_layer},
    [FEATURE_LAKES] = {"lakes", true, true, true, false, write_lake_layer},
    [FEATURE_COAST] = {"coast", false, true, false, false, write_coast_layer},
    [FEATURE_CATCHMENTS] = {"catchments", true, true, false, true, write_catchment_layer},
    [FEATURE_CONTOURS] = {"contours", false, true, false, false, write_contour_layer},
    [FEATURE_PEAKS] = {"peaks", false, true, true, false, write_peak_layer},
};

bool feature_needs_rivers(feature kind)
{
    return kinds[kind].needs_rivers;
}

bool feature_needs_samples(feature kind)
{
    return kinds[kind].needs_samples;
}

static int count_of(const features_job *job)
{
    int count = 0;
    for (int n = 0; n < FEATURES; n++)
        count += job->has[n];
    return count;
}

/** What any of the features of a job is made from. */
static feature_kind needs_of(const features_job *job)
{
    feature_kind all = {0};
    for (int n = 0; n < FEATURES; n++) {
        all.needs_rivers |= job->has[n] && kinds[n].needs_rivers;
        all.needs_samples |= job->has[n] && kinds[n].needs_samples;
        all.needs_water |= job->has[n] && kinds[n].needs_water;
        all.needs_owners |= job->has[n] && kinds[n].needs_owners;
    }
    return all;
}

void features_describe_samples(const features_job *job, char *text, size_t room)
{
    const feature_kind needs = needs_of(job);
    char owners[64] = "";
    if (needs.needs_owners)
        snprintf(owners, sizeof owners, ",owners=%a", job->min_area_km2);
    snprintf(text, room, "heights%s%s", needs.needs_water ? ",water" : "", owners);
}

/* ---- checks ---- */

static result check_rivers(const features_job *job, const ter_params *params, const feature_kind *kind)
{
    const double step = ldexp(1.0, job->lod), most = (double)(FEATURES_SIDE_MAX - 256) * TER_EDGE_CELL;
    if (params->basis != TER_BASIS_FLUVIAL)
        return result_of(RESULT_USAGE, "--features %s: basis %s has no rivers; basis %s has", kind->name,
                         ter_basis_name(params->basis), ter_basis_name(TER_BASIS_FLUVIAL));
    const result least = least_river_check(params, job->min_area_km2, "--min-area");
    if (least.kind != RESULT_DONE)
        return least;
    if ((double)job->width * step > most || (double)job->height * step > most)
        return result_of(RESULT_USAGE,
                         "a rectangle of %.0f x %.0f lattice steps, expected at most %.0f x %.0f for --features %s",
                         (double)job->width * step, (double)job->height * step, most, most, kind->name);
    return result_done();
}

static result check_samples(const features_job *job, const feature_kind *kind)
{
    if (job->width < 2 || job->height < 2 || job->width > SPOOL_SIDE_MAX || job->height > SPOOL_SIDE_MAX)
        return result_of(RESULT_USAGE, "--features %s: %lld x %lld samples, expected 2x2 or more, at most %dx%d",
                         kind->name, (long long)job->width, (long long)job->height, SPOOL_SIDE_MAX, SPOOL_SIDE_MAX);
    return result_done();
}

/** Check that the outlet lies among the samples. */
static result check_outlet(const features_job *job)
{
    const double step = ldexp(1.0, job->lod), column = rint((job->outlet[0] - job->x) / step),
                 row = rint((job->outlet[1] - job->z) / step);
    if (job->has_outlet && !(column >= 0.0 && row >= 0.0 && column < (double)job->width && row < (double)job->height))
        return result_of(RESULT_USAGE, "--outlet is %.15g,%.15g, which lies outside of the rectangle", job->outlet[0],
                         job->outlet[1]);
    return result_done();
}

result features_check_place(const features_job *job, const ter_params *params)
{
    result res = result_done();
    for (int n = 0; n < FEATURES && res.kind == RESULT_DONE; n++) {
        if (job->has[n] && kinds[n].needs_rivers)
            res = check_rivers(job, params, &kinds[n]);
        if (job->has[n] && kinds[n].needs_samples && res.kind == RESULT_DONE)
            res = check_samples(job, &kinds[n]);
    }
    if (res.kind == RESULT_DONE)
        res = check_outlet(job);
    return res.kind == RESULT_DONE ? output_file_check_folder(job->path) : res;
}

static result check_resume(const features_job *job)
{
    if (job->has[FEATURE_RIVERS] && count_of(job) > 1)
        return result_of(RESULT_USAGE, "--resume is for --features rivers alone, or for features without rivers: "
                                       "FILE.part keeps rivers or samples");
    return part_file_check();
}

result features_check(const features_job *job, const ter_params *params)
{
    result res = features_check_place(job, params);
    if (job->tiles)
        return res;
    if (res.kind == RESULT_DONE && job->resumes)
        res = check_resume(job);
    if (res.kind == RESULT_DONE && count_of(job) > 1 && !vector_format_has_layers(job->format) &&
        !strstr(job->path, FEATURES_FIELD))
        res = result_of(RESULT_USAGE,
                        "-o is '%s', but a file of format %s holds one feature: expected " FEATURES_FIELD
                        " in the name, or format gpkg",
                        job->path, vector_format_names[job->format]);
    return res.kind == RESULT_DONE ? vector_format_check(job->format) : res;
}

/* ---- what features are made from ---- */

/** Report the progress of a step as progress of the export. */
static bool report_step(void *user, const char *path, double share)
{
    const feature_run *run = user;
    return work_goes_on(run->events, path, run->step_from + share * (run->step_to - run->step_from));
}

static void begin(feature_run *run)
{
    const features_job *job = run->job;
    const work_events events = {.user = run, .progress = report_step};
    run->params = ter_world_params(job->world);
    run->raster = (trace_raster){(int)job->width, (int)job->height};
    run->request = rivers_request_of(job, &events);
}

/** Begin the network of the rivers, and where lakes or catchments are wanted, that of all rivers that hold water. */
static result open_networks(feature_run *run)
{
    const features_job *job = run->job;
    const double wet = TER_EDGE_AREA_WET * run->params->spacing * run->params->spacing;
    const bool has_fine = (job->has[FEATURE_LAKES] || job->has[FEATURE_CATCHMENTS]) && run->request.min_area_m2 > wet;
    const result res = rivers_open(&run->request, &run->cells, &run->net);
    run->fine_net = run->net;
    if (res.kind != RESULT_DONE || !has_fine)
        return res;
    rivers_request all = run->request;
    all.min_area_m2 = 0.0;
    run->fine_net = NULL;
    return rivers_open(&all, &run->cells, &run->fine_net);
}

/** Numbers in a row of the spool. */
static int64_t spool_width(const feature_run *run)
{
    return (1 + run->spools_water + run->spools_owners) * run->job->width;
}

/** Make the next strip of samples.
 *
 *  strip   memory of the spool
 *  owners  NULL: are not wanted
 */
static result make_strip(feature_run *run, int64_t row, int64_t rows, float *strip, owner_rows *owners)
{
    const features_job *job = run->job;
    const int64_t width = job->width, stride = spool_width(run);
    ter_rect rect = run->request.rect;
    layer_arrays arrays = {
        .at = {[TER_LAYER_HEIGHT] = strip, [TER_LAYER_WATER] = run->spools_water ? strip + width : NULL}};
    rect.j += row;
    rect.height = rows;
    const result res = feature_run_goes_on(run, (double)row / (double)job->height);
    if (res.kind != RESULT_DONE)
        return res;
    const ter_status status = fill_rect(job->generator, job->world, &rect, &arrays, (size_t)stride);
    if (status == TER_ECANCELLED)
        return result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
    if (status != TER_OK)
        return result_of_library(status, "features");
    int32_t *out = (int32_t *)(void *)(strip + stride - width);
    return owners ? owner_rows_fill(owners, row, rows, out, stride) : res;
}

/** Say how many samples an interrupted export has made. */
static void note_rows(const feature_run *run, int64_t rows)
{
    char sentence[1280];
    snprintf(sentence, sizeof sentence, "'%s': %lld of %lld rows of samples are made and undamaged", run->job->path,
             (long long)rows, (long long)run->job->height);
    if (rows > 0 && run->events->note)
        run->events->note(run->events->user, sentence);
}

static result make_strips(feature_run *run, owner_rows *owners)
{
    const int64_t height = run->job->height, most = sample_spool_strip_rows(run->spool);
    int64_t row = sample_spool_rows(run->spool);
    result res = result_done();
    for (note_rows(run, row); row < height && res.kind == RESULT_DONE; row = sample_spool_rows(run->spool)) {
        const int64_t rest = height - row;
        res = make_strip(run, row, rest < most ? rest : most, sample_spool_next(run->spool), owners);
        if (res.kind == RESULT_DONE)
            res = sample_spool_add(run->spool);
    }
    return res;
}

/** Make the samples strip after strip, and keep them in a file. */
static result spool_samples(feature_run *run)
{
    const features_job *job = run->job;
    const sample_spool_options options = {job->resumes ? job->path : run->beside, job->resumes ? job->text : NULL,
                                          spool_width(run), job->height, job->may_replace};
    result res = sample_spool_open(&options, &run->spool);
    if (res.kind != RESULT_DONE)
        return res;
    owner_rows *owners = run->spools_owners ? owner_rows_create(run, sample_spool_strip_rows(run->spool)) : NULL;
    res = run->spools_owners && !owners ? result_of(RESULT_FAILED, "out of memory") : make_strips(run, owners);
    owner_rows_destroy(owners);
    return res;
}

static result prepare(feature_run *run)
{
    const feature_kind needs = needs_of(run->job);
    begin(run);
    run->spools_water = needs.needs_water && run->params->basis == TER_BASIS_FLUVIAL;
    run->spools_owners = needs.needs_owners;
    run->step_to = 0.6;
    const result res = needs.needs_rivers ? open_networks(run) : result_done();
    return needs.needs_samples && res.kind == RESULT_DONE ? spool_samples(run) : res;
}

/* ---- files ---- */

/** The files of an export: one for each feature, or one for all. */
typedef struct feature_files {
    vector_file *at[FEATURES];
    bool is_shared;
} feature_files;

/** The name of a feature's file. Errors RESULT_USAGE */
static result path_of(const features_job *job, int n, char path[1024])
{
    const char *field = strstr(job->path, FEATURES_FIELD);
    const int before = field ? (int)(field - job->path) : (int)strlen(job->path);
    const int length = snprintf(path, 1024, "%.*s%s%s", before, job->path, field ? kinds[n].name : "",
                                field ? field + strlen(FEATURES_FIELD) : "");
    return length < 1024 ? result_done() : result_of(RESULT_USAGE, "-o has %d bytes, expected at most 1023", length);
}

/** Open the files of all features. Close them also after an error. */
static result open_files(feature_run *run, feature_files *files)
{
    const features_job *job = run->job;
    result res = result_done();
    vector_file *shared = NULL;
    char path[1024];
    files->is_shared = !strstr(job->path, FEATURES_FIELD);
    snprintf(run->beside, sizeof run->beside, "%s%s", job->path, job->tiles ? "-samples" : ""); /* tiles: a folder */
    snprintf(path, sizeof path, "%s", job->path);
    if (!files->is_shared)
        temporary_clean_file(path); /* of a spool */
    for (int n = 0; n < FEATURES && res.kind == RESULT_DONE; n++) {
        if (!job->has[n])
            continue;
        if (!files->is_shared || !shared) {
            res = path_of(job, n, path);
            if (res.kind == RESULT_DONE && !job->tiles && output_file_is_regular(path))
                temporary_clean_file(path);
            if (res.kind == RESULT_DONE && job->tiles)
                res = vector_file_open_tiles(path, job->tiles, &files->at[n]);
            else if (res.kind == RESULT_DONE)
                res = vector_file_open(path, job->format, feature_place(run, 0.0, 0.0).epsg, job->may_replace,
                                       &files->at[n]);
            shared = files->at[n];
        }
        files->at[n] = files->is_shared ? shared : files->at[n];
    }
    return res;
}

/** Give the files their names, or remove them if there was an error. */
static result close_files(feature_files *files, result res)
{
    vector_file *last = NULL;
    for (int n = 0; n < FEATURES; n++) {
        if (!files->at[n] || (files->is_shared && files->at[n] == last))
            continue;
        last = files->at[n];
        if (res.kind == RESULT_DONE)
            res = vector_file_commit(files->at[n]);
        else
            vector_file_discard(files->at[n]);
    }
    return res;
}

/** Whether nothing is made before the first feature is written: rivers alone are made square after square. */
static bool is_streamed(const features_job *job)
{
    return count_of(job) == 1 && job->has[FEATURE_RIVERS];
}

static result write_all(feature_run *run, const feature_files *files)
{
    const double prepared = is_streamed(run->job) ? 0.0 : 0.6, part = (1.0 - prepared) / count_of(run->job);
    result res = result_done();
    run->step_to = prepared;
    for (int n = 0; n < FEATURES && res.kind == RESULT_DONE; n++) {
        if (!run->job->has[n])
            continue;
        run->file = files->at[n];
        run->step_from = run->step_to;
        run->step_to += part;
        run->count = 0;
        res = kinds[n].write(run);
        run->report->count[n] = run->count;
    }
    return res;
}

result features_export(const features_job *job, const work_events *events, features_report *report)
{
    feature_run run = {.job = job, .events = events, .report = report, .params = ter_world_params(job->world)};
    *report = (features_report){0};
    feature_files files = {{NULL}};
    result res = open_files(&run, &files);
    if (res.kind == RESULT_DONE)
        res = prepare(&run);
    if (res.kind == RESULT_DONE)
        res = write_all(&run, &files);
    res = close_files(&files, res);
    if (res.kind == RESULT_INTERRUPTED && job->resumes && (run.part || run.spool))
        res = result_of(res.kind, "interrupted; '%s' is kept, the same command continues it",
                        run.part ? feature_part_name(run.part) : sample_spool_name(run.spool));
    feature_part_close(run.part, res.kind == RESULT_DONE);
    sample_spool_close(run.spool, res.kind == RESULT_DONE);
    if (run.fine_net != run.net)
        river_net_destroy(run.fine_net);
    river_net_destroy(run.net);
    return res;
}
