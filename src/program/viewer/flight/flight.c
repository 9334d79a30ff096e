/* flight.c - opens and closes the parts of a flight. */
#include "program/viewer/flight/flight.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program/core/clock.h"
#include "program/core/system.h"
#include "program/render/gl.h"
#include "program/render/shader.h"
#include "program/render/tile_store.h"

static const double MARK_S = 15.0;

bool flight_is_unseen(const flight *f)
{
    return !surface_is_window(f->surface);
}

bool flight_has_trees(const flight *f)
{
    return f->budget.quality.tree_range_m > 0.0 && f->layers.shown & 1u << LAYER_TREES;
}

/** Size of the flight's frames. If the request is larger than FLY_FRAME_MAX, the longer side is reduced to 1024
 * pixels. */
static void frame_size(const fly_request *r, int *width, int *height)
{
    const int most = r->width > r->height ? r->width : r->height;
    const double share = most > FLY_FRAME_MAX ? 1024.0 / most : 1.0;
    *width = (int)fmax(1.0, r->width * share);
    *height = (int)fmax(1.0, r->height * share);
}

/** A free name for the picture of a flight that has no display for its window. */
static const char *fallback_picture(void)
{
    static char name[64] = "terrane.png";
    system_facts facts;
    int number = 0;
    if (system_facts_of_name(name, &facts))
        outputs_next_name("terrane", "png", &number, name, sizeof name);
    return name;
}

/** Whether the request leaves number, use and quality of frames at their defaults. */
static bool has_default_frames(const fly_request *r)
{
    return r->frames == 0 && r->quality == FLY_QUALITY_AUTO && !r->path && !r->film && !r->frames_dir &&
           !r->has_checksums && !r->stats;
}

static result open_surface(flight *f)
{
    bool has_display = false;
    int width, height;
    frame_size(f->request, &width, &height);
    if (f->request->is_headless)
        return surface_open_headless(width, height, &f->surface);
    const result window = surface_open_window(width, height, &has_display, &f->surface);
    if (window.kind == RESULT_DONE || has_display)
        return window;
    char text[900];
    if (!f->screenshot)
        f->screenshot = fallback_picture();
    snprintf(text, sizeof text, "%s; flying headless, picture in %s", window.text, f->screenshot);
    f->events->report(text);
    f->is_one_picture = has_default_frames(f->request);
    return surface_open_headless(width, height, &f->surface);
}

static int choose_quality(const flight *f)
{
    if (f->request->quality != FLY_QUALITY_AUTO)
        return f->request->quality;
    return f->is_one_picture ? FLY_QUALITY_HIGH : budget_usual_quality(f->request, surface_is_window(f->surface));
}

/** Whether the world, or the target of the flight's morph, has rivers and lakes. */
static bool has_water(const flight *f)
{
    const fly_morph *morph = &f->request->morph;
    return landscape_drains(&f->terrain.land) || (morph->is_wanted && morph->params.basis == TER_BASIS_FLUVIAL);
}

static result open_renderer(flight *f)
{
    gl_count_errors();
    f->layers = layers_begin(f->request, surface_is_window(f->surface));
    f->budget = budget_choose(f->request, choose_quality(f), f->layers.asked, has_water(f), f->events->report);
    /* recorded frames must not depend on the progress of shaders, so they get no second context */
    second_context second;
    const bool has_second = gl_is_software() && !budget_keeps_frames(f->request, surface_is_window(f->surface)) &&
                            surface_second_context(f->surface, &second);
    const renderer_options options = {.n_slots = f->budget.n_slots,
                                      .has_water = has_water(f),
                                      .quality = &f->budget.quality,
                                      .is_interrupted = f->events->is_interrupted,
                                      .report = flight_is_unseen(f) ? f->events->report : NULL,
                                      .second = has_second ? &second : NULL};
    shader_bar_begin(&f->shader_bar, f->surface);
    const result res = renderer_create(&options, &f->renderer);
    f->is_over |= shader_bar_end(&f->shader_bar);
    if (res.kind == RESULT_DONE)
        f->resolution = budget_resolution(f->request, f->layers.asked, surface_is_window(f->surface),
                                          renderer_is_timed(f->renderer));
    return res;
}

static result open_terrain(flight *f)
{
    const fly_request *r = f->request;
    const terrain_options options = {.generator = f->generator,
                                     .store = renderer_tiles(f->renderer),
                                     .n_slots = f->budget.n_slots,
                                     .mesh_step = f->budget.quality.mesh_step,
                                     .fine_lods = f->budget.quality.fine_lods,
                                     .rest = flight_is_unseen(f) ? 0.0 : f->budget.rest,
                                     .is_real_time = !flight_is_unseen(f) && !r->film,
                                     .waits_for_tiles = flight_is_unseen(f) && !r->is_impatient,
                                     .has_morphs = r->morph.is_wanted || r->journey_s > 0,
                                     .is_interrupted = f->events->is_interrupted};
    const result res = terrain_open(&f->terrain, &options);
    if (res.kind == RESULT_DONE && ter_generator_backend(f->generator) == TER_BACKEND_CUDA) {
        char text[512];
        snprintf(text, sizeof text, "CUDA-OpenGL interop %s", tile_source_interop(f->terrain.source));
        f->events->report(text);
    }
    return res;
}

/** Say if the requested memory for tiles makes the land coarser than the picture needs. */
static void report_coarse_land(const flight *f)
{
    const fly_request *r = f->request;
    char text[160];
    int width, height;
    surface_size(f->surface, &width, &height);
    const double needed = view_builder_tiles(&f->view_builder, height);
    const double slot_bytes = (double)tile_store_slot_bytes(f->budget.quality.light_side, has_water(f));
    if (r->tile_memory_mb == 0 || needed <= (double)f->terrain.n_slots)
        return;
    snprintf(text, sizeof text, "--tile-memory is %d: the land is coarser than this picture needs, which is %.0f MB",
             r->tile_memory_mb, ceil(needed * slot_bytes / (1 << 20)));
    f->events->report(text);
}

static result open_camera(flight *f)
{
    const fly_request *r = f->request;
    const result res =
        travel_begin(&f->travel, r, ter_generator_backend(f->generator), &f->terrain.land, f->terrain.waits_for_tiles);
    f->view_builder = (view_builder){.camera = &f->travel.camera,
                                     .terrain = &f->terrain,
                                     .sunlight = &f->sunlight,
                                     .layers = &f->layers,
                                     .climate = &f->climate.mixed,
                                     .craters = &f->craters.shown,
                                     .season = r->season,
                                     .planet_radius_m = r->planet_radius_km * 1e3,
                                     .beyond_m = f->budget.quality.beyond_m,
                                     .pixel_error = r->pixel_error,
                                     .lod_height_m = f->travel.pilot.height_m,
                                     .debug = (render_debug)r->debug};
    report_coarse_land(f);
    crater_rays_begin(&f->craters);
    return res.kind == RESULT_DONE ? climate_map_create(&f->climate, r->season) : res;
}

/** Open the recorder for frames of the surface's size. The desktop may have changed the size of a window. */
static result open_recorder(flight *f)
{
    int width, height;
    surface_size(f->surface, &width, &height);
    return recorder_open(f->request, f->events, width, height, &f->recorder);
}

result flight_open(flight *f, const fly_request *r, const fly_events *events, ter_world *world,
                   ter_generator *generator)
{
    static result (*const steps[])(flight *) = {open_surface, open_renderer, open_terrain, open_camera, open_recorder};
    *f = (flight){.request = r,
                  .events = events,
                  .generator = generator,
                  .screenshot = r->screenshot,
                  .seed = ter_world_params(world)->seed,
                  .sunlight = sunlight_begin(r->time_h, r->sun_deg),
                  .clock = {.opened_s = clock_now_s(), .journey_s = r->journey_s}};
    terrain_begin(&f->terrain, world, &r->look);
    shader_set_folder(r->shader_folder);
    result res = travel_place(&f->travel, r);
    if (res.kind == RESULT_DONE)
        res = outputs_prepare(r, &f->outputs);
    for (size_t n = 0; n < sizeof steps / sizeof steps[0] && res.kind == RESULT_DONE; n++)
        res = events->is_interrupted() ? result_of(RESULT_INTERRUPTED, "interrupted") : steps[n](f);
    return res;
}

void flight_close(flight *f)
{
    if (f->surface)
        surface_hide(f->surface); /* closing waits for the shader that is being compiled */
    travel_end(&f->travel);
    climate_map_destroy(&f->climate);
    terrain_close(&f->terrain);
    renderer_destroy(f->renderer);
    surface_close(f->surface);
    outputs_clear(&f->outputs);
}

result flight_mark_ground(flight *f)
{
    char command[512];
    if (f->frame.width <= 0)
        return result_of(RESULT_FAILED, "no ground in view to export: no frame was drawn");
    const camera *c = &f->travel.camera;
    const ter_params *p = ter_world_params(terrain_world_at(&f->terrain, c));
    const result res = ground_mark_find(f->renderer, c, p, &f->view_builder.mark);
    if (res.kind != RESULT_DONE)
        return res;
    f->view_builder.mark_s = MARK_S;
    ground_mark_command(&f->view_builder.mark, p, command, sizeof command);
    surface_copy(f->surface, command);
    if (f->terrain.land.next)
        f->events->report("the land is changing; the command exports the world with the larger share here");
    return f->events->print(command);
}
