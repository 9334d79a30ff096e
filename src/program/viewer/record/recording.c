/* recording.c - points of a path, some time apart. */
#include "program/viewer/record/recording.h"

#include <stdio.h>

#include "program/viewer/record/outputs.h"

static const double STEP_S = 0.5; /* between points */

static void write_path(recording *r, void (*say)(const char *))
{
    char name[64], text[96];
    if (r->path.count < 2) {
        say("the path has fewer than two points and is not written");
        return;
    }
    outputs_next_name("terrane-path", "txt", &r->n_paths, name, sizeof name);
    const result res = path_write(&r->path, name);
    snprintf(text, sizeof text, "path: %s", name);
    say(res.kind == RESULT_DONE ? text : res.text);
}

void recording_toggle(recording *r, void (*say)(const char *text))
{
    r->is_begun = !r->is_begun;
    if (r->is_begun)
        path_free(&r->path);
    else
        write_path(r, say);
}

void recording_add(recording *r, const camera *c, double time_s)
{
    path_point at;
    const path *p = &r->path;
    if (!r->is_begun || (p->count > 0 && time_s - p->points[p->count - 1].time_s < STEP_S))
        return;
    path_point_of(c, time_s, &at);
    path_add(&r->path, &at);
}

void recording_end(recording *r, void (*say)(const char *text))
{
    if (r->is_begun)
        recording_toggle(r, say);
    path_free(&r->path);
}
