/* path.c - reading, writing, interpolation. */
#include "fly/path.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/input_file.h"
#include "file/output_file.h"

bool path_add(path *p, const path_point *point)
{
    if (p->count == p->capacity) {
        const size_t capacity = p->capacity ? 2 * p->capacity : 64;
        path_point *grown = realloc(p->points, capacity * sizeof *grown);
        if (!grown)
            return false;
        p->points = grown;
        p->capacity = capacity;
    }
    p->points[p->count] = *point;
    if (p->count > 0) { /* the short way round */
        const double before = p->points[p->count - 1].heading_deg;
        p->points[p->count].heading_deg = before + remainder(point->heading_deg - before, 360.0);
    }
    p->count++;
    return true;
}

void path_free(path *p)
{
    free(p->points);
    *p = (path){0};
}

static bool is_place(const path_point *p)
{
    const double limit = (double)CAMERA_COORDINATE_MAX;
    return isfinite(p->time_s) && fabs(p->x) <= limit && fabs(p->z) <= limit && fabs(p->altitude_m) <= 1e8 &&
           fabs(p->heading_deg) <= 1e6 && fabs(p->pitch_deg) <= 89.0;
}

static outcome read_line(path *p, const char *file, int number, char *line)
{
    path_point at;
    char rest;
    line[strcspn(line, "#\n")] = '\0';
    if (strspn(line, " \t\r") == strlen(line))
        return outcome_done();
    const int count =
        sscanf(line, "%lf %lf %lf %lf %lf %lf %c", &at.time_s, &at.x, &at.z, &at.altitude_m, &at.heading_deg, &at.pitch_deg, &rest);
    if (count != 6 || !is_place(&at))
        return outcome_of(OUTCOME_USAGE,
                          "%s:%d: expected 'TIME X Z ALTITUDE HEADING PITCH', in the world and with a pitch of -89 to 89 degrees",
                          file, number);
    if (p->count > 0 && at.time_s <= p->points[p->count - 1].time_s)
        return outcome_of(OUTCOME_USAGE, "%s:%d: time %g is not after %g", file, number, at.time_s, p->points[p->count - 1].time_s);
    return path_add(p, &at) ? outcome_done() : outcome_of(OUTCOME_FAILED, "out of memory");
}

outcome path_read(const char *file, path *out)
{
    char line[512];
    FILE *stream = NULL;
    *out = (path){0};
    outcome o = input_file_open(file, &stream, NULL);
    if (o.kind != OUTCOME_DONE)
        return outcome_of(OUTCOME_USAGE, "--path: %s", o.text);
    for (int number = 1; o.kind == OUTCOME_DONE && fgets(line, sizeof line, stream); number++)
        o = strlen(line) == sizeof line - 1 && line[sizeof line - 2] != '\n'
                ? outcome_of(OUTCOME_USAGE, "%s:%d: the line is longer than %zu characters", file, number, sizeof line - 2)
                : read_line(out, file, number, line);
    if (o.kind == OUTCOME_DONE && ferror(stream))
        o = outcome_of(OUTCOME_FILE, "--path: cannot read '%s': %s", file, strerror(errno));
    fclose(stream);
    if (o.kind == OUTCOME_DONE && out->count < 2)
        o = outcome_of(OUTCOME_USAGE, "--path: '%s' has %zu points, expected at least 2", file, out->count);
    if (o.kind != OUTCOME_DONE)
        path_free(out);
    return o;
}

outcome path_write(const path *p, const char *file)
{
    output_file out;
    outcome o = output_file_open(&out, file, 0, false);
    if (o.kind != OUTCOME_DONE)
        return o;
    static const char head[] = "# terrane path: TIME X Z ALTITUDE HEADING PITCH\n";
    o = output_file_write(&out, head, sizeof head - 1);
    for (size_t n = 0; n < p->count && o.kind == OUTCOME_DONE; n++) {
        char line[256];
        const path_point *q = &p->points[n];
        const int length = snprintf(line, sizeof line, "%.4f %.4f %.4f %.4f %.4f %.4f\n", q->time_s, q->x, q->z, q->altitude_m,
                                    q->heading_deg, q->pitch_deg);
        o = output_file_write(&out, line, (size_t)length);
    }
    if (o.kind == OUTCOME_DONE)
        return output_file_commit(&out);
    output_file_discard(&out);
    return o;
}

/** Slope at a point from its neighbours, in units a second. */
static double slope(const path_point *p, size_t count, size_t n, const double *of)
{
    const size_t stride = sizeof *p / sizeof(double), a = n > 0 ? n - 1 : n, b = n + 1 < count ? n + 1 : n;
    const double dt = p[b].time_s - p[a].time_s;
    return dt > 0 ? (of[b * stride] - of[a * stride]) / dt : 0.0;
}

static double between(const path *p, size_t n, double t, const double *of)
{
    const size_t stride = sizeof p->points[0] / sizeof(double);
    const double h = p->points[n + 1].time_s - p->points[n].time_s, u = (t - p->points[n].time_s) / h;
    const double a = of[n * stride], b = of[(n + 1) * stride];
    const double da = slope(p->points, p->count, n, of) * h, db = slope(p->points, p->count, n + 1, of) * h;
    const double u2 = u * u, u3 = u2 * u;
    return a * (2 * u3 - 3 * u2 + 1) + da * (u3 - 2 * u2 + u) + b * (3 * u2 - 2 * u3) + db * (u3 - u2);
}

void path_at(const path *p, double t, path_point *out)
{
    const path_point *first = p->points, *last = &p->points[p->count - 1];
    if (t <= first->time_s || t >= last->time_s) {
        *out = t <= first->time_s ? *first : *last;
        return;
    }
    size_t n = 0;
    while (p->points[n + 1].time_s <= t)
        n++;
    out->time_s = t;
    out->x = between(p, n, t, &first->x);
    out->z = between(p, n, t, &first->z);
    out->altitude_m = between(p, n, t, &first->altitude_m);
    out->heading_deg = between(p, n, t, &first->heading_deg);
    out->pitch_deg = between(p, n, t, &first->pitch_deg);
}

void path_point_of(const camera *c, double time_s, path_point *out)
{
    *out = (path_point){time_s, camera_x(c), camera_z(c), c->altitude_m, c->heading_deg, c->pitch_deg};
}

void path_point_place(const path_point *p, camera *c)
{
    const double x = floor(p->x), z = floor(p->z);
    camera_place(c, (int64_t)x, (int64_t)z);
    c->offset_x = p->x - x;
    c->offset_z = p->z - z;
    c->altitude_m = p->altitude_m;
    c->heading_deg = fmod(fmod(p->heading_deg, 360.0) + 360.0, 360.0);
    c->pitch_deg = fmin(fmax(p->pitch_deg, -89.0), 89.0);
}

void path_describe_view(const camera *c, char *text, size_t size)
{
    snprintf(text, size, "%.3f,%.3f,%.3f,%.3f,%.3f", camera_x(c), camera_z(c), c->altitude_m, c->heading_deg, c->pitch_deg);
}

outcome path_parse_view(const char *text, path_point *out)
{
    char rest;
    *out = (path_point){0};
    const int count =
        sscanf(text, "%lf,%lf,%lf,%lf,%lf%c", &out->x, &out->z, &out->altitude_m, &out->heading_deg, &out->pitch_deg, &rest);
    if (count != 5 || !is_place(out))
        return outcome_of(OUTCOME_USAGE,
                          "--view is '%s', expected X,Z,ALTITUDE,HEADING,PITCH: lattice coordinates, metres, degrees", text);
    return outcome_done();
}
