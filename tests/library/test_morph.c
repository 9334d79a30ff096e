/* test_morph.c - a morph on the CPU begins with the first landscape and ends with the second one. Between them its
 * surface has no open edges. Probes return the same heights. */
#include "backend_under_test.h"
#include "short_calls.h"

#include <math.h>
#include <stdbool.h>

enum { SIZE = 41, SLOTS = 6, STRIDE = 44, LEVELS = 12 };

/** A tile of 40 quads, its east neighbour, and two tiles of the next coarser level: one that begins at the same point
 * as the neighbour, and one that begins at the same point as the tile. */
static const ter_tile tiles[4] = {
    {LEVELS, 80, -200}, {LEVELS, 120, -200}, {LEVELS - 1, 60, -100}, {LEVELS - 1, 40, -100}};
static const uint32_t held[4] = {5, 0, 3, 1};

static ter_morph *load(ter_generator *generator, const ter_world *from, const ter_world *to)
{
    ter_morph *morph = NULL;
    assert_ok(create_morph(generator, SLOTS, SIZE, 0, &morph));
    assert_ok(load_morph(morph, 0, from, tiles, held, 4));
    assert_ok(load_morph(morph, 1, to, tiles, held, 4));
    return morph;
}

static void blend(ter_morph *morph, const ter_blend *b, float *out)
{
    const tiles_layout layout = {SIZE, SIZE, STRIDE, SIZE * STRIDE, NULL};
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), LEVELS, tiles, held, 4};
    assert_ok(blend_morph(morph, b, &all, &layout, out));
}

static void make_worlds(ter_world *worlds[2])
{
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    params.levels = LEVELS;
    for (int n = 0; n < 2; n++) {
        params.seed = 77 + (uint64_t)n;
        worlds[n] = world_of(&params);
    }
}

static void test_ends(void **state)
{
    (void)state;
    ter_world *worlds[2];
    static float out[4 * SIZE * STRIDE], expected[4 * SIZE * STRIDE];
    make_worlds(worlds);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_morph *morph = load(generator, worlds[0], worlds[1]);
    const tiles_layout layout = {SIZE, SIZE, STRIDE, SIZE * STRIDE, NULL};
    for (int end = 0; end < 2; end++) {
        const ter_blend b = {.begun = end ? 1.5 : -0.5};
        memset(out, 0, sizeof out);
        memset(expected, 0, sizeof expected);
        blend(morph, &b, out);
        assert_ok(fill_tiles_heights(generator, worlds[end], tiles, 4, &layout, expected));
        assert_memory_equal(out, expected, sizeof out);
    }
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** The front of a morph moves over the land. A tile that it has not yet reached, or has passed, has the bits of one
 * landscape. A tile in phase TER_BLEND_WITHIN has blended points. */
static void test_phases(void **state)
{
    (void)state;
    ter_world *worlds[2];
    static float out[4 * SIZE * STRIDE], ends[2][4 * SIZE * STRIDE];
    int n_phases[3] = {0}, n_between = 0;
    make_worlds(worlds);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_morph *morph = load(generator, worlds[0], worlds[1]);
    const tiles_layout layout = {SIZE, SIZE, STRIDE, SIZE * STRIDE, NULL};
    for (int end = 0; end < 2; end++)
        assert_ok(fill_tiles_heights(generator, worlds[end], tiles, 4, &layout, ends[end]));
    for (int n = 0; n < 400; n++) {
        const double angle = 0.7 * n, along = ldexp(1.0, -(n % 13));
        const ter_blend b = {.x = 117 - n % 7,
                             .z = -178 + n % 5,
                             .along_x = along * cos(angle),
                             .along_z = along * sin(angle),
                             .begun = 0.5 + along * (double)(n % 90 - 45) * 8.0};
        blend(morph, &b, out);
        for (int t = 0; t < 4; t++) {
            const ter_rect rect = {tiles[t].level, tiles[t].i, tiles[t].j, SIZE, SIZE};
            ter_blend_phase phase;
            assert_ok(ter_blend_phase_over(&b, LEVELS, &rect, &phase));
            n_phases[phase]++;
            bool is_between = false;
            for (int row = 0; row < SIZE; row++) {
                const size_t at = (size_t)(t * SIZE + row) * STRIDE;
                if (phase != TER_BLEND_WITHIN)
                    assert_memory_equal(out + at, ends[phase == TER_BLEND_AFTER] + at, SIZE * sizeof out[0]);
                for (int end = 0; end < 2; end++)
                    is_between |=
                        memcmp(out + at, ends[end] + at, SIZE * sizeof out[0]) != 0 && phase == TER_BLEND_WITHIN;
            }
            n_between += is_between;
        }
    }
    assert_true(n_phases[TER_BLEND_BEFORE] > 100 && n_phases[TER_BLEND_AFTER] > 100 &&
                n_phases[TER_BLEND_WITHIN] > 100);
    assert_int_equal(n_between, n_phases[TER_BLEND_WITHIN]);
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** While a front passes, neighbouring tiles and levels have the same bits at their common points. */
static void test_edges(void **state)
{
    (void)state;
    ter_world *worlds[2];
    static float out[4][SIZE][STRIDE];
    int n_between = 0;
    make_worlds(worlds);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_morph *morph = load(generator, worlds[0], worlds[1]);
    for (int step = 0; step <= 10; step++) {
        const ter_blend b = {.x = 100, .z = -180, .along_x = 0.013, .along_z = -0.007, .begun = 0.1 * step};
        blend(morph, &b, &out[0][0][0]);
        for (int n = 0; n < SIZE; n++)
            assert_int_equal(float_bits(out[0][n][SIZE - 1]), float_bits(out[1][n][0]));
        for (int row = 0; row < SIZE; row += 2)
            for (int column = 0; column < SIZE; column += 2) {
                assert_int_equal(float_bits(out[0][row][column]), float_bits(out[3][row / 2][column / 2]));
                assert_int_equal(float_bits(out[1][row][column]), float_bits(out[2][row / 2][column / 2]));
            }
        const double share = ter_blend_at(&b, 80 + 7, -200 + 9);
        float heights[2];
        for (int n = 0; n < 2; n++)
            assert_ok(ter_world_height(worlds[n], LEVELS, 80 + 7, -200 + 9, &heights[n]));
        const double expected = (double)heights[0] + share * ((double)heights[1] - (double)heights[0]);
        assert_true((double)out[0][9][7] - expected < 1e-3 && (double)out[0][9][7] - expected > -1e-3);
        n_between += share > 0.0 && share < 1.0;
    }
    assert_true(n_between > 3);
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** At lattice points a probe returns the blended heights. Between two levels it returns their mixture. */
static void test_probe_follows(void **state)
{
    (void)state;
    ter_world *worlds[2];
    static float out[4][SIZE][STRIDE];
    float heights[TER_PROBE_POINTS_MAX];
    uint64_t ticket;
    int count;
    make_worlds(worlds);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_morph *morph = load(generator, worlds[0], worlds[1]);
    const ter_blend b = {.x = 100, .z = -180, .along_x = 0.013, .begun = 0.5};
    blend(morph, &b, &out[0][0][0]);
    ter_probe *probe = NULL;
    assert_ok(ter_probe_create(generator, NULL, &probe));
    const ter_probe_point points[3] = {{92, -190, LEVELS, 0}, {92, -190, LEVELS, 0.25f}, {93, -190, LEVELS, 1}};
    assert_ok(ask_blend(probe, worlds[0], worlds[1], &b, points, 3, 9));
    assert_ok(ter_probe_answer(probe, &ticket, &count, heights));
    assert_int_equal(count, 3);
    assert_int_equal(float_bits(heights[0]), float_bits(out[0][10][12]));
    assert_int_equal(float_bits(heights[1]), float_bits(out[0][10][12])); /* a point of both levels */
    assert_int_equal(float_bits(heights[2]), float_bits(out[3][5][6] + 0.5f * (out[3][5][7] - out[3][5][6])));
    const ter_probe_point bad = {92, -190, 0, 0.5f};
    assert_int_equal(ter_probe_ask(probe, worlds[0], &bad, 1, 1), TER_EINVAL);
    ter_probe_destroy(probe);
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

enum { LAKE_X = -999852, LAKE_Z = 1950816, LAKE_LEVELS = 20 };

/** A world with a lake, or a dry one. */
static ter_world *lake_or_dry(int is_dry)
{
    ter_params params;
    ter_params_default(&params);
    params.levels = LAKE_LEVELS;
    params.basis = is_dry ? TER_BASIS_SMOOTH : TER_BASIS_FLUVIAL;
    if (is_dry)
        return world_of(&params);
    params.seed = 1;
    params.land = params.ice = 0.6;
    params.relief = 1.0;
    params.uplift = params.hills = params.plateau = params.dryness = params.sea = 0.0;
    return world_of(&params);
}

/** A tile of 40 quads over the lake's shore, its east neighbour, and its parent. */
static const ter_tile lake_tiles[3] = {{LAKE_LEVELS, LAKE_X - 80, LAKE_Z + 160},
                                       {LAKE_LEVELS, LAKE_X - 40, LAKE_Z + 160},
                                       {LAKE_LEVELS - 1, (LAKE_X - 80) / 2, (LAKE_Z + 160) / 2}};

static bool is_dry(float water)
{
    return water != water;
}

/** In a morph to dry land the water of a lake sinks. At the ends of the morph the water layer is that of the worlds.
 * Between them water is only over the lake, lies above the ground, and has the same bits in neighbouring tiles and
 * levels. */
static void test_water(void **state)
{
    (void)state;
    static float ground[3][SIZE][SIZE], water[3][SIZE][SIZE], before[3][SIZE][SIZE], lake[3][SIZE][SIZE];
    const float_layers out = {.at = {[TER_LAYER_HEIGHT] = &ground[0][0][0], [TER_LAYER_WATER] = &water[0][0][0]}};
    const float_layers expected = {.at = {[TER_LAYER_HEIGHT] = &before[0][0][0], [TER_LAYER_WATER] = &lake[0][0][0]}};
    const tiles_layout packed = {SIZE, SIZE, SIZE, SIZE * SIZE, NULL};
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), LAKE_LEVELS, lake_tiles, held, 3};
    ter_world *worlds[2] = {lake_or_dry(0), lake_or_dry(1)};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_morph *morph = NULL;
    assert_ok(create_morph(generator, SLOTS, SIZE, 0, &morph));
    ter_blend b = {.x = LAKE_X, .z = LAKE_Z};
    assert_int_equal(blend_morph_layers(morph, &b, &all, &packed, &out), TER_EINVAL); /* a morph of heights only */
    ter_morph_destroy(morph);
    assert_ok(create_morph(generator, SLOTS, SIZE, 1, &morph));
    for (int n = 0; n < 2; n++)
        assert_ok(load_morph(morph, n, worlds[n], lake_tiles, held, 3));
    assert_ok(fill_tiles_layers(generator, worlds[0], lake_tiles, 3, &packed, &expected));
    assert_ok(blend_morph_layers(morph, &b, &all, &packed, &out));
    assert_memory_equal(ground, before, sizeof ground);
    assert_memory_equal(water, lake, sizeof water);
    int n_wet = 0, n_dry = 0;
    b.begun = 0.4;
    b.along_x = 0.002;
    assert_ok(blend_morph_layers(morph, &b, &all, &packed, &out));
    for (int n = 0; n < 3 * SIZE * SIZE; n++) {
        const float w = (&water[0][0][0])[n], g = (&ground[0][0][0])[n], was = (&lake[0][0][0])[n];
        assert_int_equal(is_dry(w), is_dry(was));
        n_dry += is_dry(w);
        n_wet += !is_dry(w);
        assert_true(is_dry(w) || (w > g && w - g < was - (&before[0][0][0])[n]));
    }
    assert_true(n_wet > 100 && n_dry > 100);
    for (int n = 0; n < SIZE; n++)
        assert_int_equal(float_bits(water[0][n][SIZE - 1]), float_bits(water[1][n][0]));
    for (int row = 0; row < SIZE; row += 2)
        for (int column = 0; column < SIZE; column += 2)
            assert_int_equal(float_bits(water[0][row][column]), float_bits(water[2][row / 2][column / 2]));
    b.begun = 1.5;
    assert_ok(blend_morph_layers(morph, &b, &all, &packed, &out));
    for (int n = 0; n < 3 * SIZE * SIZE; n++)
        assert_true(is_dry((&water[0][0][0])[n]));
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** Load the tiles over the lake from memory. */
static ter_status load_made_tiles(ter_morph *morph, int landscape, const ter_world *world, const tiles_layout *layout,
                                  const float_layers *layers)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_target made = target_of_layout(layout, layers, outputs);
    ter_morph_source source = source_of_tiles(landscape, world, NULL, held, 3);
    source.made = &made;
    return ter_morph_load(morph, &source);
}

/** Tiles loaded from memory, in any layout, have the same heights and water as tiles that the load itself makes. */
static void test_take(void **state)
{
    (void)state;
    static float made[TER_LAYER_WATER + 1][5][SIZE][STRIDE], ground[2][3][SIZE][SIZE], water[2][3][SIZE][SIZE];
    const uint32_t slots[3] = {4, 0, 2};
    const tiles_layout layout = {SIZE, SIZE, STRIDE, SIZE * STRIDE, slots}, packed = {SIZE, SIZE, 0, 0, NULL};
    const float_layers in = {.at = {[TER_LAYER_HEIGHT] = &made[TER_LAYER_HEIGHT][0][0][0],
                                    [TER_LAYER_WATER] = &made[TER_LAYER_WATER][0][0][0]}};
    const float_layers heights = {.at = {[TER_LAYER_HEIGHT] = in.at[TER_LAYER_HEIGHT]}};
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), LAKE_LEVELS, lake_tiles, held, 3};
    const ter_blend b = {.x = LAKE_X, .z = LAKE_Z, .along_x = 0.002, .begun = 0.4};
    ter_world *worlds[2] = {lake_or_dry(0), lake_or_dry(1)};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO),
                  *second = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (int is_from_memory = 0; is_from_memory < 2; is_from_memory++) {
        const float_layers out = {.at = {[TER_LAYER_HEIGHT] = &ground[is_from_memory][0][0][0],
                                         [TER_LAYER_WATER] = &water[is_from_memory][0][0][0]}};
        ter_morph *morph = NULL;
        assert_ok(create_morph(generator, SLOTS, SIZE, 1, &morph));
        for (int n = 0; n < 2; n++) {
            ter_morph_source source = source_of_tiles(n, worlds[is_from_memory ? !n : n], lake_tiles, held, 3);
            source.generator = is_from_memory ? second : generator;
            assert_ok(ter_morph_load(morph, &source));
        }
        if (is_from_memory) {
            assert_ok(fill_tiles_layers(generator, worlds[0], lake_tiles, 3, &layout, &in));
            assert_int_equal(load_made_tiles(morph, 0, worlds[0], &(tiles_layout){SIZE, SIZE, SIZE - 1, 0, slots}, &in),
                             TER_EINVAL);
            assert_int_equal(load_made_tiles(morph, 2, worlds[0], &layout, &in), TER_EINVAL);
            assert_int_equal(load_made_tiles(morph, 0, worlds[0], &layout, &heights), TER_EINVAL);
            assert_ok(load_made_tiles(morph, 0, worlds[0], &layout, &in));
            assert_ok(fill_tiles_heights(generator, worlds[1], lake_tiles, 3, &layout, in.at[TER_LAYER_HEIGHT]));
            assert_ok(load_made_tiles(morph, 1, worlds[1], &layout, &heights));
        }
        assert_ok(blend_morph_layers(morph, &b, &all, &packed, &out));
        ter_morph_destroy(morph);
    }
    assert_memory_equal(ground[0], ground[1], sizeof ground[0]);
    assert_memory_equal(water[0], water[1], sizeof water[0]);
    ter_generator_destroy(second);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** Over land with a lake a probe returns the heights of the ground; with is_over_water it returns those of the water
 * surface. */
static void test_probe_over_water(void **state)
{
    (void)state;
    static float ground[SIZE][SIZE], water[SIZE][SIZE];
    const float_layers layers = {.at = {[TER_LAYER_HEIGHT] = &ground[0][0], [TER_LAYER_WATER] = &water[0][0]}};
    const tiles_layout packed = {SIZE, SIZE, SIZE, SIZE * SIZE, NULL};
    ter_world *world = lake_or_dry(0);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    assert_ok(fill_tiles_layers(generator, world, &lake_tiles[1], 1, &packed, &layers));
    for (int is_over_water = 0; is_over_water < 2; is_over_water++) {
        float heights[TER_PROBE_POINTS_MAX];
        uint64_t ticket;
        int count = 0, n_lifted = 0;
        ter_probe_point points[SIZE];
        ter_probe *probe = NULL;
        const ter_probe_options options = {TER_SIZED(ter_probe_options), is_over_water};
        assert_ok(ter_probe_create(generator, &options, &probe));
        for (int n = 0; n < SIZE; n++)
            points[n] = (ter_probe_point){(double)LAKE_X, (double)lake_tiles[1].j + n, LAKE_LEVELS, 0.0f};
        assert_ok(ter_probe_ask(probe, world, points, SIZE, 1));
        while (count == 0)
            assert_ok(ter_probe_answer(probe, &ticket, &count, heights));
        for (int n = 0; n < SIZE; n++) {
            const bool is_wet = !is_dry(water[n][SIZE - 1]);
            n_lifted += is_wet;
            assert_int_equal(float_bits(heights[n]),
                             float_bits(is_over_water && is_wet ? water[n][SIZE - 1] : ground[n][SIZE - 1]));
        }
        assert_true(n_lifted > 0 && n_lifted < SIZE);
        ter_probe_destroy(probe);
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    ter_world *worlds[2];
    float out[4 * SIZE * STRIDE];
    make_worlds(worlds);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_morph *morph = NULL;
    assert_int_equal(create_morph(generator, 0, SIZE, 0, &morph), TER_EINVAL);
    morph = load(generator, worlds[0], worlds[1]);
    const uint32_t beyond[1] = {SLOTS};
    assert_int_equal(load_morph(morph, 0, worlds[0], tiles, beyond, 1), TER_EINVAL);
    assert_int_equal(load_morph(morph, 2, worlds[0], tiles, held, 1), TER_EINVAL);
    const tiles_layout other = {SIZE, SIZE, SIZE - 1, SIZE * STRIDE, NULL};
    const ter_blend b = {.begun = 0.5};
    const ter_morph_tiles one = {TER_SIZED(ter_morph_tiles), LEVELS, tiles, held, 1};
    assert_int_equal(blend_morph(morph, &b, &one, &other, out), TER_EINVAL);
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends),
                                       cmocka_unit_test(test_phases),
                                       cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_probe_follows),
                                       cmocka_unit_test(test_water),
                                       cmocka_unit_test(test_take),
                                       cmocka_unit_test(test_probe_over_water),
                                       cmocka_unit_test(test_bad_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
