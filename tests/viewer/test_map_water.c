/* test_map_water.c - water on maps: lines of rivers lie on their channels, without gaps, and are wider if the channel
 * drains a larger area. Lakes cover the wet samples. A part of a map is equal to that part of the whole map. Dry land
 * is drawn as without water. On far maps, of lod 10 and coarser, a pixel has one sample, which is a mean; lines of
 * rivers go on to the sea there. */
#include "program_under_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/picture/map_rivers.h"
#include "program/picture/map_water.h"
#include "program/picture/relief.h"

enum { SIDE = 48, LEVELS = 20, LOD = 6, STEP = 1 << LOD };

/** Evenly sloping land, with a channel from the north-west to the south-east, and a lake. */
typedef struct test_land {
    ter_params world;
    ter_rect pixels;
    double area;              /* m2; area that the channel drains */
    double dryness, ice_m;    /* everywhere */
    double middle[2], radius; /* pixels; those of the lake */
    float heights[SIDE * SIDE];
    map_water water[SIDE * SIDE];
} test_land;

static void assert_equal_rects(const ter_rect *a, const ter_rect *b)
{
    assert_true(a->level == b->level && a->i == b->i && a->j == b->j);
    assert_true(a->width == b->width && a->height == b->height);
}

static ter_params world_of_levels(void)
{
    ter_params world;
    ter_params_default(&world);
    world.basis = TER_BASIS_FLUVIAL;
    world.levels = LEVELS;
    return world;
}

/** Distance in metres from the channel to the place (x, y), which is given in pixels. The channel runs 2 pixels south
 * for 3 pixels east. */
static double to_channel(double x, double y)
{
    return fabs(2.0 * (x - 5.0) - 3.0 * (y - 10.0)) / sqrt(13.0) * STEP;
}

static void fill_layers(const test_land *t, const ter_rect *rect, float *const layers[MAP_LAYERS])
{
    for (int64_t n = 0; n < rect->width * rect->height; n++) {
        const double x = 0.5 * (double)(rect->i + n % rect->width), y = 0.5 * (double)(rect->j + n / rect->width);
        layers[MAP_HEIGHT][n] = (float)(100.0 + x + 2.0 * y);
        layers[MAP_SURFACE][n] =
            hypot(x - t->middle[0], y - t->middle[1]) < t->radius ? layers[MAP_HEIGHT][n] + 10.0f : NAN;
        layers[MAP_FLOW][n] = (float)t->area;
        layers[MAP_SHORE][n] = (float)to_channel(x, y);
        layers[MAP_DRYNESS][n] = (float)t->dryness;
        layers[MAP_ICE][n] = (float)t->ice_m;
    }
}

static void make_block(test_land *t, const ter_rect *block)
{
    const int n_a_side = map_water_samples_a_side(&t->world, &t->pixels);
    const ter_rect samples = map_water_samples(n_a_side, &t->pixels, block);
    float *layers[MAP_LAYERS];
    for (int n = 0; n < MAP_LAYERS; n++) {
        layers[n] = malloc((size_t)(samples.width * samples.height) * sizeof *layers[n]);
        assert_non_null(layers[n]);
    }
    fill_layers(t, &samples, layers);
    map_water_compute(&t->world, n_a_side, &t->pixels, block, (const float *const *)layers, t->heights, t->water);
    for (int n = 0; n < MAP_LAYERS; n++)
        free(layers[n]);
}

static test_land *make_covered_land(double area, double radius, double dryness, double ice_m)
{
    test_land *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->world = world_of_levels();
    t->pixels = (ter_rect){LEVELS - LOD, 0, 0, SIDE, SIDE};
    t->area = area;
    t->dryness = dryness;
    t->ice_m = ice_m;
    t->radius = radius;
    t->middle[0] = t->middle[1] = 30.0;
    make_block(t, &t->pixels);
    return t;
}

static test_land *make_land(double area, double radius)
{
    return make_covered_land(area, radius, 0.0, 0.0);
}

static double ink_at(const test_land *t, int x, int y)
{
    return map_water_ink(t->water, SIDE, SIDE, x, y);
}

/** Width of the channel's line, pixels, where it is narrowest. It is computed from the ink in each column, the share of
 * each pixel that the line covers. Checks that there is no ink far from the channel. */
static double width_of_line(const test_land *t)
{
    double least = 1e9;
    for (int x = 8; x < SIDE - 8; x++) {
        double sum = 0.0;
        for (int y = 0; y < SIDE; y++) {
            sum += ink_at(t, x, y);
            if (to_channel(x, y) > 6.0 * STEP)
                assert_true(ink_at(t, x, y) == 0.0);
        }
        least = fmin(least, sum);
    }
    return least * 3.0 / sqrt(13.0);
}

static void test_lines(void **state)
{
    (void)state;
    const ter_params world = world_of_levels();
    const double area = map_water_least_area(&world, STEP);
    double width = 0.5;
    for (int n = 0; n < 4; n++) { /* each area is four times the last one */
        test_land *t = make_land(area * pow(4.0, n), 0.0);
        const double line = width_of_line(t);
        assert_true(line > width + 0.2 && line < 4.0);
        width = line;
        free(t);
    }
    test_land *small = make_land(0.4 * area, 0.0);
    assert_true(width_of_line(small) == 0.0);
    free(small);
}

/** Rivers of dry land have thinner lines or none, and rivers under ice have none. */
static void test_covered_lines(void **state)
{
    static const struct {
        double dryness, ice_m, least, most; /* width of the line, as a share of that of a river with all its water */
    } cases[] = {{0.2, 0.0, 0.4, 0.999}, {0.5, 0.0, 0.0, 0.0}, {0.0, 0.5, 1.0, 1.0}, {0.0, 20.0, 0.0, 0.0}};
    (void)state;
    const double area = 1.2 * 4.0 * 262144.0 * pow(1.0 + 3.5 * 0.2, 8.0); /* m2 */
    test_land *wet = make_land(area, 0.0);
    const double width = width_of_line(wet);
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        test_land *t = make_covered_land(area, 0.0, cases[n].dryness, cases[n].ice_m);
        const double share = width_of_line(t) / width;
        assert_true(share >= cases[n].least && share <= cases[n].most);
        free(t);
    }
    free(wet);
}

static void test_lakes(void **state)
{
    (void)state;
    test_land *t = make_land(0.0, 8.0);
    double open = 0.0;
    for (int n = 0; n < SIDE * SIDE; n++) {
        const double off = hypot(n % SIDE - 29.75, n / SIDE - 29.75);
        open += t->water[n].open / 255.0;
        assert_true(off < 10.0 || t->water[n].open == 0);
        assert_true(off > 7.0 || (t->water[n].open == 255 && t->water[n].depth_dm == 100));
    }
    /* the tolerance is for shores, where a pixel with a single wet sample has no open water */
    assert_true(fabs(open - 3.14159265 * 64.0) < 20.0);
    free(t);
}

/** A map made in blocks is equal to a map made at once, also at the eastern and southern edges, where pixels have fewer
 * samples. */
static void test_blocks(void **state)
{
    (void)state;
    test_land *whole = make_land(1e8, 8.0), *parts = make_land(0.0, 0.0);
    parts->area = whole->area;
    parts->radius = whole->radius;
    for (int row = 0; row < SIDE; row += 17)
        for (int column = 0; column < SIDE; column += 13) {
            const ter_rect block = {LEVELS - LOD, column, row, column + 13 < SIDE ? 13 : SIDE - column,
                                    row + 17 < SIDE ? 17 : SIDE - row};
            make_block(parts, &block);
        }
    assert_memory_equal(whole->water, parts->water, sizeof whole->water);
    assert_memory_equal(whole->heights, parts->heights, sizeof whole->heights);
    free(whole);
    free(parts);
}

/* ---- far maps ---- */

enum { FAR_LOD = 12, FAR_STEP = 1 << FAR_LOD, COAST = 40 };

static bool goes_on_joining(void *user)
{
    (void)user;
    return true;
}

/** Distance of a pixel of the far map from its river, pixels. The river runs from the west to the coast; its first part
 * lies midway between two rows of pixels. */
static double to_far_river(double x, double y)
{
    return fabs(y - (12.5 + (x > 14.0 ? 0.3 * (x - 14.0) : 0.0)));
}

/** Make a far map: land west of COAST, and a river whose drained area grows from `area` by 2 % a pixel. It ends at
 * column `end`. Only samples less than 0.49 pixels from the river have its area, as samples that are means do. */
static test_land *make_far_land(double area, int end)
{
    test_land *t = calloc(1, sizeof *t);
    float *layers[MAP_LAYERS];
    assert_non_null(t);
    t->world = world_of_levels();
    t->pixels = (ter_rect){LEVELS - FAR_LOD, 0, 0, SIDE, SIDE};
    const int n_a_side = map_water_samples_a_side(&t->world, &t->pixels);
    const ter_rect samples = map_water_samples(n_a_side, &t->pixels, &t->pixels);
    assert_equal_rects(&samples, &t->pixels); /* one sample for each pixel */
    for (int n = 0; n < MAP_LAYERS; n++)
        layers[n] = calloc(SIDE * SIDE, sizeof *layers[n]);
    for (int n = 0; n < SIDE * SIDE; n++) {
        const int x = n % SIDE, y = n / SIDE;
        const double off = to_far_river(x, y);
        const bool is_beside = off < 0.49 && x <= end;
        layers[MAP_HEIGHT][n] = x < COAST ? 100.0f : -5.0f;
        layers[MAP_SURFACE][n] = x < COAST ? NAN : 0.0f;
        layers[MAP_FLOW][n] = (float)(is_beside ? area * pow(1.02, x) : 1e6);
        layers[MAP_SHORE][n] = (float)((is_beside ? off : 0.1) * FAR_STEP);
    }
    map_water_compute(&t->world, n_a_side, &t->pixels, &t->pixels, (const float *const *)layers, t->heights, t->water);
    for (int n = 0; n < MAP_LAYERS; n++)
        free(layers[n]);
    const picture_progress progress = {goes_on_joining, NULL};
    assert_int_equal(map_rivers_join(&t->world, &t->pixels, t->heights, t->water, &progress).kind, RESULT_DONE);
    return t;
}

/** The greatest ink of a pixel in a column, and the pixel's row. */
static double darkest(const test_land *t, int x, int *row)
{
    double most = 0.0;
    for (int y = 0; y < SIDE; y++)
        if (ink_at(t, x, y) > most) {
            most = ink_at(t, x, y);
            *row = y;
        }
    return most;
}

/** The line of a river has no gaps down to the sea, even in columns where no pixel has the river's area. A river that
 * ends inland is drawn only where it drains more than four times the least area, or near the edge of the map. */
static void test_far_rivers(void **state)
{
    (void)state;
    const ter_params world = world_of_levels();
    const double area = map_water_least_area(&world, FAR_STEP);
    test_land *t = make_far_land(area, SIDE);
    int n_beside = 0, row = 13, last = 13;
    for (int x = 16; x < COAST; x++) {
        bool is_beside = false;
        for (int y = 0; y < SIDE; y++)
            is_beside |= t->water[y * SIDE + x].area > 0.0f;
        n_beside += is_beside;
        assert_true(darkest(t, x, &row) > 0.3);
        assert_true(to_far_river(x, row) < 1.6 && abs(row - last) <= 1);
        last = row;
    }
    assert_true(n_beside < COAST - 16); /* in some columns no pixel has the river's area, as the test needs */
    for (int n = 0; n < SIDE * SIDE; n++)
        assert_true(to_far_river(n % SIDE, n / SIDE) < 3.0 || ink_at(t, n % SIDE, n / SIDE) == 0.0);
    free(t);
    t = make_far_land(0.3 * area, 30); /* the drained area is nowhere large enough */
    assert_true(darkest(t, 25, &row) == 0.0);
    free(t);
    t = make_far_land(2.0 * area, 30); /* ends inland, and drains at most 3.6 times the least area */
    assert_true(darkest(t, 25, &row) == 0.0);
    free(t);
    t = make_far_land(5.0 * area, 30);
    assert_true(darkest(t, 25, &row) > 0.5);
    free(t);
}

/** The least area that a river with a line drains grows with the size of a pixel: with its square up to 1024 lattice
 * steps, and more slowly above. */
static void test_least_areas(void **state)
{
    (void)state;
    ter_params world = world_of_levels();
    assert_true(fabs(map_water_least_area(&world, 256.0) / (8192.0 * 8192.0) - 1.0) < 1e-9);
    assert_true(fabs(map_water_least_area(&world, 1024.0) / (32768.0 * 32768.0) - 1.0) < 1e-9);
    assert_true(fabs(map_water_least_area(&world, 8192.0) / (32.0 * 4096.0 * 32.0 * 4096.0) - 1.0) < 1e-9);
    world.spacing = 0.5;
    assert_true(fabs(map_water_least_area(&world, 4096.0) * 4.0 / (32.0 * 4096.0 * 32.0 * 4096.0) - 1.0) < 1e-9);
}

/** No sample lies beyond the outermost pixels, because a map may end at the end of the world. */
static void test_ends(void **state)
{
    (void)state;
    const ter_params world = world_of_levels();
    const ter_rect coarse = {LEVELS - LOD, 7, 9, 5, 4}, finest = {LEVELS, 7, 9, 5, 4};
    const ter_rect samples = map_water_samples(map_water_samples_a_side(&world, &coarse), &coarse, &coarse),
                   same = map_water_samples(map_water_samples_a_side(&world, &finest), &finest, &finest);
    assert_true(samples.level == LEVELS - LOD + 1 && samples.i == 14 && samples.j == 18 && samples.width == 9 &&
                samples.height == 7);
    assert_equal_rects(&same, &finest);
}

static bool goes_on(void *user, double share)
{
    (void)user, (void)share;
    return true;
}

/** A picture with water differs from one without water only where there is water. Water is blue. */
static void test_picture(void **state)
{
    static uint8_t wet[SIDE * SIDE * 3], dry[SIDE * SIDE * 3];
    (void)state;
    test_land *t = make_land(1e8, 8.0);
    look colors;
    look_default(&colors);
    relief land = {.world = &t->world,
                   .look = &colors,
                   .step = STEP,
                   .pixel_m = STEP,
                   .width = SIDE,
                   .height = SIDE,
                   .heights = t->heights};
    const relief_progress progress = {goes_on, NULL};
    assert_int_equal(relief_draw(&land, dry, &progress).kind, RESULT_DONE);
    land.water = t->water;
    assert_int_equal(relief_draw(&land, wet, &progress).kind, RESULT_DONE);
    int n_blue = 0;
    for (int n = 0; n < SIDE * SIDE; n++) {
        const double share = fmax(ink_at(t, n % SIDE, n / SIDE), t->water[n].open / 255.0);
        const uint8_t *p = wet + (size_t)n * 3;
        if (share == 0.0)
            assert_memory_equal(p, dry + (size_t)n * 3, 3);
        if (share > 0.95) {
            n_blue++;
            assert_true(p[2] > p[0] + 60 && p[2] > p[1] + 20);
        }
    }
    assert_true(n_blue > 150);
    free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),      cmocka_unit_test(test_covered_lines),
                                       cmocka_unit_test(test_lakes),      cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_ends),       cmocka_unit_test(test_picture),
                                       cmocka_unit_test(test_far_rivers), cmocka_unit_test(test_least_areas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
