/* path.c - reads, writes and interpolates paths. */
#include "program/viewer/camera/path.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"
#include "program/file/commit.h"
#include "program/file/input_file.h"
#include "program/file/output_file.h"

enum { LINE_BYTES = 512 };

bool path_add(path *p, const path_point *point)
{
    path_point *points = ter_grow(p->points, &p->room, p->count + 1, sizeof *points);
    if (!points)
        return false;
    p->points = points;
    p->points[p->count] = *point;
    if (p->count > 0) { /* turn the shorter way */
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
    return isfinite(p->time_s) && fabs(p->x) <= limit && fabs(p->z) <= limit &&
           fabs(p->altitude_m) <= CAMERA_ALTITUDE_MAX_M && fabs(p->heading_deg) <= 1e6 &&
           fabs(p->pitch_deg) <= CAMERA_PITCH_MAX_DEG;
}

/** The error for a wrong line; its text says what a line must be. */
static result bad_line(const char *file, int number)
{
    return result_of(RESULT_USAGE,
                     "%s:%d: expected 'TIME X Z ALTITUDE HEADING PITCH', in the world, at most %.0f km high, with a "
                     "pitch of -%.0f to %.0f degrees",
                     file, number, CAMERA_ALTITUDE_MAX_M / 1e3, CAMERA_PITCH_MAX_DEG, CAMERA_PITCH_MAX_DEG);
}

static result read_line(path *p, const char *file, int number, char *line)
{
    path_point at;
    char rest;
    line[strcspn(line, "#\n")] = '\0';
    if (strspn(line, " \t\r") == strlen(line))
        return result_done();
    const int count = sscanf(line, "%lf %lf %lf %lf %lf %lf %c", &at.time_s, &at.x, &at.z, &at.altitude_m,
                             &at.heading_deg, &at.pitch_deg, &rest);
    if (count != 6 || !is_place(&at))
        return bad_line(file, number);
    if (p->count > 0 && at.time_s <= p->points[p->count - 1].time_s)
        return result_of(RESULT_USAGE, "%s:%d: time %g is not after %g", file, number, at.time_s,
                         p->points[p->count - 1].time_s);
    return path_add(p, &at) ? result_done() : result_of(RESULT_FAILED, "out of memory");
}

/** Read the next line of a stream; *is_end becomes true if there is none. A line that is too long or has a zero byte is
 * an error. */
static result next_line(FILE *stream, const char *file, int number, char line[LINE_BYTES], bool *is_end)
{
    size_t length = 0;
    int c = getc(stream);
    *is_end = c == EOF;
    for (; c != EOF && c != '\n'; c = getc(stream)) {
        if (c == '\0')
            return bad_line(file, number);
        if (length + 1 == LINE_BYTES)
            return result_of(RESULT_USAGE, "%s:%d: the line is longer than %d characters", file, number,
                             LINE_BYTES - 1);
        line[length++] = (char)c;
    }
    line[length] = '\0';
    return ferror(stream) ? result_of(RESULT_FILE, "--path: cannot read '%s': %s", file, strerror(errno))
                          : result_done();
}

static result read_lines(path *p, const char *file, FILE *stream)
{
    char line[LINE_BYTES];
    bool is_end = false;
    result res = result_done();
    for (int number = 1; res.kind == RESULT_DONE && !is_end; number++) {
        res = next_line(stream, file, number, line, &is_end);
        if (res.kind == RESULT_DONE && !is_end)
            res = read_line(p, file, number, line);
    }
    return res;
}

result path_read(const char *file, path *out)
{
    FILE *stream = NULL;
    *out = (path){0};
    result res = input_file_open(file, &stream, NULL);
    if (res.kind != RESULT_DONE)
        return result_of(RESULT_USAGE, "--path: %s", res.text);
    res = read_lines(out, file, stream);
    fclose(stream);
    if (res.kind == RESULT_DONE && out->count < 2)
        res = result_of(RESULT_USAGE, "--path: '%s' has %zu points, expected at least 2", file, out->count);
    if (res.kind != RESULT_DONE)
        path_free(out);
    return res;
}

result path_write(const path *p, const char *file)
{
    output_file out;
    result res = output_file_open(&out, file, 0, false);
    if (res.kind != RESULT_DONE)
        return res;
    static const char head[] = "# terrane path: TIME X Z ALTITUDE HEADING PITCH\n";
    res = output_file_write(&out, head, sizeof head - 1);
    for (size_t n = 0; n < p->count && res.kind == RESULT_DONE; n++) {
        char line[256];
        const path_point *q = &p->points[n];
        const int length = snprintf(line, sizeof line, "%.4f %.4f %.4f %.4f %.4f %.4f\n", q->time_s, q->x, q->z,
                                    q->altitude_m, q->heading_deg, q->pitch_deg);
        res = output_file_write(&out, line, (size_t)length);
    }
    if (res.kind == RESULT_DONE)
        return output_file_commit(&out);
    output_file_discard(&out);
    return res;
}

/** A position on a path: between the points n and n + 1. */
typedef struct segment {
    const path *path;
    size_t n;
    double share;    /* 0 at point n, 1 at point n + 1 */
    double length_s; /* time from n to n + 1 */
} segment;

/** Reads a field of a point. */
typedef double field_of(const path_point *point);

static double x_of(const path_point *p)
{
    return p->x;
}

static double z_of(const path_point *p)
{
    return p->z;
}

static double altitude_of(const path_point *p)
{
    return p->altitude_m;
}

static double heading_of(const path_point *p)
{
    return p->heading_deg;
}

static double pitch_of(const path_point *p)
{
    return p->pitch_deg;
}

/** Slope of a field at a point from the neighbouring points, per second. */
static double slope(const path *p, size_t n, field_of *field)
{
    const path_point *before = &p->points[n > 0 ? n - 1 : n], *after = &p->points[n + 1 < p->count ? n + 1 : n];
    return (field(after) - field(before)) / (after->time_s - before->time_s);
}

static double interpolate(const segment *s, field_of *field)
{
    const double a = field(&s->path->points[s->n]), b = field(&s->path->points[s->n + 1]);
    const double da = slope(s->path, s->n, field) * s->length_s, db = slope(s->path, s->n + 1, field) * s->length_s;
    const double u = s->share, u2 = u * u, u3 = u2 * u;
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
    const double begin_s = p->points[n].time_s, length_s = p->points[n + 1].time_s - begin_s;
    const segment at = {.path = p, .n = n, .share = (t - begin_s) / length_s, .length_s = length_s};
    *out = (path_point){.time_s = t,
                        .x = interpolate(&at, x_of),
                        .z = interpolate(&at, z_of),
                        .altitude_m = interpolate(&at, altitude_of),
                        .heading_deg = interpolate(&at, heading_of),
                        .pitch_deg = interpolate(&at, pitch_of)};
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
    c->pitch_deg = fmin(fmax(p->pitch_deg, -CAMERA_PITCH_MAX_DEG), CAMERA_PITCH_MAX_DEG);
}

void path_describe_view(const camera *c, char *text, size_t size)
{
    snprintf(text, size, "%.3f,%.3f,%.3f,%.3f,%.3f", camera_x(c), camera_z(c), c->altitude_m, c->heading_deg,
             c->pitch_deg);
}

result path_parse_view(const char *text, path_point *out)
{
    char rest[2] = "#";
    *out = (path_point){0};
    const int count = sscanf(text, "%lf,%lf,%lf,%lf,%lf %1s", &out->x, &out->z, &out->altitude_m, &out->heading_deg,
                             &out->pitch_deg, rest);
    if (count < 5 || rest[0] != '#' || !is_place(out))
        return result_of(
            RESULT_USAGE,
            "--view is '%s', expected X,Z,ALTITUDE,HEADING,PITCH: lattice coordinates, at most %.0f m, degrees, "
            "of which the pitch is -%.0f to %.0f",
            text, CAMERA_ALTITUDE_MAX_M, CAMERA_PITCH_MAX_DEG, CAMERA_PITCH_MAX_DEG);
    return result_done();
}
