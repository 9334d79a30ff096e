/* frame.c - makes the view of a frame, streams its tiles, and draws it. */
#include "program/viewer/flight/frame.h"

#include "program/render/gl.h"
#include "program/viewer/flight/instruments.h"

static const float LOADING_PX = 12.0f; /* distance of the text from the corner */

static void ignore_pass_time(void *user, int pass, double ms)
{
    (void)user, (void)pass, (void)ms;
}

/** The moment of the next frame. */
static frame_moment moment_of(const flight *f, double elapsed_s)
{
    return (frame_moment){.time_s = f->clock.time_s, .elapsed_s = f->statistics.n_frames == 0 ? -1.0 : elapsed_s};
}

static bool is_power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

/** Pixels of a frame's side, chosen so that neither the frame's nor the clouds' side is a power of two. Mesa compiles
 * separate programs for textures with sides of powers of two: a step from 384 pixels, with 128 pixels of clouds, to 269
 * stopped a window for eight seconds of processor time. */
static int side_of(const flight *f, int picture_pixels)
{
    const int share = f->budget.quality.cloud_share;
    int pixels = resolution_pixels(&f->resolution, picture_pixels);
    if (!f->resolution.is_following || pixels == picture_pixels || !gl_is_software())
        return pixels;
    while (is_power_of_two(pixels) || is_power_of_two((pixels + share - 1) / share))
        pixels++;
    return pixels;
}

/** Size of a frame for a picture. */
static target_size size_of(const flight *f, int width, int height)
{
    return (target_size){side_of(f, width), side_of(f, height), width, height};
}

/** Make the view of a frame, and the climate and the craters that it shows. *view must not be copied, because it points
 * into itself. */
static result make_view(flight *f, const target_size *size, const frame_moment *moment, frame_view *view)
{
    const double far_m = view_builder_far_m(&f->view_builder);
    result res = climate_map_update(&f->climate, &f->terrain.land, &f->travel.camera, far_m);
    if (res.kind == RESULT_DONE)
        res = crater_rays_update(&f->craters, f->terrain.land.world, &f->travel.camera, f->view_builder.lod_height_m,
                                 far_m);
    view_builder_make(&f->view_builder, size->width, size->height, moment, view);
    return res;
}

/** Make the first view of the flight. *view must not be copied, because it points into itself. */
static result make_first_view(flight *f, const target_size *size, frame_view *view)
{
    const frame_moment moment = moment_of(f, 0.0);
    f->terrain.tree.detail = view_builder_detail(&f->view_builder, size->height);
    return make_view(f, size, &moment, view);
}

result frame_load_some_land(flight *f, int width, int height, double most_s, bool *is_done)
{
    const target_size size = size_of(f, width, height);
    frame_view view;
    const result res = make_first_view(f, &size, &view);
    return res.kind == RESULT_DONE ? terrain_load(&f->terrain, &view.tree, most_s, f->events, is_done) : res;
}

result frame_draw_loading(flight *f, int width, int height, const char *text, bool *is_shown)
{
    shade_progress shaders;
    const target_size size = size_of(f, width, height);
    frame_view view;
    result res = make_first_view(f, &size, &view);
    if (res.kind == RESULT_DONE)
        res = renderer_resize(f->renderer, &size);
    if (res.kind != RESULT_DONE)
        return res;
    renderer_next_frame(f->renderer, 1, ignore_pass_time, NULL);
    res = renderer_draw(f->renderer, &view.render, &f->terrain.tree, f->terrain.pool);
    if (res.kind != RESULT_DONE)
        return res;
    res = renderer_progress(f->renderer, &shaders);
    *is_shown = shaders.is_frame_shaded;
    if (res.kind != RESULT_DONE || !*is_shown)
        return res;
    renderer_text(f->renderer, text, LOADING_PX, LOADING_PX);
    renderer_present(f->renderer, width, height);
    return res;
}

result frame_load_land(flight *f, int width, int height)
{
    if (width <= 0 || height <= 0)
        return result_done();
    const target_size size = size_of(f, width, height);
    frame_view view;
    result res = make_first_view(f, &size, &view);
    if (res.kind == RESULT_DONE)
        res = terrain_complete(&f->terrain, &view.tree, f->events);
    return res.kind == RESULT_DONE ? terrain_look_ahead(&f->terrain, &view.tree) : res;
}

result frame_clear_trees(flight *f, int width, int height)
{
    frame_view view;
    nearby_trees trees;
    terrain_probe *probe = &f->travel.probe;
    const frame_moment moment = moment_of(f, 0.0);
    probe->has_trees = flight_has_trees(f);
    if (!probe->has_trees || width <= 0 || height <= 0)
        return result_done();
    const target_size size = size_of(f, width, height);
    result res = renderer_resize(f->renderer, &size);
    if (res.kind == RESULT_DONE)
        res = make_view(f, &size, &moment, &view);
    if (res.kind != RESULT_DONE)
        return res;
    renderer_find_trees(f->renderer, &view.render, &f->terrain.tree, f->terrain.pool);
    renderer_nearby_trees(f->renderer, &trees);
    terrain_probe_add_trees(probe, &f->travel.camera, &trees);
    pilot_clear_ground(&f->travel.pilot, &f->travel.camera, probe, 0.0);
    return res;
}

result frame_draw(flight *f, int width, int height, double elapsed_s)
{
    frame_view view;
    const target_size size = size_of(f, width, height);
    result res = renderer_resize(f->renderer, &size);
    if (res.kind == RESULT_DONE)
        res = renderer_progress(f->renderer, &f->shaders);
    if (res.kind != RESULT_DONE)
        return res;
    f->frame.width = width;
    f->frame.height = height;
    f->terrain.tree.detail = view_builder_detail(&f->view_builder, size.height);
    view_builder_follow_height(&f->view_builder, travel_height_m(&f->travel), elapsed_s);
    const frame_moment moment = moment_of(f, elapsed_s);
    res = make_view(f, &size, &moment, &view);
    if (res.kind != RESULT_DONE)
        return res;
    f->frame.tree = view.tree;
    res = terrain_stream(&f->terrain, &view.tree, elapsed_s);
    if (res.kind != RESULT_DONE)
        return res;
    res = renderer_draw(f->renderer, &view.render, &f->terrain.tree, f->terrain.pool);
    if (f->layers.shown & 1u << LAYER_HUD || f->is_help)
        instruments_draw(f);
    if (surface_is_window(f->surface))
        renderer_present(f->renderer, width, height);
    return res;
}
