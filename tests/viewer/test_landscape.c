/* test_landscape.c - a morph from one world to the next: its share in time and space, the mixed look and its end are
 * right.
 */
#include "program_under_test.h"

#include <math.h>

#include "program/viewer/camera/landscape.h"

static ter_params params_of(uint64_t seed)
{
    ter_params p;
    ter_params_default(&p);
    p.basis = TER_BASIS_SMOOTH;
    p.seed = seed;
    p.sea = 10.0 * (double)seed;
    return p;
}

static look look_of(double haze)
{
    look l;
    look_default(&l);
    l.haze = haze;
    return l;
}

static landscape land_of(uint64_t seed, double haze)
{
    landscape land;
    const ter_params p = params_of(seed);
    const look new_look = look_of(haze);
    landscape_create(&land, world_of(&p), &new_look);
    return land;
}

static void morph_to(landscape *land, uint64_t seed, double seconds, bool is_front, const camera *c)
{
    const ter_params p = params_of(seed);
    const look new_look = look_of(3.0);
    assert_done(landscape_morph(land, &p, &new_look, seconds, is_front, c));
}

static camera camera_at(int64_t x, int64_t z, double heading_deg)
{
    camera c = {.heading_deg = heading_deg};
    camera_place(&c, x, z);
    return c;
}

static void test_still(void **state)
{
    (void)state;
    landscape land = land_of(1, 1.0);
    const camera c = camera_at(5, 7, 0);
    look seen;
    assert_false(landscape_advance(&land, 100.0, 1e5));
    assert_true(landscape_share(&land, &c) == 0.0);
    assert_true(landscape_sea_m(&land, 0.0) == 10.0);
    landscape_look(&land, 0.0, &seen);
    assert_true(seen.haze == 1.0);
    landscape_destroy(&land);
    assert_null(land.world);
}

static void test_everywhere_at_once(void **state)
{
    (void)state;
    landscape land = land_of(1, 1.0);
    const camera c = camera_at(1000, -2000, 30), far = camera_at(-900000, 800000, 30);
    double before = 0.0;
    morph_to(&land, 2, 10.0, false, &c);
    for (int second = 1; second <= 9; second++) {
        const ter_blend ahead = landscape_blend_in(&land, 1.0);
        assert_false(landscape_advance(&land, 1.0, 1e5));
        const double share = landscape_share(&land, &c);
        assert_true(share > before && share < 1.0);
        assert_true(share == landscape_share(&land, &far));
        /* as landscape_blend_in predicted a second ago */
        assert_true(share == ter_blend_at(&ahead, camera_x(&c), camera_z(&c)));
        before = share;
    }
    assert_true(landscape_advance(&land, 1.0, 1e5));
    assert_true(landscape_share(&land, &c) == 1.0);
    landscape_arrive(&land);
    assert_null(land.next);
    assert_int_equal(ter_world_params(land.world)->seed, 2);
    assert_true(land.look.haze == 3.0);
    assert_true(landscape_share(&land, &c) == 0.0);
    landscape_destroy(&land);
}

/** A reversed morph goes back at the same speed and ends with the first world, with a front and without one. */
static void test_turned_back(void **state)
{
    (void)state;
    for (int is_front = 0; is_front < 2; is_front++) {
        landscape land = land_of(1, 1.0);
        const camera c = camera_at(1000, -2000, 30), far = camera_at(-900000, 800000, 30);
        double before = 1.0;
        morph_to(&land, 2, 10.0, is_front, &c);
        assert_false(landscape_advance(&land, 6.5, 1e5));
        landscape_turn_back(&land);
        assert_true(landscape_ends_within(&land, 6.5));
        for (int second = 1; second <= 6; second++) {
            assert_false(landscape_ends_within(&land, 0.25));
            assert_false(landscape_advance(&land, 1.0, 1e5));
            assert_true(landscape_share(&land, &c) <= before);
            before = landscape_share(&land, &c);
        }
        assert_true(landscape_advance(&land, 1.0, 1e5));
        assert_true(landscape_share(&land, &c) == 0.0 && landscape_share(&land, &far) == 0.0);
        landscape_stay(&land);
        assert_null(land.next);
        assert_int_equal(ter_world_params(land.world)->seed, 1);
        assert_true(land.look.haze == 1.0);
        morph_to(&land, 2, 10.0, is_front, &c); /* the next morph goes forward again */
        assert_false(landscape_advance(&land, 9.9, 1e5));
        assert_true(landscape_advance(&land, 0.2, 1e5));
        assert_true(landscape_share(&land, &c) == 1.0);
        landscape_destroy(&land);
    }
}

/** A front comes from behind the camera. Behind the front is the next world. The share of a place never decreases. */
static void test_front(void **state)
{
    (void)state;
    enum { PLACES = 41, STEPS = 200 };
    static const double headings[] = {0, 45, 90, 200, 315};
    for (size_t h = 0; h < sizeof headings / sizeof headings[0]; h++) {
        landscape land = land_of(1, 1.0);
        const camera c = camera_at(123456, -654321, headings[h]);
        double course[3], before[PLACES] = {0};
        camera_course(&c, 1.0, course);
        morph_to(&land, 2, 20.0, true, &c);
        for (int step = 1; step < STEPS; step++) {
            assert_false(landscape_advance(&land, 20.0 / STEPS, 5e4));
            for (int n = 0; n < PLACES; n++) { /* from 50 km behind to 50 km ahead */
                const double along = (double)(n - PLACES / 2) * 2500.0;
                const double share =
                    ter_blend_at(&land.blend, camera_x(&c) + along * course[0], camera_z(&c) + along * course[2]);
                assert_true(share >= before[n]);
                if (n > 0) /* before[n - 1] belongs to a place farther behind, and already has the value of this step */
                    assert_true(share <= before[n - 1]);
                before[n] = share;
            }
            if (step == 1)
                assert_true(before[PLACES - 1] == 0.0 && landscape_share(&land, &c) == 0.0);
            if (step == STEPS / 2)
                assert_true(before[0] == 1.0 && before[PLACES - 1] == 0.0);
        }
        assert_true(before[0] == 1.0 && before[PLACES - 1] == 1.0);
        assert_true(landscape_advance(&land, 20.0 / STEPS + 1e-9, 5e4));
        landscape_destroy(&land);
    }
}

static void test_mixture(void **state)
{
    (void)state;
    landscape land = land_of(1, 1.0);
    const camera c = camera_at(0, 0, 0);
    look seen;
    morph_to(&land, 3, 10.0, false, &c);
    assert_true(landscape_sea_m(&land, 0.0) == 10.0 && landscape_sea_m(&land, 1.0) == 30.0 &&
                landscape_sea_m(&land, 0.5) == 20.0);
    land.next_look.is_plain = !land.look.is_plain;
    land.next_look.colors[LOOK_SNOW][1] = land.look.colors[LOOK_SNOW][1] + 0.5F;
    for (int n = 0; n <= 4; n++) {
        const double share = n / 4.0;
        landscape_look(&land, share, &seen);
        assert_true(fabs(seen.haze - (1.0 + 2.0 * share)) < 1e-12);
        assert_true(fabsf(seen.colors[LOOK_SNOW][1] - land.look.colors[LOOK_SNOW][1] - 0.5F * (float)share) < 1e-6F);
        assert_int_equal(seen.is_plain, share < 0.5 ? land.look.is_plain : land.next_look.is_plain);
    }
    landscape_destroy(&land);
}

/** A morph that cannot begin changes nothing. Neither does a morph that is cancelled. */
static void test_refused(void **state)
{
    (void)state;
    landscape land = land_of(1, 1.0);
    const camera c = camera_at(0, 0, 0);
    const look new_look = look_of(3.0);
    ter_params p = params_of(2);
    p.spacing = 2.0;
    assert_result(landscape_morph(&land, &p, &new_look, 10.0, false, &c), RESULT_USAGE, "spacing");
    p = params_of(2);
    p.gain = 1.5;
    assert_result(landscape_morph(&land, &p, &new_look, 10.0, false, &c), RESULT_USAGE, "gain");
    assert_null(land.next);
    assert_false(landscape_advance(&land, 100.0, 1e5));
    morph_to(&land, 2, 10.0, false, &c);
    morph_to(&land, 4, 10.0, false, &c); /* another target replaces the first */
    assert_int_equal(ter_world_params(land.next)->seed, 4);
    landscape_stay(&land);
    assert_null(land.next);
    assert_int_equal(ter_world_params(land.world)->seed, 1);
    assert_true(land.next_look.haze == 1.0);
    landscape_destroy(&land);
}

/** The bounds of a morph contain the heights of both worlds. */
static void test_bounds(void **state)
{
    (void)state;
    uint64_t random = 5;
    const camera c = camera_at(0, 0, 0);
    const look new_look = look_of(1.0);
    for (int n = 0; n < 20; n++) {
        landscape land;
        const ter_params from = random_params(&random), to = random_params(&random);
        double low, high, alone_low, alone_high;
        landscape_create(&land, world_of(&from), &new_look);
        landscape_bounds(&land, &alone_low, &alone_high);
        assert_done(landscape_morph(&land, &to, &new_look, 1.0, false, &c));
        landscape_bounds(&land, &low, &high);
        assert_true(low <= alone_low && high >= alone_high);
        for (int k = 0; k < 200; k++) {
            float a, b;
            const int64_t i = random_coordinate(&random, 0, 1), j = random_coordinate(&random, 0, 1);
            assert_ok(ter_world_height(land.world, from.levels, i, j, &a));
            assert_ok(ter_world_height(land.next, to.levels, i, j, &b));
            assert_true((double)a >= alone_low && (double)a <= alone_high);
            assert_true((double)b >= low && (double)b <= high);
        }
        landscape_destroy(&land);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_still),      cmocka_unit_test(test_everywhere_at_once),
                                       cmocka_unit_test(test_front),      cmocka_unit_test(test_mixture),
                                       cmocka_unit_test(test_refused),    cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_turned_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
