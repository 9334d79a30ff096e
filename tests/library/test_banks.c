/* test_banks.c - rivers and lakes stay between their banks: no dry sample beside water is lower than that water, no
 * water is below the ground, and the levels of the water at neighbouring samples differ little. */
#include "backend_under_test.h"
#include "short_calls.h"

#include <math.h>

enum { SIDE = 512, LEVELS = 20, LODS = 3 };

/** A place, and the parameters of its world. The cases cover wide rivers, lakes and canyons. */
typedef struct banks_case {
    uint64_t seed;
    double land, relief, uplift, hills, plateau, ice, dryness;
    int64_t x, z;
    double sea;
} banks_case;

static const banks_case cases[] = {
    {1, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1025416, 1945396},           /* a broad river in a plain */
    {1, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1022704, 1837728},           /* a lake on a river */
    {1, 0.6, 1.0, 0.0, 0.0, 0.0, 0.6, 0.0, -1000108, 1950944},           /* a lake in a hollow made by ice */
    {95, 0.6, 1.4, -0.7, 0.6, 0.3, -1.0, 1.0, -988140, 1939508},         /* canyons */
    {134, 0.4, 1.15, 0.9, 0.6, -1.0, 1.0, -0.4, -1146916, 1911804},      /* a lake in mountains */
    {18, 0.3, 1.5, 1.0, 0.8, -1.0, 1.0, -1.0, -1118800, 1969680, 600.0}, /* a small lake high above the sea */
    {18, 0.3, 1.5, 1.0, 0.8, -1.0, 1.0, -1.0, -1147344, 1924128, 600.0}, /* a river that flows into a lake */
    {1, 0.6, 1.0, 0.0, 0.0, 0.0, 0.6, 0.0, (INT64_C(1) << 45) - 50496, -(INT64_C(1) << 45) + 832},
};

/** Counts. wet: samples with water. beside: pairs of a sample with water and a dry neighbour. low: such pairs whose dry
 * sample is lower than the water. under: samples whose water is not above the ground. walls: pairs of neighbours with
 * water whose levels differ by more than WALL. */
typedef struct banks {
    long wet, beside, low, under, walls;
} banks;

/* m; greatest difference that the levels of neighbouring samples may have. The samples are at most 4 m apart. Even in
 * rapids the levels differ by less. */
#define WALL 8.0f

static void look_around(const float *height, const float *water, banks *b)
{
    const int around[4] = {1, -1, SIDE, -SIDE};
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            const int k = y * SIDE + x;
            if (isnan(water[k]))
                continue;
            b->wet++;
            b->under += water[k] <= height[k];
            for (int n = 0; n < 4; n++) {
                const int beside = k + around[n];
                if (isnan(water[beside])) {
                    b->beside++;
                    b->low += height[beside] < water[k];
                } else {
                    b->walls += water[k] - water[beside] > WALL;
                }
            }
        }
}

static void test_banks(void **state)
{
    (void)state;
    float *layers = malloc((size_t)2 * SIDE * SIDE * sizeof *layers);
    assert_non_null(layers);
    const float_layers out = {.at = {[TER_LAYER_HEIGHT] = layers, [TER_LAYER_WATER] = layers + SIDE * SIDE}};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const banks_case *c = &cases[n];
        ter_params params;
        ter_params_default(&params);
        params.basis = TER_BASIS_FLUVIAL;
        params.continents = 0.0;
        params.levels = LEVELS;
        params.seed = c->seed;
        params.land = c->land;
        params.relief = c->relief;
        params.uplift = c->uplift;
        params.hills = c->hills;
        params.plateau = c->plateau;
        params.ice = c->ice;
        params.dryness = c->dryness;
        params.sea = c->sea;
        ter_world *world = world_of(&params);
        for (int lod = 0; lod < LODS; lod++) {
            const ter_rect rect = {LEVELS - lod, (c->x >> lod) - SIDE / 2, (c->z >> lod) - SIDE / 2, SIDE, SIDE};
            banks b = {0};
            assert_ok(fill_rect_layers(generator, world, &rect, &out, SIDE));
            look_around(layers, layers + SIDE * SIDE, &b);
            printf("case %zu, lod %d: %ld samples of water, %ld dry ones beside them, %ld lower, %ld under the ground, "
                   "%ld walls\n",
                   n, lod, b.wet, b.beside, b.low, b.under, b.walls);
            assert_int_equal(b.low, 0);
            assert_int_equal(b.under, 0);
            assert_int_equal(b.walls, 0);
            assert_true(b.beside > 50);
        }
        ter_world_destroy(world);
    }
    ter_generator_destroy(generator);
    free(layers);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_banks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
