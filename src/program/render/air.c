/* air.c - runs the air_*.comp shaders: air_froxels.comp in every frame, the others when the air, the sun or the
 * camera's altitude changes. */
#include "program/render/air.h"

#include <math.h>
#include <stdlib.h>

#include "program/render/shader.h"

#include <constants.glsl>

enum { FROXELS = 32, UNIT_TRANSMITTANCE = 2 };

typedef enum table { TRANSMITTANCE, MULTIPLE_SCATTERING, SKY, FROXEL_LIGHT, FROXEL_TRANSMITTANCE, TABLES } table;

struct air {
    GLuint textures[TABLES];
    GLuint transmittance, multiple, sky, froxels; /* programs */
    int sky_width, sky_height;
    air_state made; /* state that the tables were made for; density below 0: make all tables in the next update */
};

static GLuint make_texture(GLenum target, GLenum format, int width, int height, int depth)
{
    GLuint texture;
    glCreateTextures(target, 1, &texture);
    if (target == GL_TEXTURE_3D)
        glTextureStorage3D(texture, 1, format, width, height, depth);
    else
        glTextureStorage2D(texture, 1, format, width, height);
    gl_texture_sampling(texture, GL_LINEAR, GL_CLAMP_TO_EDGE);
    return texture;
}

result air_create(bool is_coarse, air **out)
{
    air *a = calloc(1, sizeof *a);
    if (!a)
        return result_of(RESULT_FAILED, "out of memory");
    const shader_file files[] = {{"air_transmittance.comp", NULL, &a->transmittance},
                                 {"air_multiple.comp", NULL, &a->multiple},
                                 {"air_sky.comp", NULL, &a->sky},
                                 {"air_froxels.comp", NULL, &a->froxels}};
    const result res = shader_compute_all(files, sizeof files / sizeof files[0]);
    if (res.kind != RESULT_DONE) {
        air_destroy(a);
        return res;
    }
    a->sky_width = is_coarse ? 96 : 256;
    a->sky_height = is_coarse ? 64 : 192;
    a->made.density = -1.0f;
    a->textures[TRANSMITTANCE] =
        make_texture(GL_TEXTURE_2D, GL_RGBA16F, AIR_TRANSMITTANCE_WIDTH, AIR_TRANSMITTANCE_HEIGHT, 1);
    a->textures[MULTIPLE_SCATTERING] = make_texture(GL_TEXTURE_2D, GL_RGBA16F, AIR_MULTIPLE_SIDE, AIR_MULTIPLE_SIDE, 1);
    a->textures[SKY] = make_texture(GL_TEXTURE_2D, GL_RGBA16F, a->sky_width, a->sky_height, 1);
    for (int n = FROXEL_LIGHT; n <= FROXEL_TRANSMITTANCE; n++)
        a->textures[n] = make_texture(GL_TEXTURE_3D, GL_RGBA16F, FROXELS, FROXELS, FROXELS);
    *out = a;
    return res;
}

void air_destroy(air *a)
{
    if (!a)
        return;
    GLuint *const programs[4] = {&a->transmittance, &a->multiple, &a->sky, &a->froxels};
    for (int n = 0; n < 4; n++)
        shader_delete(programs[n]);
    glDeleteTextures(TABLES, a->textures);
    free(a);
}

void air_forget(air *a)
{
    a->made.density = -1.0f;
}

static void run(GLuint program, GLuint texture, GLenum format, int width, int height, int depth)
{
    glUseProgram(program);
    glBindImageTexture(0, texture, 0, depth > 1, 0, GL_WRITE_ONLY, format);
    glDispatchCompute((GLuint)width, (GLuint)height, (GLuint)depth);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

/** Whether the altitude has changed enough to change the sky visibly: by ten metres plus half a percent. */
static bool has_risen(float from, float to)
{
    return fabsf(from - to) > 10.0f + 0.005f * fabsf(from);
}

void air_bind(const air *a)
{
    for (GLuint n = 0; n < TABLES; n++)
        glBindTextureUnit(UNIT_TRANSMITTANCE + n, a->textures[n]);
}

void air_update(air *a, const air_state *s)
{
    const air_state *m = &a->made;
    const bool has_new_air =
        m->density < 0.0f || m->haze != s->haze || m->density != s->density || m->radius_km != s->radius_km;
    const bool has_new_sun = m->sun[0] != s->sun[0] || m->sun[1] != s->sun[1] || m->sun[2] != s->sun[2];
    const bool has_new_sky = has_new_air || has_new_sun || has_risen(m->altitude_m, s->altitude_m);
    air_bind(a);
    if (has_new_air) {
        run(a->transmittance, a->textures[TRANSMITTANCE], GL_RGBA16F, AIR_TRANSMITTANCE_WIDTH / 8,
            AIR_TRANSMITTANCE_HEIGHT / 8, 1);
        run(a->multiple, a->textures[MULTIPLE_SCATTERING], GL_RGBA16F, AIR_MULTIPLE_SIDE / 8, AIR_MULTIPLE_SIDE / 8, 1);
    }
    if (has_new_sky) {
        run(a->sky, a->textures[SKY], GL_RGBA16F, (a->sky_width + 7) / 8, (a->sky_height + 7) / 8, 1);
        a->made = *s;
    }
    glUseProgram(a->froxels);
    glBindImageTexture(0, a->textures[FROXEL_LIGHT], 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glBindImageTexture(1, a->textures[FROXEL_TRANSMITTANCE], 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    glDispatchCompute(FROXELS / 8, FROXELS / 8, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}
