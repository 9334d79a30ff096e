/* loading.c - tiles are made for some time, then what is there is drawn, until all is there. */
#include "program/viewer/flight/loading.h"

#include <math.h>
#include <stdio.h>

#include "program/core/clock.h"
#include "program/viewer/flight/frame.h"

/* Work on tiles between two frames: in times of a frame, and its limits. The first frames take long, for drivers
 * compile for them.
 */
static const double LAND_SHARE = 5.0, LAND_LEAST_S = 1.0, LAND_MOST_S = 2.0;

/** Take what happened to the window; only that it is to be closed counts. */
static void poll(flight *f)
{
    surface_input input;
    surface_poll(f->surface, &input);
    f->is_over |= input.is_closed || input.n_pressed[ACTION_LEAVE] > 0;
}

/** Show the land that is there. Returns how long that took. */
static double show_land(flight *f, outcome *o)
{
    char text[96];
    int width, height;
    const double start_s = clock_now_s();
    poll(f);
    surface_size(f->surface, &width, &height);
    if (width <= 0 || height <= 0) {
        surface_rest(f->surface); /* minimised */
        return clock_now_s() - start_s;
    }
    snprintf(text, sizeof text, "making land: %zu tiles are there, %zu are missing\n", f->terrain.loading.n_made,
             f->terrain.tree.n_late);
    *o = frame_draw_loading(f, width, height, text);
    surface_show(f->surface);
    return clock_now_s() - start_s;
}

outcome loading_land(flight *f, int width, int height)
{
    if (!surface_is_window(f->surface) || tile_source_is_shared(f->terrain.source) || f->terrain.is_patient ||
        width <= 0)
        return frame_load_land(f, width, height);
    bool is_done = false;
    double most_s = 0.0; /* a first picture at once */
    outcome o = outcome_done();
    terrain_begin_loading(&f->terrain);
    while (o.kind == OUTCOME_DONE && !is_done && !f->is_over) {
        o = frame_load_some_land(f, width, height, most_s, &is_done);
        if (o.kind == OUTCOME_DONE && !is_done) {
            const double drawn_s = show_land(f, &o);
            most_s = fmin(fmax(LAND_SHARE * drawn_s, LAND_LEAST_S), LAND_MOST_S);
        }
    }
    const outcome ended = terrain_end_loading(&f->terrain);
    return o.kind == OUTCOME_DONE ? ended : o;
}
