/* forest.c - lists of plants, filled on the GPU, and the draws that use them. */
#include "render/forest.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/plant_atlas.h"
#include "render/shader.h"

enum {
    LIST_IMPOSTORS = PLANT_KINDS,
    LIST_SHADOWS,
    SHADOW_MAPS = 2,
    LISTS = LIST_SHADOWS + SHADOW_MAPS,
    SHADOW_SIDE = 2048,
    BUFFER_COMMANDS = 6,
    BUFFER_PLANTS = 7,
    BUFFER_PLANT_LIGHT = 1,
    UNIT_PLANTS = 16,
    UNIT_SHADOWS = 17,
    KEPT_AT = 64 /* bytes before the plants of a kept list */
};
enum { LOCATION_CELL, LOCATION_IN_CELL, LOCATION_CELL_SIZE, LOCATION_REACH, LOCATION_LAYER, LOCATION_PLACING_LOD };
enum { LOCATION_TO_SHADOW = 0, LOCATION_IS_SHADOW = 4, LOCATION_SAMPLES = 8 };
static const double PLACING_SAMPLES_M = 8.0; /* distance of the samples whose heights say where trees stand */
static const double SPACING_MAX_M = 64.0;    /* of a world whose land shows trees */
static const float SHADOW_REACH_M[SHADOW_MAPS] = {140.0f, 1000.0f}; /* as in plants.glsl */
static const float SHADOW_DEPTH_M = 2500.0f;

/** As OpenGL lays out the command of an indirect draw. */
typedef struct draw_command {
    uint32_t count, instances, first, vertex, instance;
} draw_command;

/** Grids of candidates: width of a cell and how far they reach, as shares of the reach of trees. */
typedef struct scatter_layer {
    double cell_m, reach_m;
} scatter_layer;

/** Laid out as std140 lays out PlantLight in plant_light.glsl. */
typedef struct plant_light {
    float to_shadow[SHADOW_MAPS][4][4];
    int32_t has_plants, has_shadows, padding[2];
} plant_light;

struct forest {
    plant_atlas atlas;
    GLuint scatter, mesh, impostor, shadow; /* programs */
    GLuint commands, plants, light, array;  /* buffers and vertex array */
    GLuint shadows, shadow_framebuffers[SHADOW_MAPS];
    draw_command empty[LISTS];
    scatter_layer layers[3];
    int n_samples;
    plant_light lit;
    GLuint kept; /* buffer: a kept_trees and its plants for each of the frames that the GPU may be behind */
    const char *kept_at;
    GLsizeiptr kept_bytes; /* of one */
    forest_stand stands[GPU_TIMER_FRAMES];
};

/* ---- life ---- */

static outcome make_programs(forest *f)
{
    outcome o = shader_compute("scatter.comp", NULL, &f->scatter);
    if (o.kind == OUTCOME_DONE)
        o = shader_program("plant.vert", "plant.frag", &f->mesh);
    if (o.kind == OUTCOME_DONE)
        o = shader_program("impostor.vert", "impostor.frag", &f->impostor);
    return o.kind == OUTCOME_DONE ? shader_program("impostor.vert", "plant_shadow.frag", &f->shadow) : o;
}

/** How many candidates a layer has within a reach: no list is longer. */
static uint32_t most_within(const scatter_layer *layer, double reach_m)
{
    const double radius = fmin(reach_m, layer->reach_m) / layer->cell_m + 2.0;
    return (uint32_t)(3.1416 * radius * radius);
}

/** Room for every list in one buffer. Returns how many plants it holds. */
static uint32_t make_lists(forest *f)
{
    enum { NEAR_MESHES_M = 131 };
    uint32_t used = 0;
    for (int n = 0; n < LISTS; n++) {
        const scatter_layer *layer = n >= LIST_IMPOSTORS || n < PLANT_SHRUB ? &f->layers[0]
                                     : n < PLANT_STONE                      ? &f->layers[1]
                                                                            : &f->layers[2];
        uint32_t most = most_within(layer, n < PLANT_SHRUB ? NEAR_MESHES_M : layer->reach_m);
        if (n == LIST_IMPOSTORS || n == LIST_SHADOWS) /* of trees and of bushes */
            most = most_within(&f->layers[0], n == LIST_IMPOSTORS ? f->layers[0].reach_m : 1.5 * (double)SHADOW_REACH_M[0]) +
                   most_within(&f->layers[1], f->layers[1].reach_m);
        else if (n == LIST_SHADOWS + 1)
            most = most_within(&f->layers[0], (double)SHADOW_REACH_M[1]) + most_within(&f->layers[1], f->layers[1].reach_m);
        else if (n == PLANT_DRY_BUSH) /* a tree of dry land, too */
            most += most_within(&f->layers[0], 1.0e9);
        const bool is_square = n >= LIST_IMPOSTORS;
        f->empty[n] = (draw_command){.count = is_square ? 6 : f->atlas.count[n],
                                     .first = is_square ? f->atlas.first_of_square : f->atlas.first[n],
                                     .instance = used};
        used += most;
    }
    return used;
}

static void make_buffers(forest *f)
{
    const GLsizeiptr bytes = (GLsizeiptr)make_lists(f) * (GLsizeiptr)sizeof(forest_plant);
    glCreateBuffers(1, &f->plants);
    glNamedBufferStorage(f->plants, bytes, NULL, 0);
    glCreateBuffers(1, &f->commands);
    glNamedBufferStorage(f->commands, sizeof f->empty, f->empty, GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &f->light);
    glNamedBufferStorage(f->light, sizeof f->lit, NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateVertexArrays(1, &f->array);
    plant_atlas_describe(&f->atlas, f->array);
    glVertexArrayVertexBuffer(f->array, 1, f->plants, 0, sizeof(forest_plant));
    glVertexArrayBindingDivisor(f->array, 1, 1);
    for (GLuint n = 0; n < 2; n++) {
        glEnableVertexArrayAttrib(f->array, 3 + n);
        glVertexArrayAttribFormat(f->array, 3 + n, 4, GL_FLOAT, GL_FALSE, n * 4 * (GLuint)sizeof(float));
        glVertexArrayAttribBinding(f->array, 3 + n, 1);
    }
}

/** A command, as it was drawn, with the plants of the list that shadows near the camera are drawn of. */
static outcome make_kept(forest *f)
{
    const GLbitfield mapped = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const uint32_t most = f->empty[LIST_SHADOWS + 1].instance - f->empty[LIST_SHADOWS].instance;
    f->kept_bytes = KEPT_AT + (GLsizeiptr)(most * sizeof(forest_plant));
    glCreateBuffers(1, &f->kept);
    glNamedBufferStorage(f->kept, GPU_TIMER_FRAMES * f->kept_bytes, NULL, mapped);
    f->kept_at = glMapNamedBufferRange(f->kept, 0, GPU_TIMER_FRAMES * f->kept_bytes, mapped);
    return f->kept_at ? outcome_done() : outcome_of(OUTCOME_FAILED, "no GPU memory for trees");
}

static void make_shadow_maps(forest *f)
{
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &f->shadows);
    glTextureStorage3D(f->shadows, 1, GL_DEPTH_COMPONENT16, SHADOW_SIDE, SHADOW_SIDE, SHADOW_MAPS);
    glTextureParameteri(f->shadows, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(f->shadows, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(f->shadows, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(f->shadows, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTextureParameteri(f->shadows, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTextureParameteri(f->shadows, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glCreateFramebuffers(SHADOW_MAPS, f->shadow_framebuffers);
    for (int n = 0; n < SHADOW_MAPS; n++) {
        glNamedFramebufferTextureLayer(f->shadow_framebuffers[n], GL_DEPTH_ATTACHMENT, f->shadows, 0, n);
        glNamedFramebufferDrawBuffer(f->shadow_framebuffers[n], GL_NONE);
    }
}

outcome forest_create(const render_quality *quality, forest **out)
{
    const bool is_high = quality->level == 2;
    forest *f = calloc(1, sizeof *f);
    if (!f)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    f->n_samples = quality->n_samples;
    f->layers[0] = (scatter_layer){7.0, quality->tree_range_m};
    f->layers[1] = (scatter_layer){3.2, is_high ? 220.0 : 120.0};
    f->layers[2] = (scatter_layer){is_high ? 0.34 : 0.6, is_high ? 44.0 : 28.0};
    outcome o = make_programs(f);
    if (o.kind == OUTCOME_DONE)
        o = plant_atlas_create(is_high ? 128 : 64, &f->atlas);
    if (o.kind == OUTCOME_DONE) {
        make_buffers(f);
        make_shadow_maps(f);
        o = make_kept(f);
        if (o.kind == OUTCOME_DONE && glGetError() == GL_OUT_OF_MEMORY)
            o = outcome_of(OUTCOME_FAILED, "no GPU memory for trees");
    }
    if (o.kind != OUTCOME_DONE)
        forest_destroy(f);
    else
        *out = f;
    return o;
}

void forest_destroy(forest *f)
{
    if (!f)
        return;
    GLuint *const programs[4] = {&f->scatter, &f->mesh, &f->impostor, &f->shadow};
    const GLuint buffers[4] = {f->commands, f->plants, f->light, f->kept};
    for (int n = 0; n < 4; n++)
        shader_delete(programs[n]);
    glDeleteBuffers(4, buffers);
    glDeleteVertexArrays(1, &f->array);
    glDeleteFramebuffers(SHADOW_MAPS, f->shadow_framebuffers);
    glDeleteTextures(1, &f->shadows);
    plant_atlas_destroy(&f->atlas);
    free(f);
}

/* ---- placing ---- */

/** Place a layer's plants; cells are numbered from the world's origin, so that they stay where they are. */
static void scatter(const forest *f, int n, const render_view *v)
{
    const scatter_layer *layer = &f->layers[n];
    const double metres[2] = {(double)v->cell[0] * v->spacing_m + v->offset_x_m, (double)v->cell[1] * v->spacing_m + v->offset_z_m};
    int32_t cell[2];
    float in_cell[2];
    for (int k = 0; k < 2; k++) {
        const double number = floor(metres[k] / layer->cell_m);
        cell[k] = (int32_t)(uint32_t)(int64_t)number;
        in_cell[k] = (float)(metres[k] - number * layer->cell_m);
    }
    const GLuint rings = (GLuint)ceil(layer->reach_m / (8.0 * layer->cell_m)) + 1;
    glUniform2i(LOCATION_CELL, cell[0], cell[1]);
    glUniform2f(LOCATION_IN_CELL, in_cell[0], in_cell[1]);
    glUniform1f(LOCATION_CELL_SIZE, (float)layer->cell_m);
    glUniform1f(LOCATION_REACH, (float)layer->reach_m);
    glUniform1i(LOCATION_LAYER, n);
    glDispatchCompute((2 * rings + 1) * (2 * rings + 1), 1, 1);
}

/** From places to a shadow map, whose texels stay where they are in the world. */
static void aim_shadow(const render_view *v, const frame_block *b, float reach_m, float out[4][4])
{
    const double texel = 2.0 * (double)reach_m / SHADOW_SIDE;
    vec3 axes[3] = {{b->key[2], 0.0f, -b->key[0]}};
    glm_vec3_normalize(axes[0]);
    glm_vec3_cross((float *)b->key, axes[0], axes[1]);
    glm_vec3_copy((float *)b->key, axes[2]);
    memset(out, 0, 16 * sizeof(float));
    for (int n = 0; n < 3; n++) {
        const float scale = n < 2 ? 1.0f / reach_m : -0.5f / SHADOW_DEPTH_M;
        const double at =
            v->pattern_m[0] * (double)axes[n][0] + v->altitude_m * (double)axes[n][1] + v->pattern_m[1] * (double)axes[n][2];
        for (int k = 0; k < 3; k++)
            out[k][n] = axes[n][k] * scale;
        out[3][n] = n < 2 ? (float)(at - floor(at / texel) * texel) * scale : 0.5f;
    }
    out[3][3] = 1.0f;
}

static void draw_shadows(forest *f, const render_view *v, const frame_block *b)
{
    static const float farthest = 1.0f;
    f->lit.has_shadows = v->layers & 1u << LAYER_SHADOWS && b->key[1] > 0.02f;
    if (!f->lit.has_shadows)
        return;
    glViewport(0, 0, SHADOW_SIDE, SHADOW_SIDE);
    glDepthFunc(GL_LESS);
    glUseProgram(f->shadow);
    glUniform1i(LOCATION_IS_SHADOW, 1);
    for (int n = 0; n < SHADOW_MAPS; n++) {
        aim_shadow(v, b, SHADOW_REACH_M[n], f->lit.to_shadow[n]);
        glClearNamedFramebufferfv(f->shadow_framebuffers[n], GL_DEPTH, 0, &farthest);
        glBindFramebuffer(GL_FRAMEBUFFER, f->shadow_framebuffers[n]);
        glUniformMatrix4fv(LOCATION_TO_SHADOW, 1, GL_FALSE, f->lit.to_shadow[n][0]);
        glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, (const void *)((LIST_SHADOWS + n) * sizeof(draw_command)));
    }
}

static void begin_drawing(const forest *f)
{
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glEnable(GL_DEPTH_TEST);
    glBindVertexArray(f->array);
    glBindBuffer(GL_DRAW_INDIRECT_BUFFER, f->commands);
    plant_atlas_bind(&f->atlas);
}

/** Have the trees around the camera ready for a later frame. */
static void keep_trees(forest *f, const render_view *v, unsigned slot)
{
    const GLintptr at = (GLintptr)slot * f->kept_bytes;
    const draw_command *list = &f->empty[LIST_SHADOWS];
    f->stands[slot] = (forest_stand){.plants = (const forest_plant *)(const void *)(f->kept_at + at + KEPT_AT),
                                     .cell = {v->cell[0], v->cell[1]},
                                     .offset_m = {v->offset_x_m, v->offset_z_m},
                                     .altitude_m = v->altitude_m};
    glCopyNamedBufferSubData(f->commands, f->kept, LIST_SHADOWS * sizeof *list, at, sizeof *list);
    glCopyNamedBufferSubData(f->plants, f->kept, (GLintptr)(list->instance * sizeof(forest_plant)), at + KEPT_AT,
                             f->kept_bytes - KEPT_AT);
    glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
}

void forest_stand_of(const forest *f, unsigned slot, forest_stand *out)
{
    *out = f->stands[slot];
    if (out->plants)
        out->count = ((const draw_command *)(const void *)(f->kept_at + (GLintptr)slot * f->kept_bytes))->instances;
}

void forest_place(forest *f, const render_view *v, const frame_block *b, unsigned slot)
{
    f->lit.has_plants = b->tree_range > 0.0f && b->lod_height < b->tree_range && v->spacing_m <= SPACING_MAX_M;
    f->lit.has_shadows = 0;
    f->stands[slot] = (forest_stand){0};
    glNamedBufferSubData(f->commands, 0, sizeof f->empty, f->empty);
    if (f->lit.has_plants) {
        const int lod = (int)fmax(round(log2(PLACING_SAMPLES_M / v->spacing_m)), 0.0);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_COMMANDS, f->commands);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_PLANTS, f->plants);
        glUseProgram(f->scatter);
        glUniform1i(LOCATION_PLACING_LOD, lod < b->coarsest_lod ? lod : b->coarsest_lod);
        for (int n = 0; n < 3; n++)
            if ((double)b->lod_height < f->layers[n].reach_m)
                scatter(f, n, v);
        glMemoryBarrier(GL_COMMAND_BARRIER_BIT | GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
        keep_trees(f, v, slot);
        begin_drawing(f);
        draw_shadows(f, v, b);
        glDisable(GL_DEPTH_TEST);
    }
    glNamedBufferSubData(f->light, 0, sizeof f->lit, &f->lit);
}

/* ---- drawing ---- */

void forest_draw(forest *f, const targets *t)
{
    static const GLuint nothing[4] = {0};
    if (!f->lit.has_plants)
        return;
    glClearNamedFramebufferuiv(t->planted, GL_COLOR, 0, nothing);
    glBindFramebuffer(GL_FRAMEBUFFER, t->planted);
    glViewport(0, 0, t->size.width, t->size.height);
    begin_drawing(f);
    glDepthFunc(GL_GREATER);
    glUseProgram(f->mesh);
    glUniform1i(LOCATION_SAMPLES, f->n_samples);
    glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, NULL, PLANT_KINDS, sizeof(draw_command));
    glUseProgram(f->impostor);
    glUniform1i(LOCATION_SAMPLES, f->n_samples);
    glUniform1i(LOCATION_IS_SHADOW, 0);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_INT, (const void *)(LIST_IMPOSTORS * sizeof(draw_command)));
    glDisable(GL_DEPTH_TEST);
}

void forest_bind(const forest *f, const targets *t)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, BUFFER_PLANT_LIGHT, f->light);
    glBindTextureUnit(UNIT_PLANTS, t->plants);
    glBindTextureUnit(UNIT_SHADOWS, f->shadows);
}

size_t forest_read(const forest *f, forest_plant *plants, size_t most)
{
    draw_command commands[LISTS];
    const draw_command *trees = &commands[LIST_SHADOWS + 1];
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(f->commands, 0, sizeof commands, commands);
    const size_t count = trees->instances < most ? trees->instances : most;
    if (count > 0)
        glGetNamedBufferSubData(f->plants, (GLintptr)(trees->instance * sizeof *plants), (GLsizeiptr)(count * sizeof *plants),
                                plants);
    return count;
}
