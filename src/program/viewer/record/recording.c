/* recording.c - adds points to a path at a fixed rate, and writes it. */
#include "program/viewer/record/recording.h"

#include <stdio.h>

#include "program/viewer/record/outputs.h"

static const double STEP_S = 0.5; /* least time between two points */

static void write_path(recording *r, void (*report)(const char *))
{
    char name[64], text[96];
    if (r->path.count < 2) {
        report("the path has fewer than two points and is not written");
        return;
    }
    outputs_next_name("terrane-path", "txt", &r->n_paths, name, sizeof name);
    const result res = path_write(&r->path, name);
    snprintf(text, sizeof text, "path: %s", name);
    report(res.kind == RESULT_DONE ? text : res.text);
}

void recording_toggle(recording *r, void (*report)(const char *text))
{
    r->is_recording = !r->is_recording;
    if (r->is_recording)
        path_free(&r->path);
    else
        write_path(r, report);
}

void recording_add(recording *r, const camera *c, double time_s)
{
    path_point at;
    const path *p = &r->path;
    if (!r->is_recording || (p->count > 0 && time_s - p->points[p->count - 1].time_s < STEP_S))
        return;
    path_point_of(c, time_s, &at);
    path_add(&r->path, &at);
}

void recording_end(recording *r, void (*report)(const char *text))
{
    if (r->is_recording)
        recording_toggle(r, report);
    path_free(&r->path);
}
