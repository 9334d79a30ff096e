/* weather.c - runs weather.comp, cloud_noise.comp and cloud_cells.comp. */
#include "program/render/weather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/render/shader.h"

enum {
    LEVELS = WEATHER_MAP_LEVELS,
    LOCATION_LEVEL = 0,
    UNIT_NOISE = 10,
    UNIT_LOW = 20,
    UNIT_HIGH = 21,
    UNIT_CELLS = 22
};

typedef enum table { TABLE_LOW, TABLE_HIGH, TABLE_CELLS, TABLE_NOISE, TABLES } table;

/** Inputs of a level of the weather map. */
typedef struct map_state {
    int32_t cell[2];
    float texel[2]; /* texel of the camera in the cell */
    uint32_t seeds[2];
    float share, cover, base, depth;
} map_state;

struct weather {
    GLuint textures[TABLES];
    GLuint map, cells, noise; /* programs */
    int map_side, cells_side, noise_side;
    bool has_shapes, has_map[LEVELS];
    map_state made[LEVELS];
};

static int levels_down_to_one(int side)
{
    int count = 1;
    for (; side > 1; side /= 2)
        count++;
    return count;
}

static GLuint make_texture(GLenum target, GLenum format, int side, int depth, GLenum wrap)
{
    GLuint texture;
    const int n_levels = wrap == GL_REPEAT ? levels_down_to_one(side) : 1;
    glCreateTextures(target, 1, &texture);
    if (target == GL_TEXTURE_2D)
        glTextureStorage2D(texture, n_levels, format, side, side);
    else
        glTextureStorage3D(texture, n_levels, format, side, side, depth);
    gl_texture_sampling(texture, n_levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR, wrap);
    return texture;
}

result weather_create(bool is_coarse, weather **out)
{
    weather *w = calloc(1, sizeof *w);
    if (!w)
        return result_of(RESULT_FAILED, "out of memory");
    const shader_file files[] = {
        {"weather.comp", NULL, &w->map}, {"cloud_cells.comp", NULL, &w->cells}, {"cloud_noise.comp", NULL, &w->noise}};
    const result res = shader_compute_all(files, sizeof files / sizeof files[0]);
    if (res.kind != RESULT_DONE) {
        weather_destroy(w);
        return res;
    }
    w->map_side = is_coarse ? 128 : 512;
    w->cells_side = is_coarse ? 256 : 512;
    w->noise_side = is_coarse ? 64 : 128;
    w->textures[TABLE_LOW] = make_texture(GL_TEXTURE_2D_ARRAY, GL_RGBA16F, w->map_side, LEVELS, GL_CLAMP_TO_EDGE);
    w->textures[TABLE_HIGH] = make_texture(GL_TEXTURE_2D_ARRAY, GL_RG8, w->map_side, LEVELS, GL_CLAMP_TO_EDGE);
    w->textures[TABLE_CELLS] = make_texture(GL_TEXTURE_2D, GL_RGBA16, w->cells_side, 1, GL_REPEAT);
    w->textures[TABLE_NOISE] = make_texture(GL_TEXTURE_3D, GL_RG8, w->noise_side, w->noise_side, GL_REPEAT);
    *out = w;
    return res;
}

void weather_destroy(weather *w)
{
    if (!w)
        return;
    GLuint *const programs[3] = {&w->map, &w->cells, &w->noise};
    for (int n = 0; n < 3; n++)
        shader_delete(programs[n]);
    glDeleteTextures(TABLES, w->textures);
    free(w);
}

void weather_forget(weather *w)
{
    w->has_shapes = false;
    memset(w->has_map, 0, sizeof w->has_map);
}

static void make_shapes(const weather *w)
{
    const GLuint cells = (GLuint)w->cells_side / 8, noise = (GLuint)w->noise_side / 4;
    glUseProgram(w->cells);
    glBindImageTexture(0, w->textures[TABLE_CELLS], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16);
    glDispatchCompute(cells, cells, 1);
    glUseProgram(w->noise);
    glBindImageTexture(0, w->textures[TABLE_NOISE], 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RG8);
    glDispatchCompute(noise, noise, noise);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGenerateTextureMipmap(w->textures[TABLE_CELLS]);
    glGenerateTextureMipmap(w->textures[TABLE_NOISE]);
}

static map_state state_of(const frame_block *b, int level)
{
    const float size = b->weather_texel * (float)(1 << 2 * level);
    map_state s = {.share = b->weather_share, .cover = b->cloud_cover, .base = b->cloud_base, .depth = b->cloud_depth};
    for (int n = 0; n < 2; n++) {
        s.cell[n] = b->weather_cell[n];
        s.texel[n] = floorf(b->weather_place[n] / size);
        s.seeds[n] = b->weather_seeds[n];
    }
    return s;
}

static void make_map(weather *w, const frame_block *b)
{
    const GLuint groups = (GLuint)w->map_side / 8;
    glUseProgram(w->map);
    glBindImageTexture(0, w->textures[TABLE_LOW], 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glBindImageTexture(1, w->textures[TABLE_HIGH], 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RG8);
    for (int level = 0; level < LEVELS; level++) {
        const map_state s = state_of(b, level);
        if (w->has_map[level] && memcmp(&s, &w->made[level], sizeof s) == 0)
            continue;
        glUniform1i(LOCATION_LEVEL, level);
        glDispatchCompute(groups, groups, 1);
        w->made[level] = s;
        w->has_map[level] = true;
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

void weather_bind(const weather *w)
{
    glBindTextureUnit(UNIT_LOW, w->textures[TABLE_LOW]);
    glBindTextureUnit(UNIT_HIGH, w->textures[TABLE_HIGH]);
    glBindTextureUnit(UNIT_CELLS, w->textures[TABLE_CELLS]);
    glBindTextureUnit(UNIT_NOISE, w->textures[TABLE_NOISE]);
}

void weather_update(weather *w, const frame_block *b)
{
    if (!w->has_shapes)
        make_shapes(w);
    w->has_shapes = true;
    make_map(w, b);
    weather_bind(w);
}
