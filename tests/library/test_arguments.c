/* test_arguments.c - arguments that no call can do anything with: NULL, and sizes whose products overflow. Each is
 * refused, by a sentence that names it. */
#include "backend_under_test.h"

#include <math.h>

static ter_params params;
static ter_world *world;
static ter_generator *generator;
static ter_fetch *fetch;
static ter_morph *morph;
static ter_probe *probe;

enum { SIDE = 8 };

static int set_up(void **state)
{
    (void)state;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    world = world_of(&params);
    generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    assert_ok(ter_fetch_create(generator, SIDE * SIDE, &fetch));
    assert_ok(ter_morph_create(generator, 2, SIDE, SIDE, &morph));
    assert_ok(ter_probe_create(generator, &probe));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ter_probe_destroy(probe);
    ter_morph_destroy(morph);
    ter_fetch_destroy(fetch);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return 0;
}

/** A call is refused by a sentence that has these words. */
static void check_refused(ter_status status, const char *call, const char *words)
{
    if (status != TER_EINVAL)
        fail_msg("%s: %s, expected an invalid argument", call, ter_status_text(status));
    if (!strstr(ter_error_detail(), words))
        fail_msg("%s: '%s', expected '%s'", call, ter_error_detail(), words);
}

#define REFUSED(call, words) check_refused((call), #call, (words))
#define NULL_OF(call, name)  check_refused((call), #call, name " is NULL")

static const ter_rect rect = {20, 0, 0, SIDE, SIDE};
static const ter_tile tile = {20, 0, 0};
static const ter_tile_layout layout = {SIDE, SIDE, SIDE, SIDE *SIDE, NULL};
static const uint32_t held[2] = {0, 1};
static const ter_blend blend = {.begun = 0.5};
static const ter_probe_point place = {0, 0, 20, 0};
static float out[2 * SIDE * SIDE];
static uint16_t samples[SIDE * SIDE];

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

static void test_null_fills(void **state)
{
    (void)state;
    const int64_t points[1][2] = {{0, 0}};
    void *memory;
    NULL_OF(ter_generator_create(NULL, NULL), "out");
    NULL_OF(ter_generator_fill(NULL, world, &rect, out, SIDE), "generator");
    NULL_OF(ter_generator_fill(generator, NULL, &rect, out, SIDE), "world");
    NULL_OF(ter_generator_fill(generator, world, NULL, out, SIDE), "rect");
    NULL_OF(ter_generator_fill(generator, world, &rect, NULL, SIDE), "out");
    NULL_OF(ter_generator_fill_tiles(NULL, world, &tile, 1, &layout, out), "generator");
    NULL_OF(ter_generator_fill_tiles(generator, NULL, &tile, 1, &layout, out), "world");
    NULL_OF(ter_generator_fill_tiles(generator, world, NULL, 1, &layout, out), "tiles");
    NULL_OF(ter_generator_fill_tiles(generator, world, &tile, 1, NULL, out), "layout");
    NULL_OF(ter_generator_fill_tiles(generator, world, &tile, 1, &layout, NULL), "out");
    NULL_OF(ter_generator_fill_device(NULL, world, &rect, out, SIDE, NULL), "generator");
    NULL_OF(ter_generator_fill_device(generator, world, NULL, out, SIDE, NULL), "rect");
    NULL_OF(ter_generator_fill_device(generator, world, &rect, NULL, SIDE, NULL), "out");
    NULL_OF(ter_generator_fill_tiles_device(NULL, world, &tile, 1, &layout, out, NULL), "generator");
    NULL_OF(ter_generator_fill_tiles_device(generator, world, NULL, 1, &layout, out, NULL), "tiles");
    NULL_OF(ter_generator_wait(NULL, NULL), "generator");
    const ter_quantised_output quantised = {&layout, 0, 1, samples}, nowhere = {&layout, 0, 1, NULL},
                               nohow = {NULL, 0, 1, samples};
    NULL_OF(ter_generator_fill_tiles_device_u16(NULL, world, &tile, 1, &quantised, NULL), "generator");
    NULL_OF(ter_generator_fill_tiles_device_u16(generator, world, &tile, 1, NULL, NULL), "output");
    NULL_OF(ter_generator_fill_tiles_device_u16(generator, world, &tile, 1, &nowhere, NULL), "output->samples");
    NULL_OF(ter_generator_fill_tiles_device_u16(generator, world, &tile, 1, &nohow, NULL), "output->layout");
    NULL_OF(ter_generator_heights(NULL, world, 20, points, 1, out), "generator");
    NULL_OF(ter_generator_heights(generator, NULL, 20, points, 1, out), "world");
    NULL_OF(ter_generator_heights(generator, world, 20, NULL, 1, out), "points");
    NULL_OF(ter_generator_heights(generator, world, 20, points, 1, NULL), "out");
    NULL_OF(ter_quantise_heights(NULL, 1, 0, 1, samples), "heights");
    NULL_OF(ter_quantise_heights(out, 1, 0, 1, NULL), "out");
    NULL_OF(ter_host_memory_create(NULL, 1, &memory), "generator");
    NULL_OF(ter_host_memory_create(generator, 1, NULL), "out");
    ter_generator_destroy(NULL);
    ter_host_memory_destroy(generator, NULL);
}

static void test_null_fetches_and_statistics(void **state)
{
    (void)state;
    ter_fetch *made;
    ter_fetched fetched;
    ter_statistics found;
    NULL_OF(ter_fetch_create(NULL, 1, &made), "generator");
    NULL_OF(ter_fetch_create(generator, 1, NULL), "out");
    NULL_OF(ter_fetch_start(NULL, world, &rect), "fetch");
    NULL_OF(ter_fetch_start(fetch, NULL, &rect), "world");
    NULL_OF(ter_fetch_start(fetch, world, NULL), "rect");
    NULL_OF(ter_fetch_start_u16(NULL, world, &rect, 0, 1), "fetch");
    NULL_OF(ter_fetch_start_u16(fetch, NULL, &rect, 0, 1), "world");
    NULL_OF(ter_fetch_start_u16(fetch, world, NULL, 0, 1), "rect");
    NULL_OF(ter_fetch_wait(NULL, &fetched), "fetch");
    NULL_OF(ter_fetch_wait(fetch, NULL), "out");
    NULL_OF(ter_generator_statistics(NULL, world, &rect, NULL, &found), "generator");
    NULL_OF(ter_generator_statistics(generator, NULL, &rect, NULL, &found), "world");
    NULL_OF(ter_generator_statistics(generator, world, NULL, NULL, &found), "rect");
    NULL_OF(ter_generator_statistics(generator, world, &rect, NULL, NULL), "out");
    ter_fetch_destroy(NULL);
}

static void test_null_morphs(void **state)
{
    (void)state;
    const ter_layers layers = {.at = {[TER_LAYER_HEIGHT] = out}};
    const ter_layers none = {{0}};
    ter_morph *made;
    const ter_morph_tiles all = {20, &tile, held, 1}, no_tiles = {20, NULL, held, 1}, no_slots = {20, &tile, NULL, 1};
    NULL_OF(ter_morph_create(NULL, 1, SIDE, SIDE, &made), "generator");
    NULL_OF(ter_morph_create(generator, 1, SIDE, SIDE, NULL), "out");
    NULL_OF(ter_morph_load(NULL, 0, world, &tile, held, 1, NULL), "morph");
    NULL_OF(ter_morph_load(morph, 0, NULL, &tile, held, 1, NULL), "world");
    NULL_OF(ter_morph_load(morph, 0, world, NULL, held, 1, NULL), "tiles");
    NULL_OF(ter_morph_load(morph, 0, world, &tile, NULL, 1, NULL), "held");
    NULL_OF(ter_morph_load_by(NULL, generator, 0, world, &tile, held, 1, NULL), "morph");
    NULL_OF(ter_morph_load_by(morph, NULL, 0, world, &tile, held, 1, NULL), "generator");
    NULL_OF(ter_morph_take(NULL, 0, world, &layout, &layers, held, 1, NULL), "morph");
    NULL_OF(ter_morph_take(morph, 0, NULL, &layout, &layers, held, 1, NULL), "world");
    NULL_OF(ter_morph_take(morph, 0, world, NULL, &layers, held, 1, NULL), "layout");
    NULL_OF(ter_morph_take(morph, 0, world, &layout, NULL, held, 1, NULL), "in");
    NULL_OF(ter_morph_take(morph, 0, world, &layout, &none, held, 1, NULL), "in->at[TER_LAYER_HEIGHT]");
    NULL_OF(ter_morph_take(morph, 0, world, &layout, &layers, NULL, 1, NULL), "held");
    NULL_OF(ter_morph_blend(NULL, &blend, &all, &layout, out, NULL), "morph");
    NULL_OF(ter_morph_blend(morph, NULL, &all, &layout, out, NULL), "blend");
    NULL_OF(ter_morph_blend(morph, &blend, NULL, &layout, out, NULL), "tiles");
    NULL_OF(ter_morph_blend(morph, &blend, &no_tiles, &layout, out, NULL), "tiles->tiles");
    NULL_OF(ter_morph_blend(morph, &blend, &no_slots, &layout, out, NULL), "tiles->held");
    NULL_OF(ter_morph_blend(morph, &blend, &all, NULL, out, NULL), "layout");
    NULL_OF(ter_morph_blend(morph, &blend, &all, &layout, NULL, NULL), "out");
    NULL_OF(ter_morph_add_water(NULL), "morph");
    NULL_OF(ter_morph_blend_layers(NULL, &blend, &all, &layout, &layers, NULL), "morph");
    NULL_OF(ter_morph_blend_layers(morph, NULL, &all, &layout, &layers, NULL), "blend");
    NULL_OF(ter_morph_blend_layers(morph, &blend, NULL, &layout, &layers, NULL), "tiles");
    NULL_OF(ter_morph_blend_layers(morph, &blend, &all, NULL, &layers, NULL), "layout");
    NULL_OF(ter_morph_blend_layers(morph, &blend, &all, &layout, NULL, NULL), "out");
    NULL_OF(ter_morph_blend_layers_host(NULL, &blend, &all, &layers), "morph");
    NULL_OF(ter_morph_blend_layers_host(morph, NULL, &all, &layers), "blend");
    NULL_OF(ter_morph_blend_layers_host(morph, &blend, NULL, &layers), "tiles");
    NULL_OF(ter_morph_blend_layers_host(morph, &blend, &all, NULL), "out");
    NULL_OF(ter_morph_blend_host(NULL, &blend, &all, out), "morph");
    NULL_OF(ter_morph_blend_host(morph, NULL, &all, out), "blend");
    NULL_OF(ter_morph_blend_host(morph, &blend, NULL, out), "tiles");
    NULL_OF(ter_morph_blend_host(morph, &blend, &all, NULL), "out");
    ter_morph_destroy(NULL);
}

static void test_null_probes_and_buffers(void **state)
{
    (void)state;
    ter_probe *made;
    ter_gl_buffer *buffer;
    uint64_t ticket;
    int count;
    float heights[TER_PROBE_POINTS_MAX];
    NULL_OF(ter_probe_create(NULL, &made), "generator");
    NULL_OF(ter_probe_create(generator, NULL), "out");
    NULL_OF(ter_probe_over_water(NULL), "probe");
    NULL_OF(ter_probe_ask(NULL, world, &place, 1, 0), "probe");
    NULL_OF(ter_probe_ask(probe, NULL, &place, 1, 0), "world");
    NULL_OF(ter_probe_ask(probe, world, NULL, 1, 0), "points");
    NULL_OF(ter_probe_ask_blend(probe, world, NULL, &blend, &place, 1, 0), "to");
    NULL_OF(ter_probe_ask_blend(probe, world, world, NULL, &place, 1, 0), "blend");
    NULL_OF(ter_probe_ask_blend(probe, world, world, &blend, NULL, 1, 0), "points");
    NULL_OF(ter_probe_answer(NULL, &ticket, &count, heights), "probe");
    NULL_OF(ter_probe_answer(probe, NULL, &count, heights), "ticket");
    NULL_OF(ter_probe_answer(probe, &ticket, NULL, heights), "count");
    NULL_OF(ter_probe_answer(probe, &ticket, &count, NULL), "out_m");
    NULL_OF(ter_gl_buffer_register(NULL, 1, &buffer), "generator");
    NULL_OF(ter_gl_buffer_register(generator, 1, NULL), "out");
    NULL_OF(ter_gl_buffer_map(NULL, NULL, NULL, NULL), "buffer");
    NULL_OF(ter_gl_buffer_unmap(NULL, NULL), "buffer");
    ter_probe_destroy(NULL);
    ter_gl_buffer_unregister(NULL);
}

/** Arrays of no elements may be NULL. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    const ter_morph_tiles none = {20, NULL, NULL, 0};
    assert_ok(ter_generator_fill_tiles(generator, world, NULL, 0, &layout, NULL));
    assert_ok(ter_generator_heights(generator, world, 20, NULL, 0, NULL));
    assert_ok(ter_quantise_heights(NULL, 0, 0, 1, NULL));
    assert_ok(ter_morph_load(morph, 0, world, NULL, NULL, 0, NULL));
    assert_ok(ter_morph_blend(morph, &blend, &none, &layout, NULL, NULL));
    assert_ok(ter_morph_blend_host(morph, &blend, &none, NULL));
}

static void test_products_that_overflow(void **state)
{
    (void)state;
    ter_morph *made = NULL;
    ter_fetch *fetched = NULL;
    void *memory;
    REFUSED(ter_morph_create(generator, (size_t)1 << 30, 65536, 65536, &made), "65536 x 65536");
    REFUSED(ter_morph_create(generator, UINT32_MAX, 32768, 32768, &made), "memory can be addressed");
    REFUSED(ter_morph_create(generator, (size_t)1 << 33, 1, 1, &made), "2^32 - 1");
    REFUSED(ter_morph_create(generator, 1, TER_MORPH_SIDE_MAX + 1, 1, &made), "65537 x 1");
    assert_null(made);
    REFUSED(ter_fetch_create(generator, 0, &fetched), "a fetch of at most 0 samples");
    REFUSED(ter_fetch_create(generator, ((size_t)1 << 62) + 1, &fetched), "expected 1 to");
    REFUSED(ter_fetch_create(generator, SIZE_MAX, &fetched), "expected 1 to");
    assert_null(fetched);
    REFUSED(ter_host_memory_create(generator, 0, &memory), "0 bytes");
}

/** Strides and slots that lead beyond the address space, where a product of both would come out small again. */
static void test_layouts_that_overflow(void **state)
{
    (void)state;
    const ter_tile tiles[2] = {{20, 0, 0}, {20, SIDE, 0}};
    const uint32_t far[2] = {0, UINT32_MAX};
    ter_tile_layout bad = layout;
    bad.row_stride = SIZE_MAX / (SIDE - 1) + 2; /* (height - 1) * row_stride is 7 */
    REFUSED(ter_generator_fill_tiles(generator, world, tiles, 1, &bad, out), "row stride");
    REFUSED(ter_generator_fill(generator, world, &rect, out, bad.row_stride), "row stride");
    bad = layout;
    bad.slot_stride = SIZE_MAX / 2;
    bad.slots = far;
    REFUSED(ter_generator_fill_tiles(generator, world, tiles, 2, &bad, out), "slot 4294967295");
    bad.slot_stride = (size_t)1 << 30; /* 2^62 floats: a size_t counts them, an address does not reach them */
    REFUSED(ter_generator_fill_tiles(generator, world, tiles, 2, &bad, out), "slot 4294967295");
    bad = layout;
    bad.slot_stride = SIDE * SIDE - 1;
    REFUSED(ter_generator_fill_tiles(generator, world, tiles, 2, &bad, out), "slot stride is 63");
    const ter_morph_tiles all = {20, tiles, held, 2};
    REFUSED(ter_morph_blend(morph, &blend, &all, &bad, out, NULL), "slot stride is 63");
}

static void test_blends_outside_the_world(void **state)
{
    (void)state;
    const int64_t limit = TER_COORDINATE_MAX;
    static const int64_t outside[] = {INT64_MIN, INT64_MAX, -(INT64_C(1) << 46) - 1, (INT64_C(1) << 46) + 1};
    const ter_morph_tiles all = {20, &tile, held, 1};
    for (size_t n = 0; n < sizeof outside / sizeof outside[0]; n++) {
        const ter_blend bad[2] = {{.x = outside[n]}, {.z = outside[n]}};
        for (int k = 0; k < 2; k++) {
            REFUSED(ter_morph_blend(morph, &bad[k], &all, &layout, out, NULL), "a blend from x");
            REFUSED(ter_probe_ask_blend(probe, world, world, &bad[k], &place, 1, 0), "a blend from x");
        }
        assert_true(ter_blend_at(&bad[0], 0, 0) == 0.0);
    }
    const ter_tile far[] = {{20, INT64_MAX, 0}, {20, 0, INT64_MIN}, {0, INT64_C(1) << 40, 0}, {21, 0, 0}, {-1, 0, 0}};
    for (size_t n = 0; n < sizeof far / sizeof far[0]; n++) {
        const ter_morph_tiles bad = {20, &far[n], held, 1};
        REFUSED(ter_morph_blend(morph, &blend, &bad, &layout, out, NULL), n < 3 ? "leaves the world" : "level is");
    }
    ter_blend_phase phase;
    for (size_t n = 0; n < sizeof far / sizeof far[0]; n++) {
        const ter_rect bad = {far[n].level, far[n].i, far[n].j, SIDE, SIDE};
        REFUSED(ter_blend_phase_over(&blend, 20, &bad, &phase), n < 3 ? "leaves the world" : "level is");
    }
    const ter_rect rect = {tile.level, tile.i, tile.j, SIDE, SIDE};
    REFUSED(ter_blend_phase_over(&blend, 1000, &rect, &phase), "levels is 1000");
    REFUSED(ter_blend_phase_over(&(ter_blend){.x = outside[0]}, 20, &rect, &phase), "a blend from x");
    const ter_morph_tiles no_world = {1000, &tile, held, 1};
    REFUSED(ter_morph_blend(morph, &blend, &no_world, &layout, out, NULL), "levels is 1000");
    const ter_blend endless[] = {{.along_x = INFINITY}, {.along_z = NAN}, {.begun = -INFINITY}, {.along_x = 1e300}};
    for (size_t n = 0; n < sizeof endless / sizeof endless[0]; n++)
        REFUSED(ter_morph_blend(morph, &endless[n], &all, &layout, out, NULL), "finite");
    const ter_blend ends[] = {{.x = limit, .z = -limit, .begun = 0.5}, {.x = -limit, .z = limit, .begun = 0.5}};
    assert_ok(ter_morph_load(morph, 0, world, &tile, held, 1, NULL));
    assert_ok(ter_morph_load(morph, 1, world, &tile, held, 1, NULL));
    for (int n = 0; n < 2; n++)
        assert_ok(ter_morph_blend_host(morph, &ends[n], &all, out));
}

static void test_options(void **state)
{
    (void)state;
    ter_generator *made = NULL;
    const ter_generator_options bad[] = {{.backend = (ter_backend)7},
                                         {.method = (ter_method)3},
                                         {.threads = -1},
                                         {.threads = TER_THREADS_MAX + 1},
                                         {.threads = INT32_MAX}};
    static const char *const words[] = {"backend is 7", "method is 3", "threads is -1", "threads is 4097",
                                        "threads is 2147483647"};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++)
        REFUSED(ter_generator_create(&bad[n], &made), words[n]);
    const ter_generator_options no_simd = {.backend = TER_BACKEND_CPU, .simd = (ter_simd)9};
    assert_int_equal(ter_generator_create(&no_simd, &made), TER_ENOBACKEND);
    assert_null(made);
}

static void test_fetch_that_was_not_started(void **state)
{
    (void)state;
    ter_fetched fetched;
    const ter_rect outside = {21, 0, 0, 1, 1};
    REFUSED(ter_fetch_wait(fetch, &fetched), "started");
    assert_ok(ter_fetch_start(fetch, world, &rect));
    assert_ok(ter_fetch_wait(fetch, &fetched));
    REFUSED(ter_fetch_start(fetch, world, &outside), "level is 21");
    REFUSED(ter_fetch_wait(fetch, &fetched), "started");
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_worlds),
        cmocka_unit_test(test_null_fills),
        cmocka_unit_test(test_null_fetches_and_statistics),
        cmocka_unit_test(test_null_morphs),
        cmocka_unit_test(test_null_probes_and_buffers),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_products_that_overflow),
        cmocka_unit_test(test_layouts_that_overflow),
        cmocka_unit_test(test_blends_outside_the_world),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_fetch_that_was_not_started),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
