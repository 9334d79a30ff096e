/* test_morph.c - morphs on the CPU: the first landscape, the second one, and between them one surface without open edges; the probe
 * sees the same. */
#include "backend_under_test.h"

enum { SIZE = 41, SLOTS = 6, STRIDE = 44, LEVELS = 12 };

/** A tile of 40 quads, its east neighbour, the same neighbour a level coarser, and its own parent. */
static const ter_tile tiles[4] = {{LEVELS, 80, -200}, {LEVELS, 120, -200}, {LEVELS - 1, 60, -100}, {LEVELS - 1, 40, -100}};
static const uint32_t held[4] = {5, 0, 3, 1};

static ter_morph *load(ter_generator *generator, const ter_world *from, const ter_world *to)
{
    ter_morph *morph = NULL;
    assert_ok(ter_morph_create(generator, SLOTS, SIZE, SIZE, &morph));
    assert_ok(ter_morph_load(morph, 0, from, tiles, held, 4, NULL));
    assert_ok(ter_morph_load(morph, 1, to, tiles, held, 4, NULL));
    return morph;
}

static void blend(ter_morph *morph, const ter_blend *b, float *out)
{
    const ter_tile_layout layout = {SIZE, SIZE, STRIDE, SIZE * STRIDE, NULL};
    const ter_morph_tiles all = {LEVELS, tiles, held, 4};
    assert_ok(ter_morph_blend(morph, b, &all, &layout, out, NULL));
}

static void make_worlds(ter_world *worlds[2])
{
    ter_params params;
    ter_params_default(&params);
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
    const ter_tile_layout layout = {SIZE, SIZE, STRIDE, SIZE * STRIDE, NULL};
    for (int end = 0; end < 2; end++) {
        const ter_blend b = {.begun = end ? 1.5 : -0.5};
        memset(out, 0, sizeof out);
        memset(expected, 0, sizeof expected);
        blend(morph, &b, out);
        assert_ok(ter_generator_fill_tiles(generator, worlds[end], tiles, 4, &layout, expected));
        assert_memory_equal(out, expected, sizeof out);
    }
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

/** While a front passes: tiles side by side, and levels one over the other, hold the same bits where they share points. */
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

/** At lattice points the probe gives the blended heights; between levels the mixture. */
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
    assert_ok(ter_probe_create(generator, &probe));
    const ter_probe_point points[3] = {{92, -190, LEVELS, 0}, {92, -190, LEVELS, 0.25f}, {93, -190, LEVELS, 1}};
    assert_ok(ter_probe_ask_blend(probe, worlds[0], worlds[1], &b, points, 3, 9));
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

static void test_bad_arguments(void **state)
{
    (void)state;
    ter_world *worlds[2];
    float out[4 * SIZE * STRIDE];
    make_worlds(worlds);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_morph *morph = NULL;
    assert_int_equal(ter_morph_create(generator, 0, SIZE, SIZE, &morph), TER_EINVAL);
    morph = load(generator, worlds[0], worlds[1]);
    const uint32_t beyond[1] = {SLOTS};
    assert_int_equal(ter_morph_load(morph, 0, worlds[0], tiles, beyond, 1, NULL), TER_EINVAL);
    assert_int_equal(ter_morph_load(morph, 2, worlds[0], tiles, held, 1, NULL), TER_EINVAL);
    const ter_tile_layout other = {SIZE - 1, SIZE, STRIDE, SIZE * STRIDE, NULL};
    const ter_blend b = {.begun = 0.5};
    const ter_morph_tiles one = {LEVELS, tiles, held, 1};
    assert_int_equal(ter_morph_blend(morph, &b, &one, &other, out, NULL), TER_EINVAL);
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(worlds[0]);
    ter_world_destroy(worlds[1]);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ends), cmocka_unit_test(test_edges),
                                       cmocka_unit_test(test_probe_follows), cmocka_unit_test(test_bad_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
