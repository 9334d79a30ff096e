/* test_params.c - parameters of worlds: the default, their ranges, and the amplitudes of levels. */
#include "backend_under_test.h"

#include <math.h>

static void test_default_is_a_world(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    ter_world *world = world_of(&params);
    const ter_params *stored = ter_world_params(world);
    assert_int_equal(params.basis, TER_BASIS_FLUVIAL);
    assert_true(stored->seed == params.seed && stored->levels == params.levels && stored->basis == params.basis);
    assert_true(stored->land == params.land && stored->relief == params.relief && stored->uplift == params.uplift);
    assert_true(stored->hills == params.hills && stored->plateau == params.plateau && stored->ice == params.ice);
    assert_true(stored->dryness == params.dryness && stored->sea == params.sea && stored->spacing == params.spacing);
    ter_world_destroy(world);
    ter_world_destroy(NULL);
}

/** The default parameters with basis smooth give the default world of World format 1. */
static void test_smooth_default(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    const ter_params *stored = ter_world_params(world);
    assert_true(stored->amplitude == 1400.0 && stored->gain == 0.48 && stored->broad == 9 &&
                stored->broad_gain == 0.82);
    assert_true(stored->base == -150.0 && stored->valley == 0.7 && stored->sea == 0.0 && stored->levels == 20);
    float height_m;
    assert_ok(ter_world_height(world, 20, 123457, -654321, &height_m));
    assert_int_equal(float_bits(height_m), 0xc25ede92);
    ter_world_destroy(world);
}

static void refused(const ter_params *params, const char *name)
{
    ter_world *world = NULL;
    assert_int_equal(ter_world_create(params, &world), TER_EINVAL);
    assert_null(world);
    if (!strstr(ter_error_detail(), name))
        fail_msg("'%s' does not name %s", ter_error_detail(), name);
}

/** Values just outside of the range of each parameter, and NaN, are refused. */
static void test_ranges(void **state)
{
    (void)state;
    ter_params params;
#define REFUSED(field, value)                                                                                          \
    do {                                                                                                               \
        ter_params_default(&params);                                                                                   \
        params.basis = TER_BASIS_SMOOTH;                                                                               \
        params.field = (value);                                                                                        \
        refused(&params, #field);                                                                                      \
    } while (0)
    REFUSED(levels, 0);
    REFUSED(levels, TER_LEVELS_MAX + 1);
    REFUSED(levels, 1000);
    REFUSED(amplitude, 0.0);
    REFUSED(amplitude, 1e31);
    REFUSED(amplitude, (double)NAN);
    REFUSED(gain, 0.0);
    REFUSED(gain, 1.0);
    REFUSED(broad, -1);
    REFUSED(broad, TER_LEVELS_MAX + 1);
    REFUSED(broad_gain, 0.0);
    REFUSED(broad_gain, 1.5);
    REFUSED(base, 1e31);
    REFUSED(base, (double)-INFINITY);
    REFUSED(basis, TER_BASIS_COUNT);
    REFUSED(valley, -0.25);
    REFUSED(valley, 1.25);
    REFUSED(craters, -0.25);
    REFUSED(craters, 1.25);
    REFUSED(craters, (double)NAN);
    REFUSED(maria, -0.25);
    REFUSED(maria, (double)NAN);
    REFUSED(sea, (double)INFINITY);
    REFUSED(spacing, 0.0);
    REFUSED(spacing, nextafter(TER_SPACING_MIN, 0.0));
    REFUSED(spacing, nextafter(TER_SPACING_MAX, INFINITY));
    REFUSED(spacing, -1.0);
    REFUSED(spacing, (double)NAN);
    REFUSED(spacing, (double)INFINITY);
#undef REFUSED
}

/** Values outside of the ranges of basis fluvial are refused. Parameters that a basis does not use are not checked. */
static void test_ranges_of_fluvial(void **state)
{
    (void)state;
    ter_params params;
#define REFUSED(field, value)                                                                                          \
    do {                                                                                                               \
        ter_params_default(&params);                                                                                   \
        params.basis = TER_BASIS_FLUVIAL;                                                                              \
        params.field = (value);                                                                                        \
        refused(&params, #field);                                                                                      \
    } while (0)
    REFUSED(land, -1.01);
    REFUSED(land, (double)NAN);
    REFUSED(uplift, 1.01);
    REFUSED(hills, 2.0);
    REFUSED(plateau, -2.0);
    REFUSED(ice, 1.5);
    REFUSED(dryness, (double)INFINITY);
    REFUSED(relief, 0.05);
    REFUSED(relief, 3.5);
    REFUSED(sea, -1.0);
    REFUSED(sea, 2001.0);
#undef REFUSED
    ter_params_default(&params);
    params.basis = TER_BASIS_FLUVIAL;
    params.gain = 7.0;
    params.relief = 3.0;
    ter_world *world = world_of(&params);
    assert_true(ter_world_params(world)->gain == 0.0 && ter_world_params(world)->relief == 3.0);
    ter_world_destroy(world);
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    params.land = 7.0;
    world = world_of(&params);
    assert_true(ter_world_params(world)->land == 0.0);
    ter_world_destroy(world);
}

static void test_amplitudes(void **state)
{
    (void)state;
    ter_params params;
    double amplitude_m[TER_LEVELS_MAX + 1];
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    params.levels = 5;
    params.amplitude = 1024.0;
    params.gain = 0.25;
    params.broad = 2;
    params.broad_gain = 0.5;
    for (int k = 0; k <= TER_LEVELS_MAX; k++)
        amplitude_m[k] = -1.0;
    assert_ok(ter_params_amplitudes(&params, amplitude_m));
    const double expected[] = {1024.0, 512.0, 256.0, 64.0, 16.0, 4.0, -1.0};
    for (int k = 0; k <= 6; k++)
        assert_true(amplitude_m[k] == expected[k]);
}

/** With an invalid number of levels nothing is written before, into or after the array. */
static void test_amplitudes_of_no_world(void **state)
{
    (void)state;
    static const int levels[] = {-1, 0, TER_LEVELS_MAX + 1, 1000, INT32_MAX, INT32_MIN};
    enum { GUARDED = 1100 };
    double out_m[GUARDED];
    ter_params params;
    ter_params_default(&params);
    for (size_t n = 0; n < sizeof levels / sizeof levels[0]; n++) {
        params.levels = levels[n];
        for (int k = 0; k < GUARDED; k++)
            out_m[k] = (double)untouched;
        assert_int_equal(ter_params_amplitudes(&params, out_m + 50), TER_EINVAL);
        assert_non_null(strstr(ter_error_detail(), "levels is"));
        for (int k = 0; k < GUARDED; k++)
            assert_true(out_m[k] == (double)untouched);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_default_is_a_world),
                                       cmocka_unit_test(test_smooth_default),
                                       cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_ranges_of_fluvial),
                                       cmocka_unit_test(test_amplitudes),
                                       cmocka_unit_test(test_amplitudes_of_no_world)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
