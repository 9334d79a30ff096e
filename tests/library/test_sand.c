/* test_sand.c - sand lies on plains of deserts as the definition says, by all methods, SIMD levels and windows. Its lee
 * sides have slopes of about 33 degrees, large rivers stay free of it, and a world without it does not change.
 *
 * test_sand print FILE writes the vectors with the values that this library computes. FILE lists samples in the form
 * of the vectors. Values in FILE are ignored and may be missing.
 */
#include "cover_checks.h"
#include "value_vectors.h"

static const int64_t erg[2] = {-1140736, 1997824}; /* a sea of sand with a dry valley south-east of its middle */

/** The world of the tests: dry plains. */
static ter_world *desert(double sand)
{
    ter_params p;
    ter_params_default(&p);
    p.seed = 5;
    p.land = 0.5;
    p.hills = -0.7;
    p.uplift = -0.7;
    p.plateau = p.ice = -1.0;
    p.warmth = 10.0;
    p.wetness = 0.15;
    p.sand = sand;
    return world_of(&p);
}

static void test_definition(void **state)
{
    (void)state;
    ter_world *world = desert(0.7);
    check_cover_definition(world, erg);
    ter_world_destroy(world);
}

static void test_subsets(void **state)
{
    (void)state;
    ter_world *world = desert(0.7);
    check_cover_subsets(world, erg);
    ter_world_destroy(world);
}

/** Heights of a square, and the height of the sand there. */
static void fill_sand(ter_generator *generator, int lod, int side, float *height, float *sand)
{
    ter_world *world = desert(0.7), *bare = desert(0.0);
    const ter_rect rect = rect_at(world, erg, lod, side, side);
    const float_layers with = {.at = {[TER_LAYER_HEIGHT] = height}}, without = {.at = {[TER_LAYER_HEIGHT] = sand}};
    assert_ok(fill_rect_layers(generator, world, &rect, &with, (size_t)side));
    assert_ok(fill_rect_layers(generator, bare, &rect, &without, (size_t)side));
    for (int n = 0; n < side * side; n++) {
        sand[n] = height[n] - sand[n];
        assert_true(sand[n] >= 0.0f);
    }
    ter_world_destroy(world);
    ter_world_destroy(bare);
}

/** Slopes: lee sides of about 33 degrees, hardly any steeper ones, and windward sides below 15 degrees. */
static void test_slopes(void **state)
{
    enum { WIDE = 700 };
    static float height[WIDE * WIDE], sand[WIDE * WIDE];
    int steep = 0, slip = 0, gentle = 0;
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    fill_sand(generator, 2, WIDE, height, sand);
    for (int y = 0; y < WIDE - 1; y++)
        for (int x = 0; x < WIDE - 1; x++) {
            const float *h = sand + y * WIDE + x, gx = (h[1] - h[0]) * 0.25f, gy = (h[WIDE] - h[0]) * 0.25f;
            const double angle = atan((double)sqrtf(gx * gx + gy * gy)) * 57.29577951308232;
            steep += angle > 38.0;
            slip += angle > 29.0 && angle <= 38.0;
            gentle += angle > 2.0 && angle < 15.0;
        }
    if (!(slip > 3 * steep && slip > WIDE * WIDE / 200 && gentle > WIDE * WIDE / 6))
        fail_msg("%d samples steeper than 38 degrees, %d of 29 to 38, %d of 2 to 15", steep, slip, gentle);
    ter_generator_destroy(generator);
}

/** Large rivers stay free of sand, also where dunes lie near them. */
static void test_rivers(void **state)
{
    enum { WIDE = 500 };
    static float height[WIDE * WIDE], sand[WIDE * WIDE], flow[WIDE * WIDE], shore[WIDE * WIDE];
    int rivers = 0, covered = 0;
    (void)state;
    ter_world *world = desert(0.7);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const ter_rect rect = rect_at(world, erg, 5, WIDE, WIDE);
    const float_layers layers = {.at = {[TER_LAYER_FLOW] = flow, [TER_LAYER_SHORE] = shore}};
    assert_ok(fill_rect_layers(generator, world, &rect, &layers, WIDE));
    fill_sand(generator, 5, WIDE, height, sand);
    for (int n = 0; n < WIDE * WIDE; n++) {
        covered += sand[n] > 10.0f;
        if (flow[n] < 640.0f * 262144.0f || shore[n] > 16.0f)
            continue;
        rivers++;
        assert_true(sand[n] < 0.01f);
    }
    if (rivers < 100 || covered < WIDE * WIDE / 10)
        fail_msg("%d samples of rivers, %d under sand", rivers, covered);
    ter_world_destroy(world);
    ter_generator_destroy(generator);
}

static void test_wrong_parameters(void **state)
{
    static const struct {
        double sand, wind;
        const char *message;
    } cases[] = {{-0.1, 60.0, "sand is -0.1, expected 0 to 1"},
                 {(double)NAN, 60.0, "sand is nan, expected 0 to 1"},
                 {0.5, 361.0, "wind is 361, expected 0 to 360 degrees"}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        ter_params params;
        ter_world *world = NULL;
        ter_params_default(&params);
        params.sand = cases[n].sand;
        params.wind = cases[n].wind;
        assert_int_equal(ter_world_create(&params, &world), TER_EINVAL);
        assert_string_equal(ter_error_detail(), cases[n].message);
    }
}

static const vector_parameter vector_parameters[] = {
    VECTOR_PARAMETER(land), VECTOR_PARAMETER(hills), VECTOR_PARAMETER(plateau), VECTOR_PARAMETER(spacing),
    VECTOR_PARAMETER(sand), VECTOR_PARAMETER(wind),  VECTOR_PARAMETER(warmth),  VECTOR_PARAMETER(wetness)};
static const ter_layer vector_layers[] = {TER_LAYER_HEIGHT, TER_LAYER_WATER, TER_LAYER_TOP};
static const vector_columns columns = {.parameters = vector_parameters,
                                       .n_parameters = sizeof vector_parameters / sizeof vector_parameters[0],
                                       .layers = vector_layers,
                                       .n_layers = sizeof vector_layers / sizeof vector_layers[0],
                                       .decimals = "height_decimal",
                                       .n_decimals = 1,
                                       .digits = 9};

static void test_vectors(void **state)
{
    (void)state;
    check_vectors(TEST_SAND_VECTORS, &columns, 40);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition),       cmocka_unit_test(test_subsets),
                                       cmocka_unit_test(test_slopes),           cmocka_unit_test(test_rivers),
                                       cmocka_unit_test(test_wrong_parameters), cmocka_unit_test(test_vectors)};
    if (argc == 3 && strcmp(argv[1], "print") == 0)
        return print_vectors(argv[2], &columns, TER_METHOD_TILED);
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
