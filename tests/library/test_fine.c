/* test_fine.c - samples of levels of detail -1 to -4 are a superset of the samples 1 m apart, and have the same bits
 * whatever the method, window and number of threads. Statistics, 16-bit samples, probes and morphs agree with them.
 * Worlds of bases midpoint and smooth continue their subdivision at these levels. */
#include "fluvial_under_test.h"

#include <math.h>
#include <stdbool.h>

/** x, z of places of the world without continents: a river, the shore of a lake, rock, scree, a meadow, and one near
 * the end of the world. */
static const int64_t grounds[][2] = {{-1104276, 1954564}, {-1114056, 1932720}, {-1103040, 1955488},
                                     {-1104160, 1955488}, {523448, -1311048},  {-(INT64_C(1) << 45), INT64_C(1) << 45}};
enum { GROUNDS = sizeof grounds / sizeof grounds[0], SEA_X = 1296864, SEA_Z = -1250962 /* a shore at 312.5 m */ };

static ter_rect fine_rect(const ter_world *world, const int64_t place[2], int lod, int width, int height)
{
    const int levels = ter_world_params(world)->levels;
    if (lod > 0)
        return rect_at(world, place, lod, width, height);
    return (ter_rect){levels - lod, place[0] * (1 << -lod), place[1] * (1 << -lod), width, height};
}

static ter_world *world_of_sea(double sea)
{
    ter_params params;
    ter_params_default(&params);
    params.continents = 0.0;
    params.sea = sea;
    return world_of(&params);
}

static void assert_sample(const layer_set *a, int64_t n, const layer_set *b, int64_t k, const ter_rect *rect)
{
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (float_bits(a->at[layer][n]) != float_bits(b->at[layer][k]))
            fail_msg("level %d, %lld, %lld, sample %lld: %s is %a, expected %a", rect->level, (long long)rect->i,
                     (long long)rect->j, (long long)n, ter_layer_name((ter_layer)layer), (double)a->at[layer][n],
                     (double)b->at[layer][k]);
}

/** Every second sample of a level is a sample of the level before it, in all layers. A smaller window at an odd place
 * has the same samples. */
static void test_subsets_and_windows(void **state)
{
    static layer_set coarse, fine, part;
    (void)state;
    ter_world *worlds[2] = {world_of_sea(0.0), world_of_sea(312.5)};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const int64_t sea[2] = {SEA_X, SEA_Z};
    for (int n = 0; n <= GROUNDS; n++)
        for (int lod = 0; lod > -TER_FINE_LODS; lod--) {
            const ter_world *world = worlds[n == GROUNDS];
            const int64_t *place = n == GROUNDS ? sea : grounds[n];
            const ter_rect rect = fine_rect(world, place, lod, SIDE / 2, SIDE / 2);
            const ter_rect finer = fine_rect(world, place, lod - 1, SIDE, SIDE);
            const ter_rect inner = {finer.level, finer.i + 3, finer.j + 7, SIDE - 5, SIDE - 12};
            fill(generator, world, &rect, &coarse);
            fill(generator, world, &finer, &fine);
            fill(generator, world, &inner, &part);
            for (int64_t k = 0; k < SIDE / 2 * (SIDE / 2); k++)
                assert_sample(&fine, 2 * (k / (SIDE / 2)) * SIDE + 2 * (k % (SIDE / 2)), &coarse, k, &finer);
            for (int64_t k = 0; k < inner.width * inner.height; k++)
                assert_sample(&part, k, &fine, (k / inner.width + 7) * SIDE + k % inner.width + 3, &inner);
        }
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** Every method, SIMD level and number of threads gives the bits of the definition on one thread. */
static void test_same_bits(void **state)
{
    static layer_set expected, got;
    const bool is_cpu = backend_under_test == TER_BACKEND_CPU;
    (void)state;
    ter_world *world = world_of_sea(0.0);
    ter_generator *reference = NULL;
    const ter_generator_options baseline = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU,
                                            .method = TER_METHOD_RECURSIVE, .threads = 1, .simd = TER_SIMD_BASELINE};
    assert_ok(ter_generator_create(&baseline, &reference));
    int threads = 0;
    for (int simd = is_cpu ? TER_SIMD_BASELINE : TER_SIMD_AUTO; simd <= (is_cpu ? (int)ter_simd_best() : TER_SIMD_AUTO);
         simd++)
        for (int method = 0; method < TER_METHOD_COUNT; method++) {
            threads = threads % 5 + 1;
            ter_generator *generator = generator_of((ter_method)method, threads, (ter_simd)simd);
            for (int n = 0; n < TER_FINE_LODS; n++) {
                const ter_rect rect = fine_rect(world, grounds[(n + method) % GROUNDS], -1 - n, SIDE, 21);
                fill(reference, world, &rect, &expected);
                fill(generator, world, &rect, &got);
                for (int64_t k = 0; k < rect.width * rect.height; k++)
                    assert_sample(&got, k, &expected, k, &rect);
            }
            ter_generator_destroy(generator);
        }
    ter_generator_destroy(reference);
    ter_world_destroy(world);
}

/** A window of more samples than a block has the heights of small windows, with and without other layers. */
static void test_large(void **state)
{
    enum { WIDE = 2300, HIGH = 150, LAST = SIDE * SIDE - 1 };
    static float heights[WIDE * HIGH], again[WIDE * HIGH], water[WIDE * HIGH];
    static layer_set part;
    (void)state;
    ter_world *world = world_of_sea(0.0);
    for (int threads = 1; threads <= 4; threads += 3) {
        ter_generator *generator = generator_of(TER_METHOD_TILED, threads, TER_SIMD_AUTO);
        const ter_rect rect = fine_rect(world, grounds[0], -3, WIDE, HIGH);
        float_layers both = height_layer(again);
        both.at[TER_LAYER_WATER] = water;
        assert_ok(fill_rect_heights(generator, world, &rect, heights, WIDE));
        assert_ok(fill_rect_layers(generator, world, &rect, &both, WIDE));
        assert_memory_equal(heights, again, sizeof heights);
        for (int x = 0; x <= WIDE - SIDE; x += 452) { /* the last window ends with the rectangle */
            const ter_rect inner = {rect.level, rect.i + x, rect.j + 110, SIDE, SIDE};
            fill(generator, world, &inner, &part);
            for (int row = 0; row < SIDE; row++) {
                const int first = (110 + row) * WIDE + x;
                assert_memory_equal(heights + first, part.at[TER_LAYER_HEIGHT] + row * SIDE, SIDE * sizeof(float));
                assert_memory_equal(water + first, part.at[TER_LAYER_WATER] + row * SIDE, SIDE * sizeof(float));
            }
        }
        ter_generator_destroy(generator);
    }
    ter_world_destroy(world);
}

/** Tiles of many levels of detail, made in one call, have the samples of tiles that are made alone, and the heights of
 * single points. */
static void test_batches(void **state)
{
    enum { FIRST = -TER_FINE_LODS, LAST = 12, TILES = LAST - FIRST + 1, WIDTH = 9, HEIGHT = 7, SLOT = WIDTH * HEIGHT };
    static float got[TER_LAYER_COUNT][TILES * SLOT];
    static layer_set alone;
    (void)state;
    ter_world *world = world_of_sea(0.0);
    ter_tile tiles[TILES];
    uint32_t slots[TILES];
    float_layers out;
    for (int n = 0; n < TILES; n++) {
        const ter_rect rect = fine_rect(world, grounds[n % GROUNDS], FIRST + n, WIDTH, HEIGHT);
        tiles[n] = (ter_tile){rect.level, rect.i + 5, rect.j - 3};
        slots[n] = (uint32_t)(n * 5 % TILES);
    }
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        out.at[layer] = got[layer];
    const tiles_layout layout = {WIDTH, HEIGHT, WIDTH, SLOT, slots};
    for (int method = 0; method < TER_METHOD_COUNT; method++) {
        ter_generator *generator = generator_of((ter_method)method, 2, TER_SIMD_AUTO);
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

/** Statistics are those of a loop over the samples. 16-bit samples are the quantised heights. */
static void test_statistics_and_samples(void **state)
{
    enum { COUNT = SIDE * SIDE };
    static float heights[COUNT];
    static uint16_t samples[COUNT], expected[COUNT];
    (void)state;
    ter_world *world = world_of_sea(0.0);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 3, TER_SIMD_AUTO);
    for (int lod = -1; lod >= -TER_FINE_LODS; lod--) {
        const ter_rect rect = fine_rect(world, grounds[-lod], lod, SIDE, SIDE);
        ter_statistics got = {TER_SIZED(ter_statistics)};
        float min = INFINITY, max = -INFINITY;
        double sum = 0.0;
        assert_ok(fill_rect_heights(generator, world, &rect, heights, SIDE));
        assert_ok(ter_generator_statistics(generator, world, &rect, NULL, &got));
        for (int n = 0; n < COUNT; n++) {
            min = fminf(min, heights[n]);
            max = fmaxf(max, heights[n]);
            sum += (double)heights[n];
        }
        assert_true(got.count == COUNT && got.min_m == min && got.max_m == max);
        assert_true(fabs(got.mean_m - sum / COUNT) < 1e-9 * fabs(sum / COUNT));
        const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = samples, .lo = 200.0, .hi = 1100.0};
        const ter_region region = ter_region_of_rect(&rect);
        ter_target target = ter_target_of_outputs(&output, 1);
        target.sample_type = TER_SAMPLE_U16;
        assert_ok(ter_fill(generator, world, &region, &target));
        assert_ok(ter_quantise_values(heights, COUNT, 200.0, 1100.0, expected));
        assert_memory_equal(samples, expected, sizeof samples);
        assert_true(expected[0] > 0 && expected[0] < UINT16_MAX);
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Height of a place, interpolated bilinearly in a cell of 2 x 2 samples. With is_over_water, a sample with water has
 * the height of the water surface. */
static float cell_height(ter_generator *generator, const ter_world *world, bool is_over_water, int level, double x,
                         double z)
{
    const double step = ldexp(1.0, ter_world_params(world)->levels - level), i = floor(x / step), j = floor(z / step);
    const ter_rect rect = {level, (int64_t)i, (int64_t)j, 2, 2};
    static layer_set cell;
    fill(generator, world, &rect, &cell);
    float h[4];
    for (int n = 0; n < 4; n++)
        h[n] = is_over_water ? fmaxf(cell.at[TER_LAYER_HEIGHT][n], cell.at[TER_LAYER_WATER][n])
                             : cell.at[TER_LAYER_HEIGHT][n];
    const float a = (float)(x / step - i), b = (float)(z / step - j);
    const float north = fmaf(a, h[1] - h[0], h[0]), south = fmaf(a, h[3] - h[2], h[2]);
    return fmaf(b, south - north, north);
}

/** A probe gives bilinear heights of these levels, mixtures with the next coarser level, and heights of water. */
static void test_probe(void **state)
{
    enum { COUNT = 16 };
    (void)state;
    ter_world *world = world_of_sea(0.0);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    int n_lifted = 0;
    for (int is_over_water = 0; is_over_water < 2; is_over_water++) {
        const ter_probe_options options = {TER_SIZED(ter_probe_options), is_over_water};
        ter_probe_point points[COUNT];
        float heights[TER_PROBE_POINTS_MAX];
        uint64_t ticket;
        int count = 0;
        ter_probe *probe = NULL;
        assert_ok(ter_probe_create(generator, &options, &probe));
        for (int n = 0; n < COUNT; n++)
            points[n] =
                (ter_probe_point){(double)grounds[n % 2][0] + 0.31 * n, (double)grounds[n % 2][1] - 0.17 * n,
                                  ter_world_params(world)->levels + 1 + n % TER_FINE_LODS, n % 3 == 1 ? 0.25f : 0.0f};
        assert_ok(ter_probe_ask(probe, world, points, COUNT, 1));
        while (count == 0)
            assert_ok(ter_probe_answer(probe, &ticket, &count, heights));
        for (int n = 0; n < COUNT; n++) {
            const ter_probe_point *p = &points[n];
            float expected = cell_height(generator, world, is_over_water, p->level, p->x, p->z);
            n_lifted += is_over_water && expected != cell_height(generator, world, false, p->level, p->x, p->z);
            if (p->coarser > 0.0f)
                expected =
                    fmaf(p->coarser, cell_height(generator, world, is_over_water, p->level - 1, p->x, p->z) - expected,
                         expected);
            if (float_bits(heights[n]) != float_bits(expected))
                fail_msg("level %d, %g, %g: probe %a, expected %a", p->level, p->x, p->z, (double)heights[n],
                         (double)expected);
        }
        ter_probe_destroy(probe);
    }
    assert_true(n_lifted > 0);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** While a front passes, points that tiles of these levels share with a tile of level of detail 0 have its heights and
 * water. */
static void test_morph(void **state)
{
    enum { SIZE = 33, TILES = TER_FINE_LODS + 1 };
    static float height[TILES][SIZE][SIZE], water[TILES][SIZE][SIZE];
    static const uint32_t held[TILES] = {3, 0, 4, 1, 2};
    (void)state;
    ter_params dry;
    ter_params_default(&dry);
    dry.basis = TER_BASIS_SMOOTH;
    ter_world *worlds[2] = {world_of_sea(0.0), world_of(&dry)};
    const int levels = ter_world_params(worlds[0])->levels;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_morph *morph = NULL;
    ter_tile tiles[TILES];
    for (int n = 0; n < TILES; n++)
        tiles[n] = (ter_tile){levels + n, grounds[0][0] * (1 << n), grounds[0][1] * (1 << n)};
    assert_ok(create_morph(generator, TILES, SIZE, 1, &morph));
    for (int n = 0; n < 2; n++)
        assert_ok(load_morph(morph, n, worlds[n], tiles, held, TILES));
    const ter_blend blend = {.x = grounds[0][0], .z = grounds[0][1], .along_x = 0.02, .along_z = 0.013, .begun = 0.1};
    const float_layers out = {.at = {[TER_LAYER_HEIGHT] = &height[0][0][0], [TER_LAYER_WATER] = &water[0][0][0]}};
    const tiles_layout packed = {SIZE, SIZE, SIZE, SIZE * SIZE, NULL};
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), levels, tiles, held, TILES};
    assert_ok(blend_morph_layers(morph, &blend, &all, &packed, &out));
    float before;
    assert_ok(ter_world_height(worlds[0], levels, tiles[0].i + 1, tiles[0].j + 1, &before));
    assert_true(before != height[0][1][1] && ter_blend_at(&blend, (double)blend.x + 1.0, (double)blend.z + 1.0) < 0.5);
    for (int n = 1; n < TILES; n++)
        for (int row = 0; row << n < SIZE; row++)
            for (int column = 0; column << n < SIZE; column++) {
                assert_int_equal(float_bits(height[n][row << n][column << n]), float_bits(height[0][row][column]));
                assert_int_equal(float_bits(water[n][row << n][column << n]), float_bits(water[0][row][column]));
            }
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** Worlds of bases midpoint and smooth have the heights of a world with four more levels, by every method. The greatest
 * displacement of new points shrinks by the factor `gain` from level to level. */
static void test_other_bases(void **state)
{
    enum { LEVELS = 18 };
    static float expected[SIDE * SIDE], got[SIDE * SIDE];
    (void)state;
    for (int basis = TER_BASIS_MIDPOINT; basis <= TER_BASIS_SMOOTH; basis++)
        for (int method = 0; method < TER_METHOD_COUNT; method++) {
            ter_params params;
            ter_params_default(&params);
            params.basis = (ter_basis)basis;
            params.gain = 0.5;
            params.valley = 0.0;
            params.levels = LEVELS;
            ter_world *world = world_of(&params);
            params.levels = LEVELS + TER_FINE_LODS;
            ter_world *deeper = world_of(&params);
            ter_generator *generator = generator_of((ter_method)method, 2, TER_SIMD_AUTO);
            double amplitude_m[TER_LEVELS_MAX + 1];
            assert_ok(ter_params_amplitudes(&params, amplitude_m));
            for (int n = 1; n <= TER_FINE_LODS; n++) {
                const ter_rect rect = {LEVELS + n, INT64_C(1234567) << n, -(INT64_C(98765) << n), SIDE, SIDE};
                assert_ok(fill_rect_heights(generator, world, &rect, got, SIDE));
                assert_ok(fill_rect_heights(generator, deeper, &rect, expected, SIDE));
                assert_memory_equal(got, expected, sizeof got);
                double reach = 0.0;
                for (int k = 0; k + 2 < SIDE * SIDE && basis == TER_BASIS_MIDPOINT;
                     k += 2) /* new points of even rows */
                    if (k / SIDE % 2 == 0 && k % SIDE + 2 < SIDE)
                        reach = fmax(reach, fabs((double)got[k + 1] - 0.5 * ((double)got[k] + (double)got[k + 2])));
                assert_true(basis != TER_BASIS_MIDPOINT ||
                            (reach > 0.9 * amplitude_m[LEVELS + n] && reach < 1.01 * amplitude_m[LEVELS + n]));
            }
            assert_true(fabs(amplitude_m[LEVELS + 4] / amplitude_m[LEVELS] - 0.0625) < 1e-12);
            ter_generator_destroy(generator);
            ter_world_destroy(world);
            ter_world_destroy(deeper);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_subsets_and_windows),
                                       cmocka_unit_test(test_same_bits),
                                       cmocka_unit_test(test_large),
                                       cmocka_unit_test(test_batches),
                                       cmocka_unit_test(test_statistics_and_samples),
                                       cmocka_unit_test(test_probe),
                                       cmocka_unit_test(test_morph),
                                       cmocka_unit_test(test_other_bases)};
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
