/* test_large.c - arrays that are larger than the tiles of any backend and than caches have the right bits. */
#include "backend_under_test.h"
#include "short_calls.h"

/** The methods tiled and recursive make the same bits for rectangles larger than a tile of any backend. At random
 * points the bits are those of ter_world_height. */
static void test_large_rects(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int n = 0; n < 6; n++) {
        ter_params params = random_params(&random);
        params.levels = 14 + n;
        params.basis = n % 2 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
        ter_world *world = world_of(&params);
        const ter_rect rect = {params.levels, -700 + 3 * n, 1000003, 1201 + n, 777};
        const size_t count = (size_t)(rect.width * rect.height);
        float *tiled = malloc(count * sizeof *tiled), *recursive = malloc(count * sizeof *recursive);
        ter_generator *a = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO),
                      *b = generator_of(TER_METHOD_RECURSIVE, 0, TER_SIMD_AUTO);
        assert_ok(fill_rect_heights(a, world, &rect, tiled, (size_t)rect.width));
        assert_ok(fill_rect_heights(b, world, &rect, recursive, (size_t)rect.width));
        assert_memory_equal(tiled, recursive, count * sizeof *tiled);
        for (int k = 0; k < 300; k++) {
            const int64_t column = (int64_t)(test_random(&random) % (uint64_t)rect.width);
            const int64_t row = (int64_t)(test_random(&random) % (uint64_t)rect.height);
            float expected;
            assert_ok(ter_world_height(world, rect.level, rect.i + column, rect.j + row, &expected));
            assert_int_equal(float_bits(tiled[row * rect.width + column]), float_bits(expected));
        }
        ter_generator_destroy(a);
        ter_generator_destroy(b);
        ter_world_destroy(world);
        free(tiled);
        free(recursive);
    }
}

/** Heights that are so small that a float does not hold a quarter of them exactly. They lie along an edge of a cell of
 * level 0 whose ends have height 0, in a world in which the amplitude of level 1 is very small. */
static void test_small_heights(void **state)
{
    (void)state;
    enum { LEVEL = 14, WIDTH = 4003, HEIGHT = 2101 };
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_MIDPOINT;
    params.valley = 0;
    params.base = 0;
    params.broad = 0;
    params.levels = LEVEL;
    params.amplitude = 1e-30;
    params.gain = 1e-8;
    ter_world *world = world_of(&params);
    int64_t edge = 0;
    for (int zeros = 0; zeros < 2; edge++) {
        float root;
        assert_ok(ter_world_height(world, 0, edge, 0, &root));
        zeros = root == 0 ? zeros + 1 : 0;
    }
    edge -= 2; /* the first end of the edge */
    const ter_rect rect = {LEVEL, (edge << LEVEL) + 5000, -400, WIDTH, HEIGHT};
    float *expected = malloc(sizeof(float) * WIDTH * HEIGHT), *got = malloc(sizeof(float) * WIDTH * HEIGHT);
    const ter_method methods[3] = {TER_METHOD_RECURSIVE, TER_METHOD_TILED, TER_METHOD_SINGLE_PASS};
    for (int k = 0; k < 3; k++) {
        ter_generator *generator = generator_of(methods[k], 0, TER_SIMD_AUTO);
        assert_ok(fill_rect_heights(generator, world, &rect, k == 0 ? expected : got, WIDTH));
        if (k > 0)
            assert_memory_equal(got, expected, sizeof(float) * WIDTH * HEIGHT);
        ter_generator_destroy(generator);
    }
    int lost = 0; /* heights that lose bits when divided by 4 */
    for (int64_t k = 0; k < WIDTH; k++) {
        float height;
        assert_ok(ter_world_height(world, LEVEL, rect.i + k, 0, &height));
        assert_int_equal(float_bits(expected[-rect.j * WIDTH + k]), float_bits(height));
        lost += height / 4 * 4 != height;
    }
    assert_true(lost > WIDTH / 4);
    free(got);
    free(expected);
    ter_world_destroy(world);
}

/** A large array has the bits of small ones. It begins `offset` floats after a 64-byte boundary. */
static void check_larger_than_caches(const ter_world *world, int64_t i, int64_t j, size_t offset, size_t stride)
{
    enum { WIDTH = 2309, HEIGHT = 1861, PART = 61 };
    const size_t floats = stride * HEIGHT + 64;
    float *out = aligned_alloc(64, floats / 16 * 16 * sizeof *out), *part = malloc((size_t)WIDTH * PART * sizeof *part);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO);
    const ter_rect rect = {16, i, j, WIDTH, HEIGHT};
    for (size_t k = 0; k < offset + stride * HEIGHT; k++)
        out[k] = untouched;
    assert_ok(fill_rect_heights(generator, world, &rect, out + offset, stride));
    for (size_t k = 0; k < offset; k++)
        assert_true(out[k] == untouched);
    for (int64_t first = 0; first < HEIGHT; first += PART) {
        const int64_t rows = HEIGHT - first < PART ? HEIGHT - first : PART;
        const ter_rect of_part = {16, i, j + first, WIDTH, rows};
        assert_ok(fill_rect_heights(generator, world, &of_part, part, WIDTH));
        for (int64_t row = 0; row < rows; row++) {
            const float *got = out + offset + (size_t)(first + row) * stride;
            assert_memory_equal(got, part + row * WIDTH, WIDTH * sizeof *part);
            for (size_t column = WIDTH; column < stride; column++)
                assert_true(got[column] == untouched);
        }
    }
    ter_generator_destroy(generator);
    free(part);
    free(out);
}

/** Arrays larger than caches. A backend may store them with other instructions than small arrays, and with yet others
 * if rows begin on cache lines. */
static void test_larger_than_caches(void **state)
{
    (void)state;
    uint64_t random = 4242;
    for (int basis = 0; basis < 2; basis++) {
        ter_params params = random_params(&random);
        params.levels = 17;
        params.basis = (ter_basis)basis;
        ter_world *world = world_of(&params);
        check_larger_than_caches(world, -1001, 77, 1, 2311);
        check_larger_than_caches(world, -1000, 77, 0, 2320);
        check_larger_than_caches(world, -999, 78, 1, 2320);
        ter_world_destroy(world);
    }
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_large_rects), cmocka_unit_test(test_small_heights),
                                       cmocka_unit_test(test_larger_than_caches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
