/* river_cover.c - owns the buffer of the cover of narrow rivers and the staging buffer, and runs tile_rivers.comp. */
#include "program/render/river_cover.h"

#include <stdlib.h>

#include "library/fluvial/river_size.h"
#include "program/render/shader.h"

enum {
    SLOT_WORDS = TILE_FLOATS / 4 + 1, /* one byte per sample, and a word of flags */
    BUFFER_STAGING_TILES = 2,
    BUFFER_WATER = 5,
    BUFFER_LAYERS = 6,
    UNIFORM_RIVER_SIZE = 0
};

struct river_cover {
    GLuint cover, layers, staging_tiles, program;
};

uint64_t river_cover_slot_bytes(void)
{
    return SLOT_WORDS * sizeof(uint32_t);
}

static GLuint make_buffer(GLsizeiptr bytes)
{
    GLuint buffer;
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, bytes, NULL, GL_DYNAMIC_STORAGE_BIT);
    return buffer;
}

result river_cover_create(uint32_t n_slots, river_cover **out)
{
    river_cover *c = calloc(1, sizeof *c);
    if (!c)
        return result_of(RESULT_FAILED, "out of memory");
    result res = shader_compute("tile_rivers.comp", NULL, &c->program);
    if (res.kind == RESULT_DONE) {
        c->cover = make_buffer((GLsizeiptr)(n_slots * river_cover_slot_bytes()));
        c->layers = make_buffer((GLsizeiptr)STAGING_LAYERS * STAGING_TILES * TILE_FLOATS * (GLsizeiptr)sizeof(float));
        c->staging_tiles = make_buffer((GLsizeiptr)(STAGING_TILES * sizeof(staging_tile)));
        if (glGetError() == GL_OUT_OF_MEMORY)
            res = result_of(RESULT_FAILED,
                            "no GPU memory for the rivers of %u tiles: expected a smaller --tile-memory or a lower "
                            "--quality",
                            n_slots);
    }
    if (res.kind != RESULT_DONE) {
        river_cover_destroy(c);
        return res;
    }
    river_cover_forget(c);
    *out = c;
    return res;
}

void river_cover_destroy(river_cover *c)
{
    if (!c)
        return;
    const GLuint buffers[3] = {c->cover, c->layers, c->staging_tiles};
    glDeleteBuffers(3, buffers);
    shader_delete(&c->program);
    free(c);
}

GLuint river_cover_buffer(const river_cover *c)
{
    return c->cover;
}

GLuint river_cover_staging(const river_cover *c)
{
    return c->layers;
}

void river_cover_find(river_cover *c, GLuint water, const staging_tile *tiles, size_t count)
{
    if (count == 0)
        return;
    glNamedBufferSubData(c->staging_tiles, 0, (GLsizeiptr)(count * sizeof *tiles), tiles);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_STAGING_TILES, c->staging_tiles);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, RIVER_BUFFER, c->cover);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_WATER, water);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_LAYERS, c->layers);
    glUseProgram(c->program);
    glUniform4f(UNIFORM_RIVER_SIZE, TER_AREA, TER_WET_AREA, TER_RIVER_WIDTH, TER_RIVER_WIDEST);
    glDispatchCompute((GLuint)count, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
}

void river_cover_forget(river_cover *c)
{
    const uint32_t unknown = UINT32_MAX;
    glClearNamedBufferData(c->cover, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, &unknown);
}
