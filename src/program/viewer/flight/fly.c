/* fly.c - the loop of a flight: steers the camera, draws and counts frames. */
#include "program/viewer/flight/fly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/core/clock.h"
#include "program/core/system.h"
#include "program/render/gl.h"
#include "program/viewer/flight/controls.h"
#include "program/viewer/flight/flight.h"
#include "program/viewer/flight/frame.h"
#include "program/viewer/flight/loading.h"
#include "program/viewer/flight/results.h"

static const double ELAPSED_MAX_S = 0.1; /* longest step: after a stall the camera must not jump far */
static const double JOURNEY_MORPH_S = 20.0, JOURNEY_MORPH_SHARE = 0.8;
enum { RELOAD_FRAMES = 15 }; /* frames between two checks of the shader folder */

/* ---- time ---- */

/** Advance the running morph, and begin the morphs of a journey. */
static result change_landscape(flight *f, double passed_s)
{
    const double every_s = f->request->journey_s;
    result res = result_done();
    if (every_s > 0 && (f->clock.journey_s -= passed_s) <= 0) {
        f->clock.journey_s = every_s;
        res = terrain_morph_on(&f->terrain, fmin(JOURNEY_MORPH_S, JOURNEY_MORPH_SHARE * every_s), true,
                               &f->travel.camera);
    }
    return res.kind == RESULT_DONE
               ? terrain_advance(&f->terrain, passed_s, view_builder_far_m(&f->view_builder), &f->travel.camera)
               : res;
}

static result advance(flight *f, const surface_input *input, double elapsed_s)
{
    const bool is_paused = f->clock.is_paused;
    const double passed_s = is_paused ? 0.0 : elapsed_s;
    float coarser;
    nearby_trees trees;
    f->clock.time_s += passed_s;
    f->view_builder.mark_s -= elapsed_s;
    const travel_step step = {.time_s = f->clock.time_s,
                              .elapsed_s = elapsed_s,
                              .passed_s = passed_s,
                              .is_paused = is_paused,
                              .spacing_m = ter_world_params(f->terrain.land.world)->spacing};
    travel_steer(&f->travel, input, elapsed_s);
    result res =
        landscape_ends_within(&f->terrain.land, passed_s) ? terrain_probe_wait(&f->travel.probe) : result_done();
    if (res.kind == RESULT_DONE)
        res = change_landscape(f, passed_s);
    travel_move(&f->travel, input, &step);
    f->is_over |= f->request->frames == 0 && travel_is_over(&f->travel, f->clock.time_s);
    sunlight_advance(&f->sunlight, elapsed_s);
    if (res.kind != RESULT_DONE)
        return res;
    f->travel.probe.has_trees = flight_has_trees(f);
    renderer_nearby_trees(f->renderer, &trees);
    terrain_probe_add_trees(&f->travel.probe, &f->travel.camera, &trees);
    const int lod = terrain_lod_at(&f->terrain, f->view_builder.lod_height_m, &coarser);
    return travel_watch_ground(&f->travel, &step, lod, coarser, f->statistics.n_frames);
}

/* ---- frames ---- */

static void add_pass_time(void *user, int pass, double ms)
{
    flight_statistics *s = user;
    time_histogram_add(&s->pass[pass], ms);
}

static void count_frame(flight *f, double frame_s, double cpu_s)
{
    flight_statistics *s = &f->statistics;
    s->n_frames++;
    if (s->n_frames > 1)
        time_histogram_add(&s->frame, frame_s * 1e3);
    time_histogram_add(&s->cpu, cpu_s * 1e3);
    const uint64_t n_tiles = f->terrain.tree.n_tiles, n_triangles = renderer_triangles(f->renderer);
    s->n_tiles_max = n_tiles > s->n_tiles_max ? n_tiles : s->n_tiles_max;
    s->n_triangles_max = n_triangles > s->n_triangles_max ? n_triangles : s->n_triangles_max;
    s->n_gl_errors = gl_error_count();
}

static result record_frame(const flight *f)
{
    const recorder_frame frame = {.framebuffer = renderer_framebuffer(f->renderer),
                                  .width = f->frame.width,
                                  .height = f->frame.height,
                                  .number = f->statistics.n_frames};
    return f->recorder && frame.width > 0 ? recorder_add(f->recorder, &frame) : result_done();
}

static result interrupted(void)
{
    return result_of(RESULT_INTERRUPTED, "interrupted");
}

/** Fly one frame of elapsed_s seconds. */
static result fly_frame(flight *f, double elapsed_s)
{
    surface_input input;
    int width, height;
    if (f->statistics.n_frames % RELOAD_FRAMES == 0)
        renderer_reload(f->renderer, f->events->report);
    surface_poll(f->surface, &input);
    controls_handle(f, &input);
    result res = advance(f, &input, elapsed_s);
    surface_size(f->surface, &width, &height);
    if (width <= 0 || height <= 0)
        surface_rest(f->surface); /* minimised */
    else if (res.kind == RESULT_DONE)
        res = frame_draw(f, width, height, f->clock.is_paused ? 0.0 : elapsed_s);
    if (res.kind == RESULT_DONE && f->events->is_interrupted())
        res = interrupted(); /* the frame may be incomplete, so it must not be recorded */
    if (res.kind == RESULT_DONE)
        res = record_frame(f);
    return res.kind == RESULT_DONE ? gl_check_context() : res;
}

/** Number of frames of the flight. UINT64_MAX: no limit. */
static uint64_t frames_wanted(const flight *f)
{
    const fly_request *r = f->request;
    if (r->frames > 0)
        return (uint64_t)r->frames;
    if (!flight_is_unseen(f) || r->path)
        return UINT64_MAX;
    return f->is_one_picture ? FLY_PICTURE_FRAMES : FLY_HEADLESS_FRAMES;
}

static void show_progress(const flight *f, uint64_t frames)
{
    char text[64];
    const uint64_t done = f->statistics.n_frames;
    const double path_s = travel_path_s(&f->travel);
    const double share = frames != UINT64_MAX ? (double)done / (double)frames
                         : path_s > 0         ? f->clock.time_s / path_s
                                              : 0.0;
    snprintf(text, sizeof text, "frame %llu", (unsigned long long)done);
    if (flight_is_unseen(f))
        f->events->show_progress(text, fmin(share, 1.0));
}

/** After the first frame, estimate how long the other frames will take. Report the time if it is long. */
static void announce_frames(const flight *f, uint64_t frames, double frame_s)
{
    static const double LONG_S = 5.0;
    const double left_s = (double)(frames - 1) * frame_s;
    char text[96];
    if (!flight_is_unseen(f) || frames == UINT64_MAX || f->statistics.n_frames != 1 || left_s < LONG_S)
        return;
    snprintf(text, sizeof text, "%llu more frames take about %.0f s", (unsigned long long)frames - 1, left_s);
    f->events->report(text);
}

/** Wait, so that a window shows no more frames per second than requested. */
static void wait_until(double time_s)
{
    const double left_s = time_s - clock_now_s();
    if (left_s > 0)
        system_rest((int64_t)(left_s * 1e9));
}

/** If the CPU both draws and makes tiles and much of the view is missing, for example after a turn, leave time for
 * tiles: three times as much as the last frame took, at most LEFT_MOST_S. While the user turns the view, frames come
 * first, because turning must be smooth. */
static result leave_time_for_land(flight *f, double frame_s)
{
    static const double LEFT_MOST_S = 0.7;
    static const size_t MUCH = 64; /* wait if more than a 64th of the tiles in view are missing */
    const terrain *t = &f->terrain;
    if (!gl_is_software() || tile_source_is_shared(t->source) || t->tree.n_late * MUCH <= t->tree.n_tiles ||
        f->travel.is_turned)
        return result_done();
    return terrain_catch_up(&f->terrain, &f->frame.tree, fmin(3.0 * frame_s, LEFT_MOST_S));
}

static result begin_frames(flight *f)
{
    const fly_request *r = f->request;
    int width, height;
    surface_size(f->surface, &width, &height);
    result res = loading_land(f, width, height);
    if (res.kind == RESULT_DONE)
        res = frame_clear_trees(f, width, height);
    if (res.kind == RESULT_DONE)
        res = gl_check_errors(); /* an object that was not created would be missing in every frame */
    return res.kind == RESULT_DONE && r->morph.is_wanted
               ? terrain_morph(&f->terrain, &r->morph, r->is_front, &f->travel.camera)
               : res;
}

/** Number of frames in flight, including the frame that begins. With two, the GPU draws one frame while the CPU
 * prepares the next. A frame that waits for tiles from the GPU is the only one in flight. Otherwise its wait for tiles
 * would include the drawing of the frame before. */
static unsigned frames_behind(const flight *f)
{
    return terrain_waits_for_device(&f->terrain) ? 1 : 2;
}

static result fly_frames(flight *f)
{
    const fly_request *r = f->request;
    const bool is_window = !flight_is_unseen(f), is_real_time = is_window && !r->film;
    const double usual_s = 1.0 / fly_frames_a_second(r);
    const uint64_t frames = frames_wanted(f);
    result res = begin_frames(f);
    double last = clock_now_s();
    f->frame.seconds = usual_s;
    while (res.kind == RESULT_DONE && !f->is_over && f->statistics.n_frames < frames) {
        renderer_next_frame(f->renderer, frames_behind(f), add_pass_time, &f->statistics);
        const double start = clock_now_s();
        res = fly_frame(f, is_real_time ? fmin(f->frame.seconds, ELAPSED_MAX_S) : usual_s);
        const double cpu_s = clock_now_s() - start;
        surface_show(f->surface);
        resolution_note(&f->resolution,
                        renderer_is_timed(f->renderer) ? renderer_frame_ms(f->renderer) : (clock_now_s() - last) * 1e3);
        if (is_real_time && res.kind == RESULT_DONE)
            res = leave_time_for_land(f, clock_now_s() - last);
        if (is_window && r->fps > 0)
            wait_until(last + usual_s);
        const double now = clock_now_s();
        f->frame.seconds = now - last;
        last = now;
        if (res.kind == RESULT_DONE)
            count_frame(f, f->frame.seconds, cpu_s);
        announce_frames(f, frames, cpu_s);
        show_progress(f, frames);
        if (res.kind == RESULT_DONE && f->events->is_interrupted())
            res = interrupted();
    }
    if (res.kind == RESULT_DONE)
        renderer_finish(f->renderer, add_pass_time, &f->statistics);
    return res;
}

result fly_run(const fly_request *request, const fly_events *events, ter_world *world, ter_generator *generator)
{
    flight *f = calloc(1, sizeof *f);
    if (!f) {
        ter_world_destroy(world);
        return result_of(RESULT_FAILED, "out of memory");
    }
    result res = flight_open(f, request, events, world, generator);
    if (res.kind == RESULT_DONE)
        res = fly_frames(f);
    recording_end(&f->recording, events->report);
    const result recorded = recorder_close(f->recorder, res.kind == RESULT_DONE && gl_error_count() == 0);
    if (res.kind == RESULT_DONE)
        res = recorded;
    if (res.kind == RESULT_DONE)
        res = results_write(f);
    if (res.kind == RESULT_DONE)
        res = gl_check_errors();
    flight_close(f);
    free(f);
    return res;
}
