/* fly.c - the flight: opens a surface, and frame by frame steers, draws and counts. */
#include "fly/fly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program/clock.h"
#include "fly/flight.h"
#include "fly/sun.h"
#include "picture/picture.h"
#include "render/read_back.h"
#include "render/shader.h"

static const double ELAPSED_MAX_S = 0.1;  /* a stall does not throw the camera far */
static const double HOURS_A_SECOND = 0.5; /* while time runs */
static const double JOURNEY_MORPH_S = 20.0;
static const char *const quality_names[] = {"low", "medium", "high"};
static const char *const FALLBACK_PICTURE = "terrane.png";
enum { RELOAD_FRAMES = 15 }; /* between looks at the shader folder */

/** What each quality spends. Without a GPU light is coarser and fewer tiles are lit again. */
static const render_quality qualities[3] = {
    {.level = 0, .n_samples = 1, .mesh_step = 8, .light_side = 16, .cloud_share = 2, .n_refreshed = 4, .is_coarse = true},
    {.level = 1, .n_samples = 2, .mesh_step = 4, .light_side = 32, .cloud_share = 2, .n_refreshed = 8},
    {.level = 2, .n_samples = 4, .mesh_step = 4, .light_side = 64, .cloud_share = 1, .n_refreshed = 8},
};
static const int tile_memory_mb[3] = {192, 384, 640}; /* unless asked otherwise */

static int frames_a_second(const fly_request *r)
{
    return r->fps > 0 ? r->fps : 60;
}

bool flight_is_patient(const flight *f)
{
    return !surface_is_window(f->surface) && !f->request->is_impatient;
}

/* ---- beginning ---- */

/** Size of the flight's frames. */
static void frame_size(const fly_request *r, int *width, int *height)
{
    const int most = r->width > r->height ? r->width : r->height;
    const double share = most > FLY_FRAME_MAX ? 1024.0 / most : 1.0;
    *width = (int)fmax(1.0, r->width * share);
    *height = (int)fmax(1.0, r->height * share);
}

static outcome open_surface(flight *f)
{
    const fly_request *r = f->request;
    bool has_display = false;
    int width, height;
    frame_size(r, &width, &height);
    if (r->is_headless)
        return surface_open_headless(width, height, &f->surface);
    const outcome window = surface_open_window(width, height, &has_display, &f->surface);
    if (window.kind == OUTCOME_DONE || has_display)
        return window;
    char text[900];
    if (!f->screenshot)
        f->screenshot = FALLBACK_PICTURE;
    snprintf(text, sizeof text, "%s; flying headless, picture in %s", window.text, f->screenshot);
    f->say(text);
    return surface_open_headless(width, height, &f->surface);
}

static outcome open_renderer(flight *f)
{
    gl_watch();
    f->quality = f->request->quality;
    if (f->quality == FLY_QUALITY_AUTO)
        f->quality = gl_is_software() ? 0 : 2;
    render_quality quality = qualities[f->quality];
    /* Without the sky what shows through the land is counted: a pixel is one sample then, background or not. */
    if (!(f->layers & 1u << LAYER_SKY))
        quality.n_samples = 1;
    if (gl_is_software() && quality.light_side > 32)
        quality.light_side = 32;
    const int megabytes = f->request->tile_memory_mb > 0 ? f->request->tile_memory_mb : tile_memory_mb[f->quality];
    f->n_slots = ((uint64_t)megabytes << 20) / tile_store_slot_bytes(quality.light_side);
    const uint64_t most = tile_store_slots_max();
    if (f->n_slots > most) {
        char text[128];
        f->n_slots = most;
        snprintf(text, sizeof text, "--tile-memory is %d, this OpenGL takes at most %llu", megabytes,
                 (unsigned long long)(most * tile_store_slot_bytes(quality.light_side) >> 20));
        if (f->request->tile_memory_mb > 0)
            f->say(text);
    }
    const outcome o = renderer_create((uint32_t)f->n_slots, &quality, &f->renderer);
    if (o.kind != OUTCOME_DONE)
        return o;
    f->pool = tile_pool_create((uint32_t)f->n_slots);
    if (!f->pool)
        return outcome_of(OUTCOME_FAILED, "no memory for the tile pool");
    int n_parts = 0;
    while (quality.mesh_step >> n_parts > 1)
        n_parts++;
    quadtree_init(&f->tree, f->pool, ter_world_params(f->land.world), QUADTREE_DETAIL_MIN, n_parts);
    return o;
}

static outcome open_source(flight *f)
{
    const outcome o = tile_source_create(f->generator, &f->land, renderer_tiles(f->renderer), f->pool, f->n_slots,
                                         flight_is_patient(f), &f->source);
    if (o.kind == OUTCOME_DONE && ter_generator_backend(f->generator) == TER_BACKEND_CUDA) {
        char text[512];
        snprintf(text, sizeof text, "CUDA-OpenGL interop %s", tile_source_interop(f->source));
        f->say(text);
    }
    return o;
}

static outcome place_camera(flight *f)
{
    const fly_request *r = f->request;
    path_point view;
    outcome o = outcome_done();
    camera_place(&f->camera, r->at[0], r->at[1]);
    camera_turn(&f->camera, r->heading_deg, r->pitch_deg);
    if (r->path)
        o = path_read(r->path, &f->path);
    if (o.kind == OUTCOME_DONE && r->view)
        o = path_parse_view(r->view, &view);
    if (o.kind == OUTCOME_DONE && r->view)
        path_point_place(&view, &f->camera);
    if (o.kind == OUTCOME_DONE && r->path)
        path_point_place(&f->path.points[0], &f->camera);
    if (o.kind == OUTCOME_DONE)
        o = ground_create(f->generator, &f->land, &f->camera, &f->ground);
    if (o.kind != OUTCOME_DONE)
        return o;
    const double ground_m = ground_highest(&f->ground, 0.0);
    if (r->view || r->path)
        f->camera.altitude_m = fmax(f->camera.altitude_m, ground_m + r->min_clearance_m);
    else
        f->camera.altitude_m = ground_m + fmax(r->altitude_m, r->min_clearance_m);
    const double height_m = f->camera.altitude_m - ground_m;
    f->lod_height_m = height_m;
    f->pilot = (pilot){.is_autopilot = true, .speed = r->speed, .height_m = height_m, .min_clearance_m = r->min_clearance_m};
    camera_course(&f->camera, r->speed, f->camera.velocity);
    f->start = f->camera;
    return o;
}

static outcome begin(flight *f)
{
    const fly_request *r = f->request;
    outcome o = open_surface(f);
    if (o.kind == OUTCOME_DONE)
        o = open_renderer(f);
    if (o.kind == OUTCOME_DONE)
        o = open_source(f);
    if (o.kind == OUTCOME_DONE)
        o = place_camera(f);
    landscape_bounds(&f->land, &f->low_m, &f->high_m);
    int width = r->width, height = r->height;
    if (o.kind == OUTCOME_DONE)
        surface_size(f->surface, &width, &height); /* of a window as the desktop makes it */
    const recorder_request wanted = {.film = r->film,
                                     .folder = r->frames_dir,
                                     .may_replace = r->may_replace,
                                     .has_checksums = r->has_checksums,
                                     .width = width,
                                     .height = height,
                                     .fps = frames_a_second(r)};
    return o.kind == OUTCOME_DONE ? recorder_open(&wanted, &f->recorder) : o;
}

static void end(flight *f)
{
    ground_destroy(&f->ground);
    tile_source_destroy(f->source);
    tile_pool_destroy(f->pool);
    renderer_destroy(f->renderer);
    surface_close(f->surface);
    path_free(&f->path);
    path_free(&f->recorded);
    landscape_destroy(&f->land);
    flight_statistics_free(&f->statistics);
}

/* ---- time ---- */

static void place_sun(flight *f, double elapsed_s)
{
    const double *at = f->request->sun_deg;
    if (isnan(f->time_h)) {
        sun_at_place(at[0], at[1], f->sun, f->moon);
        return;
    }
    if (f->is_time_running)
        f->time_h = fmod(f->time_h + elapsed_s * HOURS_A_SECOND, 24.0);
    sun_at_time(f->time_h, f->sun, f->moon);
}

outcome flight_morph(flight *f, const ter_params *params, const look *look, double seconds, bool is_front)
{
    if (f->land.next)
        return outcome_done(); /* one at a time */
    if (params->levels < f->tree.top)
        return outcome_of(OUTCOME_USAGE, "this land can only become a world of at least %d levels, not %d", f->tree.top,
                          params->levels);
    outcome o = landscape_morph(&f->land, params, look, seconds, is_front, &f->camera);
    if (o.kind != OUTCOME_DONE)
        return o;
    o = tile_source_begin_morph(f->source, f->tree.frame);
    if (o.kind != OUTCOME_DONE) { /* the land stays as it is */
        tile_source_end_morph(f->source);
        landscape_stay(&f->land);
        return o;
    }
    quadtree_admit(&f->tree, params);
    landscape_bounds(&f->land, &f->low_m, &f->high_m);
    f->statistics.n_morphs++;
    return o;
}

/** Let the landscape change: morphs that are under way, and those that a journey begins. */
static outcome change_landscape(flight *f, double elapsed_s)
{
    const fly_request *r = f->request;
    outcome o = outcome_done();
    if (r->journey_s > 0 && (f->journey_s -= elapsed_s) <= 0) {
        f->journey_s = r->journey_s;
        o = controls_morph_on(f, fmin(JOURNEY_MORPH_S, 0.8 * r->journey_s), true);
    }
    if (o.kind == OUTCOME_DONE && landscape_advance(&f->land, elapsed_s, frame_far_m(f))) {
        o = tile_source_blend(f->source); /* the next world, bit for bit */
        landscape_arrive(&f->land);
        tile_source_end_morph(f->source);
        landscape_bounds(&f->land, &f->low_m, &f->high_m);
    }
    return o;
}

/** Along the path, at the end of which a flight without a number of frames is over. */
static void follow_path(flight *f, double elapsed_s)
{
    path_point at;
    const path *p = &f->path;
    const double t = p->points[0].time_s + f->time_s, spacing = ter_world_params(f->land.world)->spacing;
    const double before[3] = {camera_x(&f->camera), f->camera.altitude_m, camera_z(&f->camera)};
    path_at(p, t, &at);
    path_point_place(&at, &f->camera);
    if (elapsed_s > 0) {
        f->camera.velocity[0] = (camera_x(&f->camera) - before[0]) * spacing / elapsed_s;
        f->camera.velocity[1] = (f->camera.altitude_m - before[1]) / elapsed_s;
        f->camera.velocity[2] = (camera_z(&f->camera) - before[2]) * spacing / elapsed_s;
    }
    pilot_clear_ground(&f->pilot, &f->camera, &f->ground, elapsed_s);
    f->is_over |= f->request->frames == 0 && t >= p->points[p->count - 1].time_s;
}

static outcome advance(flight *f, const surface_input *input, double elapsed_s)
{
    const double passed_s = f->is_paused ? 0.0 : elapsed_s;
    float coarser;
    f->time_s += passed_s;
    f->mark_s -= elapsed_s;
    pilot_steer(&f->pilot, &f->camera, input, elapsed_s);
    outcome o = change_landscape(f, passed_s);
    if (f->path.count > 0)
        follow_path(f, passed_s);
    else if (!f->is_paused)
        pilot_move(&f->pilot, &f->camera, &f->ground, input, ter_world_params(f->land.world)->spacing, passed_s);
    place_sun(f, elapsed_s);
    const int lod = frame_lod_below(f, &coarser);
    if (o.kind == OUTCOME_DONE)
        o = ground_update(&f->ground, &f->camera, lod, coarser, elapsed_s, f->statistics.n_frames);
    if (!f->is_paused)
        pilot_clear_ground(&f->pilot, &f->camera, &f->ground, elapsed_s); /* an answer that came at once counts in this frame */
    ground_note_altitude(&f->ground, &f->camera, f->statistics.n_frames);
    return o;
}

/* ---- frames ---- */

static void add_pass_time(void *user, int pass, double ms)
{
    flight *f = user;
    time_list_add(&f->statistics.pass[pass], ms);
}

static void count_frame(flight *f, double frame_s, double cpu_s)
{
    flight_statistics *s = &f->statistics;
    s->n_frames++;
    if (s->n_frames > 1)
        time_list_add(&s->frame, frame_s * 1e3);
    time_list_add(&s->cpu, cpu_s * 1e3);
    s->n_tiles_max = f->tree.n_tiles > s->n_tiles_max ? f->tree.n_tiles : s->n_tiles_max;
    const uint64_t triangles = renderer_triangles(f->renderer);
    s->n_triangles_max = triangles > s->n_triangles_max ? triangles : s->n_triangles_max;
    s->n_gl_errors = gl_error_count();
}

/** One frame; elapsed_s of the flight pass in it. */
static outcome fly_frame(flight *f, double elapsed_s, double frame_s)
{
    surface_input input;
    int width, height;
    if (f->statistics.n_frames % RELOAD_FRAMES == 0)
        renderer_reload(f->renderer, f->say);
    surface_poll(f->surface, &input);
    controls_handle(f, &input);
    outcome o = advance(f, &input, elapsed_s);
    surface_size(f->surface, &width, &height);
    if (width <= 0 || height <= 0)
        surface_rest(f->surface); /* minimised */
    else if (o.kind == OUTCOME_DONE)
        o = frame_draw(f, width, height, f->is_paused ? 0.0 : elapsed_s, frame_s);
    if (o.kind == OUTCOME_DONE && f->recorder && f->width > 0)
        o = recorder_add(f->recorder, renderer_framebuffer(f->renderer), f->width, f->height, f->statistics.n_frames);
    return o.kind == OUTCOME_DONE ? gl_check_context() : o;
}

/** A window that is asked for fewer frames a second than it could show waits. */
static void wait_until(double time_s)
{
    const double left_s = time_s - clock_now_s();
    if (left_s > 0) {
        const struct timespec t = {(time_t)left_s, (long)(fmod(left_s, 1.0) * 1e9)};
        nanosleep(&t, NULL);
    }
}

static outcome fly_frames(flight *f, int (*is_interrupted)(void))
{
    const fly_request *r = f->request;
    const bool is_window = surface_is_window(f->surface), is_real_time = is_window && !r->film;
    const int fps = frames_a_second(r);
    const uint64_t frames = r->frames > 0 ? (uint64_t)r->frames : is_window || r->path ? UINT64_MAX : FLY_HEADLESS_FRAMES;
    int width, height;
    surface_size(f->surface, &width, &height);
    place_sun(f, 0.0);
    outcome o = frame_load_land(f, width, height, is_interrupted);
    if (o.kind == OUTCOME_DONE && r->morph.is_wanted)
        o = flight_morph(f, &r->morph.params, &r->morph.look, r->morph.seconds, r->is_front);
    double last = clock_now_s(), frame_s = 1.0 / fps;
    while (o.kind == OUTCOME_DONE && !f->is_over && f->statistics.n_frames < frames) {
        gpu_timer_next_frame(renderer_timer(f->renderer), add_pass_time, f); /* may wait for the GPU */
        const double start = clock_now_s();
        o = fly_frame(f, is_real_time ? fmin(frame_s, ELAPSED_MAX_S) : 1.0 / fps, frame_s);
        const double cpu_s = clock_now_s() - start;
        surface_show(f->surface);
        if (is_window && r->fps > 0)
            wait_until(last + 1.0 / fps);
        const double now = clock_now_s();
        frame_s = now - last;
        last = now;
        if (o.kind == OUTCOME_DONE)
            count_frame(f, frame_s, cpu_s);
        if (is_interrupted())
            o = outcome_of(OUTCOME_INTERRUPTED, "interrupted");
    }
    return o;
}

/* ---- results ---- */

static outcome say_picture(flight *f, const char *file, outcome o)
{
    char text[1200];
    snprintf(text, sizeof text, "picture: %s", file);
    if (o.kind == OUTCOME_DONE)
        f->say(text);
    return o;
}

outcome flight_write_picture(flight *f, const char *file)
{
    uint8_t *pixels = NULL;
    if (f->width <= 0)
        return outcome_of(OUTCOME_FAILED, "no picture for '%s': no frame was drawn", file);
    outcome o = read_back_colors(renderer_framebuffer(f->renderer), f->width, f->height, &pixels);
    if (o.kind == OUTCOME_DONE)
        o = picture_write(file, pixels, f->width, f->height);
    free(pixels);
    return say_picture(f, file, o);
}

outcome flight_mark_ground(flight *f)
{
    static const double MARK_S = 15.0;
    char command[512];
    if (f->width <= 0)
        return outcome_of(OUTCOME_FAILED, "no ground in view to export: no frame was drawn");
    const bool is_next = f->land.next && landscape_share(&f->land, &f->camera) > 0.5;
    const ter_params *p = ter_world_params(is_next ? f->land.next : f->land.world);
    const outcome o = ground_mark_find(f->renderer, &f->camera, p, &f->mark);
    if (o.kind != OUTCOME_DONE)
        return o;
    f->mark_s = MARK_S;
    ground_mark_command(&f->mark, p, command, sizeof command);
    surface_copy(f->surface, command);
    printf("%s\n", command);
    fflush(stdout);
    if (f->land.next)
        f->say("the land is changing; the command exports the world that shows more");
    return o;
}

static outcome write_screenshot(flight *f, int (*is_interrupted)(void))
{
    const fly_request *r = f->request;
    if (r->width <= FLY_FRAME_MAX && r->height <= FLY_FRAME_MAX)
        return flight_write_picture(f, f->screenshot);
    return say_picture(f, f->screenshot, frame_write_large(f, f->screenshot, r->width, r->height, is_interrupted));
}

static outcome write_results(flight *f, int (*is_interrupted)(void))
{
    const fly_request *r = f->request;
    outcome o = outcome_done();
    for (int n = 0; n < GPU_TIMER_FRAMES; n++)
        gpu_timer_next_frame(renderer_timer(f->renderer), add_pass_time, f);
    if (r->is_view_exported) {
        o = flight_mark_ground(f);
        if (o.kind == OUTCOME_DONE)
            o = frame_draw(f, f->width, f->height, 0.0, 0.0); /* again, with the mark */
    }
    if (o.kind == OUTCOME_DONE && f->screenshot)
        o = write_screenshot(f, is_interrupted);
    edge_count edges = {0};
    if (o.kind == OUTCOME_DONE && r->stats)
        o = edges_compare(renderer_tiles(f->renderer), &f->tree, &edges);
    const flight_facts facts = {.min_clearance_m = f->ground.min_clearance_m,
                                .altitude_latency_frames = f->ground.latency_max,
                                .backend = ter_backend_name(ter_generator_backend(f->generator)),
                                .interop = tile_source_interop(f->source),
                                .gl_renderer = gl_describe(),
                                .width = r->width,
                                .height = r->height,
                                .fps = frames_a_second(r),
                                .at = {r->at[0], r->at[1]},
                                .seed = f->seed,
                                .altitude_m = r->altitude_m,
                                .heading_deg = r->heading_deg,
                                .pitch_deg = r->pitch_deg,
                                .speed = r->speed,
                                .quality = quality_names[f->quality],
                                .layers = r->layer_names,
                                .pixel_error = r->pixel_error,
                                .n_slots = f->n_slots,
                                .edges = edges,
                                .world = f->land.world};
    if (o.kind == OUTCOME_DONE && r->stats)
        o = flight_statistics_write(&f->statistics, &facts, r->stats);
    return o;
}

outcome fly_run(const fly_request *request, ter_world *world, ter_generator *generator, void (*say)(const char *text),
                int (*is_interrupted)(void))
{
    flight *f = calloc(1, sizeof *f);
    if (!f) {
        ter_world_destroy(world);
        return outcome_of(OUTCOME_FAILED, "out of memory");
    }
    f->request = request;
    f->generator = generator;
    f->say = say;
    f->layers = request->layers;
    f->debug = request->debug;
    f->time_h = request->time_h;
    f->journey_s = request->journey_s;
    f->screenshot = request->screenshot;
    f->seed = ter_world_params(world)->seed;
    landscape_create(&f->land, world, &request->look);
    shader_set_folder(request->shader_folder);
    outcome o = begin(f);
    if (o.kind == OUTCOME_DONE)
        o = fly_frames(f, is_interrupted);
    controls_finish(f);
    const outcome recorded = recorder_close(f->recorder, o.kind == OUTCOME_DONE);
    if (o.kind == OUTCOME_DONE)
        o = recorded;
    if (o.kind == OUTCOME_DONE)
        o = write_results(f, is_interrupted);
    if (o.kind == OUTCOME_DONE && f->statistics.n_gl_errors > 0)
        o = outcome_of(OUTCOME_FAILED, "%d OpenGL errors, the first: %s", f->statistics.n_gl_errors, gl_error_text(0));
    end(f);
    free(f);
    return o;
}
