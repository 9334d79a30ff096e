/* test_fluvial_probe.c - statistics and probes of basis fluvial have the values of filled heights, at every level of
 * detail, for worlds that are created and destroyed, and in morphs from one basis to another. */
#include "backend_under_test.h"
#include "short_calls.h"

#include <math.h>

enum { SIDE = 70, LEVELS = 20, BINS = 16 };

/** x, z: alps with lakes, a coast, and a place far away. */
static const int64_t places[][2] = {{-1280512, -155136}, {523264, -1312768}, {-(INT64_C(1) << 45), INT64_C(1) << 45}};
enum { PLACES = sizeof places / sizeof places[0] };

static ter_world *world_with(ter_basis basis, uint64_t seed, int levels)
{
    ter_params params;
    ter_params_default(&params);
    params.basis = basis;
    params.seed = seed;
    params.levels = levels;
    return world_of(&params);
}

static void assert_same_statistics(ter_generator *generator, const ter_world *world, const ter_rect *rect)
{
    static float heights[SIDE * SIDE];
    const float lo = -100.0f, hi = 2000.0f;
    uint64_t counts[BINS], expected[BINS] = {0};
    const ter_histogram wanted = {TER_SIZED(ter_histogram), .lo = lo, .hi = hi, .bins = BINS, .counts = counts};
    ter_statistics got = {TER_SIZED(ter_statistics)};
    double sum = 0.0;
    float min = INFINITY, max = -INFINITY;
    assert_ok(fill_rect_heights(generator, world, rect, heights, (size_t)rect->width));
    assert_ok(ter_generator_statistics(generator, world, rect, &wanted, &got));
    const int count = (int)(rect->width * rect->height);
    for (int n = 0; n < count; n++) {
        const int bin = (int)floorf((heights[n] - lo) * ((float)BINS / (hi - lo)));
        expected[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
        sum += (double)heights[n];
        min = fminf(min, heights[n]);
        max = fmaxf(max, heights[n]);
    }
    assert_int_equal(got.count, count);
    assert_int_equal(float_bits(got.min_m), float_bits(min));
    assert_int_equal(float_bits(got.max_m), float_bits(max));
    if (!(fabs(got.mean_m - sum / count) < 1e-6 * (1.0 + fabs(sum / count))))
        fail_msg("mean %.17g, expected %.17g", got.mean_m, sum / count);
    assert_memory_equal(counts, expected, sizeof counts);
}

static void test_statistics(void **state)
{
    static const int lods[] = {0, 3, 9, 13};
    (void)state;
    ter_world *world = world_with(TER_BASIS_FLUVIAL, 1, LEVELS);
    for (int threads = 1; threads <= 3; threads += 2) {
        ter_generator *generator = generator_of(TER_METHOD_TILED, threads, TER_SIMD_AUTO);
        for (size_t n = 0; n < sizeof lods / sizeof lods[0]; n++) {
            const int lod = lods[n], side = lod < 9 ? SIDE : 20 - lod;
            const int64_t *place = places[n % PLACES];
            const ter_rect rect = {LEVELS - lod, place[0] >> lod, place[1] >> lod, side, side - 3};
            assert_same_statistics(generator, world, &rect);
        }
        ter_generator_destroy(generator);
    }
    ter_world_destroy(world);
}

/** Query places, and wait for the answer. */
static void ask(ter_probe *probe, const ter_world *const worlds[2], const ter_blend *blend,
                const ter_probe_point *points, int count, float *heights)
{
    static uint64_t asked = 0;
    uint64_t ticket = 0;
    int n = 0;
    asked++;
    if (blend)
        assert_ok(ask_blend(probe, worlds[0], worlds[1], blend, points, count, asked));
    else
        assert_ok(ter_probe_ask(probe, worlds[0], points, count, asked));
    while (ticket != asked || n == 0)
        assert_ok(ter_probe_answer(probe, &ticket, &n, heights));
    assert_int_equal(n, count);
}

/** Height of a place, interpolated between the corners of its cell, which a fill of 2 x 2 points makes. With `blend`
 * the corners of both worlds are blended first. */
static float cell_height(ter_generator *generator, const ter_world *const worlds[2], const ter_blend *blend, int level,
                         double x, double z)
{
    const int levels = ter_world_params(worlds[0])->levels;
    const double step = ldexp(1.0, levels - level);
    const double i = floor(x / step), j = floor(z / step);
    float corner[2][4];
    for (int n = 0; n < (blend ? 2 : 1); n++) {
        const int shift = ter_world_params(worlds[n])->levels - levels;
        const ter_rect rect = {level + shift, (int64_t)i, (int64_t)j, 2, 2};
        assert_ok(fill_rect_heights(generator, worlds[n], &rect, corner[n], 2));
    }
    for (int n = 0; n < 4 && blend; n++) {
        const float share = (float)ter_blend_at(blend, (i + (double)(n & 1)) * step, (j + (double)(n >> 1)) * step);
        corner[0][n] = share >= 1.0f ? corner[1][n] : fmaf(share, corner[1][n] - corner[0][n], corner[0][n]);
    }
    const float a = (float)(x / step - i), b = (float)(z / step - j);
    const float north = fmaf(a, corner[0][1] - corner[0][0], corner[0][0]),
                south = fmaf(a, corner[0][3] - corner[0][2], corner[0][2]);
    return fmaf(b, south - north, north);
}

/** Query places on corners of cells and between them, at several levels and at mixtures of two levels. Query them again
 * in reverse order. */
static void assert_probe_follows(ter_generator *generator, ter_probe *probe, const ter_world *const worlds[2],
                                 const ter_blend *blend, const int64_t place[2])
{
    enum { COUNT = 12 };
    static const int lods[COUNT] = {0, 0, 0, 1, 2, 3, 3, 4, 6, 9, 11, 13};
    ter_probe_point points[COUNT], reversed[COUNT];
    float heights[COUNT], again[COUNT];
    const int levels = ter_world_params(worlds[0])->levels;
    for (int n = 0; n < COUNT; n++) {
        points[n] = (ter_probe_point){(double)place[0] + 61.25 * n, (double)place[1] - 8.5 * n * n, levels - lods[n],
                                      n % 3 == 1 ? 0.25f : 0.0f};
        reversed[COUNT - 1 - n] = points[n];
    }
    ask(probe, worlds, blend, points, COUNT, heights);
    ask(probe, worlds, blend, reversed, COUNT, again);
    for (int n = 0; n < COUNT; n++) {
        float expected = cell_height(generator, worlds, blend, points[n].level, points[n].x, points[n].z);
        if (points[n].coarser > 0.0f) {
            const float coarse = cell_height(generator, worlds, blend, points[n].level - 1, points[n].x, points[n].z);
            expected = fmaf(points[n].coarser, coarse - expected, expected);
        }
        if (float_bits(heights[n]) != float_bits(expected) || float_bits(again[COUNT - 1 - n]) != float_bits(expected))
            fail_msg("level %d, %g, %g: probe %a and %a, expected %a", points[n].level, points[n].x, points[n].z,
                     (double)heights[n], (double)again[COUNT - 1 - n], (double)expected);
    }
}

static void test_probe(void **state)
{
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_probe *probe = NULL;
    assert_ok(ter_probe_create(generator, NULL, &probe));
    ter_world *world = world_with(TER_BASIS_FLUVIAL, 1, LEVELS);
    const ter_world *const worlds[2] = {world, NULL};
    for (int n = 0; n < PLACES; n++)
        assert_probe_follows(generator, probe, worlds, NULL, places[n]);
    ter_world_destroy(world);
    ter_probe_destroy(probe);
    ter_generator_destroy(generator);
}

/** A freed world and a new world, often at the same address, are not confused, whether they differ in seed, another
 * parameter or number of levels. */
static void test_worlds_in_turn(void **state)
{
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_probe *probe = NULL;
    assert_ok(ter_probe_create(generator, NULL, &probe));
    for (int n = 0; n < 6; n++) {
        ter_params params;
        ter_params_default(&params);
        params.basis = TER_BASIS_FLUVIAL;
        params.levels = n == 4 ? LEVELS - 2 : LEVELS;
        params.seed = n == 1 ? UINT64_C(1) << 40 : 1;
        params.relief = n == 2 ? 1.5 : 1.0;
        params.sea = n == 3 ? 700.0 : 0.0;
        ter_world *world = world_of(&params);
        const ter_world *const worlds[2] = {world, NULL};
        const ter_probe_point points[2] = {{-1294336.5, -163840.25, LEVELS - 2, 0},
                                           {-1280512, -155136, LEVELS - 5, 0.5f}};
        float heights[2];
        ask(probe, worlds, NULL, points, 2, heights);
        const float expected = cell_height(generator, worlds, NULL, points[0].level, points[0].x, points[0].z);
        assert_int_equal(float_bits(heights[0]), float_bits(expected));
        ter_world_destroy(world);
    }
    ter_probe_destroy(probe);
    ter_generator_destroy(generator);
}

/** Morphs from smooth to fluvial and back, between two fluvial worlds, and between different numbers of levels. */
static void test_morph(void **state)
{
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_probe *probe = NULL;
    assert_ok(ter_probe_create(generator, NULL, &probe));
    ter_world *smooth = world_with(TER_BASIS_SMOOTH, 1, LEVELS), *fluvial = world_with(TER_BASIS_FLUVIAL, 1, LEVELS);
    ter_world *second = world_with(TER_BASIS_FLUVIAL, 2, LEVELS - 2);
    const ter_world *const morphs[][2] = {{smooth, fluvial}, {fluvial, smooth}, {fluvial, second}, {second, smooth}};
    for (size_t n = 0; n < sizeof morphs / sizeof morphs[0]; n++)
        for (int step = 0; step <= 2; step++) {
            const ter_blend blend = {.x = places[0][0], .z = places[0][1], .along_x = 0.0007, .begun = 0.5 * step};
            assert_probe_follows(generator, probe, morphs[n], &blend, places[0]);
        }
    ter_world_destroy(smooth);
    ter_world_destroy(fluvial);
    ter_world_destroy(second);
    ter_probe_destroy(probe);
    ter_generator_destroy(generator);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_statistics), cmocka_unit_test(test_probe),
                                       cmocka_unit_test(test_worlds_in_turn), cmocka_unit_test(test_morph)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
