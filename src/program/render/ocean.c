/* ocean.c - runs the ocean_*.comp shaders and fills the uniform block of sea_block.glsl. Cascades and patches are
 * explained in ocean_spectrum.h. */
#include "program/render/ocean.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/render/shader.h"

enum { UNIT_WAVES = 15, UNIT_FIELDS = 14, BLOCK_SEA = 2, BUFFER_MODES = 6, FIELDS = 2, GROUP = 8 };
/* Width of the cells in which a cascade's patch is shifted at random, so that its repetition is not visible. */
static const double BROAD_CELL_M[OCEAN_CASCADES_MAX] = {1024.0, 128.0, 32.0, 4.0};

/** A cascade; Cascade in sea_block.glsl. */
typedef struct sea_cascade {
    float turn[2];      /* change of the first patch coordinate per metre to the east, and per metre to the south */
    float place[2];     /* position of the camera in the patch, 0..1 */
    float cells;        /* number of cells per metre */
    float wave_number;  /* mean wave number, 1/m */
    float cell_part[2]; /* position of the camera in its cell, 0..1 */
    int32_t cell[2];    /* cell of the camera, modulo cell_period */
    int32_t cell_period;
    int32_t padding;
    float lost[OCEAN_LEVELS];
} sea_cascade;

/** The std140 layout of Sea in sea_block.glsl. */
typedef struct sea_block {
    float shorter, highest, second, part;
    int32_t n_cascades, side, padding_2[2];
    sea_cascade cascades[OCEAN_CASCADES_MAX];
} sea_block;

_Static_assert(offsetof(sea_block, cascades) == 32, "std140 offset of cascades");
_Static_assert(offsetof(sea_cascade, lost) == 48 && sizeof(sea_cascade) == 96, "std140 layout of a cascade");

struct ocean {
    ocean_waves waves;
    ocean_steepness steepness;
    GLuint fft, surface;     /* programs */
    GLuint mips;             /* program; 0: glGenerateTextureMipmap is used */
    GLuint modes, block;     /* buffers */
    GLuint fields, surfaces; /* textures */
};

static GLuint make_texture(GLenum format, int side, int layers, int levels)
{
    GLuint texture;
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &texture);
    glTextureStorage3D(texture, levels, format, side, side, layers);
    gl_texture_sampling(texture, levels > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR, GL_REPEAT);
    return texture;
}

static int levels_of(int side)
{
    int levels = 1;
    while (side >> levels > 0)
        levels++;
    return levels;
}

static result make_modes(ocean *o)
{
    const size_t count = (size_t)o->waves.n_cascades * (size_t)(o->waves.side * o->waves.side);
    ocean_mode *modes = malloc(count * sizeof *modes);
    if (!modes)
        return result_of(RESULT_FAILED, "out of memory");
    ocean_fill(&o->waves, modes, &o->steepness);
    glCreateBuffers(1, &o->modes);
    glNamedBufferStorage(o->modes, (GLsizeiptr)(count * sizeof *modes), modes, 0);
    free(modes);
    return result_done();
}

result ocean_create(int quality_level, ocean **out)
{
    ocean *o = calloc(1, sizeof *o);
    if (!o)
        return result_of(RESULT_FAILED, "out of memory");
    char defines[64];
    o->waves = ocean_waves_of(quality_level);
    snprintf(defines, sizeof defines, "#define OCEAN_SIDE %d\n", o->waves.side);
    const shader_file files[] = {{"ocean_fft.comp", defines, &o->fft},
                                 {"ocean_surface.comp", defines, &o->surface},
                                 {"ocean_mips.comp", NULL, &o->mips}}; /* used only if OpenGL renders on the CPU */
    result done = shader_compute_all(files, gl_is_software() ? 3 : 2);
    if (done.kind == RESULT_DONE)
        done = make_modes(o);
    if (done.kind != RESULT_DONE) {
        ocean_destroy(o);
        return done;
    }
    o->fields = make_texture(GL_RGBA32F, o->waves.side, FIELDS * o->waves.n_cascades, 1);
    o->surfaces = make_texture(GL_RGBA16F, o->waves.side, o->waves.n_cascades, levels_of(o->waves.side));
    glCreateBuffers(1, &o->block);
    glNamedBufferStorage(o->block, sizeof(sea_block), NULL, GL_DYNAMIC_STORAGE_BIT);
    *out = o;
    return done;
}

void ocean_destroy(ocean *o)
{
    if (!o)
        return;
    const GLuint buffers[2] = {o->modes, o->block}, textures[2] = {o->fields, o->surfaces};
    shader_delete(&o->fft);
    shader_delete(&o->surface);
    shader_delete(&o->mips);
    glDeleteBuffers(2, buffers);
    glDeleteTextures(2, textures);
    free(o);
}

static double fraction(double x)
{
    return x - floor(x);
}

/** Position of the camera in a cascade's patch and cell. Computed in double precision, which shaders lack. */
static void place_cascade(const ocean *o, const render_view *v, int cascade, sea_cascade *c)
{
    const double turn[2] = {o->waves.turn[cascade][0] / RENDER_PATTERN_M, o->waves.turn[cascade][1] / RENDER_PATTERN_M};
    const double *at = v->pattern_m, *broad = v->broad_pattern_m, cell_m = BROAD_CELL_M[cascade];
    const double cell[2] = {(broad[0] + 0.5 * broad[1]) / cell_m, broad[1] / cell_m};
    c->place[0] = (float)fraction(turn[0] * at[0] + turn[1] * at[1]);
    c->place[1] = (float)fraction(turn[0] * at[1] - turn[1] * at[0]);
    c->cells = (float)(1.0 / cell_m);
    c->wave_number = o->steepness.wave_number[cascade];
    c->cell_period = (int32_t)(RENDER_BROAD_PATTERN_M / cell_m);
    for (int n = 0; n < 2; n++) {
        c->turn[n] = (float)turn[n];
        c->cell[n] = (int32_t)floor(cell[n]);
        c->cell_part[n] = (float)fraction(cell[n]);
    }
    for (int level = 0; level < OCEAN_LEVELS; level++)
        c->lost[level] = o->steepness.lost[cascade][level];
}

bool ocean_is_in_view(const render_view *v)
{
    if (!(v->layers & 1u << LAYER_WATER))
        return false;
    if (v->altitude_m <= v->sea_m)
        return true;
    /* Compare the lowest ray of the picture with the horizon, which lies below the horizontal by the dip. */
    const double tall = tan(0.5 * (double)v->fov_deg * 3.14159265358979 / 180.0), up = (double)v->forward[1];
    const double lowest = up - tall * fabs((double)v->up[1]), over = v->altitude_m - v->sea_m;
    const double radius = v->planet_radius_m,
                 dip = radius > 0.0 ? sqrt(over * (over + 2.0 * radius)) / (over + radius) : 0.0;
    return v->part.width > 0.0 || lowest < -0.5 * dip || fabs((double)v->right[1]) > 1e-3;
}

static void make_mipmaps(const ocean *o)
{
    if (!o->mips) {
        glGenerateTextureMipmap(o->surfaces);
        return;
    }
    glUseProgram(o->mips);
    glBindTextureUnit(UNIT_FIELDS, o->surfaces);
    for (int level = 1; o->waves.side >> level > 0; level++) {
        const GLuint groups = (GLuint)((o->waves.side >> level) + GROUP - 1) / GROUP;
        glUniform1i(0, level - 1);
        glBindImageTexture(0, o->surfaces, level, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
        glDispatchCompute(groups, groups, (GLuint)o->waves.n_cascades);
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    }
}

static void run(const ocean *o)
{
    const GLuint side = (GLuint)o->waves.side, n = (GLuint)o->waves.n_cascades;
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_MODES, o->modes);
    glUseProgram(o->fft);
    glBindImageTexture(0, o->fields, 0, GL_TRUE, 0, GL_READ_WRITE, GL_RGBA32F);
    for (int is_column = 0; is_column < 2; is_column++) {
        glUniform1i(0, is_column);
        glDispatchCompute(side, n, FIELDS);
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
    }
    glUseProgram(o->surface);
    glBindTextureUnit(UNIT_FIELDS, o->fields);
    glBindImageTexture(0, o->surfaces, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glDispatchCompute(side / GROUP, side / GROUP, n);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
    make_mipmaps(o);
}

void ocean_bind(const ocean *o)
{
    glBindTextureUnit(UNIT_WAVES, o->surfaces);
}

void ocean_update(ocean *o, const render_view *v, bool is_in_view)
{
    sea_block block = {.shorter = o->steepness.shorter,
                       .highest = o->steepness.highest,
                       .second = (float)floor(fmod(v->time_s, OCEAN_PERIOD_S)),
                       .part = (float)fraction(v->time_s),
                       .n_cascades = o->waves.n_cascades,
                       .side = o->waves.side};
    for (int c = 0; c < o->waves.n_cascades; c++)
        place_cascade(o, v, c, &block.cascades[c]);
    glNamedBufferSubData(o->block, 0, sizeof block, &block);
    glBindBufferBase(GL_UNIFORM_BUFFER, BLOCK_SEA, o->block);
    ocean_bind(o);
    if (is_in_view)
        run(o);
}

GLuint ocean_fields(const ocean *o)
{
    return o->fields;
}
