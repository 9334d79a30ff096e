/* test_guide_rivers.c - rivers of a guide follow their lines, downhill and with the width that is given, over a plateau
 * without valleys and across a ridge; loops, circles and lines that shut land in do no harm; basins without an outlet
 * keep their water; lines that leave the guide are refused. */
#include "guide_under_test.h"

#include <math.h>

enum { PIXELS = 24, PIXEL_M = 512, VERTICES = 60 };
static const int64_t corner[2] = {-1048576, 2097152}; /* middle of pixel (0, 0) */
static float heights[PIXELS * PIXELS];
static double course[2 * VERTICES];

static double at_pixel(int axis, double pixel)
{
    return (double)corner[axis] + pixel * PIXEL_M;
}

/** A line in the form of an S from the west to the east, over a plateau of 800 m. */
static ter_guide_options options_of_plateau(const ter_guide_river *rivers, int count)
{
    for (int n = 0; n < PIXELS * PIXELS; n++)
        heights[n] = 800.0f;
    for (int n = 0; n < VERTICES; n++) {
        const double t = n / (VERTICES - 1.0);
        course[2 * n] = at_pixel(0, 3.0 + 17.0 * t);
        course[2 * n + 1] = at_pixel(1, 11.5 + 6.0 * sin(2.0 * 3.14159265 * t));
    }
    const ter_guide_options options = {
        TER_SIZED(ter_guide_options), .heights = heights, .cols = PIXELS,   .rows = PIXELS,   .x = (double)corner[0],
        .z = (double)corner[1],       .spacing = PIXEL_M, .rivers = rivers, .n_rivers = count};
    return options;
}

static void assert_downhill(const ter_world *world)
{
    for (int level = world->fluvial.guide_level; level <= TER_NETWORK_LAST; level++)
        assert_int_equal(count_edges(world, level).uphill, 0);
}

/** Layers of one point. */
typedef struct point_layers {
    float flow, shore, water; /* m2, m, m */
} point_layers;

static point_layers layers_at(ter_generator *generator, const ter_world *world, double x, double z)
{
    enum { LOD = 3 };
    point_layers out;
    float_layers arrays = {{NULL}};
    const int64_t place[2] = {(int64_t)x, (int64_t)z};
    const ter_rect rect = rect_at(world, place, LOD, 1, 1);
    arrays.at[TER_LAYER_FLOW] = &out.flow;
    arrays.at[TER_LAYER_SHORE] = &out.shore;
    arrays.at[TER_LAYER_WATER] = &out.water;
    assert_ok(fill_rect_layers(generator, world, &rect, &arrays, 1));
    return out;
}

/** Whether the middle of a channel that drains at least `area` m2 lies within a pixel of a place. */
static bool has_river(ter_generator *generator, const ter_world *world, const double place[2], float area)
{
    enum { LOD = 5, REACH = PIXEL_M >> LOD, WIDE = 2 * REACH + 1 };
    static float flow[WIDE * WIDE], shore[WIDE * WIDE];
    float_layers arrays = {{NULL}};
    const int64_t first[2] = {(int64_t)place[0] - PIXEL_M, (int64_t)place[1] - PIXEL_M};
    const ter_rect rect = rect_at(world, first, LOD, WIDE, WIDE);
    bool is = false;
    arrays.at[TER_LAYER_FLOW] = flow;
    arrays.at[TER_LAYER_SHORE] = shore;
    assert_ok(fill_rect_layers(generator, world, &rect, &arrays, WIDE));
    for (int k = 0; k < WIDE * WIDE && !is; k++)
        is = flow[k] >= area && shore[k] <= 1 << LOD;
    return is;
}

/** Share of the vertices of the S that have a river of at least `area` m2 within a pixel. */
static double share_followed(const ter_world *world, float area)
{
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    int n_followed = 0;
    for (int n = 0; n < VERTICES; n++)
        n_followed += has_river(generator, world, course + 2 * n, area);
    ter_generator_destroy(generator);
    return n_followed / (double)VERTICES;
}

/** Mean width of the water along the S, m: wet area of windows around places of the line, over the length of the river
 * there. A river that crosses a window has a length of at least its side; so only its middle part counts, where the
 * distance to the channel is known. */
static double width_along(const ter_world *world)
{
    enum { LOD = 2, WIDE = 160 }; /* 640 m */
    static float water[WIDE * WIDE], shore[WIDE * WIDE], flow[WIDE * WIDE];
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    float_layers arrays = {{NULL}};
    double sum = 0.0;
    int count = 0;
    arrays.at[TER_LAYER_WATER] = water;
    arrays.at[TER_LAYER_SHORE] = shore;
    arrays.at[TER_LAYER_FLOW] = flow;
    for (int n = 6; n < VERTICES; n += 6) {
        const int64_t place[2] = {(int64_t)course[2 * n] - 2 * WIDE, (int64_t)course[2 * n + 1] - 2 * WIDE};
        const ter_rect rect = rect_at(world, place, LOD, WIDE, WIDE);
        assert_ok(fill_rect_layers(generator, world, &rect, &arrays, WIDE));
        int n_wet = 0, n_middle = 0; /* samples in water; samples less than 8 m from the middle of a channel */
        for (int k = 0; k < WIDE * WIDE; k++) {
            n_wet += !isnan(water[k]) && flow[k] > 1e7f;
            n_middle += shore[k] < 8.0f && flow[k] > 1e7f;
        }
        if (n_middle < 40)
            continue;
        sum += 16.0 * n_wet / n_middle;
        count++;
    }
    ter_generator_destroy(generator);
    assert_true(count >= 4);
    return sum / count;
}

static void test_plateau(void **state)
{
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    static const double widths[] = {0.0, 40.0, 120.0};
    (void)state;
    for (size_t n = 0; n < sizeof widths / sizeof widths[0]; n++) {
        const ter_guide_river river = {course, VERTICES, widths[n]};
        const ter_guide_options options = options_of_plateau(&river, 1);
        ter_world *world = world_with(&options);
        assert_ok(ter_world_guide_report(world, &report));
        assert_true(report.river_cells > 30);
        assert_downhill(world);
        const double followed = share_followed(world, widths[n] > 0.0 ? 1e8f : 1e6f);
        if (!(followed >= 0.9))
            fail_msg("width %g: %.2f of the line has a river", widths[n], followed);
        const double width = widths[n] > 0.0 ? width_along(world) : 0.0;
        if (!(fabs(width - widths[n]) <= 0.3 * widths[n]))
            fail_msg("the river is %.1f m wide, expected %g", width, widths[n]);
        ter_world_destroy(world);
    }
}

/** A ridge of 300 m across the line is cut through; the line runs from its higher end, whichever end that is. */
static void test_ridge(void **state)
{
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    const ter_guide_river river = {course, VERTICES, 60.0};
    (void)state;
    for (int is_backward = 0; is_backward <= 1; is_backward++) {
        const ter_guide_options options = options_of_plateau(&river, 1);
        for (int n = 0; n < PIXELS * PIXELS; n++) {
            const int x = is_backward ? PIXELS - 1 - n % PIXELS : n % PIXELS;
            heights[n] = 800.0f - 10.0f * (float)x + (x >= 10 && x <= 12 ? 300.0f : 0.0f);
        }
        ter_world *world = world_with(&options);
        assert_ok(ter_world_guide_report(world, &report));
        assert_downhill(world);
        assert_true(share_followed(world, 1e8f) >= 0.9);
        assert_true(report.river_cut_m > 150.0 && report.river_cut_m < 400.0);
        ter_world_destroy(world);
    }
}

/** A spiral, a circle of lines that meet, an eight and lines that cross: water goes down everywhere. */
static void test_tangles(void **state)
{
    enum { LINES = 7, POINTS = 200 };
    static double tangle[LINES][2 * POINTS];
    ter_guide_river rivers[LINES];
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    (void)state;
    for (int k = 0; k < LINES; k++) {
        rivers[k] = (ter_guide_river){tangle[k], POINTS, k == 2 ? 50.0 : 0.0};
        for (int n = 0; n < POINTS; n++) {
            const double t = n / (POINTS - 1.0), turn = 6.2831853 * t;
            const double radius = k == 0 ? 10.0 * (1.0 - t) : k == 1 ? 6.0 * sin(2.0 * turn) : 8.0;
            const double angle = k == 0 ? 10.0 * turn : k < 2 ? turn : (turn + 6.2831853 * (k - 2)) / 3.0;
            tangle[k][2 * n] = k < 5 ? at_pixel(0, 11.5 + radius * cos(angle)) : at_pixel(0, 2.0 + 20.0 * t);
            tangle[k][2 * n + 1] = k < 5 ? at_pixel(1, 11.5 + radius * sin(angle))
                                         : at_pixel(1, k == 5 ? 2.0 + 20.0 * t : 22.0 - 20.0 * t);
        }
    }
    for (int order = 0; order < LINES; order++) {
        const ter_guide_river first = rivers[0];
        memmove(rivers, rivers + 1, (LINES - 1) * sizeof rivers[0]);
        rivers[LINES - 1] = first;
        const ter_guide_options options = options_of_plateau(rivers, LINES);
        ter_world *world = world_with(&options);
        assert_ok(ter_world_guide_report(world, &report));
        assert_true(report.river_cells > 90);
        assert_downhill(world);
        const ter_guide_tables *tables = world->fluvial.guide;
        for (int n = 0; n < tables->cells.width * tables->cells.height; n++)
            assert_true(!ter_guide_cells(tables)[n].has_node || ter_guide_cells(tables)[n].to != TER_SINK);
        ter_world_destroy(world);
    }
}

/** Options of a bowl, 300 m deep and 8 km wide, without an outlet. */
static ter_guide_options options_of_bowl(void)
{
    ter_guide_options options = options_of_plateau(NULL, 0);
    for (int n = 0; n < PIXELS * PIXELS; n++) {
        const float x = (float)(n % PIXELS) - 11.5f, y = (float)(n / PIXELS) - 11.5f;
        heights[n] = 500.0f + 300.0f * ter_min((x * x + y * y) / 64.0f, 1.5f);
    }
    options.level = 8;
    options.endorheic = 100.0;
    return options;
}

/** A bowl is one basin wherever it lies, whatever the network's cells and the land around. */
static void test_basin_places(void **state)
{
    enum { TRIED = 4 };
    static const double corners[TRIED][2] = {{-1072128, 1927168}, {0, 0}, {-1048576, 2097152}, {777777, 333333}};
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    (void)state;
    for (int n = 0; n < TRIED; n++) {
        ter_guide_options options = options_of_bowl();
        options.spacing = 1000.0;
        options.level = n % 2 == 0 ? 0 : 6; /* 0: cells of 4 km, of which few lie in the bowl */
        options.x = corners[n][0];
        options.z = corners[n][1];
        ter_world *world = world_with(&options);
        assert_ok(ter_world_guide_report(world, &report));
        if (report.basins != 1)
            fail_msg("%d basins at %g, %g, expected 1", (int)report.basins, corners[n][0], corners[n][1]);
        if (n == 0)
            assert_downhill(world);
        ter_world_destroy(world);
    }
}

/** A bowl without an outlet: its water ends in a lake that fills a part of it. */
static void test_basin(void **state)
{
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    (void)state;
    for (int is_closed = 0; is_closed <= 1; is_closed++) {
        ter_guide_options options = options_of_bowl();
        options.endorheic = is_closed ? 100.0 : 0.0;
        ter_world *world = world_with(&options);
        assert_ok(ter_world_guide_report(world, &report));
        assert_int_equal(report.basins, is_closed);
        assert_downhill(world);
        ter_generator *generator = generator_of(TER_METHOD_SINGLE_PASS, 1, TER_SIMD_AUTO);
        float lowest = 1e9f;
        for (int n = 0; n < 900; n++) {
            const point_layers p =
                layers_at(generator, world, at_pixel(0, 8.5 + 0.2 * (n % 30)), at_pixel(1, 8.5 + 0.2 * (n / 30)));
            lowest = !isnan(p.water) && p.flow > 2e7f ? ter_min(lowest, p.water) : lowest;
        }
        /* an outlet drains the bowl: the river leaves it in a gorge */
        assert_true(is_closed ? lowest > 480.0f && lowest < 600.0f : lowest < 1e9f);
        ter_generator_destroy(generator);
        ter_world_destroy(world);
    }
}

static void test_checksum(void **state)
{
    char texts[3][TER_GUIDE_CHECKSUM];
    (void)state;
    for (int n = 0; n < 3; n++) {
        const ter_guide_river river = {course, VERTICES, n == 1 ? 5.0 : 0.0};
        const ter_guide_options options = options_of_plateau(&river, n == 2 ? 0 : 1);
        ter_guide *guide = NULL;
        assert_ok(ter_guide_create(&options, &guide));
        ter_guide_river_checksum(guide, texts[n]);
        assert_ptr_not_equal(ter_guide_options_used(guide)->rivers, options.rivers);
        ter_guide_destroy(guide);
    }
    assert_int_equal(strlen(texts[0]), TER_GUIDE_CHECKSUM - 1);
    assert_string_not_equal(texts[0], texts[1]);
    assert_string_equal(texts[2], "");
}

static void test_refusals(void **state)
{
    static const char *const sentences[] = {
        "vertex 59 of river 0 lies at",
        "vertex 59 of river 0 lies at nan",
        "width of river 0 of the guide is 321, expected 0 to 320 m",
        "width of river 0 of the guide is -1",
        "river 0 of the guide has 1 vertices, expected 2 or more",
        "the guide has -1 rivers",
        "endorheic of the guide is -1, expected 0 to 10000 m",
    };
    (void)state;
    for (int n = 0; n < 7; n++) {
        ter_guide_river river = {course, n == 4 ? 1 : VERTICES, n == 2 ? 321.0 : n == 3 ? -1.0 : 0.0};
        ter_guide_options options = options_of_plateau(&river, n == 5 ? -1 : 1);
        ter_guide *guide = NULL;
        if (n < 2)
            course[2 * VERTICES - 2] = n == 0 ? at_pixel(0, PIXELS + 0.1) : (double)NAN;
        options.endorheic = n == 6 ? -1.0 : 0.0;
        assert_int_equal(ter_guide_create(&options, &guide), TER_EINVAL);
        if (!strstr(ter_error_detail(), sentences[n]))
            fail_msg("'%s', expected '%s'", ter_error_detail(), sentences[n]);
        assert_null(guide);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plateau),      cmocka_unit_test(test_ridge), cmocka_unit_test(test_tangles),
        cmocka_unit_test(test_basin_places), cmocka_unit_test(test_basin), cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_refusals),
    };
    backend_from_arguments(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
