/* renderer.c - the frame's uniforms, and the passes. */
#include "render/renderer.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/air.h"
#include "render/shader.h"
#include "render/targets.h"
#include "render/text.h"

const char *const render_pass_names[PASSES] = {"tiles", "air", "terrain", "clouds", "shade", "display", "hud"};
const char *const render_layer_names[LAYERS] = {"terrain", "water", "sky", "clouds", "shadows", "hud"};

static const float NEAR_M = 0.25f;
static const float MOONLIGHT = 0.0016f;        /* of sunlight: brighter than the real moon, so that the eye need not adapt as far */
static const double AIR_RADIUS_MAX_KM = 20000; /* of the air: beyond, heights get lost in single precision */
static const float FLAT_RADIUS_KM = 6371;      /* of the air over a flat land */
static const float CLOUD_SPEED[2] = {9.0f, 4.0f}; /* m/s, east and south */

enum { UNIT_DEPTHS = 7, UNIT_CLOUDS = 9, UNIT_LIGHT = 11, BUFFER_PLACES = 2, BUFFER_FRAME_LIGHT = 3 };

/** Uniform block of frame.glsl, std140. */
typedef struct frame_block {
    mat4 view_projection, inverse_view_projection;
    float camera[4], sun[4], key[4], moon[4], world[4], pattern[4], planet[4], picture[4], wind[4], climate[4], weather[4], mark[4];
    float colors[LOOK_COLORS][4];
    int32_t options[4], more[4];
    float morph[TILE_LODS][4], part_morph[QUADTREE_PARTS_MAX + 1][4], pages_at[TILE_LODS][4];
} frame_block;

struct renderer {
    tile_store *tiles;
    gpu_timer timer;
    text_layer *text;
    air *air;
    targets targets;
    render_quality quality;
    GLuint terrain, ambient, clouds, shade, exposure, display, view_ground; /* programs */
    GLuint frame, instances, frame_light;                                   /* buffers */
    GLuint grid_indices, tile_array;
    GLsizei n_grid_indices;
    float lit_from[3]; /* direction the tiles' shadows are for */
    size_t n_stale;    /* tiles that may still have shadows for another one */
    uint32_t n_slots;
    uint64_t n_triangles;
};

/* ---- life ---- */

/** Indices of a quads x quads grid; both triangles of a quad share the diagonal from its north-west corner. */
static GLsizei make_grid(unsigned quads, GLuint *buffer)
{
    uint16_t *indices = malloc((size_t)quads * quads * 6 * sizeof *indices), *at = indices;
    for (unsigned j = 0; indices && j < quads; j++)
        for (unsigned i = 0; i < quads; i++) {
            const uint16_t nw = (uint16_t)(j * (quads + 1) + i), sw = (uint16_t)(nw + quads + 1);
            const uint16_t corners[6] = {nw, sw, (uint16_t)(sw + 1), nw, (uint16_t)(sw + 1), (uint16_t)(nw + 1)};
            memcpy(at, corners, sizeof corners);
            at += 6;
        }
    const GLsizei count = (GLsizei)(quads * quads * 6);
    glCreateBuffers(1, buffer);
    glNamedBufferStorage(*buffer, count * (GLsizeiptr)sizeof *indices, indices, 0);
    free(indices);
    return count;
}

static void make_arrays(renderer *r)
{
    static const float dark[8] = {0};
    glCreateBuffers(1, &r->instances);
    glNamedBufferStorage(r->instances, QUADTREE_TILES_MAX * 4 * sizeof(int32_t), NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &r->frame);
    glNamedBufferStorage(r->frame, sizeof(frame_block), NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &r->frame_light);
    glNamedBufferStorage(r->frame_light, sizeof dark, dark, 0);
    r->n_grid_indices = make_grid((unsigned)(TILE_QUADS / r->quality.mesh_step), &r->grid_indices);
    glCreateVertexArrays(1, &r->tile_array);
    glVertexArrayVertexBuffer(r->tile_array, 0, r->instances, 0, 4 * sizeof(int32_t));
    glVertexArrayBindingDivisor(r->tile_array, 0, 1);
    glEnableVertexArrayAttrib(r->tile_array, 0);
    glVertexArrayAttribIFormat(r->tile_array, 0, 4, GL_INT, 0);
    glVertexArrayAttribBinding(r->tile_array, 0, 0);
    glVertexArrayElementBuffer(r->tile_array, r->grid_indices);
}

static outcome make_programs(renderer *r)
{
    char samples[64];
    snprintf(samples, sizeof samples, "#define PIXEL_SAMPLES %d\n", r->quality.n_samples);
    const struct {
        const char *name;
        GLuint *program;
    } programs[] = {{"ambient.comp", &r->ambient},   {"clouds.comp", &r->clouds},   {"shade.comp", &r->shade},
                    {"exposure.comp", &r->exposure}, {"display.comp", &r->display}, {"view_ground.comp", &r->view_ground}};
    outcome o = shader_program("terrain.vert", NULL, &r->terrain);
    for (size_t n = 0; n < sizeof programs / sizeof programs[0] && o.kind == OUTCOME_DONE; n++)
        o = shader_compute(programs[n].name, samples, programs[n].program);
    return o;
}

outcome renderer_create(uint32_t n_slots, const render_quality *quality, renderer **out)
{
    renderer *r = calloc(1, sizeof *r);
    if (!r)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    r->quality = *quality;
    r->n_slots = n_slots;
    r->targets.n_samples = quality->n_samples;
    r->targets.cloud_share = quality->cloud_share;
    outcome o = tile_store_create(n_slots, quality->light_side, &r->tiles);
    if (o.kind == OUTCOME_DONE)
        o = make_programs(r);
    if (o.kind == OUTCOME_DONE)
        o = air_create(quality->is_coarse, &r->air);
    if (o.kind == OUTCOME_DONE)
        o = text_layer_create(18.0f, &r->text);
    gpu_timer_create(&r->timer);
    if (o.kind != OUTCOME_DONE) {
        renderer_destroy(r);
        return o;
    }
    make_arrays(r);
    *out = r;
    return o;
}

void renderer_destroy(renderer *r)
{
    if (!r)
        return;
    targets_destroy(&r->targets);
    gpu_timer_destroy(&r->timer);
    text_layer_destroy(r->text);
    air_destroy(r->air);
    tile_store_destroy(r->tiles);
    GLuint *const programs[7] = {&r->terrain, &r->ambient, &r->clouds, &r->shade, &r->exposure, &r->display, &r->view_ground};
    for (int n = 0; n < 7; n++)
        shader_delete(programs[n]);
    const GLuint buffers[4] = {r->frame, r->instances, r->grid_indices, r->frame_light};
    glDeleteBuffers(4, buffers);
    glDeleteVertexArrays(1, &r->tile_array);
    free(r);
}

tile_store *renderer_tiles(renderer *r)
{
    return r->tiles;
}

gpu_timer *renderer_timer(renderer *r)
{
    return &r->timer;
}

void renderer_reload(renderer *r, void (*say)(const char *text))
{
    if (shader_reload(say))
        air_forget(r->air);
}

outcome renderer_resize(renderer *r, int width, int height)
{
    return targets_resize(&r->targets, width, height);
}

/* ---- camera ---- */

/** Rotation of a view, rows right, up, backward. */
static void view_rotation(const render_view *v, mat4 m)
{
    glm_mat4_identity(m);
    for (int n = 0; n < 3; n++) {
        m[n][0] = v->right[n];
        m[n][1] = v->up[n];
        m[n][2] = -v->forward[n];
    }
}

/** Reverse-Z projection with the far plane at infinity: depth is near / distance. A part of a picture is stretched over the frame.
 */
static void projection(const renderer *r, const render_view *v, mat4 m)
{
    const float f = 1.0f / tanf(glm_rad(v->fov_deg) * 0.5f);
    const bool is_part = v->part[2] > 0.0;
    const float aspect = is_part ? (float)v->aspect : (float)r->targets.width / (float)r->targets.height;
    const float wide = is_part ? (float)(1.0 / v->part[2]) : 1.0f, tall = is_part ? (float)(1.0 / v->part[3]) : 1.0f;
    glm_mat4_zero(m);
    m[0][0] = wide * f / aspect;
    m[1][1] = tall * f;
    m[2][3] = -1.0f;
    m[3][2] = NEAR_M;
    if (is_part) { /* move the part's middle to the frame's; -z is the homogeneous distance */
        m[2][0] = wide * (float)(2.0 * v->part[0] + v->part[2] - 1.0);
        m[2][1] = -tall * (float)(2.0 * v->part[1] + v->part[3] - 1.0);
    }
}

void render_frustum(const render_view *v, double aspect, double planes[5][4])
{
    const double tall = tan(glm_rad(v->fov_deg) * 0.5), wide = tall * aspect;
    const double sides[5][3] = {{1, 0, wide}, {-1, 0, wide}, {0, 1, tall}, {0, -1, tall}, {0, 0, 1}}; /* of right, up, forward */
    for (int p = 0; p < 5; p++) {
        for (int n = 0; n < 3; n++)
            planes[p][n] = sides[p][0] * (double)v->right[n] + sides[p][1] * (double)v->up[n] + sides[p][2] * (double)v->forward[n];
        planes[p][3] = 0.0;
    }
}

/* ---- uniforms ---- */

static void set(float to[4], double x, double y, double z, double w)
{
    to[0] = (float)x;
    to[1] = (float)y;
    to[2] = (float)z;
    to[3] = (float)w;
}

/** The light that casts shadows: the sun until it has set, then the moon. */
static void fill_lights(const render_view *v, frame_block *b)
{
    const float night = v->look->air > 0.0 ? glm_smoothstep(0.0f, -0.14f, v->sun[1]) : 0.0f;
    const bool is_sun = v->sun[1] > -0.045f;
    const float *key = is_sun ? v->sun : v->moon;
    set(b->sun, v->sun[0], v->sun[1], v->sun[2], v->look->haze);
    set(b->moon, v->moon[0], v->moon[1], v->moon[2], night);
    set(b->key, key[0], key[1], key[2], is_sun ? 1.0f : MOONLIGHT * glm_smoothstep(-0.045f, -0.12f, v->sun[1]));
}

static void fill_look(const renderer *r, const render_view *v, frame_block *b)
{
    const look *l = v->look;
    const double drift_s = fmod(v->time_s, 1.0e6);
    set(b->climate, l->tree_line_m, l->snow_line_m, l->aridity, l->strata);
    set(b->weather, l->air > 0.0 ? l->clouds : 0.0, l->cloud_base_m, l->cloud_depth_m, l->air);
    set(b->wind, fmod(CLOUD_SPEED[0] * drift_s, RENDER_PATTERN_M), fmod(CLOUD_SPEED[1] * drift_s, RENDER_PATTERN_M), v->elapsed_s,
        0);
    for (int n = 0; n < LOOK_COLORS; n++)
        set(b->colors[n], (double)l->colors[n][0], (double)l->colors[n][1], (double)l->colors[n][2], 1.0);
    b->options[0] = r->quality.mesh_step;
    b->options[1] = (int32_t)v->debug;
    b->options[2] = r->quality.level;
    b->options[3] = (int32_t)v->layers;
    b->more[1] = r->quality.light_side;
    b->more[2] = l->is_plain;
}

/** Where a level begins to morph, the reciprocal of the way, and where it has ended. */
static void set_morph(float to[4], double start, double end, bool never)
{
    if (never)
        set(to, 3.0e37, 1.0, 3.0e38, 0);
    else if (end > start)
        set(to, start, 1.0 / (end - start), end, 0);
    else
        set(to, 0, 1.0, 0, 0);
}

/** Place of the camera in samples of each level, modulo the page table: small numbers, wherever in the world it is. */
static void fill_levels(const render_view *v, const quadtree *tree, frame_block *b)
{
    for (int lod = 0; lod < TILE_LODS; lod++) {
        const bool is_top = lod >= tree->top;
        const int64_t size = INT64_C(1) << lod, period = (int64_t)QUADTREE_PAGES * TILE_QUADS << lod;
        double place[2];
        for (int n = 0; n < 2; n++) {
            const int64_t cell = ((v->cell[n] % period) + period) % period;
            place[n] = ((double)cell + (n == 0 ? v->offset_x_m : v->offset_z_m) / v->spacing_m) / (double)size;
        }
        set_morph(b->morph[lod], is_top ? 0 : quadtree_morph_start(tree, lod), is_top ? 0 : quadtree_morph_end(tree, lod), is_top);
        set(b->pages_at[lod], place[0], place[1], 1.0 / ((double)size * v->spacing_m), 0);
    }
    for (int part = 1; part <= tree->n_parts; part++)
        set_morph(b->part_morph[part], quadtree_part_morph_start(tree, part), quadtree_part_morph_end(tree, part), false);
    b->more[0] = tree->top;
}

static void fill_frame(const renderer *r, const render_view *v, const quadtree *tree, frame_block *b)
{
    mat4 rotation, project;
    const targets *t = &r->targets;
    memset(b, 0, sizeof *b);
    view_rotation(v, rotation);
    projection(r, v, project);
    glm_mat4_mul(project, rotation, b->view_projection);
    glm_mat4_inv_precise(b->view_projection, b->inverse_view_projection);
    set(b->camera, v->offset_x_m, v->altitude_m, v->offset_z_m, fmod(v->time_s, 4096.0));
    set(b->world, v->spacing_m, v->sea_m, v->lod_height_m, v->highest_m);
    set(b->pattern, v->pattern_m[0], v->pattern_m[1], v->broad_pattern_m[0], v->broad_pattern_m[1]);
    set(b->planet, v->planet_radius_m > 0 ? 0.5 / v->planet_radius_m : 0.0,
        v->planet_radius_m > 0 ? fmin(v->planet_radius_m * 1e-3, AIR_RADIUS_MAX_KM) : (double)FLAT_RADIUS_KM,
        2.0 * tan((double)glm_rad(v->fov_deg) * 0.5) / v->picture_height, v->far_m);
    set(b->picture, t->width, t->height, 1.0 / t->width, 1.0 / t->height);
    set(b->mark, v->mark_m[0], v->mark_m[1], v->mark_m[2], v->mark_m[3]);
    fill_lights(v, b);
    fill_look(r, v, b);
    fill_levels(v, tree, b);
}

/* ---- passes ---- */

static void draw_terrain(renderer *r, const render_view *v, const quadtree *tree)
{
    static const float farthest = 0.0f;
    glBindFramebuffer(GL_FRAMEBUFFER, r->targets.land);
    glViewport(0, 0, r->targets.width, r->targets.height);
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glClearNamedFramebufferfv(r->targets.land, GL_DEPTH, 0, &farthest);
    r->n_triangles = 0;
    if (!(v->layers & 1u << LAYER_TERRAIN))
        return;
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glEnable(GL_CULL_FACE);
    glUseProgram(r->terrain);
    glBindVertexArray(r->tile_array);
    glPolygonMode(GL_FRONT_AND_BACK, v->debug == DEBUG_WIRE ? GL_LINE : GL_FILL);
    glDrawElementsInstanced(GL_TRIANGLES, r->n_grid_indices, GL_UNSIGNED_SHORT, NULL, (GLsizei)tree->n_tiles);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    r->n_triangles = (uint64_t)r->n_grid_indices / 3 * tree->n_tiles;
}

/** One thread a pixel of a picture, into an image. */
static void draw_pixels(GLuint program, GLuint image, GLenum format, int width, int height)
{
    glUseProgram(program);
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_WRITE_ONLY, format);
    glDispatchCompute((GLuint)(width + 7) / 8, (GLuint)(height + 7) / 8, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
}

static void make_air(renderer *r, const render_view *v, const frame_block *b)
{
    const air_state state = {.haze = b->sun[3],
                             .density = b->weather[3],
                             .radius_km = b->planet[1],
                             .sun = {v->sun[0], v->sun[1], v->sun[2]},
                             .altitude_m = b->camera[1]};
    air_update(r->air, &state, v->layers & 1u << LAYER_CLOUDS && b->weather[0] > 0.0f);
    glUseProgram(r->ambient);
    glDispatchCompute(1, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static void draw_display(renderer *r, const render_view *v)
{
    glBindTextureUnit(UNIT_LIGHT, r->targets.light);
    if (!v->is_exposed) {
        glUseProgram(r->exposure);
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    }
    draw_pixels(r->display, r->targets.picture, GL_RGBA8, r->targets.width, r->targets.height);
}

/** Tiles are lit again a few a frame; when the light has moved more of them, until all have been. */
static size_t tiles_to_refresh(renderer *r, const render_view *v, const frame_block *b)
{
    const size_t few = r->quality.n_refreshed, many = 8 * few;
    if (v->is_changing || glm_vec3_dot(r->lit_from, (float *)b->key) < 0.99999f) {
        memcpy(r->lit_from, b->key, sizeof r->lit_from);
        r->n_stale = r->n_slots;
    }
    if (r->n_stale == 0 && v->elapsed_s == 0.0)
        return 0; /* paused: pictures stay as they are */
    const size_t count = r->n_stale > many ? many : r->n_stale > few ? r->n_stale : few;
    r->n_stale -= count < r->n_stale ? count : r->n_stale;
    return count;
}

void renderer_draw(renderer *r, const render_view *v, const quadtree *tree, tile_pool *pool)
{
    frame_block block;
    gpu_timer *timer = &r->timer;
    _Static_assert(sizeof(quadtree_tile) == 4 * sizeof(int32_t), "tiles are instance data as they are");
    fill_frame(r, v, tree, &block);
    glNamedBufferSubData(r->frame, 0, sizeof block, &block);
    glNamedBufferSubData(r->instances, 0, (GLsizeiptr)(tree->n_tiles * sizeof tree->tiles[0]), tree->tiles);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->frame);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_FRAME_LIGHT, r->frame_light);

    gpu_timer_begin(timer, PASS_TILES);
    tile_store_work(r->tiles, pool, tree, v->cell, tiles_to_refresh(r, v, &block));
    gpu_timer_end(timer);
    gpu_timer_begin(timer, PASS_AIR);
    make_air(r, v, &block);
    gpu_timer_end(timer);
    gpu_timer_begin(timer, PASS_TERRAIN);
    draw_terrain(r, v, tree);
    gpu_timer_end(timer);

    const targets *t = &r->targets;
    glBindTextureUnit(UNIT_DEPTHS, t->depth);
    glBindTextureUnit(UNIT_CLOUDS, t->clouds);
    if (v->layers & 1u << LAYER_CLOUDS && block.weather[0] > 0.0f) {
        gpu_timer_begin(timer, PASS_CLOUDS);
        draw_pixels(r->clouds, t->clouds, GL_RGBA16F, (t->width + t->cloud_share - 1) / t->cloud_share,
                    (t->height + t->cloud_share - 1) / t->cloud_share);
        gpu_timer_end(timer);
    }
    gpu_timer_begin(timer, PASS_SHADE);
    draw_pixels(r->shade, t->light, GL_RGBA16F, t->width, t->height);
    gpu_timer_end(timer);
    gpu_timer_begin(timer, PASS_DISPLAY);
    draw_display(r, v);
    gpu_timer_end(timer);
}

void renderer_text(renderer *r, const char *text, float x, float y)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->targets.framebuffer);
    glViewport(0, 0, r->targets.width, r->targets.height);
    gpu_timer_begin(&r->timer, PASS_HUD);
    text_layer_draw(r->text, text, x, y, r->targets.width, r->targets.height);
    gpu_timer_end(&r->timer);
}

void renderer_present(const renderer *r, int width, int height)
{
    glBlitNamedFramebuffer(r->targets.framebuffer, 0, 0, 0, r->targets.width, r->targets.height, 0, 0, width, height,
                           GL_COLOR_BUFFER_BIT, GL_LINEAR);
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

uint64_t renderer_triangles(const renderer *r)
{
    return r->n_triangles;
}
