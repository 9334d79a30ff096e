/* test_strips.c - strips cover every rectangle once, in order, with the same samples as a fill of the whole rectangle.
 */
#include "program_under_test.h"

#include <math.h>

#include "program/core/fill.h"
#include "program/export/write/strips.h"

/** A test case: the request, and the number of generators. */
typedef struct strips_case {
    const char *name;
    ter_rect rects[3];
    size_t n_rects;
    bool from_south, may_cut_rows, is_scaled;
    int64_t rows_multiple;
    int n_generators;
} strips_case;

static const double range_m[2] = {-300.0, 700.0};

/** The strips of one rectangle that have arrived. */
typedef struct arrived {
    unsigned char *count; /* for each sample of the rectangle: how often it has arrived */
    size_t rect;
    int64_t n_samples;
    uint64_t n_clamped;
} arrived;

static void check_shape(const strips_case *c, const strip *s)
{
    const ter_rect *rect = &c->rects[s->rect];
    const int64_t multiple = c->rows_multiple > 1 ? c->rows_multiple : 1;
    assert_true(s->column >= 0 && s->row >= 0 && s->width >= 1);
    assert_true(s->column + s->width <= rect->width && s->row + s->rows <= rect->height);
    if (!c->may_cut_rows)
        assert_int_equal(s->width, rect->width);
    assert_int_equal(s->column % multiple, 0);
    if (s->column + s->width < rect->width)
        assert_int_equal(s->width % multiple, 0);
    const bool is_last = c->from_south ? s->row == 0 : s->row + s->rows == rect->height;
    if (!is_last)
        assert_int_equal(s->rows % multiple, 0);
}

/** Compare a strip with the whole rectangle. */
static void check_samples(const strips_case *c, const strip *s, const float *whole, const uint16_t *scaled, arrived *a)
{
    const int64_t width = c->rects[s->rect].width;
    float low = INFINITY, high = -INFINITY;
    size_t n_again = 0;
    for (int64_t row = 0; row < s->rows; row++) {
        const size_t at = (size_t)((s->row + row) * width + s->column), of = (size_t)(row * s->width);
        if (c->is_scaled)
            assert_memory_equal(s->fetched.samples + of, scaled + at, (size_t)s->width * sizeof *scaled);
        else
            assert_memory_equal(s->fetched.heights + of, whole + at, (size_t)s->width * sizeof *whole);
        for (size_t n = at; n < at + (size_t)s->width; n++) {
            n_again += a->count[n]++ != 0;
            low = fminf(low, whole[n]);
            high = fmaxf(high, whole[n]);
        }
    }
    /* one assertion for all samples, because under the thread sanitizer one for each would take minutes */
    assert_int_equal(n_again, 0);
    assert_true(s->fetched.min_m == low && s->fetched.max_m == high);
    a->n_samples += s->width * s->rows;
    a->n_clamped += s->fetched.n_clamped;
}

static uint64_t clamped_of(const float *heights, size_t count)
{
    uint64_t n_clamped = 0;
    for (size_t n = 0; n < count; n++)
        n_clamped += (double)heights[n] < range_m[0] || (double)heights[n] > range_m[1];
    return n_clamped;
}

/** Take all strips of one rectangle, and check them. */
static void take_rect(const strips_case *c, strips *strips, size_t rect_index, ter_generator *generator,
                      const ter_world *world)
{
    const ter_rect *rect = &c->rects[rect_index];
    const size_t count = (size_t)(rect->width * rect->height);
    float *whole = malloc(count * sizeof *whole);
    uint16_t *scaled = malloc(count * sizeof *scaled);
    arrived a = {.count = calloc(count, 1), .rect = rect_index};
    int64_t expected_row = c->from_south ? rect->height : 0, expected_column = 0;
    assert_true(whole && scaled && a.count);
    assert_ok(fill_heights(generator, world, rect, whole, (size_t)rect->width));
    assert_ok(ter_quantise_values(whole, count, range_m[0], range_m[1], scaled));
    while (a.n_samples < (int64_t)count) {
        strip s;
        assert_done(strips_next(strips, &s));
        assert_true(s.rows > 0);
        assert_int_equal(s.rect, rect_index);
        assert_int_equal(s.column, expected_column);
        assert_int_equal(c->from_south ? s.row + s.rows : s.row, expected_row);
        check_shape(c, &s);
        check_samples(c, &s, whole, scaled, &a);
        expected_column = (s.column + s.width) % rect->width;
        if (expected_column == 0)
            expected_row += c->from_south ? -s.rows : s.rows;
    }
    if (c->is_scaled)
        assert_int_equal(a.n_clamped, clamped_of(whole, count));
    free(a.count);
    free(scaled);
    free(whole);
}

static ter_world *default_world(void)
{
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    return world_of(&params);
}

static const strips_case cases[] = {
    {"one sample", {{20, 5, -7, 1, 1}}, .n_rects = 1, .n_generators = 1},
    {"three rectangles",
     {{18, 0, 0, 61, 45}, {18, 61, 0, 61, 45}, {18, 0, 45, 61, 45}},
     .n_rects = 3,
     .n_generators = 2},
    {"a row", {{20, -500, 3, 4099, 1}}, .n_rects = 1, .n_generators = 1, .rows_multiple = 256, .may_cut_rows = true},
    {"a column", {{20, 9, 3, 1, 4099}}, .n_rects = 1, .n_generators = 1, .rows_multiple = 16, .from_south = true},
    {"several strips", {{20, 9, 3, 3001, 1301}}, .n_rects = 1, .n_generators = 3},
    {"in multiples", {{20, 9, 3, 3001, 1301}}, .n_rects = 1, .n_generators = 1, .rows_multiple = 256},
    {"from the south",
     {{20, 9, 3, 3001, 1301}},
     .n_rects = 1,
     .n_generators = 2,
     .rows_multiple = 16,
     .from_south = true},
    {"rows that are cut",
     {{20, 0, 0, 9001, 600}},
     .n_rects = 1,
     .n_generators = 1,
     .rows_multiple = 256,
     .may_cut_rows = true},
    {"rows longer than a strip", {{20, 0, 0, 2100001, 2}}, .n_rects = 1, .n_generators = 2, .may_cut_rows = true},
    {"16 bits", {{20, 9, 3, 3001, 1501}}, .n_rects = 1, .n_generators = 2, .is_scaled = true},
};

static void test_cases(void **state)
{
    (void)state;
    ter_world *world = default_world();
    ter_generator *generators[4];
    for (int n = 0; n < 4; n++)
        generators[n] = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const strips_case *c = &cases[n];
        strips *strips = NULL;
        strip end;
        const strips_request request = {.world = world,
                                        .rects = c->rects,
                                        .n_rects = c->n_rects,
                                        .from_south = c->from_south,
                                        .range_m = c->is_scaled ? range_m : NULL,
                                        .rows_multiple = c->rows_multiple,
                                        .may_cut_rows = c->may_cut_rows};
        print_message("%s\n", c->name);
        assert_done(strips_open(&request, generators, c->n_generators, &strips));
        for (size_t k = 0; k < c->n_rects; k++)
            take_rect(c, strips, k, generators[3], world);
        for (int k = 0; k < 2; k++) {
            assert_done(strips_next(strips, &end));
            assert_int_equal(end.rows, 0);
        }
        strips_close(strips);
    }
    for (int n = 0; n < 4; n++)
        ter_generator_destroy(generators[n]);
    ter_world_destroy(world);
}

/** The apron of a strip has the samples around the strip, also those outside of the rectangle. */
static void test_apron(void **state)
{
    (void)state;
    enum { APRON = 3 };
    ter_world *world = default_world();
    ter_generator *generators[2] = {generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO),
                                    generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO)};
    for (int from_south = 0; from_south < 2; from_south++) {
        const ter_rect rect = {20, 9, 3, 4001, 1201};
        const strips_request request = {.world = world,
                                        .rects = &rect,
                                        .n_rects = 1,
                                        .apron = APRON,
                                        .from_south = from_south,
                                        .rows_multiple = 16};
        strips *strips = NULL;
        strip s;
        int64_t n_rows = 0;
        assert_done(strips_open(&request, generators, 1, &strips));
        while (n_rows < rect.height) {
            assert_done(strips_next(strips, &s));
            const ter_rect grown = {rect.level, rect.i + s.column - APRON, rect.j + s.row - APRON, s.width + 2 * APRON,
                                    s.rows + 2 * APRON};
            const size_t count = (size_t)(grown.width * grown.height);
            float *expected = malloc(count * sizeof *expected);
            assert_non_null(expected);
            assert_int_equal(s.apron, APRON);
            assert_int_equal(s.width, rect.width);
            assert_ok(fill_heights(generators[1], world, &grown, expected, (size_t)grown.width));
            assert_memory_equal(s.fetched.heights, expected, count * sizeof *expected);
            free(expected);
            n_rows += s.rows;
        }
        assert_int_equal(n_rows, rect.height);
        strips_close(strips);
    }
    ter_generator_destroy(generators[0]);
    ter_generator_destroy(generators[1]);
    ter_world_destroy(world);
}

/** Compare a strip of layers with a fill of the same layers. */
static void check_layers(const strip *s, const ter_rect *rect, ter_generator *generator, const ter_world *world)
{
    static const ter_layer wanted[] = {TER_LAYER_HEIGHT, TER_LAYER_WATER, TER_LAYER_SHORE};
    const ter_rect grown = {rect->level, rect->i + s->column - s->apron, rect->j + s->row - s->apron,
                            s->width + 2 * s->apron, s->rows + 2 * s->apron};
    const size_t count = (size_t)(grown.width * grown.height);
    layer_arrays expected = {{0}};
    for (size_t n = 0; n < 3; n++)
        assert_non_null(expected.at[wanted[n]] = malloc(count * sizeof(float)));
    assert_ok(fill_rect(generator, world, &grown, &expected, (size_t)grown.width));
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++) {
        assert_true(!s->layers[layer] == !expected.at[layer]);
        if (expected.at[layer])
            assert_memory_equal(s->layers[layer], expected.at[layer], count * sizeof(float));
        free(expected.at[layer]);
    }
}

/** Layers are made together, by several generators in parallel, and arrive in order. */
static void test_layers(void **state)
{
    enum { GENERATORS = 3, RECTS = 3 };
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_FLUVIAL;
    ter_world *world = world_of(&params);
    ter_generator *generators[GENERATORS + 1];
    for (int n = 0; n < GENERATORS + 1; n++)
        generators[n] = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (int from_south = 0; from_south < 2; from_south++) {
        const ter_rect rects[RECTS] = {
            {20, 60000, 32000, 701, 4100}, {20, 61000, 32000, 701, 4100}, {20, 62000, 32000, 701, 4100}};
        const strips_request request = {.world = world,
                                        .rects = rects,
                                        .n_rects = RECTS,
                                        .layers =
                                            1U << TER_LAYER_HEIGHT | 1U << TER_LAYER_WATER | 1U << TER_LAYER_SHORE,
                                        .apron = 2 * from_south,
                                        .from_south = from_south,
                                        .rows_multiple = 16};
        strips *strips = NULL;
        strip s;
        size_t n_strips = 0;
        assert_done(strips_open(&request, generators, GENERATORS, &strips));
        for (int64_t n_rows = 0; n_rows < RECTS * rects[0].height; n_rows += s.rows, n_strips++) {
            assert_done(strips_next(strips, &s));
            assert_true(s.rows > 0 && s.width == rects[0].width && !s.fetched.heights);
            assert_int_equal(s.rect, n_rows / rects[0].height);
            const int64_t in_rect = n_rows % rects[0].height;
            assert_int_equal(s.row, from_south ? rects[0].height - in_rect - s.rows : in_rect);
            check_layers(&s, &rects[s.rect], generators[GENERATORS], world);
        }
        assert_true(n_strips > 2 * GENERATORS - 1);
        assert_done(strips_next(strips, &s));
        assert_int_equal(s.rows, 0);
        strips_close(strips);
    }
    for (int n = 0; n < GENERATORS + 1; n++)
        ter_generator_destroy(generators[n]);
    ter_world_destroy(world);
}

/** If one generator fails, the failure is returned even if another generator makes a later strip. */
static void test_failure_of_one(void **state)
{
    enum { RECTS = 6 };
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_FLUVIAL;
    ter_world *world = world_of(&params);
    ter_generator *generators[2] = {generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO),
                                    generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO)};
    ter_rect rects[RECTS];
    for (int n = 0; n < RECTS; n++)
        rects[n] = (ter_rect){20, n == 2 ? TER_COORDINATE_MAX : 64 * n, 0, 64, 64};
    const strips_request request = {.world = world, .rects = rects, .n_rects = RECTS, .layers = 1U << TER_LAYER_FLOW};
    strips *strips = NULL;
    strip s;
    assert_done(strips_open(&request, generators, 2, &strips));
    result res = strips_next(strips, &s);
    for (int n = 1; n < 3 && res.kind == RESULT_DONE; n++)
        res = strips_next(strips, &s);
    for (int n = 0; n < 20; n++) {
        assert_result(res, RESULT_USAGE, "world");
        usleep(5000);
        res = strips_next(strips, &s);
    }
    strips_close(strips);
    ter_generator_destroy(generators[0]);
    ter_generator_destroy(generators[1]);
    ter_world_destroy(world);
}

/** A layer that the world does not have is reported by the first strip. */
static void test_missing_layer(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect rect = {20, 0, 0, 64, 64};
    const strips_request request = {.world = world, .rects = &rect, .n_rects = 1, .layers = 1U << TER_LAYER_FLOW};
    strips *strips = NULL;
    strip s;
    assert_done(strips_open(&request, &generator, 1, &strips));
    for (int n = 0; n < 2; n++)
        assert_result(strips_next(strips, &s), RESULT_USAGE, "layer flow");
    strips_close(strips);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Strips may be closed at any time, and the generators can be used again afterwards. */
static void test_closed_early(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_FLUVIAL;
    /* strips of the first world have heights; strips of the second world have several layers */
    ter_world *const worlds[2] = {default_world(), world_of(&params)};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect rect = {20, 0, 0, 4096, 8192};
    for (int n = 0; n < 6; n++) {
        const int taken = n / 2;
        const strips_request request = {.world = worlds[n % 2],
                                        .rects = &rect,
                                        .n_rects = 1,
                                        .layers = n % 2 ? 1U << TER_LAYER_HEIGHT | 1U << TER_LAYER_WATER : 0};
        strips *strips = NULL;
        strip s;
        assert_done(strips_open(&request, &generator, 1, &strips));
        for (int k = 0; k < taken; k++) {
            assert_done(strips_next(strips, &s));
            assert_true(s.rows > 0 && s.rows < rect.height);
        }
        strips_close(strips);
    }
    strips_close(NULL);
    ter_generator_destroy(generator);
    for (int n = 0; n < 2; n++)
        ter_world_destroy(worlds[n]);
}

/** Strips may also be closed when all buffers are full, because strips were made faster than they were taken. */
static void test_closed_when_full(void **state)
{
    enum { RECTS = 64 };
    ter_rect rects[RECTS];
    (void)state;
    ter_world *world = default_world();
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    for (int n = 0; n < RECTS; n++)
        rects[n] = (ter_rect){20, n, n, 1, 1};
    const strips_request request = {.world = world, .rects = rects, .n_rects = RECTS};
    for (size_t n = 0; n < 500; n++) {
        strips *strips = NULL;
        strip s;
        assert_done(strips_open(&request, &generator, 1, &strips));
        for (size_t k = 0; k < n % (RECTS + 2); k++) {
            assert_done(strips_next(strips, &s));
            assert_int_equal(s.rows, k < RECTS);
        }
        strips_close(strips);
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** If a rectangle leaves the world, the call for its strip returns the error, and so does every later call. */
static void test_failure(void **state)
{
    (void)state;
    ter_world *world = default_world();
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect rect = {20, TER_COORDINATE_MAX - 10, 0, 64, 64};
    const strips_request request = {.world = world, .rects = &rect, .n_rects = 1};
    strips *strips = NULL;
    strip s;
    assert_done(strips_open(&request, &generator, 1, &strips));
    for (int n = 0; n < 2; n++)
        assert_result(strips_next(strips, &s), RESULT_USAGE, "world");
    strips_close(strips);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

int main(void)
{
    backend_under_test = TER_BACKEND_CPU;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases),          cmocka_unit_test(test_apron),
                                       cmocka_unit_test(test_closed_early),   cmocka_unit_test(test_closed_when_full),
                                       cmocka_unit_test(test_failure),        cmocka_unit_test(test_layers),
                                       cmocka_unit_test(test_failure_of_one), cmocka_unit_test(test_missing_layer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
