/* terrain_pass.c - computes the vertices of tiles and draws the depth of their triangles: on GPUs by compute shaders,
 * on the CPU by the rasteriser. */
#include "program/render/terrain_pass.h"

#include <stdlib.h>
#include <string.h>

#include "program/render/pixels.h"
#include "program/render/shader.h"

enum { BUFFER_TILES = 2, BUFFER_LARGE = 2, BUFFER_VERTICES = 7, GROUP = 64, LARGE_GROUPS = 1 << 11 };
enum { LOCATION_IS_LARGE, LOCATION_IS_WIRE };

struct terrain_pass {
    GLuint place;           /* program that computes vertices */
    GLuint raster, clear;   /* programs of GPUs; 0 on the CPU */
    GLuint draw;            /* program of the rasteriser; 0 on GPUs */
    GLuint tiles, vertices; /* buffers */
    GLuint large;           /* buffer: list of large triangles, which all work groups share */
    GLuint grid, array;     /* buffer and vertex array of the rasteriser */
    size_t n_tiles;         /* capacity of `vertices` and `large` */
    GLuint n_vertices;      /* vertices per tile */
    GLuint n_triangles;     /* triangles per tile */
};

/** Indices of a quads x quads grid; both triangles of a quad share the diagonal from its north-west corner. */
static void fill_grid(unsigned quads, uint16_t *at)
{
    for (unsigned j = 0; j < quads; j++)
        for (unsigned i = 0; i < quads; i++) {
            const uint16_t nw = (uint16_t)(j * (quads + 1) + i), sw = (uint16_t)(nw + quads + 1);
            const uint16_t corners[6] = {nw, sw, (uint16_t)(sw + 1), nw, (uint16_t)(sw + 1), (uint16_t)(nw + 1)};
            memcpy(at, corners, sizeof corners);
            at += 6;
        }
}

/** Create the index buffer, the vertex array and the program of the rasteriser. */
static result make_grid(terrain_pass *t, unsigned quads)
{
    const size_t bytes = (size_t)t->n_triangles * 3 * sizeof(uint16_t);
    uint16_t *indices = malloc(bytes);
    if (!indices)
        return result_of(RESULT_FAILED, "out of memory");
    fill_grid(quads, indices);
    glCreateBuffers(1, &t->grid);
    glNamedBufferStorage(t->grid, (GLsizeiptr)bytes, indices, 0);
    free(indices);
    glCreateVertexArrays(1, &t->array);
    glVertexArrayElementBuffer(t->array, t->grid);
    return shader_program("terrain.vert", NULL, &t->draw);
}

static result make_raster(terrain_pass *t, const render_quality *quality)
{
    char defines[PIXELS_DEFINES];
    pixels_defines(quality, defines, sizeof defines);
    const shader_file files[] = {{"terrain_raster.comp", defines, &t->raster}, {"words_clear.comp", NULL, &t->clear}};
    return shader_compute_all(files, sizeof files / sizeof files[0]);
}

result terrain_pass_create(const render_quality *quality, terrain_pass **out)
{
    const unsigned quads = (unsigned)(TILE_QUADS / quality->mesh_step);
    terrain_pass *t = calloc(1, sizeof *t);
    if (!t)
        return result_of(RESULT_FAILED, "out of memory");
    t->n_vertices = (quads + 1) * (quads + 1);
    t->n_triangles = 2 * quads * quads;
    result res = shader_compute("terrain_vertices.comp", NULL, &t->place);
    if (res.kind == RESULT_DONE)
        res = gl_is_software() ? make_grid(t, quads) : make_raster(t, quality);
    if (res.kind != RESULT_DONE) {
        terrain_pass_destroy(t);
        return res;
    }
    glCreateBuffers(1, &t->tiles);
    glNamedBufferStorage(t->tiles, QUADTREE_TILES_MAX * sizeof(quadtree_tile), NULL, GL_DYNAMIC_STORAGE_BIT);
    *out = t;
    return res;
}

void terrain_pass_destroy(terrain_pass *t)
{
    if (!t)
        return;
    GLuint *const programs[4] = {&t->place, &t->raster, &t->clear, &t->draw};
    const GLuint buffers[4] = {t->tiles, t->vertices, t->large, t->grid};
    for (int n = 0; n < 4; n++)
        shader_delete(programs[n]);
    glDeleteBuffers(4, buffers);
    glDeleteVertexArrays(1, &t->array);
    free(t);
}

void terrain_pass_clear(const terrain_pass *t, const targets *targets)
{
    static const float farthest = 0.0f;
    const int size[3] = {targets->size.width, targets->size.height, targets->n_samples};
    if (t->raster)
        pixels_clear(t->clear, targets->depth, size, 0); /* 0 has the bits of 0.0f, the farthest depth */
    else
        glClearNamedFramebufferfv(targets->land, GL_DEPTH, 0, &farthest);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
}

/** Enlarge the buffers if they cannot hold the vertices and large triangles of n_tiles tiles. */
static void reserve(terrain_pass *t, size_t n_tiles)
{
    if (n_tiles <= t->n_tiles)
        return;
    const GLuint old[2] = {t->vertices, t->large};
    t->n_tiles = 2 * n_tiles < QUADTREE_TILES_MAX ? 2 * n_tiles : QUADTREE_TILES_MAX;
    glDeleteBuffers(2, old);
    glCreateBuffers(1, &t->vertices);
    glNamedBufferStorage(t->vertices, (GLsizeiptr)(t->n_tiles * t->n_vertices * 4 * sizeof(float)), NULL, 0);
    if (!t->raster)
        return;
    glCreateBuffers(1, &t->large);
    glNamedBufferStorage(t->large, (GLsizeiptr)((t->n_tiles * t->n_triangles + 2) * sizeof(uint32_t)), NULL,
                         GL_DYNAMIC_STORAGE_BIT);
}

/** Compute the positions of all vertices in the picture. */
static void place_vertices(terrain_pass *t, const quadtree *tree)
{
    _Static_assert(sizeof(quadtree_tile) == 6 * sizeof(int32_t), "terrain_vertices.comp reads quadtree_tile");
    reserve(t, tree->n_tiles);
    glNamedBufferSubData(t->tiles, 0, (GLsizeiptr)(tree->n_tiles * sizeof tree->tiles[0]), tree->tiles);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_TILES, t->tiles);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_VERTICES, t->vertices);
    glUseProgram(t->place);
    glDispatchCompute((t->n_vertices + GROUP - 1) / GROUP, (GLuint)tree->n_tiles, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

static void draw_by_compute(const terrain_pass *t, const targets *targets, size_t n_tiles, bool is_wire)
{
    static const GLuint none = 0;
    glClearNamedBufferSubData(t->large, GL_R32UI, 0, sizeof none, GL_RED_INTEGER, GL_UNSIGNED_INT, &none);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_LARGE, t->large);
    glBindImageTexture(0, targets->depth, 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
    glUseProgram(t->raster);
    glUniform1i(LOCATION_IS_WIRE, is_wire);
    glUniform1i(LOCATION_IS_LARGE, 0);
    glDispatchCompute((t->n_triangles + GROUP - 1) / GROUP, (GLuint)n_tiles, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUniform1i(LOCATION_IS_LARGE, 1);
    glDispatchCompute(LARGE_GROUPS, 1, 1);
    glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
}

/** Draw without back-face culling: rounding can flip very thin triangles, and no other triangle covers their pixels. */
static void draw_by_rasteriser(const terrain_pass *t, const targets *targets, size_t n_tiles, bool is_wire)
{
    glBindFramebuffer(GL_FRAMEBUFFER, targets->land);
    glViewport(0, 0, targets->size.width, targets->size.height);
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glUseProgram(t->draw);
    glBindVertexArray(t->array);
    glPolygonMode(GL_FRONT_AND_BACK, is_wire ? GL_LINE : GL_FILL);
    glDrawElementsInstanced(GL_TRIANGLES, (GLsizei)(3 * t->n_triangles), GL_UNSIGNED_SHORT, NULL, (GLsizei)n_tiles);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_DEPTH_TEST);
}

uint64_t terrain_pass_draw(terrain_pass *t, const targets *targets, const quadtree *tree, bool is_wire)
{
    terrain_pass_clear(t, targets);
    if (tree->n_tiles == 0)
        return 0;
    place_vertices(t, tree);
    if (t->raster)
        draw_by_compute(t, targets, tree->n_tiles, is_wire);
    else
        draw_by_rasteriser(t, targets, tree->n_tiles, is_wire);
    return (uint64_t)t->n_triangles * tree->n_tiles;
}
