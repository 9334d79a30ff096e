/* test_climate.c - the climate of a world depends only on place and height: it is the same for all levels of detail,
 * windows, methods and SIMD levels. Its numbers lie in their ranges and follow the parameters.
 *
 * test_climate print FILE writes the vectors with the values that this library computes. FILE lists samples in the form
 * of the vectors. Values in FILE are ignored and may be missing.
 */
#include "fluvial_under_test.h"

#include "library/fluvial/climate_point.h"
#include "library/world/world.h"
#include "value_vectors.h"

enum { FIRST = TER_LAYER_TEMPERATURE, LAYERS = TER_LAYER_COUNT - TER_LAYER_TEMPERATURE };

static ter_world *default_world(void)
{
    ter_params params;
    ter_params_default(&params);
    return world_of(&params);
}

static void assert_same(const char *what, int layer, float got, float expected)
{
    if (float_bits(got) != float_bits(expected))
        fail_msg("%s: %s is %a, expected %a", what, ter_layer_name((ter_layer)layer), (double)got, (double)expected);
}

/** Samples of coarse levels of detail have the values of the samples of lod 0 at their places. */
static void test_lods(void **state)
{
    enum { LODS = 9, LONG = (1 << (LODS - 1)) + 1 };
    static float fine[TER_LAYER_COUNT][LONG];
    static layer_set coarse;
    (void)state;
    ter_world *world = default_world();
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int n = 0; n < PLACES; n++) {
        float_layers out;
        const ter_rect rect = rect_at(world, places[n], 0, LONG, 1);
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            out.at[layer] = fine[layer];
        assert_ok(fill_rect_layers(generator, world, &rect, &out, LONG));
        for (int lod = 1; lod < LODS; lod++) {
            const ter_rect few = rect_at(world, places[n], lod, lod < 4 ? SIDE : (1 << (LODS - 1 - lod)) + 1, 1);
            fill(generator, world, &few, &coarse);
            for (int x = 0; x < few.width && x << lod < LONG; x++)
                for (int layer = FIRST; layer < TER_LAYER_COUNT; layer++)
                    assert_same("coarse sample", layer, coarse.at[layer][x], fine[layer][x << lod]);
        }
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Every sample of a rectangle has the values of the definition, at all levels of detail, by all methods and SIMD
 * levels. */
static void test_definition(void **state)
{
    static const struct {
        ter_method method;
        ter_simd simd;
    } ways[] = {{TER_METHOD_TILED, TER_SIMD_AUTO},
                {TER_METHOD_TILED, TER_SIMD_BASELINE},
                {TER_METHOD_RECURSIVE, TER_SIMD_AUTO},
                {TER_METHOD_SINGLE_PASS, TER_SIMD_AUTO}};
    enum { WIDTH = 37, HEIGHT = 21, EVERY = 97 };
    static layer_set set;
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.levels = TER_LEVELS_MAX;
    ter_world *world = world_of(&params);
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        ter_generator *generator = generator_of(ways[way].method, 2, ways[way].simd);
        for (int lod = -TER_FINE_LODS; lod <= TER_LEVELS_MAX; lod += way == 0 ? 1 : 5) {
            const int64_t *place = places[(lod + TER_FINE_LODS) % PLACES];
            const ter_rect rect = {params.levels - lod, lod < 0 ? place[0] * (1 << -lod) : place[0] >> lod,
                                   lod < 0 ? place[1] * (1 << -lod) : place[1] >> lod, WIDTH, HEIGHT};
            fill(generator, world, &rect, &set);
            for (int n = 0; n < WIDTH * HEIGHT; n += EVERY) {
                float expected[LAYERS];
                assert_true(ter_climate_point(&world->fluvial, lod, rect.i + n % WIDTH, rect.j + n / WIDTH,
                                              set.at[TER_LAYER_HEIGHT][n], expected));
                for (int k = 0; k < LAYERS; k++)
                    assert_same("sample of a rectangle", FIRST + k, set.at[FIRST + k][n], expected[k]);
            }
        }
        ter_generator_destroy(generator);
    }
    ter_world_destroy(world);
}

/** The climate and the land are the same whether or not heights or other layers are requested too. Memory between rows
 * is not touched. */
static void test_requests(void **state)
{
    enum { WIDTH = 70, HEIGHT = 9, STRIDE = 83 };
    static float all[TER_LAYER_COUNT][WIDTH * HEIGHT], one[STRIDE * HEIGHT];
    (void)state;
    ter_world *world = default_world();
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const ter_rect rects[] = {rect_at(world, places[0], 9, WIDTH, HEIGHT), rect_at(world, places[4], 5, WIDTH, HEIGHT),
                              rect_at(world, places[2], 13, WIDTH, HEIGHT)};
    for (size_t r = 0; r < sizeof rects / sizeof rects[0]; r++) {
        float_layers out;
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            out.at[layer] = all[layer];
        assert_ok(fill_rect_layers(generator, world, &rects[r], &out, WIDTH));
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
            float_layers alone = {{NULL}};
            alone.at[layer] = one;
            for (int n = 0; n < STRIDE * HEIGHT; n++)
                one[n] = untouched;
            assert_ok(fill_rect_layers(generator, world, &rects[r], &alone, STRIDE));
            for (int n = 0; n < STRIDE * HEIGHT; n++)
                assert_same("layer alone", layer, one[n],
                            n % STRIDE < WIDTH ? all[layer][n / STRIDE * WIDTH + n % STRIDE] : untouched);
        }
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Numbers lie in their ranges, and the classes agree with them. */
static void test_ranges(void **state)
{
    static layer_set set;
    uint64_t random = 7;
    unsigned biomes = 0;
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.levels = TER_LEVELS_MAX;
    params.sea = 50.0;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int round = 0; round < 24; round++) {
        const int64_t side = INT64_C(1) << 25, place[2] = {(int64_t)(test_random(&random) % (uint64_t)side) - side / 2,
                                                           (int64_t)(test_random(&random) % (uint64_t)side) - side / 2};
        const ter_rect rect = rect_at(world, place, 14, SIDE, SIDE);
        fill(generator, world, &rect, &set);
        for (int n = 0; n < SIDE * SIDE; n++) {
            const float mean = set.at[TER_LAYER_TEMPERATURE][n], range = set.at[TER_LAYER_TEMPERATURE_RANGE][n],
                        rain = set.at[TER_LAYER_PRECIPITATION][n], season = set.at[TER_LAYER_PRECIPITATION_SEASON][n],
                        snow = set.at[TER_LAYER_SNOW][n], biome = set.at[TER_LAYER_BIOME][n];
            assert_true(mean > -90.0f && mean < 50.0f && range > 1.0f && range < 70.0f);
            assert_true(rain > 0.0f && rain < 12000.0f && season >= -1.0f && season <= 1.0f);
            assert_true(snow >= 0.0f && snow <= 1.0f);
            assert_true(biome == floorf(biome) && ter_biome_name((ter_biome)biome));
            assert_int_equal(biome == (float)TER_BIOME_SEA, set.at[TER_LAYER_HEIGHT][n] < 50.0f);
            if (biome == (float)TER_BIOME_ICE)
                assert_true(mean + 0.5f * range <= 0.0f && snow > 0.9f);
            if (biome == (float)TER_BIOME_RAIN_FOREST)
                assert_true(mean > 15.0f && rain > 1400.0f && snow < 0.1f);
            if (biome == (float)TER_BIOME_HOT_DESERT)
                assert_true(mean >= 18.0f && rain < 600.0f);
            biomes |= 1u << (int)biome;
        }
    }
    assert_int_equal(biomes, (1u << TER_BIOME_COUNT) - 1);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Fill a rectangle of the default world with other parameters of the climate. */
static void fill_with(ter_generator *generator, double warmth, double wetness, double belts, layer_set *out)
{
    ter_params params;
    ter_params_default(&params);
    params.warmth = warmth;
    params.wetness = wetness;
    params.belts = belts;
    ter_world *world = world_of(&params);
    const ter_rect rect = rect_at(world, places[2], 12, SIDE, SIDE);
    fill(generator, world, &rect, out);
    ter_world_destroy(world);
}

static void test_parameters(void **state)
{
    static layer_set usual, warm, wet, dry, narrow;
    bool is_other = false;
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    fill_with(generator, 0.0, 1.0, 8000.0, &usual);
    fill_with(generator, 10.0, 1.0, 8000.0, &warm);
    fill_with(generator, 0.0, 2.0, 8000.0, &wet);
    fill_with(generator, 0.0, 0.0, 8000.0, &dry);
    fill_with(generator, 0.0, 1.0, 1000.0, &narrow);
    for (int n = 0; n < SIDE * SIDE; n++) {
        const float rain = usual.at[TER_LAYER_PRECIPITATION][n];
        for (int layer = 0; layer < FIRST; layer++) {
            assert_same("land of a warm world", layer, warm.at[layer][n], usual.at[layer][n]);
            assert_same("land of narrow belts", layer, narrow.at[layer][n], usual.at[layer][n]);
        }
        assert_true(fabsf(warm.at[TER_LAYER_TEMPERATURE][n] - usual.at[TER_LAYER_TEMPERATURE][n] - 10.0f) < 1e-3f);
        assert_true(warm.at[TER_LAYER_PRECIPITATION][n] > rain);
        assert_same("wet world", TER_LAYER_PRECIPITATION, wet.at[TER_LAYER_PRECIPITATION][n], 2.0f * rain);
        assert_same("dry world", TER_LAYER_PRECIPITATION, dry.at[TER_LAYER_PRECIPITATION][n], 0.0f);
        assert_same("dry world", TER_LAYER_PRECIPITATION_SEASON, dry.at[TER_LAYER_PRECIPITATION_SEASON][n], 0.0f);
        is_other |= fabsf(narrow.at[TER_LAYER_TEMPERATURE][n] - usual.at[TER_LAYER_TEMPERATURE][n]) > 5.0f;
    }
    assert_true(is_other);
    ter_generator_destroy(generator);
}

static void test_wrong_parameters(void **state)
{
    static const struct {
        double warmth, wetness, belts;
        const char *detail;
    } cases[] = {{61.0, 1.0, 8000.0, "warmth is 61, expected -60 to 60 K"},
                 {NAN, 1.0, 8000.0, "warmth is nan, expected -60 to 60 K"},
                 {0.0, -0.5, 8000.0, "wetness is -0.5, expected 0 to 5"},
                 {0.0, 1.0, 400.0, "belts is 400, expected 500 to 100000 km"},
                 {0.0, 1.0, INFINITY, "belts is inf, expected 500 to 100000 km"}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        ter_params params;
        ter_world *world = NULL;
        ter_params_default(&params);
        params.warmth = cases[n].warmth;
        params.wetness = cases[n].wetness;
        params.belts = cases[n].belts;
        assert_int_equal(ter_world_create(&params, &world), TER_EINVAL);
        assert_null(world);
        assert_string_equal(ter_error_detail(), cases[n].detail);
    }
}

/** At the place that commands show by default the climate is temperate, whatever the seed and the belts. Higher ground
 * is colder by 6.5 K per kilometre. */
static void test_home(void **state)
{
    enum { POINTS = 9 };
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (int n = 0; n < 12; n++) {
        ter_params params;
        ter_params_default(&params);
        params.seed = (uint64_t)n * 977 + 1;
        params.belts = n % 3 == 0 ? 2000.0 : n % 3 == 1 ? 8000.0 : 30000.0;
        ter_world *world = world_of(&params);
        float at_sea[LAYERS], above[LAYERS];
        assert_true(ter_climate_point(&world->fluvial, 0, -1078272, 1921024, 0.0f, at_sea));
        assert_true(ter_climate_point(&world->fluvial, 0, -1078272, 1921024, 2000.0f, above));
        assert_true(at_sea[0] > 8.0f && at_sea[0] < 19.0f);
        assert_true(fabsf(at_sea[0] - above[0] - 13.0f) < 1e-3f);
        assert_true(above[TER_LAYER_PRECIPITATION - FIRST] > at_sea[TER_LAYER_PRECIPITATION - FIRST]);
        assert_true(above[TER_LAYER_SNOW - FIRST] > at_sea[TER_LAYER_SNOW - FIRST]);
        ter_world_destroy(world);
    }
    ter_generator_destroy(generator);
}

static const vector_parameter vector_parameters[] = {VECTOR_PARAMETER(land), VECTOR_PARAMETER(sea),
                                                     VECTOR_PARAMETER(warmth), VECTOR_PARAMETER(wetness),
                                                     VECTOR_PARAMETER(belts)};
static const ter_layer vector_layers[] = {
    TER_LAYER_HEIGHT,        TER_LAYER_TEMPERATURE,          TER_LAYER_TEMPERATURE_RANGE,
    TER_LAYER_PRECIPITATION, TER_LAYER_PRECIPITATION_SEASON, TER_LAYER_BIOME,
    TER_LAYER_SNOW};
static const vector_columns columns = {.parameters = vector_parameters,
                                       .n_parameters = sizeof vector_parameters / sizeof vector_parameters[0],
                                       .layers = vector_layers,
                                       .n_layers = 1 + LAYERS,
                                       .decimals = "the same in decimal",
                                       .n_decimals = 1 + LAYERS,
                                       .digits = 6};
_Static_assert(sizeof vector_layers / sizeof vector_layers[0] == 1 + LAYERS, "the height, and layers of the climate");

static void test_vectors(void **state)
{
    (void)state;
    check_vectors(TEST_CLIMATE_VECTORS, &columns, 60);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lods),       cmocka_unit_test(test_definition),
                                       cmocka_unit_test(test_requests),   cmocka_unit_test(test_ranges),
                                       cmocka_unit_test(test_parameters), cmocka_unit_test(test_wrong_parameters),
                                       cmocka_unit_test(test_home),       cmocka_unit_test(test_vectors)};
    if (argc == 3 && strcmp(argv[1], "print") == 0)
        return print_vectors(argv[2], &columns, TER_METHOD_TILED);
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
