/* test_generators.c - generators make the bits of ter_world_height in random worlds, rectangles and batches.
 * Neighbouring tiles fit together. Threads, SIMD level, stride and order change no bit. */
#include "backend_under_test.h"
#include "short_calls.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>

enum { GUARD = 7 }; /* floats after each row that must not change */

static const ter_method methods[] = {TER_METHOD_TILED, TER_METHOD_RECURSIVE, TER_METHOD_SINGLE_PASS};

/** Fill a rectangle with guards after its rows. Compare every sample with ter_world_height, and check that no guard has
 * changed. */
static void check_rect(ter_generator *generator, const ter_world *world, const ter_rect *rect)
{
    const size_t stride = (size_t)rect->width + GUARD, n = stride * (size_t)rect->height;
    float *out = malloc(n * sizeof *out);
    assert_non_null(out);
    for (size_t k = 0; k < n; k++)
        out[k] = untouched;
    assert_ok(fill_rect_heights(generator, world, rect, out, stride));
    for (int64_t row = 0; row < rect->height; row++) {
        for (int64_t column = 0; column < rect->width; column++) {
            float expected;
            assert_ok(ter_world_height(world, rect->level, rect->i + column, rect->j + row, &expected));
            const float got = out[(size_t)row * stride + (size_t)column];
            if (float_bits(got) != float_bits(expected))
                fail_msg(
                    "level %d of %d, basis %d, at %lld, %lld (column %lld, row %lld of %lld x %lld): %a, expected %a",
                    rect->level, ter_world_params(world)->levels, (int)ter_world_params(world)->basis,
                    (long long)(rect->i + column), (long long)(rect->j + row), (long long)column, (long long)row,
                    (long long)rect->width, (long long)rect->height, (double)got, (double)expected);
        }
        for (int64_t column = rect->width; column < (int64_t)stride; column++)
            assert_true(out[(size_t)row * stride + (size_t)column] == untouched);
    }
    free(out);
}

static ter_rect random_rect(uint64_t *state, int levels, int64_t side_max)
{
    ter_rect rect = {.level = (int)(test_random(state) % (uint64_t)(levels + 1))};
    rect.width = 1 + (int64_t)(test_random(state) % (uint64_t)side_max);
    rect.height = 1 + (int64_t)(test_random(state) % (uint64_t)side_max);
    rect.i = random_coordinate(state, levels - rect.level, rect.width);
    rect.j = random_coordinate(state, levels - rect.level, rect.height);
    const int64_t points = 2 * (TER_COORDINATE_MAX >> (levels - rect.level)) + 1;
    rect.width = rect.width < points ? rect.width : points;
    rect.height = rect.height < points ? rect.height : points;
    return rect;
}

static void test_random_rects(void **state)
{
    (void)state;
    uint64_t random = 20260101;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        ter_generator *generator = generator_of(methods[m], 2, TER_SIMD_AUTO);
        for (int n = 0; n < 120; n++) {
            const ter_params params = random_params(&random);
            ter_world *world = world_of(&params);
            const ter_rect rect = random_rect(&random, params.levels, 90);
            check_rect(generator, world, &rect);
            ter_world_destroy(world);
        }
        ter_generator_destroy(generator);
    }
}

/** Places where the upper 32 bits of a coordinate in the random counter change: multiples of 2^34 points of this level
 * or of a coarser level, in one direction or in both. */
static void test_upper_halves(void **state)
{
    (void)state;
    const int simd_last = backend_under_test == TER_BACKEND_CPU ? (int)ter_simd_best() : TER_SIMD_AUTO;
    uint64_t random = 99;
    for (int n = 0; n < 18; n++) {
        ter_params params = random_params(&random);
        params.levels = 16;
        params.basis = (ter_basis)(n % 2);
        ter_world *world = world_of(&params);
        const int64_t at[] = {-(INT64_C(1) << 34), 0, INT64_C(1) << (34 + n / 9)};
        const int64_t i = n < 9 ? at[n % 3] : 123456789, j = n % 9 < 6 ? at[n / 3 % 3] : -98765;
        const ter_rect rect = {16, i - 41 + n, j - 37, 83, 79};
        for (int simd = TER_SIMD_AUTO; simd <= simd_last; simd++) {
            ter_generator *generator = generator_of(TER_METHOD_TILED, 1, (ter_simd)simd);
            check_rect(generator, world, &rect);
            ter_generator_destroy(generator);
        }
        ter_world_destroy(world);
    }
}

/** A fetch returns the samples of a fill, and their minimum and maximum. A 16-bit fetch returns these samples
 * quantised. */
static void test_fetch(void **state)
{
    (void)state;
    enum { FETCHES = 3, WIDTH = 301, HEIGHT = 97, COUNT = WIDTH * HEIGHT };
    static float expected[COUNT];
    static uint16_t samples[COUNT];
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO);
    ter_fetch *fetches[FETCHES];
    uint64_t n_low = 0, n_high = 0;
    ter_statistics statistics = {TER_SIZED(ter_statistics)};
    const ter_rect first = {20, 1918048, 2540640, WIDTH, HEIGHT};
    assert_ok(ter_generator_statistics(generator, world, &first, NULL, &statistics));
    const double third = ((double)statistics.max_m - (double)statistics.min_m) / 3.0;
    /* many heights are below lo, and many above hi */
    const double lo = (double)statistics.min_m + third, hi = (double)statistics.max_m - third;
    const double precision = (double)FLT_EPSILON * fmax(fabs(lo), fabs(hi)); /* of heights, m */
    for (int n = 0; n < FETCHES; n++)
        assert_ok(create_fetch(generator, COUNT, &fetches[n]));
    for (int round = 0; round < 4; round++) {
        const bool is_u16 = round & 1;
        for (int n = 0; n < FETCHES; n++) { /* all fetches run at the same time */
            const ter_rect rect = {20, 1918048 + 999 * n, 2540640 + 77 * round, WIDTH, HEIGHT - n};
            assert_ok(is_u16 ? start_fetch_u16(fetches[n], world, &rect, lo, hi)
                             : ter_fetch_start(fetches[n], world, &rect, NULL));
        }
        for (int n = 0; n < FETCHES; n++) {
            const ter_rect rect = {20, 1918048 + 999 * n, 2540640 + 77 * round, WIDTH, HEIGHT - n};
            const size_t count = (size_t)WIDTH * (size_t)(HEIGHT - n);
            float low = INFINITY, high = -INFINITY;
            uint64_t n_clamped = 0;
            const ter_fetched *got;
            assert_ok(ter_fetch_wait(fetches[n], &got));
            assert_ok(fill_rect_heights(generator, world, &rect, expected, WIDTH));
            assert_ok(ter_quantise_values(expected, count, lo, hi, samples));
            for (size_t k = 0; k < count; k++) {
                low = fminf(low, expected[k]);
                high = fmaxf(high, expected[k]);
                n_low += (double)expected[k] < lo;
                n_high += (double)expected[k] > hi;
                n_clamped += (double)expected[k] < lo || (double)expected[k] > hi;
                const double exact = fmin(fmax(((double)expected[k] - lo) / (hi - lo), 0.0), 1.0) * 65535.0;
                assert_true(fabs((double)samples[k] - exact) <= 0.51 + 2.0 * precision / (hi - lo) * 65535.0);
            }
            assert_true(got->min_m == low && got->max_m == high);
            assert_true(got->n_clamped == (is_u16 ? n_clamped : 0));
            if (is_u16)
                assert_memory_equal(got->samples, samples, count * sizeof samples[0]);
            else
                assert_memory_equal(got->heights, expected, count * sizeof expected[0]);
        }
    }
    assert_true(n_low > 0 && n_high > 0);
    const ter_rect too_large = {20, 0, 0, WIDTH, HEIGHT + 1}, small = {20, 0, 0, 2, 2};
    assert_int_equal(ter_fetch_start(fetches[0], world, &too_large, NULL), TER_EINVAL);
    assert_int_equal(start_fetch_u16(fetches[0], world, &small, 5.0, 5.0), TER_EINVAL);
    for (int n = 0; n < FETCHES; n++)
        ter_fetch_destroy(fetches[n]);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void test_batches(void **state)
{
    (void)state;
    enum { COUNT = 40, SIDE = 67, STRIDE = 72, SLOT = STRIDE * SIDE + 20 };
    uint64_t random = 99;
    float *out = malloc(COUNT * SLOT * sizeof *out);
    for (int aligned = 0; aligned < 2; aligned++) {
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            ter_params params = random_params(&random);
            params.levels = 18;
            params.basis = (m + (size_t)aligned) % 2 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
            ter_world *world = world_of(&params);
            ter_generator *generator = generator_of(methods[m], 0, TER_SIMD_AUTO);
            ter_tile tiles[COUNT];
            uint32_t slots[COUNT];
            for (uint32_t n = 0; n < COUNT; n++) {
                tiles[n].level = (int)(test_random(&random) % 19);
                tiles[n].i = random_coordinate(&random, 18 - tiles[n].level, SIDE + 4);
                tiles[n].j = random_coordinate(&random, 18 - tiles[n].level, SIDE + 4);
                if (aligned) {
                    tiles[n].i &= ~INT64_C(3);
                    tiles[n].j &= ~INT64_C(3);
                }
                slots[n] = (n * 7) % COUNT;
            }
            const tiles_layout layout = {SIDE, SIDE, STRIDE, SLOT, slots};
            for (size_t k = 0; k < COUNT * SLOT; k++)
                out[k] = untouched;
            assert_ok(fill_tiles_heights(generator, world, tiles, COUNT, &layout, out));
            for (int n = 0; n < COUNT; n++) {
                const float *tile = out + slots[n] * SLOT;
                for (int k = 0; k < 60; k++) {
                    const int column = (int)(test_random(&random) % SIDE), row = (int)(test_random(&random) % SIDE);
                    float expected;
                    assert_ok(
                        ter_world_height(world, tiles[n].level, tiles[n].i + column, tiles[n].j + row, &expected));
                    assert_int_equal(float_bits(tile[row * STRIDE + column]), float_bits(expected));
                }
                for (int row = 0; row < SIDE - 1; row++)
                    for (int column = SIDE; column < STRIDE; column++)
                        assert_true(tile[row * STRIDE + column] == untouched);
                for (int k = STRIDE * SIDE; k < SLOT; k++)
                    assert_true(tile[k] == untouched);
            }
            ter_generator_destroy(generator);
            ter_world_destroy(world);
        }
    }
    free(out);
}

/** Neighbouring tiles have the same samples on their common edge, and a coarser tile is a subset of the finer tiles
 * that it covers. */
static void test_seams(void **state)
{
    (void)state;
    enum { SIDE = 65 };
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    static float west[SIDE][SIDE], east[SIDE][SIDE], coarse[SIDE][SIDE];
    for (size_t m = 0; m < 2; m++) {
        ter_generator *generator = generator_of(methods[m], 0, TER_SIMD_AUTO);
        const ter_rect a = {20, 64000, -12800, SIDE, SIDE}, b = {20, 64064, -12800, SIDE, SIDE},
                       c = {19, 32000, -6400, SIDE, SIDE};
        assert_ok(fill_rect_heights(generator, world, &a, &west[0][0], SIDE));
        assert_ok(fill_rect_heights(generator, world, &b, &east[0][0], SIDE));
        assert_ok(fill_rect_heights(generator, world, &c, &coarse[0][0], SIDE));
        for (int row = 0; row < SIDE; row++)
            assert_int_equal(float_bits(west[row][SIDE - 1]), float_bits(east[row][0]));
        for (int row = 0; row < SIDE; row += 2)
            for (int column = 0; column < SIDE; column += 2) {
                assert_int_equal(float_bits(west[row][column]), float_bits(coarse[row / 2][column / 2]));
                assert_int_equal(float_bits(east[row][column]), float_bits(coarse[row / 2][32 + column / 2]));
            }
        ter_generator_destroy(generator);
    }
    ter_world_destroy(world);
}

static void test_threads_and_simd(void **state)
{
    (void)state;
    if (backend_under_test != TER_BACKEND_CPU)
        return;
    static float expected[401 * 300], got[401 * 300];
    uint64_t random = 5;
    for (int n = 0; n < 4; n++) {
        ter_params params = random_params(&random);
        params.levels = 16;
        params.basis = n % 2 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
        params.valley = n < 2 ? 0.0 : 0.6;
        ter_world *world = world_of(&params);
        const ter_rect rect = {16, -201, 77, 401, 300};
        ter_generator *reference = generator_of(TER_METHOD_TILED, 1, TER_SIMD_BASELINE);
        assert_ok(fill_rect_heights(reference, world, &rect, expected, 401));
        for (int simd = TER_SIMD_BASELINE; simd <= (int)ter_simd_best(); simd++)
            for (int threads = 1; threads <= 7; threads += 2)
                for (int method = 0; method < 2; method++) {
                    ter_generator *generator = generator_of((ter_method)method, threads, (ter_simd)simd);
                    memset(got, 0xff, sizeof got);
                    assert_ok(fill_rect_heights(generator, world, &rect, got, 401));
                    assert_memory_equal(got, expected, sizeof got);
                    ter_generator_destroy(generator);
                }
        ter_generator_destroy(reference);
        ter_world_destroy(world);
    }
}

enum { CALLERS = 4, CALLER_SIDE = 200 };

/** Data of one thread: its number, which sets its seed and place, and its results. */
typedef struct caller {
    int n;
    ter_status status;
    float heights[CALLER_SIDE * CALLER_SIDE];
} caller;

static void *fill_alone(void *user)
{
    caller *c = user;
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = backend_under_test,
                                           .threads = 2};
    const ter_rect rect = {20, 1000 * c->n, -77, CALLER_SIDE, CALLER_SIDE}, bad = {25, 0, 0, 1, 1};
    ter_params params;
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    params.seed = (uint64_t)c->n + 5;
    c->status = ter_world_create(&params, &world);
    if (c->status == TER_OK)
        c->status = ter_generator_create(&options, &generator);
    for (int k = 0; k < 20 && c->status == TER_OK; k++) {
        c->status = fill_rect_heights(generator, world, &rect, c->heights, CALLER_SIDE);
        if (fill_rect_heights(generator, world, &bad, c->heights, 1) != TER_EINVAL ||
            !strstr(ter_error_detail(), "level is 25"))
            c->status = TER_EINVAL;
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return NULL;
}

/** Several threads run at the same time, each with its own generator, world and error sentence. */
static void test_callers(void **state)
{
    (void)state;
    static caller callers[CALLERS];
    pthread_t threads[CALLERS];
    for (int n = 0; n < CALLERS; n++) {
        callers[n].n = n;
        assert_int_equal(pthread_create(&threads[n], NULL, fill_alone, &callers[n]), 0);
    }
    for (int n = 0; n < CALLERS; n++) {
        pthread_join(threads[n], NULL);
        assert_int_equal(callers[n].status, TER_OK);
        ter_params params;
        ter_params_default(&params);
        params.basis = TER_BASIS_SMOOTH;
        params.seed = (uint64_t)n + 5;
        ter_world *world = world_of(&params);
        for (int k = 0; k < CALLER_SIDE * CALLER_SIDE; k += 37) {
            float expected;
            assert_ok(ter_world_height(world, 20, 1000 * n + k % CALLER_SIDE, -77 + k / CALLER_SIDE, &expected));
            assert_int_equal(float_bits(callers[n].heights[k]), float_bits(expected));
        }
        ter_world_destroy(world);
    }
}

static void test_statistics(void **state)
{
    (void)state;
    enum { W = 333, H = 257, BINS = 50 };
    static float heights[W * H];
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO);
    const ter_rect rect = {12, -1000, 500, W, H};
    assert_ok(fill_rect_heights(generator, world, &rect, heights, W));
    float min = heights[0], max = heights[0];
    double sum = 0;
    for (int n = 0; n < W * H; n++) {
        min = heights[n] < min ? heights[n] : min;
        max = heights[n] > max ? heights[n] : max;
        sum += (double)heights[n];
    }
    uint64_t histogram[BINS], total = 0, expected[BINS] = {0};
    const float lo = -1000.0f, hi = 1500.0f;
    ter_statistics statistics = {TER_SIZED(ter_statistics)};
    const ter_histogram wanted = {TER_SIZED(ter_histogram), .lo = lo, .hi = hi, .bins = BINS, .counts = histogram};
    assert_ok(ter_generator_statistics(generator, world, &rect, &wanted, &statistics));
    assert_true(statistics.min_m == min && statistics.max_m == max && statistics.count == W * H);
    assert_true(statistics.mean_m - sum / (W * H) < 0.01 && statistics.mean_m - sum / (W * H) > -0.01);
    for (int n = 0; n < W * H; n++) {
        int bin = (int)((heights[n] - lo) * ((float)BINS / (hi - lo)));
        bin = heights[n] < lo ? 0 : bin >= BINS ? BINS - 1 : bin;
        expected[bin]++;
    }
    for (int n = 0; n < BINS; n++)
        total += histogram[n];
    assert_int_equal(total, W * H);
    assert_memory_equal(histogram, expected, sizeof expected);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void test_probe(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO);
    ter_probe *probe = NULL;
    assert_ok(ter_probe_create(generator, NULL, &probe));
    const ter_probe_point points[3] = {{1858048, 2480640, 20}, {-0.5, 10.25, 20}, {1e12 + 1.5, -4.0, 12}};
    assert_ok(ter_probe_ask(probe, world, points, 3, 42));
    float heights[TER_PROBE_POINTS_MAX];
    uint64_t ticket = 0;
    int count = 0;
    for (long n = 0; n < 2000000000L && count == 0; n++)
        assert_ok(ter_probe_answer(probe, &ticket, &count, heights));
    assert_int_equal(count, 3);
    assert_int_equal(ticket, 42);
    float expected, corners[4];
    assert_ok(ter_world_height(world, 20, 1858048, 2480640, &expected));
    assert_int_equal(float_bits(heights[0]), float_bits(expected));
    for (int n = 0; n < 4; n++)
        assert_ok(ter_world_height(world, 20, -1 + (n & 1), 10 + (n >> 1), &corners[n]));
    const float north = 0.5f * (corners[0] + corners[1]), south = 0.5f * (corners[2] + corners[3]);
    assert_true(heights[1] - (north + 0.25f * (south - north)) < 1e-3f &&
                heights[1] - (north + 0.25f * (south - north)) > -1e-3f);
    ter_probe_destroy(probe);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void test_bad_arguments(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params), *none = NULL;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    float out[16];
    const ter_rect outside = {20, TER_COORDINATE_MAX - 2, 0, 4, 4}, empty = {20, 0, 0, 0, 4}, deep = {25, 0, 0, 4, 4},
                   good = {20, 0, 0, 4, 4};
    assert_int_equal(fill_rect_heights(generator, world, &outside, out, 4), TER_EINVAL);
    assert_non_null(strstr(ter_error_detail(), "leaves the world"));
    assert_int_equal(fill_rect_heights(generator, world, &empty, out, 4), TER_EINVAL);
    assert_int_equal(fill_rect_heights(generator, world, &deep, out, 4), TER_EINVAL);
    assert_int_equal(fill_rect_heights(generator, world, &good, out, 3), TER_EINVAL);
    params.gain = 1.0;
    assert_int_equal(ter_world_create(&params, &none), TER_EINVAL);
    assert_non_null(strstr(ter_error_detail(), "gain is 1"));
    assert_null(none);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_rects),  cmocka_unit_test(test_batches),
        cmocka_unit_test(test_seams),         cmocka_unit_test(test_threads_and_simd),
        cmocka_unit_test(test_upper_halves),  cmocka_unit_test(test_callers),
        cmocka_unit_test(test_statistics),    cmocka_unit_test(test_probe),
        cmocka_unit_test(test_bad_arguments), cmocka_unit_test(test_fetch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
