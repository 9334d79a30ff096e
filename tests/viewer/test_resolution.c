/* test_resolution.c - the resolution of frames is adapted to the time that they take: it settles at a value that fits
 * the budget, and does not oscillate. */
#include "program_under_test.h"

#include "program/viewer/flight/resolution.h"

/** A simulated machine. A frame takes fixed_ms, and whole_ms more at full size. */
typedef struct machine {
    double fixed_ms, whole_ms;
} machine;

static double time_on(const machine *m, const resolution *r)
{
    return m->fixed_ms + m->whole_ms * resolution_share(r) * resolution_share(r);
}

/** Fly n frames. Returns how often the share of the full size changed. */
static int fly(resolution *r, const machine *m, int n)
{
    int changes = 0;
    for (int frame = 0; frame < n; frame++)
        /* one frame in twelve takes four times as long, as if the process had been interrupted */
        changes += resolution_note(r, time_on(m, r) * (frame % 12 == 5 ? 4.0 : 1.0));
    return changes;
}

static void test_settles(void **state)
{
    (void)state;
    for (double whole_ms = 5.0; whole_ms < 3000.0; whole_ms *= 1.13)
        for (double fixed_ms = 0.0; fixed_ms <= 60.0; fixed_ms += 20.0) {
            const machine m = {fixed_ms, whole_ms};
            resolution r = resolution_following(70.0, true);
            fly(&r, &m, 2000);
            const double settled_ms = time_on(&m, &r);
            if (settled_ms > 77.0 && resolution_share(&r) > 0.21)
                fail_msg("%g + %g ms: %g ms at %g", fixed_ms, whole_ms, settled_ms, resolution_share(&r));
            assert_int_equal(fly(&r, &m, 2000), 0); /* the size stays */
        }
}

static void test_full_size_on_a_fast_machine(void **state)
{
    (void)state;
    const machine fast = {1.0, 8.0};
    resolution r = resolution_following(14.0, true);
    assert_true(resolution_share(&r) < 1.0);
    fly(&r, &fast, 2000);
    assert_float_equal(resolution_share(&r), 1.0, 0.0);
}

/** If the CPU draws, the first frames are already small: a machine that takes 700 ms for a frame of full size begins
 * with at least 12 frames per second. Then the share follows the time of the frames. */
static void test_begins_low_and_follows(void **state)
{
    (void)state;
    const machine usual = {12.0, 700.0}, idle = {12.0, 200.0}, busy = {40.0, 1500.0};
    resolution r = resolution_following(70.0, true);
    assert_true(time_on(&usual, &r) < 1000.0 / 12.0);
    const double first = resolution_share(&r);
    fly(&r, &idle, 600);
    assert_true(resolution_share(&r) > first);
    fly(&r, &busy, RESOLUTION_WINDOW);
    assert_true(resolution_share(&r) < first);
}

static void test_falls_at_once(void **state)
{
    (void)state;
    const machine slow = {5.0, 400.0};
    resolution r = resolution_following(70.0, false);
    assert_float_equal(resolution_share(&r), 1.0, 0.0);
    assert_int_equal(fly(&r, &slow, RESOLUTION_WINDOW), 1);
    assert_true(time_on(&slow, &r) < 80.0);
}

/** If the view becomes expensive again and again, the share waits longer each time before it rises. */
static void test_waits_longer(void **state)
{
    (void)state;
    const machine cheap = {2.0, 100.0}, expensive = {2.0, 220.0};
    resolution r = resolution_following(70.0, false);
    int early = 0, late = 0;
    for (int n = 0; n < 20; n++) {
        const int changes = fly(&r, n % 2 ? &expensive : &cheap, 120);
        early += n < 6 ? changes : 0;
        late += n >= 14 ? changes : 0;
    }
    assert_true(early > late);
    assert_true(late <= 2);
}

static void test_fixed(void **state)
{
    (void)state;
    resolution r = resolution_fixed(50.0);
    for (int n = 0; n < 100; n++)
        assert_false(resolution_note(&r, 1e4));
    assert_int_equal(resolution_pixels(&r, 1280), 640);
    assert_int_equal(resolution_pixels(&r, 1), 1);
    r = resolution_fixed(1.0);
    assert_int_equal(resolution_pixels(&r, 7), 1);
}

static void test_no_times(void **state)
{
    (void)state;
    resolution r = resolution_following(14.0, false);
    for (int n = 0; n < 100; n++)
        assert_false(resolution_note(&r, 0.0)); /* 0: the GPU has not returned a time yet */
    assert_float_equal(resolution_share(&r), 1.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_settles),
                                       cmocka_unit_test(test_full_size_on_a_fast_machine),
                                       cmocka_unit_test(test_begins_low_and_follows),
                                       cmocka_unit_test(test_falls_at_once),
                                       cmocka_unit_test(test_waits_longer),
                                       cmocka_unit_test(test_fixed),
                                       cmocka_unit_test(test_no_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
