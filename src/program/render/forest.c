/* forest.c - fills lists of plants on the GPU and runs the passes that draw them. */
#include "program/render/forest.h"

#include <cglm/cglm.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/render/pixels.h"
#include "program/render/plant_atlas.h"
#include "program/render/plant_table.h"
#include "program/render/shader.h"

enum {
    LIST_IMPOSTORS = PLANT_MESH_LISTS,
    LIST_SHADOWS,
    SHADOW_MAPS = 2,
    LISTS = LIST_SHADOWS + SHADOW_MAPS,
    SHADOW_SIDE = 2048,
    LARGE_MAX = 1 << 18, /* greatest number of blocks in the list of large triangles */
    COPY_HEADER = 64     /* bytes before the plants in a copied list */
};
enum { BUFFER_PLANT_LIGHT = 1, BUFFER_LARGE = 2, BUFFER_LISTS = 6, BUFFER_PLANTS, BUFFER_VERTICES, BUFFER_INDICES };
enum { UNIT_DEPTHS = 7, UNIT_NEAREST = 16, UNIT_SHADOWS, UNIT_SHOWN };
enum { LOCATION_CELL, LOCATION_IN_CELL, LOCATION_CELL_SIZE, LOCATION_REACH, LOCATION_LAYER, LOCATION_PLACING_LOD };
enum { LOCATION_TO_SHADOW = 0, LOCATION_MAP = 4 };
enum { LOCATION_IS_PAINTING = 1, LOCATION_IS_LARGE };
static const GLuint WORKGROUPS = 1 << 13, WORKGROUPS_OF_CPU = 1 << 9; /* work groups that share the plants of a list */
static const GLuint NOTHING = 0, FARTHEST = 0x3f800000;               /* FARTHEST: bits of 1.0f */
static const double PLACING_SAMPLES_M = 8.0; /* sample distance of the level that decides where plants stand */
static const double SPACING_MAX_M = 64.0;    /* worlds with a coarser lattice have no trees */
static const float SHADOW_REACH_M[SHADOW_MAPS] = {(float)PLANT_SHADOW_NEAR_M, (float)PLANT_SHADOW_FAR_M};

/** A list of plants; List in plant_lists.glsl. */
typedef struct plant_list {
    uint32_t first, count;
    uint32_t groups; /* work groups of 64 triangles that draw each plant's mesh */
    uint32_t padding;
} plant_list;

/** A grid of candidate positions: width of its cells, and distance from the camera up to which cells are filled. */
typedef struct scatter_layer {
    double cell_m, reach_m;
} scatter_layer;

/** The std140 layout of PlantLight in plant_light.glsl. */
typedef struct plant_light {
    float to_shadow[SHADOW_MAPS][4][4];
    int32_t has_plants, has_shadows, padding[2];
} plant_light;

struct forest {
    plant_atlas atlas;
    GLuint scatter, meshes, impostors, shadow, clear; /* programs */
    GLuint lists, plants, large, light;               /* buffers */
    GLuint shadows;                                   /* texture */
    plant_list empty[LISTS];
    scatter_layer layers[3];
    plant_light lit;
    GLuint copies;         /* buffer: a plant_list and its plants for each frame in flight */
    const char *copied;    /* mapping of `copies` */
    GLsizeiptr copy_bytes; /* bytes of the copy of one frame */
    nearby_trees nearby[GPU_TIMER_FRAMES];
};

/* ---- life ---- */

static result make_programs(forest *f, const render_quality *quality)
{
    char defines[PIXELS_DEFINES];
    pixels_defines(quality, defines, sizeof defines);
    const shader_file files[] = {{"scatter.comp", NULL, &f->scatter},
                                 {"meshes.comp", defines, &f->meshes},
                                 {"impostors.comp", defines, &f->impostors},
                                 {"plant_shadows.comp", NULL, &f->shadow},
                                 {"words_clear.comp", NULL, &f->clear}};
    return shader_compute_all(files, sizeof files / sizeof files[0]);
}

/** Number of candidates of a layer within a reach: an upper bound for the length of the layer's list. */
static uint32_t most_within(const scatter_layer *layer, double reach_m)
{
    const double radius = fmin(reach_m, layer->reach_m) / layer->cell_m + 2.0;
    return (uint32_t)(3.1416 * radius * radius);
}

/** Number of plants for which a list needs room. */
static uint32_t room_of(const forest *f, int list)
{
    enum { NEAR_TREES_M = PLANT_MESH_RANGE_M + 1 };
    const scatter_layer *trees = &f->layers[0], *bushes = &f->layers[1], *grass = &f->layers[2];
    if (list < LIST_IMPOSTORS) /* trees nearby, bushes and boulders; the meshes of grass and stones are small */
        return most_within(trees, NEAR_TREES_M) + most_within(bushes, bushes->reach_m) +
               (list < 2 ? most_within(grass, grass->reach_m) : 0);
    const double reach_m = list == LIST_IMPOSTORS ? trees->reach_m
                           : list == LIST_SHADOWS ? 1.5 * (double)SHADOW_REACH_M[0]
                                                  : (double)SHADOW_REACH_M[1];
    return most_within(trees, reach_m) + most_within(bushes, bushes->reach_m);
}

/** Lay out all lists one after another in one buffer. Returns how many plants the buffer must hold. */
static uint32_t make_lists(forest *f)
{
    static const uint32_t groups[PLANT_MESH_LISTS] = {PLANT_LIST_GROUPS};
    uint32_t used = 0;
    for (int n = 0; n < LISTS; n++) {
        f->empty[n] = (plant_list){.first = used, .groups = n < LIST_IMPOSTORS ? groups[n] : 0};
        used += room_of(f, n);
    }
    return used;
}

static void make_buffers(forest *f)
{
    const GLsizeiptr bytes = (GLsizeiptr)make_lists(f) * (GLsizeiptr)sizeof(forest_plant);
    glCreateBuffers(1, &f->plants);
    glNamedBufferStorage(f->plants, bytes, NULL, 0);
    glCreateBuffers(1, &f->lists);
    glNamedBufferStorage(f->lists, sizeof f->empty, f->empty, GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &f->large);
    glNamedBufferStorage(f->large, (LARGE_MAX + 1) * 4 * (GLsizeiptr)sizeof(uint32_t), NULL, 0);
    glCreateBuffers(1, &f->light);
    glNamedBufferStorage(f->light, sizeof f->lit, NULL, GL_DYNAMIC_STORAGE_BIT);
}

/** Create the mapped buffer for copies of the list of the near shadow map. */
static result make_copies(forest *f)
{
    const GLbitfield mapped = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const uint32_t most = f->empty[LIST_SHADOWS + 1].first - f->empty[LIST_SHADOWS].first;
    f->copy_bytes = COPY_HEADER + (GLsizeiptr)(most * sizeof(forest_plant));
    glCreateBuffers(1, &f->copies);
    glNamedBufferStorage(f->copies, GPU_TIMER_FRAMES * f->copy_bytes, NULL, mapped);
    f->copied = glMapNamedBufferRange(f->copies, 0, GPU_TIMER_FRAMES * f->copy_bytes, mapped);
    return f->copied ? result_done() : result_of(RESULT_FAILED, "no GPU memory for trees");
}

static void make_shadow_maps(forest *f)
{
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &f->shadows);
    glTextureStorage3D(f->shadows, 1, GL_R32UI, SHADOW_SIDE, SHADOW_SIDE, SHADOW_MAPS);
    gl_texture_sampling(f->shadows, GL_NEAREST, GL_CLAMP_TO_EDGE);
}

result forest_create(const render_quality *quality, forest **out)
{
    const bool is_high = quality->level == 2;
    forest *f = calloc(1, sizeof *f);
    if (!f)
        return result_of(RESULT_FAILED, "out of memory");
    f->layers[0] = (scatter_layer){7.0, quality->tree_range_m};
    f->layers[1] = (scatter_layer){3.2, is_high ? 220.0 : 120.0};
    f->layers[2] = (scatter_layer){is_high ? 0.34 : 0.6, is_high ? 44.0 : 28.0};
    result res = make_programs(f, quality);
    if (res.kind == RESULT_DONE)
        res = plant_atlas_create(is_high ? 96 : 64, &f->atlas);
    if (res.kind == RESULT_DONE) {
        make_buffers(f);
        make_shadow_maps(f);
        res = make_copies(f);
        if (res.kind == RESULT_DONE && glGetError() == GL_OUT_OF_MEMORY)
            res = result_of(RESULT_FAILED, "no GPU memory for trees");
    }
    if (res.kind != RESULT_DONE)
        forest_destroy(f);
    else
        *out = f;
    return res;
}

void forest_destroy(forest *f)
{
    if (!f)
        return;
    GLuint *const programs[5] = {&f->scatter, &f->meshes, &f->impostors, &f->shadow, &f->clear};
    const GLuint buffers[5] = {f->lists, f->plants, f->large, f->light, f->copies};
    for (int n = 0; n < 5; n++)
        shader_delete(programs[n]);
    glDeleteBuffers(5, buffers);
    glDeleteTextures(1, &f->shadows);
    plant_atlas_destroy(&f->atlas);
    free(f);
}

/* ---- placing ---- */

float forest_half_width(const forest_plant *p)
{
    const int mesh = (int)p->look;
    return p->height * plant_row_of((plant_kind)(mesh / PLANT_AGES))->half_width * plant_age_width(mesh % PLANT_AGES);
}

/** Dispatch the work groups that share a list of plants or of large triangles. On llvmpipe their number is `on_cpu`:
 * there each group starts a coroutine for eight of its threads, which takes longer than drawing a small plant, so fewer
 * groups are faster. With too few groups plants get lost: llvmpipe probably ends the loop of a thread after 65535
 * iterations, which a thread reaches in large pictures if groups are few. */
static void dispatch_shared(GLuint on_cpu)
{
    glDispatchCompute(gl_is_software() && on_cpu < WORKGROUPS ? on_cpu : WORKGROUPS, 1, 1);
}

/** Place the plants of a layer. Cells are numbered from the world's origin, so plants do not move with the camera. */
static void scatter(const forest *f, int n, const render_view *v)
{
    const scatter_layer *layer = &f->layers[n];
    const double metres[2] = {(double)v->cell[0] * v->spacing_m + v->offset_x_m,
                              (double)v->cell[1] * v->spacing_m + v->offset_z_m};
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

/** Make the matrix from camera-relative positions to a shadow map. The map moves with the camera in whole texels, so
 * that the edges of shadows do not flicker. */
static void aim_shadow(const render_view *v, const frame_block *b, float reach_m, float out[4][4])
{
    const double texel = 2.0 * (double)reach_m / SHADOW_SIDE;
    vec3 axes[3] = {{b->key[2], 0.0f, -b->key[0]}};
    glm_vec3_normalize(axes[0]);
    glm_vec3_cross((float *)b->key, axes[0], axes[1]);
    glm_vec3_copy((float *)b->key, axes[2]);
    memset(out, 0, 16 * sizeof(float));
    for (int n = 0; n < 3; n++) {
        const float scale = n < 2 ? 1.0f / reach_m : -1.0f / (float)PLANT_SHADOW_DEPTH_M;
        const double at = v->pattern_m[0] * (double)axes[n][0] + v->altitude_m * (double)axes[n][1] +
                          v->pattern_m[1] * (double)axes[n][2];
        for (int k = 0; k < 3; k++)
            out[k][n] = axes[n][k] * scale;
        out[3][n] = n < 2 ? (float)(at - floor(at / texel) * texel) * scale : 0.5f;
    }
    out[3][3] = 1.0f;
}

static void draw_shadows(forest *f, const render_view *v, const frame_block *b)
{
    static const int size[3] = {SHADOW_SIDE, SHADOW_SIDE, SHADOW_MAPS};
    f->lit.has_shadows = v->layers & 1u << LAYER_SHADOWS && b->key[1] > 0.02f;
    if (!f->lit.has_shadows)
        return;
    pixels_clear(f->clear, f->shadows, size, FARTHEST);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    glUseProgram(f->shadow);
    glBindImageTexture(0, f->shadows, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
    for (int n = 0; n < SHADOW_MAPS; n++) {
        aim_shadow(v, b, SHADOW_REACH_M[n], f->lit.to_shadow[n]);
        glUniformMatrix4fv(LOCATION_TO_SHADOW, 1, GL_FALSE, f->lit.to_shadow[n][0]);
        glUniform1i(LOCATION_MAP, n);
        dispatch_shared(WORKGROUPS_OF_CPU);
    }
}

/** Copy the trees around the camera to a slot of `copies`. The CPU reads them after the GPU has finished this frame. */
static void copy_trees(forest *f, const render_view *v, unsigned slot)
{
    const GLintptr at = (GLintptr)slot * f->copy_bytes;
    const plant_list *list = &f->empty[LIST_SHADOWS];
    f->nearby[slot] = (nearby_trees){.plants = (const forest_plant *)(const void *)(f->copied + at + COPY_HEADER),
                                     .place_m = {(double)v->cell[0] * v->spacing_m + v->offset_x_m,
                                                 (double)v->cell[1] * v->spacing_m + v->offset_z_m},
                                     .altitude_m = v->altitude_m};
    glCopyNamedBufferSubData(f->lists, f->copies, LIST_SHADOWS * sizeof *list, at, sizeof *list);
    glCopyNamedBufferSubData(f->plants, f->copies, (GLintptr)(list->first * sizeof(forest_plant)), at + COPY_HEADER,
                             f->copy_bytes - COPY_HEADER);
    glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
}

void forest_nearby_trees(const forest *f, unsigned slot, nearby_trees *out)
{
    *out = f->nearby[slot];
    if (out->plants)
        out->count = ((const plant_list *)(const void *)(f->copied + (GLintptr)slot * f->copy_bytes))->count;
}

/** Fill the lists, and copy the trees of the near shadow map to a slot of `copies`. */
static void fill_lists(forest *f, const render_view *v, const frame_block *b, unsigned slot)
{
    f->lit.has_plants =
        b->tree_range > 0.0f && b->lod_height < b->tree_range && ldexp(v->spacing_m, v->fine_lods) <= SPACING_MAX_M;
    f->nearby[slot] = (nearby_trees){0};
    glNamedBufferSubData(f->lists, 0, sizeof f->empty, f->empty);
    if (!f->lit.has_plants)
        return;
    const int lod = (int)fmax(round(log2(PLACING_SAMPLES_M / v->spacing_m)), 0.0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_LISTS, f->lists);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_PLANTS, f->plants);
    glUseProgram(f->scatter);
    plant_atlas_bind(&f->atlas);
    glUniform1i(LOCATION_PLACING_LOD, lod < b->coarsest_lod ? lod : b->coarsest_lod);
    for (int n = 0; n < 3; n++)
        if ((double)b->lod_height < f->layers[n].reach_m)
            scatter(f, n, v);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    copy_trees(f, v, slot);
}

void forest_place(forest *f, const render_view *v, const frame_block *b, unsigned slot)
{
    fill_lists(f, v, b, slot);
    f->lit.has_shadows = 0;
    if (f->lit.has_plants)
        draw_shadows(f, v, b);
    glNamedBufferSubData(f->light, 0, sizeof f->lit, &f->lit);
}

void forest_find(forest *f, const render_view *v, const frame_block *b)
{
    fill_lists(f, v, b, 0);
    for (unsigned slot = 1; slot < GPU_TIMER_FRAMES; slot++) {
        f->nearby[slot] = (nearby_trees){0};
        if (f->lit.has_plants)
            copy_trees(f, v, slot);
    }
    glFinish();
}

/* ---- drawing ---- */

/** Run one of the two passes of plant_raster.glsl: depth of the nearest plants, or (is_painting) their appearance. */
static void draw_plants(const forest *f, const targets *t, int is_painting)
{
    const GLuint by_size = (GLuint)(t->size.width * t->size.height / 256);
    const GLuint on_cpu = by_size > WORKGROUPS_OF_CPU ? by_size : WORKGROUPS_OF_CPU;
    glUseProgram(f->impostors);
    glUniform1i(LOCATION_IS_PAINTING, is_painting);
    dispatch_shared(on_cpu);
    glUseProgram(f->meshes);
    glUniform1i(LOCATION_IS_PAINTING, is_painting);
    for (int is_large = 0; is_large < 2; is_large++) {
        glUniform1i(LOCATION_IS_LARGE, is_large);
        dispatch_shared(is_large ? WORKGROUPS_OF_CPU : on_cpu);
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    }
}

void forest_draw(forest *f, const targets *t)
{
    const int size[3] = {t->size.width, t->size.height, t->n_samples};
    if (!f->lit.has_plants)
        return;
    pixels_clear(f->clear, t->plant_nearest, size, NOTHING);
    pixels_clear(f->clear, t->plant_shown, size, NOTHING);
    glClearNamedBufferSubData(f->large, GL_R32UI, 0, sizeof(uint32_t), GL_RED_INTEGER, GL_UNSIGNED_INT, &NOTHING);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
    glBindImageTexture(0, t->plant_nearest, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
    glBindImageTexture(1, t->plant_shown, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_LARGE, f->large);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_VERTICES, f->atlas.vertices);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_INDICES, f->atlas.indices);
    glBindTextureUnit(UNIT_DEPTHS, t->depth);
    draw_plants(f, t, 0);
    draw_plants(f, t, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void forest_bind(const forest *f, const targets *t)
{
    glBindBufferBase(GL_UNIFORM_BUFFER, BUFFER_PLANT_LIGHT, f->light);
    glBindTextureUnit(UNIT_NEAREST, t->plant_nearest);
    glBindTextureUnit(UNIT_SHADOWS, f->shadows);
    glBindTextureUnit(UNIT_SHOWN, t->plant_shown);
}

size_t forest_read(const forest *f, forest_plant *plants, size_t most)
{
    plant_list lists[LISTS];
    const plant_list *trees = &lists[LIST_SHADOWS + 1];
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(f->lists, 0, sizeof lists, lists);
    const size_t count = trees->count < most ? trees->count : most;
    if (count > 0)
        glGetNamedBufferSubData(f->plants, (GLintptr)(trees->first * sizeof *plants),
                                (GLsizeiptr)(count * sizeof *plants), plants);
    return count;
}
