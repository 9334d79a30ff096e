/* test_crater_rays.c - the rays that the shaders draw belong to young craters of the world, move against the camera,
 * and do not appear or vanish at once. A world without craters has none. */
#include "program_under_test.h"

#include <math.h>

#include "program/viewer/flight/crater_rays.h"

static const double HEIGHT_M = 50e3, FAR_M = 800e3;

static ter_world *moon(double craters, double maria)
{
    ter_params p;
    ter_params_default(&p);
    p.seed = 3;
    p.basis = TER_BASIS_SMOOTH;
    p.craters = craters;
    p.maria = maria;
    return world_of(&p);
}

/** Choose the rays around a camera. */
static void rays_at(crater_rays *rays, const ter_world *world, int64_t x, int64_t z)
{
    camera c = {.altitude_m = HEIGHT_M};
    camera_place(&c, x, z);
    assert_done(crater_rays_update(rays, world, &c, HEIGHT_M, FAR_M));
}

static void test_young(void **state)
{
    (void)state;
    ter_world *world = moon(0.95, 0.5);
    const ter_crater_surface surface = ter_craters_surface(world);
    static crater_rays rays;
    crater_rays_begin(&rays);
    rays_at(&rays, world, 1000000, -2000000);
    assert_int_equal(rays.shown.n_rays, CRATER_RAYS_MAX);
    for (int n = 0; n < rays.shown.n_rays; n++) {
        const ter_crater_place *c = &rays.chosen[n];
        const ter_crater_query query = {TER_SIZED(ter_crater_query), c->x, c->z, c->x, c->z, c->diameter,
                                        0.15 * surface.lava_age};
        ter_crater_place found;
        size_t count = 0;
        assert_int_equal(ter_craters_list(world, &query, 1, &found, &count), TER_OK);
        assert_int_equal(count, 1);
        assert_true(found.diameter == c->diameter && found.age == c->age);
        assert_true(fabs((double)rays.shown.rays[n][0] - (c->x - 1000000.0)) <= 1e-6 * FAR_M * 4.0);
        assert_true((double)rays.shown.rays[n][2] == (double)(float)(0.5 * c->diameter));
        const float bright = rays.shown.rays[n][3] - floorf(rays.shown.rays[n][3]);
        assert_true(bright >= 0.0f && bright < 1.0f);
    }
    assert_true(rays.shown.lava_m[1] > rays.shown.lava_m[0]);
    ter_world_destroy(world);
}

/** Brightness of a crater in a choice; 0 if it is not chosen. */
static float bright_in(const crater_rays *rays, const ter_crater_place *c)
{
    for (int n = 0; n < rays->shown.n_rays; n++)
        if (rays->chosen[n].x == c->x && rays->chosen[n].z == c->z)
            return rays->bright[n];
    return 0.0f;
}

static void test_no_pop(void **state)
{
    (void)state;
    ter_world *world = moon(0.95, 0.0);
    static crater_rays before, after;
    crater_rays_begin(&before);
    rays_at(&before, world, 0, 0);
    for (int step = 1; step <= 40; step++) {
        crater_rays_begin(&after);
        rays_at(&after, world, step * 2000, 0);
        for (int n = 0; n < before.shown.n_rays; n++)
            assert_true(fabsf(before.bright[n] - bright_in(&after, &before.chosen[n])) < 0.25f);
        for (int n = 0; n < after.shown.n_rays; n++)
            assert_true(fabsf(after.bright[n] - bright_in(&before, &after.chosen[n])) < 0.25f);
        before = after;
    }
    ter_world_destroy(world);
}

static void test_movement(void **state)
{
    (void)state;
    ter_world *world = moon(0.95, 0.0);
    static crater_rays rays;
    crater_rays_begin(&rays);
    rays_at(&rays, world, 0, 0);
    const float east = rays.shown.rays[0][0];
    rays_at(&rays, world, 4096, 0); /* less than a fiftieth of the visible land: the same craters */
    assert_true(rays.made_x == 0.0);
    assert_true(fabsf(rays.shown.rays[0][0] - (east - 4096.0f)) <= 1.0f);
    ter_world_destroy(world);
}

static void test_none(void **state)
{
    (void)state;
    ter_world *world = moon(0.0, 0.0);
    static crater_rays rays;
    crater_rays_begin(&rays);
    rays_at(&rays, world, 0, 0);
    assert_int_equal(rays.shown.n_rays, 0);
    assert_true(rays.shown.lava_m[0] == rays.shown.lava_m[1]);
    ter_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_young), cmocka_unit_test(test_no_pop),
                                       cmocka_unit_test(test_movement), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
