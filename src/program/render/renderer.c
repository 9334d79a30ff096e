/* renderer.c - runs the passes of a frame in order. */
#include "program/render/renderer.h"

#include <cglm/cglm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/clock.h"
#include "program/render/air.h"
#include "program/render/frame_block.h"
#include "program/render/ocean.h"
#include "program/render/pixels.h"
#include "program/render/plant_table.h"
#include "program/render/shade_pass.h"
#include "program/render/shader.h"
#include "program/render/targets.h"
#include "program/render/terrain_pass.h"
#include "program/render/text.h"
#include "program/render/weather.h"

const char *const render_pass_names[PASSES] = {"tiles", "air",   "terrain", "forest", "clouds",
                                               "sea",   "shade", "display", "hud"};

enum { UNIT_DEPTHS = 7, UNIT_CLOUDS = 9, UNIT_LIGHT = 11, BUFFER_PLACES = 2, BUFFER_FRAME_LIGHT = 3 };
static const float TEXT_PX = 18.0f;
/* Longest wait for the end of a frame. With a lost context a frame never ends; gl_check_context reports the loss. */
static const GLuint64 FRAME_WAIT_NS = UINT64_C(10000000000);

struct renderer {
    tile_store *tiles;
    gpu_timer timer;
    terrain_pass *terrain;
    forest *forest; /* NULL: the quality has no trees */
    shade_pass *shade;
    text_layer *text;
    air *air;
    ocean *ocean;
    weather *weather;
    targets targets;
    render_quality quality;
    int (*is_interrupted)(void);
    void (*report)(const char *text);
    GLuint ambient, clouds, exposure, display, upscale, view_ground; /* programs */
    GLuint frame, frame_light;                                       /* buffers */
    GLsync frames[GPU_TIMER_FRAMES];                                 /* fences at the ends of the last frames */
    unsigned n_frames;                                               /* begun so far */
    float lit_from[3]; /* direction of the sun or moon for which tiles are lit now */
    size_t n_stale;    /* tiles that may still be lit for an older direction */
    uint32_t n_slots;
    uint64_t n_triangles;
};

/* ---- life ---- */

static result make_programs(renderer *r)
{
    char defines[PIXELS_DEFINES];
    pixels_defines(&r->quality, defines, sizeof defines);
    const shader_file files[] = {
        {"ambient.comp", defines, &r->ambient},   {"clouds.comp", defines, &r->clouds},
        {"exposure.comp", defines, &r->exposure}, {"display.comp", defines, &r->display},
        {"upscale.comp", defines, &r->upscale},   {"view_ground.comp", defines, &r->view_ground}};
    return shader_compute_all(files, sizeof files / sizeof files[0]);
}

static void make_buffers(renderer *r)
{
    static const float dark[8 + 4 * SKIES] = {0};
    glCreateBuffers(1, &r->frame);
    glNamedBufferStorage(r->frame, sizeof(frame_block), NULL, GL_DYNAMIC_STORAGE_BIT);
    float canopy[CANOPY_MOISTS][CANOPY_HEATS][8];
    plant_canopy(canopy);
    glNamedBufferSubData(r->frame, offsetof(frame_block, canopy), sizeof canopy, canopy);
    glCreateBuffers(1, &r->frame_light);
    glNamedBufferStorage(r->frame_light, sizeof dark, dark, 0);
}

/** Create the passes and what they share. */
static result create_passes(renderer *r, const renderer_options *options)
{
    const render_quality *quality = &r->quality;
    const tile_store_options tiles = {.n_slots = options->n_slots,
                                      .light_side = quality->light_side,
                                      .has_water = options->has_water,
                                      .is_interrupted = options->is_interrupted};
    result res = tile_store_create(&tiles, &r->tiles);
    if (res.kind == RESULT_DONE)
        res = terrain_pass_create(quality, &r->terrain);
    if (res.kind == RESULT_DONE && r->targets.has_plants)
        res = forest_create(quality, &r->forest);
    if (res.kind == RESULT_DONE)
        res = make_programs(r);
    if (res.kind == RESULT_DONE)
        res = shade_pass_create(quality, options->second, &r->shade);
    if (res.kind == RESULT_DONE)
        res = air_create(quality->is_coarse, &r->air);
    if (res.kind == RESULT_DONE)
        res = ocean_create(quality->level, &r->ocean);
    if (res.kind == RESULT_DONE)
        res = weather_create(quality->is_coarse, &r->weather);
    if (res.kind == RESULT_DONE)
        res = text_layer_create(TEXT_PX, &r->text);
    return res;
}

result renderer_create(const renderer_options *options, renderer **out)
{
    renderer *r = calloc(1, sizeof *r);
    if (!r)
        return result_of(RESULT_FAILED, "out of memory");
    r->quality = *options->quality;
    r->n_slots = options->n_slots;
    r->is_interrupted = options->is_interrupted;
    r->report = options->report;
    r->targets.n_samples = r->quality.n_samples;
    r->targets.cloud_share = r->quality.cloud_share;
    r->targets.is_land_computed = !gl_is_software();
    r->targets.has_plants = r->quality.tree_range_m > 0.0;
    const result res = create_passes(r, options);
    gpu_timer_create(&r->timer);
    if (res.kind != RESULT_DONE) {
        renderer_destroy(r);
        return res;
    }
    make_buffers(r);
    *out = r;
    return res;
}

void renderer_destroy(renderer *r)
{
    if (!r)
        return;
    targets_destroy(&r->targets);
    gpu_timer_destroy(&r->timer);
    text_layer_destroy(r->text);
    ocean_destroy(r->ocean);
    weather_destroy(r->weather);
    air_destroy(r->air);
    forest_destroy(r->forest);
    shade_pass_destroy(r->shade);
    terrain_pass_destroy(r->terrain);
    tile_store_destroy(r->tiles);
    GLuint *const programs[] = {&r->ambient, &r->clouds, &r->exposure, &r->display, &r->upscale, &r->view_ground};
    for (size_t n = 0; n < sizeof programs / sizeof programs[0]; n++)
        shader_delete(programs[n]);
    for (int n = 0; n < GPU_TIMER_FRAMES; n++)
        glDeleteSync(r->frames[n]);
    const GLuint buffers[2] = {r->frame, r->frame_light};
    glDeleteBuffers(2, buffers);
    free(r);
}

tile_store *renderer_tiles(renderer *r)
{
    return r->tiles;
}

void renderer_reload(renderer *r, void (*report)(const char *text))
{
    if (!shader_reload(report))
        return;
    air_forget(r->air);
    weather_forget(r->weather);
}

result renderer_resize(renderer *r, const target_size *size)
{
    return targets_resize(&r->targets, size);
}

/* ---- frames in flight ---- */

/** Fence of the frame that lies `before` frames before the current one. */
static GLsync *end_of_frame(renderer *r, unsigned before)
{
    return &r->frames[(r->n_frames + GPU_TIMER_FRAMES - 1 - before) % GPU_TIMER_FRAMES];
}

void renderer_next_frame(renderer *r, unsigned behind, gpu_timer_result *result, void *user)
{
    r->n_frames++;
    if (*end_of_frame(r, behind))
        glClientWaitSync(*end_of_frame(r, behind), GL_SYNC_FLUSH_COMMANDS_BIT, FRAME_WAIT_NS);
    /* The entry of the new frame has the fence of the oldest frame. Clear it, for the new frame may set no fence. */
    glDeleteSync(*end_of_frame(r, 0));
    *end_of_frame(r, 0) = NULL;
    gpu_timer_next_frame(&r->timer, result, user);
}

/** Set the fence of the current frame. */
static void end_frame(renderer *r)
{
    *end_of_frame(r, 0) = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

void renderer_finish(renderer *r, gpu_timer_result *result, void *user)
{
    glFinish();
    for (int n = 0; n < GPU_TIMER_FRAMES; n++)
        gpu_timer_next_frame(&r->timer, result, user);
}

double renderer_pass_ms(const renderer *r, render_pass pass)
{
    return r->timer.last_ms[pass];
}

bool renderer_is_timed(const renderer *r)
{
    return r->timer.can_measure;
}

double renderer_frame_ms(const renderer *r)
{
    double sum = 0.0;
    for (int pass = 0; pass < PASSES; pass++)
        sum += r->timer.last_ms[pass];
    return sum;
}

/* ---- passes ---- */

static void draw_pixels(const renderer *r, GLuint program, GLuint image, GLenum format, int width, int height)
{
    const pixel_image target = {image, format, width, height};
    pixels_draw(program, &target, r->is_interrupted);
}

static bool has_clouds(const render_view *v, const frame_block *b)
{
    return v->layers & 1u << LAYER_CLOUDS && b->cloud_cover > 0.0f;
}

static void make_air(renderer *r, const render_view *v, const frame_block *b)
{
    const air_state state = {.haze = b->haze,
                             .density = b->air_density,
                             .radius_km = b->air_radius,
                             .sun = {v->sun[0], v->sun[1], v->sun[2]},
                             .altitude_m = b->camera[1]};
    if (has_clouds(v, b))
        weather_update(r->weather, b);
    air_update(r->air, &state);
    glUseProgram(r->ambient);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static void draw_terrain(renderer *r, const render_view *v, const quadtree *tree)
{
    r->n_triangles = 0;
    if (v->layers & 1u << LAYER_TERRAIN)
        r->n_triangles = terrain_pass_draw(r->terrain, &r->targets, tree, v->debug == DEBUG_WIRE);
    else
        terrain_pass_clear(r->terrain, &r->targets);
}

static void draw_clouds(const renderer *r)
{
    const targets *t = &r->targets;
    const int share = t->cloud_share;
    draw_pixels(r, r->clouds, t->clouds, GL_RGBA16F, (t->size.width + share - 1) / share,
                (t->size.height + share - 1) / share);
}

/** Scale a smaller frame up to its picture. Quality level 0 filters linearly, which takes the CPU a third of the time
 * of upscale.comp. */
static void scale_up(const renderer *r)
{
    const targets *t = &r->targets;
    const target_size *s = &t->size;
    if (r->quality.level == 0) {
        glBlitNamedFramebuffer(t->small, t->framebuffer, 0, 0, s->width, s->height, 0, 0, s->picture_width,
                               s->picture_height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
        return;
    }
    glBindTextureUnit(UNIT_LIGHT, t->frame);
    draw_pixels(r, r->upscale, t->picture, GL_RGBA8, s->picture_width, s->picture_height);
}

static void draw_display(renderer *r, const render_view *v)
{
    const targets *t = &r->targets;
    glBindTextureUnit(UNIT_LIGHT, t->light);
    if (!v->is_exposed) {
        glUseProgram(r->exposure);
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    draw_pixels(r, r->display, t->frame, GL_RGBA8, t->size.width, t->size.height);
    if (targets_are_scaled(t))
        scale_up(r);
}

/** Number of old tiles whose light this frame recomputes. Usually these are a few. After a change of the light or the
 * land more tiles are recomputed, minus this frame's new tiles, until all tiles are up to date. */
static size_t tiles_to_refresh(renderer *r, const render_view *v, frame_block *b)
{
    const size_t few = r->quality.n_refreshed, n_new = tile_store_new(r->tiles), most = 8 * few;
    const size_t many = n_new + few < most ? most - n_new : few;
    if (v->is_changing || glm_vec3_dot(r->lit_from, b->key) < 0.99999f) {
        memcpy(r->lit_from, b->key, sizeof r->lit_from);
        r->n_stale = r->n_slots;
    }
    if (r->n_stale == 0 && v->elapsed_s == 0.0)
        return 0; /* paused: successive pictures must be equal */
    const size_t count = r->n_stale > many ? many : r->n_stale > few ? r->n_stale : few;
    r->n_stale -= count < r->n_stale ? count : r->n_stale;
    return count;
}

static void bind_frame(const renderer *r, const render_view *v, const quadtree *tree, frame_block *block)
{
    const target_size *size = &r->targets.size;
    frame_block_fill(block, v, &r->quality, tree, size->width, size->height);
    glNamedBufferSubData(r->frame, 0, offsetof(frame_block, canopy), block); /* the canopy does not change */
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->frame);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_FRAME_LIGHT, r->frame_light);
}

/** Bind the textures of the shade pass before the other passes. While those run, a thread can compile the programs of
 * the shade pass for these textures. */
static void begin_shading(const renderer *r)
{
    const targets *t = &r->targets;
    air_bind(r->air);
    weather_bind(r->weather);
    ocean_bind(r->ocean);
    tile_store_bind(r->tiles);
    glBindTextureUnit(UNIT_DEPTHS, t->depth);
    glBindTextureUnit(UNIT_CLOUDS, t->clouds);
    shade_pass_begin(r->shade, t);
}

void renderer_find_trees(renderer *r, const render_view *v, const quadtree *tree, tile_pool *pool)
{
    frame_block block;
    if (!r->forest)
        return;
    bind_frame(r, v, tree, &block);
    tile_store_work(r->tiles, pool, tree, v->cell, 0);
    forest_find(r->forest, v, &block);
}

static void draw_forest(renderer *r, const render_view *v, const frame_block *block)
{
    if (!r->forest)
        return;
    gpu_timer_begin(&r->timer, PASS_FOREST);
    forest_place(r->forest, v, block, r->n_frames % GPU_TIMER_FRAMES);
    forest_draw(r->forest, &r->targets);
    forest_bind(r->forest, &r->targets);
    gpu_timer_end(&r->timer);
}

result renderer_draw(renderer *r, const render_view *v, const quadtree *tree, tile_pool *pool)
{
    frame_block block;
    gpu_timer *timer = &r->timer;
    const shade_watch watch = {r->is_interrupted, r->report, clock_now_s()};
    const targets *t = &r->targets;
    bind_frame(r, v, tree, &block);
    begin_shading(r);

    gpu_timer_begin(timer, PASS_TILES);
    tile_store_work(r->tiles, pool, tree, v->cell, tiles_to_refresh(r, v, &block));
    gpu_timer_end(timer);
    gpu_timer_begin(timer, PASS_AIR);
    make_air(r, v, &block);
    gpu_timer_end(timer);
    gpu_timer_begin(timer, PASS_TERRAIN);
    draw_terrain(r, v, tree);
    gpu_timer_end(timer);

    draw_forest(r, v, &block);
    glBindTextureUnit(UNIT_DEPTHS, t->depth);
    glBindTextureUnit(UNIT_CLOUDS, t->clouds);
    if (has_clouds(v, &block)) {
        gpu_timer_begin(timer, PASS_CLOUDS);
        draw_clouds(r);
        gpu_timer_end(timer);
    }
    gpu_timer_begin(timer, PASS_SEA);
    ocean_update(r->ocean, v, ocean_is_in_view(v));
    gpu_timer_end(timer);
    gpu_timer_begin(timer, PASS_SHADE);
    const result res = shade_pass_draw(r->shade, t, tree->n_tiles > 0 || tree->n_late == 0, &watch);
    gpu_timer_end(timer);
    gpu_timer_begin(timer, PASS_DISPLAY);
    draw_display(r, v);
    gpu_timer_end(timer);
    end_frame(r);
    return res;
}

void renderer_text(renderer *r, const char *text, float x, float y)
{
    const target_size *size = &r->targets.size;
    glBindFramebuffer(GL_FRAMEBUFFER, r->targets.framebuffer);
    glViewport(0, 0, size->picture_width, size->picture_height);
    gpu_timer_begin(&r->timer, PASS_HUD);
    text_layer_draw(r->text, text, x, y, size->picture_width, size->picture_height);
    gpu_timer_end(&r->timer);
}

void renderer_present(const renderer *r, int width, int height)
{
    const target_size *size = &r->targets.size;
    glBlitNamedFramebuffer(r->targets.framebuffer, 0, 0, 0, size->picture_width, size->picture_height, 0, 0, width,
                           height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

void renderer_view_ground(renderer *r, float places[RENDER_PLACES][4])
{
    GLuint buffer;
    const GLsizeiptr bytes = RENDER_PLACES * 4 * (GLsizeiptr)sizeof(float);
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, bytes, NULL, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_PLACES, buffer);
    glBindTextureUnit(UNIT_DEPTHS, r->targets.depth);
    glUseProgram(r->view_ground);
    glDispatchCompute(RENDER_PLACES_WIDE / 8, RENDER_PLACES / RENDER_PLACES_WIDE / 8, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(buffer, 0, bytes, places);
    glDeleteBuffers(1, &buffer);
}

GLuint renderer_framebuffer(const renderer *r)
{
    return r->targets.framebuffer;
}

bool renderer_nearby_trees(const renderer *r, nearby_trees *out)
{
    *out = (nearby_trees){0};
    if (r->forest)
        forest_nearby_trees(r->forest, r->n_frames % GPU_TIMER_FRAMES, out);
    return out->count > 0;
}

const forest *renderer_forest(const renderer *r)
{
    return r->forest;
}

uint64_t renderer_triangles(const renderer *r)
{
    return r->n_triangles;
}

result renderer_progress(renderer *r, shade_progress *out)
{
    return shade_pass_progress(r->shade, out);
}
