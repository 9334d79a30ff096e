/* test_ocean.c - the waves of the sea: no wave belongs to two cascades, and the sums that the GPU computes are equal to
 * direct sums of all waves.
 *
 *   test_ocean spectrum|gl
 */
#include "program_under_test.h"

#include <math.h>

#include "program/render/ocean_spectrum.h"

#ifdef TER_HAVE_FLY
#include "program/render/headless.h"
#include "program/render/ocean.h"
#endif

static const double TURN = 6.283185307179586, PATTERN_M = 65536.0;
enum { QUALITIES = 3 };

static ocean_mode *modes_of(const ocean_waves *w, ocean_steepness *steepness)
{
    ocean_mode *modes = calloc((size_t)w->n_cascades * (size_t)(w->side * w->side), sizeof *modes);
    assert_non_null(modes);
    ocean_fill(w, modes, steepness);
    return modes;
}

/** Wave vector of a mode, 1/m. */
static void wave_vector(const ocean_waves *w, int cascade, int column, int row, double k[2])
{
    const int m = column < w->side / 2 ? column : column - w->side, n = row < w->side / 2 ? row : row - w->side;
    const double step = TURN / PATTERN_M, *const turn = (double[2]){w->turn[cascade][0], w->turn[cascade][1]};
    k[0] = step * (m * turn[0] - n * turn[1]);
    k[1] = step * (m * turn[1] + n * turn[0]);
}

static double power_of(const ocean_mode *m)
{
    return (double)m->along[0] * m->along[0] + (double)m->along[1] * m->along[1];
}

/** The rings of wave numbers of the cascades do not overlap, and between two of them there is no gap of a fifth or
 * more. Sums of powers agree with `steepness`. */
static void test_spectrum(void **state)
{
    (void)state;
    for (int quality = 0; quality < QUALITIES; quality++) {
        const ocean_waves w = ocean_waves_of(quality);
        ocean_steepness steepness;
        ocean_mode *modes = modes_of(&w, &steepness);
        double heights = 0.0, shorter_than = 0.0;
        for (int c = 0; c < w.n_cascades; c++) {
            double least = 1e30, most = 0.0, slopes = 0.0;
            for (int n = 0; n < w.side * w.side; n++) {
                double k[2];
                const ocean_mode *mode = &modes[(size_t)c * (size_t)(w.side * w.side) + (size_t)n];
                wave_vector(&w, c, n % w.side, n / w.side, k);
                const double number = hypot(k[0], k[1]), power = 2.0 * power_of(mode);
                if (power == 0.0)
                    continue;
                least = fmin(least, number);
                most = fmax(most, number);
                assert_true(fabs(mode->turns * TURN / OCEAN_PERIOD_S - sqrt(9.81 * number)) <
                            0.51 * TURN / OCEAN_PERIOD_S);
                heights += power;
                slopes += power * number * number;
            }
            assert_true(least >= shorter_than && (c == 0 || least < 1.2 * shorter_than));
            shorter_than = most;
            assert_true(fabs(slopes / (double)steepness.lost[c][OCEAN_LEVELS - 1] - 1.0) < 1e-4);
            assert_true(steepness.lost[c][0] < 0.5f * steepness.lost[c][OCEAN_LEVELS - 1]);
        }
        free(modes);
        assert_true(fabs(4.0 * sqrt(heights) / (double)steepness.highest - 1.0) < 1e-5);
        assert_in_range((int)(400.0 * sqrt(heights)), 120, 240); /* significant height, cm: a fresh breeze */
    }
}

#ifdef TER_HAVE_FLY

enum { FIELDS = 8 };
static const double TIME_S = 1234.5;

/** Sum the modes (waves) of a cascade at a sample, one by one. sum: the values of ocean_fields, in their order */
static void sum_waves(const ocean_waves *w, int cascade, const ocean_mode *modes, const int at[2], double sum[FIELDS])
{
    memset(sum, 0, FIELDS * sizeof sum[0]);
    for (int row = 0; row < w->side; row++)
        for (int column = 0; column < w->side; column++) {
            double k[2];
            const ocean_mode *m = &modes[row * w->side + column];
            wave_vector(w, cascade, column, row, k);
            const double number = hypot(k[0], k[1]);
            const double place = (double)((column * at[0] + row * at[1]) % w->side) / w->side;
            const double phase = TURN * (place - fmod(m->turns * TIME_S / OCEAN_PERIOD_S, 1.0));
            /* a wave and the conjugate of the opposite wave give a real wave */
            const double high = 2.0 * ((double)m->along[0] * cos(phase) - (double)m->along[1] * sin(phase));
            const double steep = -2.0 * ((double)m->along[0] * sin(phase) + (double)m->along[1] * cos(phase));
            if (number == 0.0)
                continue;
            const double terms[FIELDS] = {high,
                                          -high * k[0] * k[1] / number,
                                          steep * k[0] / number,
                                          steep * k[1] / number,
                                          steep * k[0],
                                          steep * k[1],
                                          -high * k[0] * k[0] / number,
                                          -high * k[1] * k[1] / number};
            for (int n = 0; n < FIELDS; n++)
                sum[n] += terms[n];
        }
}

static void compare(const ocean *o, const ocean_waves *w, const ocean_mode *modes)
{
    const size_t layer = (size_t)(w->side * w->side) * 4, floats = layer * 2 * (size_t)w->n_cascades;
    float *fields = malloc(floats * sizeof *fields);
    double largest = 0.0;
    assert_non_null(fields);
    glGetTextureImage(ocean_fields(o), 0, GL_RGBA, GL_FLOAT, (GLsizei)(floats * sizeof *fields), fields);
    for (int c = 0; c < w->n_cascades; c++)
        for (int n = 0; n < 6; n++) {
            const int at[2] = {(n * 37 + 5) % w->side, (n * n * 11 + 3) % w->side};
            double sum[FIELDS];
            sum_waves(w, c, modes + (size_t)c * (size_t)(w->side * w->side), at, sum);
            for (int f = 0; f < FIELDS; f++) {
                const float *texel = &fields[layer * (size_t)(2 * c + f / 4) + (size_t)(at[1] * w->side + at[0]) * 4];
                largest = fmax(largest, fabs(sum[f]));
                if (fabs(sum[f] - (double)texel[f % 4]) > 2e-3)
                    fail_msg("cascade %d, sample %d,%d, field %d: %g, not %g", c, at[0], at[1], f, (double)texel[f % 4],
                             sum[f]);
            }
        }
    free(fields);
    assert_true(largest > 0.1);
}

static void test_sums(void **state)
{
    (void)state;
    const render_view view = {.layers = 1u << LAYER_WATER, .time_s = TIME_S};
    for (int quality = 0; quality < QUALITIES; quality += 2) {
        ocean *o = NULL;
        ocean_steepness steepness;
        const ocean_waves w = ocean_waves_of(quality);
        ocean_mode *modes = modes_of(&w, &steepness);
        assert_done(ocean_create(quality, &o));
        ocean_update(o, &view, true);
        compare(o, &w, modes);
        ocean_destroy(o);
        free(modes);
    }
    assert_int_equal(gl_error_count(), 0);
}

static int test_gl(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums)};
    headless_context *context = NULL;
    const result res = headless_create(&context);
    if (res.kind != RESULT_DONE) {
        fprintf(stderr, "skipped: %s\n", res.text);
        return TEST_SKIPPED;
    }
    gl_count_errors();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    headless_destroy(context);
    return failed;
}

#endif

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_spectrum)};
    if (argc > 1 && strcmp(argv[1], "spectrum") == 0)
        return cmocka_run_group_tests(tests, NULL, NULL);
#ifdef TER_HAVE_FLY
    return test_gl();
#else
    fprintf(stderr, "skipped: this build has no viewer\n");
    return TEST_SKIPPED;
#endif
}
