/* test_guide_detail.c - a guide whose pixels are finer than the network: the land keeps the heights of the pixels, its
 * rivers run in the guide's valleys, no node drains uphill, and all methods, instruction sets, windows and levels of
 * detail give the same bits. Also the guide's climate. */
#include "guide_under_test.h"

#include <math.h>

enum { PIXELS = 128, PIXEL_M = 30, FINE = 65 };
static const int64_t corner[2] = {-1048576, 2097152}; /* middle of pixel (0, 0) */
static float heights[PIXELS * PIXELS];

/** Column of the valley's bottom in a row, pixels. */
static double thalweg(double y)
{
    return PIXELS / 2 + 9.0 * sin(y * 0.1);
}

/** A valley that winds to the south, between slopes with ridges. */
static void make_heights(void)
{
    uint64_t state = 7;
    for (int y = 0; y < PIXELS; y++)
        for (int x = 0; x < PIXELS; x++) {
            const double away = fabs(x - thalweg(y)), ridge = sin(0.7 * x) * sin(0.55 * y);
            test_random(&state);
            heights[y * PIXELS + x] = (float)(900.0 - 2.0 * y + 5.0 * away + 12.0 * ridge * fmin(away / 10.0, 1.0)) +
                                      (float)(state >> 40) * (1.0f / 16777216.0f);
        }
}

static ter_guide_options options_of_guide(void)
{
    const ter_guide_options options = {
        TER_SIZED(ter_guide_options), .heights = heights,     .cols = PIXELS,    .rows = PIXELS,
        .x = (double)corner[0],       .z = (double)corner[1], .spacing = PIXEL_M};
    return options;
}

static ter_world *detailed_world(void)
{
    const ter_guide_options options = options_of_guide();
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    ter_world *world = world_with(&options);
    assert_ok(ter_world_guide_report(world, &report));
    assert_int_equal(report.level, 8);
    assert_true(report.detail_m > 0.0 && report.detail_m <= PIXEL_M);
    return world;
}

/** Layers over the whole guide, at points 8 m apart. Its pixels are 15 m apart, and do not lie on points of the
 * lattice. */
enum { LOD = 3, STEP = 1 << LOD, WIDE = (PIXELS * PIXEL_M) / STEP };
static float land[WIDE * WIDE], flow[WIDE * WIDE], shore[WIDE * WIDE];

static void fill_land(const ter_world *world)
{
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const int64_t first[2] = {corner[0] - PIXEL_M / 2 + 7, corner[1] - PIXEL_M / 2 + 7};
    const ter_rect rect = rect_at(world, first, LOD, WIDE, WIDE);
    float_layers arrays = {{NULL}};
    arrays.at[TER_LAYER_HEIGHT] = land;
    arrays.at[TER_LAYER_FLOW] = flow;
    arrays.at[TER_LAYER_SHORE] = shore;
    assert_ok(fill_rect_layers(generator, world, &rect, &arrays, WIDE));
    ter_generator_destroy(generator);
}

/** Place of a point of `land` in pixels. */
static double pixel_at(int n)
{
    return (n * STEP - PIXEL_M / 2 + 7) / (double)PIXEL_M;
}

/** Away from rivers the land has the guide's heights. */
static void test_heights(void **state)
{
    double a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
    int count = 0, n_near = 0;
    (void)state;
    ter_world *world = detailed_world();
    fill_land(world);
    for (int y = 8; y < WIDE - 8; y++)
        for (int x = 8; x < WIDE - 8; x++) {
            const double u = pixel_at(x), v = pixel_at(y);
            const int column = (int)floor(u), row = (int)floor(v);
            const float *p = heights + row * PIXELS + column;
            const double s = u - column, t = v - row;
            const double wanted = (1 - t) * ((1 - s) * (double)p[0] + s * (double)p[1]) +
                                  t * ((1 - s) * (double)p[PIXELS] + s * (double)p[PIXELS + 1]);
            const double got = (double)land[y * WIDE + x];
            n_near += fabs(got - wanted) < 3.0;
            count++;
            a += got;
            b += wanted;
            aa += got * got;
            bb += wanted * wanted;
            ab += got * wanted;
        }
    const double correlation = (ab - a * b / count) / sqrt((aa - a * a / count) * (bb - b * b / count));
    if (!(correlation > 0.98 && n_near > 0.6 * count))
        fail_msg("correlation %.4f, %.2f of the points are within 3 m of the guide", correlation,
                 n_near / (double)count);
    ter_world_destroy(world);
}

/** The river of the valley runs within three pixels of its bottom. */
static void test_river(void **state)
{
    int count = 0, n_found = 0;
    (void)state;
    ter_world *world = detailed_world();
    fill_land(world);
    for (int row = 40; row < PIXELS - 12; row++) {
        const int y = row * PIXEL_M / STEP, middle = (int)(thalweg(row) * PIXEL_M) / STEP, reach = 3 * PIXEL_M / STEP;
        bool is = false;
        for (int x = middle - reach; x <= middle + reach && !is; x++)
            is = flow[y * WIDE + x] > 1e6f && shore[y * WIDE + x] < 16.0f;
        n_found += is;
        count++;
    }
    if (!(n_found >= 0.85 * count))
        fail_msg("%d of %d rows have the river at the bottom of the valley", n_found, count);
    ter_world_destroy(world);
}

static void test_downhill(void **state)
{
    (void)state;
    ter_world *world = detailed_world();
    const edge_counts c = count_edges(world, TER_NETWORK_LAST);
    assert_true(c.edges > 1000);
    assert_int_equal(c.uphill, 0);
    ter_world_destroy(world);
}

/** Compare a window at a level of detail with points of level 0. */
static void compare(ter_generator *generator, const ter_world *world, const int64_t place[2], int lod, int shift,
                    const float *const fine[TER_LAYER_COUNT])
{
    static float coarse[TER_LAYER_COUNT][FINE * FINE];
    const int step = 1 << lod, side = (FINE - 1 - shift * step) / step + 1;
    ter_rect rect = rect_at(world, place, lod, side, side);
    float_layers out;
    rect.i += shift;
    rect.j += shift;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        out.at[layer] = coarse[layer];
    assert_ok(fill_rect_layers(generator, world, &rect, &out, (size_t)side));
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        for (int n = 0; n < side * side; n++) {
            const int x = (n % side + shift) * step, y = (n / side + shift) * step;
            assert_int_equal(float_bits(coarse[layer][n]), float_bits(fine[layer][y * FINE + x]));
        }
}

/** Heights have the same bits at the bottom of the valley, on a slope, and across the border of the guide. */
static void test_bits(void **state)
{
    static float fine[TER_LAYER_COUNT][FINE * FINE], alone[FINE * FINE];
    static const int pixels[][2] = {{64, 64}, {20, 90}, {-2, 40}}; /* pixels */
    const float *arrays[TER_LAYER_COUNT];
    float_layers out;
    (void)state;
    ter_world *world = detailed_world();
    ter_generator *by_point = generator_of(TER_METHOD_SINGLE_PASS, 2, TER_SIMD_AUTO);
    ter_generator *tiled = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_generator *scalar =
        generator_of(TER_METHOD_TILED, 2, backend_under_test == TER_BACKEND_CPU ? TER_SIMD_BASELINE : TER_SIMD_AUTO);
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        arrays[layer] = out.at[layer] = fine[layer];
    for (int n = 0; n < 3; n++) {
        const int64_t at[2] = {(corner[0] + pixels[n][0] * PIXEL_M) & ~INT64_C(31),
                               (corner[1] + pixels[n][1] * PIXEL_M) & ~INT64_C(31)};
        const ter_rect rect = rect_at(world, at, 0, FINE, FINE);
        assert_ok(fill_rect_layers(by_point, world, &rect, &out, FINE));
        for (int lod = 0; lod <= 5; lod++)
            compare(lod % 2 ? scalar : tiled, world, at, lod, lod % 2, arrays);
        assert_ok(fill_rect_heights(tiled, world, &rect, alone, FINE));
        for (int k = 0; k < FINE * FINE; k++)
            assert_int_equal(float_bits(alone[k]), float_bits(fine[TER_LAYER_HEIGHT][k]));
    }
    ter_generator_destroy(scalar);
    ter_generator_destroy(tiled);
    ter_generator_destroy(by_point);
    ter_world_destroy(world);
}

/** Mean of a layer of the land's western or eastern part. */
static double mean_of_part(const ter_world *world, bool is_east, ter_layer layer)
{
    enum { SIDE_M = 1024, SAMPLES = SIDE_M >> LOD };
    static float values[SAMPLES * SAMPLES];
    const int64_t first[2] = {corner[0] + (is_east ? (PIXELS - 2) * PIXEL_M - SIDE_M : 2 * PIXEL_M), corner[1] + 1024};
    const ter_rect rect = rect_at(world, first, LOD, SAMPLES, SAMPLES);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    float_layers arrays = {{NULL}};
    double sum = 0.0;
    arrays.at[layer] = values;
    assert_ok(fill_rect_layers(generator, world, &rect, &arrays, SAMPLES));
    ter_generator_destroy(generator);
    for (int n = 0; n < SAMPLES * SAMPLES; n++)
        sum += (double)values[n];
    return sum / (SAMPLES * SAMPLES);
}

/** The land has the guide's temperature and precipitation, and the biome follows them. */
static void test_climate(void **state)
{
    static float warmth[PIXELS * PIXELS], rain[PIXELS * PIXELS];
    ter_guide_options options = options_of_guide();
    (void)state;
    for (int n = 0; n < PIXELS * PIXELS; n++) {
        const bool is_east = n % PIXELS >= PIXELS / 2;
        warmth[n] = is_east ? 24.0f : -18.0f;
        rain[n] = is_east ? 60.0f : 900.0f;
    }
    warmth[5] = NAN;
    options.rasters[TER_GUIDE_TEMPERATURE] = warmth;
    options.rasters[TER_GUIDE_PRECIPITATION] = rain;
    ter_world *world = world_with(&options);
    for (int is_east = 0; is_east <= 1; is_east++) {
        const double mean = mean_of_part(world, is_east, TER_LAYER_TEMPERATURE),
                     fall = mean_of_part(world, is_east, TER_LAYER_PRECIPITATION);
        if (!(fabs(mean - (is_east ? 24.0 : -18.0)) < 0.5))
            fail_msg("the mean temperature is %.1f deg C", mean);
        if (!(fabs(fall / (is_east ? 60.0 : 900.0) - 1.0) < 0.05))
            fail_msg("the precipitation is %.1f mm", fall);
    }
    const double west = mean_of_part(world, false, TER_LAYER_BIOME), east = mean_of_part(world, true, TER_LAYER_BIOME);
    assert_true(fabs(west - TER_BIOME_ICE) < 1e-6 || fabs(west - TER_BIOME_TUNDRA) < 1.0);
    assert_true(fabs(east - TER_BIOME_HOT_DESERT) < 1e-6);
    assert_true(mean_of_part(world, false, TER_LAYER_SNOW) > 0.5 && mean_of_part(world, true, TER_LAYER_SNOW) < 0.01);
    ter_world_destroy(world);
    warmth[7] = 101.0f;
    ter_guide *guide = NULL;
    assert_int_equal(ter_guide_create(&options, &guide), TER_EINVAL);
    assert_non_null(
        strstr(ter_error_detail(), "temperature of pixel (7, 0) of the guide is 101, expected -100 to 100"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heights), cmocka_unit_test(test_river),   cmocka_unit_test(test_downhill),
        cmocka_unit_test(test_bits),    cmocka_unit_test(test_climate),
    };
    backend_from_arguments(argc, argv);
    make_heights();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
