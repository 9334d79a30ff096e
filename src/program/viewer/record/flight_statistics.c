/* flight_statistics.c - makes the JSON of a flight's figures. */
#include "program/viewer/record/flight_statistics.h"

#ifdef TER_HAVE_JSON
#include "program/file/commit.h"
#include "program/file/json_file.h"

static void add_times(cJSON *object, const char *name, const time_histogram *t)
{
    cJSON *figures = cJSON_AddObjectToObject(object, name);
    if (t->count == 0)
        return;
    cJSON_AddNumberToObject(figures, "median", time_histogram_quantile(t, 0.5));
    cJSON_AddNumberToObject(figures, "p99", time_histogram_quantile(t, 0.99));
    cJSON_AddNumberToObject(figures, "max", t->most_ms);
}

static void add_request(cJSON *root, const flight_facts *f)
{
    const fly_request *r = f->request;
    cJSON *asked = cJSON_AddObjectToObject(root, "asked");
    cJSON_AddNumberToObject(asked, "x", (double)r->at[0]);
    cJSON_AddNumberToObject(asked, "z", (double)r->at[1]);
    cJSON_AddNumberToObject(asked, "altitude_m", r->altitude_m);
    cJSON_AddNumberToObject(asked, "heading_deg", r->heading_deg);
    cJSON_AddNumberToObject(asked, "pitch_deg", r->pitch_deg);
    cJSON_AddNumberToObject(asked, "speed_m_s", r->speed);
    cJSON_AddNumberToObject(asked, "width", r->width);
    cJSON_AddNumberToObject(asked, "height", r->height);
    cJSON_AddNumberToObject(asked, "fps", fly_frames_a_second(r));
    cJSON_AddStringToObject(asked, "quality", f->quality);
    cJSON_AddNumberToObject(asked, "pixel_error", r->pixel_error);
    cJSON_AddStringToObject(asked, "layers", f->layers);
    json_add_seed(asked, f->seed);
    cJSON_AddNumberToObject(asked, "levels", f->levels);
}

/** Add the times of the first view. They are measured only if a window shows the view during its loading. */
static void add_first_view(cJSON *root, const flight_statistics *s)
{
    if (s->first_picture_s > 0.0)
        cJSON_AddNumberToObject(root, "first_picture_s", s->first_picture_s);
    if (s->first_view_s > 0.0)
        cJSON_AddNumberToObject(root, "first_view_s", s->first_view_s);
}

static void add_gl_errors(cJSON *root, int count)
{
    cJSON_AddNumberToObject(root, "gl_errors", count);
    cJSON *texts = count > 0 ? cJSON_AddArrayToObject(root, "gl_error_texts") : NULL;
    for (int n = 0; texts && gl_error_text(n); n++)
        cJSON_AddItemToArray(texts, cJSON_CreateString(gl_error_text(n)));
}

static void add_tiles(cJSON *root, const flight_statistics *s, const flight_facts *f)
{
    cJSON_AddNumberToObject(root, "late_tiles", (double)f->counts->n_late);
    cJSON_AddNumberToObject(root, "tiles_generated", (double)f->counts->n_generated);
    cJSON_AddNumberToObject(root, "tile_slots", (double)f->n_slots);
    cJSON_AddNumberToObject(root, "edge_samples_compared", (double)f->edges.n_compared);
    cJSON_AddNumberToObject(root, "edge_samples_different", (double)f->edges.n_different);
    cJSON_AddNumberToObject(root, "morphs", (double)f->counts->n_morphs);
    cJSON_AddNumberToObject(root, "tiles_drawn_max", (double)s->n_tiles_max);
    cJSON_AddNumberToObject(root, "triangles", (double)s->n_triangles_max);
}

static void add_pass_times(cJSON *root, const flight_statistics *s)
{
    cJSON *passes = cJSON_AddObjectToObject(root, "gpu_ms");
    for (int n = 0; n < PASSES; n++)
        if (s->pass[n].count > 0)
            add_times(passes, render_pass_names[n], &s->pass[n]);
}

result flight_statistics_check(const char *path)
{
    (void)path;
    return result_done();
}

result flight_statistics_write(const flight_statistics *s, const flight_facts *f)
{
    cJSON *root = json_create();
    cJSON_AddNumberToObject(root, "frames", (double)s->n_frames);
    add_gl_errors(root, s->n_gl_errors);
    add_tiles(root, s, f);
    cJSON_AddNumberToObject(root, "min_clearance_m", f->min_clearance_m);
    cJSON_AddNumberToObject(root, "altitude_latency_frames", f->altitude_latency_frames);
    cJSON_AddNumberToObject(root, "render_percent", f->render_percent);
    add_first_view(root, s);
    add_times(root, "frame_ms", &s->frame);
    add_times(root, "cpu_ms", &s->cpu);
    add_pass_times(root, s);
    cJSON_AddStringToObject(root, "backend", f->backend);
    cJSON_AddStringToObject(root, "interop", f->interop);
    cJSON_AddStringToObject(root, "gl_renderer", f->gl_renderer);
    add_request(root, f);
    char *text = NULL;
    result res = json_text(root, &text);
    if (res.kind == RESULT_DONE)
        res = output_file_text(f->request->stats, text, f->request->may_replace, false);
    cJSON_free(text);
    return res;
}

#else

result flight_statistics_check(const char *path)
{
    return result_of(RESULT_USAGE, "--stats '%s': this build cannot write JSON (cJSON was missing)", path);
}

result flight_statistics_write(const flight_statistics *s, const flight_facts *f)
{
    (void)s;
    return flight_statistics_check(f->request->stats);
}

#endif
