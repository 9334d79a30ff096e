/* test_statistics.c - minimum, maximum and mean are right, and sums never overflow, on either backend, in worlds whose
 * base and amplitude are at the ends of their ranges. */
#include "backend_under_test.h"
#include "short_calls.h"

#include <math.h>

#include "library/world/height_sums.h"

enum { SIDE = 200 };

/** Worlds with difficult sums: high ground with small amplitudes, both at the ends of their ranges, and the reverse. */
static const struct {
    double base, amplitude;
} hard[] = {{1e6, 1e-3},   {1e15, 1400.0}, {-1e15, 1e-3}, {1e30, 1e-30},
            {-1e30, 1e30}, {0.0, 1e30},    {0.0, 1e-30},  {-150.0, 1400.0}};

static ter_params hard_params(size_t n, ter_basis basis)
{
    ter_params params;
    ter_params_default(&params);
    params.base = hard[n].base;
    params.amplitude = hard[n].amplitude;
    params.basis = basis;
    params.gain = 0.95; /* all levels count */
    params.broad = 0;
    params.levels = 24;
    params.valley = 0.0;
    return params;
}

/** The mean is compared with a mean that is computed in extended precision. The difference is at most the sum of 2^-20
 * of the largest distance of a height from the base and 2^-50 of the mean. */
static void test_hard_means(void **state)
{
    (void)state;
    static float heights[SIDE * SIDE];
    for (size_t n = 0; n < 2 * sizeof hard / sizeof hard[0]; n++) {
        const ter_params params = hard_params(n / 2, n % 2 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT);
        ter_world *world = world_of(&params);
        ter_generator *generator = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO);
        const ter_rect rect = {24, 1000003, -77, SIDE, SIDE};
        ter_statistics got = {TER_SIZED(ter_statistics)};
        assert_ok(fill_rect_heights(generator, world, &rect, heights, SIDE));
        assert_ok(ter_generator_statistics(generator, world, &rect, NULL, &got));
        long double sum = 0.0L, farthest = 0.0L;
        float min = INFINITY, max = -INFINITY;
        for (int k = 0; k < SIDE * SIDE; k++) {
            const long double difference = (long double)heights[k] - (long double)params.base;
            sum += difference;
            farthest = fmaxl(farthest, fabsl(difference));
            min = fminf(min, heights[k]);
            max = fmaxf(max, heights[k]);
        }
        const long double expected = sum / (SIDE * SIDE) + (long double)params.base;
        const long double precision = ldexpl(farthest, -20) + ldexpl(fabsl(expected), -50);
        assert_true(got.min_m == min && got.max_m == max && got.count == SIDE * SIDE);
        if (!(fabsl((long double)got.mean_m - expected) <= precision))
            fail_msg("base %g, amplitude %g, basis %d: mean %.17g, expected %.17Lg", params.base, params.amplitude,
                     (int)params.basis, got.mean_m, expected);
        ter_generator_destroy(generator);
        ter_world_destroy(world);
    }
}

/** In the unit that ter_sum_unit_of chooses, the terms of a sum are so small that 62 bits hold the sum. */
static void test_terms_fit(void **state)
{
    (void)state;
    static float heights[SIDE * SIDE];
    uint64_t random = 31;
    for (int n = 0; n < 60; n++) {
        ter_params params = random_params(&random);
        if (n < 16)
            params = hard_params((size_t)n / 2, n % 2 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT);
        ter_world *world = world_of(&params);
        ter_generator *generator = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO);
        const ter_rect rect = {params.levels, -SIDE, 0, SIDE, SIDE};
        assert_ok(fill_rect_heights(generator, world, &rect, heights, SIDE));
        for (int bits = 0; bits <= 48; bits += 8) {
            const uint64_t count = UINT64_C(1) << bits;
            const ter_sum_unit unit = ter_sum_unit_of(&params, count);
            for (int k = 0; k < SIDE * SIDE; k += 7) {
                const int64_t term = ter_sum_term(heights[k], unit);
                assert_true(llabs(term) <= (INT64_C(1) << 62) / (int64_t)count);
            }
        }
        ter_generator_destroy(generator);
        ter_world_destroy(world);
    }
}

/** Every number of threads and every backend gives the same bits as one thread of the CPU. */
static void test_same_everywhere(void **state)
{
    (void)state;
    const ter_rect rect = {24, -3000, 5, 1900, 701};
    const ter_params params = hard_params(0, TER_BASIS_SMOOTH);
    ter_world *world = world_of(&params);
    const ter_generator_options alone = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 1};
    ter_generator *reference = NULL;
    ter_statistics expected = {TER_SIZED(ter_statistics)}, got = {TER_SIZED(ter_statistics)};
    assert_ok(ter_generator_create(&alone, &reference));
    assert_ok(ter_generator_statistics(reference, world, &rect, NULL, &expected));
    for (int threads = 1; threads <= 5; threads += 2) {
        ter_generator *generator = generator_of(TER_METHOD_TILED, threads, TER_SIMD_AUTO);
        assert_ok(ter_generator_statistics(generator, world, &rect, NULL, &got));
        assert_true(got.min_m == expected.min_m && got.max_m == expected.max_m && got.count == expected.count);
        assert_memory_equal(&got.mean_m, &expected.mean_m, sizeof got.mean_m);
        ter_generator_destroy(generator);
    }
    ter_generator_destroy(reference);
    ter_world_destroy(world);
}

static void test_refused(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 1, TER_SIMD_AUTO);
    ter_statistics got = {TER_SIZED(ter_statistics)};
    uint64_t counts[4];
    const ter_rect good = {20, 0, 0, 2, 2}, huge = {20, 0, 0, INT64_C(1) << 40, INT64_C(1) << 9},
                   empty = {20, 0, 0, 0, 2};
    enum { KNOWN = sizeof(ter_histogram) };
    const ter_histogram bad[] = {
        {KNOWN, 0, 1, 0, counts}, {KNOWN, 0, 1, -1, counts}, {KNOWN, 0, 1, TER_HISTOGRAM_BINS_MAX + 1, counts},
        {KNOWN, 1, 1, 4, counts}, {KNOWN, 2, 1, 4, counts},  {KNOWN, 0, NAN, 4, counts},
        {KNOWN, 0, 1, 4, NULL}};
    assert_int_equal(ter_generator_statistics(generator, world, &huge, NULL, &got), TER_EINVAL);
    assert_non_null(strstr(ter_error_detail(), "2^48"));
    assert_int_equal(ter_generator_statistics(generator, world, &empty, NULL, &got), TER_EINVAL);
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++)
        assert_int_equal(ter_generator_statistics(generator, world, &good, &bad[n], &got), TER_EINVAL);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hard_means), cmocka_unit_test(test_terms_fit),
                                       cmocka_unit_test(test_same_everywhere), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
