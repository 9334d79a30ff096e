/* test_craters.c - craters have the sizes, ages and shapes of the definition, and nowhere a step: neither at borders of
 * cells, nor where a younger crater covers an older one. Samples of all levels of detail agree. */
#include "backend_under_test.h"
#include "short_calls.h"

#include <math.h>

#include "library/core/quantise.h"
#include "library/fractal/crater.h"
#include "library/world/world.h"

static ter_world *cratered(double craters, double maria)
{
    ter_params p;
    ter_params_default(&p);
    p.seed = 3;
    p.basis = TER_BASIS_SMOOTH;
    p.amplitude = 1500.0;
    p.gain = 0.4;
    p.broad = 4;
    p.base = 0.0;
    p.valley = 0.0;
    p.craters = craters;
    p.maria = maria;
    return world_of(&p);
}

enum { SIZES = 4 };

/** Count the craters of an octave in `side` x `side` cells. counts[k]: those of more than 2^m * 2^(k / 4) lattice steps
 */
static void count_octave(const ter_world *world, int m, int side, int counts[SIZES])
{
    static const float sizes[SIZES] = {1.0f, 1.189207f, 1.414214f, 1.681793f};
    for (int k = 0; k < SIZES; k++)
        counts[k] = 0;
    for (int n = 0; n < side * side; n++) {
        const ter_words words = ter_random_block(&world->field, TER_CRATER_TAG + m, n % side, n / side);
        for (int c = 0; c < TER_CRATERS_A_CELL; c++) {
            ter_crater crater;
            if (!ter_crater_find(m, words.w[2 * c], words.w[2 * c + 1], &crater) ||
                !ter_crater_make(m, words.w[2 * c], words.w[2 * c + 1], world->field.craters.age, &crater))
                continue;
            for (int k = 0; k < SIZES; k++)
                counts[k] += 2.0f / sqrtf(crater.per_area) >= sizes[k];
        }
    }
}

static void assert_near(const char *what, double got, double expected, double share)
{
    if (!(fabs(got - expected) <= share * expected))
        fail_msg("%s is %g, expected %g within %g %%", what, got, expected, 100.0 * share);
}

/** In equilibrium a surface of D^2 has 0.0547 craters of D to 2 D, and within the octave N(>D) ~ D^-2. */
static void test_equilibrium(void **state)
{
    (void)state;
    ter_world *world = cratered(1.0, 0.0);
    enum { SIDE = 200 };
    for (int m = TER_CRATER_FIRST; m <= TER_CRATER_LAST; m += 7) {
        int counts[SIZES];
        count_octave(world, m, SIDE, counts);
        const double per_area = 1.0 / (16.0 * SIDE * SIDE), all = 0.0546875 / 0.75;
        for (int k = 0; k < SIZES; k++)
            assert_near("density of craters", counts[k] * per_area, all * (pow(2.0, -0.5 * k) - 0.25), 0.04);
    }
    ter_world_destroy(world);
}

/** Craters larger than the surface's age are as many as have formed since: N(>D) ~ D^-3. */
static void test_production(void **state)
{
    (void)state;
    ter_world *world = cratered(0.35, 0.0); /* 482 lattice steps */
    enum { SIDE = 400 };
    int counts[TER_CRATER_LAST + 1][SIZES];
    for (int m = 5; m <= 13; m++)
        count_octave(world, m, SIDE, counts[m]);
    assert_near("craters of 32 to 64 and of 64 to 128, per cell", counts[6][0], counts[5][0], 0.03);
    for (int m = 10; m <= 13; m++) {
        /* a candidate of diameter D exists with probability age / D; the mean of 1 / D over D^-3 dD is 7 / 9 */
        const double share = 0.35 * 0.35 * 0.35 * 0.35 * 0.35 * 0.35 * 262144.0 * 7.0 / 9.0 / (1 << m);
        assert_near("craters larger than the age", counts[m][0], 0.875 * SIDE * SIDE * share, 0.06);
    }
    ter_world_destroy(world);
}

/** A crater of octave m. wear: 0 fresh .. 28671 worn away */
static ter_crater crater_of(int m, uint32_t wear)
{
    ter_crater c;
    assert_true(ter_crater_find(m, 0, wear << 16, &c));
    assert_true(ter_crater_make(m, 0, wear << 16, 1e9f, &c));
    for (int n = 0; n < 4; n++)
        c.outline[n] = c.hummocks[n] = 0.0f;
    return c;
}

/** Height at r radii from the centre of a crater of octave m. */
static float height_at(const ter_crater *c, float r)
{
    return ter_crater_at(c, 0.5f * r, 0.0f).height;
}

static float highest(const ter_crater *c)
{
    float most = -1e9f;
    for (int n = 0; n <= 300; n++)
        most = fmaxf(most, height_at(c, (float)n * 0.01f));
    return most;
}

/** Depths and rims of fresh craters are those of Pike 1977; craters wear, and large ones have flat floors and peaks. */
static void test_shapes(void **state)
{
    (void)state;
    for (int m = 4; m <= 13; m += 3) {
        const ter_crater fresh = crater_of(m, 0), old = crater_of(m, 28000);
        const double d = (double)(1 << m);
        const double deep = m < 10 ? 0.13 : m < 13 ? 0.1825 : 0.2; /* small craters are shallower */
        assert_near("depth of a fresh bowl", (double)(highest(&fresh) - height_at(&fresh, 0.0f)) / d, deep, 0.05);
        assert_near("rim of a fresh bowl", (double)highest(&fresh) / d, 0.18 * deep, 0.1);
        assert_true(highest(&old) - height_at(&old, 0.0f) < (m < 13 ? 0.25 : 0.42) * deep * d);
        float steepest = 0.0f;
        for (int n = 1; n < 100; n++)
            steepest =
                fmaxf(steepest, (height_at(&fresh, 0.01f * (float)(n + 1)) - height_at(&fresh, 0.01f * (float)n)) /
                                    (0.005f * (float)d));
        assert_true(steepest < tanf(35.0f * 0.0174532925f)); /* loose ground slides on steeper walls */
    }
    const ter_crater large = crater_of(15, 0), larger = crater_of(17, 0); /* 33 and 131 km */
    assert_near("depth of 33 km", (double)(highest(&large) - height_at(&large, 0.4f)), 2980.0, 0.05);
    assert_true(height_at(&large, 0.0f) > height_at(&large, 0.3f) + 500.0f);        /* the peak */
    assert_true(fabsf(height_at(&large, 0.3f) - height_at(&large, 0.45f)) < 60.0f); /* the floor */
    assert_near("depth of 131 km", (double)(highest(&larger) - height_at(&larger, 0.4f)), 4530.0, 0.05);
    for (int n = 11; n <= 15; n++) { /* ejecta ~ r^-3, times a fade towards their end */
        const float r = 0.1f * (float)n, fade = 0.25f * (TER_CRATER_END - r * r);
        assert_near("ejecta", (double)height_at(&large, r), (double)(large.rim * fade * fade / (r * r * r)), 0.06);
    }
}

static float sample(const ter_world *world, int lod, int64_t i, int64_t j)
{
    float height;
    assert_ok(ter_world_height(world, ter_world_params(world)->levels - lod, i, j, &height));
    return height;
}

/** Samples 1/16 lattice step apart differ by less than a slope of 75 degrees. */
static void test_steps(void **state)
{
    (void)state;
    ter_world *worlds[] = {cratered(1.0, 0.0), cratered(0.9, 0.45)};
    for (int w = 0; w < 2; w++) {
        for (int n = 0; n < 1500; n++) { /* across the common border of cells of all octaves */
            const int64_t border = ((int64_t)(n % 5) - 2) * (1 << 23), along = (int64_t)n * 27077;
            const float west = sample(worlds[w], -4, border - 1, along), east = sample(worlds[w], -4, border, along);
            assert_true(fabsf(east - west) < 0.24f);
        }
        float before = sample(worlds[w], -4, 0, 7777);
        for (int n = 1; n < 12000; n++) { /* along a line, point by point */
            const float height = sample(worlds[w], -4, n, 7777);
            assert_true(fabsf(height - before) < 0.24f);
            before = height;
        }
        ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
        static float heights[512 * 512];
        for (int lod = -4; lod <= 4; lod += 4) {
            const int level = ter_world_params(worlds[w])->levels - lod;
            const ter_rect rect = {level, 40000 * w - 123456, 654321, 512, 512};
            assert_ok(fill_rect_heights(generator, worlds[w], &rect, heights, 512));
            float most = 0.0f;
            for (int k = 0; k < 511 * 512; k++)
                most = fmaxf(most, fmaxf(fabsf(heights[k + 512] - heights[k]),
                                         k % 512 < 511 ? fabsf(heights[k + 1] - heights[k]) : 0.0f));
            assert_true(most < ldexpf(3.7f, lod));
            assert_true(most > ldexpf(0.1f, lod));
        }
        ter_generator_destroy(generator);
        ter_world_destroy(worlds[w]);
    }
}

/** A sample has the same height at all levels of detail. */
static void test_levels(void **state)
{
    (void)state;
    ter_world *world = cratered(0.9, 0.45);
    for (int n = 0; n < 40; n++) {
        const int64_t i = n * 77 - 1000, j = 3 * n + 5;
        const float coarse = sample(world, 11, i, j);
        for (int lod = -4; lod < 11; lod += 5)
            assert_int_equal(float_bits(sample(world, lod, i * (1 << (11 - lod)), j * (1 << (11 - lod)))),
                             float_bits(coarse));
    }
    ter_world_destroy(world);
}

/** Statistics, 16-bit samples and probes see the craters of a fill. */
static void test_other_calls(void **state)
{
    (void)state;
    enum { WIDTH = 70, HEIGHT = 41, COUNT = WIDTH * HEIGHT };
    static float heights[COUNT];
    ter_world *world = cratered(0.9, 0.45);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const ter_rect rect = {18, 1000, -2000, WIDTH, HEIGHT}; /* samples 4 lattice steps apart */
    assert_ok(fill_rect_heights(generator, world, &rect, heights, WIDTH));
    float least = heights[0], greatest = heights[0];
    for (int n = 0; n < COUNT; n++) {
        least = fminf(least, heights[n]);
        greatest = fmaxf(greatest, heights[n]);
    }
    ter_statistics statistics = {TER_SIZED(ter_statistics)};
    assert_ok(ter_generator_statistics(generator, world, &rect, NULL, &statistics));
    assert_true(statistics.min_m == least && statistics.max_m == greatest);

    ter_fetch *fetch = NULL;
    const ter_fetched *fetched = NULL;
    assert_ok(create_fetch(generator, COUNT, &fetch));
    assert_ok(start_fetch_u16(fetch, world, &rect, -4000.0, 4000.0));
    assert_ok(ter_fetch_wait(fetch, &fetched));
    for (int n = 0; n < COUNT; n++)
        assert_int_equal(fetched->samples[n], ter_quantise(ter_quantiser_of(-4000.0, 4000.0), heights[n]));
    ter_fetch_destroy(fetch);

    ter_probe *probe = NULL;
    const ter_probe_point place = {4.0 * (rect.i + 20), 4.0 * (rect.j + 10), 18, 0.0f};
    float answer[TER_PROBE_POINTS_MAX];
    uint64_t ticket = 0;
    int count = 0;
    assert_ok(ter_probe_create(generator, NULL, &probe));
    assert_ok(ter_probe_ask(probe, world, &place, 1, 1));
    while (count == 0)
        assert_ok(ter_probe_answer(probe, &ticket, &count, answer));
    assert_int_equal(float_bits(answer[0]), float_bits(heights[10 * WIDTH + 20]));
    ter_probe_destroy(probe);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Maria need craters; craters change heights. */
static void test_none(void **state)
{
    (void)state;
    ter_world *none = cratered(0.0, 0.0), *maria = cratered(0.0, 0.7), *some = cratered(0.8, 0.0);
    int n_changed = 0;
    for (int n = 0; n < 50; n++) {
        const float height = sample(none, 0, n * 1000, n);
        assert_int_equal(float_bits(sample(maria, 0, n * 1000, n)), float_bits(height));
        n_changed += float_bits(sample(some, 0, n * 1000, n)) != float_bits(height);
    }
    assert_true(n_changed > 45);
    ter_world_destroy(none);
    ter_world_destroy(maria);
    ter_world_destroy(some);
}

/** The list has the craters that heights show: floors of fresh craters lie a fifth of the diameter below their rims.
 * Parts of a rectangle have its craters, each once. */
static void test_list(void **state)
{
    enum { MOST = 4096, SIDE = 1 << 20 };
    static ter_crater_place all[MOST], some[MOST];
    (void)state;
    ter_world *world = cratered(0.9, 0.0);
    const ter_crater_query query = {TER_SIZED(ter_crater_query), -SIDE, -SIDE, SIDE, SIDE, 4000.0, 400.0};
    size_t count = 0, found = 0, sum = 0;
    assert_ok(ter_craters_list(world, &query, MOST, all, &count));
    assert_in_range(count, 20, MOST);
    for (int part = 0; part < 4; part++) {
        ter_crater_query quarter = query;
        quarter.west = part & 1 ? 0.5 : -SIDE;
        quarter.east = part & 1 ? SIDE : 0.5;
        quarter.north = part & 2 ? 0.5 : -SIDE;
        quarter.south = part & 2 ? SIDE : 0.5;
        assert_ok(ter_craters_list(world, &quarter, 0, NULL, &found));
        sum += found;
    }
    assert_int_equal(sum, count);
    double depths = 0.0;
    int n_simple = 0;
    for (size_t n = 0; n < count; n++) {
        const ter_crater_place *c = &all[n];
        assert_true(c->diameter >= 4000.0 && c->age < 400.0 && fabs(c->x) <= SIDE && fabs(c->z) <= SIDE);
        if (c->diameter > 8000.0)
            continue;
        const int level = world->params.levels, radius = (int)(0.5 * c->diameter);
        const int64_t x = (int64_t)c->x, z = (int64_t)c->z;
        const float floor_m = ter_height_at(&world->field, level, x, z);
        float rim = 0.0f;
        for (int k = 0; k < 4; k++)
            rim += 0.25f * ter_height_at(&world->field, level,
                                         x + (k == 0   ? radius
                                              : k == 1 ? -radius
                                                       : 0),
                                         z + (k == 2   ? radius
                                              : k == 3 ? -radius
                                                       : 0));
        depths += (double)(rim - floor_m) / c->diameter;
        n_simple++;
    }
    assert_true(n_simple >= 10);
    assert_near("depth over diameter", depths / n_simple, 0.17, 0.35);
    assert_ok(ter_craters_list(world, &query, 3, some, &found));
    assert_int_equal(found, count);
    assert_memory_equal(some, all, 3 * sizeof *all);
    ter_world_destroy(world);
}

/** Wrong queries fail with a sentence; a world without craters has none. */
static void test_wrong_queries(void **state)
{
    static const struct {
        ter_crater_query query;
        const char *message;
    } cases[] = {{{TER_SIZED(ter_crater_query), 1, 0, 0, 0, 8, 8}, "west and east are 1 and 0, expected west <= east"},
                 {{TER_SIZED(ter_crater_query), 0, (double)NAN, 0, 0, 8, 8}, "north and south are nan and 0"},
                 {{TER_SIZED(ter_crater_query), 0, 0, 1, 1, 0, 8}, "diameter_min is 0, expected a number above 0"},
                 {{TER_SIZED(ter_crater_query), 0, 0, 1, 1, 8, -1}, "age_max is -1, expected a number above 0"},
                 {{TER_SIZED(ter_crater_query), 0, 0, 1e6, 1e6, 8, 8}, "cells, expected at most 1048576"}};
    (void)state;
    ter_world *world = cratered(0.9, 0.0), *bare = cratered(0.0, 0.0);
    size_t count = 7;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        assert_int_equal(ter_craters_list(world, &cases[n].query, 0, NULL, &count), TER_EINVAL);
        if (!strstr(ter_error_detail(), cases[n].message))
            fail_msg("'%s', expected '%s'", ter_error_detail(), cases[n].message);
        assert_int_equal(count, 7);
    }
    const ter_crater_query query = {TER_SIZED(ter_crater_query), 0, 0, 1e5, 1e5, 100, 1e5};
    assert_int_equal(ter_craters_list(world, &query, 1, NULL, &count), TER_EINVAL);
    assert_ok(ter_craters_list(bare, &query, 0, NULL, &count));
    assert_int_equal(count, 0);
    assert_true(ter_craters_surface(bare).age == 0.0);
    ter_world_destroy(world);
    ter_world_destroy(bare);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equilibrium), cmocka_unit_test(test_production), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_steps),       cmocka_unit_test(test_levels),     cmocka_unit_test(test_other_calls),
        cmocka_unit_test(test_none),        cmocka_unit_test(test_list),       cmocka_unit_test(test_wrong_queries)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
