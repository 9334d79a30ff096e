/* export_features.c - makes a job of features from the options of terrane export, and reports what was written. */
#include "program/cli/export_features.h"

#include <math.h>
#include <string.h>

#include "program/cli/export_report.h"
#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/features/splines.h"

result export_features_check_format(const export_options *e)
{
    if (!e->features && e->has_format && e->format >= EXPORT_FORMATS_NAMED)
        return result_of(RESULT_USAGE, "--format %s is for vector features, expected --features rivers too",
                         vector_format_names[e->format - EXPORT_FORMATS_NAMED]);
    if (!e->features && e->has_min_area && !e->job.tile.drainage.is_conditioned)
        return result_of(RESULT_USAGE, "--min-area is for vector features and --conditioned: expected one of them too");
    if (!e->features && e->has_interval)
        return result_of(RESULT_USAGE, "--interval is for vector features, expected --features contours too");
    if (!e->features && e->has_outlet)
        return result_of(RESULT_USAGE, "--outlet is for vector features, expected --features catchments too");
    if (!e->features && e->path && !e->has_format && vector_format_of_name(e->path) != VECTOR_FORMATS)
        return result_of(RESULT_USAGE, "-o is '%s', a file of vector features, expected --features rivers too",
                         e->path);
    return result_done();
}

/** Refuse options that are for samples. */
static result check_options(const export_options *e)
{
    const export_job *job = &e->job;
    const bool is_for_samples =
        e->layers || e->has_zoom || e->has_pmtiles || e->has_tiles || e->has_overlap || e->has_shard ||
        e->has_row_order || e->has_byte_order || e->has_normal_map || e->has_normal_bits || e->has_max_error ||
        e->has_skirt || e->has_base || e->has_up || e->has_water || e->has_map_style || e->is_dry_run || e->gpus > 0 ||
        job->durable || job->tile.drainage.is_conditioned || job->tile.mesh.is_textured || !isnan(job->tile.range[0]);
    if (is_for_samples)
        return result_of(
            RESULT_USAGE,
            "--features takes --at, --size, --lod, --min-area, --interval, --outlet, --crs, --origin, --format, "
            "--preset, -o, --force and --resume; other options are for samples");
    if (!e->has_size)
        return result_of(RESULT_USAGE, "--size is missing, expected --size WxH");
    if (!e->path)
        return result_of(RESULT_USAGE, "-o is missing, expected -o FILE");
    if (e->lods[0] != e->lods[1])
        return result_of(RESULT_USAGE, "--lod is %d-%d, expected one level of detail for features", e->lods[0],
                         e->lods[1]);
    return result_done();
}

/** The tool of --preset. SPLINE_TOOLS: none is given. Errors RESULT_USAGE a tool without splines, or options that do
 * not matter for splines */
static result choose_tool(const export_options *e, spline_tool *tool)
{
    *tool = SPLINE_TOOLS;
    if (!e->has_preset)
        return result_done();
    for (int n = 0; n < SPLINE_TOOLS && e->preset_number < PRESETS; n++)
        if (strcmp(spline_tool_names[n], preset_names[e->preset_number]) == 0)
            *tool = (spline_tool)n;
    if (*tool == SPLINE_TOOLS)
        return result_of(RESULT_USAGE,
                         "--preset %s has no splines for --features; unreal, godot, unity and blender have",
                         e->preset_number < PRESETS ? preset_names[e->preset_number] : "web");
    if (e->has_format || e->crs)
        return result_of(RESULT_USAGE, "--format and --crs are not for splines of --preset %s, whose files are fixed",
                         spline_tool_names[*tool]);
    return result_done();
}

static result choose_format(const export_options *e, vector_format *format)
{
    *format = e->has_format ? (vector_format)(e->format - EXPORT_FORMATS_NAMED) : vector_format_of_name(e->path);
    if (e->has_format && e->format < EXPORT_FORMATS_NAMED)
        return result_of(RESULT_USAGE, "--format is %s, expected gpkg, geojson, geojsonseq or fgb for features",
                         export_format_names[e->format]);
    if (*format == VECTOR_FORMATS)
        return result_of(RESULT_USAGE,
                         "-o is '%s', expected the ending .gpkg, .geojson, .geojsonl or .fgb, or --format", e->path);
    return result_done();
}

/** Set which features are written. Errors RESULT_USAGE options that are for other features */
static result choose_features(const export_options *e, features_job *job)
{
    bool has_rivers = false;
    for (const char *at = e->features; *at;) {
        const size_t length = strcspn(at, ",");
        for (int n = 0; n < FEATURES; n++)
            if (strlen(feature_names[n]) == length && strncmp(at, feature_names[n], length) == 0) {
                job->has[n] = true;
                has_rivers |= feature_needs_rivers((feature)n);
            }
        at += length + (at[length] == ',');
    }
    if (e->has_min_area && !has_rivers)
        return result_of(RESULT_USAGE, "--min-area is for rivers, lakes and catchments, --features is '%s'",
                         e->features);
    if (e->has_outlet && !job->has[FEATURE_CATCHMENTS])
        return result_of(RESULT_USAGE, "--outlet is for catchments, --features is '%s'", e->features);
    if (e->has_interval && !job->has[FEATURE_CONTOURS] && !job->has[FEATURE_PEAKS])
        return result_of(RESULT_USAGE, "--interval is for contours and peaks, --features is '%s'", e->features);
    return result_done();
}

static void report_features(const features_job *job, const features_report *report)
{
    if (job->has[FEATURE_RIVERS])
        note("%llu reaches of %.0f km in all, %llu points", (unsigned long long)report->count[FEATURE_RIVERS],
             1e-3 * report->length_m, (unsigned long long)report->points);
    if (job->has[FEATURE_RIVERS] && report->count[FEATURE_RIVERS] == 0)
        note("no river that is large enough lies here: a smaller --min-area finds smaller ones");
    for (int n = FEATURE_RIVERS + 1; n < FEATURES; n++)
        if (job->has[n])
            note("%s: %llu", feature_names[n], (unsigned long long)report->count[n]);
}

static bool needs_samples(const features_job *job)
{
    bool needs = false;
    for (int n = 0; n < FEATURES; n++)
        needs |= job->has[n] && feature_needs_samples((feature)n);
    return needs;
}

enum { JOB_TEXT = EXPORT_FILE_TEXT + 64 };

/** Describe what FILE.part keeps, rivers or samples, in a line that begins with what sidecars say of world and place.
 */
static void describe(const features_job *job, char text[JOB_TEXT])
{
    const export_file place = {.world = *ter_world_params(job->world),
                               .x = job->x,
                               .z = job->z,
                               .width = job->width,
                               .height = job->height,
                               .lod = job->lod,
                               .format = &export_formats[EXPORT_R32],
                               .layer = EXPORT_HEIGHT,
                               .crs = job->crs};
    export_file_describe(&place, text);
    const size_t used = strlen(text) + 1;
    text[used - 1] = ' ';
    if (job->has[FEATURE_RIVERS])
        snprintf(text + used, JOB_TEXT - used, "rivers=%a", job->min_area_km2);
    else
        features_describe_samples(job, text + used, JOB_TEXT - used);
}

/** Write features, or splines for a tool. text: memory for job->text */
static result write_features(const setup *s, features_job *job, spline_tool tool, char text[JOB_TEXT])
{
    ter_world *world = NULL;
    features_report report;
    result res = setup_world(s, &world);
    job->world = world;
    if (res.kind == RESULT_DONE && job->resumes)
        describe(job, text);
    if (res.kind == RESULT_DONE && tool == SPLINE_TOOLS && needs_samples(job))
        res = setup_generator(s, &job->generator);
    if (res.kind == RESULT_DONE)
        res = tool == SPLINE_TOOLS ? features_export(job, &export_terminal_events, &report)
                                   : splines_export(job, tool, &export_terminal_events, &report);
    progress_bar_end();
    if (res.kind == RESULT_DONE)
        report_features(job, &report);
    ter_generator_destroy(job->generator);
    ter_world_destroy(world);
    return res;
}

result export_features(export_options *e, const setup *s)
{
    const ter_generator_options generator = setup_generator_options(s);
    const double step = ldexp(1.0, e->lods[0]);
    features_job job = {.width = e->size[0],
                        .height = e->size[1],
                        .lod = e->lods[0],
                        .min_area_km2 = e->min_area_km2,
                        .interval_m = e->interval_m,
                        .has_outlet = e->has_outlet,
                        .outlet = {e->outlet[0], e->outlet[1]},
                        .path = e->path,
                        .may_replace = e->job.force,
                        .resumes = e->job.resume,
                        .is_cancelled = generator.is_cancelled,
                        .cancel_user = generator.cancel_user};
    spline_tool tool = SPLINE_TOOLS;
    char text[JOB_TEXT];
    job.text = text;
    job.x = floor(e->at[0] / step) * step;
    job.z = floor(e->at[1] / step) * step;
    result res = check_options(e);
    if (res.kind == RESULT_DONE)
        res = choose_features(e, &job);
    if (res.kind == RESULT_DONE)
        res = choose_tool(e, &tool);
    if (res.kind == RESULT_DONE && tool == SPLINE_TOOLS)
        res = choose_format(e, &job.format);
    if (res.kind == RESULT_DONE)
        res = export_options_take_crs(e, &s->params);
    job.crs = e->job.tile.crs;
    if (res.kind == RESULT_DONE)
        res = tool == SPLINE_TOOLS ? features_check(&job, &s->params) : splines_check(&job, tool, &s->params);
    return res.kind == RESULT_DONE ? write_features(s, &job, tool, text) : res;
}
