/* river_layer.c - writes rivers: a line for each piece of a reach. */
#include "program/features/feature_run.h"

enum { FIELD_LENGTH = 14, FIELD_PIECE = 17 }; /* fields that are read again */

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
    [FIELD_LENGTH] = {"length_m", VECTOR_REAL},
    {"discharge_m3s", VECTOR_REAL},
    {"cut", VECTOR_TEXT},
    [FIELD_PIECE] = {"piece", VECTOR_INTEGER},
    {"start_x", VECTOR_REAL},
    {"start_y", VECTOR_REAL},
    {"end_x", VECTOR_REAL},
    {"end_y", VECTOR_REAL},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static void set_values(const feature_run *r, const reach *q, const cut_piece *piece, int number, vector_value v[FIELDS])
{
    static const char *const cuts[] = {"", "start", "end", "both"};
    const earth_place first = feature_place(r, q->points->x, q->points->z),
                      last = feature_place(r, q->points[q->n_points - 1].x, q->points[q->n_points - 1].z);
    const double slope = reach_slope_of(q), spacing = r->params->spacing;
    const vector_value all[FIELDS] = {
        vector_integer(q->id),
        vector_id(q->has_downstream, q->downstream),
        vector_integer(q->mouth),
        vector_id(q->has_lake, q->lake),
        vector_text(q->is_lake ? "lake" : "river"),
        vector_text(reach_end_names[q->end]),
        vector_integer(q->order),
        vector_real(q->area_start_m2 * 1e-6),
        vector_real(q->area_end_m2 * 1e-6),
        vector_real(q->width_m),
        vector_real(q->depth_m),
        vector_real(q->level_start_m),
        vector_real(q->level_end_m),
        vector_real(slope),
        vector_real(q->length_m),
        vector_real_or_null(!q->is_lake, reach_discharge(q->width_m / spacing, q->bank_m, slope * spacing)),
        vector_text(cuts[piece->is_cut[0] + 2 * piece->is_cut[1]]),
        vector_integer(number),
        vector_real(first.east),
        vector_real(first.north),
        vector_real(last.east),
        vector_real(last.north),
    };
    for (int n = 0; n < FIELDS; n++)
        v[n] = all[n];
}

/** Write a line into the file. */
static result write_line(void *user, const double *points, size_t n_points, const vector_value *values)
{
    feature_run *r = user;
    const bool is_first = values[FIELD_PIECE].integer == 0;
    r->report->points += n_points;
    r->count += is_first;
    r->report->length_m += is_first ? values[FIELD_LENGTH].real : 0.0;
    return vector_file_add(r->file, points, n_points, values);
}

static result write_piece(void *user, const reach *q, cut_piece *piece, int number)
{
    feature_run *r = user;
    vector_value values[FIELDS];
    set_values(r, q, piece, number, values);
    for (size_t k = 0; k < piece->count; k++) {
        const earth_place place = feature_place(r, piece->points[3 * k], piece->points[3 * k + 1]);
        piece->points[3 * k] = place.east;
        piece->points[3 * k + 1] = place.north;
    }
    return r->part ? feature_part_add(r->part, piece->points, piece->count, values)
                   : write_line(r, piece->points, piece->count, values);
}

/* ---- with a part ---- */

static result end_square(void *user, int64_t n_squares)
{
    const feature_run *r = user;
    return feature_part_end_square(r->part, n_squares);
}

/** Write a line of the part into the file. */
static result copy_line(void *user, const double *points, size_t n_points, const vector_value *values)
{
    const result res = feature_run_goes_on(user, 1.0);
    return res.kind == RESULT_DONE ? write_line(user, points, n_points, values) : res;
}

/** Open the part, and say how much of it is there. */
static result open_part(feature_run *run, int64_t *n_squares)
{
    const features_job *job = run->job;
    const feature_part_options options = {vector_file_path(run->file), job->text, fields, FIELDS, job->may_replace};
    char sentence[1280];
    const result res = feature_part_open(&options, &run->part, n_squares);
    snprintf(sentence, sizeof sentence, "'%s': %lld of %lld squares of rivers are written and undamaged", options.path,
             (long long)*n_squares, (long long)rivers_squares(&run->cells));
    if (res.kind == RESULT_DONE && *n_squares > 0 && run->events->note)
        run->events->note(run->events->user, sentence);
    return res;
}

static result write_by_part(feature_run *run)
{
    rivers_visits visits = {.visit = write_piece, .end = end_square, .user = run};
    result res = open_part(run, &visits.begin);
    if (res.kind == RESULT_DONE)
        res = rivers_visit(&run->request, &run->cells, run->net, &visits);
    return res.kind == RESULT_DONE ? feature_part_read(run->part, copy_line, run) : res;
}

result write_river_layer(feature_run *run)
{
    const result res = vector_file_layer(run->file, feature_names[FEATURE_RIVERS], VECTOR_LINE, fields, FIELDS);
    const rivers_visits visits = {.visit = write_piece, .user = run};
    if (res.kind != RESULT_DONE)
        return res;
    return run->job->resumes ? write_by_part(run) : rivers_visit(&run->request, &run->cells, run->net, &visits);
}
