/* test_overviews.c - samples of lod 9 and coarser are means: they are near the means of points, batches of tiles of all
 * levels of detail have the samples of single tiles, all methods make the same samples, and the layers land, top and
 * water agree with the height. */
#include "fluvial_under_test.h"

#include <math.h>

/** Differences between samples and the means of points within half a step around them. */
typedef struct comparison {
    double bias, rms, relief; /* m; relief: root mean square of the points about their means */
    int count;
} comparison;

/** Compare samples of a level of detail with means of points 2^points_lod m apart. Samples with a point at or below sea
 * level around them are left out. */
static comparison compare(ter_generator *generator, const ter_world *world, const int64_t place[2], int lod,
                          int points_lod, int side)
{
    const int per = 1 << (lod - points_lod), wide = (side + 1) * per + 1;
    const ter_rect rect = rect_at(world, place, lod, side, side);
    const ter_rect points = {rect.level + lod - points_lod, (rect.i - 1) * per + per / 2, (rect.j - 1) * per + per / 2,
                             wide, wide};
    float *exact = malloc((size_t)wide * (size_t)wide * sizeof *exact),
          *mean = malloc((size_t)(side * side) * sizeof *mean);
    comparison c = {0};
    assert_non_null(exact);
    assert_non_null(mean);
    assert_ok(fill_rect_heights(generator, world, &points, exact, (size_t)wide));
    assert_ok(fill_rect_heights(generator, world, &rect, mean, (size_t)side));
    for (int n = 0; n < side * side; n++) {
        const float *first = exact + (size_t)(n / side * per) * (size_t)wide + n % side * per;
        double sum = 0.0, squares = 0.0, weights = 0.0;
        int is_land = 1;
        for (int y = 0; y <= per; y++)
            for (int x = 0; x <= per; x++) {
                const double height = first[(size_t)y * (size_t)wide + (size_t)x];
                const double weight = (x % per ? 1.0 : 0.5) * (y % per ? 1.0 : 0.5);
                is_land = is_land && height > 0.0;
                sum += weight * height;
                squares += weight * height * height;
                weights += weight;
            }
        if (!is_land)
            continue;
        const double middle = sum / weights, error = mean[n] - middle;
        c.bias += error;
        c.rms += error * error;
        c.relief += fmax(squares / weights - middle * middle, 0.0);
        c.count++;
    }
    free(exact);
    free(mean);
    assert_true(c.count > 100);
    c.bias /= c.count;
    c.rms = sqrt(c.rms / c.count);
    c.relief = sqrt(c.relief / c.count);
    return c;
}

static void test_means(void **state)
{
    static const struct {
        int lod, points, side; /* levels of detail of samples and of points, samples per side */
    } cases[] = {{9, 6, 32}, {10, 6, 24}, {11, 7, 24}, {12, 8, 24}};
    static const double bias_max = 0.05, error_max = 0.3; /* shares of the relief */
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        for (int k = 0; k < 3; k++) {
            const comparison c = compare(generator, world, places[k], cases[n].lod, cases[n].points, cases[n].side);
            if (fabs(c.bias) > bias_max * c.relief || c.rms > error_max * c.relief)
                fail_msg("lod %d, place %d: bias %.1f m, error %.1f m, relief %.1f m", cases[n].lod, k, c.bias, c.rms,
                         c.relief);
        }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Tiles of all levels of detail, made in one call, have the same samples as tiles that are made alone. */
static void test_batches(void **state)
{
    enum { TILES = 21, WIDTH = 9, HEIGHT = 7, SLOT = WIDTH * HEIGHT };
    static float got[TER_LAYER_COUNT][TILES * SLOT];
    static layer_set alone;
    static const ter_method methods[] = {TER_METHOD_TILED, TER_METHOD_RECURSIVE, TER_METHOD_SINGLE_PASS};
    (void)state;
    ter_world *world = fluvial_world(3);
    ter_tile tiles[TILES];
    uint32_t slots[TILES];
    float_layers out;
    for (int n = 0; n < TILES; n++) {
        const ter_rect rect = rect_at(world, places[n % 5], n, WIDTH, HEIGHT);
        tiles[n] = (ter_tile){rect.level, rect.i, rect.j};
        slots[n] = (uint32_t)(n * 8 % TILES);
    }
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        out.at[layer] = got[layer];
    const tiles_layout layout = {WIDTH, HEIGHT, WIDTH, SLOT, slots};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        ter_generator *generator = generator_of(methods[m], 2, TER_SIMD_AUTO);
        memset(got, 0, sizeof got);
        assert_ok(fill_tiles_layers(generator, world, tiles, TILES, &layout, &out));
        for (int n = 0; n < TILES; n++) {
            const ter_rect rect = {tiles[n].level, tiles[n].i, tiles[n].j, WIDTH, HEIGHT};
            fill(generator, world, &rect, &alone);
            for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                assert_memory_equal(alone.at[layer], got[layer] + slots[n] * SLOT, SLOT * sizeof(float));
            float height;
            assert_ok(ter_world_height(world, rect.level, rect.i + 3, rect.j + 2, &height));
            assert_int_equal(float_bits(height), float_bits(alone.at[TER_LAYER_HEIGHT][2 * WIDTH + 3]));
        }
        ter_generator_destroy(generator);
    }
    ter_world_destroy(world);
}

/** Method `tiled` makes only the cells that samples depend on. Its samples are those of `recursive`, which on the CPU
 * makes all cells of their windows. */
static void test_cells_of_samples(void **state)
{
    static const int lods[] = {10, 12, 13, 14, 15, 18, 19}, sizes[][2] = {{90, 60}, {7, 150}, {1, 1}};
    static float expected[TER_LAYER_COUNT][5400], got[TER_LAYER_COUNT][5400];
    float_layers at_expected, at_got;
    (void)state;
    ter_world *world = fluvial_world(11);
    ter_generator *recursive = generator_of(TER_METHOD_RECURSIVE, 2, TER_SIMD_AUTO);
    ter_generator *tiled = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        at_expected.at[layer] = expected[layer];
        at_got.at[layer] = got[layer];
    }
    for (size_t n = 0; n < sizeof lods / sizeof lods[0]; n++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            const ter_rect rect = rect_at(world, places[n % PLACES], lods[n], sizes[k][0], sizes[k][1]);
            const size_t bytes = (size_t)(rect.width * rect.height) * sizeof(float);
            assert_ok(fill_rect_layers(recursive, world, &rect, &at_expected, (size_t)rect.width));
            assert_ok(fill_rect_layers(tiled, world, &rect, &at_got, (size_t)rect.width));
            for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                assert_memory_equal(got[layer], expected[layer], bytes);
        }
    ter_generator_destroy(recursive);
    ter_generator_destroy(tiled);
    ter_world_destroy(world);
}

/** From lod 10 on, a sample is below sea level where less than half of its area is land. Hilltops are not lower than
 * the mean. Water is above the ground. */
static void test_layers_agree(void **state)
{
    static layer_set set;
    int n_sea = 0, n_coast = 0;
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.seed = 5;
    params.levels = TER_LEVELS_MAX;
    params.sea = 120.0;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int lod = TER_MEANS_LOD; lod <= TER_LEVELS_MAX; lod++) {
        const ter_rect rect = rect_at(world, places[3], lod, SIDE, SIDE);
        fill(generator, world, &rect, &set);
        for (int n = 0; n < SIDE * SIDE; n++) {
            const float height = set.at[TER_LAYER_HEIGHT][n], water = set.at[TER_LAYER_WATER][n];
            const float land = set.at[TER_LAYER_LAND][n];
            assert_true(land >= 0.0f && land <= 1.0f && set.at[TER_LAYER_TOP][n] >= height);
            assert_true(isnan(water) || water > height);
            assert_true(lod == TER_MEANS_LOD || (land < 0.5f) == (height < 120.0f));
            assert_true(height >= 120.0f || water == 120.0f);
            n_sea += land < 0.5f;
            n_coast += land > 0.0f && land < 1.0f;
        }
    }
    assert_true(n_sea > 500 && n_coast > 500);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_means), cmocka_unit_test(test_batches),
                                       cmocka_unit_test(test_cells_of_samples), cmocka_unit_test(test_layers_agree)};
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
