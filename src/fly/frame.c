/* frame.c - a frame: what the camera sees, the tiles for it, the drawing. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program/clock.h"
#include "fly/flight.h"
#include "picture/picture.h"
#include "render/read_back.h"

static const float FOV_DEG = 55.0f;
static const double LOAD_S = 20.0; /* the first frame waits for the land at most so long */

/** A coordinate modulo a noise pattern, from the exact cell. */
static double pattern_place(int64_t cell, double offset, double spacing_m, double pattern_m)
{
    return fmod(fmod((double)cell * spacing_m, pattern_m) + offset * spacing_m + pattern_m, pattern_m);
}

double frame_far_m(const flight *f)
{
    const double radius = f->request->planet_radius_km * 1e3,
                 sea_m = landscape_sea_m(&f->land, landscape_share(&f->land, &f->camera));
    const double height = fmax(f->camera.altitude_m - sea_m, 0.0);
    if (radius <= 0.0)
        return fmin(350.0e3 + 14.0 * height, 3.0e6);
    const double peaks = fmin(fmax(f->high_m - sea_m, 0.0), 4000.0);
    return fmin(sqrt(2.0 * radius * height) + sqrt(2.0 * radius * peaks), 4.0e6);
}

static void make_view(const flight *f, int height, double elapsed_s, look *look, render_view *v)
{
    const camera *c = &f->camera;
    const double spacing = ter_world_params(f->land.world)->spacing, share = landscape_share(&f->land, c);
    landscape_look(&f->land, share, look);
    *v = (render_view){
        .fov_deg = FOV_DEG,
        .picture_height = height,
        .cell = {c->cell_x, c->cell_z},
        .offset_x_m = c->offset_x * spacing,
        .offset_z_m = c->offset_z * spacing,
        .pattern_m = {pattern_place(c->cell_x, c->offset_x, spacing, RENDER_PATTERN_M),
                      pattern_place(c->cell_z, c->offset_z, spacing, RENDER_PATTERN_M)},
        .broad_pattern_m = {pattern_place(c->cell_x, c->offset_x, spacing, RENDER_BROAD_PATTERN_M),
                            pattern_place(c->cell_z, c->offset_z, spacing, RENDER_BROAD_PATTERN_M)},
        .planet_radius_m = f->request->planet_radius_km * 1e3,
        .altitude_m = c->altitude_m,
        .sea_m = landscape_sea_m(&f->land, share),
        .lod_height_m = f->lod_height_m,
        .far_m = frame_far_m(f),
        .spacing_m = spacing,
        .highest_m = f->high_m,
        .time_s = f->time_s,
        .elapsed_s = f->statistics.n_frames == 0 ? -1.0 : elapsed_s,
        .look = look,
        .layers = f->layers,
        .debug = (render_debug)f->debug,
        .is_changing = f->land.next != NULL,
    };
    if (f->mark_s > 0.0)
        ground_mark_place(&f->mark, c, spacing, v->mark_m);
    memcpy(v->sun, f->sun, sizeof v->sun);
    memcpy(v->moon, f->moon, sizeof v->moon);
    camera_axes(c, v->right, v->up, v->forward);
}

static void make_quadtree_view(const flight *f, const render_view *v, int width, int height, quadtree_view *q)
{
    const camera *c = &f->camera;
    *q = (quadtree_view){.cell_x = c->cell_x,
                         .cell_z = c->cell_z,
                         .offset_x = c->offset_x,
                         .offset_z = c->offset_z,
                         .height = v->lod_height_m,
                         .far_distance = v->far_m,
                         .planet_radius = v->planet_radius_m,
                         .low = f->low_m - c->altitude_m,
                         .high = f->high_m - c->altitude_m,
                         .altitude = c->altitude_m,
                         .occluder = f->layers & 1u << LAYER_WATER ? fmin(v->sea_m, f->high_m) : f->low_m};
    render_frustum(v, (double)width / height, q->planes);
}

/** Detail for a picture: samples, and the root mean square of what the mesh leaves out, are at most pixel_error pixels large where
 * a level begins; as far as the pool's tiles reach. What a mesh leaves out is the displacement its next finer level adds. */
static double wanted_detail(const flight *f, int height)
{
    static const double DISPLACEMENT_RMS = 0.35; /* of its amplitude: even distribution, and less of it in valleys */
    static const double TILES = 75.0; /* in the pool, times detail squared; 52 are in use at rest, the others on their way */
    const ter_params *p = ter_world_params(f->land.world);
    const double pixel = 2.0 * tan((double)FOV_DEG * 0.5 * 0.017453292519943295) / height * f->request->pixel_error;
    double amplitude[TER_LEVELS_MAX + 1];
    ter_params_amplitudes(p, amplitude);
    const double samples = 1.0 / (TILE_QUADS * pixel), mesh_step = (double)(1 << f->tree.n_parts);
    const double mesh = mesh_step * amplitude[p->levels] * DISPLACEMENT_RMS / (0.5 * TILE_QUADS * p->spacing * pixel);
    const double most = fmin(sqrt((double)f->n_slots / TILES), QUADTREE_DETAIL_MAX);
    return fmax(fmin(fmax(samples, mesh), most), QUADTREE_DETAIL_MIN);
}

/** Bring in tiles; a patient source goes on until nothing is missing. */
static outcome stream_tiles(flight *f, const quadtree_view *view, double elapsed_s)
{
    const bool is_patient = flight_is_patient(f);
    const double start = clock_now_s();
    outcome o = outcome_done();
    for (int round = 0;; round++) {
        size_t n_completed;
        quadtree_update(&f->tree, view, round == 0 ? elapsed_s : 0.0);
        o = tile_source_update(f->source, f->tree.requests, f->tree.n_requests, f->tree.frame, &n_completed);
        f->statistics.n_generated += n_completed;
        if (o.kind != OUTCOME_DONE || !is_patient || n_completed == 0)
            break;
    }
    if (o.kind == OUTCOME_DONE && f->land.next)
        o = tile_source_blend(f->source);
    f->statistics.n_late += f->tree.n_late;
    f->generation_ms = (clock_now_s() - start) * 1e3;
    return o;
}

int frame_lod_below(const flight *f, float *coarser)
{
    int lod = 0;
    while (lod < f->tree.top && quadtree_morph_end(&f->tree, lod) <= f->lod_height_m)
        lod++;
    const double start = quadtree_morph_start(&f->tree, lod), end = quadtree_morph_end(&f->tree, lod);
    const double share = lod < f->tree.top && end > start ? (f->lod_height_m - start) / (end - start) : 0.0;
    *coarser = (float)fmin(fmax(share, 0.0), 1.0);
    return lod;
}

outcome frame_draw(flight *f, int width, int height, double elapsed_s, double frame_s)
{
    look look;
    render_view view;
    quadtree_view tree_view;
    outcome o = renderer_resize(f->renderer, width, height);
    if (o.kind != OUTCOME_DONE)
        return o;
    f->width = width;
    f->height = height;
    f->tree.detail = wanted_detail(f, height);
    const double over_ground = fmax(f->camera.altitude_m - ground_highest(&f->ground, 0.0), 0.0);
    f->lod_height_m += (over_ground - f->lod_height_m) * (1.0 - exp(-elapsed_s / 0.5));
    make_view(f, height, elapsed_s, &look, &view);
    make_quadtree_view(f, &view, width, height, &tree_view);
    o = stream_tiles(f, &tree_view, elapsed_s);
    if (o.kind != OUTCOME_DONE)
        return o;
    renderer_draw(f->renderer, &view, &f->tree, f->pool);
    if (f->layers & 1u << LAYER_HUD || f->is_help)
        instruments_draw(f, frame_s);
    if (surface_is_window(f->surface))
        renderer_present(f->renderer, width, height);
    return outcome_done();
}

/** Update the quadtree and bring in tiles until a view is complete. */
static outcome complete_land(flight *f, const quadtree_view *view, int (*is_interrupted)(void))
{
    const double start = clock_now_s();
    while (!is_interrupted()) {
        size_t n_completed;
        quadtree_update(&f->tree, view, 1e9);
        if (f->tree.n_late == 0)
            return outcome_done();
        if (clock_now_s() - start > LOAD_S) {
            char text[128];
            snprintf(text, sizeof text, "%zu tiles are still missing after %.0f s; the flight begins without them", f->tree.n_late,
                     LOAD_S);
            f->say(text);
            return outcome_done();
        }
        const outcome o = tile_source_update(f->source, f->tree.requests, f->tree.n_requests, f->tree.frame, &n_completed);
        f->statistics.n_generated += n_completed;
        if (o.kind != OUTCOME_DONE)
            return o;
        if (n_completed == 0)
            nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL); /* the worker has it */
    }
    return outcome_of(OUTCOME_INTERRUPTED, "interrupted");
}

outcome frame_load_land(flight *f, int width, int height, int (*is_interrupted)(void))
{
    look look;
    render_view view;
    quadtree_view tree_view;
    if (width <= 0 || height <= 0)
        return outcome_done();
    f->tree.detail = wanted_detail(f, height);
    make_view(f, height, 0.0, &look, &view);
    make_quadtree_view(f, &view, width, height, &tree_view);
    return complete_land(f, &tree_view, is_interrupted);
}

/** Copy a part's pixels into its place of the whole picture. */
static void place_part(const uint8_t *part, int part_width, int part_height, int x, int y, uint8_t *whole, int width)
{
    for (int row = 0; row < part_height; row++)
        memcpy(whole + ((size_t)(y + row) * (size_t)width + (size_t)x) * 3, part + (size_t)row * (size_t)part_width * 3,
               (size_t)part_width * 3);
}

outcome frame_write_large(flight *f, const char *file, int width, int height, int (*is_interrupted)(void))
{
    look look;
    render_view view;
    quadtree_view tree_view;
    uint8_t *whole = malloc((size_t)width * (size_t)height * 3);
    if (!whole)
        return outcome_of(OUTCOME_FAILED, "no memory for a picture of %d x %d", width, height);
    f->tree.detail = wanted_detail(f, height);
    make_view(f, height, 0.0, &look, &view);
    make_quadtree_view(f, &view, width, height, &tree_view);
    view.is_exposed = true; /* as the frame before: all parts alike */
    outcome o = complete_land(f, &tree_view, is_interrupted);
    if (o.kind == OUTCOME_DONE && f->land.next)
        o = tile_source_blend(f->source);
    for (int y = 0; y < height && o.kind == OUTCOME_DONE; y += FLY_FRAME_MAX)
        for (int x = 0; x < width && o.kind == OUTCOME_DONE; x += FLY_FRAME_MAX) {
            const int part_width = width - x < FLY_FRAME_MAX ? width - x : FLY_FRAME_MAX,
                      part_height = height - y < FLY_FRAME_MAX ? height - y : FLY_FRAME_MAX;
            uint8_t *part = NULL;
            view.part = (render_part){.left = (double)x / width,
                                      .top = (double)y / height,
                                      .width = (double)part_width / width,
                                      .height = (double)part_height / height,
                                      .aspect = (double)width / height};
            o = renderer_resize(f->renderer, part_width, part_height);
            if (o.kind == OUTCOME_DONE) {
                renderer_draw(f->renderer, &view, &f->tree, f->pool);
                o = read_back_colors(renderer_framebuffer(f->renderer), part_width, part_height, &part);
            }
            if (o.kind == OUTCOME_DONE)
                place_part(part, part_width, part_height, x, y, whole, width);
            free(part);
        }
    if (o.kind == OUTCOME_DONE)
        o = picture_write(file, whole, width, height);
    free(whole);
    return o;
}
