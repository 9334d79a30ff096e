/* test_vectors.c - every method of a backend makes the heights that the test vectors of World format 1 list. */
#include "backend_under_test.h"
#include "short_calls.h"

static FILE *vectors;

static int next_vector(ter_params *p, int *lod, int64_t *x, int64_t *z, uint32_t *bits)
{
    char line[256], basis[16];
    while (fgets(line, sizeof line, vectors)) {
        if (line[0] == '#')
            continue;
        ter_params_default(p);
        long long at_x, at_z;
        unsigned hex;
        unsigned long long seed;
        if (sscanf(line, "%llu %d %lf %lf %d %lf %lf %15s %lf %d %lld %lld %x", &seed, &p->levels, &p->amplitude,
                   &p->gain, &p->broad, &p->broad_gain, &p->base, basis, &p->valley, lod, &at_x, &at_z, &hex) != 13)
            fail_msg("vectors.txt: cannot read '%s'", line);
        p->seed = seed;
        p->basis = strcmp(basis, "smooth") == 0 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
        *x = at_x;
        *z = at_z;
        *bits = hex;
        return 1;
    }
    return 0;
}

/** Check the point alone, and in rectangles that have it at other positions. */
static void check_vector(ter_generator *generator, const ter_world *world, int level, int64_t i, int64_t j,
                         uint32_t bits)
{
    static const int sizes[][4] = {{0, 0, 1, 1}, {2, 1, 5, 4}, {7, 9, 19, 23}};
    float out[19 * 23];
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        const int64_t limit = TER_COORDINATE_MAX >> (ter_world_params(world)->levels - level);
        if (i - sizes[n][0] < -limit || j + sizes[n][3] > limit || i + sizes[n][2] > limit || j - sizes[n][1] < -limit)
            continue;
        const ter_rect rect = {level, i - sizes[n][0], j - sizes[n][1], sizes[n][2], sizes[n][3]};
        assert_ok(fill_rect_heights(generator, world, &rect, out, (size_t)rect.width));
        assert_int_equal(float_bits(out[sizes[n][1] * sizes[n][2] + sizes[n][0]]), bits);
    }
    float height, heights[2];
    /* twice, because a single point would be made as a rectangle, by another method */
    const int64_t points[2][2] = {{i, j}, {i, j}};
    assert_ok(fill_point_heights(generator, world, level, points, 2, heights));
    for (int n = 0; n < 2; n++)
        assert_int_equal(float_bits(heights[n]), bits);
    assert_ok(ter_world_height(world, level, i, j, &height));
    assert_int_equal(float_bits(height), bits);
}

static void check_method(ter_method method, ter_simd simd)
{
    ter_generator *generator = generator_of(method, 2, simd);
    ter_params params;
    int lod, count = 0;
    int64_t x, z;
    uint32_t bits;
    rewind(vectors);
    while (next_vector(&params, &lod, &x, &z, &bits)) {
        ter_world *world = world_of(&params);
        check_vector(generator, world, params.levels - lod, x >> lod, z >> lod, bits);
        ter_world_destroy(world);
        count++;
    }
    assert_int_equal(count, 56);
    ter_generator_destroy(generator);
}

static void test_tiled(void **state)
{
    (void)state;
    const int last = backend_under_test == TER_BACKEND_CPU ? (int)ter_simd_best() : TER_SIMD_AUTO;
    for (int simd = TER_SIMD_AUTO; simd <= last; simd++)
        check_method(TER_METHOD_TILED, (ter_simd)simd);
}

static void test_recursive(void **state)
{
    (void)state;
    check_method(TER_METHOD_RECURSIVE, TER_SIMD_AUTO);
}

static void test_single_pass(void **state)
{
    (void)state;
    check_method(TER_METHOD_SINGLE_PASS, TER_SIMD_AUTO);
}

int main(int argc, char **argv)
{
    backend_from_arguments(argc, argv);
    vectors = fopen(TEST_VECTORS, "r");
    if (!vectors) {
        perror(TEST_VECTORS);
        return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiled), cmocka_unit_test(test_recursive),
                                       cmocka_unit_test(test_single_pass)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fclose(vectors);
    return failed;
}
