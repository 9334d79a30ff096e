/* cover_checks.h - checks of land that the climate covers with sand, ice or sediment: samples are those of the
 * definition, coarse samples are a subset of fine ones, and tiles of a batch are those that are made alone. */
#ifndef TER_TESTS_COVER_CHECKS_H
#define TER_TESTS_COVER_CHECKS_H

#include "fluvial_under_test.h"

#include "library/fluvial/point.h"
#include "library/fluvial/surface.h"
#include "library/world/world.h"

static void assert_same(const char *what, int lod, int layer, float got, float expected)
{
    if (float_bits(got) != float_bits(expected) && !(isnan(got) && isnan(expected)))
        fail_msg("%s of lod %d: %s is %a, expected %a", what, lod, ter_layer_name((ter_layer)layer), (double)got,
                 (double)expected);
}

/** Samples of rectangles around a place are those of the definition, at levels of detail with and without a cover, by
 * several methods and instruction sets. place: metres */
static void check_cover_definition(const ter_world *world, const int64_t place[2])
{
    static const struct {
        ter_method method;
        ter_simd simd;
    } ways[] = {{TER_METHOD_TILED, TER_SIMD_AUTO},
                {TER_METHOD_TILED, TER_SIMD_BASELINE},
                {TER_METHOD_RECURSIVE, TER_SIMD_AUTO}};
    enum { WIDTH = 37, HEIGHT = 21, EVERY = 388 };
    static layer_set set;
    for (size_t way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        ter_generator *generator = generator_of(ways[way].method, 2, ways[way].simd);
        for (int lod = way == 0 ? -4 : (int)way; lod <= 16; lod += way == 0 ? 1 : 4) {
            const ter_rect rect = {20 - lod, lod < 0 ? place[0] * ((int64_t)1 << -lod) : place[0] >> lod,
                                   lod < 0 ? place[1] * ((int64_t)1 << -lod) : place[1] >> lod, WIDTH, HEIGHT};
            fill(generator, world, &rect, &set);
            for (int n = 0; n < WIDTH * HEIGHT; n += EVERY) {
                float expected[TER_LAYER_COUNT];
                assert_true(ter_fluvial_point(&world->fluvial, lod, rect.i + n % WIDTH, rect.j + n / WIDTH, expected));
                for (int k = 0; k < TER_LAND_LAYERS; k++)
                    assert_same("sample of a rectangle", lod, k, set.at[k][n], expected[k]);
            }
        }
        ter_generator_destroy(generator);
    }
}

/** A batch of tiles of the viewer's layers, at levels of detail from -4 on, has the samples of rectangles made alone.
 * Eight tiles of a level of detail lie side by side in two rows. */
static void check_cover_tiles(const ter_world *world, const int64_t place[2])
{
    enum { A_LOD = 8, LODS = 7, TILES = A_LOD * LODS, WIDE = 33, FLOATS = WIDE * WIDE };
    static const ter_layer layers[] = {TER_LAYER_HEIGHT,  TER_LAYER_WATER,   TER_LAYER_FLOW, TER_LAYER_SHORE,
                                       TER_LAYER_DRYNESS, TER_LAYER_GLACIER, TER_LAYER_SAND};
    enum { COUNT = sizeof layers / sizeof layers[0] };
    static float got[COUNT][TILES * FLOATS], alone[COUNT][FLOATS];
    ter_tile tiles[TILES];
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    float_layers all = {.at = {0}}, one = {.at = {0}};
    for (int n = 0; n < COUNT; n++) {
        all.at[layers[n]] = got[n];
        one.at[layers[n]] = alone[n];
    }
    for (int n = 0; n < TILES; n++) {
        const int lod = n / A_LOD - 4, k = n % A_LOD;
        const int64_t i = lod < 0 ? place[0] * ((int64_t)1 << -lod) : place[0] >> lod,
                      j = lod < 0 ? place[1] * ((int64_t)1 << -lod) : place[1] >> lod;
        tiles[n] = (ter_tile){ter_world_params(world)->levels - lod, i + k % 4 * (WIDE - 1), j + k / 4 * (WIDE - 1)};
    }
    const tiles_layout layout = {WIDE, WIDE, WIDE, FLOATS, NULL};
    assert_ok(fill_tiles_layers(generator, world, tiles, TILES, &layout, &all));
    for (int n = 0; n < TILES; n++) {
        const ter_rect rect = {tiles[n].level, tiles[n].i, tiles[n].j, WIDE, WIDE};
        assert_ok(fill_rect_layers(generator, world, &rect, &one, WIDE));
        for (int layer = 0; layer < COUNT; layer++)
            for (int k = 0; k < FLOATS; k++)
                assert_same("tile of a batch", n / A_LOD - 4, (int)layers[layer], got[layer][n * FLOATS + k],
                            alone[layer][k]);
    }
    ter_generator_destroy(generator);
}

/** Coarse samples have the values of the samples of lod 0 at their places, and layers are the same without others. */
static void check_cover_subsets(const ter_world *world, const int64_t place[2])
{
    enum { LONG = 257 };
    static const ter_layer alone[] = {TER_LAYER_HEIGHT,  TER_LAYER_WATER,   TER_LAYER_TOP,
                                      TER_LAYER_DRYNESS, TER_LAYER_GLACIER, TER_LAYER_SAND};
    enum { COUNT = sizeof alone / sizeof alone[0] };
    static float fine[COUNT][LONG], single[LONG];
    static layer_set coarse;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect rect = rect_at(world, place, 0, LONG, 1);
    float_layers all = {.at = {0}};
    for (int n = 0; n < COUNT; n++)
        all.at[alone[n]] = fine[n];
    assert_ok(fill_rect_layers(generator, world, &rect, &all, LONG));
    for (int n = 0; n < COUNT; n++) {
        float_layers one = {.at = {0}};
        one.at[alone[n]] = single;
        assert_ok(fill_rect_layers(generator, world, &rect, &one, LONG));
        for (int x = 0; x < LONG; x++)
            assert_same("a layer alone", 0, (int)alone[n], single[x], fine[n][x]);
    }
    for (int lod = 1; lod <= 8; lod++) {
        const ter_rect few = rect_at(world, place, lod, lod < 4 ? SIDE : (LONG >> lod) + 1, 1);
        fill(generator, world, &few, &coarse);
        for (int n = 0; n < COUNT; n++)
            for (int x = 0; x < few.width && x << lod < LONG; x++)
                assert_same("coarse sample", lod, (int)alone[n], coarse.at[alone[n]][x], fine[n][x << lod]);
    }
    ter_generator_destroy(generator);
}

#endif
