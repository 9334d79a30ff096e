/* test_fine_water.c - at samples between the points that are 1 m apart, water lies above the ground, and its level is
 * between the levels of the points around the sample. No strip of water lies behind the bank of a river: where the
 * nearest of these points is dry and lower than the water, no sample is wet. */
#include "fluvial_under_test.h"

#include <math.h>
#include <stdbool.h>

#include "library/fluvial/fine.h"

enum { METRES = 96, COARSE = METRES + 1 };

/** Counts over the samples of a rectangle. */
typedef struct water_counts {
    long wet, dry, beyond, under, levels, uphill;
} water_counts;

/** Fill heights and water. */
static void fill_water(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *height,
                       float *water)
{
    float_layers layers = height_layer(height);
    layers.at[TER_LAYER_WATER] = water;
    assert_ok(fill_rect_layers(generator, world, rect, &layers, (size_t)rect->width));
}

/** Index of the point that is nearest to a sample, among the points 1 m apart. */
static int nearest_point(int row, int column, int depth)
{
    const int below_half = (1 << (depth - 1)) - 1;
    return ((row + below_half) >> depth) * COARSE + ((column + below_half) >> depth);
}

/** Set *low and *high to the lowest and the highest level of water at the four points 1 m apart that surround a sample.
 * Returns how many of the four are wet. */
static int levels_around(const float *water, int row, int column, int depth, float *low, float *high)
{
    const int mask = (1 << depth) - 1, right = (column & mask) != 0, down = ((row & mask) != 0) * COARSE;
    const float *nw = water + (row >> depth) * COARSE + (column >> depth);
    const float around[4] = {nw[0], nw[right], nw[down], nw[down + right]};
    int n_wet = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int n = 0; n < 4; n++) {
        n_wet += !isnan(around[n]);
        *low = fminf(*low, around[n]);
        *high = fmaxf(*high, around[n]);
    }
    return n_wet;
}

static water_counts count_water(ter_generator *generator, const ter_world *world, int64_t x, int64_t z, int depth)
{
    static float height[COARSE * COARSE], level[COARSE * COARSE];
    const int side = METRES << depth, levels = ter_world_params(world)->levels;
    const size_t count = (size_t)side * (size_t)side;
    float *fine = malloc(2 * count * sizeof *fine), *water = fine + count;
    const ter_rect coarse = {levels, x, z, COARSE, COARSE},
                   rect = {levels + depth, x * (1 << depth), z * (1 << depth), side, side};
    water_counts c = {0};
    assert_non_null(fine);
    fill_water(generator, world, &coarse, height, level);
    fill_water(generator, world, &rect, fine, water);
    for (int row = 0; row < side; row++)
        for (int column = 0; column < side; column++) {
            const int n = row * side + column;
            float low, high;
            const int n_wet = levels_around(level, row, column, depth, &low, &high);
            const int nearest = nearest_point(row, column, depth);
            const bool is_beyond = n_wet == 0 || (isnan(level[nearest]) && height[nearest] < low);
            c.dry += isnan(water[n]);
            c.uphill += isnan(water[n]) && n_wet == 4 && fine[n] < low;
            if (isnan(water[n]))
                continue;
            c.wet++;
            c.under += !(water[n] > fine[n]);
            c.beyond += is_beyond;
            c.levels += water[n] < low || water[n] > high;
        }
    free(fine);
    return c;
}

/** Count at a river, the shore of a lake, and the sea. */
static void test_water(void **state)
{
    static const struct {
        int64_t x, z;
        double sea;
    } places_of_water[] = {{-1104296, 1954496, 0.0},
                           {-1195768, -1549296, 0.0},
                           {-1114120, 1932656, 0.0},
                           {-1209936, -1542286, 0.0},
                           {1296816, -1251010, 312.5}};
    (void)state;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (size_t n = 0; n < sizeof places_of_water / sizeof places_of_water[0]; n++) {
        ter_params params;
        ter_params_default(&params);
        params.continents = 0.0;
        params.sea = places_of_water[n].sea;
        ter_world *world = world_of(&params);
        for (int depth = 1; depth <= 3; depth++) {
            const water_counts c = count_water(generator, world, places_of_water[n].x, places_of_water[n].z, depth);
            if (c.wet < 500 || c.dry < 500 || c.beyond + c.under + c.levels + c.uphill > 0)
                fail_msg("place %zu, lod -%d: %ld wet and %ld dry samples; wet ones: %ld beyond a bank, %ld under the "
                         "ground, %ld of another level; %ld dry below water on all sides",
                         n, depth, c.wet, c.dry, c.beyond, c.under, c.levels, c.uphill);
        }
        ter_world_destroy(world);
    }
    ter_generator_destroy(generator);
}

/** Water of a river, in the western corners of a square, reaches half way to eastern corners that are dry and lower,
 * and up to its level where they are higher. */
static void test_borders(void **state)
{
    static const struct {
        float east, a, ground; /* height of the eastern corners; place and height of the sample */
        bool is_wet;
    } cases[] = {{8.0f, 0.25f, 9.5f, true},   {8.0f, 0.5f, 9.5f, true},   {8.0f, 0.75f, 9.5f, false},
                 {8.0f, 0.25f, 10.5f, false}, {12.0f, 0.75f, 9.5f, true}, {12.0f, 0.75f, 10.5f, false}};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const float height[4] = {9.0f, cases[n].east, 9.0f, cases[n].east}, water[4] = {10.0f, NAN, 10.0f, NAN};
        const ter_square square = {{0, 1, 2, 3}, cases[n].a, 0.5f};
        const float level = ter_fine_water(&square, height, water, cases[n].ground);
        if (cases[n].is_wet ? level != 10.0f : !isnan(level))
            fail_msg("case %zu: level %g", n, (double)level);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_borders), cmocka_unit_test(test_water)};
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
