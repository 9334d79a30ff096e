/* test_struct_sizes.c - structures of callers that were compiled with an older or newer header: missing members have
 * their defaults, and members that the library lacks must be 0. */
#include "refused_calls.h"
#include "short_calls.h"

#include <stddef.h>

enum { SIDE = 8, MORE = 24, ROOM = 1024 };

static ter_params params;
static ter_world *world;
static ter_generator *generator;
static ter_fetch *fetch;
static ter_morph *morph;
static ter_probe *probe;
static float out[SIDE * SIDE];
static uint64_t counts[4];

static const ter_rect rect = {20, 0, 0, SIDE, SIDE};
static const ter_tile tile = {20, 0, 0};
static const uint32_t held[1] = {0};
static const ter_blend blend = {.begun = 0.5};
static const ter_probe_point place = {0, 0, 20, 0};
static const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = out};

static int set_up(void **state)
{
    (void)state;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    world = world_of(&params);
    generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    assert_ok(create_fetch(generator, (size_t)SIDE * SIDE, &fetch));
    assert_ok(create_morph(generator, 1, SIDE, 0, &morph));
    assert_ok(ter_probe_create(generator, NULL, &probe));
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

/* Calls that read one structure each. */

static ter_status create_world(const void *in)
{
    ter_world *made = NULL;
    const ter_status status = ter_world_create(in, &made);
    ter_world_destroy(made);
    return status;
}

static ter_status find_amplitudes(const void *in)
{
    double amplitude_m[TER_LEVELS_MAX + 1];
    return ter_params_amplitudes(in, amplitude_m);
}

static ter_status create_generator(const void *in)
{
    ter_generator *made = NULL;
    const ter_status status = ter_generator_create(in, &made);
    ter_generator_destroy(made);
    return status;
}

static ter_status fill_region(const void *in)
{
    const ter_target target = ter_target_of_outputs(&output, 1);
    return ter_fill(generator, world, in, &target);
}

static ter_status fill_target(const void *in)
{
    const ter_region region = ter_region_of_rect(&rect);
    return ter_fill(generator, world, &region, in);
}

static ter_status make_histogram(const void *in)
{
    ter_statistics found = {TER_SIZED(ter_statistics)};
    return ter_generator_statistics(generator, world, &rect, in, &found);
}

static ter_status create_fetch_of(const void *in)
{
    ter_fetch *made = NULL;
    const ter_status status = ter_fetch_create(generator, in, &made);
    ter_fetch_destroy(made);
    return status;
}

static ter_status start_fetch(const void *in)
{
    const ter_fetched *got;
    const ter_status status = ter_fetch_start(fetch, world, &rect, in);
    return status == TER_OK ? ter_fetch_wait(fetch, &got) : status;
}

static ter_status create_morph_of(const void *in)
{
    ter_morph *made = NULL;
    const ter_status status = ter_morph_create(generator, in, &made);
    ter_morph_destroy(made);
    return status;
}

static ter_status load_source(const void *in)
{
    return ter_morph_load(morph, in);
}

static ter_status blend_tiles(const void *in)
{
    const ter_target target = ter_target_of_outputs(&output, 1);
    return ter_morph_blend(morph, &blend, in, &target);
}

static ter_status blend_into(const void *in)
{
    const ter_morph_tiles tiles = {TER_SIZED(ter_morph_tiles), 20, &tile, held, 1};
    return ter_morph_blend(morph, &blend, &tiles, in);
}

static ter_status create_probe(const void *in)
{
    ter_probe *made = NULL;
    const ter_status status = ter_probe_create(generator, in, &made);
    ter_probe_destroy(made);
    return status;
}

static ter_status ask_world(const void *in)
{
    return ter_probe_ask_blend(probe, in, &place, 1, 0);
}

/** A structure that callers fill, and a call that reads it. */
typedef struct sized_case {
    const char *name;
    size_t size;
    const void *good;
    ter_status (*call)(const void *in);
} sized_case;

/** Make the call with a copy of the structure and zeros after it. Byte `set` of this memory is 1, unless `set` is ROOM
 * or more. */
static ter_status call_grown(const sized_case *c, size_t struct_size, size_t set)
{
    static _Alignas(max_align_t) unsigned char room[ROOM];
    memset(room, 0, sizeof room);
    assert_true(c->size + MORE <= sizeof room);
    memcpy(room, c->good, c->size);
    memcpy(room, &struct_size, sizeof struct_size);
    if (set < sizeof room)
        room[set] = 1;
    return c->call(room);
}

static void check_case(const sized_case *c)
{
    const size_t wrong[] = {0, 1, sizeof(size_t), 2 * sizeof(size_t) - 1, (1 << 16) + 1, SIZE_MAX};
    char words[256];
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++) {
        snprintf(words, sizeof words, "%s.struct_size is %zu, expected sizeof(%s), which is %zu", c->name, wrong[n],
                 c->name, c->size);
        check_failed(TER_EINVAL, call_grown(c, wrong[n], SIZE_MAX), c->name, words);
    }
    for (size_t more = 0; more <= MORE; more++)
        assert_ok(call_grown(c, c->size + more, SIZE_MAX));
    for (size_t set = c->size; set < c->size + MORE; set++) {
        snprintf(words, sizeof words, "%s has %zu bytes, of which this version knows %zu", c->name, c->size + MORE,
                 c->size);
        check_failed(TER_EINVAL, call_grown(c, c->size + MORE, set), c->name, words);
    }
    assert_ok(call_grown(c, c->size, c->size)); /* memory after the structure is not read */
}

static void test_read_structures(void **state)
{
    (void)state;
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 1};
    const ter_region region = ter_region_of_rect(&rect);
    const ter_target target = ter_target_of_outputs(&output, 1);
    const ter_histogram histogram = {TER_SIZED(ter_histogram), 0.0f, 1.0f, 4, counts};
    const ter_fetch_options fetch_options = {TER_SIZED(ter_fetch_options), .samples_max = 4};
    const ter_fetch_request request = {TER_SIZED(ter_fetch_request)};
    const ter_morph_options morph_options = {TER_SIZED(ter_morph_options), 1, SIDE, SIDE, 0};
    const ter_morph_source source = source_of_tiles(0, world, &tile, held, 1);
    const ter_morph_tiles tiles = {TER_SIZED(ter_morph_tiles), 20, &tile, held, 1};
    const ter_probe_options probe_options = {TER_SIZED(ter_probe_options)};
    const ter_blended_world blended = {TER_SIZED(ter_blended_world), world, world, blend};
    const sized_case cases[] = {
        {"ter_params", sizeof params, &params, create_world},
        {"ter_params", sizeof params, &params, find_amplitudes},
        {"ter_generator_options", sizeof options, &options, create_generator},
        {"ter_region", sizeof region, &region, fill_region},
        {"ter_target", sizeof target, &target, fill_target},
        {"ter_histogram", sizeof histogram, &histogram, make_histogram},
        {"ter_fetch_options", sizeof fetch_options, &fetch_options, create_fetch_of},
        {"ter_fetch_request", sizeof request, &request, start_fetch},
        {"ter_morph_options", sizeof morph_options, &morph_options, create_morph_of},
        {"ter_morph_source", sizeof source, &source, load_source},
        {"ter_morph_tiles", sizeof tiles, &tiles, blend_tiles},
        {"ter_target", sizeof target, &target, blend_into},
        {"ter_probe_options", sizeof probe_options, &probe_options, create_probe},
        {"ter_blended_world", sizeof blended, &blended, ask_world},
    };
    assert_ok(load_morph(morph, 0, world, &tile, held, 1));
    assert_ok(load_morph(morph, 1, world, &tile, held, 1));
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        check_case(&cases[n]);
}

/** Members that the structure of an older caller lacks have their defaults. */
static void test_older_callers(void **state)
{
    (void)state;
    ter_params old = params;
    old.basis = TER_BASIS_FLUVIAL;
    old.dryness = 77.0; /* after the caller's members */
    old.struct_size = offsetof(ter_params, dryness);
    ter_world *made = world_of(&old);
    assert_true(ter_world_params(made)->dryness == 0.0);
    assert_int_equal(ter_world_params(made)->struct_size, sizeof(ter_params));
    ter_world_destroy(made);
    old.struct_size = offsetof(ter_params, relief); /* the default relief is 1, not 0 */
    old.relief = old.uplift = 77.0;
    made = world_of(&old);
    assert_true(ter_world_params(made)->relief == 1.0 && ter_world_params(made)->uplift == 0.0);
    ter_world_destroy(made);
    ter_target target = ter_target_of_outputs(&output, 1);
    target.struct_size = offsetof(ter_target, row_stride);
    target.row_stride = target.slot_stride = 1;
    target.slots = NULL;
    memset(out, 0, sizeof out);
    assert_ok(fill_target(&target));
    float last;
    assert_ok(ter_world_height(world, 20, SIDE - 1, SIDE - 1, &last));
    assert_int_equal(float_bits(out[SIDE * SIDE - 1]), float_bits(last));
}

/** ter_params_default for structures of every size: no byte after the structure is written, and newer members are 0.
 */
static void test_default_params(void **state)
{
    (void)state;
    ter_params whole;
    ter_params_default(&whole);
    assert_int_equal(whole.struct_size, sizeof whole);
    for (size_t size = sizeof(size_t); size <= sizeof whole + MORE; size += sizeof(size_t)) {
        _Alignas(max_align_t) unsigned char room[ROOM], expected[ROOM];
        memset(room, 0xA5, sizeof room);
        memset(expected, 0xA5, sizeof expected);
        ter_params_default_sized((ter_params *)(void *)room, size);
        memset(expected, 0, size);
        memcpy(expected, &whole, size < sizeof whole ? size : sizeof whole);
        memcpy(expected, &size, sizeof size);
        assert_memory_equal(room, expected, sizeof room);
    }
}

/** Results: an older caller gets the members that it has; a newer caller gets 0 in members that the library lacks. */
static void test_written_structures(void **state)
{
    (void)state;
    ter_statistics whole = {TER_SIZED(ter_statistics)};
    assert_ok(ter_generator_statistics(generator, world, &rect, NULL, &whole));
    assert_int_equal(whole.count, SIDE * SIDE);
    const size_t sizes[] = {offsetof(ter_statistics, mean_m), offsetof(ter_statistics, count), sizeof whole,
                            sizeof whole + MORE};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        _Alignas(max_align_t) unsigned char room[ROOM], expected[ROOM];
        memset(room, 0xA5, sizeof room);
        memset(expected, 0xA5, sizeof expected);
        memcpy(room, &sizes[n], sizeof sizes[n]);
        assert_ok(ter_generator_statistics(generator, world, &rect, NULL, (ter_statistics *)(void *)room));
        memset(expected, 0, sizes[n]);
        memcpy(expected, &whole, sizes[n] < sizeof whole ? sizes[n] : sizeof whole);
        memcpy(expected, &sizes[n], sizeof sizes[n]);
        assert_memory_equal(room, expected, sizeof room);
    }
    whole.struct_size = 0;
    REFUSED(ter_generator_statistics(generator, world, &rect, NULL, &whole), "ter_statistics.struct_size is 0");
    whole.struct_size = 15;
    REFUSED(ter_generator_statistics(generator, world, &rect, NULL, &whole), "ter_statistics.struct_size is 15");
    ter_device device = {.multiprocessors = -1};
    if (backend_under_test == TER_BACKEND_CUDA) {
        REFUSED(ter_device_describe(0, &device), "ter_device.struct_size is 0");
        device.struct_size = offsetof(ter_device, multiprocessors);
        assert_ok(ter_device_describe(0, &device));
        assert_true(device.compute_major >= 5 && device.multiprocessors == -1);
    }
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read_structures), cmocka_unit_test(test_older_callers),
                                       cmocka_unit_test(test_default_params),
                                       cmocka_unit_test(test_written_structures)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
