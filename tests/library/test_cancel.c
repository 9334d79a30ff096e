/* test_cancel.c - each call of a cancelled generator returns TER_ECANCELLED, at the latest after the piece of work that
 * is in progress. Later calls return the right values, because no half-made data is cached. */
#include <math.h>
#include <stdatomic.h>

#include "backend_under_test.h"
#include "short_calls.h"

enum { SIDE = 40 };

/** The callback cancels when it has been called `left` times; 0: at once. */
typedef struct countdown {
    atomic_int left;
} countdown;

static int count_down(void *user)
{
    countdown *p = user;
    return atomic_load(&p->left) <= 0 || atomic_fetch_sub(&p->left, 1) <= 1;
}

static ter_generator *cancellable_generator(ter_method method, countdown *p)
{
    const ter_generator_options options = {TER_SIZED(ter_generator_options),
                                           .backend = backend_under_test,
                                           .method = method,
                                           .threads = 2,
                                           .is_cancelled = count_down,
                                           .cancel_user = p};
    ter_generator *generator = NULL;
    assert_ok(ter_generator_create(&options, &generator));
    return generator;
}

static ter_world *world_of_basis(ter_basis basis)
{
    ter_params params;
    ter_params_default(&params);
    params.basis = basis;
    return world_of(&params);
}

static void assert_cancelled(ter_status status)
{
    assert_int_equal(status, TER_ECANCELLED);
    assert_string_equal(ter_error_detail(), "interrupted");
}

/** Check that each call that makes heights is cancelled, with a generator that is cancelled at once. */
static void check_calls(ter_generator *generator, const ter_world *world, const ter_rect *rect)
{
    static float out[SIDE * SIDE];
    const ter_tile tile = {rect->level, rect->i, rect->j};
    const tiles_layout layout = {SIDE, SIDE, SIDE, (size_t)SIDE * SIDE, NULL};
    static uint16_t samples[SIDE * SIDE];
    const float_layers layers = {.at = {[TER_LAYER_HEIGHT] = out}};
    const ter_region region = ter_region_of_rect(rect);
    const ter_output output = {.layer = TER_LAYER_HEIGHT, .samples = samples, .lo = 0.0, .hi = 1.0};
    ter_target target = ter_target_of_outputs(&output, 1);
    target.sample_type = TER_SAMPLE_U16;
    const int64_t points[2][2] = {{rect->i, rect->j}, {rect->i, rect->j}};
    ter_statistics statistics = {TER_SIZED(ter_statistics)};
    ter_fetch *fetch = NULL;
    assert_cancelled(fill_rect_heights(generator, world, rect, out, SIDE));
    assert_cancelled(fill_tiles_heights(generator, world, &tile, 1, &layout, out));
    assert_cancelled(fill_rect_layers(generator, world, rect, &layers, SIDE));
    assert_cancelled(fill_tiles_layers(generator, world, &tile, 1, &layout, &layers));
    for (size_t count = 1; count <= 2; count++)
        assert_cancelled(fill_point_heights(generator, world, rect->level, points, count, out));
    assert_cancelled(ter_fill(generator, world, &region, &target));
    assert_cancelled(ter_generator_statistics(generator, world, rect, NULL, &statistics));
    assert_ok(create_fetch(generator, (size_t)SIDE * SIDE, &fetch));
    assert_cancelled(ter_fetch_start(fetch, world, rect, NULL));
    assert_cancelled(start_fetch_u16(fetch, world, rect, 0.0, 1.0));
    ter_fetch_destroy(fetch);
}

static void test_calls(void **state)
{
    (void)state;
    for (int basis = 0; basis < TER_BASIS_COUNT; basis++)
        for (int method = 0; method < TER_METHOD_COUNT; method++) {
            countdown p = {0};
            ter_world *world = world_of_basis((ter_basis)basis);
            ter_generator *generator = cancellable_generator((ter_method)method, &p);
            const ter_rect rect = {ter_world_params(world)->levels, -4000, 9000, SIDE, SIDE};
            check_calls(generator, world, &rect);
            ter_generator_destroy(generator);
            ter_world_destroy(world);
        }
}

/** Cancel a fill at the n-th call of the callback, and repeat the fill. Returns whether the first one was cancelled. */
static int cancel_after(ter_method method, const ter_world *world, const ter_rect *rect, int n, const float *expected)
{
    static float got[SIDE * SIDE];
    countdown p = {n};
    ter_generator *generator = cancellable_generator(method, &p);
    const ter_status status = fill_rect_heights(generator, world, rect, got, SIDE);
    if (status != TER_OK) {
        assert_cancelled(status);
        atomic_store(&p.left, 1 << 30);
        assert_ok(fill_rect_heights(generator, world, rect, got, SIDE));
    }
    assert_memory_equal(got, expected, sizeof got);
    ter_generator_destroy(generator);
    return status != TER_OK;
}

/** A fill of coarse land calls the callback while it makes networks, a fill of fine land between bands of rows. */
static void test_again(void **state)
{
    static float expected[SIDE * SIDE];
    static const struct {
        ter_basis basis;
        int lod;
    } lands[] = {{TER_BASIS_FLUVIAL, 0}, {TER_BASIS_FLUVIAL, 9}, {TER_BASIS_SMOOTH, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof lands / sizeof lands[0]; k++)
        for (int method = 0; method < (lands[k].lod > 0 ? 1 : TER_METHOD_COUNT); method++) {
            ter_world *world = world_of_basis(lands[k].basis);
            ter_generator *reference = generator_of((ter_method)method, 2, TER_SIMD_AUTO);
            const ter_rect rect = {ter_world_params(world)->levels - lands[k].lod, -1000, 900, SIDE, SIDE};
            int n_cancelled = 0;
            assert_ok(fill_rect_heights(reference, world, &rect, expected, SIDE));
            for (int n = 1; n < 3000; n *= 7)
                n_cancelled += cancel_after((ter_method)method, world, &rect, n, expected);
            assert_true(n_cancelled > 0);
            ter_generator_destroy(reference);
            ter_world_destroy(world);
        }
}

/** Without a callback nothing is cancelled. The status has a text. */
static void test_default(void **state)
{
    static float out[4];
    ter_world *world = world_of_basis(TER_BASIS_FLUVIAL);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    const ter_rect rect = {ter_world_params(world)->levels, 0, 0, 2, 2};
    (void)state;
    assert_ok(fill_rect_heights(generator, world, &rect, out, 2));
    assert_string_equal(ter_status_text(TER_ECANCELLED), "cancelled");
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_calls), cmocka_unit_test(test_again),
                                       cmocka_unit_test(test_default)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
