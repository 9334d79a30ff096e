/* test_fill.c - a fill of any region, set of layers, sample type, kind of memory and layout has the samples that the
 * reference generator makes of each layer alone, quantised for 16 bits, and the heights of ter_world_height. The
 * reference generator uses one thread of the CPU without SIMD instructions. Memory between rows and tiles does not
 * change. A fetch returns the same samples. */
#include "fluvial_under_test.h"

#include <math.h>
#include <stdbool.h>

#ifdef TEST_HAS_CUDA
#include <cuda_runtime_api.h>
#endif

enum { TILES = 24, SAMPLES = 1024, GUARD = 16, CANVAS = 4096, PATTERN = 0xA5 };

/** Regions: each shape uses a different part of the library. */
typedef enum region_kind {
    OF_RECT,          /* a rectangle */
    OF_ONE_TILE,      /* one tile, in a slot that is not the first */
    OF_ROW_OF_TILES,  /* tiles side by side, in order */
    OF_MIXED_TILES,   /* tiles of several levels, in slots */
    OF_POINTS,        /* points of a level, in order */
    OF_MIXED_POINTS,  /* points of several levels, in slots */
    OF_POINTS_IN_ROW, /* points of a level, in slots */
    KIND_COUNT
} region_kind;

static const char *const kind_names[KIND_COUNT] = {"rectangle", "one tile",     "row of tiles",   "mixed tiles",
                                                   "points",    "mixed points", "points in slots"};

/** A region, and its expected samples, tile after tile without gaps. */
typedef struct scene {
    const ter_world *world;
    region_kind kind;
    int width, height;
    size_t count;
    ter_tile tiles[TILES];
    uint32_t slots[TILES];
    bool has_slots;
    float floats[TER_LAYER_COUNT][SAMPLES];
    double range[TER_LAYER_COUNT][2];
    uint16_t u16[TER_LAYER_COUNT][SAMPLES];
} scene;

/** How a region is filled. */
typedef struct fill_case {
    const ter_layer *layers;
    size_t n_layers;
    ter_sample_type type;
    ter_memory memory;
    bool has_gaps, is_on_stream;
    size_t shift; /* samples from the beginning of an array to the target's first sample */
} fill_case;

static const int64_t bank[2] = {-1025620, 1945336}; /* x, z; the bank of a river: water and dry land */

static void lay_tiles(scene *s)
{
    static const int lods[] = {0, 3, 1, 9};
    const bool is_mixed = s->kind == OF_MIXED_TILES || s->kind == OF_MIXED_POINTS;
    const bool are_points = s->kind == OF_POINTS || s->kind == OF_MIXED_POINTS || s->kind == OF_POINTS_IN_ROW;
    s->width = are_points ? 1 : s->kind == OF_RECT ? 19 : 7;
    s->height = are_points ? 1 : s->kind == OF_RECT ? 11 : 5;
    s->count = are_points ? 4 : s->kind == OF_RECT || s->kind == OF_ONE_TILE ? 1 : 4;
    s->has_slots = s->kind == OF_ONE_TILE || s->kind == OF_POINTS_IN_ROW || is_mixed;
    for (size_t n = 0; n < s->count; n++) {
        const int lod = is_mixed ? lods[n % 4] : 0;
        const int64_t step = are_points ? 7 * (int64_t)n : 6 * (int64_t)n;
        s->tiles[n] = (ter_tile){20 - lod, (bank[0] >> lod) + step, (bank[1] >> lod) + (are_points ? n : 0)};
        s->slots[n] = (uint32_t)((n * 7 + 3) % TILES); /* 24 and 7 have no common factor: no slot twice */
    }
}

/** Make the expected samples of a region: each layer alone, by the reference generator. Check that its heights are
 * those of ter_world_height. */
static void expect(scene *s, ter_generator *reference)
{
    const size_t size = (size_t)s->width * (size_t)s->height, samples = s->count * size;
    assert_true(samples <= SAMPLES);
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        float_layers alone = {{NULL}};
        float low = INFINITY, high = -INFINITY;
        if (!ter_world_has_layer(s->world, (ter_layer)layer))
            continue;
        for (size_t n = 0; n < s->count; n++) {
            const ter_rect rect = {s->tiles[n].level, s->tiles[n].i, s->tiles[n].j, s->width, s->height};
            alone.at[layer] = &s->floats[layer][n * size];
            assert_ok(fill_rect_layers(reference, s->world, &rect, &alone, (size_t)s->width));
        }
        for (size_t n = 0; n < samples; n++) {
            low = fminf(low, s->floats[layer][n]);
            high = fmaxf(high, s->floats[layer][n]);
        }
        /* some samples lie outside of middle - half .. middle + half */
        const double middle = low <= high ? ((double)low + (double)high) / 2.0 : 0.0,
                     half = low < high ? ((double)high - (double)low) / 3.0 : 1.0;
        s->range[layer][0] = middle - half;
        s->range[layer][1] = middle + half;
        assert_ok(ter_quantise_values(s->floats[layer], samples, middle - half, middle + half, s->u16[layer]));
    }
    /* ter_world_height takes long in a fluvial world, so only every 61st sample is checked */
    const size_t step = ter_world_has_layer(s->world, TER_LAYER_WATER) ? 61 : 1;
    for (size_t n = 0; n < samples; n += step) {
        const ter_tile *tile = &s->tiles[n / size];
        const int64_t column = (int64_t)(n % size) % s->width, row = (int64_t)(n % size) / s->width;
        float height;
        assert_ok(ter_world_height(s->world, tile->level, tile->i + column, tile->j + row, &height));
        assert_int_equal(float_bits(s->floats[TER_LAYER_HEIGHT][n]), float_bits(height));
    }
}

/** Set the strides of a target, where 0 means the default. Returns their true values. */
static void lay_strides(const scene *s, const fill_case *w, ter_target *target, size_t *row_stride, size_t *slot_stride)
{
    target->row_stride = w->has_gaps ? (size_t)s->width + 3 : 0;
    *row_stride = w->has_gaps ? target->row_stride : (size_t)s->width;
    target->slot_stride = w->has_gaps ? (size_t)s->height * *row_stride + 5 : 0;
    *slot_stride = w->has_gaps ? target->slot_stride : (size_t)s->height * *row_stride;
}

/** Make the array that is expected after a layer's fill. */
static void paint(const scene *s, const fill_case *w, ter_layer layer, size_t row_stride, size_t slot_stride,
                  unsigned char *canvas)
{
    const size_t bytes = w->type == TER_SAMPLE_U16 ? sizeof(uint16_t) : sizeof(float);
    const unsigned char *samples =
        w->type == TER_SAMPLE_U16 ? (const unsigned char *)s->u16[layer] : (const unsigned char *)s->floats[layer];
    const size_t width = (size_t)s->width, height = (size_t)s->height;
    memset(canvas, PATTERN, CANVAS * bytes);
    for (size_t n = 0; n < s->count; n++)
        for (size_t row = 0; row < height; row++) {
            const size_t at = w->shift + (s->has_slots ? s->slots[n] : n) * slot_stride + row * row_stride;
            assert_true(at + width + GUARD <= CANVAS);
            memcpy(canvas + at * bytes, samples + (n * height + row) * width * bytes, width * bytes);
        }
}

/** Make an array in a kind of memory. It is full of PATTERN, which must remain between the samples. */
static void *create_canvas(ter_memory memory, size_t bytes)
{
    void *canvas = NULL;
#ifdef TEST_HAS_CUDA
    if (memory == TER_MEMORY_DEVICE) {
        assert_int_equal(cudaMalloc(&canvas, bytes), cudaSuccess);
        assert_int_equal(cudaMemset(canvas, PATTERN, bytes), cudaSuccess);
        assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
        return canvas;
    }
#endif
    assert_int_equal(memory, TER_MEMORY_HOST);
    canvas = malloc(bytes);
    assert_non_null(canvas);
    memset(canvas, PATTERN, bytes);
    return canvas;
}

/** Copy an array from create_canvas to `out`, and free it. */
static void read_canvas(ter_memory memory, void *canvas, void *out, size_t bytes)
{
#ifdef TEST_HAS_CUDA
    if (memory == TER_MEMORY_DEVICE) {
        assert_int_equal(cudaMemcpy(out, canvas, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
        assert_int_equal(cudaFree(canvas), cudaSuccess);
        return;
    }
#endif
    assert_int_equal(memory, TER_MEMORY_HOST);
    memcpy(out, canvas, bytes);
    free(canvas);
}

/** Fill the region, and compare whole arrays, with the memory around the samples. */
static void check_case(ter_generator *generator, const scene *s, const fill_case *w)
{
    static unsigned char got[CANVAS * sizeof(float)], expected[CANVAS * sizeof(float)];
    const size_t bytes = w->type == TER_SAMPLE_U16 ? sizeof(uint16_t) : sizeof(float);
    size_t row_stride, slot_stride;
    ter_output outputs[TER_LAYER_COUNT];
    void *canvases[TER_LAYER_COUNT];
    for (size_t n = 0; n < w->n_layers; n++) {
        const ter_layer layer = w->layers[n];
        canvases[n] = create_canvas(w->memory, CANVAS * bytes);
        outputs[n] = (ter_output){.layer = layer, .samples = (char *)canvases[n] + w->shift * bytes};
        if (w->type == TER_SAMPLE_U16) {
            outputs[n].lo = s->range[layer][0];
            outputs[n].hi = s->range[layer][1];
        }
    }
    const ter_rect rect = {s->tiles[0].level, s->tiles[0].i, s->tiles[0].j, s->width, s->height};
    const ter_region region =
        s->kind == OF_RECT ? ter_region_of_rect(&rect) : ter_region_of_tiles(s->tiles, s->count, s->width, s->height);
    ter_target target = {TER_SIZED(ter_target), .outputs = outputs, .n_outputs = w->n_layers};
    target.sample_type = w->type;
    target.memory = w->memory;
    target.slots = s->has_slots ? s->slots : NULL;
    target.cuda_stream = w->is_on_stream ? ter_generator_stream(generator) : NULL;
    lay_strides(s, w, &target, &row_stride, &slot_stride);
    assert_ok(ter_fill(generator, s->world, &region, &target));
    if (w->memory == TER_MEMORY_DEVICE)
        assert_ok(ter_generator_wait(generator, target.cuda_stream));
    for (size_t n = 0; n < w->n_layers; n++) {
        read_canvas(w->memory, canvases[n], got, CANVAS * bytes);
        paint(s, w, w->layers[n], row_stride, slot_stride, expected);
        for (size_t k = 0; k < CANVAS; k++)
            if (memcmp(got + k * bytes, expected + k * bytes, bytes) != 0)
                fail_msg("%s, layer %s of %zu, %s in %s memory, row stride %zu, slot stride %zu: sample %zu",
                         kind_names[s->kind], ter_layer_name(w->layers[n]), w->n_layers,
                         w->type == TER_SAMPLE_U16 ? "u16" : "float",
                         w->memory == TER_MEMORY_DEVICE ? "device" : "host", target.row_stride, target.slot_stride, k);
    }
}

/** All layers in an arbitrary order. layer_sets has ranges of this array: one layer, two layers, and all. */
static const ter_layer all_layers[] = {TER_LAYER_DRYNESS,
                                       TER_LAYER_WATER,
                                       TER_LAYER_HEIGHT,
                                       TER_LAYER_FLOW,
                                       TER_LAYER_SHORE,
                                       TER_LAYER_RELIEF,
                                       TER_LAYER_PLAIN,
                                       TER_LAYER_ICE,
                                       TER_LAYER_PLATEAU,
                                       TER_LAYER_LAND,
                                       TER_LAYER_TOP,
                                       TER_LAYER_GLACIER,
                                       TER_LAYER_SAND,
                                       TER_LAYER_SNOW,
                                       TER_LAYER_TEMPERATURE,
                                       TER_LAYER_BIOME,
                                       TER_LAYER_PRECIPITATION,
                                       TER_LAYER_TEMPERATURE_RANGE,
                                       TER_LAYER_PRECIPITATION_SEASON};
_Static_assert(sizeof all_layers / sizeof *all_layers == TER_LAYER_COUNT, "all layers");
static const struct {
    size_t first, count;
} layer_sets[] = {{2, 1}, {1, 1}, {1, 2}, {3, 2}, {0, TER_LAYER_COUNT}};

/** Check all fills of a region into one kind of memory. Returns their number. */
static int check_cases(ter_generator *generator, const scene *s, ter_memory memory)
{
    const size_t n_sets = ter_world_has_layer(s->world, TER_LAYER_WATER) ? sizeof layer_sets / sizeof layer_sets[0] : 1;
    int n_cases = 0;
    for (size_t set = 0; set < n_sets; set++)
        for (int type = TER_SAMPLE_FLOAT; type <= TER_SAMPLE_U16; type++)
            for (int has_gaps = 0; has_gaps < 2; has_gaps++) {
                const fill_case w = {.layers = all_layers + layer_sets[set].first,
                                     .n_layers = layer_sets[set].count,
                                     .type = (ter_sample_type)type,
                                     .memory = memory,
                                     .has_gaps = has_gaps,
                                     .is_on_stream = n_cases % 2,
                                     .shift = has_gaps ? 1 + set % 3 : 0};
                check_case(generator, s, &w);
                n_cases++;
            }
    return n_cases;
}

static void check_matrix(ter_basis basis)
{
    static scene s;
    ter_params params;
    ter_params_default(&params);
    params.basis = basis;
    ter_world *world = world_of(&params);
    ter_generator *reference = NULL;
    const ter_generator_options plain = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 1,
                                         .simd = TER_SIMD_BASELINE};
    assert_ok(ter_generator_create(&plain, &reference));
    int n_cases = 0;
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        memset(&s, 0, sizeof s);
        s.world = world;
        s.kind = (region_kind)kind;
        lay_tiles(&s);
        expect(&s, reference);
        for (int method = 0; method < TER_METHOD_COUNT; method++) {
            if (basis == TER_BASIS_FLUVIAL && method != TER_METHOD_TILED && kind != OF_POINTS)
                continue; /* by these methods a sample takes milliseconds */
            ter_generator *generator = generator_of((ter_method)method, 2, TER_SIMD_AUTO);
            n_cases += check_cases(generator, &s, TER_MEMORY_HOST);
#ifdef TEST_HAS_CUDA
            if (backend_under_test == TER_BACKEND_CUDA)
                n_cases += check_cases(generator, &s, TER_MEMORY_DEVICE);
#endif
            ter_generator_destroy(generator);
        }
    }
    assert_true(n_cases >= (basis == TER_BASIS_FLUVIAL ? 9 * 20 : 21 * 4));
    ter_generator_destroy(reference);
    ter_world_destroy(world);
}

static void test_smooth(void **state)
{
    (void)state;
    check_matrix(TER_BASIS_SMOOTH);
}

static void test_fluvial(void **state)
{
    (void)state;
    check_matrix(TER_BASIS_FLUVIAL);
}

/** The water of dry samples, which is NaN, becomes 0 in 16 bits. */
static void test_dry_samples(void **state)
{
    (void)state;
    float water[SIDE * SIDE];
    uint16_t samples[SIDE * SIDE];
    int n_dry = 0, n_wet = 0;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect rect = {20, bank[0], bank[1], SIDE, SIDE};
    const ter_region region = ter_region_of_rect(&rect);
    ter_output output = {.layer = TER_LAYER_WATER, .samples = water, .lo = -2000.0, .hi = 9000.0};
    ter_target target = ter_target_of_outputs(&output, 1);
    assert_ok(ter_fill(generator, world, &region, &target));
    output.samples = samples;
    target.sample_type = TER_SAMPLE_U16;
    assert_ok(ter_fill(generator, world, &region, &target));
    for (int n = 0; n < SIDE * SIDE; n++) {
        const bool is_dry = isnan(water[n]);
        assert_true(is_dry ? samples[n] == 0 : samples[n] > 0);
        n_dry += is_dry;
        n_wet += !is_dry;
    }
    assert_true(n_dry > 50 && n_wet > 50);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** An array with more 16-bit samples than the library makes at once. */
static void test_large_u16(void **state)
{
    enum { WIDTH = 3001, HEIGHT = 1500, STRIDE = WIDTH + 2 };
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const ter_rect rect = {20, -1000, 777, WIDTH, HEIGHT};
    const ter_region region = ter_region_of_rect(&rect);
    float *heights = malloc((size_t)WIDTH * HEIGHT * sizeof *heights);
    uint16_t *samples = malloc((size_t)STRIDE * HEIGHT * sizeof *samples), expected[WIDTH];
    assert_true(heights && samples);
    memset(samples, PATTERN, (size_t)STRIDE * HEIGHT * sizeof *samples);
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = samples, .lo = -300.0, .hi = 700.0};
    ter_target target = ter_target_of_outputs(&output, 1);
    target.sample_type = TER_SAMPLE_U16;
    target.row_stride = STRIDE;
    assert_ok(fill_rect_heights(generator, world, &rect, heights, WIDTH));
    assert_ok(ter_fill(generator, world, &region, &target));
    for (size_t row = 0; row < HEIGHT; row++) {
        assert_ok(ter_quantise_values(heights + row * WIDTH, WIDTH, -300.0, 700.0, expected));
        assert_memory_equal(samples + row * STRIDE, expected, sizeof expected);
        assert_int_equal(samples[row * STRIDE + WIDTH], PATTERN << 8 | PATTERN);
    }
    free(samples);
    free(heights);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Compare a fetch with single fills of its layers. */
static void check_fetched(const ter_fetched *got, ter_generator *reference, const ter_world *world,
                          const ter_rect *rect, const ter_layer *layers, size_t n_layers)
{
    static float expected[SIDE * SIDE];
    const size_t count = (size_t)(rect->width * rect->height);
    bool has_heights = false;
    assert_int_equal(got->struct_size, sizeof *got);
    assert_null(got->samples);
    assert_int_equal(got->n_clamped, 0);
    for (size_t n = 0; n < n_layers; n++) {
        float_layers alone = {{NULL}};
        alone.at[layers[n]] = expected;
        assert_ok(fill_rect_layers(reference, world, rect, &alone, (size_t)rect->width));
        assert_memory_equal(got->layers[n], expected, count * sizeof *expected);
        if (layers[n] != TER_LAYER_HEIGHT)
            continue;
        float low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < count; k++) {
            low = fminf(low, expected[k]);
            high = fmaxf(high, expected[k]);
        }
        has_heights = true;
        assert_ptr_equal(got->heights, got->layers[n]);
        assert_true(got->min_m == low && got->max_m == high);
    }
    assert_true(has_heights || (!got->heights && got->min_m == 0.0f && got->max_m == 0.0f));
}

/** Several fetches run at the same time, each of other layers. */
static void test_fetched_layers(void **state)
{
    enum { FETCHES = 3, ROUNDS = 6 };
    (void)state;
    static const ter_layer height = TER_LAYER_HEIGHT;
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO), *reference = NULL;
    const ter_generator_options plain = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 1};
    const ter_fetch_options options = {TER_SIZED(ter_fetch_options), (size_t)SIDE * SIDE, TER_LAYER_COUNT};
    ter_fetch *fetches[FETCHES];
    assert_ok(ter_generator_create(&plain, &reference));
    for (int n = 0; n < FETCHES; n++)
        assert_ok(ter_fetch_create(generator, &options, &fetches[n]));
    for (int round = 0; round < ROUNDS; round++) {
        ter_rect rects[FETCHES];
        ter_fetch_request requests[FETCHES];
        for (int n = 0; n < FETCHES; n++) {
            const size_t set = (size_t)(round + n) % (sizeof layer_sets / sizeof layer_sets[0]);
            rects[n] = (ter_rect){20 - n, (bank[0] >> n) + 9 * round, bank[1] >> n, SIDE - round, SIDE - n};
            requests[n] =
                (ter_fetch_request){TER_SIZED(ter_fetch_request), .layers = all_layers + layer_sets[set].first,
                                    .n_layers = layer_sets[set].count};
            if (round == ROUNDS - 1) /* without a request a fetch returns heights */
                requests[n].layers = &height, requests[n].n_layers = 1;
            assert_ok(ter_fetch_start(fetches[n], world, &rects[n], round == ROUNDS - 1 ? NULL : &requests[n]));
        }
        for (int n = 0; n < FETCHES; n++) {
            const ter_fetched *got = NULL;
            assert_ok(ter_fetch_wait(fetches[n], &got));
            check_fetched(got, reference, world, &rects[n], requests[n].layers, requests[n].n_layers);
        }
    }
    for (int n = 0; n < FETCHES; n++)
        ter_fetch_destroy(fetches[n]);
    ter_generator_destroy(reference);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** A fetch of 16-bit samples returns those of a fill, before and after a fetch of layers. */
static void test_fetched_u16(void **state)
{
    (void)state;
    static float heights[SIDE * SIDE];
    static uint16_t samples[SIDE * SIDE];
    ter_world *world = fluvial_world(1);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    const ter_fetch_options options = {TER_SIZED(ter_fetch_options), (size_t)SIDE * SIDE, 2};
    const ter_fetch_request layers = {TER_SIZED(ter_fetch_request), .layers = all_layers + 1, .n_layers = 2};
    const ter_rect rect = {20, bank[0], bank[1], SIDE, SIDE};
    const ter_region region = ter_region_of_rect(&rect);
    ter_fetch *fetch = NULL;
    ter_statistics s = {TER_SIZED(ter_statistics)};
    assert_ok(ter_generator_statistics(generator, world, &rect, NULL, &s));
    const double lo = (double)s.min_m + ((double)s.max_m - (double)s.min_m) / 3.0, hi = (double)s.max_m;
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = samples, .lo = lo, .hi = hi};
    ter_target target = ter_target_of_outputs(&output, 1);
    target.sample_type = TER_SAMPLE_U16;
    assert_ok(ter_fill(generator, world, &region, &target));
    assert_ok(fill_rect_heights(generator, world, &rect, heights, SIDE));
    assert_ok(ter_fetch_create(generator, &options, &fetch));
    uint64_t n_clamped = 0;
    for (int n = 0; n < SIDE * SIDE; n++)
        n_clamped += (double)heights[n] < lo || (double)heights[n] > hi;
    for (int round = 0; round < 2; round++) {
        const ter_fetched *got = NULL;
        assert_ok(start_fetch_u16(fetch, world, &rect, lo, hi));
        assert_ok(ter_fetch_wait(fetch, &got));
        assert_memory_equal(got->samples, samples, sizeof samples);
        assert_null(got->heights);
        assert_true(got->n_clamped == n_clamped && n_clamped > 0);
        assert_true(got->min_m == s.min_m && got->max_m == s.max_m);
        assert_ok(ter_fetch_start(fetch, world, &rect, &layers));
        assert_ok(ter_fetch_wait(fetch, &got));
        check_fetched(got, generator, world, &rect, all_layers + 1, 2);
    }
    ter_fetch_destroy(fetch);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_smooth),         cmocka_unit_test(test_fluvial),
                                       cmocka_unit_test(test_dry_samples),    cmocka_unit_test(test_large_u16),
                                       cmocka_unit_test(test_fetched_layers), cmocka_unit_test(test_fetched_u16)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
