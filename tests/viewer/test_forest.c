/* test_forest.c - compares the trees that the GPU places with the land of the library. No tree stands in water, on a
 * cliff or above the ground. Two cameras see the same trees. A camera that would hit a tree is lifted above it. There
 * are no trees without the layer trees, or for a camera high up. No plant stands on a glacier.
 */
#include "program_under_test.h"

#include <math.h>

#include "program/core/fill.h"
#include "program/viewer/flight/flight.h"
#include "program/viewer/flight/frame.h"

enum { TREES_MAX = 1 << 17, SIDE = 641, HALF = SIDE / 2 };
static const double NEAR_M = 250.0;
/* Allowed distance of a tree's foot from the ground: STANDING_M + DRAWN * distance from the camera. DRAWN allows for
 * the error of the drawn ground, which is a pixel of a picture of 54 rows. */
static const double STANDING_M = 0.4, DRAWN = 0.019;
/* Slopes are measured over WIDE lattice steps to both sides. Trees are placed by samples 8 m apart, so a tree may stand
 * on a narrow ledge. */
enum { WIDE = 16 };

static forest_plant read_plants[TREES_MAX];

typedef struct tree {
    double x_m, z_m, foot_m, height_m; /* x and z from the world's origin; foot over the datum */
} tree;

/** The trees near a camera. */
typedef struct stand {
    tree *trees;
    size_t count;
} stand;

static void say(const char *text)
{
    print_message("%s\n", text);
}

static result print_line(const char *line)
{
    (void)line;
    return result_done();
}

static void show(const char *of, double share)
{
    (void)of, (void)share;
}

static int is_never_interrupted(void)
{
    return 0;
}

static const fly_events events = {say, print_line, show, is_never_interrupted};

static fly_request request_at(int64_t x, int64_t z, double altitude_m, unsigned layers)
{
    fly_request r = {.at = {x, z},
                     .altitude_m = altitude_m,
                     .heading_deg = 40,
                     .pitch_deg = -10,
                     .speed = 1,
                     .min_clearance_m = 2,
                     .planet_radius_km = 6371,
                     .width = 96,
                     .height = 54,
                     .is_headless = true,
                     .frames = 1,
                     .quality = FLY_QUALITY_MEDIUM,
                     .pixel_error = 1,
                     .time_h = 12,
                     .season = FLY_SEASON,
                     .layers = layers,
                     .layer_names = "some"};
    look_default(&r.look);
    return r;
}

/** Draw a frame. Returns the number of plants in read_plants, and the camera (at). */
static size_t read_frame(const ter_params *params, const fly_request *r, camera *at)
{
    flight f;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    assert_done(flight_open(&f, r, &events, world_of(params), generator));
    assert_done(frame_load_land(&f, r->width, r->height));
    assert_done(frame_draw(&f, r->width, r->height, 0.016));
    assert_int_equal(gl_error_count(), 0);
    const size_t count = forest_read(renderer_forest(f.renderer), read_plants, TREES_MAX);
    *at = f.travel.camera;
    flight_close(&f);
    ter_generator_destroy(generator);
    return count;
}

/** Draw a frame. Returns the trees that it has placed near the camera. */
static stand stand_seen(const ter_params *params, const fly_request *r)
{
    camera at;
    stand s = {0};
    const size_t count = read_frame(params, r, &at);
    const camera *c = &at;
    s.trees = calloc(count + 1, sizeof *s.trees);
    assert_non_null(s.trees);
    for (size_t n = 0; n < count; n++) {
        const forest_plant *p = &read_plants[n];
        const double x = (double)p->foot[0], z = (double)p->foot[2], drop = (x * x + z * z) / (2.0 * 6371e3);
        if (p->height > 8.0f && x * x + z * z < NEAR_M * NEAR_M) /* a tree, not a bush */
            s.trees[s.count++] = (tree){camera_x(c) * params->spacing + x, camera_z(c) * params->spacing + z,
                                        c->altitude_m + (double)p->foot[1] + drop, (double)p->height};
    }
    return s;
}

/** Check that each tree stands on dry ground that is not too steep, and neither above nor below it. */
static void check_stand(const ter_params *params, const fly_request *r, const stand *s)
{
    static float heights[SIDE * SIDE], water[SIDE * SIDE];
    const ter_rect rect = {params->levels, r->at[0] - HALF, r->at[1] - HALF, SIDE, SIDE};
    const bool has_rivers = params->basis == TER_BASIS_FLUVIAL;
    const layer_arrays layers = {.at = {[TER_LAYER_HEIGHT] = heights, [TER_LAYER_WATER] = has_rivers ? water : NULL}};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_world *world = world_of(params);
    size_t n_wet = 0, n_steep = 0, n_floating = 0;
    assert_ok(fill_rect(generator, world, &rect, &layers, SIDE));
    for (size_t n = 0; n < s->count; n++) {
        const tree *t = &s->trees[n];
        const double u = t->x_m / params->spacing - (double)rect.i, v = t->z_m / params->spacing - (double)rect.j;
        const int i = (int)u, j = (int)v;
        const float *h = &heights[j * SIDE + i];
        const double a = u - i, b = v - j,
                     ground = (1 - b) * ((1 - a) * (double)h[0] + a * (double)h[1]) +
                              b * ((1 - a) * (double)h[SIDE] + a * (double)h[SIDE + 1]);
        const double east = (double)(h[WIDE] - h[-WIDE]) / (2 * WIDE * params->spacing),
                     south = (double)(h[WIDE * SIDE] - h[-WIDE * SIDE]) / (2 * WIDE * params->spacing);
        n_wet += ground < params->sea || (has_rivers && (double)water[j * SIDE + i] > ground);
        n_steep += sqrt(east * east + south * south) > 1.5;
        const double away_m =
            hypot(t->x_m / params->spacing - (double)r->at[0], t->z_m / params->spacing - (double)r->at[1]) *
            params->spacing;
        n_floating += fabs(t->foot_m - ground) > STANDING_M + DRAWN * away_m;
    }
    print_message("%zu trees, wet %zu, steep %zu, floating %zu\n", s->count, n_wet, n_steep, n_floating);
    assert_true(n_wet == 0 && n_steep == 0 && n_floating == 0);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

/** Number of trees within a distance of a place that are in stand a but not in stand b. */
static size_t missing(const stand *a, const stand *b, double x_m, double z_m, double within_m)
{
    size_t count = 0;
    for (size_t n = 0; n < a->count; n++) {
        const tree *t = &a->trees[n];
        bool is_there = hypot(t->x_m - x_m, t->z_m - z_m) > within_m;
        for (size_t k = 0; k < b->count && !is_there; k++)
            is_there = hypot(t->x_m - b->trees[k].x_m, t->z_m - b->trees[k].z_m) < 0.02 &&
                       fabs(t->height_m - b->trees[k].height_m) < 0.02;
        count += !is_there;
    }
    return count;
}

static ter_params alps(void)
{
    ter_params p;
    ter_params_default(&p);
    p.basis = TER_BASIS_SMOOTH;
    p.seed = 7;
    p.levels = 13;
    p.amplitude = 1900;
    p.gain = 0.5f;
    p.broad = 2;
    p.broad_gain = 0.72f;
    p.base = 500;
    p.valley = 0.5f;
    return p;
}

/* All layers but instruments and clouds. With shadows, trees behind the camera are placed, too. Clouds would take a
 * third of the time. */
static const unsigned SEEN = (1u << LAYERS) - 1 - (1u << LAYER_HUD) - (1u << LAYER_CLOUDS);
static stand first_stand; /* the trees near the place where most tests begin */

static fly_request first_request(unsigned layers)
{
    return request_at(36000, 22000, 60, layers);
}

static int make_first_stand(void **state)
{
    (void)state;
    const ter_params p = alps();
    const fly_request r = first_request(SEEN);
    first_stand = stand_seen(&p, &r);
    return 0;
}

static int free_first_stand(void **state)
{
    (void)state;
    free(first_stand.trees);
    return 0;
}

static void test_trees_stand_on_the_ground(void **state)
{
    (void)state;
    const ter_params p = alps();
    const fly_request here = first_request(SEEN), there = request_at(36080, 21970, 90, SEEN);
    const stand a = first_stand;
    stand b = stand_seen(&p, &there);
    assert_true(a.count > 200);
    check_stand(&p, &here, &a);
    check_stand(&p, &there, &b);
    const double x = 36040, z = 21985;
    assert_int_equal(missing(&a, &b, x, z, 190), 0);
    assert_int_equal(missing(&b, &a, x, z, 190), 0);
    free(b.trees);
}

static void test_trees_stand_beside_the_water(void **state)
{
    (void)state;
    ter_params p;
    ter_params_default(&p);
    const fly_request here = request_at(-1078300, 1920600, 60, SEEN);
    stand a = stand_seen(&p, &here);
    assert_true(a.count > 20);
    check_stand(&p, &here, &a);
    free(a.trees);
}

/** A world of cold mountains whose valleys have glaciers. */
static ter_params icy_alps(void)
{
    ter_params p;
    ter_params_default(&p);
    p.seed = 673409;
    p.land = 0.4f;
    p.relief = 0.95f;
    p.uplift = 0.9f;
    p.hills = 0.6f;
    p.plateau = -1;
    p.ice = 1;
    p.dryness = -0.4f;
    p.warmth = -4;
    p.wetness = 1.8f;
    p.glaciers = 1;
    return p;
}

static void test_no_plant_stands_on_ice(void **state)
{
    (void)state;
    static float ice[SIDE * SIDE];
    const ter_params p = icy_alps();
    fly_request r = request_at(-1970282, -429703, 30, SEEN);
    camera at;
    r.look.tree_line_m = 1850;
    r.look.snow_line_m = 2600;
    const size_t count = read_frame(&p, &r, &at);
    const ter_rect rect = {p.levels, r.at[0] - HALF, r.at[1] - HALF, SIDE, SIDE};
    const layer_arrays layers = {.at = {[TER_LAYER_GLACIER] = ice}};
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    ter_world *world = world_of(&p);
    size_t n_near = 0, n_on_ice = 0, n_ice = 0;
    assert_ok(fill_rect(generator, world, &rect, &layers, SIDE));
    for (size_t k = 0; k < SIDE * SIDE; k++)
        n_ice += ice[k] > 1.0f;
    for (size_t n = 0; n < count; n++) {
        const int i = HALF + (int)read_plants[n].foot[0], j = HALF + (int)read_plants[n].foot[2];
        const bool is_near = i >= 0 && i < SIDE && j >= 0 && j < SIDE;
        n_near += is_near;
        n_on_ice += is_near && ice[j * SIDE + i] > 1.0f;
    }
    print_message("%zu plants nearby, %zu on ice\n", n_near, n_on_ice);
    assert_in_range(n_ice, SIDE * SIDE / 4, SIDE * SIDE);
    assert_int_equal(n_on_ice, 0);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void ignore_time(void *user, int pass, double ms)
{
    (void)user, (void)pass, (void)ms;
}

/** A camera that would hit a tree is lifted above its top. Without the layer, and high up, there are no trees. */
static void test_flights_clear_trees(void **state)
{
    (void)state;
    const ter_params p = alps();
    const fly_request r = first_request(SEEN);
    flight f;
    nearby_trees seen;
    size_t n_trees = 0;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    assert_done(flight_open(&f, &r, &events, world_of(&p), generator));
    assert_done(frame_load_land(&f, r.width, r.height));
    for (int n = 0; n <= GPU_TIMER_FRAMES; n++) {
        renderer_next_frame(f.renderer, 1, ignore_time, NULL);
        assert_true(renderer_nearby_trees(f.renderer, &seen) == (n == GPU_TIMER_FRAMES));
        if (n < GPU_TIMER_FRAMES)
            assert_done(frame_draw(&f, r.width, r.height, 0.016));
    }
    const camera start = f.travel.camera;
    f.travel.probe.has_trees = true;
    for (size_t n = 0; n < seen.count; n++) {
        const forest_plant *tree = &seen.plants[n];
        const double step[3] = {(double)tree->foot[0], (double)tree->foot[1] + 1.0, (double)tree->foot[2]};
        const double top_m = start.altitude_m + (double)(tree->foot[1] + tree->height);
        camera low = start;
        camera_move(&low, step, p.spacing);
        terrain_probe_add_trees(&f.travel.probe, &low, &seen);
        pilot_clear_ground(&f.travel.pilot, &low, &f.travel.probe, 0.016);
        n_trees += tree->height > 8.0f;
        assert_true(low.altitude_m >= top_m);
    }
    assert_true(n_trees > 200);
    f.layers.shown &= ~(1u << LAYER_TREES); /* no trees are placed without the layer */
    assert_done(frame_draw(&f, r.width, r.height, 0.0));
    assert_int_equal(forest_read(renderer_forest(f.renderer), read_plants, TREES_MAX), 0);
    f.layers.shown = r.layers;
    assert_done(frame_draw(&f, r.width, r.height, 0.0));
    assert_true(forest_read(renderer_forest(f.renderer), read_plants, TREES_MAX) > 200);
    f.view_builder.lod_height_m = 1.0e4; /* no trees are placed for a camera high above the ground */
    assert_done(frame_draw(&f, r.width, r.height, 0.0));
    assert_int_equal(forest_read(renderer_forest(f.renderer), read_plants, TREES_MAX), 0);
    flight_close(&f);
    ter_generator_destroy(generator);
}

/** A flight that would begin inside a tree begins above its top. */
static void test_flights_begin_over_trees(void **state)
{
    (void)state;
    const ter_params p = alps();
    assert_true(first_stand.count > 0);
    const tree *t = &first_stand.trees[0];
    const fly_request within = request_at((int64_t)t->x_m, (int64_t)t->z_m, 0.5 * t->height_m, SEEN);
    ter_generator *generator = generator_of(TER_METHOD_TILED, 2, TER_SIMD_AUTO);
    flight f;
    assert_done(flight_open(&f, &within, &events, world_of(&p), generator));
    assert_done(frame_load_land(&f, within.width, within.height));
    assert_true(f.travel.camera.altitude_m < t->foot_m + t->height_m);
    assert_done(frame_clear_trees(&f, within.width, within.height));
    assert_true(f.travel.camera.altitude_m > t->foot_m + t->height_m);
    flight_close(&f);
    ter_generator_destroy(generator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trees_stand_on_the_ground), cmocka_unit_test(test_trees_stand_beside_the_water),
        cmocka_unit_test(test_no_plant_stands_on_ice), cmocka_unit_test(test_flights_clear_trees),
        cmocka_unit_test(test_flights_begin_over_trees)};
    return cmocka_run_group_tests(tests, make_first_stand, free_first_stand);
}
