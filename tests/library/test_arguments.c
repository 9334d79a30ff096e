/* test_arguments.c - invalid arguments are refused with a sentence that names them: NULL, numbers outside their range,
 * and sizes whose products overflow. For morphs, probes and GL buffers see test_morph_arguments.c, for sizes of
 * structures test_struct_sizes.c. */
#include "refused_calls.h"
#include "short_calls.h"

#include <math.h>

static ter_params params;
static ter_world *world;
static ter_generator *generator;
static ter_fetch *fetch;

enum { SIDE = 8 };

static int set_up(void **state)
{
    (void)state;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    world = world_of(&params);
    generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    assert_ok(create_fetch(generator, (size_t)SIDE * SIDE, &fetch));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ter_fetch_destroy(fetch);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return 0;
}

static const ter_rect rect = {20, 0, 0, SIDE, SIDE};
static const ter_tile tile = {20, 0, 0};
static const tiles_layout layout = {SIDE, SIDE, SIDE, SIDE *SIDE, NULL};
static float out[2 * SIDE * SIDE];
static uint16_t samples[SIDE * SIDE];

/** Values outside an enum have no name, unit or meaning. The names of backends and the texts of statuses are never
 * NULL. */
static void test_names(void **state)
{
    (void)state;
    for (int n = -1; n <= 1000; n += n < 20 ? 1 : 980) {
        assert_int_equal(!ter_method_name((ter_method)n), n < 0 || n >= TER_METHOD_COUNT);
        assert_int_equal(!ter_simd_name((ter_simd)n), n < 0 || n >= TER_SIMD_COUNT);
        assert_int_equal(!ter_basis_name((ter_basis)n), n < 0 || n >= TER_BASIS_COUNT);
        assert_int_equal(!ter_layer_name((ter_layer)n), n < 0 || n >= TER_LAYER_COUNT);
        assert_int_equal(!ter_layer_unit((ter_layer)n), n < 0 || n >= TER_LAYER_COUNT);
        assert_int_equal(!ter_layer_meaning((ter_layer)n), n < 0 || n >= TER_LAYER_COUNT);
        assert_int_equal(ter_world_has_layer(world, (ter_layer)n), n == TER_LAYER_HEIGHT);
        assert_non_null(ter_backend_name((ter_backend)n));
        assert_non_null(ter_status_text((ter_status)n));
    }
    assert_int_equal(ter_version_number(), TER_VERSION_NUMBER);
}

static void test_null_worlds(void **state)
{
    (void)state;
    ter_world *made;
    double amplitude_m[TER_LEVELS_MAX + 1];
    NULL_OF(ter_world_create(NULL, &made), "params");
    NULL_OF(ter_world_create(&params, NULL), "out");
    NULL_OF(ter_params_amplitudes(NULL, amplitude_m), "params");
    NULL_OF(ter_params_amplitudes(&params, NULL), "out_m");
    NULL_OF(ter_world_height(NULL, 0, 0, 0, out), "world");
    NULL_OF(ter_world_height(world, 0, 0, 0, NULL), "out_m");
    NULL_OF(ter_device_describe(0, NULL), "out");
}

static void test_points_outside_the_world(void **state)
{
    (void)state;
    const int64_t limit = TER_COORDINATE_MAX;
    REFUSED(ter_world_height(world, -1, 0, 0, out), "level is -1");
    REFUSED(ter_world_height(world, 25, 0, 0, out), "level is 25, expected 0 to 24");
    REFUSED(ter_world_height(world, 24, 16 * limit + 1, 0, out), "leaves the world");
    REFUSED(ter_world_height(world, 20, limit + 1, 0, out), "leaves the world");
    REFUSED(ter_world_height(world, 20, 0, -limit - 1, out), "leaves the world");
    REFUSED(ter_world_height(world, 19, 0, limit / 2 + 1, out), "leaves the world");
    assert_ok(ter_world_height(world, 20, limit, -limit, out));
}

static void test_null_fills(void **state)
{
    (void)state;
    const ter_region region = ter_region_of_rect(&rect), tiles = ter_region_of_tiles(NULL, 1, SIDE, SIDE),
                     none = {TER_SIZED(ter_region), rect, NULL, 1};
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = out}, nowhere = {.layer = TER_LAYER_HEIGHT};
    const ter_target target = ter_target_of_outputs(&output, 1), no_outputs = ter_target_of_outputs(NULL, 1),
                     no_samples = ter_target_of_outputs(&nowhere, 1);
    void *memory;
    NULL_OF(ter_generator_create(NULL, NULL), "out");
    NULL_OF(ter_fill(NULL, world, &region, &target), "generator");
    NULL_OF(ter_fill(generator, NULL, &region, &target), "world");
    NULL_OF(ter_fill(generator, world, NULL, &target), "region");
    NULL_OF(ter_fill(generator, world, &region, NULL), "target");
    NULL_OF(ter_fill(generator, world, &tiles, &target), "region->tiles");
    NULL_OF(ter_fill(generator, world, &none, &target), "region->tiles");
    NULL_OF(ter_fill(generator, world, &region, &no_outputs), "target->outputs");
    NULL_OF(ter_fill(generator, world, &region, &no_samples), "target->outputs[].samples");
    NULL_OF(ter_generator_wait(NULL, NULL), "generator");
    NULL_OF(ter_quantise_values(NULL, 1, 0, 1, samples), "values");
    NULL_OF(ter_quantise_values(out, 1, 0, 1, NULL), "out");
    NULL_OF(ter_host_memory_create(NULL, 1, &memory), "generator");
    NULL_OF(ter_host_memory_create(generator, 1, NULL), "out");
    ter_generator_destroy(NULL);
    ter_host_memory_destroy(generator, NULL);
}

/** Fill a region into one float array. */
static ter_status fill_region(const ter_region *region)
{
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = out};
    const ter_target target = ter_target_of_outputs(&output, 1);
    return ter_fill(generator, world, region, &target);
}

static void test_bad_regions(void **state)
{
    (void)state;
    const int64_t limit = TER_COORDINATE_MAX, most = INT64_C(1) << 31;
    static const struct {
        int64_t width, height;
    } empty[] = {{0, 4}, {4, 0}, {-1, 4}, {4, -1}, {INT64_MIN, 4}, {4, 4 - (INT64_C(1) << 32)}};
    const ter_rect outside[] = {
        {25, 0, 0, 2, 2},          {-1, 0, 0, 2, 2},         {20, limit, 0, 2, 2},     {20, 0, limit, 2, 2},
        {20, -limit - 1, 0, 2, 2}, {20, 0, INT64_MIN, 2, 2}, {20, INT64_MAX, 0, 2, 2}, {0, INT64_C(1) << 40, 0, 2, 2}};
    for (size_t n = 0; n < sizeof empty / sizeof empty[0]; n++) {
        const ter_rect bad = {20, 0, 0, empty[n].width, empty[n].height};
        const ter_region regions[2] = {ter_region_of_rect(&bad),
                                       ter_region_of_tiles(&tile, 1, empty[n].width, empty[n].height)};
        for (int k = 0; k < 2; k++)
            REFUSED(fill_region(&regions[k]), " points, expected ");
    }
    for (size_t n = 0; n < sizeof outside / sizeof outside[0]; n++) {
        const ter_tile tiles[2] = {tile, {outside[n].level, outside[n].i, outside[n].j}};
        const ter_region regions[2] = {ter_region_of_rect(&outside[n]), ter_region_of_tiles(tiles, 2, 2, 2)};
        for (int k = 0; k < 2; k++)
            REFUSED(fill_region(&regions[k]), n < 2 ? "level is" : "leaves the world");
    }
    const ter_rect wide[] = {{20, 0, 0, most, 1}, {20, 0, 0, 1, most}};
    for (int n = 0; n < 2; n++) {
        const ter_region regions[2] = {ter_region_of_rect(&wide[n]),
                                       ter_region_of_tiles(&tile, 1, wide[n].width, wide[n].height)};
        for (int k = 0; k < 2; k++)
            REFUSED(fill_region(&regions[k]), "2^31 - 1 a side");
    }
}

/** Fill the rectangle into a target with these outputs. */
static ter_status fill_outputs(const ter_world *of, const ter_output *outputs, size_t count, ter_sample_type type)
{
    const ter_region region = ter_region_of_rect(&rect);
    ter_target target = ter_target_of_outputs(outputs, count);
    target.sample_type = type;
    return ter_fill(generator, of, &region, &target);
}

static void test_bad_outputs(void **state)
{
    (void)state;
    static float water[SIDE * SIDE];
    const ter_output one = {.layer = TER_LAYER_HEIGHT, .samples = out};
    const ter_output none[] = {{.layer = (ter_layer)-1, .samples = out}, {.layer = TER_LAYER_COUNT, .samples = out}};
    const ter_output twice[] = {one, {.layer = TER_LAYER_WATER, .samples = water}, one};
    REFUSED(fill_outputs(world, &one, 0, TER_SAMPLE_FLOAT), "no layer");
    REFUSED(fill_outputs(world, &none[0], 1, TER_SAMPLE_FLOAT), "layer -1");
    REFUSED(fill_outputs(world, &none[1], 1, TER_SAMPLE_FLOAT), "layer 19, expected 0 to 18");
    REFUSED(fill_outputs(world, twice, 3, TER_SAMPLE_FLOAT), "layer height twice");
    REFUSED(fill_outputs(world, twice, 2, TER_SAMPLE_FLOAT), "layer water, expected a world of basis fluvial");
    REFUSED(fill_outputs(world, &one, 1, (ter_sample_type)2), "sample_type is 2");
    REFUSED(fill_outputs(world, &one, 1, (ter_sample_type)-1), "sample_type is -1");
    const ter_output ranges[] = {
        {TER_LAYER_HEIGHT, samples, 1.0, 1.0},       {TER_LAYER_HEIGHT, samples, 2.0, 1.0},
        {TER_LAYER_HEIGHT, samples, 0.0, 0.0},       {TER_LAYER_HEIGHT, samples, NAN, 1.0},
        {TER_LAYER_HEIGHT, samples, 0.0, NAN},       {TER_LAYER_HEIGHT, samples, 0.0, INFINITY},
        {TER_LAYER_HEIGHT, samples, -INFINITY, 0.0}, {TER_LAYER_HEIGHT, samples, -1e308, 1e308}};
    for (size_t n = 0; n < sizeof ranges / sizeof ranges[0]; n++) {
        REFUSED(fill_outputs(world, &ranges[n], 1, TER_SAMPLE_U16), "range");
        REFUSED(ter_quantise_values(out, 1, ranges[n].lo, ranges[n].hi, samples), "range");
        REFUSED(start_fetch_u16(fetch, world, &rect, ranges[n].lo, ranges[n].hi), "range");
        const ter_output floats = {TER_LAYER_HEIGHT, out, ranges[n].lo, ranges[n].hi};
        assert_ok(fill_outputs(world, &floats, 1, TER_SAMPLE_FLOAT)); /* the range is not read for floats */
    }
}

static void test_bad_memory(void **state)
{
    (void)state;
    const ter_region region = ter_region_of_rect(&rect);
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = out, .hi = 1.0};
    ter_target target = ter_target_of_outputs(&output, 1);
    for (int memory = -1; memory <= 2; memory += 3) {
        target.memory = (ter_memory)memory;
        REFUSED(ter_fill(generator, world, &region, &target), memory < 0 ? "memory is -1" : "memory is 2");
    }
    if (backend_under_test != TER_BACKEND_CPU)
        return;
    target.memory = TER_MEMORY_DEVICE;
    NO_BACKEND(ter_fill(generator, world, &region, &target), "backend cpu has no device memory");
    target.sample_type = TER_SAMPLE_U16;
    NO_BACKEND(ter_fill(generator, world, &region, &target), "backend cpu has no device memory");
    assert_int_equal(ter_generator_wait(generator, NULL), TER_ENOBACKEND);
    assert_null(ter_generator_stream(generator));
}

static void test_devices_that_do_not_exist(void **state)
{
    (void)state;
    const int count = ter_device_count(NULL, 0), devices[] = {-1, count, INT32_MAX, INT32_MIN};
    for (size_t n = 0; n < sizeof devices / sizeof devices[0]; n++) {
        const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CUDA,
                                               .device = devices[n]};
        ter_generator *made = NULL;
        ter_device found = {TER_SIZED(ter_device), .multiprocessors = 77};
        assert_int_equal(ter_device_describe(devices[n], &found), TER_ENOBACKEND);
        assert_int_equal(found.multiprocessors, 77);
        assert_int_equal(ter_generator_create(&options, &made), TER_ENOBACKEND);
        assert_null(made);
    }
}

static void test_null_fetches_and_statistics(void **state)
{
    (void)state;
    ter_fetch *made;
    const ter_fetched *fetched;
    const ter_fetch_options options = {TER_SIZED(ter_fetch_options), .samples_max = 1};
    const ter_fetch_request no_layers = {TER_SIZED(ter_fetch_request), .n_layers = 1};
    const ter_histogram nowhere = {TER_SIZED(ter_histogram), .hi = 1.0f, .bins = 3};
    ter_statistics found = {TER_SIZED(ter_statistics)};
    NULL_OF(ter_fetch_create(NULL, &options, &made), "generator");
    NULL_OF(ter_fetch_create(generator, NULL, &made), "options");
    NULL_OF(ter_fetch_create(generator, &options, NULL), "out");
    NULL_OF(ter_fetch_start(NULL, world, &rect, NULL), "fetch");
    NULL_OF(ter_fetch_start(fetch, NULL, &rect, NULL), "world");
    NULL_OF(ter_fetch_start(fetch, world, NULL, NULL), "rect");
    NULL_OF(ter_fetch_start(fetch, world, &rect, &no_layers), "request->layers");
    NULL_OF(ter_fetch_wait(NULL, &fetched), "fetch");
    NULL_OF(ter_fetch_wait(fetch, NULL), "out");
    NULL_OF(ter_generator_statistics(NULL, world, &rect, NULL, &found), "generator");
    NULL_OF(ter_generator_statistics(generator, NULL, &rect, NULL, &found), "world");
    NULL_OF(ter_generator_statistics(generator, world, NULL, NULL, &found), "rect");
    NULL_OF(ter_generator_statistics(generator, world, &rect, NULL, NULL), "out");
    NULL_OF(ter_generator_statistics(generator, world, &rect, &nowhere, &found), "histogram->counts");
    ter_fetch_destroy(NULL);
}

static void test_bad_fetches(void **state)
{
    (void)state;
    enum { MOST = TER_LAYER_COUNT };
    static const ter_layer layers[] = {TER_LAYER_HEIGHT, TER_LAYER_WATER, TER_LAYER_HEIGHT, TER_LAYER_COUNT,
                                       (ter_layer)-1};
    const ter_fetch_options many = {TER_SIZED(ter_fetch_options), (size_t)SIDE * SIDE, MOST};
    ter_fetch *several = NULL, *made = NULL;
    ter_params fluvial;
    ter_params_default(&fluvial);
    ter_world *wet = world_of(&fluvial);
    assert_ok(ter_fetch_create(generator, &many, &several));
    const struct {
        ter_fetch *fetch;
        const ter_world *world;
        ter_fetch_request request;
        const char *words;
    } bad[] = {
        {fetch, wet, {.layers = layers, .n_layers = 2}, "2 layers, expected 1 to the fetch's 1"},
        {several, wet, {.layers = layers, .n_layers = 0}, "0 layers, expected 1 to the fetch's 19"},
        {several, wet, {.layers = layers, .n_layers = 20}, "20 layers, expected 1 to the fetch's 19"},
        {several, wet, {.layers = layers, .n_layers = 3}, "each once"},
        {several, wet, {.layers = layers + 3, .n_layers = 1}, "layer 19, expected 0 to 18"},
        {several, wet, {.layers = layers + 4, .n_layers = 1}, "layer -1"},
        {several, world, {.layers = layers, .n_layers = 2}, "layer water, expected a world of basis fluvial"},
        {several, wet, {.sample_type = (ter_sample_type)2, .hi = 1}, "sample_type is 2"},
        {several, wet, {.sample_type = (ter_sample_type)-1, .hi = 1}, "sample_type is -1"},
        {several, wet, {.layers = layers, .n_layers = 2, .sample_type = TER_SAMPLE_U16, .hi = 1}, "samples only"},
        {several, wet, {.layers = layers + 1, .n_layers = 1, .sample_type = TER_SAMPLE_U16, .hi = 1}, "samples only"}};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        ter_fetch_request request = bad[n].request;
        request.struct_size = sizeof request;
        REFUSED(ter_fetch_start(bad[n].fetch, bad[n].world, &rect, &request), bad[n].words);
    }
    const ter_rect large = {20, 0, 0, SIDE, SIDE + 1}, empty = {20, 0, 0, 0, 1};
    REFUSED(ter_fetch_start(fetch, world, &large, NULL), "rectangle of 8 x 9 points, expected at most the fetch's 64");
    REFUSED(ter_fetch_start(fetch, world, &empty, NULL), "0 x 1 points");
    const ter_fetch_options wrong[] = {{TER_SIZED(ter_fetch_options), 1, -1},
                                       {TER_SIZED(ter_fetch_options), 1, MOST + 1}};
    REFUSED(ter_fetch_create(generator, &wrong[0], &made), "-1 layers, expected 0 to 19");
    REFUSED(ter_fetch_create(generator, &wrong[1], &made), "20 layers, expected 0 to 19");
    assert_null(made);
    ter_fetch_destroy(several);
    ter_world_destroy(wet);
}

/** An array without elements may be NULL. Without tiles no array is read. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    const ter_target target = ter_target_of_outputs(NULL, 0);
    const ter_region none = ter_region_of_tiles(NULL, 0, SIDE, SIDE), some = {TER_SIZED(ter_region), rect, &tile, 0};
    assert_ok(ter_fill(generator, world, &none, &target));
    assert_ok(ter_fill(generator, world, &some, &target));
    assert_ok(ter_quantise_values(NULL, 0, 0, 1, NULL));
}

static void test_sizes_that_overflow(void **state)
{
    (void)state;
    const struct {
        size_t samples_max;
        int layers_max;
        const char *words;
    } bad[] = {{0, 1, "a fetch of at most 0 samples"},
               {((size_t)1 << 62) + 1, 1, "expected 1 to"},
               {SIZE_MAX, 1, "expected 1 to"},
               {(size_t)1 << 59, 9, "a fetch of 9 layers"}};
    ter_fetch *fetched = NULL;
    void *memory;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        const ter_fetch_options options = {TER_SIZED(ter_fetch_options), bad[n].samples_max, bad[n].layers_max};
        REFUSED(ter_fetch_create(generator, &options, &fetched), bad[n].words);
    }
    assert_null(fetched);
    REFUSED(ter_host_memory_create(generator, 0, &memory), "0 bytes");
}

/** Strides that are too small, and strides and slots that lead beyond the address space. Their products would overflow
 * to small numbers. */
static void test_bad_layouts(void **state)
{
    (void)state;
    const ter_tile tiles[2] = {{20, 0, 0}, {20, SIDE, 0}};
    const uint32_t far[2] = {0, UINT32_MAX};
    tiles_layout bad = layout;
    bad.row_stride = SIDE - 1;
    REFUSED(fill_tiles_heights(generator, world, tiles, 1, &bad, out),
            "row stride is 7, expected at least the width, 8");
    REFUSED(fill_rect_heights(generator, world, &rect, out, SIDE - 1), "row stride is 7");
    bad.row_stride = SIZE_MAX / (SIDE - 1) + 2; /* (height - 1) * row_stride overflows to 12 */
    REFUSED(fill_tiles_heights(generator, world, tiles, 1, &bad, out), "row stride");
    REFUSED(fill_rect_heights(generator, world, &rect, out, bad.row_stride), "row stride");
    bad = layout;
    bad.slot_stride = SIZE_MAX / 2;
    bad.slots = far;
    REFUSED(fill_tiles_heights(generator, world, tiles, 2, &bad, out), "slot 4294967295");
    bad.slot_stride = (size_t)1 << 30; /* 2^62 fits a size_t, but 2^62 floats do not fit the address space */
    REFUSED(fill_tiles_heights(generator, world, tiles, 2, &bad, out), "slot 4294967295");
    bad = layout;
    bad.slot_stride = SIDE * SIDE - 1;
    REFUSED(fill_tiles_heights(generator, world, tiles, 2, &bad, out), "slot stride is 63");
    bad.row_stride = SIDE + 1;
    bad.slot_stride = 7 * (SIDE + 1) + SIDE - 1;
    REFUSED(fill_tiles_heights(generator, world, tiles, 2, &bad, out),
            "slot stride is 70, expected at least a tile's extent, 71");
    bad.slot_stride = 0; /* 0: the default, height * row_stride */
    bad.row_stride = SIZE_MAX / SIDE + 2;
    REFUSED(fill_tiles_heights(generator, world, tiles, 2, &bad, out), "row stride");
}

static void test_options(void **state)
{
    (void)state;
    ter_generator *made = NULL;
    const struct {
        ter_generator_options options;
        const char *words;
    } bad[] = {{{.backend = (ter_backend)7}, "backend is 7"},
               {{.backend = (ter_backend)-1}, "backend is -1"},
               {{.method = (ter_method)3}, "method is 3"},
               {{.threads = -1}, "threads is -1"},
               {{.threads = TER_THREADS_MAX + 1}, "threads is 4097"},
               {{.threads = INT32_MAX}, "threads is 2147483647"}};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        ter_generator_options options = bad[n].options;
        options.struct_size = sizeof options;
        REFUSED(ter_generator_create(&options, &made), bad[n].words);
    }
    const ter_generator_options no_simd = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU,
                                           .simd = (ter_simd)9};
    assert_int_equal(ter_generator_create(&no_simd, &made), TER_ENOBACKEND);
    assert_null(made);
}

static void test_fetch_that_was_not_started(void **state)
{
    (void)state;
    const ter_fetched *fetched = NULL;
    const ter_rect outside = {25, 0, 0, 1, 1};
    REFUSED(ter_fetch_wait(fetch, &fetched), "started");
    assert_null(fetched);
    assert_ok(ter_fetch_start(fetch, world, &rect, NULL));
    assert_ok(ter_fetch_wait(fetch, &fetched));
    REFUSED(ter_fetch_start(fetch, world, &outside, NULL), "level is 25");
    REFUSED(ter_fetch_wait(fetch, &fetched), "started");
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_null_worlds),
        cmocka_unit_test(test_points_outside_the_world),
        cmocka_unit_test(test_null_fills),
        cmocka_unit_test(test_bad_regions),
        cmocka_unit_test(test_bad_outputs),
        cmocka_unit_test(test_bad_memory),
        cmocka_unit_test(test_devices_that_do_not_exist),
        cmocka_unit_test(test_fetch_that_was_not_started),
        cmocka_unit_test(test_null_fetches_and_statistics),
        cmocka_unit_test(test_bad_fetches),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_sizes_that_overflow),
        cmocka_unit_test(test_bad_layouts),
        cmocka_unit_test(test_options),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
