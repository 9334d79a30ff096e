/* test_vectors.c - every method of a backend makes the heights that the test vectors of World format 1 list.
 *
 * test_vectors print FILE writes the vectors of worlds with craters with the values that this library computes. FILE
 * lists samples in the form of the vectors. Values in FILE are ignored and may be missing.
 */
#include "backend_under_test.h"
#include "short_calls.h"

#include <math.h>
#include <stdbool.h>

/** A file of vectors. */
static const struct {
    const char *path;
    bool has_craters; /* columns craters and maria follow valley */
    int count;
} files[] = {{TEST_VECTORS, false, 56}, {TEST_CRATER_VECTORS, true, 48}};

static FILE *vectors;
static bool has_craters; /* of the file `vectors` */

static int next_vector(ter_params *p, int *lod, double *x, double *z, uint32_t *bits)
{
    char line[256], basis[16];
    while (fgets(line, sizeof line, vectors)) {
        if (line[0] == '#')
            continue;
        ter_params_default(p);
        unsigned long long seed;
        int end = 0, n_craters = 2, n_values = 0;
        int n_read = sscanf(line, "%llu %d %lf %lf %d %lf %lf %15s %lf%n", &seed, &p->levels, &p->amplitude, &p->gain,
                            &p->broad, &p->broad_gain, &p->base, basis, &p->valley, &end);
        const char *rest = line + end;
        if (has_craters) {
            n_craters = sscanf(rest, "%lf %lf%n", &p->craters, &p->maria, &end);
            rest += end;
        }
        n_values = sscanf(rest, "%d %lf %lf %x", lod, x, z, bits);
        if (n_read != 9 || n_craters != 2 || n_values < 3)
            fail_msg("vectors: cannot read '%s'", line);
        p->seed = seed;
        p->basis = strcmp(basis, "smooth") == 0 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
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
        const int64_t limit = (int64_t)ldexp((double)TER_COORDINATE_MAX, level - ter_world_params(world)->levels);
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

static void open_vectors(const char *path, bool of_craters)
{
    has_craters = of_craters;
    vectors = fopen(path, "r");
    if (!vectors)
        fail_msg("cannot open '%s'", path);
}

static void check_method(ter_method method, ter_simd simd)
{
    ter_generator *generator = generator_of(method, 2, simd);
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        ter_params params;
        int lod, count = 0;
        double x, z;
        uint32_t bits;
        open_vectors(files[n].path, files[n].has_craters);
        while (next_vector(&params, &lod, &x, &z, &bits)) {
            ter_world *world = world_of(&params);
            check_vector(generator, world, params.levels - lod, (int64_t)ldexp(x, -lod), (int64_t)ldexp(z, -lod), bits);
            ter_world_destroy(world);
            count++;
        }
        fclose(vectors);
        assert_int_equal(count, files[n].count);
    }
    ter_generator_destroy(generator);
}

static int print_vectors(const char *path)
{
    ter_params p;
    int lod;
    double x, z;
    uint32_t bits;
    open_vectors(path, true);
    puts("# seed levels amplitude gain broad broad_gain base basis valley craters maria lod x z  height_bits_hex "
         "height_decimal");
    while (next_vector(&p, &lod, &x, &z, &bits)) {
        ter_world *world = world_of(&p);
        float height;
        assert_ok(ter_world_height(world, p.levels - lod, (int64_t)ldexp(x, -lod), (int64_t)ldexp(z, -lod), &height));
        printf("%llu %d %g %g %d %g %g %s %g %g %g %d %.15g %.15g %08x %.9g\n", (unsigned long long)p.seed, p.levels,
               p.amplitude, p.gain, p.broad, p.broad_gain, p.base, ter_basis_name(p.basis), p.valley, p.craters,
               p.maria, lod, x, z, float_bits(height), (double)height);
        ter_world_destroy(world);
    }
    fclose(vectors);
    return 0;
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
    if (argc == 3 && strcmp(argv[1], "print") == 0)
        return print_vectors(argv[2]);
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiled), cmocka_unit_test(test_recursive),
                                       cmocka_unit_test(test_single_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
