/* test_fluvial_vectors.c - every line of World format 3's vectors has the right values, by every method and SIMD level
 * of a backend.
 *
 * test_fluvial_vectors print [FILE] writes the vectors with the values that this library computes. FILE is a list of
 * samples in the same form, in which the values may be missing. Without FILE it is the list of the vectors.
 */
#include <math.h>
#include <stdbool.h>

#include "backend_under_test.h"
#include "short_calls.h"

enum { N_LINES = 189, NAME_SIZE = 64, LAYERS = TER_LAYER_TEMPERATURE }; /* test_climate.c has the other layers */

typedef struct fluvial_vector {
    ter_params params;
    int lod;
    double x, z;                  /* multiples of 2^lod */
    char bits[LAYERS][NAME_SIZE]; /* hexadecimal; "nan": no water */
} fluvial_vector;

static FILE *vectors;

/** Read the next line that is no comment, with its first n_values values. Fails the test if the line is incomplete.
 * Returns 0 at the end of the file. */
static int next_vector(fluvial_vector *v, int n_values)
{
    char line[512];
    while (fgets(line, sizeof line, vectors)) {
        if (line[0] == '#')
            continue;
        ter_params *p = &v->params;
        unsigned long long seed;
        int length = 0;
        ter_params_default(p);
        p->basis = TER_BASIS_FLUVIAL;
        if (sscanf(line, "%llu %lf %lf %lf %lf %lf %lf %lf %lf %lf %lf %d %lf %lf%n", &seed, &p->land, &p->relief,
                   &p->uplift, &p->hills, &p->plateau, &p->ice, &p->dryness, &p->continents, &p->sea, &p->spacing,
                   &v->lod, &v->x, &v->z, &length) != 14)
            fail_msg("%s: cannot read '%s'", TEST_FLUVIAL_VECTORS, line);
        const char *at = line + length;
        for (int n = 0; n < n_values; n++, at += length)
            if (sscanf(at, "%63s%n", v->bits[n], &length) != 1)
                fail_msg("%s: value %d is missing: '%s'", TEST_FLUVIAL_VECTORS, n, line);
        p->seed = seed;
        return 1;
    }
    return 0;
}

/** Index of a coordinate on the lattice of the sample's level. */
static int64_t index_of(const fluvial_vector *v, double coordinate)
{
    return (int64_t)ldexp(coordinate, -v->lod);
}

static void assert_bits(const fluvial_vector *v, int layer, float value, const char *by)
{
    char bits[16] = "nan";
    if (!isnan(value))
        snprintf(bits, sizeof bits, "%08x", float_bits(value));
    if (strcmp(bits, v->bits[layer]) != 0)
        fail_msg("%s, seed %llu, lod %d at %.17g,%.17g: %s is %s (%g), expected %s", by,
                 (unsigned long long)v->params.seed, v->lod, v->x, v->z, ter_layer_name((ter_layer)layer), bits,
                 (double)value, v->bits[layer]);
}

/** Check all layers of the sample in a rectangle around it. place: column and row of the sample, width and height of
 * the rectangle */
static void check_rectangle(ter_generator *generator, const ter_world *world, const fluvial_vector *v,
                            const int place[4])
{
    enum { MOST = 19 * 23 };
    static float out[LAYERS][MOST];
    const int64_t i = index_of(v, v->x), j = index_of(v, v->z), limit = index_of(v, (double)TER_COORDINATE_MAX);
    const int column = place[0], row = place[1], width = place[2], height = place[3];
    if (i - column < -limit || j - row < -limit || i - column + width - 1 > limit || j - row + height - 1 > limit)
        return;
    float_layers layers = {{NULL}};
    for (int n = 0; n < LAYERS; n++)
        layers.at[n] = out[n];
    const ter_rect rect = {v->params.levels - v->lod, i - column, j - row, width, height};
    assert_ok(fill_rect_layers(generator, world, &rect, &layers, (size_t)width));
    for (int n = 0; n < LAYERS; n++)
        assert_bits(v, n, out[n][row * width + column], "layers");
}

/** Check the height without other layers. */
static void check_height(ter_generator *generator, const ter_world *world, const fluvial_vector *v)
{
    const int64_t i = index_of(v, v->x), j = index_of(v, v->z);
    /* twice, because a single point would be made as a rectangle, by another method */
    const int64_t points[2][2] = {{i, j}, {i, j}};
    float heights[2];
    assert_ok(fill_point_heights(generator, world, v->params.levels - v->lod, points, 2, heights));
    for (int n = 0; n < 2; n++)
        assert_bits(v, TER_LAYER_HEIGHT, heights[n], "single points");
}

/** Check all layers of the point. Up to lod 6, where samples take less time, method tiled makes it alone and in two
 * rectangles, and method recursive makes it in the smaller rectangle. In all other cases it is made alone. With
 * TER_SIMD_AUTO, check also the height without other layers. */
static void check_vector(ter_generator *generator, ter_method method, ter_simd simd, const fluvial_vector *v)
{
    static const int places[][4] = {{0, 0, 1, 1}, {1, 2, 3, 4}, {7, 9, 19, 23}};
    const int first = method == TER_METHOD_RECURSIVE && v->lod <= 6,
              last = v->lod <= 6 && method == TER_METHOD_TILED ? 2 : first;
    ter_world *world = world_of(&v->params);
    for (int n = first; n <= last; n++)
        check_rectangle(generator, world, v, places[n]);
    if (simd == TER_SIMD_AUTO)
        check_height(generator, world, v);
    ter_world_destroy(world);
}

/** Check every `step`-th line. */
static void check_method(ter_method method, ter_simd simd, int step)
{
    ter_generator *generator = generator_of(method, 1, simd);
    fluvial_vector v;
    int count = 0;
    rewind(vectors);
    while (next_vector(&v, LAYERS))
        if (count++ % step == 0)
            check_vector(generator, method, simd, &v);
    assert_int_equal(count, N_LINES);
    ter_generator_destroy(generator);
}

/** Check all lines with the best SIMD level, which is TER_SIMD_AUTO, and every third line with each lower level. */
static void check_levels(ter_method method)
{
    const int best = backend_under_test == TER_BACKEND_CPU ? (int)ter_simd_best() : TER_SIMD_AUTO;
    check_method(method, TER_SIMD_AUTO, 1);
    for (int simd = TER_SIMD_AUTO + 1; simd < best; simd++)
        check_method(method, (ter_simd)simd, 3);
}

static void test_tiled(void **state)
{
    (void)state;
    check_levels(TER_METHOD_TILED);
}

static void test_recursive(void **state)
{
    (void)state;
    check_levels(TER_METHOD_RECURSIVE);
}

static void test_single_pass(void **state)
{
    (void)state;
    check_levels(TER_METHOD_SINGLE_PASS);
}

static void test_world_height(void **state)
{
    (void)state;
    fluvial_vector v;
    rewind(vectors);
    while (next_vector(&v, LAYERS)) {
        ter_world *world = world_of(&v.params);
        float height;
        assert_ok(ter_world_height(world, v.params.levels - v.lod, index_of(&v, v.x), index_of(&v, v.z), &height));
        assert_bits(&v, TER_LAYER_HEIGHT, height, "ter_world_height");
        ter_world_destroy(world);
    }
}

/** The value of a layer in a line; NaN if the line says that there is no water. */
static double number_of(const fluvial_vector *v, ter_layer layer)
{
    uint32_t bits = 0x7fc00000;
    float value;
    if (strcmp(v->bits[layer], "nan") != 0)
        assert_int_equal(sscanf(v->bits[layer], "%8x", &bits), 1);
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/** Check that the file has lines of all kinds: samples in small and large channels, lakes and the sea, dry ones, far
 * ones, all levels of detail, water between the points of 1 m, and other spacings. */
static void test_lines(void **state)
{
    (void)state;
    fluvial_vector v;
    int dry = 0, sea = 0, fresh = 0, small = 0, far = 0, negative = 0, other = 0, spaced = 0, between = 0, lods = 0;
    rewind(vectors);
    while (next_vector(&v, LAYERS)) {
        const double water = number_of(&v, TER_LAYER_WATER), flow = number_of(&v, TER_LAYER_FLOW);
        const int is_fresh = !isnan(water) && water != (double)(float)v.params.sea;
        dry += isnan(water);
        sea += !isnan(water) && !is_fresh;
        fresh += is_fresh;
        small += is_fresh && flow < 4e6 * v.params.spacing * v.params.spacing;
        far += fabs(v.x) >= ldexp(1.0, 40);
        negative += v.x < 0;
        other += v.params.relief != 1.0 || v.params.sea != 0.0;
        spaced += v.params.spacing != 1.0;
        lods |= 1 << (v.lod + TER_FINE_LODS);
        between += v.lod < 0 && v.x != floor(v.x) && !isnan(water);
    }
    assert_true(dry >= 20 && sea >= 5 && fresh >= 30 && small >= 10 && far >= 20 && negative >= 20 && other >= 50);
    assert_true(spaced >= 10 && between >= 10);
    assert_int_equal(lods >> TER_FINE_LODS, ((1 << 15) - 1) | 1 << 17 | 1 << 19 | 1 << 20);
    assert_int_equal(lods & 0xf, 0xf);
}

static int print_vectors(void)
{
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU,
                                           .method = TER_METHOD_SINGLE_PASS, .threads = 1};
    ter_generator *generator = NULL;
    if (ter_generator_create(&options, &generator) != TER_OK)
        return 1;
    printf("# seed land relief uplift hills plateau ice dryness continents sea spacing lod x z ");
    for (int n = 0; n < LAYERS; n++)
        printf(" %s", ter_layer_name((ter_layer)n));
    printf("  height_decimal\n");
    fluvial_vector v;
    while (next_vector(&v, 0)) {
        const ter_params *p = &v.params;
        const int decimals = v.lod < 0 ? -v.lod : 0;
        float out[LAYERS];
        float_layers layers = {{NULL}};
        ter_world *world = NULL;
        for (int n = 0; n < LAYERS; n++)
            layers.at[n] = &out[n];
        const ter_rect rect = {p->levels - v.lod, index_of(&v, v.x), index_of(&v, v.z), 1, 1};
        if (ter_world_create(p, &world) != TER_OK || fill_rect_layers(generator, world, &rect, &layers, 1) != TER_OK) {
            fprintf(stderr, "%s\n", ter_error_detail());
            return 1;
        }
        printf("%llu %g %g %g %g %g %g %g %g %g %g %d %.*f %.*f ", (unsigned long long)p->seed, p->land, p->relief,
               p->uplift, p->hills, p->plateau, p->ice, p->dryness, p->continents, p->sea, p->spacing, v.lod, decimals,
               v.x, decimals, v.z);
        for (int n = 0; n < LAYERS; n++)
            isnan(out[n]) ? printf(" nan") : printf(" %08x", float_bits(out[n]));
        printf("  %.9g\n", (double)out[TER_LAYER_HEIGHT]);
        ter_world_destroy(world);
    }
    ter_generator_destroy(generator);
    return 0;
}

int main(int argc, char **argv)
{
    const bool prints = argc >= 2 && strcmp(argv[1], "print") == 0;
    const char *path = prints && argc == 3 ? argv[2] : TEST_FLUVIAL_VECTORS;
    vectors = fopen(path, "r");
    if (!vectors) {
        perror(path);
        return 1;
    }
    if (prints)
        return print_vectors();
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_tiled),
                                       cmocka_unit_test(test_recursive), cmocka_unit_test(test_single_pass),
                                       cmocka_unit_test(test_world_height)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fclose(vectors);
    return failed;
}
