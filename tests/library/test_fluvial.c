/* test_fluvial.c - worlds of basis fluvial: every layer has the same bits by every method, SIMD level, backend and
 * window, and each level of detail up to 8 is a subset of the next finer one. No water lies below the ground, and no
 * bank is lower than all water beside it. */
#include "fluvial_under_test.h"

#include <math.h>
#include <stdbool.h>

static const ter_method methods[] = {TER_METHOD_TILED, TER_METHOD_RECURSIVE, TER_METHOD_SINGLE_PASS};

static void assert_same_layers(const layer_set *a, const layer_set *b, const ter_rect *rect, const char *what)
{
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        for (int64_t n = 0; n < rect->width * rect->height; n++)
            if (float_bits(a->at[layer][n]) != float_bits(b->at[layer][n]))
                fail_msg("%s: level %d, %lld, %lld: %s is %a, expected %a", what, rect->level,
                         (long long)(rect->i + n % rect->width), (long long)(rect->j + n / rect->width),
                         ter_layer_name((ter_layer)layer), (double)b->at[layer][n], (double)a->at[layer][n]);
}

static void test_same_bits(void **state)
{
    static const int lods[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 16, 18, 19, 20};
    static layer_set expected, got;
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *reference = NULL;
    const ter_generator_options baseline = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU,
                                            .method = TER_METHOD_RECURSIVE, .simd = TER_SIMD_BASELINE};
    assert_ok(ter_generator_create(&baseline, &reference));
    const int simd_last = backend_under_test == TER_BACKEND_CPU ? (int)ter_simd_best() : TER_SIMD_AUTO;
    for (int simd = backend_under_test == TER_BACKEND_CPU ? TER_SIMD_BASELINE : TER_SIMD_AUTO; simd <= simd_last;
         simd++)
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            ter_generator *generator = generator_of(methods[m], 2, (ter_simd)simd);
            for (size_t n = 0; n < sizeof lods / sizeof lods[0]; n++) {
                const ter_rect rect =
                    rect_at(world, places[(n + m) % PLACES], lods[n], lods[n] < 9 ? SIDE : 5, lods[n] < 9 ? 17 : 6);
                fill(reference, world, &rect, &expected);
                fill(generator, world, &rect, &got);
                assert_same_layers(&expected, &got, &rect, ter_method_name(methods[m]));
            }
            ter_generator_destroy(generator);
        }
    ter_generator_destroy(reference);
    ter_world_destroy(world);
}

static void test_points(void **state)
{
    static layer_set set;
    (void)state;
    ter_world *world = fluvial_world(7);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (int n = 0; n < PLACES; n++) {
        const ter_rect rect = rect_at(world, places[n], 2 * n % 10, 2, 2);
        fill(generator, world, &rect, &set);
        const int64_t points[2][2] = {{rect.i + 1, rect.j}, {rect.i, rect.j + 1}};
        float expected, got[2], alone;
        assert_ok(fill_point_heights(generator, world, rect.level, points, 2, got));
        for (int k = 0; k < 2; k++) {
            assert_ok(ter_world_height(world, rect.level, points[k][0], points[k][1], &expected));
            assert_ok(fill_point_heights(generator, world, rect.level, &points[k], 1, &alone));
            assert_int_equal(float_bits(set.at[TER_LAYER_HEIGHT][1 + k]), float_bits(expected));
            assert_int_equal(float_bits(got[k]), float_bits(expected));
            assert_int_equal(float_bits(alone), float_bits(expected));
        }
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** A smaller window within a window has the same samples. The next coarser level has every second sample in both
 * directions. */
static void test_windows_and_levels(void **state)
{
    static layer_set whole, part;
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int lod = 0; lod <= 20; lod++) {
        const int side = lod < 9 ? SIDE : 8;
        ter_rect rect = rect_at(world, places[lod % PLACES], lod, side, side);
        rect.i &= ~INT64_C(1);
        rect.j &= ~INT64_C(1);
        fill(generator, world, &rect, &whole);
        const ter_rect inner = {rect.level, rect.i + 3, rect.j + 2, side - 5, side - 3};
        fill(generator, world, &inner, &part);
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            for (int64_t y = 0; y < inner.height; y++)
                for (int64_t x = 0; x < inner.width; x++)
                    assert_int_equal(float_bits(part.at[layer][y * inner.width + x]),
                                     float_bits(whole.at[layer][(y + 2) * side + x + 3]));
        if (lod + 1 >= TER_MEANS_LOD) /* samples of the coarser level are means, not a subset of the finer ones */
            continue;
        const ter_rect coarser = {rect.level - 1, rect.i / 2, rect.j / 2, side / 2, side / 2};
        fill(generator, world, &coarser, &part);
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            for (int64_t y = 0; y < side / 2; y++)
                for (int64_t x = 0; x < side / 2; x++)
                    assert_int_equal(float_bits(part.at[layer][y * (side / 2) + x]),
                                     float_bits(whole.at[layer][2 * y * side + 2 * x]));
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Each layer alone, in a batch of tiles with strides and slots. */
static void test_layouts(void **state)
{
    enum { STRIDE = SIDE + 5, TILES = 3, SLOT = STRIDE * SIDE };
    static layer_set expected;
    static float out[TILES * SLOT];
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const ter_tile tiles[TILES] = {{17, places[0][0] >> 3, places[0][1] >> 3},
                                   {14, places[4][0] >> 6, places[4][1] >> 6},
                                   {14, places[3][0] >> 6, places[3][1] >> 6}};
    const uint32_t slots[TILES] = {2, 0, 1};
    const tiles_layout layout = {SIDE, 9, STRIDE, SLOT, slots};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        float_layers wanted = {{0}};
        wanted.at[layer] = out;
        for (int n = 0; n < TILES * SLOT; n++)
            out[n] = untouched;
        assert_ok(fill_tiles_layers(generator, world, tiles, TILES, &layout, &wanted));
        for (int n = 0; n < TILES; n++) {
            const ter_rect rect = {tiles[n].level, tiles[n].i, tiles[n].j, SIDE, 9};
            fill(generator, world, &rect, &expected);
            for (int y = 0; y < 10; y++)
                for (int x = 0; x < STRIDE; x++) {
                    const float value = out[slots[n] * SLOT + (uint32_t)(y * STRIDE + x)];
                    const bool is_inside = x < SIDE && y < 9;
                    assert_int_equal(float_bits(value),
                                     float_bits(is_inside ? expected.at[layer][y * SIDE + x] : untouched));
                }
        }
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void test_errors(void **state)
{
    static float out[4];
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *smooth = world_of(&params);
    const ter_rect rect = {20, 0, 0, 2, 2};
    float_layers layers = {{0}};
    assert_int_equal(fill_rect_layers(generator, smooth, &rect, &layers, 2), TER_EINVAL);
    layers.at[TER_LAYER_WATER] = out;
    assert_int_equal(fill_rect_layers(generator, smooth, &rect, &layers, 2), TER_EINVAL);
    assert_string_equal(ter_error_detail(),
                        "layer water, expected a world of basis fluvial: other worlds have the layer height alone");
    layers = (float_layers){{0}};
    layers.at[TER_LAYER_HEIGHT] = out;
    assert_ok(fill_rect_layers(generator, smooth, &rect, &layers, 2));
    ter_world *world = NULL;
    params.basis = TER_BASIS_FLUVIAL;
    params.ice = 1.5;
    assert_int_equal(ter_world_create(&params, &world), TER_EINVAL);
    assert_string_equal(ter_error_detail(), "ice is 1.5, expected -1 to 1");
    params.ice = 0.0;
    params.sea = -1.0;
    assert_int_equal(ter_world_create(&params, &world), TER_EINVAL);
    ter_world_destroy(smooth);
    ter_generator_destroy(generator);
}

/** At samples 4 m apart no water lies below the ground, and no dry point is lower than all water beside it. */
static void test_water(void **state)
{
    enum { WIDE = 512 };
    static float height[WIDE * WIDE], water[WIDE * WIDE];
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    long n_banks = 0, n_wet = 0;
    for (int n = 0; n < 5; n++) {
        const ter_rect rect = rect_at(world, places[n], 2, WIDE, WIDE);
        float_layers layers = {{0}};
        layers.at[TER_LAYER_HEIGHT] = height;
        layers.at[TER_LAYER_WATER] = water;
        assert_ok(fill_rect_layers(generator, world, &rect, &layers, WIDE));
        for (int y = 1; y < WIDE - 1; y++)
            for (int x = 1; x < WIDE - 1; x++) {
                const int k = y * WIDE + x;
                n_wet += !isnan(water[k]);
                assert_true(isnan(water[k]) || water[k] > height[k]);
                float lowest = INFINITY;
                for (int b = -1; b <= 1; b++)
                    for (int a = -1; a <= 1; a++)
                        lowest = fminf(lowest, water[k + b * WIDE + a]); /* ignores NaN */
                if (!isnan(water[k]) || isinf(lowest))
                    continue;
                n_banks++;
                if (height[k] < lowest)
                    fail_msg("bank at %lld, %lld: %g m, expected the water's %g m or more", (long long)(rect.i + x),
                             (long long)(rect.j + y), (double)height[k], (double)lowest);
            }
    }
    if (n_wet < 5000 || n_banks < 2000)
        fail_msg("%ld wet points and %ld banks, expected land with enough of both to count", n_wet, n_banks);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_points), cmocka_unit_test(test_windows_and_levels),
        cmocka_unit_test(test_layouts),   cmocka_unit_test(test_errors), cmocka_unit_test(test_water)};
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
