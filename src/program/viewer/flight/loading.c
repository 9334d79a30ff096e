/* loading.c - makes tiles for a while, draws the finished ones, and repeats this until land and shaders are complete.
 */
#include "program/viewer/flight/loading.h"

#include <math.h>
#include <stdio.h>

#include "program/core/clock.h"
#include "program/viewer/flight/frame.h"

/* Time for tiles from one frame to the next: the time of a frame multiplied by LAND_SHARE, from LAND_LEAST_S to
 * LAND_MOST_S. */
static const double LAND_SHARE = 5.0, LAND_LEAST_S = 1.0, LAND_MOST_S = 2.0;
/* BAR_S: time for tiles between two pictures of the bar. REST_S: longest wait for a shader. */
static const double BAR_S = 0.2, REST_S = 1.0;

/** State of the first view. */
typedef struct first_view_state {
    bool is_land_made;
    bool has_frames; /* a frame with land has been shown, not only the bar */
    shade_progress shaders;
} first_view_state;

/** Read the input of the window. Only closing the window and the key ACTION_LEAVE have an effect. */
static void poll(flight *f)
{
    surface_input input;
    surface_poll(f->surface, &input);
    f->is_over |= input.is_closed || input.n_pressed[ACTION_LEAVE] > 0;
}

static void describe(const flight *f, const first_view_state *t, char *text, size_t size)
{
    int used = 0;
    if (!t->is_land_made)
        used = snprintf(text, size, "making land: %zu tiles are ready, %zu are missing\n", f->terrain.loading.n_made,
                        f->terrain.tree.n_late);
    if (!t->shaders.is_complete)
        snprintf(text + used, size - (size_t)used, "compiling shaders: %d of %d are ready\n", t->shaders.n_made,
                 BLOCK_KINDS);
}

/** Draw and show the loaded land. Returns how long this took, seconds. */
static double show_land(flight *f, first_view_state *t, result *res)
{
    char text[160] = "";
    int width, height;
    const double start_s = clock_now_s();
    surface_size(f->surface, &width, &height);
    if (width <= 0 || height <= 0) {
        surface_rest(f->surface); /* minimised */
        return clock_now_s() - start_s;
    }
    describe(f, t, text, sizeof text);
    *res = frame_draw_loading(f, width, height, text, &t->has_frames);
    if (t->has_frames)
        surface_show(f->surface);
    else
        shader_bar_go_on(&f->shader_bar, t->shaders.n_made);
    return clock_now_s() - start_s;
}

/** After the land is complete, leave the processors to the compiler of shaders until the next shader is ready, at most
 * REST_S. */
static void await_shader(flight *f, first_view_state *t, result *res)
{
    const int n_before = t->shaders.n_made;
    const double end_s = clock_now_s() + REST_S;
    while (res->kind == RESULT_DONE && !f->is_over && !t->shaders.is_complete && t->shaders.n_made == n_before &&
           clock_now_s() < end_s && !f->events->is_interrupted()) {
        surface_rest(f->surface);
        poll(f);
        *res = renderer_progress(f->renderer, &t->shaders);
    }
    if (res->kind == RESULT_DONE && f->events->is_interrupted())
        *res = result_of(RESULT_INTERRUPTED, "interrupted");
}

/** Whether the flight can begin: land and shaders are complete; or loading was given up with tiles missing, and a frame
 * was shown. */
static bool is_ready(const flight *f, const first_view_state *t)
{
    return t->is_land_made && (t->shaders.is_complete || (t->has_frames && f->terrain.tree.n_late > 0));
}

result loading_land(flight *f, int width, int height)
{
    if (!surface_is_window(f->surface) || tile_source_is_shared(f->terrain.source) || f->terrain.waits_for_tiles ||
        width <= 0)
        return frame_load_land(f, width, height);
    first_view_state t = {0};
    double most_s = 0.0; /* show a first picture at once */
    result res = result_done();
    terrain_begin_loading(&f->terrain);
    while (res.kind == RESULT_DONE && !is_ready(f, &t) && !f->is_over) {
        if (!t.is_land_made)
            res = frame_load_some_land(f, width, height, most_s, &t.is_land_made);
        if (res.kind == RESULT_DONE)
            res = renderer_progress(f->renderer, &t.shaders);
        if (res.kind != RESULT_DONE || is_ready(f, &t))
            break;
        poll(f);
        const bool had_frames = t.has_frames;
        const double drawn_s = show_land(f, &t, &res);
        if (t.has_frames && f->statistics.first_picture_s == 0.0)
            f->statistics.first_picture_s = clock_now_s() - f->clock.opened_s;
        if (!had_frames)
            f->terrain.loading.start_s = clock_now_s(); /* the time limit of loading begins when a shader is ready */
        most_s = t.has_frames ? fmin(fmax(LAND_SHARE * drawn_s, LAND_LEAST_S), LAND_MOST_S) : BAR_S;
        if (t.is_land_made)
            await_shader(f, &t, &res);
    }
    surface_title(f->surface, "Terrane");
    if (t.is_land_made && t.shaders.is_complete && f->terrain.tree.n_late == 0)
        f->statistics.first_view_s = clock_now_s() - f->clock.opened_s;
    const result ended = terrain_end_loading(&f->terrain);
    return res.kind == RESULT_DONE ? ended : res;
}
