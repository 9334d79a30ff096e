/* plant_atlas.c - uploads the table of kinds, meshes and leaf pictures, and draws the views of plants for impostors. */
#include "program/render/plant_atlas.h"

#include <stdlib.h>

#include "program/render/plant_table.h"
#include "program/render/shader.h"

#include <constants.glsl>

enum {
    VIEWS = IMPOSTOR_VIEWS_A_SIDE,
    LEVELS = 4,
    LEAF_LEVELS = 6,
    SIDE = PLANT_PICTURE_SIDE,
    UNIT_LEAVES = 12,
    UNIT_IMPOSTORS = 13,
    BUFFER_TABLE = 3
};

/** The std140 layout of a kind; PlantKind in plants.glsl. */
typedef struct kind_block {
    float size[4], niche[4], habit[4], tone[4], look[4];
} kind_block;

/** The std140 layout of PlantTable in plants.glsl. */
typedef struct table_block {
    kind_block kinds[PLANT_KINDS_MAX];
    uint32_t meshes[PLANT_KINDS_MAX * PLANT_AGES][4]; /* first index, triangles, list, 0 */
} table_block;
_Static_assert(sizeof(table_block) <= 16384, "every OpenGL takes a uniform block of 16384 bytes");
_Static_assert((int)PLANT_KINDS <= PLANT_KINDS_MAX, "the number of a kind has six bits in a sample's word");

static GLuint make_layers(GLenum format, int side, int n_layers, int n_levels)
{
    GLuint texture;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
    glTextureStorage3D(texture, n_levels, format, side, side, n_layers);
    gl_texture_sampling(texture, GL_LINEAR_MIPMAP_LINEAR, GL_CLAMP_TO_EDGE);
    return texture;
}

static result make_leaves(plant_atlas *a)
{
    uint8_t(*texels)[2] = malloc((size_t)SIDE * SIDE * sizeof *texels);
    if (!texels)
        return result_of(RESULT_FAILED, "out of memory");
    a->leaves = make_layers(GL_RG8, SIDE, MATERIAL_PICTURES, LEAF_LEVELS);
    for (int n = 0; n < MATERIAL_PICTURES; n++) {
        plant_picture((plant_material)n, texels);
        glTextureSubImage3D(a->leaves, 0, 0, 0, n, SIDE, SIDE, 1, GL_RG, GL_UNSIGNED_BYTE, texels);
    }
    glGenerateTextureMipmap(a->leaves);
    free(texels);
    return result_done();
}

static kind_block block_of(const plant_row *r)
{
    const plant_niche *w = &r->niche;
    const float narrow = w->wide > 0.0f ? 1.0f / w->wide : 0.0f,
                moist_narrow = w->moist_wide > 0.0f ? 1.0f / w->moist_wide : 0.0f;
    return (kind_block){.size = {r->least_m, r->more_m, r->middle, r->radius},
                        .niche = {w->heat, narrow, w->moist, moist_narrow},
                        .habit = {w->share, w->water, w->light, r->half_width},
                        .tone = {r->tone[0], r->tone[1], r->tone[2], r->grass},
                        .look = {(float)r->leaves, (float)(r->bark - MATERIAL_BARK)}};
}

/** Upload the rows of all kinds and the ranges of their meshes. */
static void make_table(plant_atlas *a, const plant_mesh *mesh)
{
    table_block table = {0};
    for (int n = 0; n < PLANT_KINDS; n++)
        table.kinds[n] = block_of(plant_row_of((plant_kind)n));
    for (int n = 0; n < PLANT_MESHES; n++) {
        table.meshes[n][0] = mesh->first[n];
        table.meshes[n][1] = mesh->count[n] / 3;
        table.meshes[n][2] = (uint32_t)plant_mesh_list(mesh->count[n] / 3);
    }
    glCreateBuffers(1, &a->table);
    glNamedBufferStorage(a->table, sizeof table, &table, 0);
}

static void make_meshes(plant_atlas *a, const plant_mesh *mesh)
{
    glCreateBuffers(1, &a->vertices);
    glNamedBufferStorage(a->vertices, (GLsizeiptr)(mesh->n_vertices * sizeof *mesh->vertices), mesh->vertices, 0);
    glCreateBuffers(1, &a->indices);
    glNamedBufferStorage(a->indices, (GLsizeiptr)(mesh->n_indices * sizeof *mesh->indices), mesh->indices, 0);
}

/** Set the vertex format and buffers of a vertex array. */
static void set_vertex_format(const plant_atlas *a, GLuint array)
{
    static const GLuint parts[3] = {3, 3, 4};
    glVertexArrayVertexBuffer(array, 0, a->vertices, 0, sizeof(plant_vertex));
    glVertexArrayElementBuffer(array, a->indices);
    for (GLuint n = 0, at = 0; n < 3; at += parts[n++]) {
        glEnableVertexArrayAttrib(array, n);
        glVertexArrayAttribFormat(array, n, (GLint)parts[n], GL_FLOAT, GL_FALSE, at * (GLuint)sizeof(float));
        glVertexArrayAttribBinding(array, n, 0);
    }
}

void plant_atlas_bind(const plant_atlas *a)
{
    glBindTextureUnit(UNIT_LEAVES, a->leaves);
    glBindTextureUnit(UNIT_IMPOSTORS, a->impostors);
    glBindBufferBase(GL_UNIFORM_BUFFER, BUFFER_TABLE, a->table);
}

/** Draw all views of a full-grown plant of a kind into the kind's layer. */
static void draw_views(const plant_atlas *a, const plant_mesh *mesh, GLuint framebuffer, int kind, int view_px)
{
    const int full = kind * PLANT_AGES + PLANT_FULL_AGE;
    static const float nothing[4] = {0}, farthest = 0.0f;
    glNamedFramebufferTextureLayer(framebuffer, GL_COLOR_ATTACHMENT0, a->impostors, 0, kind);
    glClearNamedFramebufferfv(framebuffer, GL_COLOR, 0, nothing);
    glClearNamedFramebufferfv(framebuffer, GL_DEPTH, 0, &farthest);
    for (int n = 0; n < VIEWS * VIEWS; n++) {
        glViewport(n % VIEWS * view_px, n / VIEWS * view_px, view_px, view_px);
        glUniform2i(0, n % VIEWS, n / VIEWS);
        glDrawElements(GL_TRIANGLES, (GLsizei)mesh->count[full], GL_UNSIGNED_INT,
                       (const void *)(uintptr_t)(mesh->first[full] * sizeof(uint32_t)));
    }
}

static result make_impostors(plant_atlas *a, const plant_mesh *mesh, int view_px)
{
    GLuint program = 0, array, depth, framebuffer;
    const int side = VIEWS * view_px;
    const result res = shader_program("plant_view.vert", "plant_view.frag", &program);
    if (res.kind != RESULT_DONE)
        return res;
    a->impostors = make_layers(GL_RGBA8, side, PLANT_VIEWED, LEVELS);
    glCreateVertexArrays(1, &array);
    set_vertex_format(a, array);
    glCreateRenderbuffers(1, &depth);
    glNamedRenderbufferStorage(depth, GL_DEPTH_COMPONENT32F, side, side);
    glCreateFramebuffers(1, &framebuffer);
    glNamedFramebufferRenderbuffer(framebuffer, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glUseProgram(program);
    glBindVertexArray(array);
    plant_atlas_bind(a);
    for (int kind = 0; kind < PLANT_VIEWED; kind++)
        draw_views(a, mesh, framebuffer, kind, view_px);
    glDisable(GL_DEPTH_TEST);
    glGenerateTextureMipmap(a->impostors);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &depth);
    glDeleteVertexArrays(1, &array);
    shader_delete(&program);
    return result_done();
}

result plant_atlas_create(int view_px, plant_atlas *out)
{
    plant_mesh mesh;
    *out = (plant_atlas){0};
    result res = plant_mesh_create(&mesh);
    if (res.kind != RESULT_DONE)
        return res;
    make_meshes(out, &mesh);
    make_table(out, &mesh);
    res = make_leaves(out);
    if (res.kind == RESULT_DONE)
        res = make_impostors(out, &mesh, view_px);
    plant_mesh_free(&mesh);
    if (res.kind != RESULT_DONE)
        plant_atlas_destroy(out);
    return res;
}

void plant_atlas_destroy(plant_atlas *a)
{
    const GLuint buffers[3] = {a->vertices, a->indices, a->table}, textures[2] = {a->leaves, a->impostors};
    glDeleteBuffers(3, buffers);
    glDeleteTextures(2, textures);
    *a = (plant_atlas){0};
}
