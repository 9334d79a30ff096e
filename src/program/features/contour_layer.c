/* contour_layer.c - writes contour lines. */
#include <math.h>

#include "program/features/feature_run.h"

static const vector_field fields[] = {
    {"level_m", VECTOR_REAL},
    {"kind", VECTOR_TEXT}, /* index: every fifth line; contour */
    {"closed", VECTOR_INTEGER},
    {"length_m", VECTOR_REAL},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static result write_line(void *user, double level, double *points, size_t n_points)
{
    feature_run *run = user;
    const double *last = points + 3 * (n_points - 1);
    double length = 0.0;
    for (size_t n = 1; n < n_points; n++)
        length += hypot(points[3 * n] - points[3 * n - 3], points[3 * n + 1] - points[3 * n - 2]);
    const vector_value values[FIELDS] = {
        vector_real(level), vector_text(fmod(rint(level / run->job->interval_m), 5.0) == 0.0 ? "index" : "contour"),
        vector_integer(points[0] == last[0] && points[1] == last[1]), vector_real(length * feature_step_m(run))};
    if (n_points < 2)
        return result_done();
    feature_place_points(run, points, n_points);
    run->count++;
    return vector_file_add(run->file, points, n_points, values);
}

result write_contour_layer(feature_run *run)
{
    const result res = vector_file_layer(run->file, feature_names[FEATURE_CONTOURS], VECTOR_LINE, fields, FIELDS);
    const trace_source source = feature_heights(run);
    return res.kind == RESULT_DONE ? trace_contours(&source, run->job->interval_m, write_line, run) : res;
}
