/* test_weather.c - the weather map has the mean cover that the look sets, does not depend on the camera's path to a
 * place, and differs between places far apart. */
#include "program_under_test.h"

#include <constants.glsl>
#include <math.h>

#include "program/render/headless.h"
#include "program/render/weather.h"

enum { UNIT_LOW = 20, SIDE_MAX = 128, LEVELS = WEATHER_MAP_LEVELS, COARSEST = LEVELS - 1, PLACES = 8 };

typedef struct map {
    int side;
    float texels[LEVELS * SIDE_MAX * SIDE_MAX * 4]; /* cover, upright, base, top */
} map;

static headless_context *context;
static GLuint buffer;

static int open_context(void **state)
{
    (void)state;
    assert_done(headless_create(&context));
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, sizeof(frame_block), NULL, GL_DYNAMIC_STORAGE_BIT);
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    glDeleteBuffers(1, &buffer);
    headless_destroy(context);
    return 0;
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

/** Make the map for a frame, and read its half for low clouds. */
static void make_map(weather *w, const frame_block *b, map *m)
{
    GLint name = 0;
    glNamedBufferSubData(buffer, 0, sizeof *b, b);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    weather_update(w, b);
    glActiveTexture(GL_TEXTURE0 + UNIT_LOW);
    glGetIntegerv(GL_TEXTURE_BINDING_2D_ARRAY, &name);
    glGetTextureLevelParameteriv((GLuint)name, 0, GL_TEXTURE_WIDTH, &m->side);
    assert_int_equal(m->side, SIDE_MAX);
    glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
    glGetTextureImage((GLuint)name, 0, GL_RGBA, GL_FLOAT, sizeof m->texels, m->texels);
}

static const float *level_of(const map *m, int level)
{
    return m->texels + (size_t)level * SIDE_MAX * SIDE_MAX * 4;
}

static double mean_cover(const map *m, int level)
{
    const float *first = level_of(m, level);
    double sum = 0.0;
    for (int n = 0; n < SIDE_MAX * SIDE_MAX; n++)
        sum += (double)first[4 * n];
    return sum / (SIDE_MAX * SIDE_MAX);
}

static void test_cover(void **state)
{
    static const float covers[4] = {0.1f, 0.35f, 0.6f, 0.9f};
    static map m;
    weather *w = NULL;
    (void)state;
    assert_done(weather_create(true, &w));
    for (int n = 0; n < 4; n++) {
        double mean = 0.0;
        for (int k = 0; k < PLACES; k++) {
            const frame_block b = block_of(covers[n], 5 * k, -7 * k, 1 + (uint32_t)k);
            make_map(w, &b, &m);
            mean += mean_cover(&m, COARSEST) / PLACES;
        }
        print_message("cover %g: %g\n", (double)covers[n], mean);
        assert_true(fabs(mean - (double)covers[n]) < 0.07);
    }
    weather_destroy(w);
}

/** A map that has followed the camera is equal to a map that is made anew at its place. */
static void test_way(void **state)
{
    static map moved, fresh;
    weather *w = NULL, *other = NULL;
    (void)state;
    assert_done(weather_create(true, &w));
    assert_done(weather_create(true, &other));
    frame_block b = block_of(0.4f, 1 << 20, -(1 << 20), 7);
    make_map(w, &b, &moved);
    b.weather_place[0] += 3000.0f;
    make_map(w, &b, &moved);
    make_map(other, &b, &fresh);
    assert_memory_equal(moved.texels, fresh.texels, sizeof fresh.texels);
    assert_int_equal(gl_error_count(), 0);
    weather_destroy(w);
    weather_destroy(other);
}

/** Of 40 squares along 2000 km, each 65 km wide, some are clear, some are overcast, and some are in between. Another
 * seed gives other weather. */
static void test_variety(void **state)
{
    static map m, other;
    weather *w = NULL;
    int n_clear = 0, n_overcast = 0, n_between = 0;
    (void)state;
    assert_done(weather_create(true, &w));
    for (int k = 0; k < 40; k++) {
        frame_block b = block_of(0.4f, 3 + k / 20, 5, 1);
        b.weather_place[0] = (float)(k % 20) * 50000.0f;
        make_map(w, &b, &m);
        const double cover = mean_cover(&m, 0);
        n_clear += cover < 0.1;
        n_overcast += cover > 0.75;
        n_between += cover > 0.2 && cover < 0.6;
    }
    print_message("%d clear, %d overcast, %d between\n", n_clear, n_overcast, n_between);
    assert_true(n_clear >= 3 && n_overcast >= 2 && n_between >= 3);
    const frame_block a = block_of(0.4f, 3, 5, 1), b = block_of(0.4f, 3, 5, 2);
    make_map(w, &a, &m);
    make_map(w, &b, &other);
    assert_memory_not_equal(m.texels, other.texels, sizeof m.texels);
    weather_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cover), cmocka_unit_test(test_way),
                                       cmocka_unit_test(test_variety)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
