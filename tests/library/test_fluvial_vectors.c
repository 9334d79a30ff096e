/* test_fluvial_vectors.c - every line of World format 3's vectors has the right values, by every method and SIMD level
 * of a backend.
 *
 * test_fluvial_vectors print [FILE] writes the vectors with the values that this library computes. FILE is a list of
 * samples in the same form, in which the values may be missing. Without FILE it is the list of the vectors.
 */
#include "value_vectors.h"

enum { N_LINES = 198, LAYERS = TER_LAYER_GLACIER }; /* test_climate.c has the other layers */

static const vector_parameter vector_parameters[] = {
    VECTOR_PARAMETER(land),    VECTOR_PARAMETER(relief), VECTOR_PARAMETER(uplift),  VECTOR_PARAMETER(hills),
    VECTOR_PARAMETER(plateau), VECTOR_PARAMETER(ice),    VECTOR_PARAMETER(dryness), VECTOR_PARAMETER(continents),
    VECTOR_PARAMETER(sea),     VECTOR_PARAMETER(spacing)};
static const ter_layer vector_layers[] = {TER_LAYER_HEIGHT,  TER_LAYER_WATER, TER_LAYER_FLOW,    TER_LAYER_SHORE,
                                          TER_LAYER_RELIEF,  TER_LAYER_PLAIN, TER_LAYER_PLATEAU, TER_LAYER_ICE,
                                          TER_LAYER_DRYNESS, TER_LAYER_LAND,  TER_LAYER_TOP};
static const vector_columns columns = {.parameters = vector_parameters,
                                       .n_parameters = sizeof vector_parameters / sizeof vector_parameters[0],
                                       .layers = vector_layers,
                                       .n_layers = LAYERS,
                                       .decimals = "height_decimal",
                                       .n_decimals = 1,
                                       .digits = 9};
_Static_assert(sizeof vector_layers / sizeof vector_layers[0] == LAYERS, "all layers of the land without its cover");

static FILE *vectors;

static bool next_line(value_vector *v)
{
    return next_vector(vectors, &columns, true, v);
}

/** Check all layers of the sample in a rectangle around it. place: column and row of the sample, width and height of
 * the rectangle */
static void check_rectangle(ter_generator *generator, const ter_world *world, const value_vector *v, const int place[4])
{
    enum { MOST = 19 * 23 };
    static float out[LAYERS][MOST];
    const int64_t i = vector_index(v, v->x), j = vector_index(v, v->z),
                  limit = vector_index(v, (double)TER_COORDINATE_MAX);
    const int column = place[0], row = place[1], width = place[2], height = place[3];
    if (i - column < -limit || j - row < -limit || i - column + width - 1 > limit || j - row + height - 1 > limit)
        return;
    float_layers layers = {{NULL}};
    for (int n = 0; n < LAYERS; n++)
        layers.at[n] = out[n];
    const ter_rect rect = {v->params.levels - v->lod, i - column, j - row, width, height};
    assert_ok(fill_rect_layers(generator, world, &rect, &layers, (size_t)width));
    for (int n = 0; n < LAYERS; n++)
        assert_vector_value(&columns, v, n, out[n][row * width + column], "layers");
}

/** Check the height without other layers. */
static void check_height(ter_generator *generator, const ter_world *world, const value_vector *v)
{
    const int64_t i = vector_index(v, v->x), j = vector_index(v, v->z);
    /* twice, because a single point would be made as a rectangle, by another method */
    const int64_t points[2][2] = {{i, j}, {i, j}};
    float heights[2];
    assert_ok(fill_point_heights(generator, world, v->params.levels - v->lod, points, 2, heights));
    for (int n = 0; n < 2; n++)
        assert_vector_value(&columns, v, TER_LAYER_HEIGHT, heights[n], "single points");
}

/** Check all layers of the point. Up to lod 6, where samples take less time, method tiled makes it alone and in two
 * rectangles, and method recursive makes it in the smaller rectangle. In all other cases it is made alone. With
 * TER_SIMD_AUTO, check also the height without other layers. */
static void check_vector(ter_generator *generator, ter_method method, ter_simd simd, const value_vector *v)
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
    value_vector v;
    int count = 0;
    rewind(vectors);
    while (next_line(&v))
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
    value_vector v;
    rewind(vectors);
    while (next_line(&v)) {
        ter_world *world = world_of(&v.params);
        float height;
        assert_ok(
            ter_world_height(world, v.params.levels - v.lod, vector_index(&v, v.x), vector_index(&v, v.z), &height));
        assert_vector_value(&columns, &v, TER_LAYER_HEIGHT, height, "ter_world_height");
        ter_world_destroy(world);
    }
}

/** The value of a layer in a line; NaN if the line says that there is no water. */
static double number_of(const value_vector *v, ter_layer layer)
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
    value_vector v;
    int dry = 0, sea = 0, fresh = 0, small = 0, far = 0, negative = 0, other = 0, spaced = 0, between = 0, lods = 0;
    rewind(vectors);
    while (next_line(&v)) {
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

int main(int argc, char **argv)
{
    const bool prints = argc >= 2 && strcmp(argv[1], "print") == 0;
    const char *path = prints && argc == 3 ? argv[2] : TEST_FLUVIAL_VECTORS;
    if (prints)
        return print_vectors(path, &columns, TER_METHOD_SINGLE_PASS);
    vectors = fopen(path, "r");
    if (!vectors) {
        perror(path);
        return 1;
    }
    backend_from_arguments(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_tiled),
                                       cmocka_unit_test(test_recursive), cmocka_unit_test(test_single_pass),
                                       cmocka_unit_test(test_world_height)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fclose(vectors);
    return failed;
}
