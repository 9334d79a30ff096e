/* controls.c - carries out the actions of pressed keys. */
#include "program/viewer/flight/controls.h"

#include <stdio.h>

#include "program/viewer/flight/screenshot.h"

static const double MORPH_S = 20.0, NEXT_SEED_S = 2.0;

static void report_failure(const flight *f, result res)
{
    if (res.kind != RESULT_DONE)
        f->events->report(res.text);
}

static void switch_options(flight *f, const int *n_pressed)
{
    if (n_pressed[ACTION_PAUSE] % 2)
        f->clock.is_paused = !f->clock.is_paused;
    if (n_pressed[ACTION_HUD] % 2)
        layers_toggle_instruments(&f->layers);
    if (n_pressed[ACTION_HELP] % 2)
        f->is_help = !f->is_help;
    if (n_pressed[ACTION_TIME] % 2)
        sunlight_toggle(&f->sunlight);
    if (n_pressed[ACTION_LAYERS] > 0)
        layers_next(&f->layers, n_pressed[ACTION_LAYERS]);
    if (n_pressed[ACTION_FULLSCREEN] % 2)
        surface_toggle_fullscreen(f->surface);
    f->view_builder.debug = (render_debug)(((int)f->view_builder.debug + n_pressed[ACTION_DEBUG]) % (DEBUG_WIRE + 1));
}

static void copy_view(const flight *f)
{
    char view[160], text[200];
    path_describe_view(&f->travel.camera, view, sizeof view);
    surface_copy(f->surface, view);
    snprintf(text, sizeof text, "--view %s", view);
    f->events->report(text);
}

/** Begin a morph, or cancel the present one. */
static result begin_morph(flight *f, const int *n_pressed)
{
    if (n_pressed[ACTION_MORPH] + n_pressed[ACTION_NEXT_SEED] > 0 && terrain_cancel_morph(&f->terrain))
        return result_done();
    if (n_pressed[ACTION_MORPH])
        return terrain_morph_on(&f->terrain, MORPH_S, true, &f->travel.camera);
    if (n_pressed[ACTION_NEXT_SEED])
        return terrain_morph_on(&f->terrain, NEXT_SEED_S, false, &f->travel.camera);
    return result_done();
}

static result take_picture(flight *f)
{
    char name[64];
    outputs_next_name("terrane", "png", &f->n_pictures, name, sizeof name);
    return screenshot_write(f, name, false);
}

void controls_handle(flight *f, const surface_input *input)
{
    const int *n_pressed = input->n_pressed;
    switch_options(f, n_pressed);
    recording_add(&f->recording, &f->travel.camera, f->clock.time_s);
    if (n_pressed[ACTION_RESET])
        travel_reset(&f->travel);
    if (n_pressed[ACTION_COPY_VIEW])
        copy_view(f);
    if (n_pressed[ACTION_EXPORT])
        report_failure(f, flight_mark_ground(f));
    if (n_pressed[ACTION_RECORD_PATH] % 2)
        recording_toggle(&f->recording, f->events->report);
    report_failure(f, begin_morph(f, n_pressed));
    for (int n = 0; n < n_pressed[ACTION_LEAVE]; n++)
        f->is_over |= !surface_release_mouse(f->surface);
    f->is_over |= input->is_closed;
    if (n_pressed[ACTION_SCREENSHOT] && f->frame.width > 0)
        report_failure(f, take_picture(f));
}
