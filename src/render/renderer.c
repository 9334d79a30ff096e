/* renderer.c - targets, the frame's uniforms, and the passes. */
#include "render/renderer.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/shader.h"
#include "render/text.h"

const char *const render_pass_names[PASSES] = {"tiles", "terrain", "sky", "water", "hud"};

static const float NEAR_M = 0.25f;
static const float EXPOSURE = 0.26f;
enum { WATER_QUADS = 8 }; /* of a tile's side */

/** Uniform block of frame.glsl, std140. */
typedef struct frame_block {
    mat4 view_projection, inverse_view_projection;
    float camera[4], sun[4], world[4], pattern[4], planet[4];
    int32_t options[4];
    float morph[TILE_LODS][4];
} frame_block;

struct renderer {
    tile_store *tiles;
    gpu_timer timer;
    text_layer *text;
    GLuint terrain, sky, water; /* programs */
    GLuint frame, instances;    /* buffers */
    GLuint grid_indices, water_indices, tile_array, empty_array;
    GLsizei n_grid_indices, n_water_indices;
    GLuint samples_framebuffer, samples_color, samples_depth;
    GLuint framebuffer, color;
    int width, height;
    int quality, n_samples, mesh_step;
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
    glCreateBuffers(1, &r->instances);
    glNamedBufferStorage(r->instances, QUADTREE_TILES_MAX * 4 * sizeof(int32_t), NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &r->frame);
    glNamedBufferStorage(r->frame, sizeof(frame_block), NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateVertexArrays(1, &r->tile_array);
    glVertexArrayVertexBuffer(r->tile_array, 0, r->instances, 0, 4 * sizeof(int32_t));
    glVertexArrayBindingDivisor(r->tile_array, 0, 1);
    glEnableVertexArrayAttrib(r->tile_array, 0);
    glVertexArrayAttribIFormat(r->tile_array, 0, 4, GL_INT, 0);
    glVertexArrayAttribBinding(r->tile_array, 0, 0);
    glCreateVertexArrays(1, &r->empty_array);
}

outcome renderer_create(uint32_t n_slots, int quality, int n_samples, renderer **out)
{
    renderer *r = calloc(1, sizeof *r);
    if (!r)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    r->quality = quality;
    r->n_samples = n_samples;
    r->mesh_step = quality == 0 ? 4 : 1;
    outcome o = tile_store_create(n_slots, &r->tiles);
    if (o.kind == OUTCOME_DONE)
        o = shader_program("terrain.vert", "terrain.frag", NULL, &r->terrain);
    if (o.kind == OUTCOME_DONE)
        o = shader_program("sky.vert", "sky.frag", NULL, &r->sky);
    if (o.kind == OUTCOME_DONE)
        o = shader_program("water.vert", "water.frag", NULL, &r->water);
    if (o.kind == OUTCOME_DONE)
        o = text_layer_create(18.0f, &r->text);
    gpu_timer_create(&r->timer);
    if (o.kind != OUTCOME_DONE) {
        renderer_destroy(r);
        return o;
    }
    r->n_grid_indices = make_grid((unsigned)(TILE_QUADS / r->mesh_step), &r->grid_indices);
    r->n_water_indices = make_grid(WATER_QUADS, &r->water_indices);
    make_arrays(r);
    *out = r;
    return o;
}

static void delete_targets(renderer *r)
{
    glDeleteFramebuffers(1, &r->samples_framebuffer);
    glDeleteFramebuffers(1, &r->framebuffer);
    glDeleteRenderbuffers(1, &r->samples_color);
    glDeleteRenderbuffers(1, &r->samples_depth);
    glDeleteRenderbuffers(1, &r->color);
}

void renderer_destroy(renderer *r)
{
    if (!r)
        return;
    delete_targets(r);
    gpu_timer_destroy(&r->timer);
    text_layer_destroy(r->text);
    tile_store_destroy(r->tiles);
    glDeleteProgram(r->terrain);
    glDeleteProgram(r->sky);
    glDeleteProgram(r->water);
    const GLuint buffers[4] = {r->frame, r->instances, r->grid_indices, r->water_indices};
    glDeleteBuffers(4, buffers);
    glDeleteVertexArrays(1, &r->tile_array);
    glDeleteVertexArrays(1, &r->empty_array);
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

outcome renderer_resize(renderer *r, int width, int height)
{
    if (width == r->width && height == r->height)
        return outcome_done();
    delete_targets(r);
    r->width = width;
    r->height = height;
    glCreateFramebuffers(1, &r->framebuffer);
    glCreateRenderbuffers(1, &r->color);
    glNamedRenderbufferStorage(r->color, GL_RGBA8, width, height);
    glNamedFramebufferRenderbuffer(r->framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, r->color);
    glCreateFramebuffers(1, &r->samples_framebuffer);
    glCreateRenderbuffers(1, &r->samples_color);
    glCreateRenderbuffers(1, &r->samples_depth);
    glNamedRenderbufferStorageMultisample(r->samples_color, r->n_samples, GL_RGBA8, width, height);
    glNamedRenderbufferStorageMultisample(r->samples_depth, r->n_samples, GL_DEPTH_COMPONENT32F, width, height);
    glNamedFramebufferRenderbuffer(r->samples_framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, r->samples_color);
    glNamedFramebufferRenderbuffer(r->samples_framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, r->samples_depth);
    if (glCheckNamedFramebufferStatus(r->samples_framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE ||
        glCheckNamedFramebufferStatus(r->framebuffer, GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return outcome_of(OUTCOME_FAILED, "no framebuffer of %d x %d pixels with %d samples", width, height, r->n_samples);
    return outcome_done();
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

/** Reverse-Z projection with the far plane at infinity: depth is near / distance. */
static void projection(const renderer *r, const render_view *v, mat4 m)
{
    const float f = 1.0f / tanf(glm_rad(v->fov_deg) * 0.5f);
    glm_mat4_zero(m);
    m[0][0] = f * (float)r->height / (float)r->width;
    m[1][1] = f;
    m[2][3] = -1.0f;
    m[3][2] = NEAR_M;
}

void renderer_frustum(const renderer *r, const render_view *v, double planes[5][4])
{
    const double tall = tan(glm_rad(v->fov_deg) * 0.5), wide = tall * r->width / r->height;
    const double sides[5][3] = {{1, 0, wide}, {-1, 0, wide}, {0, 1, tall}, {0, -1, tall}, {0, 0, 1}}; /* of right, up, forward */
    for (int p = 0; p < 5; p++) {
        for (int n = 0; n < 3; n++)
            planes[p][n] = sides[p][0] * (double)v->right[n] + sides[p][1] * (double)v->up[n] + sides[p][2] * (double)v->forward[n];
        planes[p][3] = 0.0;
    }
}

static void fill_frame(const renderer *r, const render_view *v, const quadtree *tree, frame_block *b)
{
    mat4 rotation, project;
    view_rotation(v, rotation);
    projection(r, v, project);
    glm_mat4_mul(project, rotation, b->view_projection);
    glm_mat4_inv_precise(b->view_projection, b->inverse_view_projection);
    const float camera[4] = {(float)v->offset_x_m, (float)v->altitude_m, (float)v->offset_z_m, (float)fmod(v->time_s, 4096.0)};
    const float sun[4] = {v->sun[0], v->sun[1], v->sun[2], v->haze};
    const float world[4] = {(float)v->spacing_m, (float)v->sea_m, (float)v->lod_height_m, 0.0f};
    const float pattern[4] = {(float)v->pattern_m[0], (float)v->pattern_m[1], (float)v->broad_pattern_m[0],
                              (float)v->broad_pattern_m[1]};
    const float planet[4] = {v->planet_radius_m > 0 ? (float)(0.5 / v->planet_radius_m) : 0.0f, EXPOSURE,
                             2.0f * tanf(glm_rad(v->fov_deg) * 0.5f) / (float)r->height, 0.0f};
    const int32_t options[4] = {r->mesh_step, (int32_t)v->debug, r->quality, 0};
    memcpy(b->camera, camera, sizeof camera);
    memcpy(b->sun, sun, sizeof sun);
    memcpy(b->world, world, sizeof world);
    memcpy(b->pattern, pattern, sizeof pattern);
    memcpy(b->planet, planet, sizeof planet);
    memcpy(b->options, options, sizeof options);
    for (int lod = 0; lod < TILE_LODS; lod++) {
        const double start = quadtree_morph_start(tree, lod), end = quadtree_morph_end(tree, lod);
        const int morphs = lod < tree->top && end > start;
        b->morph[lod][0] = morphs ? (float)start : 3.0e37f;
        b->morph[lod][1] = morphs ? (float)(1.0 / (end - start)) : 1.0f;
    }
}

/* ---- passes ---- */

static void draw_terrain(renderer *r, const render_view *v, const quadtree *tree)
{
    glUseProgram(r->terrain);
    glVertexArrayElementBuffer(r->tile_array, r->grid_indices);
    glBindVertexArray(r->tile_array);
    glEnable(GL_CULL_FACE);
    glPolygonMode(GL_FRONT_AND_BACK, v->debug == DEBUG_WIRE ? GL_LINE : GL_FILL);
    glDrawElementsInstanced(GL_TRIANGLES, r->n_grid_indices, GL_UNSIGNED_SHORT, NULL, (GLsizei)tree->n_tiles);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_CULL_FACE);
    r->n_triangles += (uint64_t)r->n_grid_indices / 3 * tree->n_tiles;
}

static void draw_sky(renderer *r)
{
    glUseProgram(r->sky);
    glBindVertexArray(r->empty_array);
    glDepthFunc(GL_GEQUAL);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthFunc(GL_GREATER);
    r->n_triangles += 1;
}

static void draw_water(renderer *r, const quadtree *tree)
{
    glUseProgram(r->water);
    glVertexArrayElementBuffer(r->tile_array, r->water_indices);
    glBindVertexArray(r->tile_array);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawElementsInstanced(GL_TRIANGLES, r->n_water_indices, GL_UNSIGNED_SHORT, NULL, (GLsizei)tree->n_tiles);
    glDisable(GL_BLEND);
    r->n_triangles += (uint64_t)r->n_water_indices / 3 * tree->n_tiles;
}

static void clear_target(renderer *r)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->samples_framebuffer);
    glViewport(0, 0, r->width, r->height);
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glClearColor(1.0f, 0.0f, 1.0f, 1.0f); /* nothing that is drawn has this colour: what shows through can be counted */
    glClearDepth(0.0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
}

void renderer_draw(renderer *r, const render_view *v, const quadtree *tree)
{
    frame_block block;
    _Static_assert(sizeof(quadtree_tile) == 4 * sizeof(int32_t), "tiles are instance data as they are");
    fill_frame(r, v, tree, &block);
    glNamedBufferSubData(r->frame, 0, sizeof block, &block);
    glNamedBufferSubData(r->instances, 0, (GLsizeiptr)(tree->n_tiles * sizeof tree->tiles[0]), tree->tiles);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, r->frame);
    tile_store_bind(r->tiles);
    clear_target(r);
    r->n_triangles = 0;
    if (v->layers & 1u << PASS_TERRAIN) {
        gpu_timer_begin(&r->timer, PASS_TERRAIN);
        draw_terrain(r, v, tree);
        gpu_timer_end(&r->timer);
    }
    if (v->layers & 1u << PASS_SKY) {
        gpu_timer_begin(&r->timer, PASS_SKY);
        draw_sky(r);
        gpu_timer_end(&r->timer);
    }
    if (v->layers & 1u << PASS_WATER) {
        gpu_timer_begin(&r->timer, PASS_WATER);
        draw_water(r, tree);
        gpu_timer_end(&r->timer);
    }
    glDisable(GL_DEPTH_TEST);
    glBlitNamedFramebuffer(r->samples_framebuffer, r->framebuffer, 0, 0, r->width, r->height, 0, 0, r->width, r->height,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void renderer_text(renderer *r, const char *text, float x, float y)
{
    glBindFramebuffer(GL_FRAMEBUFFER, r->framebuffer);
    gpu_timer_begin(&r->timer, PASS_HUD);
    text_layer_draw(r->text, text, x, y, r->width, r->height);
    gpu_timer_end(&r->timer);
}

void renderer_present(const renderer *r, int width, int height)
{
    glBlitNamedFramebuffer(r->framebuffer, 0, 0, 0, r->width, r->height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
}

GLuint renderer_framebuffer(const renderer *r)
{
    return r->framebuffer;
}

uint64_t renderer_triangles(const renderer *r)
{
    return r->n_triangles;
}
