/* test_guide.c - a world follows its guide: means of the land are near the guide's heights at all scales, no node
 * drains uphill, also across the rim, levels of detail and methods agree, tables do not depend on threads and can be
 * stored, far away nothing changes, and rasters beside the heights set the layers. */
#include "guide_under_test.h"

#include <math.h>

enum { PIXELS = 24, PIXEL_M = 2048 };
static const int64_t corner[2] = {-1048576, 2097152}; /* middle of pixel (0, 0) */
static float heights[PIXELS * PIXELS];

/** Random number 0..1 of a knot of the guide. */
static float knot(int x, int y)
{
    uint64_t state = (uint64_t)(x * 7919 + y * 104729 + 12345);
    test_random(&state);
    return (float)(test_random(&state) >> 40) * (1.0f / 16777216.0f);
}

/** A land that falls to the east into the sea, with hills at two scales. */
static void make_heights(void)
{
    for (int y = 0; y < PIXELS; y++)
        for (int x = 0; x < PIXELS; x++)
            heights[y * PIXELS + x] = 1500.0f - 70.0f * (float)x + 600.0f * (knot(x / 3, y / 3) - 0.5f) +
                                      200.0f * (knot(x + 100, y + 100) - 0.5f);
}

static ter_guide_options options_of_guide(void)
{
    const ter_guide_options options = {
        TER_SIZED(ter_guide_options), .heights = heights,     .cols = PIXELS,    .rows = PIXELS,
        .x = (double)corner[0],       .z = (double)corner[1], .spacing = PIXEL_M};
    return options;
}

static ter_world *guided_world(void)
{
    const ter_guide_options options = options_of_guide();
    return world_with(&options);
}

/** Compare means of the land at a level of detail with the guide, in blocks of pixels. Returns the correlation. */
static double correlation_at(const ter_world *world, int lod, int block)
{
    const int side = PIXELS / block, per = (block * PIXEL_M) >> lod, first = -((PIXEL_M / 2) >> lod);
    const int wide = side * per;
    float *land = malloc((size_t)(wide * wide) * sizeof *land);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_rect rect = rect_at(world, corner, lod, wide, wide);
    rect.i += first;
    rect.j += first;
    assert_non_null(land);
    assert_ok(fill_rect_heights(generator, world, &rect, land, (size_t)wide));
    double a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
    for (int n = 0; n < side * side; n++) {
        double mean = 0.0, wanted = 0.0;
        for (int k = 0; k < per * per; k++)
            mean += land[(n / side * per + k / per) * wide + n % side * per + k % per] / (double)(per * per);
        for (int k = 0; k < block * block; k++)
            wanted += heights[(n / side * block + k / block) * PIXELS + n % side * block + k % block] /
                      (double)(block * block);
        a += mean;
        b += wanted;
        aa += mean * mean;
        bb += wanted * wanted;
        ab += mean * wanted;
    }
    const double count = side * side;
    free(land);
    ter_generator_destroy(generator);
    return (ab - a * b / count) / sqrt((aa - a * a / count) * (bb - b * b / count));
}

/** The land follows the guide in points, means and overviews, down to levels whose cells are broader than those of the
 * guide. */
static void test_means(void **state)
{
    static const struct {
        int lod, block; /* pixels */
        double least;   /* correlation */
    } cases[] = {{7, 1, 0.98}, {9, 1, 0.98}, {11, 1, 0.95}, {13, 4, 0.95}};
    (void)state;
    ter_world *world = guided_world();
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const double got = correlation_at(world, cases[n].lod, cases[n].block);
        if (!(got >= cases[n].least))
            fail_msg("lod %d: correlation %.4f, expected %.2f", cases[n].lod, got, cases[n].least);
    }
    ter_world_destroy(world);
}

static void test_downhill(void **state)
{
    (void)state;
    ter_world *world = guided_world();
    for (int level = world->fluvial.guide_level; level <= TER_NETWORK_LAST; level++) {
        const edge_counts c = count_edges(world, level);
        assert_true(c.edges > 1000 && c.across > 20);
        assert_int_equal(c.uphill, 0);
    }
    ter_world_destroy(world);
}

/** Compare all layers of a window at a level of detail with those of a finer level. fine: lod 3, 65 x 65 points */
static void compare_levels(ter_generator *generator, const ter_world *world, const int64_t place[2], int lod,
                           const float *const fine[TER_LAYER_COUNT])
{
    enum { FINE = 65 };
    static layer_set coarse;
    const int step = 1 << (lod - 3), side = (FINE - 1) / step + 1;
    const ter_rect rect = rect_at(world, place, lod, side < SIDE ? side : SIDE, side < SIDE ? side : SIDE);
    fill(generator, world, &rect, &coarse);
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        for (int n = 0; n < rect.width * rect.height; n++) {
            const int x = n % (int)rect.width * step, y = n / (int)rect.width * step;
            assert_int_equal(float_bits(coarse.at[layer][n]), float_bits(fine[layer][y * FINE + x]));
        }
}

/** Levels of detail agree inside the guide, and across its western rim. */
static void test_levels(void **state)
{
    enum { FINE = 65 };
    static float fine[TER_LAYER_COUNT][FINE * FINE];
    const float *arrays[TER_LAYER_COUNT];
    const int64_t at[2][2] = {{corner[0] + 16384, corner[1] + 16384}, {corner[0] - 8192, corner[1] + 8192}};
    (void)state;
    ter_world *world = guided_world();
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_generator *by_point = generator_of(TER_METHOD_SINGLE_PASS, 2, TER_SIMD_AUTO);
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        arrays[layer] = fine[layer];
    for (int n = 0; n < 2; n++) {
        const ter_rect rect = rect_at(world, at[n], 3, FINE, FINE);
        float_layers out;
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            out.at[layer] = fine[layer];
        assert_ok(fill_rect_layers(generator, world, &rect, &out, FINE));
        for (int lod = 4; lod <= 8; lod++)
            compare_levels(lod % 2 ? generator : by_point, world, at[n], lod, arrays);
    }
    ter_generator_destroy(by_point);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void test_threads(void **state)
{
    ter_guide_report reports[2] = {{TER_SIZED(ter_guide_report)}, {TER_SIZED(ter_guide_report)}};
    (void)state;
    for (int n = 0; n < 2; n++) {
        ter_guide_options options = options_of_guide();
        options.threads = n == 0 ? 1 : 3;
        ter_world *world = world_with(&options);
        assert_ok(ter_world_guide_report(world, &reports[n]));
        ter_world_destroy(world);
    }
    assert_string_equal(reports[0].checksum, reports[1].checksum);
}

static int is_always(void *user)
{
    (void)user;
    return 1;
}

/** Damaged, cut and foreign bytes are refused, wherever they differ. */
static void refuse_stored(const ter_params *params, const unsigned char *bytes, size_t size)
{
    unsigned char *damaged = malloc(size + 64);
    assert_non_null(damaged);
    memcpy(damaged, bytes, size);
    memset(damaged + size, 0, 64);
    uint64_t state = 5;
    for (int n = 0; n < 400; n++) {
        const size_t at = n < 320 ? (size_t)n : test_random(&state) % size;
        damaged[at] ^= 16;
        assert_int_equal(ter_params_restore_guide(params, damaged, size), TER_EINVAL);
        damaged[at] ^= 16;
    }
    const size_t sizes[] = {0, 1, 15, 64, 1000, size / 2, size - 1, size + 1, size + 64};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        assert_int_equal(ter_params_restore_guide(params, damaged, sizes[n]), TER_EINVAL);
    ter_params other = *params;
    other.seed++;
    assert_int_equal(ter_params_restore_guide(&other, bytes, size), TER_EINVAL);
    other = *params;
    other.sea = 1.0;
    assert_int_equal(ter_params_restore_guide(&other, bytes, size), TER_EINVAL);
    free(damaged);
}

/** A guide takes stored tables instead of making them, and refuses others. */
static void test_stored(void **state)
{
    ter_guide_report report = {TER_SIZED(ter_guide_report)}, again = report;
    ter_guide_options options = options_of_guide();
    ter_params params;
    ter_guide *guide = NULL;
    size_t size = 0, same = 0;
    float height, other;
    char name[TER_GUIDE_CHECKSUM], name_again[TER_GUIDE_CHECKSUM];
    (void)state;
    ter_world *made = guided_world();
    assert_ok(ter_world_guide_report(made, &report));
    assert_ok(ter_world_store_guide(made, NULL, 0, &size));
    unsigned char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(ter_world_store_guide(made, bytes, size - 1, &same), TER_EINVAL);
    assert_ok(ter_world_store_guide(made, bytes, size, &same));
    assert_int_equal(size, same);
    assert_ok(ter_params_name_guide(ter_world_params(made), name));

    options.is_cancelled = is_always; /* so that no tables can be made */
    assert_ok(ter_guide_create(&options, &guide));
    ter_params_default(&params);
    params.continents = 0.0;
    assert_int_equal(ter_params_name_guide(&params, name_again), TER_EINVAL);
    assert_int_equal(ter_params_restore_guide(&params, bytes, size), TER_EINVAL);
    params.guide = guide;
    assert_ok(ter_params_name_guide(&params, name_again));
    assert_string_equal(name, name_again);
    ter_world *world = NULL;
    assert_int_equal(ter_world_create(&params, &world), TER_ECANCELLED);
    refuse_stored(&params, bytes, size);
    assert_ok(ter_params_restore_guide(&params, bytes, size));
    assert_ok(ter_params_restore_guide(&params, bytes, size)); /* a second time: nothing changes */
    assert_ok(ter_world_create(&params, &world));
    assert_ok(ter_world_guide_report(world, &again));
    assert_memory_equal(&report, &again, sizeof report);
    assert_true(world->fluvial.guide_key == made->fluvial.guide_key);
    assert_ok(ter_world_height(made, 20, corner[0] + 5000, corner[1] + 7000, &height));
    assert_ok(ter_world_height(world, 20, corner[0] + 5000, corner[1] + 7000, &other));
    assert_int_equal(float_bits(height), float_bits(other));
    ter_world_destroy(world);
    ter_world_destroy(made);
    ter_guide_destroy(guide);
    free(bytes);
}

static void test_far_away(void **state)
{
    static layer_set with, without;
    const int64_t far[2] = {corner[0] + 2000000, corner[1]}, near_rim[2] = {corner[0] - 4096, corner[1]};
    (void)state;
    ter_world *guided = guided_world(), *plain = world_with(NULL);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect same = rect_at(plain, far, 6, SIDE, SIDE), other = rect_at(plain, near_rim, 6, SIDE, SIDE);
    fill(generator, guided, &same, &with);
    fill(generator, plain, &same, &without);
    assert_memory_equal(&with, &without, sizeof with);
    fill(generator, guided, &other, &with);
    fill(generator, plain, &other, &without);
    assert_memory_not_equal(&with, &without, sizeof with);
    ter_generator_destroy(generator);
    ter_world_destroy(plain);
    ter_world_destroy(guided);
}

static void test_sea_around(void **state)
{
    (void)state;
    ter_guide_options options = options_of_guide();
    options.surround = TER_GUIDE_SEA;
    ter_world *world = world_with(&options);
    for (int n = 0; n < 40; n++) {
        float height;
        const int64_t away = 60000 + 50000 * (n / 4), middle = PIXELS * PIXEL_M / 2;
        const int64_t x = corner[0] + (n % 4 == 0 ? -away : n % 4 == 1 ? 2 * middle + away : middle);
        const int64_t z = corner[1] + (n % 4 == 2 ? -away : n % 4 == 3 ? 2 * middle + away : middle);
        assert_ok(ter_world_height(world, 20, x, z, &height));
        assert_true(height < -100.0f);
    }
    ter_world_destroy(world);
}

/** Mean of a layer in the middle of the western or eastern half of the guide, over SIDE x SIDE samples 64 m apart. */
static double mean_of_half(const ter_world *world, bool is_east, ter_layer layer)
{
    static layer_set land;
    const int64_t half = (int64_t)PIXELS * PIXEL_M / 2;
    const int64_t at[2] = {corner[0] + (is_east ? half : 0) + half / 2 - SIDE * 32, corner[1] + half - SIDE * 32};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const ter_rect rect = rect_at(world, at, 6, SIDE, SIDE);
    double sum = 0.0;
    fill(generator, world, &rect, &land);
    for (int n = 0; n < SIDE * SIDE; n++)
        sum += (double)land.at[layer][n];
    ter_generator_destroy(generator);
    return sum / (SIDE * SIDE);
}

/** Rasters are 0.9 in their western half and 0.1 in the eastern one. The layers of the land have these values. With
 * such a raster of relief, hillsides are 0.9 and 0.1 times as steep as without it. */
static void test_rasters(void **state)
{
    static float halves[PIXELS * PIXELS], high[PIXELS * PIXELS]; /* beds of seas have no plateaus */
    static const ter_layer layers[] = {TER_LAYER_PLATEAU, TER_LAYER_DRYNESS, TER_LAYER_ICE};
    static const ter_guide_raster rasters[] = {TER_GUIDE_PLATEAU, TER_GUIDE_DRYNESS, TER_GUIDE_ICE};
    (void)state;
    for (int n = 0; n < PIXELS * PIXELS; n++) {
        halves[n] = n % PIXELS < PIXELS / 2 ? 0.9f : 0.1f;
        high[n] = heights[n] + 1000.0f;
    }
    halves[0] = NAN;
    for (int n = 0; n < 3; n++) {
        ter_guide_options options = options_of_guide();
        options.heights = high;
        options.rasters[rasters[n]] = halves;
        ter_world *world = world_with(&options);
        for (int is_east = 0; is_east <= 1; is_east++) {
            const double mean = mean_of_half(world, is_east, layers[n]), wanted = is_east ? 0.1 : 0.9;
            if (!(fabs(mean - wanted) < 0.02))
                fail_msg("%s %d: %g, expected %g", ter_guide_raster_name(rasters[n]), is_east, mean, wanted);
        }
        ter_world_destroy(world);
    }
    ter_guide_options options = options_of_guide();
    options.heights = high;
    ter_world *plain = world_with(&options);
    options.rasters[TER_GUIDE_RELIEF] = halves;
    ter_world *world = world_with(&options);
    for (int is_east = 0; is_east <= 1; is_east++) {
        const double factor =
            mean_of_half(world, is_east, TER_LAYER_RELIEF) / mean_of_half(plain, is_east, TER_LAYER_RELIEF);
        assert_true(fabs(factor - (is_east ? 0.1 : 0.9)) < 0.04);
    }
    ter_world_destroy(plain);
    ter_world_destroy(world);
}

/** Checksums of rasters, and rasters that are refused. */
static void test_raster_values(void **state)
{
    static float values[PIXELS * PIXELS];
    char text[TER_GUIDE_CHECKSUM], other[TER_GUIDE_CHECKSUM];
    ter_guide *guide = NULL;
    (void)state;
    ter_guide_options options = options_of_guide();
    options.rasters[TER_GUIDE_ICE] = values;
    assert_ok(ter_guide_create(&options, &guide));
    ter_guide_raster_checksum(guide, TER_GUIDE_ICE, text);
    ter_guide_raster_checksum(guide, TER_GUIDE_DRYNESS, other);
    assert_int_equal(strlen(text), TER_GUIDE_CHECKSUM - 1);
    assert_string_equal(other, "");
    ter_guide_destroy(guide);
    guide = NULL;
    values[PIXELS + 1] = 1.5f;
    assert_int_equal(ter_guide_create(&options, &guide), TER_EINVAL);
    assert_non_null(strstr(ter_error_detail(), "ice of pixel (1, 1) of the guide is 1.5, expected 0 to 1"));
    for (int n = 0; n < PIXELS * PIXELS; n++)
        values[n] = NAN;
    assert_int_equal(ter_guide_create(&options, &guide), TER_EINVAL);
    assert_non_null(strstr(ter_error_detail(), "no pixel of the guide has a value for ice"));
}

static void test_refusals(void **state)
{
    static float none[4] = {NAN, NAN, NAN, NAN}, high[4] = {0.0f, 0.0f, 30000.0f, 0.0f};
    (void)state;
    for (int n = 0; n < 7; n++) {
        ter_guide_options options = options_of_guide();
        ter_guide *guide = NULL;
        options.cols = n == 0 ? 1 : n < 3 ? 2 : PIXELS;
        options.rows = n < 3 ? 2 : PIXELS;
        options.heights = n == 1 ? none : n == 2 ? high : heights;
        options.spacing = n == 3 ? 0.0 : n == 4 ? NAN : PIXEL_M;
        options.level = n == 5 ? 9 : 0;
        options.surround = n == 6 ? TER_GUIDE_SURROUND_COUNT : TER_GUIDE_ENDLESS;
        assert_int_equal(ter_guide_create(&options, &guide), TER_EINVAL);
        assert_null(guide);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_means),    cmocka_unit_test(test_downhill),   cmocka_unit_test(test_levels),
        cmocka_unit_test(test_far_away), cmocka_unit_test(test_sea_around), cmocka_unit_test(test_rasters),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_stored),     cmocka_unit_test(test_raster_values),
    };
    const struct CMUnitTest threads[] = {cmocka_unit_test(test_threads)};
    backend_from_arguments(argc, argv);
    make_heights();
    const int n_failed = cmocka_run_group_tests(threads, NULL, NULL);
    return CHECKS_THREADS_ONLY ? n_failed : n_failed + cmocka_run_group_tests(tests, NULL, NULL);
}
