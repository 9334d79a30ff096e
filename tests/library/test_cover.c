/* test_cover.c - glaciers and drought follow the climate as the definition says, by all methods, SIMD levels and
 * windows. A world without them does not change.
 *
 * test_cover print FILE writes the vectors with the values that this library computes. FILE lists samples in the form
 * of the vectors. Values in FILE are ignored and may be missing.
 */
#include "cover_checks.h"

#include "value_vectors.h"

static const int64_t glacier[2] = {-1059840, 1939712};   /* the largest glacier of a valley, in world icy() */
static const int64_t dry_river[2] = {-1063680, 1947136}; /* in world dry(8, 0.35) */
static const int64_t salt_flat[2] = {-1052160, 1951232}; /* in world dry(10, 0.2) */
static const int64_t around_it[2] = {-1055744, 1948672}; /* north-west of the same salt flat */

/** The default world with a cover. */
static ter_world *covered(double glaciers, double drought, double warmth, double wetness)
{
    ter_params p;
    ter_params_default(&p);
    p.ice = 1.0;
    p.warmth = warmth;
    p.wetness = wetness;
    p.glaciers = glaciers;
    p.drought = drought;
    return world_of(&p);
}

/** Cold, wet alps. */
static ter_world *icy(double glaciers, double warmth)
{
    ter_params p;
    ter_params_default(&p);
    p.seed = 134;
    p.land = 0.4;
    p.relief = 0.95;
    p.uplift = 0.9;
    p.hills = 0.6;
    p.plateau = -1.0;
    p.ice = 1.0;
    p.dryness = -0.4;
    p.warmth = warmth;
    p.wetness = 1.8;
    p.glaciers = glaciers;
    return world_of(&p);
}

static ter_world *dry(double warmth, double wetness, double drought)
{
    return covered(0.0, drought, warmth, wetness);
}

static void test_definition(void **state)
{
    (void)state;
    ter_world *worlds[] = {icy(1.0, -6.0), dry(8.0, 0.35, 1.0), dry(10.0, 0.2, 0.9)};
    const int64_t *const at[] = {glacier, dry_river, salt_flat};
    for (int n = 0; n < 3; n++) {
        check_cover_definition(worlds[n], at[n]);
        ter_world_destroy(worlds[n]);
    }
}

static void test_subsets(void **state)
{
    (void)state;
    ter_world *worlds[] = {icy(1.0, -6.0), dry(8.0, 0.35, 1.0), dry(10.0, 0.2, 0.9)};
    const int64_t *const at[] = {glacier, dry_river, salt_flat};
    for (int n = 0; n < 3; n++) {
        check_cover_subsets(worlds[n], at[n]);
        check_cover_tiles(worlds[n], at[n]);
        ter_world_destroy(worlds[n]);
    }
}

enum { WIDE = 320 };

/** Layers of a square. */
typedef struct square {
    float height[WIDE * WIDE], water[WIDE * WIDE], glacier[WIDE * WIDE], dryness[WIDE * WIDE];
} square;

/** Fill a square of a world around a place, and destroy the world. */
static void fill_square(ter_generator *generator, ter_world *world, const int64_t place[2], int lod, square *out)
{
    const ter_rect rect = rect_at(world, place, lod, WIDE, WIDE);
    const float_layers layers = {.at = {[TER_LAYER_HEIGHT] = out->height,
                                        [TER_LAYER_WATER] = out->water,
                                        [TER_LAYER_GLACIER] = out->glacier,
                                        [TER_LAYER_DRYNESS] = out->dryness}};
    assert_ok(fill_rect_layers(generator, world, &rect, &layers, WIDE));
    ter_world_destroy(world);
}

/** Ice lies on the ground of the same world without glaciers. It is as thick as the layer says, and has no gullies:
 * its surface is smoother than the ground below. Less ice lies in a warmer world. */
static void test_glaciers(void **state)
{
    static square with, without, warmer;
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    fill_square(generator, icy(1.0, -6.0), glacier, 4, &with);
    fill_square(generator, icy(0.0, -6.0), glacier, 4, &without);
    fill_square(generator, icy(1.0, -3.0), glacier, 4, &warmer);
    int covered_samples = 0, covered_warmer = 0, bare = 0;
    double rough_ice = 0.0, rough_ground = 0.0;
    for (int n = 0; n < WIDE * WIDE; n++) {
        assert_true(with.glacier[n] >= 0.0f && with.glacier[n] <= 500.0f);
        assert_true(with.height[n] == without.height[n] || with.glacier[n] > 0.0f);
        assert_float_equal(with.height[n], without.height[n] + with.glacier[n], 0.002);
        assert_true(without.glacier[n] == 0.0f);
        assert_false(with.water[n] <= with.height[n]);
        covered_samples += with.glacier[n] > 0.0f;
        covered_warmer += warmer.glacier[n] > 0.0f;
        bare += with.glacier[n] == 0.0f;
        if (n % WIDE < 2 || n % WIDE >= WIDE - 2 || !(with.glacier[n - 2] > 5.0f && with.glacier[n] > 5.0f) ||
            with.glacier[n + 2] < 5.0f)
            continue;
        rough_ice += fabs((double)(with.height[n - 1] - 2.0f * with.height[n] + with.height[n + 1]));
        rough_ground += fabs((double)(without.height[n - 1] - 2.0f * without.height[n] + without.height[n + 1]));
    }
    if (covered_samples < 5000 || bare < 20000 || covered_warmer >= covered_samples * 9 / 10)
        fail_msg("%d samples of ice, %d without, %d if it is warmer", covered_samples, bare, covered_warmer);
    if (!(rough_ice < 0.5 * rough_ground))
        fail_msg("the ice is %.2f times as rough as its bed", rough_ice / rough_ground);
    ter_generator_destroy(generator);
}

/** Where water is left in a dry world, its level is that of the same world without drought. Small rivers are dry, and
 * their beds are higher; nowhere is there more water than before. */
static void test_rivers(void **state)
{
    static square with, without;
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    int dried = 0;
    for (int n = 0; n < 2; n++) {
        ter_world *some = n ? dry(10.0, 0.2, 1.0) : dry(8.0, 0.35, 1.0),
                  *none = n ? dry(10.0, 0.2, 0.0) : dry(8.0, 0.35, 0.0);
        fill_square(generator, some, n ? salt_flat : dry_river, 2, &with);
        fill_square(generator, none, n ? salt_flat : dry_river, 2, &without);
        for (int k = 0; k < WIDE * WIDE; k++) {
            assert_true(with.dryness[k] >= 0.0f && with.dryness[k] <= 1.0f);
            if (with.water[k] > with.height[k])
                assert_true(with.water[k] == without.water[k]);
            else
                dried += without.water[k] > without.height[k];
        }
    }
    if (dried < 1000)
        fail_msg("%d samples lost their water", dried);
    ter_generator_destroy(generator);
}

/** A lake of a desert is a salt flat: level ground a little above the level that the lake had. */
static void test_salt_flats(void **state)
{
    static square with, without;
    int flat = 0;
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    fill_square(generator, dry(10.0, 0.2, 1.0), around_it, 5, &with);
    fill_square(generator, dry(10.0, 0.2, 0.0), around_it, 5, &without);
    for (int n = 0; n < WIDE * WIDE; n++) {
        if (!(without.water[n] > without.height[n] + 3.0f)) /* deeper than small rivers */
            continue;
        assert_true(isnan(with.water[n]));
        assert_float_equal(with.height[n], without.water[n] + 0.1f, 0.002);
        flat++;
    }
    if (flat < 500)
        fail_msg("%d samples of salt flats", flat);
    ter_generator_destroy(generator);
}

static void test_wrong_parameters(void **state)
{
    static const struct {
        double glaciers, drought;
        const char *message;
    } cases[] = {{-0.1, 0.0, "glaciers is -0.1, expected 0 to 1"},
                 {(double)NAN, 0.0, "glaciers is nan, expected 0 to 1"},
                 {0.5, 1.5, "drought is 1.5, expected 0 to 1"}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        ter_params params;
        ter_world *world = NULL;
        ter_params_default(&params);
        params.glaciers = cases[n].glaciers;
        params.drought = cases[n].drought;
        assert_int_equal(ter_world_create(&params, &world), TER_EINVAL);
        assert_string_equal(ter_error_detail(), cases[n].message);
    }
}

static const vector_parameter vector_parameters[] = {
    VECTOR_PARAMETER(land),   VECTOR_PARAMETER(uplift),  VECTOR_PARAMETER(hills),    VECTOR_PARAMETER(ice),
    VECTOR_PARAMETER(sea),    VECTOR_PARAMETER(spacing), VECTOR_PARAMETER(glaciers), VECTOR_PARAMETER(drought),
    VECTOR_PARAMETER(warmth), VECTOR_PARAMETER(wetness)};
static const ter_layer vector_layers[] = {TER_LAYER_HEIGHT, TER_LAYER_WATER, TER_LAYER_DRYNESS, TER_LAYER_TOP,
                                          TER_LAYER_GLACIER};
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
    check_vectors(TEST_COVER_VECTORS, &columns, 107);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definition), cmocka_unit_test(test_subsets),
                                       cmocka_unit_test(test_glaciers),   cmocka_unit_test(test_rivers),
                                       cmocka_unit_test(test_salt_flats), cmocka_unit_test(test_wrong_parameters),
                                       cmocka_unit_test(test_vectors)};
    if (argc == 3 && strcmp(argv[1], "print") == 0)
        return print_vectors(argv[2], &columns, TER_METHOD_TILED);
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
