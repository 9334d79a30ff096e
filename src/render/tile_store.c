/* tile_store.c - the height buffer, the normal atlas, and the compute pass between them. */
#include "render/tile_store.h"

#include <stdlib.h>

#include "render/shader.h"

enum {
    NORMALS = TILE_QUADS + 1, /* texels of a tile's side in the atlas */
    ATLAS_SIDE = 8,           /* tiles of an atlas layer's side */
    BATCH = 256               /* tiles of a compute dispatch */
};

struct tile_store {
    GLuint heights, normals, jobs, program;
};

/** A tile for the compute shader. */
typedef struct normal_job {
    uint32_t slot;
    float spacing_m;
} normal_job;

outcome tile_store_create(uint32_t n_slots, tile_store **out)
{
    tile_store *store = calloc(1, sizeof *store);
    if (!store)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    const outcome o = shader_program(NULL, NULL, "normals.comp", &store->program);
    if (o.kind != OUTCOME_DONE) {
        free(store);
        return o;
    }
    const GLsizei n_layers = (GLsizei)((n_slots + ATLAS_SIDE * ATLAS_SIDE - 1) / (ATLAS_SIDE * ATLAS_SIDE));
    glCreateBuffers(1, &store->heights);
    glNamedBufferStorage(store->heights, (GLsizeiptr)n_slots * TILE_FLOATS * (GLsizeiptr)sizeof(float), NULL,
                         GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &store->jobs);
    glNamedBufferStorage(store->jobs, BATCH * sizeof(normal_job), NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &store->normals);
    glTextureStorage3D(store->normals, 1, GL_RGBA16_SNORM, NORMALS * ATLAS_SIDE, NORMALS * ATLAS_SIDE, n_layers);
    glTextureParameteri(store->normals, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(store->normals, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(store->normals, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(store->normals, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    if (glGetError() == GL_OUT_OF_MEMORY) {
        tile_store_destroy(store);
        return outcome_of(OUTCOME_FAILED, "no GPU memory for %u tiles", n_slots);
    }
    *out = store;
    return outcome_done();
}

void tile_store_destroy(tile_store *store)
{
    if (!store)
        return;
    glDeleteBuffers(1, &store->heights);
    glDeleteBuffers(1, &store->jobs);
    glDeleteTextures(1, &store->normals);
    glDeleteProgram(store->program);
    free(store);
}

GLuint tile_store_buffer(const tile_store *store)
{
    return store->heights;
}

void tile_store_upload(tile_store *store, uint32_t slot, const float *heights)
{
    const GLsizeiptr bytes = TILE_FLOATS * sizeof(float);
    glNamedBufferSubData(store->heights, (GLintptr)slot * bytes, bytes, heights);
}

void tile_store_make_normals(tile_store *store, const uint32_t *slots, const float *spacing_m, size_t count)
{
    normal_job jobs[BATCH];
    glUseProgram(store->program);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, store->heights);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, store->jobs);
    glBindImageTexture(0, store->normals, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16_SNORM);
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t n = count - first < BATCH ? count - first : BATCH;
        for (size_t k = 0; k < n; k++)
            jobs[k] = (normal_job){slots[first + k], spacing_m[first + k]};
        glNamedBufferSubData(store->jobs, 0, (GLsizeiptr)(n * sizeof jobs[0]), jobs);
        glDispatchCompute(1, (NORMALS + 7) / 8, (GLuint)n);
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
}

void tile_store_bind(const tile_store *store)
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, store->heights);
    glBindTextureUnit(0, store->normals);
}
