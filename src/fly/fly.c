/* fly.c - the flight: opens a surface, and frame by frame steers, streams tiles, draws and counts. */
#include "fly/fly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fly/pilot.h"
#include "fly/statistics.h"
#include "fly/sun.h"
#include "fly/surface.h"
#include "fly/tile_source.h"
#include "render/picture.h"
#include "render/shader.h"

static const float FOV_DEG = 55.0f;
static const double ELAPSED_MAX_S = 0.1; /* a stall does not throw the camera far */
static const char *const quality_names[] = {"low", "medium", "high"};
static const char *const FALLBACK_PICTURE = "terrane.png";
static const double HOURS_A_SECOND = 0.5; /* while time runs */

/** What each quality spends. Without a GPU light is coarser and fewer tiles are lit again. */
static const render_quality qualities[3] = {
    {.level = 0, .n_samples = 1, .mesh_step = 8, .light_side = 16, .cloud_share = 2, .n_refreshed = 4, .is_coarse = true},
    {.level = 1, .n_samples = 2, .mesh_step = 4, .light_side = 32, .cloud_share = 2, .n_refreshed = 8},
    {.level = 2, .n_samples = 4, .mesh_step = 4, .light_side = 64, .cloud_share = 1, .n_refreshed = 8},
};
static const int tile_memory_mb[3] = {192, 320, 448}; /* unless asked otherwise */

typedef struct flight {
    const fly_request *request;
    const ter_world *world;
    ter_generator *generator;
    void (*say)(const char *);
    surface *surface;
    renderer *renderer;
    tile_pool *pool;
    tile_source *source;
    quadtree tree;
    uint64_t n_slots; /* of the pool */
    ground ground;
    camera camera;
    pilot pilot;
    double time_s, lod_height_m;
    double time_h; /* of the day, or not a number */
    bool is_time_running;
    float sun[3], moon[3];
    double low_m, high_m; /* the world's heights lie between */
    int width, height;    /* of the last frame, pixels */
    bool is_paused, is_help, is_over;
    unsigned layers;
    int quality, debug, n_pictures;
    const char *screenshot;
    double tiles_ms;
    flight_statistics statistics;
} flight;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- beginning ---- */

static outcome open_surface(flight *f)
{
    const fly_request *r = f->request;
    bool has_display = false;
    if (r->is_headless)
        return surface_open_headless(r->width, r->height, &f->surface);
    const outcome window = surface_open_window(r->width, r->height, &has_display, &f->surface);
    if (window.kind == OUTCOME_DONE || has_display)
        return window;
    char text[900];
    if (!f->screenshot)
        f->screenshot = FALLBACK_PICTURE;
    snprintf(text, sizeof text, "%s; flying headless, picture in %s", window.text, f->screenshot);
    f->say(text);
    return surface_open_headless(r->width, r->height, &f->surface);
}

/** Bounds of any height: the base plus all displacements, once more for the overshoot of the four-point rule. */
static void bound_heights(flight *f)
{
    const ter_params *p = ter_world_params(f->world);
    double reach = 0.0, a = p->amplitude;
    for (int k = 0; k <= p->levels; k++) {
        reach += a;
        a *= k < p->broad ? p->broad_gain : p->gain;
    }
    f->low_m = p->base - 1.25 * reach;
    f->high_m = p->base + 1.25 * reach;
}

static outcome open_renderer(flight *f)
{
    const ter_params *p = ter_world_params(f->world);
    gl_watch();
    f->quality = f->request->quality;
    if (f->quality == FLY_QUALITY_AUTO)
        f->quality = gl_is_software() ? 0 : 2;
    /* Without the sky what shows through the land is counted: a pixel is one sample then, background or not. */
    render_quality quality = qualities[f->quality];
    if (!(f->layers & 1u << LAYER_SKY))
        quality.n_samples = 1;
    if (gl_is_software() && quality.light_side > 32)
        quality.light_side = 32;
    const int megabytes = f->request->tile_memory_mb > 0 ? f->request->tile_memory_mb : tile_memory_mb[f->quality];
    const uint64_t n_slots = ((uint64_t)megabytes << 20) / tile_store_slot_bytes(quality.light_side);
    outcome o = renderer_create((uint32_t)n_slots, &quality, &f->renderer);
    if (o.kind != OUTCOME_DONE)
        return o;
    f->pool = tile_pool_create((uint32_t)n_slots);
    if (!f->pool)
        return outcome_of(OUTCOME_FAILED, "no memory for the tile pool");
    int n_parts = 0;
    while (quality.mesh_step >> n_parts > 1)
        n_parts++;
    quadtree_init(&f->tree, f->pool, p, QUADTREE_DETAIL_MIN, n_parts);
    f->n_slots = n_slots;
    o = tile_source_create(f->generator, f->world, renderer_tiles(f->renderer), f->pool, !surface_is_window(f->surface),
                           &f->source);
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
    camera_place(&f->camera, r->at[0], r->at[1]);
    camera_turn(&f->camera, r->heading_deg, r->pitch_deg);
    const outcome o = ground_create(f->generator, f->world, &f->camera, &f->ground);
    f->camera.altitude_m = ground_highest(&f->ground, 0.0) + fmax(r->altitude_m, PILOT_MIN_CLEARANCE_M);
    f->lod_height_m = r->altitude_m;
    f->pilot = (pilot){.is_autopilot = true, .speed = r->speed, .height_m = r->altitude_m};
    camera_course(&f->camera, r->speed, f->camera.velocity);
    return o;
}

static outcome begin(flight *f)
{
    outcome o = open_surface(f);
    if (o.kind == OUTCOME_DONE)
        o = open_renderer(f);
    if (o.kind == OUTCOME_DONE)
        o = place_camera(f);
    bound_heights(f);
    return o;
}

static void end(flight *f)
{
    ground_destroy(&f->ground);
    tile_source_destroy(f->source);
    tile_pool_destroy(f->pool);
    renderer_destroy(f->renderer);
    surface_close(f->surface);
    flight_statistics_free(&f->statistics);
}

/* ---- a frame ---- */

/** A coordinate modulo a noise pattern, from the exact cell. */
static double pattern_place(int64_t cell, double offset, double spacing_m, double pattern_m)
{
    return fmod(fmod((double)cell * spacing_m, pattern_m) + offset * spacing_m + pattern_m, pattern_m);
}

static double far_distance(const flight *f)
{
    const double radius = f->request->planet_radius_km * 1e3;
    const double height = fmax(f->camera.altitude_m - ter_world_params(f->world)->sea, 0.0);
    if (radius <= 0.0)
        return fmin(350.0e3 + 14.0 * height, 3.0e6);
    const double peaks = fmin(fmax(f->high_m - ter_world_params(f->world)->sea, 0.0), 4000.0);
    return fmin(sqrt(2.0 * radius * height) + sqrt(2.0 * radius * peaks), 4.0e6);
}

static void make_view(const flight *f, double elapsed_s, render_view *v)
{
    const ter_params *p = ter_world_params(f->world);
    const camera *c = &f->camera;
    *v = (render_view){
        .fov_deg = FOV_DEG,
        .cell = {c->cell_x, c->cell_z},
        .offset_x_m = c->offset_x * p->spacing,
        .offset_z_m = c->offset_z * p->spacing,
        .pattern_m = {pattern_place(c->cell_x, c->offset_x, p->spacing, RENDER_PATTERN_M),
                      pattern_place(c->cell_z, c->offset_z, p->spacing, RENDER_PATTERN_M)},
        .broad_pattern_m = {pattern_place(c->cell_x, c->offset_x, p->spacing, RENDER_BROAD_PATTERN_M),
                            pattern_place(c->cell_z, c->offset_z, p->spacing, RENDER_BROAD_PATTERN_M)},
        .planet_radius_m = f->request->planet_radius_km * 1e3,
        .altitude_m = c->altitude_m,
        .sea_m = p->sea,
        .lod_height_m = f->lod_height_m,
        .far_m = far_distance(f),
        .spacing_m = p->spacing,
        .highest_m = f->high_m,
        .time_s = f->time_s,
        .elapsed_s = f->statistics.n_frames == 0 ? -1.0 : elapsed_s,
        .look = &f->request->look,
        .layers = f->layers,
        .debug = (render_debug)f->debug,
    };
    memcpy(v->sun, f->sun, sizeof v->sun);
    memcpy(v->moon, f->moon, sizeof v->moon);
    camera_axes(c, v->right, v->up, v->forward);
}

static void make_quadtree_view(const flight *f, const render_view *v, quadtree_view *q)
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
    renderer_frustum(f->renderer, v, q->planes);
}

/** Detail for a picture: samples, and the root mean square of what the mesh leaves out, are at most pixel_error pixels large where
 * a level begins; as far as the pool's tiles reach. What a mesh leaves out is the displacement its next finer level adds. */
static double wanted_detail(const flight *f, int height)
{
    static const double DISPLACEMENT_RMS = 0.35; /* of its amplitude: even distribution, and less of it in valleys */
    static const double TILES = 60.0;            /* in the pool, times detail squared; seen over worlds of 20 levels */
    const ter_params *p = ter_world_params(f->world);
    const double pixel = 2.0 * tan((double)FOV_DEG * 0.5 * 0.017453292519943295) / height * f->request->pixel_error;
    double finest = p->amplitude;
    for (int k = 0; k < p->levels; k++)
        finest *= k < p->broad ? p->broad_gain : p->gain;
    const double samples = 1.0 / (TILE_QUADS * pixel);
    const double mesh = qualities[f->quality].mesh_step * finest * DISPLACEMENT_RMS / (0.5 * TILE_QUADS * p->spacing * pixel);
    const double most = fmin(sqrt((double)f->n_slots / TILES), QUADTREE_DETAIL_MAX);
    return fmax(fmin(fmax(samples, mesh), most), QUADTREE_DETAIL_MIN);
}

/** Bring in tiles; a patient source goes on until nothing is missing. */
static outcome stream_tiles(flight *f, const quadtree_view *view, double elapsed_s)
{
    const bool is_patient = !surface_is_window(f->surface);
    outcome o = outcome_done();
    for (int round = 0;; round++) {
        size_t n_completed;
        quadtree_update(&f->tree, view, round == 0 ? elapsed_s : 0.0);
        o = tile_source_update(f->source, f->tree.requests, f->tree.n_requests, f->tree.frame, &n_completed);
        f->statistics.n_generated += n_completed;
        if (o.kind != OUTCOME_DONE || !is_patient || n_completed == 0)
            break;
    }
    f->statistics.n_late += f->tree.n_late;
    return o;
}

/** The level of detail under the camera. */
static int lod_below(const flight *f)
{
    int lod = 0;
    while (lod < f->tree.top && f->tree.shown[lod] <= f->lod_height_m)
        lod++;
    return lod;
}

static outcome write_picture(flight *f, const char *path)
{
    uint8_t *pixels = NULL;
    outcome o = picture_read(renderer_framebuffer(f->renderer), f->width, f->height, &pixels);
    if (o.kind == OUTCOME_DONE)
        o = picture_write(path, pixels, f->width, f->height);
    free(pixels);
    if (o.kind == OUTCOME_DONE) {
        char text[1200];
        snprintf(text, sizeof text, "picture: %s", path);
        f->say(text);
    }
    return o;
}

static void draw_instruments(flight *f, double frame_s)
{
    char text[2048];
    const ter_params *p = ter_world_params(f->world);
    const camera *c = &f->camera;
    const gpu_timer *t = renderer_timer(f->renderer);
    const double speed = sqrt(c->velocity[0] * c->velocity[0] + c->velocity[1] * c->velocity[1] + c->velocity[2] * c->velocity[2]);
    snprintf(text, sizeof text,
             "x %.0f  z %.0f\n%.0f m over ground, %.0f m over sea\nheading %03.0f, %.1f m/s%s%s\n%.0f fps, %zu tiles, %llu "
             "kilotriangles\n"
             "gpu ms: tiles %.2f air %.2f terrain %.2f clouds %.2f shade %.2f\nbackend %s, late tiles %zu\nH help\n",
             camera_x(c), camera_z(c), c->altitude_m - ground_highest(&f->ground, 0.0), c->altitude_m - p->sea, c->heading_deg,
             speed, f->pilot.is_autopilot ? ", autopilot" : "", f->is_paused ? ", paused" : "", frame_s > 0 ? 1.0 / frame_s : 0.0,
             f->tree.n_tiles, (unsigned long long)(renderer_triangles(f->renderer) / 1000), t->last_ms[PASS_TILES],
             t->last_ms[PASS_AIR], t->last_ms[PASS_TERRAIN], t->last_ms[PASS_CLOUDS], t->last_ms[PASS_SHADE],
             ter_backend_name(ter_generator_backend(f->generator)), f->tree.n_late);
    if (f->is_help)
        keys_describe(text, sizeof text);
    renderer_text(f->renderer, text, 12.0f, 12.0f);
}

static outcome handle_keys(flight *f, const surface_input *input)
{
    if (input->n_pressed[ACTION_PAUSE] % 2)
        f->is_paused = !f->is_paused;
    if (input->n_pressed[ACTION_HUD] % 2)
        f->layers ^= 1u << LAYER_HUD;
    if (input->n_pressed[ACTION_HELP] % 2)
        f->is_help = !f->is_help;
    if (input->n_pressed[ACTION_TIME] % 2) {
        f->is_time_running = !f->is_time_running;
        f->time_h = isnan(f->time_h) ? 12.0 : f->time_h;
    }
    f->debug = (f->debug + input->n_pressed[ACTION_DEBUG]) % (DEBUG_WIRE + 1);
    if (input->n_pressed[ACTION_FULLSCREEN] % 2)
        surface_toggle_fullscreen(f->surface);
    for (int n = 0; n < input->n_pressed[ACTION_LEAVE]; n++)
        f->is_over |= !surface_release_mouse(f->surface);
    f->is_over |= input->is_closed;
    if (input->n_pressed[ACTION_SCREENSHOT] == 0 || f->width == 0)
        return outcome_done();
    char path[64];
    do /* pictures of earlier flights stay */
        snprintf(path, sizeof path, "terrane-%d.png", ++f->n_pictures);
    while (access(path, F_OK) == 0);
    const outcome o = write_picture(f, path);
    if (o.kind != OUTCOME_DONE)
        f->say(o.text); /* the flight goes on */
    return outcome_done();
}

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
    snprintf(s->first_gl_error, sizeof s->first_gl_error, "%s", gl_first_error());
}

static outcome draw_frame(flight *f, int width, int height, double elapsed_s, double frame_s)
{
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
    make_view(f, elapsed_s, &view);
    make_quadtree_view(f, &view, &tree_view);
    o = stream_tiles(f, &tree_view, elapsed_s);
    if (o.kind != OUTCOME_DONE)
        return o;
    renderer_draw(f->renderer, &view, &f->tree, f->pool);
    if (f->layers & 1u << LAYER_HUD || f->is_help)
        draw_instruments(f, frame_s);
    if (surface_is_window(f->surface))
        renderer_present(f->renderer, width, height);
    return outcome_done();
}

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

/** The first frame waits until the land is complete, so that a flight does not begin with it unfolding. */
static outcome load_land(flight *f, int width, int height)
{
    render_view view;
    quadtree_view tree_view;
    const double start = now_s();
    size_t n_completed;
    outcome o = renderer_resize(f->renderer, width, height);
    f->tree.detail = wanted_detail(f, height);
    make_view(f, 0.0, &view);
    if (o.kind == OUTCOME_DONE)
        make_quadtree_view(f, &view, &tree_view);
    while (o.kind == OUTCOME_DONE) {
        quadtree_update(&f->tree, &tree_view, 1e9);
        if (f->tree.n_late == 0 || now_s() - start > 10.0)
            break;
        o = tile_source_update(f->source, f->tree.requests, f->tree.n_requests, f->tree.frame, &n_completed);
        f->statistics.n_generated += n_completed;
    }
    return o;
}

static outcome fly_frames(flight *f, int (*is_interrupted)(void))
{
    const fly_request *r = f->request;
    const bool is_window = surface_is_window(f->surface);
    const uint64_t frames = r->frames > 0 ? (uint64_t)r->frames : is_window ? UINT64_MAX : FLY_HEADLESS_FRAMES;
    int width, height;
    surface_size(f->surface, &width, &height);
    outcome o = load_land(f, width, height);
    double last = now_s(), frame_s = 1.0 / r->fps;
    while (o.kind == OUTCOME_DONE && !f->is_over && f->statistics.n_frames < frames) {
        surface_input input;
        gpu_timer_next_frame(renderer_timer(f->renderer), add_pass_time, f); /* may wait for the GPU */
        const double start = now_s();
        surface_poll(f->surface, &input);
        o = handle_keys(f, &input);
        if (o.kind != OUTCOME_DONE)
            break;
        surface_size(f->surface, &width, &height);
        const double elapsed_s = is_window ? fmin(frame_s, ELAPSED_MAX_S) : 1.0 / r->fps;
        pilot_steer(&f->pilot, &f->camera, &input);
        if (!f->is_paused) {
            pilot_move(&f->pilot, &f->camera, &f->ground, &input, ter_world_params(f->world)->spacing, elapsed_s);
            f->time_s += elapsed_s;
        }
        place_sun(f, elapsed_s);
        o = ground_update(&f->ground, &f->camera, lod_below(f), elapsed_s, f->statistics.n_frames);
        if (o.kind == OUTCOME_DONE && width > 0 && height > 0)
            o = draw_frame(f, width, height, elapsed_s, frame_s);
        const double cpu_s = now_s() - start;
        surface_show(f->surface);
        const double now = now_s();
        frame_s = now - last;
        last = now;
        count_frame(f, frame_s, cpu_s);
        if (is_interrupted())
            o = outcome_of(OUTCOME_INTERRUPTED, "interrupted");
    }
    return o;
}

static outcome write_results(flight *f)
{
    const fly_request *r = f->request;
    outcome o = outcome_done();
    for (int n = 0; n < GPU_TIMER_FRAMES; n++)
        gpu_timer_next_frame(renderer_timer(f->renderer), add_pass_time, f);
    if (f->screenshot)
        o = write_picture(f, f->screenshot);
    const flight_facts facts = {.min_clearance_m = f->ground.min_clearance_m,
                                .altitude_latency_frames = f->ground.latency_max,
                                .backend = ter_backend_name(ter_generator_backend(f->generator)),
                                .interop = tile_source_interop(f->source),
                                .gl_renderer = gl_describe(),
                                .width = r->width,
                                .height = r->height,
                                .fps = r->fps,
                                .at = {r->at[0], r->at[1]},
                                .altitude_m = r->altitude_m,
                                .heading_deg = r->heading_deg,
                                .pitch_deg = r->pitch_deg,
                                .speed = r->speed,
                                .quality = quality_names[f->quality],
                                .layers = r->layer_names,
                                .world = f->world};
    if (o.kind == OUTCOME_DONE && r->stats)
        o = flight_statistics_write(&f->statistics, &facts, r->stats);
    return o;
}

outcome fly_run(const fly_request *request, const ter_world *world, ter_generator *generator, void (*say)(const char *text),
                int (*is_interrupted)(void))
{
    flight *f = calloc(1, sizeof *f);
    if (!f)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    f->request = request;
    f->world = world;
    f->generator = generator;
    f->say = say;
    f->layers = request->layers;
    f->debug = request->debug;
    f->time_h = request->time_h;
    f->screenshot = request->screenshot;
    shader_set_folder(request->shader_folder);
    outcome o = begin(f);
    if (o.kind == OUTCOME_DONE)
        o = fly_frames(f, is_interrupted);
    if (o.kind == OUTCOME_DONE)
        o = write_results(f);
    if (o.kind == OUTCOME_DONE && f->statistics.n_gl_errors > 0)
        o = outcome_of(OUTCOME_FAILED, "%d OpenGL errors, the first: %s", f->statistics.n_gl_errors, f->statistics.first_gl_error);
    end(f);
    free(f);
    return o;
}
