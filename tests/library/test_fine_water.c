/* test_fine_water.c - water between the points of 1 m: it lies above its ground, a lake has one level, and no water
 * lies beyond a bank: a sample is wet only if a point of 1 m around it is wet. */
#include "fluvial_under_test.h"

#include <math.h>
#include <stdbool.h>

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

/** Lowest and highest level of water of the four points of 1 m around a sample, and the number of those that are wet.
 */
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
            c.dry += isnan(water[n]);
            c.uphill += isnan(water[n]) && n_wet == 4 && fine[n] < low;
            if (isnan(water[n]))
                continue;
            c.wet++;
            c.under += !(water[n] > fine[n]);
            c.beyond += n_wet == 0;
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
    } places_of_water[] = {{-1101380, 1932216, 0.0},
                           {-1195984, -1553664, 0.0},
                           {-1113892, 1916580, 0.0},
                           {-1209466, -1545942, 0.0},
                           {1296336, -1260084, 342.5}};
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_water)};
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
