/* fluvial_under_test.h - helps tests of basis fluvial: makes a world, names places in it, fills all layers. */
#ifndef TER_TESTS_FLUVIAL_UNDER_TEST_H
#define TER_TESTS_FLUVIAL_UNDER_TEST_H

#include "backend_under_test.h"
#include "short_calls.h"

enum { SIDE = 40 };

/** Layers of a rectangle of SIDE x SIDE points or less. */
typedef struct layer_set {
    float at[TER_LAYER_COUNT][SIDE * SIDE];
} layer_set;

/** x, z of places of the world without continents: alps with lakes, hills, canyons, a plain, a coast, and three that
 * are 2^20, 2^31 and 2^45 m from both axes. */
static const int64_t places[][2] = {{-1280512, -155136},
                                    {-1196032, -1551872},
                                    {-1104896, 1952768},
                                    {1294336, -1251840},
                                    {523264, -1312768},
                                    {1 << 20, -(1 << 20)},
                                    {INT64_C(1) << 31, INT64_C(1) << 31},
                                    {-(INT64_C(1) << 45), INT64_C(1) << 45}};
enum { PLACES = sizeof places / sizeof places[0] };

static inline ter_world *fluvial_world(uint64_t seed)
{
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_FLUVIAL;
    params.continents = 0.0;
    params.seed = seed;
    params.levels = 20;
    return world_of(&params);
}

static inline ter_rect rect_at(const ter_world *world, const int64_t place[2], int lod, int width, int height)
{
    const ter_rect rect = {ter_world_params(world)->levels - lod, place[0] >> lod, place[1] >> lod, width, height};
    return rect;
}

static inline void fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, layer_set *out)
{
    float_layers layers;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        layers.at[layer] = out->at[layer];
    assert_ok(fill_rect_layers(generator, world, rect, &layers, (size_t)rect->width));
}

#endif
