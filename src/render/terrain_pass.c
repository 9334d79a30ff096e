/* terrain_pass.c - grid, vertices of the tiles, draw call. */
#include "render/terrain_pass.h"

#include <stdlib.h>
#include <string.h>

#include "render/shader.h"

enum { BUFFER_TILES = 2, BUFFER_VERTICES = 7, GROUP = 64 };

struct terrain_pass {
    GLuint place, program;               /* programs: vertices; depth */
    GLuint tiles, vertices, grid, array; /* buffers and vertex array */
    size_t n_tiles;                      /* that the vertices have room for */
    GLsizei n_indices;
    GLuint n_vertices; /* of a tile */
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

static outcome make_grid(terrain_pass *t, unsigned quads)
{
    t->n_indices = (GLsizei)(quads * quads * 6);
    t->n_vertices = (quads + 1) * (quads + 1);
    uint16_t *indices = malloc((size_t)t->n_indices * sizeof *indices);
    if (!indices)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    fill_grid(quads, indices);
    glCreateBuffers(1, &t->grid);
    glNamedBufferStorage(t->grid, t->n_indices * (GLsizeiptr)sizeof *indices, indices, 0);
    free(indices);
    return outcome_done();
}

static void make_array(terrain_pass *t)
{
    glCreateBuffers(1, &t->tiles);
    glNamedBufferStorage(t->tiles, QUADTREE_TILES_MAX * sizeof(quadtree_tile), NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateVertexArrays(1, &t->array);
    glVertexArrayElementBuffer(t->array, t->grid);
}

outcome terrain_pass_create(int mesh_step, terrain_pass **out)
{
    terrain_pass *t = calloc(1, sizeof *t);
    if (!t)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    outcome o = shader_compute("terrain_vertices.comp", NULL, &t->place);
    if (o.kind == OUTCOME_DONE)
        o = shader_program("terrain.vert", NULL, &t->program);
    if (o.kind == OUTCOME_DONE)
        o = make_grid(t, (unsigned)(TILE_QUADS / mesh_step));
    if (o.kind != OUTCOME_DONE) {
        terrain_pass_destroy(t);
        return o;
    }
    make_array(t);
    *out = t;
    return o;
}

void terrain_pass_destroy(terrain_pass *t)
{
    if (!t)
        return;
    const GLuint buffers[3] = {t->tiles, t->vertices, t->grid};
    shader_delete(&t->place);
    shader_delete(&t->program);
    glDeleteBuffers(3, buffers);
    glDeleteVertexArrays(1, &t->array);
    free(t);
}

void terrain_pass_clear(const targets *targets)
{
    static const float farthest = 0.0f;
    glClearNamedFramebufferfv(targets->land, GL_DEPTH, 0, &farthest);
}

/** Room for the vertices of some tiles. */
static void reserve_vertices(terrain_pass *t, size_t n_tiles)
{
    if (n_tiles <= t->n_tiles)
        return;
    t->n_tiles = 2 * n_tiles < QUADTREE_TILES_MAX ? 2 * n_tiles : QUADTREE_TILES_MAX;
    glDeleteBuffers(1, &t->vertices);
    glCreateBuffers(1, &t->vertices);
    glNamedBufferStorage(t->vertices, (GLsizeiptr)(t->n_tiles * t->n_vertices * 4 * sizeof(float)), NULL, 0);
}

/** Where the vertices of all tiles are in the picture. */
static void place_vertices(terrain_pass *t, const quadtree *tree)
{
    _Static_assert(sizeof(quadtree_tile) == 4 * sizeof(int32_t), "terrain_vertices.comp reads tiles as they are");
    reserve_vertices(t, tree->n_tiles);
    glNamedBufferSubData(t->tiles, 0, (GLsizeiptr)(tree->n_tiles * sizeof tree->tiles[0]), tree->tiles);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_TILES, t->tiles);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_VERTICES, t->vertices);
    glUseProgram(t->place);
    glDispatchCompute((t->n_vertices + GROUP - 1) / GROUP, (GLuint)tree->n_tiles, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

uint64_t terrain_pass_draw(terrain_pass *t, const targets *targets, const quadtree *tree, bool is_wire)
{
    terrain_pass_clear(targets);
    if (tree->n_tiles == 0)
        return 0;
    place_vertices(t, tree);
    glBindFramebuffer(GL_FRAMEBUFFER, targets->land);
    glViewport(0, 0, targets->size.width, targets->size.height);
    glClipControl(GL_LOWER_LEFT, GL_ZERO_TO_ONE);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_GREATER);
    glEnable(GL_CULL_FACE);
    glUseProgram(t->program);
    glBindVertexArray(t->array);
    glPolygonMode(GL_FRONT_AND_BACK, is_wire ? GL_LINE : GL_FILL);
    glDrawElementsInstanced(GL_TRIANGLES, t->n_indices, GL_UNSIGNED_SHORT, NULL, (GLsizei)tree->n_tiles);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    return (uint64_t)t->n_indices / 3 * tree->n_tiles;
}
