/* tile_store.c - creates the buffers of tiles and runs tile_bounds.comp and tile_light.comp. */
#include "program/render/tile_store.h"

#include <stdlib.h>

#include "program/render/river_cover.h"
#include "program/render/shader.h"

enum {
    ATLAS_SIDE = LIGHT_ATLAS_SIDE,
    BATCH = 256,   /* tiles per dispatch */
    CPU_BATCH = 8, /* tiles per dispatch on the CPU: small, to react to interruptions */
    FENCES = 8,    /* greatest number of frames whose measured bounds have not arrived yet */
    UNIT_LIGHTS = 1,
    BUFFER_HEIGHTS = 0,
    BUFFER_PAGES = 1,
    BUFFER_JOBS = 2,
    BUFFER_BOUNDS = 4,
    BUFFER_WATER = 5
};

/** A tile for the compute shaders; Job in tile_jobs.glsl. */
typedef struct tile_job {
    int32_t x, z; /* north-west corner, lattice steps from the camera's cell */
    int32_t lod, slot;
} tile_job;

/** State of a slot. */
typedef struct stored_tile {
    tile_key key;
    bool is_filled;    /* the slot holds the heights of `key` */
    bool is_new;       /* completed since the last tile_store_work */
    bool has_bounds;   /* the pool has the bounds */
    uint64_t measured; /* frame that measured the bounds */
} stored_tile;

typedef struct frame_fence {
    GLsync sync;
    uint64_t frame;
} frame_fence;

struct tile_store {
    GLuint heights, pages, jobs, bounds, lights;
    GLuint water;        /* 0: no water */
    river_cover *rivers; /* NULL: no water */
    GLuint light_program, bounds_program;
    const float (*mapped_bounds)[2]; /* mapping of `bounds` */
    stored_tile *tiles;              /* state of each slot */
    uint32_t *fresh;                 /* slots completed since the last tile_store_work */
    size_t n_fresh;
    uint32_t n_slots;
    uint32_t refreshed; /* slot that was considered last when old slots were chosen to be lit again */
    int light_side;
    int (*is_interrupted)(void);
    bool is_changing;
    bool is_unmeasured; /* the bounds of all tiles must be measured */
    bool is_measuring;  /* bounds are being measured, and no fence was set after the dispatch yet */
    uint64_t frame;
    uint64_t arrived; /* newest frame whose bounds can be read */
    frame_fence fences[FENCES];
};

uint64_t tile_store_slot_bytes(int light_side, bool has_water)
{
    const uint64_t texels = (uint64_t)(light_side + 1) * (uint64_t)(light_side + 1),
                   layer = TILE_FLOATS * sizeof(float);
    return layer + texels * 4 + (has_water ? layer + river_cover_slot_bytes() : 0);
}

uint64_t tile_store_slots_max(void)
{
    GLint64 bytes = 0;
    GLint layers = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &layers);
    const uint64_t by_heights = (uint64_t)bytes / (TILE_FLOATS * sizeof(float));
    const uint64_t by_lights = (uint64_t)layers * ATLAS_SIDE * ATLAS_SIDE;
    return by_heights < by_lights ? by_heights : by_lights;
}

/** Make a buffer of TILE_FLOATS floats per slot. */
static GLuint make_samples(const tile_store *s)
{
    GLuint buffer;
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, (GLsizeiptr)s->n_slots * TILE_FLOATS * (GLsizeiptr)sizeof(float), NULL,
                         GL_DYNAMIC_STORAGE_BIT);
    return buffer;
}

static void make_buffers(tile_store *s, bool has_water)
{
    const GLsizei n_layers = (GLsizei)((s->n_slots + ATLAS_SIDE * ATLAS_SIDE - 1) / (ATLAS_SIDE * ATLAS_SIDE));
    const GLsizei side = (s->light_side + 1) * ATLAS_SIDE;
    const GLbitfield mapped = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const GLsizeiptr bounds_bytes = (GLsizeiptr)s->n_slots * 2 * (GLsizeiptr)sizeof(float);
    s->heights = make_samples(s);
    s->water = has_water ? make_samples(s) : 0;
    glCreateBuffers(1, &s->pages);
    glNamedBufferStorage(s->pages, sizeof((quadtree *)0)->pages, NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &s->jobs);
    glNamedBufferStorage(s->jobs, BATCH * sizeof(tile_job), NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateBuffers(1, &s->bounds);
    glNamedBufferStorage(s->bounds, bounds_bytes, NULL, mapped);
    s->mapped_bounds = glMapNamedBufferRange(s->bounds, 0, bounds_bytes, mapped);
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &s->lights);
    glTextureStorage3D(s->lights, 1, GL_RG16F, side, side, n_layers);
    gl_texture_sampling(s->lights, GL_LINEAR, GL_CLAMP_TO_EDGE);
}

result tile_store_create(const tile_store_options *options, tile_store **out)
{
    tile_store *s = calloc(1, sizeof *s);
    if (s) {
        s->n_slots = options->n_slots;
        s->light_side = options->light_side;
        s->is_interrupted = options->is_interrupted;
        s->tiles = calloc(s->n_slots, sizeof *s->tiles);
        s->fresh = calloc(s->n_slots, sizeof *s->fresh);
    }
    if (!s || !s->tiles || !s->fresh) {
        tile_store_destroy(s);
        return result_of(RESULT_FAILED, "out of memory");
    }
    const shader_file files[] = {{"tile_light.comp", NULL, &s->light_program},
                                 {"tile_bounds.comp", NULL, &s->bounds_program}};
    result res = shader_compute_all(files, sizeof files / sizeof files[0]);
    if (res.kind == RESULT_DONE && options->has_water)
        res = river_cover_create(s->n_slots, &s->rivers);
    if (res.kind == RESULT_DONE) {
        make_buffers(s, options->has_water);
        if (glGetError() == GL_OUT_OF_MEMORY || !s->mapped_bounds)
            res = result_of(RESULT_FAILED,
                            "no GPU memory for %u tiles: expected a smaller --tile-memory or a lower --quality",
                            s->n_slots);
    }
    if (res.kind != RESULT_DONE)
        tile_store_destroy(s);
    else
        *out = s;
    return res;
}

void tile_store_destroy(tile_store *s)
{
    if (!s)
        return;
    const GLuint buffers[5] = {s->heights, s->water, s->pages, s->jobs, s->bounds};
    for (int n = 0; n < FENCES; n++)
        glDeleteSync(s->fences[n].sync);
    glDeleteBuffers(5, buffers);
    glDeleteTextures(1, &s->lights);
    river_cover_destroy(s->rivers);
    shader_delete(&s->light_program);
    shader_delete(&s->bounds_program);
    free(s->tiles);
    free(s->fresh);
    free(s);
}

GLuint tile_store_buffer(const tile_store *s)
{
    return s->heights;
}

GLuint tile_store_water_buffer(const tile_store *s)
{
    return s->water;
}

void tile_store_upload(tile_store *s, uint32_t slot, const float *heights, const float *water)
{
    const GLsizeiptr bytes = TILE_FLOATS * sizeof(float);
    glNamedBufferSubData(s->heights, (GLintptr)slot * bytes, bytes, heights);
    if (water)
        glNamedBufferSubData(s->water, (GLintptr)slot * bytes, bytes, water);
}

GLuint tile_store_staging_buffer(const tile_store *s)
{
    return s->rivers ? river_cover_staging(s->rivers) : 0;
}

void tile_store_upload_staging(tile_store *s, int layer, size_t n, const float *samples)
{
    const GLsizeiptr bytes = TILE_FLOATS * sizeof(float);
    glNamedBufferSubData(river_cover_staging(s->rivers), (GLintptr)((size_t)layer * STAGING_TILES + n) * bytes, bytes,
                         samples);
}

void tile_store_copy_staging(tile_store *s, const uint32_t *slots, size_t count)
{
    const GLsizeiptr bytes = TILE_FLOATS * sizeof(float);
    const GLuint from = river_cover_staging(s->rivers);
    for (size_t n = 0; n < count; n++) {
        const GLintptr to = (GLintptr)slots[n] * bytes, water = (GLintptr)(STAGING_WATER * STAGING_TILES + n) * bytes;
        glCopyNamedBufferSubData(from, s->heights, (GLintptr)n * bytes, to, bytes);
        glCopyNamedBufferSubData(from, s->water, water, to, bytes);
    }
}

void tile_store_find_rivers(tile_store *s, const uint32_t *slots, const float *steps_m, float spacing_m,
                            uint32_t covers, size_t count)
{
    staging_tile tiles[STAGING_TILES];
    for (size_t n = 0; n < count; n++)
        tiles[n] = (staging_tile){slots[n], steps_m[n], spacing_m, covers};
    river_cover_find(s->rivers, s->water, tiles, count);
}

void tile_store_vacate(tile_store *s, uint32_t slot)
{
    s->tiles[slot].is_filled = false;
}

void tile_store_complete(tile_store *s, uint32_t slot, tile_key key)
{
    stored_tile *t = &s->tiles[slot];
    if (!t->is_new)
        s->fresh[s->n_fresh++] = slot;
    *t = (stored_tile){.key = key, .is_filled = true, .is_new = true};
}

size_t tile_store_list(const tile_store *s, uint32_t *slots, tile_key *keys)
{
    size_t count = 0;
    for (uint32_t n = 0; n < s->n_slots; n++)
        if (s->tiles[n].is_filled) {
            slots[count] = n;
            keys[count++] = s->tiles[n].key;
        }
    return count;
}

tile_key tile_store_read(const tile_store *s, uint32_t slot, float *heights, float *water)
{
    const GLsizeiptr bytes = TILE_FLOATS * sizeof(float);
    glGetNamedBufferSubData(s->heights, (GLintptr)slot * bytes, bytes, heights);
    if (water)
        glGetNamedBufferSubData(s->water, (GLintptr)slot * bytes, bytes, water);
    return s->tiles[slot].key;
}

size_t tile_store_new(const tile_store *s)
{
    return s->n_fresh;
}

void tile_store_set_changing(tile_store *s, bool is_changing)
{
    s->is_unmeasured |= s->is_changing && !is_changing;
    if (is_changing && s->rivers)
        river_cover_forget(s->rivers);
    s->is_changing = is_changing;
}

/* ---- work on tiles ---- */

/** Run a program over slots, in batches. groups: work groups per side of a tile; 0: one work group per tile */
static void dispatch(tile_store *s, GLuint program, GLuint groups, const int64_t cell[2], const uint32_t *slots,
                     size_t count)
{
    tile_job jobs[BATCH];
    const size_t batch = gl_is_software() ? CPU_BATCH : BATCH;
    glUseProgram(program);
    for (size_t first = 0; first < count && !s->is_interrupted(); first += batch) {
        const size_t n = count - first < batch ? count - first : batch;
        for (size_t k = 0; k < n; k++) {
            const tile_key key = s->tiles[slots[first + k]].key;
            const int64_t steps = (int64_t)TILE_QUADS << key.lod;
            jobs[k] = (tile_job){(int32_t)(key.i * steps - cell[0]), (int32_t)(key.j * steps - cell[1]), key.lod,
                                 (int32_t)slots[first + k]};
        }
        glNamedBufferSubData(s->jobs, 0, (GLsizeiptr)(n * sizeof jobs[0]), jobs);
        if (groups > 0)
            glDispatchCompute(groups, groups, (GLuint)n);
        else
            glDispatchCompute((GLuint)n, 1, 1);
    }
}

/** Start measuring the bounds of slots. They can be read some frames later. */
static void measure(tile_store *s, const int64_t cell[2], const uint32_t *slots, size_t count)
{
    dispatch(s, s->bounds_program, 0, cell, slots, count);
    for (size_t n = 0; n < count; n++) {
        s->tiles[slots[n]].measured = s->frame;
        s->tiles[slots[n]].has_bounds = false;
    }
    s->is_measuring = true;
}

/** Start measuring the bounds of all tiles. */
static void measure_all(tile_store *s, const int64_t cell[2])
{
    uint32_t slots[BATCH];
    for (uint32_t n = 0; n < s->n_slots;) {
        size_t count = 0;
        for (; n < s->n_slots && count < BATCH; n++)
            if (s->tiles[n].is_filled)
                slots[count++] = n;
        measure(s, cell, slots, count);
    }
    s->is_unmeasured = false;
}

/** Choose the next slots to light again, in turn. Only tiles of the page table are taken: their positions relative to
 * the camera fit the shader's 32-bit numbers. */
static size_t choose_refreshed(tile_store *s, const quadtree *tree, uint32_t *slots, size_t most)
{
    size_t count = 0;
    for (uint32_t looked = 0; looked < s->n_slots && count < most; looked++) {
        s->refreshed = (s->refreshed + 1) % s->n_slots;
        const stored_tile *t = &s->tiles[s->refreshed];
        const int64_t row = t->key.j & (QUADTREE_PAGES - 1), column = t->key.i & (QUADTREE_PAGES - 1);
        if (t->is_filled && !t->is_new &&
            quadtree_page_slot(tree->pages[t->key.lod][row * QUADTREE_PAGES + column]) == (int32_t)s->refreshed)
            slots[count++] = s->refreshed;
    }
    return count;
}

/** Pass bounds of finished frames to the pool. */
static void collect_bounds(tile_store *s, tile_pool *pool)
{
    const uint64_t before = s->arrived;
    for (int n = 0; n < FENCES; n++) {
        frame_fence *f = &s->fences[n];
        const GLenum state = f->sync ? glClientWaitSync(f->sync, 0, 0) : GL_TIMEOUT_EXPIRED;
        if (state == GL_ALREADY_SIGNALED || state == GL_CONDITION_SATISFIED) {
            s->arrived = f->frame > s->arrived ? f->frame : s->arrived;
            glDeleteSync(f->sync);
            f->sync = NULL;
        }
    }
    if (s->arrived == before || s->is_changing)
        return;
    for (uint32_t n = 0; n < s->n_slots; n++) {
        stored_tile *t = &s->tiles[n];
        if (t->is_filled && !t->is_new && !t->has_bounds && t->measured <= s->arrived) {
            t->has_bounds = true;
            tile_pool_set_bounds(pool, n, s->mapped_bounds[n][0], s->mapped_bounds[n][1]);
        }
    }
}

/** Set a fence after this frame's measurements. Returns false if all fences are in use: a later frame tries again. */
static bool add_fence(tile_store *s)
{
    for (int n = 0; n < FENCES; n++)
        if (!s->fences[n].sync) {
            s->fences[n] = (frame_fence){glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0), s->frame};
            return true;
        }
    return false;
}

void tile_store_work(tile_store *s, tile_pool *pool, const quadtree *tree, const int64_t cell[2], size_t n_refreshed)
{
    uint32_t refreshed[BATCH];
    const GLuint groups = (GLuint)(s->light_side + 1 + 7) / 8;
    s->frame++;
    collect_bounds(s, pool);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_HEIGHTS, s->heights);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_PAGES, s->pages);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_JOBS, s->jobs);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_BOUNDS, s->bounds);
    /* Without water the shaders do not read this binding; any buffer will do. */
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_WATER, s->water ? s->water : s->heights);
    glNamedBufferSubData(s->pages, 0, (GLsizeiptr)((size_t)(tree->top + 1) * sizeof tree->pages[0]), tree->pages);
    glBindImageTexture(0, s->lights, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RG16F);
    if (s->n_fresh > 0) {
        measure(s, cell, s->fresh, s->n_fresh);
        dispatch(s, s->light_program, groups, cell, s->fresh, s->n_fresh);
        for (size_t n = 0; n < s->n_fresh; n++)
            s->tiles[s->fresh[n]].is_new = false;
        s->n_fresh = 0;
    }
    if (s->is_unmeasured)
        measure_all(s, cell);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, RIVER_BUFFER, s->rivers ? river_cover_buffer(s->rivers) : s->bounds);
    const size_t count = choose_refreshed(s, tree, refreshed, n_refreshed < BATCH ? n_refreshed : BATCH);
    dispatch(s, s->light_program, groups, cell, refreshed, count);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
    if (s->is_measuring)
        s->is_measuring = !add_fence(s);
    tile_store_bind(s);
}

void tile_store_bind(const tile_store *s)
{
    glBindTextureUnit(UNIT_LIGHTS, s->lights);
}
