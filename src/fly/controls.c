/* controls.c - keys that switch something. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "fly/flight.h"

static const double MORPH_S = 20.0, NEXT_SEED_S = 2.0;
static const double PATH_STEP_S = 0.5; /* between points of a recorded path */

/** Sets of layers that L goes through; those asked for on the command line stay the most. */
static const unsigned layers_off[] = {0, 1u << LAYER_CLOUDS, 1u << LAYER_CLOUDS | 1u << LAYER_SHADOWS,
                                      1u << LAYER_CLOUDS | 1u << LAYER_SHADOWS | 1u << LAYER_WATER,
                                      1u << LAYER_CLOUDS | 1u << LAYER_SHADOWS | 1u << LAYER_WATER | 1u << LAYER_SKY};
enum { LAYER_SETS = sizeof layers_off / sizeof layers_off[0] };

/** The first name of a series that no file has: earlier ones stay. */
static void free_name(const char *pattern, const char *ending, int *number, char *name, size_t size)
{
    do
        snprintf(name, size, "%s-%d.%s", pattern, ++*number, ending);
    while (access(name, F_OK) == 0);
}

outcome controls_morph_on(flight *f, double seconds, bool is_front)
{
    ter_params params = *ter_world_params(f->land.next ? f->land.next : f->land.world);
    params.seed++;
    return flight_morph(f, &params, &f->land.next_look, seconds, is_front);
}

static void switch_things(flight *f, const int *n_pressed)
{
    if (n_pressed[ACTION_PAUSE] % 2)
        f->is_paused = !f->is_paused;
    if (n_pressed[ACTION_HUD] % 2)
        f->layers ^= 1u << LAYER_HUD;
    if (n_pressed[ACTION_HELP] % 2)
        f->is_help = !f->is_help;
    if (n_pressed[ACTION_TIME] % 2) {
        f->is_time_running = !f->is_time_running;
        f->time_h = isnan(f->time_h) ? 12.0 : f->time_h;
    }
    if (n_pressed[ACTION_LAYERS] > 0) {
        f->layer_set = (f->layer_set + n_pressed[ACTION_LAYERS]) % LAYER_SETS;
        f->layers = (f->request->layers & ~layers_off[f->layer_set] & ~(1u << LAYER_HUD)) | (f->layers & 1u << LAYER_HUD);
    }
    f->debug = (f->debug + n_pressed[ACTION_DEBUG]) % (DEBUG_WIRE + 1);
}

static void copy_view(flight *f)
{
    char view[160], text[200];
    path_describe_view(&f->camera, view, sizeof view);
    surface_copy(f->surface, view);
    snprintf(text, sizeof text, "--view %s", view);
    f->say(text);
}

/** Begin a path, or write the one that was begun. */
static void record_path(flight *f)
{
    char name[64], text[96];
    f->is_recording = !f->is_recording;
    if (f->is_recording) {
        path_free(&f->recorded);
        return;
    }
    if (f->recorded.count < 2) {
        f->say("the path has fewer than two points and is not written");
        return;
    }
    free_name("terrane-path", "txt", &f->n_paths, name, sizeof name);
    const outcome o = path_write(&f->recorded, name);
    snprintf(text, sizeof text, "path: %s", name);
    f->say(o.kind == OUTCOME_DONE ? text : o.text);
}

void controls_finish(flight *f)
{
    if (f->is_recording)
        record_path(f);
}

static void add_to_path(flight *f)
{
    path_point here;
    const path *p = &f->recorded;
    path_point_of(&f->camera, f->time_s, &here);
    if (f->is_recording && (p->count == 0 || f->time_s - p->points[p->count - 1].time_s >= PATH_STEP_S))
        path_add(&f->recorded, &here);
}

static void reset(flight *f)
{
    f->camera = f->start;
    f->pilot.is_autopilot = true;
    f->pilot.speed = f->request->speed;
}

void controls_handle(flight *f, const surface_input *input)
{
    const int *n_pressed = input->n_pressed;
    char name[64];
    outcome o = outcome_done();
    switch_things(f, n_pressed);
    add_to_path(f);
    if (n_pressed[ACTION_RESET])
        reset(f);
    if (n_pressed[ACTION_COPY_VIEW])
        copy_view(f);
    if (n_pressed[ACTION_EXPORT])
        o = flight_mark_ground(f);
    if (n_pressed[ACTION_RECORD_PATH] % 2)
        record_path(f);
    if (n_pressed[ACTION_FULLSCREEN] % 2)
        surface_toggle_fullscreen(f->surface);
    if (o.kind == OUTCOME_DONE && n_pressed[ACTION_MORPH])
        o = controls_morph_on(f, MORPH_S, true);
    else if (o.kind == OUTCOME_DONE && n_pressed[ACTION_NEXT_SEED])
        o = controls_morph_on(f, NEXT_SEED_S, false);
    if (o.kind != OUTCOME_DONE)
        f->say(o.text); /* the flight goes on */
    for (int n = 0; n < n_pressed[ACTION_LEAVE]; n++)
        f->is_over |= !surface_release_mouse(f->surface);
    f->is_over |= input->is_closed;
    if (n_pressed[ACTION_SCREENSHOT] && f->width > 0) {
        free_name("terrane", "png", &f->n_pictures, name, sizeof name);
        const outcome written = flight_write_picture(f, name);
        if (written.kind != OUTCOME_DONE)
            f->say(written.text);
    }
}
