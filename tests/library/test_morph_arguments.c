/* test_morph_arguments.c - invalid arguments of morphs, probes and GL buffers are refused with a sentence that names
 * them. */
#include "refused_calls.h"
#include "short_calls.h"

#include <math.h>

static ter_world *world;
static ter_generator *generator;
static ter_morph *morph, *wet_morph;
static ter_probe *probe;

enum { SIDE = 8 };

static int set_up(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    world = world_of(&params);
    generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    assert_ok(create_morph(generator, 2, SIDE, 0, &morph));
    assert_ok(create_morph(generator, 2, SIDE, 1, &wet_morph));
    assert_ok(ter_probe_create(generator, NULL, &probe));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ter_probe_destroy(probe);
    ter_morph_destroy(wet_morph);
    ter_morph_destroy(morph);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return 0;
}

static const ter_tile tile = {20, 0, 0};
static const tiles_layout layout = {SIDE, SIDE, SIDE, SIDE *SIDE, NULL};
static const uint32_t held[2] = {0, 1};
static const ter_blend blend = {.begun = 0.5};
static const ter_probe_point place = {0, 0, 20, 0};
static float out[2 * SIDE * SIDE];

/** Blend a tile into a target with these outputs. */
static ter_status blend_outputs(ter_morph *of, const ter_output *outputs, size_t count, ter_sample_type type)
{
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), 20, &tile, held, 1};
    ter_target target = ter_target_of_outputs(outputs, count);
    target.sample_type = type;
    return ter_morph_blend(of, &blend, &all, &target);
}

static void test_null_morphs(void **state)
{
    (void)state;
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = out}, nowhere = {.layer = TER_LAYER_HEIGHT};
    const ter_target target = ter_target_of_outputs(&output, 1), none = ter_target_of_outputs(NULL, 1);
    const ter_morph_options options = {TER_SIZED(ter_morph_options), 1, SIDE, SIDE, 0};
    ter_morph *made;
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), 20, &tile, held, 1},
                          no_tiles = {TER_SIZED(ter_morph_tiles), 20, NULL, held, 1},
                          no_slots = {TER_SIZED(ter_morph_tiles), 20, &tile, NULL, 1};
    const ter_morph_source source = source_of_tiles(0, world, &tile, held, 1),
                           no_world = source_of_tiles(0, NULL, &tile, held, 1),
                           no_held = source_of_tiles(0, world, &tile, NULL, 1);
    ter_morph_source nothing = source_of_tiles(0, world, NULL, held, 1);
    NULL_OF(ter_morph_create(NULL, &options, &made), "generator");
    NULL_OF(ter_morph_create(generator, NULL, &made), "options");
    NULL_OF(ter_morph_create(generator, &options, NULL), "out");
    NULL_OF(ter_morph_load(NULL, &source), "morph");
    NULL_OF(ter_morph_load(morph, NULL), "source");
    NULL_OF(ter_morph_load(morph, &no_world), "source->world");
    NULL_OF(ter_morph_load(morph, &no_held), "source->held");
    NULL_OF(ter_morph_load(morph, &nothing), "source->tiles and source->made");
    nothing.made = &none;
    NULL_OF(ter_morph_load(morph, &nothing), "target->outputs");
    NULL_OF(ter_morph_blend(NULL, &blend, &all, &target), "morph");
    NULL_OF(ter_morph_blend(morph, NULL, &all, &target), "blend");
    NULL_OF(ter_morph_blend(morph, &blend, NULL, &target), "tiles");
    NULL_OF(ter_morph_blend(morph, &blend, &all, NULL), "target");
    NULL_OF(ter_morph_blend(morph, &blend, &no_tiles, &target), "tiles->tiles");
    NULL_OF(ter_morph_blend(morph, &blend, &no_slots, &target), "tiles->held");
    NULL_OF(blend_outputs(morph, NULL, 1, TER_SAMPLE_FLOAT), "target->outputs");
    NULL_OF(blend_outputs(morph, &nowhere, 1, TER_SAMPLE_FLOAT), "target->outputs[].samples");
    ter_morph_destroy(NULL);
}

static void test_bad_morph_layers(void **state)
{
    (void)state;
    const ter_output layers[] = {{.layer = TER_LAYER_HEIGHT, .samples = out, .hi = 1.0},
                                 {.layer = TER_LAYER_WATER, .samples = out + SIDE * SIDE, .hi = 1.0},
                                 {.layer = TER_LAYER_FLOW, .samples = out},
                                 {.layer = TER_LAYER_HEIGHT, .samples = out}};
    const ter_output unordered[] = {layers[0], layers[2]};
    ter_params fluvial;
    ter_params_default(&fluvial);
    ter_world *wet = world_of(&fluvial);
    NULL_OF(blend_outputs(morph, layers + 1, 1, TER_SAMPLE_FLOAT), "target: the layer height");
    REFUSED(blend_outputs(morph, layers, 2, TER_SAMPLE_FLOAT), "layer water of a morph of heights");
    REFUSED(blend_outputs(wet_morph, unordered, 2, TER_SAMPLE_FLOAT), "layer flow of a morph");
    REFUSED(blend_outputs(morph, layers, 1, TER_SAMPLE_U16), "16-bit samples of a morph");
    REFUSED(blend_outputs(morph, layers, 0, TER_SAMPLE_FLOAT), "no layer");
    REFUSED(blend_outputs(wet_morph, layers, 4, TER_SAMPLE_FLOAT), "layer height twice");
    ter_morph_source source = source_of_tiles(0, wet, NULL, held, 1);
    ter_target made = ter_target_of_outputs(layers, 1);
    source.made = &made;
    NULL_OF(ter_morph_load(wet_morph, &source), "source->made: the layer water");
    made.sample_type = TER_SAMPLE_U16;
    REFUSED(ter_morph_load(wet_morph, &source), "16-bit samples for a morph");
    made = ter_target_of_outputs(layers + 1, 1);
    NULL_OF(ter_morph_load(wet_morph, &source), "source->made: the layer height");
    made = ter_target_of_outputs(layers, 2);
    made.row_stride = SIDE - 1;
    REFUSED(ter_morph_load(wet_morph, &source), "row stride is 7");
    source.landscape = 2;
    REFUSED(ter_morph_load(wet_morph, &source), "landscape 2 of a morph, expected 0 or 1");
    source.landscape = -1;
    REFUSED(ter_morph_load(wet_morph, &source), "landscape -1 of a morph");
    const uint32_t beyond = 2;
    const ter_morph_tiles far = {TER_SIZED(ter_morph_tiles), 20, &tile, &beyond, 1};
    REFUSED(load_morph(morph, 0, world, &tile, &beyond, 1), "slot 2 of a morph of 2 tiles");
    REFUSED(blend_morph(morph, &blend, &far, &layout, out), "slot 2 of a morph of 2 tiles");
    ter_world_destroy(wet);
}

static void test_null_probes_and_buffers(void **state)
{
    (void)state;
    ter_probe *made;
    ter_gl_buffer *buffer;
    uint64_t ticket;
    int count;
    float heights[TER_PROBE_POINTS_MAX];
    const ter_blended_world both = {TER_SIZED(ter_blended_world), world, world, blend},
                            no_from = {TER_SIZED(ter_blended_world), NULL, world, blend},
                            no_to = {TER_SIZED(ter_blended_world), world, NULL, blend};
    NULL_OF(ter_probe_create(NULL, NULL, &made), "generator");
    NULL_OF(ter_probe_create(generator, NULL, NULL), "out");
    NULL_OF(ter_probe_ask(NULL, world, &place, 1, 0), "probe");
    NULL_OF(ter_probe_ask(probe, NULL, &place, 1, 0), "world");
    NULL_OF(ter_probe_ask(probe, world, NULL, 1, 0), "points");
    NULL_OF(ter_probe_ask_blend(NULL, &both, &place, 1, 0), "probe");
    NULL_OF(ter_probe_ask_blend(probe, NULL, &place, 1, 0), "world");
    NULL_OF(ter_probe_ask_blend(probe, &no_from, &place, 1, 0), "world->from");
    NULL_OF(ter_probe_ask_blend(probe, &no_to, &place, 1, 0), "world->to");
    NULL_OF(ter_probe_ask_blend(probe, &both, NULL, 1, 0), "points");
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

static void test_memory_of_morphs(void **state)
{
    (void)state;
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = out};
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), 20, &tile, held, 1};
    ter_target target = ter_target_of_outputs(&output, 1);
    ter_morph_source source = source_of_tiles(0, world, NULL, held, 1);
    ter_gl_buffer *buffer;
    source.made = &target;
    for (int memory = -1; memory <= 2; memory += 3) {
        target.memory = (ter_memory)memory;
        REFUSED(ter_morph_load(morph, &source), memory < 0 ? "memory is -1" : "memory is 2");
        REFUSED(ter_morph_blend(morph, &blend, &all, &target), memory < 0 ? "memory is -1" : "memory is 2");
    }
    if (backend_under_test != TER_BACKEND_CPU)
        return;
    target.memory = TER_MEMORY_DEVICE;
    NO_BACKEND(ter_morph_load(morph, &source), "backend cpu has no device memory");
    NO_BACKEND(ter_morph_blend(morph, &blend, &all, &target), "backend cpu has no device memory");
    assert_int_equal(ter_gl_buffer_register(generator, 1, &buffer), TER_ENOBACKEND);
}

static void test_bad_probes(void **state)
{
    (void)state;
    const double limit = (double)TER_COORDINATE_MAX;
    const struct {
        ter_probe_point point;
        const char *words;
    } bad[] = {{{limit + 1.0, 0, 20, 0}, "leaves the world"},
               {{0, -limit - 1.0, 20, 0}, "leaves the world"},
               {{NAN, 0, 20, 0}, "leaves the world"},
               {{0, INFINITY, 20, 0}, "leaves the world"},
               {{0, 0, 25, 0}, "level is 25"},
               {{0, 0, -1, 0}, "level is -1"},
               {{0, 0, 20, -0.1f}, "a share of -0.1"},
               {{0, 0, 20, 1.5f}, "a share of 1.5"},
               {{0, 0, 0, 0.5f}, "expected 0 to 0"},
               {{0, 0, 20, NAN}, "a share of nan"}};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        REFUSED(ter_probe_ask(probe, world, &bad[n].point, 1, 0), bad[n].words);
        REFUSED(ask_blend(probe, world, world, &blend, &bad[n].point, 1, 0), bad[n].words);
    }
    ter_probe_point many[TER_PROBE_POINTS_MAX + 1] = {{0, 0, 20, 0}};
    REFUSED(ter_probe_ask(probe, world, many, 0, 0), "0 probe points, expected 1 to 64");
    REFUSED(ter_probe_ask(probe, world, many, -1, 0), "-1 probe points");
    REFUSED(ter_probe_ask(probe, world, many, TER_PROBE_POINTS_MAX + 1, 0), "65 probe points");
    ter_params params = *ter_world_params(world);
    params.levels = 12;
    ter_world *shallow = world_of(&params);
    const ter_probe_point coarse = {0, 0, 7, 0};
    REFUSED(ask_blend(probe, world, shallow, &blend, &coarse, 1, 0), "level is -1");
    ter_world_destroy(shallow);
}

/** An array without elements may be NULL. Without tiles no array is read. */
static void test_nothing_to_do(void **state)
{
    (void)state;
    const ter_morph_tiles none = {TER_SIZED(ter_morph_tiles), 20, NULL, NULL, 0};
    const ter_target target = ter_target_of_outputs(NULL, 0);
    assert_ok(load_morph(morph, 0, world, NULL, NULL, 0));
    assert_ok(ter_morph_blend(morph, &blend, &none, &target));
}

static void test_sizes_that_overflow(void **state)
{
    (void)state;
    const struct {
        size_t n_slots;
        int width, height;
        const char *words;
    } bad[] = {{0, SIDE, SIDE, "a morph of 0 tiles"},
               {(size_t)1 << 30, 65536, 65536, "65536 x 65536"},
               {UINT32_MAX, 32768, 32768, "than can be addressed"},
               {(size_t)1 << 33, 1, 1, "2^32 - 1"},
               {1, TER_MORPH_SIDE_MAX + 1, 1, "65537 x 1"},
               {1, 1, 0, "1 x 0"},
               {1, -1, 1, "-1 x 1"}};
    ter_morph *made = NULL;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        const ter_morph_options options = {TER_SIZED(ter_morph_options), bad[n].n_slots, bad[n].width, bad[n].height,
                                           0};
        REFUSED(ter_morph_create(generator, &options, &made), bad[n].words);
    }
    assert_null(made);
}

static void test_bad_layouts(void **state)
{
    (void)state;
    const ter_tile tiles[2] = {{20, 0, 0}, {20, SIDE, 0}};
    const uint32_t far[2] = {0, UINT32_MAX};
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), 20, tiles, held, 2};
    tiles_layout bad = layout;
    bad.slot_stride = SIDE * SIDE - 1;
    REFUSED(blend_morph(morph, &blend, &all, &bad, out), "slot stride is 63");
    bad = layout;
    bad.row_stride = SIDE - 1;
    REFUSED(blend_morph(morph, &blend, &all, &bad, out), "row stride is 7");
    bad = layout;
    bad.slots = far;
    bad.slot_stride = (size_t)1 << 30;
    REFUSED(blend_morph(morph, &blend, &all, &bad, out), "slot 4294967295");
}

static void test_blends_outside_the_world(void **state)
{
    (void)state;
    const int64_t limit = TER_COORDINATE_MAX;
    static const int64_t outside[] = {INT64_MIN, INT64_MAX, -(INT64_C(1) << 46) - 1, (INT64_C(1) << 46) + 1};
    const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), 20, &tile, held, 1};
    for (size_t n = 0; n < sizeof outside / sizeof outside[0]; n++) {
        const ter_blend bad[2] = {{.x = outside[n]}, {.z = outside[n]}};
        for (int k = 0; k < 2; k++) {
            REFUSED(blend_morph(morph, &bad[k], &all, &layout, out), "a blend from x");
            REFUSED(ask_blend(probe, world, world, &bad[k], &place, 1, 0), "a blend from x");
        }
        assert_true(ter_blend_at(&bad[0], 0, 0) == 0.0);
    }
    const ter_tile far[] = {{20, INT64_MAX, 0}, {20, 0, INT64_MIN}, {0, INT64_C(1) << 40, 0}, {25, 0, 0}, {-1, 0, 0}};
    for (size_t n = 0; n < sizeof far / sizeof far[0]; n++) {
        const ter_morph_tiles bad = {TER_SIZED(ter_morph_tiles), 20, &far[n], held, 1};
        REFUSED(blend_morph(morph, &blend, &bad, &layout, out), n < 3 ? "leaves the world" : "level is");
    }
    ter_blend_phase phase;
    for (size_t n = 0; n < sizeof far / sizeof far[0]; n++) {
        const ter_rect bad = {far[n].level, far[n].i, far[n].j, SIDE, SIDE};
        REFUSED(ter_blend_phase_over(&blend, 20, &bad, &phase), n < 3 ? "leaves the world" : "level is");
    }
    NULL_OF(ter_blend_phase_over(NULL, 20, &(ter_rect){20, 0, 0, 1, 1}, &phase), "blend");
    NULL_OF(ter_blend_phase_over(&blend, 20, NULL, &phase), "rect");
    NULL_OF(ter_blend_phase_over(&blend, 20, &(ter_rect){20, 0, 0, 1, 1}, NULL), "out");
    const ter_rect rect = {tile.level, tile.i, tile.j, SIDE, SIDE};
    REFUSED(ter_blend_phase_over(&blend, 1000, &rect, &phase), "levels is 1000");
    REFUSED(ter_blend_phase_over(&(ter_blend){.x = outside[0]}, 20, &rect, &phase), "a blend from x");
    const ter_morph_tiles no_world = {TER_SIZED(ter_morph_tiles), 1000, &tile, held, 1};
    REFUSED(blend_morph(morph, &blend, &no_world, &layout, out), "levels is 1000");
    const ter_blend endless[] = {{.along_x = INFINITY}, {.along_z = NAN}, {.begun = -INFINITY}, {.along_x = 1e300}};
    for (size_t n = 0; n < sizeof endless / sizeof endless[0]; n++)
        REFUSED(blend_morph(morph, &endless[n], &all, &layout, out), "finite");
    const ter_blend ends[] = {{.x = limit, .z = -limit, .begun = 0.5}, {.x = -limit, .z = limit, .begun = 0.5}};
    assert_ok(load_morph(morph, 0, world, &tile, held, 1));
    assert_ok(load_morph(morph, 1, world, &tile, held, 1));
    for (int n = 0; n < 2; n++)
        assert_ok(blend_morph(morph, &ends[n], &all, &layout, out));
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_morphs),
        cmocka_unit_test(test_bad_morph_layers),
        cmocka_unit_test(test_memory_of_morphs),
        cmocka_unit_test(test_null_probes_and_buffers),
        cmocka_unit_test(test_bad_probes),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_sizes_that_overflow),
        cmocka_unit_test(test_bad_layouts),
        cmocka_unit_test(test_blends_outside_the_world),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
