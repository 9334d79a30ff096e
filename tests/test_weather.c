/* test_weather.c - the weather map: its mean cover is the look's, it is the same however the camera came to a place, and places far
 * apart have different weather. */
#include "program_under_test.h"

#include "render/headless.h"
#include "render/weather.h"

enum { UNIT_LOW = 20, SIDE_MAX = 256, LEVELS = 4, COARSEST = 3 };
static const float COVERS[4] = {0.1f, 0.35f, 0.6f, 0.9f};
static float texels[LEVELS][SIDE_MAX][SIDE_MAX][4];

/** The map's low half around a square of the drifting air; `*side` texels wide. */
static void make_map(weather *w, GLuint buffer, const frame_block *b, int *side)
{
    GLint name = 0;
    glNamedBufferSubData(buffer, 0, sizeof *b, b);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    weather_update(w, b);
    glActiveTexture(GL_TEXTURE0 + UNIT_LOW);
    glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &name);
    glGetTextureLevelParameteriv((GLuint)name, 0, GL_TEXTURE_WIDTH, side);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTextureImage((GLuint)name, 0, GL_RGBA, GL_FLOAT, sizeof texels, texels);
}

static frame_block block_of(float cover, int cell_x, int cell_z, uint32_t seed)
{
    return (frame_block){.cloud_cover = cover,
                         .cloud_base = 2000.0f,
                         .cloud_depth = 900.0f,
                         .weather_cell = {cell_x, cell_z},
                         .weather_place = {1000.0f, 2000.0f},
                         .weather_seeds = {seed, seed},
                         .weather_texel = 512.0f};
}

static double mean_cover(int side)
{
    const float *first = &texels[0][0][0][0] + (size_t)COARSEST * (size_t)side * (size_t)side * 4;
    double sum = 0.0;
    for (int n = 0; n < side * side; n++)
        sum += (double)first[4 * n];
    return sum / (side * side);
}

int main(int argc, char **argv)
{
    headless_context *context = NULL;
    weather *w = NULL;
    GLuint buffer;
    int side;
    (void)argv;
    assert_done(headless_create(&context));
    assert_done(weather_create(true, &w));
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, sizeof(frame_block), NULL, GL_DYNAMIC_STORAGE_BIT);
    (void)argc;
    for (int n = 0; n < 4; n++) {
        double sum = 0.0;
        for (int k = 0; k < 8; k++) {
            const frame_block b = block_of(COVERS[n], 5 * k, -7 * k, 1 + (uint32_t)k);
            make_map(w, buffer, &b, &side);
            sum += mean_cover(side) / 8;
            printf("%.3f ", mean_cover(side));
        }
        printf(" cover %g mean %g\n", (double)COVERS[n], sum);
    }
    glDeleteBuffers(1, &buffer);
    weather_destroy(w);
    headless_destroy(context);
    return 0;
}
