/* test_fluvial.c - worlds of basis fluvial: every layer has the same bits by every method, SIMD level, backend and window, levels
 * of detail are subsets of each other, and water lies as water must: level in lakes, falling in rivers, below its banks. */
#include "backend_under_test.h"

#include <math.h>
#include <stdbool.h>

enum { SIDE = 40 };

/** Layers of a rectangle of SIDE x SIDE points or less. */
typedef struct layer_set {
    float at[TER_LAYER_COUNT][SIDE * SIDE];
} layer_set;

static const ter_method methods[] = {TER_METHOD_TILED, TER_METHOD_RECURSIVE, TER_METHOD_SINGLE_PASS};

/** Places of the default world: alps with lakes, hills, canyons, a plain, a coast; and far away. */
static const int64_t places[][2] = {{-1294336, -163840},
                                    {-1196032, -1556480},
                                    {-1102336, 1930752},
                                    {1294336, -1261568},
                                    {524288, -1310720},
                                    {1 << 20, -(1 << 20)},
                                    {INT64_C(1) << 31, INT64_C(1) << 31},
                                    {-(INT64_C(1) << 45), INT64_C(1) << 45}};
enum { PLACES = sizeof places / sizeof places[0] };

static ter_world *fluvial_world(uint64_t seed)
{
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_FLUVIAL;
    params.seed = seed;
    params.levels = 20;
    return world_of(&params);
}

static ter_rect rect_at(const ter_world *world, const int64_t place[2], int lod, int width, int height)
{
    const ter_rect rect = {ter_world_params(world)->levels - lod, place[0] >> lod, place[1] >> lod, width, height};
    return rect;
}

static void fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, layer_set *out)
{
    ter_layers layers;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        layers.at[layer] = out->at[layer];
    assert_ok(ter_generator_fill_layers(generator, world, rect, &layers, (size_t)rect->width));
}

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
    static const int lods[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 14};
    static layer_set expected, got;
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *reference = NULL;
    const ter_generator_options baseline = {.backend = TER_BACKEND_CPU, .method = TER_METHOD_RECURSIVE, .simd = TER_SIMD_BASELINE};
    assert_ok(ter_generator_create(&baseline, &reference));
    const int simd_last = backend_under_test == TER_BACKEND_CPU ? (int)ter_simd_best() : TER_SIMD_AUTO;
    for (int simd = backend_under_test == TER_BACKEND_CPU ? TER_SIMD_BASELINE : TER_SIMD_AUTO; simd <= simd_last; simd++)
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            ter_generator *generator = generator_of(methods[m], 2, (ter_simd)simd);
            for (size_t n = 0; n < sizeof lods / sizeof lods[0]; n++) {
                const ter_rect rect =
                    rect_at(world, places[(n + m) % PLACES], lods[n], lods[n] < 9 ? SIDE : 3, lods[n] < 9 ? 17 : 2);
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
        const int64_t point[1][2] = {{rect.i + 1, rect.j}};
        float expected, got;
        assert_ok(ter_world_height(world, rect.level, point[0][0], point[0][1], &expected));
        assert_ok(ter_generator_heights(generator, world, rect.level, point, 1, &got));
        assert_int_equal(float_bits(set.at[TER_LAYER_HEIGHT][1]), float_bits(expected));
        assert_int_equal(float_bits(got), float_bits(expected));
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** A window that is moved or cut, and the next coarser level, have the same samples. */
static void test_windows_and_levels(void **state)
{
    static layer_set whole, part;
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int lod = 0; lod < 11; lod++) {
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

/** Many tiles at once have the same heights with water and alone, and as one by one: large batches are made in another way, by many
 * thread blocks. */
static void test_many_tiles(void **state)
{
    enum { TILE = 136, ACROSS = 32 };
    const int count = backend_under_test == TER_BACKEND_CPU ? 16 : ACROSS * ACROSS;
    const size_t floats = (size_t)count * TILE * TILE;
    float *alone = malloc(floats * sizeof *alone), *heights = malloc(floats * sizeof *heights),
          *water = malloc(floats * sizeof *water);
    assert_true(alone && heights && water);
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int lod = 0; lod < 5; lod++) {
        static ter_tile tiles[ACROSS * ACROSS];
        for (int n = 0; n < count; n++)
            tiles[n] = (ter_tile){ter_world_params(world)->levels - lod, (places[0][0] >> lod) + 128 * (n % ACROSS) - 1,
                                  (places[0][1] >> lod) + 128 * (n / ACROSS) - 1};
        const ter_tile_layout layout = {TILE, TILE, TILE, TILE * TILE, NULL};
        const ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = heights, [TER_LAYER_WATER] = water}};
        assert_ok(ter_generator_fill_tiles(generator, world, tiles, (size_t)count, &layout, alone));
        assert_ok(ter_generator_fill_tiles_layers(generator, world, tiles, (size_t)count, &layout, &layers));
        size_t n_different = 0;
        for (size_t n = 0; n < floats; n++)
            n_different += float_bits(alone[n]) != float_bits(heights[n]);
        if (n_different > 0)
            fail_msg("lod %d: %zu of %zu heights with water differ from heights alone", lod, n_different, floats);
        for (int n = 0; n < count; n += count / 5) { /* and each has those that it has by itself */
            static float single[TILE * TILE];
            assert_ok(ter_generator_fill_tiles(generator, world, &tiles[n], 1, &layout, single));
            assert_memory_equal(single, alone + (size_t)n * TILE * TILE, sizeof single);
        }
    }
    free(alone);
    free(heights);
    free(water);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Tiles whose samples lie far apart, at places far from each other: a backend may leave out what of their networks no place is
 * near. They have the layers that each has by itself. */
static void test_far_tiles(void **state)
{
    enum { TILE = 400, TILES = 3, SAMPLES = TILE * TILE };
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    float *all = malloc(sizeof(float) * TER_LAYER_COUNT * TILES * SAMPLES),
          *single = malloc(sizeof(float) * TER_LAYER_COUNT * SAMPLES);
    assert_true(all && single);
    ter_layers of_all, of_one;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        of_all.at[layer] = all + (size_t)layer * TILES * SAMPLES;
        of_one.at[layer] = single + (size_t)layer * SAMPLES;
    }
    const ter_tile_layout layout = {TILE, TILE, TILE, SAMPLES, NULL};
    for (int lod = 8; lod < 10; lod++) {
        ter_tile tiles[TILES];
        for (int n = 0; n < TILES; n++)
            tiles[n] = (ter_tile){ter_world_params(world)->levels - lod, places[2 + 2 * n][0] >> lod, places[2 + 2 * n][1] >> lod};
        assert_ok(ter_generator_fill_tiles_layers(generator, world, tiles, TILES, &layout, &of_all));
        for (int n = 0; n < TILES; n++) {
            assert_ok(ter_generator_fill_tiles_layers(generator, world, &tiles[n], 1, &layout, &of_one));
            for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                if (memcmp(of_one.at[layer], of_all.at[layer] + (size_t)n * SAMPLES, SAMPLES * sizeof(float)) != 0)
                    fail_msg("lod %d, tile %d: %s differs from that of the tile alone", lod, n, ter_layer_name((ter_layer)layer));
        }
    }
    free(all);
    free(single);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** One layer alone, some together, strides and batches. */
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
    const ter_tile_layout layout = {SIDE, 9, STRIDE, SLOT, slots};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        ter_layers wanted = {{0}};
        wanted.at[layer] = out;
        for (int n = 0; n < TILES * SLOT; n++)
            out[n] = untouched;
        assert_ok(ter_generator_fill_tiles_layers(generator, world, tiles, TILES, &layout, &wanted));
        for (int n = 0; n < TILES; n++) {
            const ter_rect rect = {tiles[n].level, tiles[n].i, tiles[n].j, SIDE, 9};
            fill(generator, world, &rect, &expected);
            for (int y = 0; y < 10; y++)
                for (int x = 0; x < STRIDE; x++) {
                    const float value = out[slots[n] * SLOT + (uint32_t)(y * STRIDE + x)];
                    const bool is_inside = x < SIDE && y < 9;
                    assert_int_equal(float_bits(value), float_bits(is_inside ? expected.at[layer][y * SIDE + x] : untouched));
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
    ter_layers layers = {{0}};
    assert_int_equal(ter_generator_fill_layers(generator, smooth, &rect, &layers, 2), TER_EINVAL);
    layers.at[TER_LAYER_WATER] = out;
    assert_int_equal(ter_generator_fill_layers(generator, smooth, &rect, &layers, 2), TER_EINVAL);
    assert_string_equal(ter_error_detail(),
                        "layer water, expected a world of basis fluvial: other worlds have the layer height alone");
    layers = (ter_layers){{0}};
    layers.at[TER_LAYER_HEIGHT] = out;
    assert_ok(ter_generator_fill_layers(generator, smooth, &rect, &layers, 2));
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

/** Water in a window of 4 m: no dry point is lower than all water beside it, and lakes and the sea have one level each. */
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
        ter_layers layers = {{0}};
        layers.at[TER_LAYER_HEIGHT] = height;
        layers.at[TER_LAYER_WATER] = water;
        assert_ok(ter_generator_fill_layers(generator, world, &rect, &layers, WIDE));
        for (int y = 1; y < WIDE - 1; y++)
            for (int x = 1; x < WIDE - 1; x++) {
                const int k = y * WIDE + x;
                n_wet += !isnan(water[k]);
                assert_true(isnan(water[k]) || water[k] > height[k]);
                float lowest = INFINITY;
                for (int b = -1; b <= 1; b++)
                    for (int a = -1; a <= 1; a++)
                        lowest = fminf(lowest, water[k + b * WIDE + a]); /* ignores what is not a number */
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

/** Arrays too large for caches and wider than what is made at a time, from odd places, with gaps between their rows: as one thread
 * makes them, and as the definition has them. */
static void test_large_arrays(void **state)
{
    enum { WIDTH = 2100, HEIGHT = 2003, STRIDE = 2111, POINTS = 12 };
    static const int64_t at[][2] = {{-1102337, 1930753}, {1294337, -1261571}};
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *one = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO),
                  *several = generator_of(TER_METHOD_TILED, 5, TER_SIMD_AUTO);
    const size_t bytes = (size_t)STRIDE * HEIGHT * sizeof(float);
    float *expected = malloc(bytes), *got = malloc(bytes);
    assert_true(expected && got);
    memset(expected, 0xff, bytes);
    memset(got, 0xff, bytes);
    for (size_t n = 0; n < sizeof at / sizeof at[0]; n++)
        for (int lod = 0; lod < 2; lod++) {
            const ter_rect rect = rect_at(world, at[n], lod, WIDTH, HEIGHT);
            assert_ok(ter_generator_fill(one, world, &rect, expected, STRIDE));
            assert_ok(ter_generator_fill(several, world, &rect, got, STRIDE));
            assert_memory_equal(got, expected, bytes);
            for (int k = 0; k < POINTS; k++) {
                const int x = (int)((unsigned)k * 2654435761u % WIDTH), y = k * (HEIGHT - 1) / (POINTS - 1);
                float height;
                assert_ok(ter_world_height(world, rect.level, rect.i + x, rect.j + y, &height));
                if (float_bits(height) != float_bits(got[(size_t)y * STRIDE + (size_t)x]))
                    fail_msg("level %d, %d, %d: %a, expected %a", rect.level, x, y, (double)got[(size_t)y * STRIDE + (size_t)x],
                             (double)height);
            }
        }
    free(expected);
    free(got);
    ter_generator_destroy(one);
    ter_generator_destroy(several);
    ter_world_destroy(world);
}

/** Small tiles that lie near each other, some of them in every call, by many threads that take turns: what threads share of the
 * network is the same for all. */
static void test_neighbours(void **state)
{
    enum { TILES = 24, ROUNDS = 4, TILE = 33 };
    static float expected[TILES * TILE * TILE], got[TILES * TILE * TILE];
    (void)state;
    ter_world *world = fluvial_world(3);
    ter_generator *one = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO),
                  *several = generator_of(TER_METHOD_TILED, 7, TER_SIMD_AUTO);
    const ter_tile_layout layout = {.width = TILE, .height = TILE, .row_stride = TILE, .slot_stride = TILE * TILE};
    for (int round = 0; round < ROUNDS; round++) {
        ter_tile tiles[TILES];
        for (int n = 0; n < TILES; n++) { /* 2 km apart, the next round 20 km on */
            const int64_t x = 700000 + 20000 * round + n % 6 * 2000, y = -300000 + n / 6 * 2000;
            const int lod = n * 5 % 7;
            tiles[n] = (ter_tile){ter_world_params(world)->levels - lod, x >> lod, y >> lod};
        }
        assert_ok(ter_generator_fill_tiles(several, world, tiles, TILES, &layout, got));
        for (int n = 0; n < TILES; n++)
            assert_ok(ter_generator_fill_tiles(one, world, &tiles[n], 1, &layout, expected + n * TILE * TILE));
        assert_memory_equal(got, expected, sizeof got);
    }
    ter_generator_destroy(one);
    ter_generator_destroy(several);
    ter_world_destroy(world);
}

/** Tiles of a batch that lie side by side are made together, whatever their order: rows and squares of them, some twice, some that
 * overlap, of several levels, and one by itself. Each has the samples that it has alone, in every layer, and nothing between rows
 * and slots is written. */
static void test_tiles_side_by_side(void **state)
{
    enum { TILES = 40, WIDTH = 35, HEIGHT = 19, STRIDE = WIDTH + 2, SLOT = STRIDE * HEIGHT + 3, FLOATS = TILES * SLOT };
    static layer_set expected;
    static float got[TER_LAYER_COUNT][FLOATS];
    ter_tile tiles[TILES];
    uint32_t slots[TILES];
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 3, TER_SIMD_AUTO);
    for (int n = 0; n < TILES; n++) {
        const int lod = n * 7 % 5, k = n / 5; /* 8 of each level of detail: five in a row, one below, one twice, one far away */
        const int64_t i = (places[2][0] >> lod) + (k < 5 ? 32 * k : k == 5 ? 32 : k == 6 ? 64 : 9000), j = places[2][1] >> lod;
        tiles[n] = (ter_tile){ter_world_params(world)->levels - lod, i, j + (k == 5 ? 16 : 0)};
        slots[n] = (uint32_t)(n * 11 % TILES);
    }
    const ter_tile_layout layout = {WIDTH, HEIGHT, STRIDE, SLOT, slots};
    ter_layers layers;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        layers.at[layer] = got[layer];
        for (int n = 0; n < FLOATS; n++)
            got[layer][n] = untouched;
    }
    assert_ok(ter_generator_fill_tiles_layers(generator, world, tiles, TILES, &layout, &layers));
    for (int n = 0; n < TILES; n++) {
        const ter_rect rect = {tiles[n].level, tiles[n].i, tiles[n].j, WIDTH, HEIGHT};
        fill(generator, world, &rect, &expected);
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            for (int k = 0; k < SLOT; k++) {
                const int x = k % STRIDE, y = k / STRIDE;
                const float wanted = x < WIDTH && y < HEIGHT ? expected.at[layer][y * WIDTH + x] : untouched;
                if (float_bits(got[layer][slots[n] * SLOT + (uint32_t)k]) != float_bits(wanted))
                    fail_msg("tile %d, level %d, column %d, row %d: %s is %a, expected %a", n, tiles[n].level, x, y,
                             ter_layer_name((ter_layer)layer), (double)got[layer][slots[n] * SLOT + (uint32_t)k], (double)wanted);
            }
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Water, flow and shore have the same samples, with heights and alone, as beside all layers: they are made in another way then, a
 * sample a lane where rivers are. */
static void test_layers_of_water(void **state)
{
    enum { WIDE = 300, HIGH = 200 };
    static float expected[TER_LAYER_COUNT][WIDE * HIGH], got[TER_LAYER_COUNT][WIDE * HIGH];
    static const unsigned sets[] = {1u << TER_LAYER_HEIGHT | 1u << TER_LAYER_WATER | 1u << TER_LAYER_FLOW | 1u << TER_LAYER_SHORE,
                                    1u << TER_LAYER_WATER, 1u << TER_LAYER_FLOW | 1u << TER_LAYER_SHORE};
    size_t n_in_rivers = 0;
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int place = 0; place < 5; place++)
        for (int lod = 0; lod < 5; lod++) {
            const ter_rect rect = rect_at(world, places[place], lod, WIDE, HIGH);
            ter_layers all;
            for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                all.at[layer] = expected[layer];
            assert_ok(ter_generator_fill_layers(generator, world, &rect, &all, WIDE));
            for (int n = 0; n < WIDE * HIGH; n++)
                n_in_rivers += expected[TER_LAYER_WATER][n] > ter_world_params(world)->sea && expected[TER_LAYER_FLOW][n] > 4e6f;
            for (size_t set = 0; set < sizeof sets / sizeof sets[0]; set++) {
                ter_layers some = {{0}};
                for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                    some.at[layer] = sets[set] >> layer & 1u ? got[layer] : NULL;
                assert_ok(ter_generator_fill_layers(generator, world, &rect, &some, WIDE));
                for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                    for (int n = 0; n < WIDE * HIGH && some.at[layer]; n++)
                        if (float_bits(got[layer][n]) != float_bits(expected[layer][n]))
                            fail_msg("place %d, lod %d, sample %d: %s is %a, expected %a", place, lod, n,
                                     ter_layer_name((ter_layer)layer), (double)got[layer][n], (double)expected[layer][n]);
            }
        }
    assert_true(n_in_rivers > 1000);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Tiles as a flight asks for them: batch after batch a little further on, at places that lie far apart, of two worlds in turns.
 * What a generator keeps of the calls before, and lets go again, changes no sample. */
static void test_calls_in_turn(void **state)
{
    enum { TILES = 5, TILE = 9, SAMPLES = TILES * TILE * TILE };
    static float expected[TER_LAYER_COUNT][SAMPLES], got[TER_LAYER_COUNT][SAMPLES];
    const int rounds = backend_under_test == TER_BACKEND_CUDA ? 80 : 4;
    (void)state;
    ter_world *const worlds[] = {fluvial_world(3), fluvial_world(4)};
    ter_generator *kept = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_layers out[2];
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        out[0].at[layer] = expected[layer];
        out[1].at[layer] = got[layer];
    }
    for (int round = 0; round < rounds; round++) {
        const ter_tile_layout layout = {.width = TILE, .height = TILE, .row_stride = TILE, .slot_stride = TILE * TILE};
        const ter_world *world = worlds[round % 2];
        const int back = round % 7 == 6 ? 5 : 0; /* now and then to where it was a while ago */
        ter_tile tiles[TILES];
        for (int n = 0; n < TILES; n++) {
            const int64_t x = -1294336 + 1500 * (round - back) + 60000 * n, y = -163840 - 30000 * n;
            tiles[n] = (ter_tile){ter_world_params(world)->levels - n, x >> n, y >> n};
        }
        const size_t count = round % 5 == 4 ? 1 : TILES;
        ter_generator *fresh = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
        assert_ok(ter_generator_fill_tiles_layers(fresh, world, tiles, count, &layout, &out[0]));
        assert_ok(ter_generator_fill_tiles_layers(kept, world, tiles, count, &layout, &out[1]));
        ter_generator_destroy(fresh);
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            assert_memory_equal(got[layer], expected[layer], sizeof got[layer]);
    }
    ter_generator_destroy(kept);
    for (int n = 0; n < 2; n++)
        ter_world_destroy(worlds[n]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),      cmocka_unit_test(test_points),        cmocka_unit_test(test_windows_and_levels),
        cmocka_unit_test(test_many_tiles),     cmocka_unit_test(test_far_tiles),     cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_errors),         cmocka_unit_test(test_water),         cmocka_unit_test(test_large_arrays),
        cmocka_unit_test(test_neighbours),     cmocka_unit_test(test_calls_in_turn), cmocka_unit_test(test_tiles_side_by_side),
        cmocka_unit_test(test_layers_of_water)};
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
