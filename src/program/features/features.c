/* features.c - writes the reaches of rivers: each reach once, cut at the border of the rectangle. */
#include "program/features/features.h"

#include <math.h>
#include <stdlib.h>

#include "program/features/cut.h"
#include "program/features/reach.h"

const char *const feature_names[] = {"rivers", NULL};

/* ---- the fields of a reach ---- */

static const vector_field fields[] = {
    {"id", VECTOR_ID},
    {"downstream", VECTOR_ID},
    {"mouth", VECTOR_ID},
    {"lake", VECTOR_ID},
    {"kind", VECTOR_TEXT},
    {"end", VECTOR_TEXT},
    {"strahler", VECTOR_INTEGER},
    {"area_start_km2", VECTOR_REAL},
    {"area_km2", VECTOR_REAL},
    {"width_m", VECTOR_REAL},
    {"depth_m", VECTOR_REAL},
    {"level_start_m", VECTOR_REAL},
    {"level_end_m", VECTOR_REAL},
    {"slope", VECTOR_REAL},
    {"length_m", VECTOR_REAL},
    {"discharge_m3s", VECTOR_REAL},
    {"cut", VECTOR_TEXT},
    {"piece", VECTOR_INTEGER},
    {"start_x", VECTOR_REAL},
    {"start_y", VECTOR_REAL},
    {"end_x", VECTOR_REAL},
    {"end_y", VECTOR_REAL},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static vector_value id_value(bool is_set, int64_t id)
{
    return (vector_value){.is_set = is_set, .integer = id};
}

static vector_value integer(int64_t number)
{
    return (vector_value){.is_set = true, .integer = number};
}

static vector_value real(double number)
{
    return (vector_value){.is_set = true, .real = number};
}

static vector_value text(const char *words)
{
    return (vector_value){.is_set = true, .text = words};
}

/* ---- reaches ---- */

/** The state of an export. */
typedef struct features_run {
    const features_job *job;
    const work_events *events;
    features_report *report;
    const ter_params *params; /* of the world */
    cut_rect rect;
    ter_river_window cells;
    river_net *net;
    vector_file *file;
    reach reach;
    double *points; /* of a piece */
    size_t room;
    int64_t *done; /* table by hash of the ids that are written; INT64_MIN: free */
    size_t done_room, n_done;
} features_run;

/** Add an id to the table. Returns false if it is there already, or if there is no memory, which `state` receives. */
static bool is_new(features_run *r, int64_t id, result *state)
{
    if (2 * r->n_done >= r->done_room) {
        const size_t room = r->done_room ? 2 * r->done_room : 1024;
        int64_t *done = malloc(room * sizeof *done);
        if (!done) {
            *state = result_of(RESULT_FAILED, "out of memory");
            return false;
        }
        for (size_t n = 0; n < room; n++)
            done[n] = INT64_MIN;
        for (size_t k = 0; k < r->done_room; k++)
            if (r->done[k] != INT64_MIN) {
                size_t n = (size_t)((uint64_t)r->done[k] * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
                while (done[n] != INT64_MIN)
                    n = (n + 1) & (room - 1);
                done[n] = r->done[k];
            }
        free(r->done);
        r->done = done;
        r->done_room = room;
    }
    size_t n = (size_t)((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (r->done_room - 1);
    for (; r->done[n] != INT64_MIN; n = (n + 1) & (r->done_room - 1))
        if (r->done[n] == id)
            return false;
    r->done[n] = id;
    r->n_done++;
    return true;
}

static earth_place place_of(const features_run *r, double x, double z)
{
    return earth_place_of(r->params, &r->job->crs, x, z);
}

static void set_values(const features_run *r, const cut_piece *piece, int number, vector_value v[FIELDS])
{
    static const char *const cuts[] = {"", "start", "end", "both"};
    const reach *q = &r->reach;
    const earth_place first = place_of(r, q->points->x, q->points->z),
                      last = place_of(r, q->points[q->n_points - 1].x, q->points[q->n_points - 1].z);
    const double slope = q->length_m > 0.0 ? (q->level_start_m - q->level_end_m) / q->length_m : 0.0;
    const double spacing = r->params->spacing;
    const vector_value all[FIELDS] = {
        integer(q->id),
        id_value(q->has_downstream, q->downstream),
        integer(q->mouth),
        id_value(q->has_lake, q->lake),
        text(q->is_lake ? "lake" : "river"),
        text(reach_end_names[q->end]),
        integer(q->order),
        real(q->area_start_m2 * 1e-6),
        real(q->area_end_m2 * 1e-6),
        real(q->width_m),
        real(q->depth_m),
        real(q->level_start_m),
        real(q->level_end_m),
        real(slope),
        real(q->length_m),
        {.is_set = !q->is_lake, .real = reach_discharge(q->width_m / spacing, q->bank_m, slope * spacing)},
        text(cuts[piece->is_cut[0] + 2 * piece->is_cut[1]]),
        integer(number),
        real(first.east),
        real(first.north),
        real(last.east),
        real(last.north),
    };
    for (int n = 0; n < FIELDS; n++)
        v[n] = all[n];
}

/** Write the pieces of the reach in the rectangle. */
static result write_reach(features_run *r)
{
    const reach *q = &r->reach;
    result res = result_done();
    if (r->room < q->n_points + 1) {
        double *points = realloc(r->points, 3 * (2 * q->n_points + 1) * sizeof *points);
        if (!points)
            return result_of(RESULT_FAILED, "out of memory");
        r->points = points;
        r->room = 2 * q->n_points + 1;
    }
    cut_piece piece = {.points = r->points};
    size_t from = 0;
    for (int n = 0; res.kind == RESULT_DONE && cut_next(&r->rect, q->points, q->n_points, &from, &piece); n++) {
        vector_value values[FIELDS];
        set_values(r, &piece, n, values);
        for (size_t k = 0; k < piece.count; k++) {
            const earth_place place = place_of(r, r->points[3 * k], r->points[3 * k + 1]);
            r->points[3 * k] = place.east;
            r->points[3 * k + 1] = place.north;
        }
        res = vector_file_add(r->file, r->points, piece.count, values);
        r->report->points += piece.count;
        r->report->reaches += n == 0;
        r->report->length_m += n == 0 ? q->length_m : 0.0;
    }
    return res;
}

/** Whether points of an edge may lie in the rectangle. */
static bool touches(features_run *r, const ter_river_edge *edge)
{
    size_t count = 0;
    const ter_river_point *p = river_net_points(r->net, edge, &count);
    cut_rect box = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t n = 0; p && n < count; n++) {
        box.x0 = fmin(box.x0, p[n].x);
        box.z0 = fmin(box.z0, p[n].z);
        box.x1 = fmax(box.x1, p[n].x);
        box.z1 = fmax(box.z1, p[n].z);
    }
    return box.x0 <= r->rect.x1 && box.x1 >= r->rect.x0 && box.z0 <= r->rect.z1 && box.z1 >= r->rect.z0;
}

/** Write the reaches on which the parts of an edge lie. */
static result write_edge(features_run *r, const ter_river_edge *edge)
{
    result res = result_done();
    for (int part = 0; part <= edge->n_changes && res.kind == RESULT_DONE; part++) {
        const edge_part head = reach_head(r->net, (edge_part){edge, part});
        if (!is_new(r, reach_id(head), &res))
            continue;
        res = reach_follow(r->net, head, r->params->spacing, &r->reach);
        if (res.kind == RESULT_DONE)
            res = write_reach(r);
    }
    return res;
}

static result write_rivers(features_run *r)
{
    result res = vector_file_layer(r->file, "rivers", VECTOR_LINE, fields, FIELDS);
    for (int64_t row = 0; row < r->cells.rows && res.kind == RESULT_DONE; row++) {
        if (!work_goes_on(r->events, r->job->path, 0.7 + 0.3 * (double)row / r->cells.rows))
            return result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
        for (int64_t column = 0; column < r->cells.columns && res.kind == RESULT_DONE; column++) {
            const ter_river_edge *edge = river_net_find(r->net, r->cells.column + column, r->cells.row + row);
            if (edge && touches(r, edge))
                res = write_edge(r, edge);
            if (res.kind == RESULT_DONE)
                res = *river_net_state(r->net);
        }
    }
    return res;
}

/* ---- the export ---- */

result features_check(const features_job *job, const ter_params *params)
{
    const double least = TER_EDGE_AREA_MIN * params->spacing * params->spacing * 1e-6;
    const double step = ldexp(1.0, job->lod), most = (double)(FEATURES_SIDE_MAX - 256) * TER_EDGE_CELL;
    if (params->basis != TER_BASIS_FLUVIAL)
        return result_of(RESULT_USAGE, "--features rivers: basis %s has no rivers; basis %s has",
                         ter_basis_name(params->basis), ter_basis_name(TER_BASIS_FLUVIAL));
    if (job->min_area_km2 != 0.0 && job->min_area_km2 < least)
        return result_of(RESULT_USAGE, "--min-area is %g km2, expected at least %g: smaller channels have no bed",
                         job->min_area_km2, least);
    if ((double)job->width * step > most || (double)job->height * step > most)
        return result_of(RESULT_USAGE,
                         "a rectangle of %.0f x %.0f lattice steps, expected at most %.0f x %.0f for features",
                         (double)job->width * step, (double)job->height * step, most, most);
    const result res = vector_format_check(job->format);
    return res.kind == RESULT_DONE ? output_file_check_folder(job->path) : res;
}

/** Set the rectangle and its cells, and create the network. */
static result begin(features_run *r)
{
    const features_job *job = r->job;
    const double step = ldexp(1.0, job->lod), distance = 8.0 * fmax(step, 1.0);
    r->params = ter_world_params(job->world);
    const ter_rect rect = {r->params->levels - job->lod, (int64_t)(job->x / step), (int64_t)(job->z / step), job->width,
                           job->height};
    r->rect = (cut_rect){job->x, job->z, job->x + (double)job->width * step, job->z + (double)job->height * step};
    const ter_status status = ter_river_edges_window(job->world, &rect, &r->cells);
    if (status != TER_OK)
        return result_of_library(status, "rivers");
    const river_net_options options = {.world = job->world,
                                       .min_area_m2 = job->min_area_km2 * 1e6,
                                       .point_distance = distance < 64.0 ? distance : 0.0,
                                       .is_cancelled = job->is_cancelled,
                                       .cancel_user = job->cancel_user,
                                       .events = *r->events,
                                       .path = job->path};
    r->net = river_net_create(&options);
    return r->net ? result_done() : result_of(RESULT_FAILED, "out of memory");
}

static result run(features_run *r)
{
    const features_job *job = r->job;
    result res = begin(r);
    if (res.kind == RESULT_DONE)
        res = vector_file_open(job->path, job->format, place_of(r, 0.0, 0.0).epsg, job->may_replace, &r->file);
    if (res.kind == RESULT_DONE)
        res = river_net_load(r->net, &r->cells, 0.7);
    if (res.kind == RESULT_DONE)
        res = write_rivers(r);
    if (res.kind != RESULT_DONE) {
        vector_file_discard(r->file);
        return res;
    }
    return vector_file_commit(r->file);
}

result features_export(const features_job *job, const work_events *events, features_report *report)
{
    features_run r = {.job = job, .events = events, .report = report};
    *report = (features_report){0};
    const result res = run(&r);
    river_net_destroy(r.net);
    free(r.reach.points);
    free(r.points);
    free(r.done);
    return res;
}
