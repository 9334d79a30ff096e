/* test_sand.c - sand lies on plains of deserts as the definition says, by all methods, SIMD levels and windows. Its lee
 * sides have slopes of about 33 degrees, its windward sides have ripples, large rivers stay free of it, and a world
 * without it does not change.
 *
 * test_sand print FILE writes the vectors with the values that this library computes. FILE lists samples in the form
 * of the vectors. Values in FILE are ignored and may be missing.
 */
#include "cover_checks.h"
#include "value_vectors.h"

enum { RIPPLES_X = -1140916, RIPPLES_Y = 1997660 /* m; a windward side of a dune */ };
static const int64_t erg[2] = {-1140736, 1997824}; /* a sea of sand with a dry valley south-east of its middle */

/** The world of the tests: dry plains. */
static ter_world *desert(double sand, double drought)
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
    p.drought = drought;
    return world_of(&p);
}

static void test_definition(void **state)
{
    (void)state;
    ter_world *world = desert(0.7, 0.0);
    check_cover_definition(world, erg);
    ter_world_destroy(world);
}

static void test_subsets(void **state)
{
    (void)state;
    ter_world *world = desert(0.7, 0.0);
    check_cover_subsets(world, erg);
    ter_world_destroy(world);
}

static void test_tiles(void **state)
{
    (void)state;
    for (int is_dry = 0; is_dry < 2; is_dry++) {
        ter_world *world = desert(0.7, is_dry);
        check_cover_tiles(world, erg);
        ter_world_destroy(world);
    }
}

/** Heights of a square, and the height of the sand there. */
static void fill_sand(ter_generator *generator, int lod, int side, float *height, float *sand)
{
    ter_world *world = desert(0.7, 0.0), *bare = desert(0.0, 0.0);
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
    ter_world *world = desert(0.7, 0.0);
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

/** Correlation of a square of heights with itself, shifted by (dx, dy) samples. */
static double correlation(const float *h, int side, int dx, int dy)
{
    double sum = 0.0, square = 0.0;
    for (int y = 8; y < side - 8; y++)
        for (int x = 8; x < side - 8; x++) {
            sum += (double)(h[y * side + x] * h[(y + dy) * side + x + dx]);
            square += (double)(h[y * side + x] * h[y * side + x]);
        }
    return sum / square;
}

/** Subtract from each height the mean over 9 x 9 samples around it. */
static void subtract_mean(const float *h, int side, float *out)
{
    for (int y = 4; y < side - 4; y++)
        for (int x = 4; x < side - 4; x++) {
            float sum = 0.0f;
            for (int k = 0; k < 81; k++)
                sum += h[(y + k / 9 - 4) * side + x + k % 9 - 4] - h[y * side + x];
            out[y * side + x] = -sum * (1.0f / 81.0f);
        }
}

/** A windward side of a dune has ripples of about 25 cm across the wind, which blows from 60 degrees, so along (-2, 1)
 * samples. They are 0 at points 1 m apart. */
static void test_ripples(void **state)
{
    enum { FINE = 129, DEPTH = 4 };
    static float height[FINE * FINE], sand[FINE * FINE], waves[FINE * FINE], metres[9 * 9];
    (void)state;
    ter_world *world = desert(0.7, 0.0);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect rect = {20 + DEPTH, RIPPLES_X * 16, RIPPLES_Y * 16, FINE, FINE},
                   few = {20, RIPPLES_X, RIPPLES_Y, 9, 9};
    const float_layers layers = {.at = {[TER_LAYER_HEIGHT] = height, [TER_LAYER_SAND] = sand}},
                       alone = {.at = {[TER_LAYER_HEIGHT] = metres}};
    assert_ok(fill_rect_layers(generator, world, &rect, &layers, FINE));
    assert_ok(fill_rect_layers(generator, world, &few, &alone, 9));
    for (int n = 0; n < 81; n++)
        assert_same("a point of 1 m", -DEPTH, TER_LAYER_HEIGHT, height[(n / 9 * FINE + n % 9) * 16], metres[n]);
    assert_true(sand[FINE * FINE / 2] > 1.0f);
    subtract_mean(height, FINE, waves);
    const double half = correlation(waves, FINE, -2, 1), full = correlation(waves, FINE, -3, 2),
                 along = correlation(waves, FINE, 1, 2);
    if (!(half < -0.3 && full > 0.2 && along > 0.4))
        fail_msg("correlations %g after half a wave, %g after a wave, %g along the crests", half, full, along);
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
static const ter_layer vector_layers[] = {TER_LAYER_HEIGHT, TER_LAYER_WATER, TER_LAYER_TOP, TER_LAYER_SAND};
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
    check_vectors(TEST_SAND_VECTORS, &columns, 46);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definition),       cmocka_unit_test(test_subsets), cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_slopes),           cmocka_unit_test(test_rivers),  cmocka_unit_test(test_ripples),
        cmocka_unit_test(test_wrong_parameters), cmocka_unit_test(test_vectors)};
    if (argc == 3 && strcmp(argv[1], "print") == 0)
        return print_vectors(argv[2], &columns, TER_METHOD_TILED);
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
