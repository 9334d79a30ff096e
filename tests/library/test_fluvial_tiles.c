/* test_fluvial_tiles.c - in batches of tiles and large arrays of basis fluvial, data that tiles or threads share does
 * not change any sample. */
#include "fluvial_under_test.h"

/** The heights of a batch of tiles are the same with water and without water, and the same as those of single tiles. On
 * CUDA large batches are made by another method, with many thread blocks. */
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
        const tiles_layout layout = {TILE, TILE, TILE, TILE * TILE, NULL};
        const float_layers layers = {.at = {[TER_LAYER_HEIGHT] = heights, [TER_LAYER_WATER] = water}};
        assert_ok(fill_tiles_heights(generator, world, tiles, (size_t)count, &layout, alone));
        assert_ok(fill_tiles_layers(generator, world, tiles, (size_t)count, &layout, &layers));
        size_t n_different = 0;
        for (size_t n = 0; n < floats; n++)
            n_different += float_bits(alone[n]) != float_bits(heights[n]);
        if (n_different > 0)
            fail_msg("lod %d: %zu of %zu heights with water differ from heights alone", lod, n_different, floats);
        for (int n = 0; n < count; n += count / 5) { /* a tile alone has the same samples */
            static float single[TILE * TILE];
            assert_ok(fill_tiles_heights(generator, world, &tiles[n], 1, &layout, single));
            assert_memory_equal(single, alone + (size_t)n * TILE * TILE, sizeof single);
        }
    }
    free(alone);
    free(heights);
    free(water);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Heights and water of large arrays. A backend may leave out parts of the network that are near no sample. The arrays
 * are compared with small windows in their corners and in their middle, whose networks are complete. */
static void test_far_arrays(void **state)
{
    enum { WINDOW = 64, N_LAYERS = 2 };
    static const struct {
        int lod, side; /* the first array has several networks, the others have one that is too large to be cached */
    } arrays[] = {{9, 400}, {9, 1100}, {8, 1600}, {7, 3000}};
    static const ter_layer filled[N_LAYERS] = {TER_LAYER_HEIGHT, TER_LAYER_WATER};
    static float expected[N_LAYERS][WINDOW * WINDOW];
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        const int side = backend_under_test == TER_BACKEND_CPU ? 110 : arrays[k].side; /* the CPU leaves out nothing */
        const size_t samples = (size_t)side * (size_t)side;
        const ter_rect rect = rect_at(world, places[2 * k], arrays[k].lod, side, side);
        float *values = malloc(N_LAYERS * samples * sizeof(float));
        assert_non_null(values);
        float_layers all = {.at = {NULL}}, some = {.at = {NULL}};
        for (size_t n = 0; n < N_LAYERS; n++) {
            all.at[filled[n]] = values + n * samples;
            some.at[filled[n]] = expected[n];
        }
        assert_ok(fill_rect_layers(generator, world, &rect, &all, (size_t)side));
        for (int w = 0; w < 5; w++) {
            const int last = side - WINDOW, x = w == 4 ? last / 2 : w % 2 * last, y = w == 4 ? last / 2 : w / 2 * last;
            const ter_rect window = {rect.level, rect.i + x, rect.j + y, WINDOW, WINDOW};
            assert_ok(fill_rect_layers(generator, world, &window, &some, WINDOW));
            for (size_t n = 0; n < N_LAYERS; n++)
                for (int row = 0; row < WINDOW; row++)
                    if (memcmp(all.at[filled[n]] + (size_t)(y + row) * (size_t)side + x, expected[n] + row * WINDOW,
                               WINDOW * sizeof(float)) != 0)
                        fail_msg("lod %d, side %d, row %d of window %d: %s differs", arrays[k].lod, side, row, w,
                                 ter_layer_name(filled[n]));
        }
        free(values);
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Arrays that are larger than caches and wider than what the library makes at once. They begin at odd coordinates, and
 * their rows have gaps between them. Several threads make the same bits as one thread and as ter_world_height. */
static void test_large_arrays(void **state)
{
    enum { WIDTH = 2100, HEIGHT = 2003, STRIDE = 2111, POINTS = 12 };
    static const int64_t at[][2] = {{-1105078, 1952807}, {1294098, -1251599}};
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *one = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO),
                  *several = generator_of(TER_METHOD_TILED, 5, TER_SIMD_AUTO);
    const size_t bytes = (size_t)STRIDE * HEIGHT * sizeof(float);
    float *expected = malloc(bytes), *got = malloc(bytes);
    assert_true(expected && got);
    memset(expected, 0xff, bytes);
    memset(got, 0xff, bytes);
    const int n_places = CHECKS_THREADS_ONLY ? 1 : sizeof at / sizeof at[0], n_lods = CHECKS_THREADS_ONLY ? 1 : 2;
    for (int n = 0; n < n_places; n++)
        for (int lod = 0; lod < n_lods; lod++) {
            const ter_rect rect = rect_at(world, at[n], lod, WIDTH, HEIGHT);
            assert_ok(fill_rect_heights(one, world, &rect, expected, STRIDE));
            assert_ok(fill_rect_heights(several, world, &rect, got, STRIDE));
            assert_memory_equal(got, expected, bytes);
            for (int k = 0; k < POINTS; k++) {
                const int x = (int)((unsigned)k * 2654435761u % WIDTH), y = k * (HEIGHT - 1) / (POINTS - 1);
                float height;
                assert_ok(ter_world_height(world, rect.level, rect.i + x, rect.j + y, &height));
                if (float_bits(height) != float_bits(got[(size_t)y * STRIDE + (size_t)x]))
                    fail_msg("level %d, %d, %d: %a, expected %a", rect.level, x, y,
                             (double)got[(size_t)y * STRIDE + (size_t)x], (double)height);
            }
        }
    free(expected);
    free(got);
    ter_generator_destroy(one);
    ter_generator_destroy(several);
    ter_world_destroy(world);
}

/** Several threads make a batch of small neighbouring tiles, and share parts of the network. The samples are those of
 * single tiles made by one thread. */
static void test_neighbours(void **state)
{
    enum { TILES = 24, ROUNDS = CHECKS_THREADS_ONLY ? 2 : 4, TILE = 33 };
    static float expected[TILES * TILE * TILE], got[TILES * TILE * TILE];
    (void)state;
    ter_world *world = fluvial_world(3);
    ter_generator *one = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO),
                  *several = generator_of(TER_METHOD_TILED, 7, TER_SIMD_AUTO);
    const tiles_layout layout = {.width = TILE, .height = TILE, .row_stride = TILE, .slot_stride = TILE * TILE};
    for (int round = 0; round < ROUNDS; round++) {
        ter_tile tiles[TILES];
        for (int n = 0; n < TILES; n++) { /* tiles are 2 km apart, rounds 20 km */
            const int64_t x = 700000 + 20000 * round + n % 6 * 2000, y = -300000 + n / 6 * 2000;
            const int lod = n * 5 % 7;
            tiles[n] = (ter_tile){ter_world_params(world)->levels - lod, x >> lod, y >> lod};
        }
        assert_ok(fill_tiles_heights(several, world, tiles, TILES, &layout, got));
        for (int n = 0; n < TILES; n++)
            assert_ok(fill_tiles_heights(one, world, &tiles[n], 1, &layout, expected + n * TILE * TILE));
        assert_memory_equal(got, expected, sizeof got);
    }
    ter_generator_destroy(one);
    ter_generator_destroy(several);
    ter_world_destroy(world);
}

/** The library merges neighbouring tiles of a batch, whatever their order. This batch has tiles of several levels. In
 * each level some overlap, one is there twice, and one is far from the others. Each tile has the same samples as when
 * it is made alone, in every layer, and nothing is written between rows and slots. */
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
        /* each level of detail has 8 tiles: five in a row, one below the row, a copy of the third, and a distant one */
        const int lod = n * 7 % 5, k = n / 5;
        const int64_t i = (places[2][0] >> lod) + (k < 5    ? 32 * k
                                                   : k == 5 ? 32
                                                   : k == 6 ? 64
                                                            : 9000),
                      j = places[2][1] >> lod;
        tiles[n] = (ter_tile){ter_world_params(world)->levels - lod, i, j + (k == 5 ? 16 : 0)};
        slots[n] = (uint32_t)(n * 11 % TILES);
    }
    const tiles_layout layout = {WIDTH, HEIGHT, STRIDE, SLOT, slots};
    float_layers layers;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        layers.at[layer] = got[layer];
        for (int n = 0; n < FLOATS; n++)
            got[layer][n] = untouched;
    }
    assert_ok(fill_tiles_layers(generator, world, tiles, TILES, &layout, &layers));
    for (int n = 0; n < TILES; n++) {
        const ter_rect rect = {tiles[n].level, tiles[n].i, tiles[n].j, WIDTH, HEIGHT};
        fill(generator, world, &rect, &expected);
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            for (int k = 0; k < SLOT; k++) {
                const int x = k % STRIDE, y = k / STRIDE;
                const float wanted = x < WIDTH && y < HEIGHT ? expected.at[layer][y * WIDTH + x] : untouched;
                if (float_bits(got[layer][slots[n] * SLOT + (uint32_t)k]) != float_bits(wanted))
                    fail_msg("tile %d, level %d, column %d, row %d: %s is %a, expected %a", n, tiles[n].level, x, y,
                             ter_layer_name((ter_layer)layer), (double)got[layer][slots[n] * SLOT + (uint32_t)k],
                             (double)wanted);
            }
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Water, flow and shore have the same samples whether they are made without heights, with heights or with all layers.
 * Without heights, CUDA makes them by another method: near rivers, each lane of a warp makes one sample. */
static void test_layers_of_water(void **state)
{
    enum { WIDE = 300, HIGH = 200 };
    static float expected[TER_LAYER_COUNT][WIDE * HIGH], got[TER_LAYER_COUNT][WIDE * HIGH];
    static const unsigned sets[] = {1u << TER_LAYER_HEIGHT | 1u << TER_LAYER_WATER | 1u << TER_LAYER_FLOW |
                                        1u << TER_LAYER_SHORE,
                                    1u << TER_LAYER_WATER, 1u << TER_LAYER_FLOW | 1u << TER_LAYER_SHORE};
    size_t n_in_rivers = 0;
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int place = 0; place < 5; place++)
        for (int lod = 0; lod < 5; lod++) {
            const ter_rect rect = rect_at(world, places[place], lod, WIDE, HIGH);
            float_layers all;
            for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                all.at[layer] = expected[layer];
            assert_ok(fill_rect_layers(generator, world, &rect, &all, WIDE));
            for (int n = 0; n < WIDE * HIGH; n++)
                n_in_rivers +=
                    expected[TER_LAYER_WATER][n] > ter_world_params(world)->sea && expected[TER_LAYER_FLOW][n] > 4e6f;
            for (size_t set = 0; set < sizeof sets / sizeof sets[0]; set++) {
                float_layers some = {{0}};
                for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                    some.at[layer] = sets[set] >> layer & 1u ? got[layer] : NULL;
                assert_ok(fill_rect_layers(generator, world, &rect, &some, WIDE));
                for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                    for (int n = 0; n < WIDE * HIGH && some.at[layer]; n++)
                        if (float_bits(got[layer][n]) != float_bits(expected[layer][n]))
                            fail_msg("place %d, lod %d, sample %d: %s is %a, expected %a", place, lod, n,
                                     ter_layer_name((ter_layer)layer), (double)got[layer][n],
                                     (double)expected[layer][n]);
            }
        }
    assert_true(n_in_rivers > 1000);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Areas, lengths and slopes take the spacing of the world into account. With spacing 2 areas are four times as large,
 * lengths are twice as large, and slopes are half as large. Altitudes and shares are the same. */
static void test_metres(void **state)
{
    enum { WIDE = 120, HIGH = 90 };
    float scale[TER_LAYER_COUNT];
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        scale[layer] = layer == TER_LAYER_FLOW     ? 4.0f
                       : layer == TER_LAYER_SHORE  ? 2.0f
                       : layer == TER_LAYER_RELIEF ? 0.5f
                                                   : 1.0f;
    static const unsigned sets[] = {(1u << TER_LAYER_COUNT) - 1,
                                    1u << TER_LAYER_WATER | 1u << TER_LAYER_FLOW | 1u << TER_LAYER_SHORE};
    static float one[TER_LAYER_COUNT][WIDE * HIGH], two[TER_LAYER_COUNT][WIDE * HIGH];
    (void)state;
    ter_world *world = fluvial_world(1);
    ter_params params = *ter_world_params(world);
    params.spacing = 2.0;
    ter_world *wide = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (int n = 0; n < 8; n++) {
        const ter_rect rect = rect_at(world, places[n / 2 % 2], n % 2 * 4, WIDE, HIGH);
        float_layers out[2] = {{{0}}};
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            if (sets[n / 4] >> layer & 1u) {
                out[0].at[layer] = one[layer];
                out[1].at[layer] = two[layer];
            }
        assert_ok(fill_rect_layers(generator, world, &rect, &out[0], WIDE));
        assert_ok(fill_rect_layers(generator, wide, &rect, &out[1], WIDE));
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            for (int k = 0; k < WIDE * HIGH && out[0].at[layer]; k++)
                if (float_bits(two[layer][k]) != float_bits(scale[layer] * one[layer][k]))
                    fail_msg("sample %d: %s is %a in steps of 2 m, expected %g times %a", k,
                             ter_layer_name((ter_layer)layer), (double)two[layer][k], (double)scale[layer],
                             (double)one[layer][k]);
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    ter_world_destroy(wide);
}

/** Batches of tiles as in a flight: each batch is a little farther on, its tiles lie far apart, and batches alternate
 * between two worlds. Data that a generator caches and evicts changes no sample. */
static void test_calls_in_turn(void **state)
{
    enum { TILES = 5, TILE = 9, SAMPLES = TILES * TILE * TILE };
    static float expected[TER_LAYER_COUNT][SAMPLES], got[TER_LAYER_COUNT][SAMPLES];
    const int rounds = backend_under_test == TER_BACKEND_CUDA ? 80 : 4;
    (void)state;
    ter_world *const worlds[] = {fluvial_world(3), fluvial_world(4)};
    ter_generator *reused = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    float_layers out[2];
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        out[0].at[layer] = expected[layer];
        out[1].at[layer] = got[layer];
    }
    for (int round = 0; round < rounds; round++) {
        const tiles_layout layout = {.width = TILE, .height = TILE, .row_stride = TILE, .slot_stride = TILE * TILE};
        const ter_world *world = worlds[round % 2];
        const int back = round % 7 == 6 ? 5 : 0; /* every seventh batch goes back to an earlier place */
        ter_tile tiles[TILES];
        for (int n = 0; n < TILES; n++) {
            const int64_t x = -1294336 + 1500 * (round - back) + 60000 * n, y = -163840 - 30000 * n;
            tiles[n] = (ter_tile){ter_world_params(world)->levels - n, x >> n, y >> n};
        }
        const size_t count = round % 5 == 4 ? 1 : TILES;
        ter_generator *fresh = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
        assert_ok(fill_tiles_layers(fresh, world, tiles, count, &layout, &out[0]));
        assert_ok(fill_tiles_layers(reused, world, tiles, count, &layout, &out[1]));
        ter_generator_destroy(fresh);
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            assert_memory_equal(got[layer], expected[layer], sizeof got[layer]);
    }
    ter_generator_destroy(reused);
    for (int n = 0; n < 2; n++)
        ter_world_destroy(worlds[n]);
}

/** Points that are scattered over a large or small area and made in one call have the same layers as when each point is
 * made alone, whatever data of the network they share. */
static void test_scattered_points(void **state)
{
    enum { POINTS = 48 };
    static const int64_t sides[] = {2000, 20000, 200000, 4000000}; /* m */
    static float got[TER_LAYER_COUNT][POINTS], expected[TER_LAYER_COUNT];
    static ter_tile tiles[POINTS];
    const tiles_layout layout = {1, 1, 0, 0, NULL};
    uint64_t random = 99;
    float_layers all, one;
    (void)state;
    ter_world *world = fluvial_world(5);
    ter_generator *together = generator_of(TER_METHOD_TILED, 3, TER_SIMD_AUTO),
                  *alone = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        all.at[layer] = got[layer];
        one.at[layer] = &expected[layer];
    }
    for (int lod = 0; lod <= 9; lod++) {
        const int64_t side = sides[lod % 4];
        const size_t count = lod < 6 ? POINTS : POINTS / 4;
        for (size_t n = 0; n < count; n++) {
            const int of = n % 5 == 4 ? lod / 2 : lod; /* some points are of a finer level than the others */
            tiles[n] = (ter_tile){ter_world_params(world)->levels - of,
                                  (places[lod % PLACES][0] + (int64_t)(test_random(&random) % (uint64_t)side)) >> of,
                                  (places[lod % PLACES][1] + (int64_t)(test_random(&random) % (uint64_t)side)) >> of};
        }
        assert_ok(fill_tiles_layers(together, world, tiles, count, &layout, &all));
        for (size_t n = 0; n < count; n++) {
            assert_ok(fill_tiles_layers(alone, world, &tiles[n], 1, &layout, &one));
            for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
                if (float_bits(got[layer][n]) != float_bits(expected[layer]))
                    fail_msg("lod %d, point %zu: %s is %a, expected %a", lod, n, ter_layer_name((ter_layer)layer),
                             (double)got[layer][n], (double)expected[layer]);
        }
    }
    ter_generator_destroy(together);
    ter_generator_destroy(alone);
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many_tiles),
                                       cmocka_unit_test(test_far_arrays),
                                       cmocka_unit_test(test_tiles_side_by_side),
                                       cmocka_unit_test(test_layers_of_water),
                                       cmocka_unit_test(test_metres),
                                       cmocka_unit_test(test_calls_in_turn),
                                       cmocka_unit_test(test_scattered_points)};
    const struct CMUnitTest threads[] = {cmocka_unit_test(test_large_arrays), cmocka_unit_test(test_neighbours)};
    backend_from_arguments(argc, argv);
    const int n_failed = cmocka_run_group_tests(threads, NULL, NULL);
    return CHECKS_THREADS_ONLY ? n_failed : n_failed + cmocka_run_group_tests(tests, NULL, NULL);
}
