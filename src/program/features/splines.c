/* splines.c - writes splines as JSON, or as a resource of Godot, and copies the tool's script, which is embedded in the
 * program. Lengths are metres from the north-west sample: to the east, to the south, and the altitude. */
#include "program/features/splines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"
#include "program/features/rivers.h"
#include "program/features/spline_curve.h"
#include "program/file/commit.h"
#include "program/file/embedded.h"
#include "program/file/path_name.h"
#include "program/file/text_writer.h"

const char *const spline_tool_names[SPLINE_TOOLS + 1] = {"unreal", "godot", "unity", "blender", NULL};

static const char *const scripts[SPLINE_TOOLS] = {"unreal.py", "godot.gd", "unity.cs", "blender.py"};

enum { PATH_ROOM = 1024 };

/** An export of splines. */
typedef struct spline_run {
    const features_job *job;
    spline_tool tool;
    features_report *report;
    const ter_params *params;
    text_writer file;
    double *tangents;
    size_t room;
    uint64_t n_pieces;
} spline_run;

const char *spline_ending(spline_tool tool)
{
    return tool == SPLINE_GODOT ? "tres" : "json";
}

/* ---- text ---- */

/** Write numbers with commas between them. stride: from one number to the next */
static void put_numbers(spline_run *r, const double *numbers, size_t count, size_t stride)
{
    for (size_t n = 0; n < count; n++)
        text_put(&r->file, "%s%.7g", n == 0 ? "" : ", ", numbers[n * stride]);
}

/* ---- JSON ---- */

static void put_json(spline_run *r, const reach *q, const cut_piece *piece, int number)
{
    static const char *const cuts[] = {"", "start", "end", "both"};
    const double slope = reach_slope_of(q), spacing = r->params->spacing;
    text_put(&r->file, "%s\n{\"id\": \"%lld\", ", r->n_pieces == 0 ? "" : ",", (long long)q->id);
    if (q->has_downstream)
        text_put(&r->file, "\"downstream\": \"%lld\", ", (long long)q->downstream);
    text_put(&r->file, "\"piece\": %d, \"kind\": \"%s\", \"end\": \"%s\", \"cut\": \"%s\", \"strahler\": %d, ", number,
             q->is_lake ? "lake" : "river", reach_end_names[q->end], cuts[piece->is_cut[0] + 2 * piece->is_cut[1]],
             q->order);
    text_put(&r->file, "\"area_km2\": %.7g, \"discharge_m3s\": %.7g,\n \"points\": [", q->area_end_m2 * 1e-6,
             q->is_lake ? 0.0 : reach_discharge(q->width_m / spacing, q->bank_m, slope * spacing));
    put_numbers(r, piece->points, 3 * piece->count, 1);
    text_put(&r->file, "],\n \"tangents\": [");
    put_numbers(r, r->tangents, 3 * piece->count, 1);
    text_put(&r->file, "],\n \"widths\": [");
    put_numbers(r, piece->beds, piece->count, 2);
    text_put(&r->file, "],\n \"depths\": [");
    put_numbers(r, piece->beds + 1, piece->count, 2);
    text_put(&r->file, "]}");
}

static void begin_json(spline_run *r)
{
    const features_job *job = r->job;
    const double step = ldexp(r->params->spacing, job->lod);
    text_put(&r->file, "{\"format\": \"terrane splines\", \"version\": 1, \"tool\": \"%s\",\n",
             spline_tool_names[r->tool]);
    text_put(&r->file,
             " \"x\": %.17g, \"z\": %.17g, \"width_m\": %.17g, \"height_m\": %.17g, \"sea_m\": %.17g,\n \"reaches\": [",
             job->x, job->z, (double)(job->width - 1) * step, (double)(job->height - 1) * step, r->params->sea);
}

/* ---- Godot ---- */

/** Write a Curve3D: for each point the vectors to the control points before and after it, and its place. */
static void put_curve(spline_run *r, const reach *q, const cut_piece *piece, int number)
{
    text_put(&r->file, "\n[sub_resource type=\"Curve3D\" id=\"%llu\"]\nresource_name = \"%lld_%d\"\n",
             (unsigned long long)r->n_pieces, (long long)q->id, number);
    text_put(&r->file, "_data = {\n\"points\": PackedVector3Array(");
    for (size_t n = 0; n < piece->count; n++) {
        const double *p = piece->points + 3 * n, *t = r->tangents + 3 * n;
        text_put(&r->file, "%s%.7g, %.7g, %.7g, %.7g, %.7g, %.7g, %.7g, %.7g, %.7g", n == 0 ? "" : ", ", -t[0] / 3.0,
                 -t[2] / 3.0, -t[1] / 3.0, t[0] / 3.0, t[2] / 3.0, t[1] / 3.0, p[0], p[2], p[1]);
    }
    text_put(&r->file, "),\n\"tilts\": PackedFloat32Array(");
    for (size_t n = 0; n < piece->count; n++)
        text_put(&r->file, n == 0 ? "0" : ", 0");
    text_put(&r->file, ")\n}\npoint_count = %zu\nmetadata/widths = PackedFloat32Array(", piece->count);
    put_numbers(r, piece->beds, piece->count, 2);
    text_put(&r->file, ")\nmetadata/depths = PackedFloat32Array(");
    put_numbers(r, piece->beds + 1, piece->count, 2);
    text_put(&r->file, ")\nmetadata/kind = \"%s\"\nmetadata/strahler = %d\n", q->is_lake ? "lake" : "river", q->order);
}

static void end_tres(spline_run *r)
{
    text_put(&r->file, "\n[resource]\nmetadata/curves = [");
    for (uint64_t n = 0; n < r->n_pieces; n++)
        text_put(&r->file, "%sSubResource(\"%llu\")", n == 0 ? "" : ", ", (unsigned long long)n);
    text_put(&r->file, "]\n");
}

/* ---- pieces ---- */

static result write_piece(void *user, const reach *q, cut_piece *piece, int number)
{
    spline_run *r = user;
    const double spacing = r->params->spacing;
    double *tangents = ter_grow(r->tangents, &r->room, piece->count, 3 * sizeof *tangents);
    if (!tangents)
        return result_of(RESULT_FAILED, "out of memory");
    r->tangents = tangents;
    for (size_t n = 0; n < piece->count; n++) {
        piece->points[3 * n] = (piece->points[3 * n] - r->job->x) * spacing;
        piece->points[3 * n + 1] = (piece->points[3 * n + 1] - r->job->z) * spacing;
    }
    spline_tangents(piece->points, piece->count, r->tangents);
    if (r->tool == SPLINE_GODOT)
        put_curve(r, q, piece, number);
    else
        put_json(r, q, piece, number);
    r->n_pieces++;
    r->report->points += piece->count;
    r->report->count[FEATURE_RIVERS] += number == 0;
    r->report->length_m += number == 0 ? q->length_m : 0.0;
    return r->file.result;
}

static result write_rivers(spline_run *r, const work_events *events)
{
    const features_job *job = r->job;
    const rivers_request request = rivers_request_of(job, events);
    ter_river_window cells;
    river_net *net = NULL;
    if (r->tool == SPLINE_GODOT)
        text_put(&r->file, "[gd_resource type=\"Resource\" format=3]\n");
    else
        begin_json(r);
    const rivers_visits visits = {.visit = write_piece, .user = r};
    result res = rivers_open(&request, &cells, &net);
    if (res.kind == RESULT_DONE)
        res = rivers_visit(&request, &cells, net, &visits);
    river_net_destroy(net);
    if (res.kind != RESULT_DONE)
        return res;
    if (r->tool == SPLINE_GODOT)
        end_tres(r);
    else
        text_put(&r->file, "\n]}\n");
    return text_flush(&r->file);
}

/* ---- files ---- */

/** The name of the script beside a file. */
static void script_path(const features_job *job, spline_tool tool, char path[PATH_ROOM])
{
    const int stem = (int)(path_dot(job->path) - job->path);
    snprintf(path, PATH_ROOM, "%.*s%s", stem < 1000 ? stem : 1000, job->path, path_dot(scripts[tool]));
}

static result write_script(const features_job *job, spline_tool tool, output_file *file)
{
    char path[PATH_ROOM];
    const struct embedded_file *script = embedded_splines;
    while (script->name && strcmp(script->name, scripts[tool]) != 0)
        script++;
    script_path(job, tool, path);
    result res = output_file_open_beside(file, path, script->size, job->may_replace);
    if (res.kind != RESULT_DONE)
        return res;
    res = output_file_write(file, script->bytes, script->size);
    if (res.kind != RESULT_DONE)
        output_file_discard(file);
    return res;
}

result splines_check(const features_job *job, spline_tool tool, const ter_params *params)
{
    for (int n = FEATURE_RIVERS + 1; n < FEATURES; n++)
        if (job->has[n])
            return result_of(RESULT_USAGE, "--preset %s takes --features rivers, not %s", spline_tool_names[tool],
                             feature_names[n]);
    if (job->resumes)
        return result_of(RESULT_USAGE, "--resume is not for splines of --preset %s, which begin again",
                         spline_tool_names[tool]);
    if (strcmp(path_dot(job->path), tool == SPLINE_GODOT ? ".tres" : ".json") != 0)
        return result_of(RESULT_USAGE, "-o is '%s', expected the ending .%s for splines of --preset %s", job->path,
                         spline_ending(tool), spline_tool_names[tool]);
    return features_check_place(job, params);
}

/** Write both files, and give them their names. */
static result write_files(spline_run *r, const work_events *events)
{
    output_file script, *files[] = {&script, &r->file.out};
    result res = write_script(r->job, r->tool, &script);
    if (res.kind == RESULT_DONE) {
        res = write_rivers(r, events);
        if (res.kind == RESULT_DONE)
            return output_files_commit(files, 2);
        output_file_discard(&script);
    }
    output_file_discard(&r->file.out);
    return res;
}

result splines_export(const features_job *job, spline_tool tool, const work_events *events, features_report *report)
{
    spline_run *r = calloc(1, sizeof *r);
    *report = (features_report){0};
    if (!r)
        return result_of(RESULT_FAILED, "out of memory");
    r->job = job;
    r->tool = tool;
    r->report = report;
    r->params = ter_world_params(job->world);
    result res = output_file_open_beside(&r->file.out, job->path, 0, job->may_replace);
    if (res.kind == RESULT_DONE)
        res = write_files(r, events);
    free(r->tangents);
    free(r);
    return res;
}
