/* statistics.c - medians and JSON. */
#include "fly/statistics.h"

#include <stdlib.h>
#include <string.h>

#ifdef TER_HAVE_JSON
#include "file/json_file.h"
#endif

void time_list_add(time_list *list, double ms)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity ? 2 * list->capacity : 1024;
        double *grown = realloc(list->ms, capacity * sizeof *grown);
        if (!grown)
            return;
        list->ms = grown;
        list->capacity = capacity;
    }
    list->ms[list->count++] = ms;
}

void flight_statistics_free(flight_statistics *s)
{
    free(s->frame.ms);
    free(s->cpu.ms);
    for (int n = 0; n < PASSES; n++)
        free(s->pass[n].ms);
}

#ifdef TER_HAVE_JSON

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void add_times(cJSON *object, const char *name, const time_list *list)
{
    cJSON *times = cJSON_AddObjectToObject(object, name);
    if (list->count == 0)
        return;
    double *sorted = malloc(list->count * sizeof *sorted);
    if (!sorted)
        return;
    memcpy(sorted, list->ms, list->count * sizeof *sorted);
    qsort(sorted, list->count, sizeof *sorted, compare_doubles);
    cJSON_AddNumberToObject(times, "median", sorted[list->count / 2]);
    cJSON_AddNumberToObject(times, "p99", sorted[(size_t)((double)(list->count - 1) * 0.99)]);
    cJSON_AddNumberToObject(times, "max", sorted[list->count - 1]);
    free(sorted);
}

static void add_request(cJSON *root, const flight_facts *f)
{
    const ter_params *p = ter_world_params(f->world);
    cJSON *asked = cJSON_AddObjectToObject(root, "asked");
    cJSON_AddNumberToObject(asked, "x", (double)f->at[0]);
    cJSON_AddNumberToObject(asked, "z", (double)f->at[1]);
    cJSON_AddNumberToObject(asked, "altitude_m", f->altitude_m);
    cJSON_AddNumberToObject(asked, "heading_deg", f->heading_deg);
    cJSON_AddNumberToObject(asked, "pitch_deg", f->pitch_deg);
    cJSON_AddNumberToObject(asked, "speed_m_s", f->speed);
    cJSON_AddNumberToObject(asked, "width", f->width);
    cJSON_AddNumberToObject(asked, "height", f->height);
    cJSON_AddNumberToObject(asked, "fps", f->fps);
    cJSON_AddStringToObject(asked, "quality", f->quality);
    cJSON_AddNumberToObject(asked, "pixel_error", f->pixel_error);
    cJSON_AddStringToObject(asked, "layers", f->layers);
    json_add_seed(asked, f->seed);
    cJSON_AddNumberToObject(asked, "levels", p->levels);
}

outcome flight_statistics_write(const flight_statistics *s, const flight_facts *f, const char *path)
{
    cJSON *root = json_create();
    cJSON_AddNumberToObject(root, "frames", (double)s->n_frames);
    cJSON_AddNumberToObject(root, "gl_errors", s->n_gl_errors);
    cJSON *texts = s->n_gl_errors > 0 ? cJSON_AddArrayToObject(root, "gl_error_texts") : NULL;
    for (int n = 0; texts && gl_error_text(n); n++)
        cJSON_AddItemToArray(texts, cJSON_CreateString(gl_error_text(n)));
    cJSON_AddNumberToObject(root, "late_tiles", (double)s->n_late);
    cJSON_AddNumberToObject(root, "tiles_generated", (double)s->n_generated);
    cJSON_AddNumberToObject(root, "tile_slots", (double)f->n_slots);
    cJSON_AddNumberToObject(root, "edge_samples_compared", (double)f->edges.n_compared);
    cJSON_AddNumberToObject(root, "edge_samples_different", (double)f->edges.n_different);
    cJSON_AddNumberToObject(root, "morphs", (double)s->n_morphs);
    cJSON_AddNumberToObject(root, "tiles_drawn_max", (double)s->n_tiles_max);
    cJSON_AddNumberToObject(root, "triangles", (double)s->n_triangles_max);
    cJSON_AddNumberToObject(root, "min_clearance_m", f->min_clearance_m);
    cJSON_AddNumberToObject(root, "altitude_latency_frames", f->altitude_latency_frames);
    add_times(root, "frame_ms", &s->frame);
    add_times(root, "cpu_ms", &s->cpu);
    cJSON *passes = cJSON_AddObjectToObject(root, "gpu_ms");
    for (int n = 0; n < PASSES; n++)
        if (s->pass[n].count > 0)
            add_times(passes, render_pass_names[n], &s->pass[n]);
    cJSON_AddStringToObject(root, "backend", f->backend);
    cJSON_AddStringToObject(root, "interop", f->interop);
    cJSON_AddStringToObject(root, "gl_renderer", f->gl_renderer);
    add_request(root, f);
    return json_write(root, path);
}

#else

outcome flight_statistics_write(const flight_statistics *s, const flight_facts *f, const char *path)
{
    (void)s, (void)f;
    return outcome_of(OUTCOME_USAGE, "--stats '%s': this build cannot write JSON (cJSON was missing)", path);
}

#endif
