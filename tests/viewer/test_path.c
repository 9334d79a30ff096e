/* test_path.c - paths of a flight: valid files are read, invalid ones are refused with their line, points are
 * interpolated, and a written path is read back. */
#include "program_under_test.h"

#include <math.h>

#include "program/viewer/camera/path.h"

static path path_of(const char *text)
{
    path p;
    put_text("path.txt", text);
    assert_done(path_read("path.txt", &p));
    return p;
}

static void test_lines(void **state)
{
    (void)state;
    path p = path_of("# a comment\n\n  0 1 2 3 4 5\n\t1.5 -10.25 20 30 40 -50 # another\r\n2 0 0 1e8 0 -90");
    assert_int_equal(p.count, 3);
    assert_true(p.points[0].time_s == 0 && p.points[0].x == 1 && p.points[0].z == 2 && p.points[0].altitude_m == 3);
    assert_true(p.points[0].heading_deg == 4 && p.points[0].pitch_deg == 5);
    assert_true(p.points[1].time_s == 1.5 && p.points[1].x == -10.25 && p.points[1].pitch_deg == -50);
    assert_true(p.points[2].altitude_m == 1e8 && p.points[2].pitch_deg == -90);
    path_free(&p);
    assert_null(p.points);
}

static void check_refused(const char *text, const char *sentence)
{
    path p;
    put_text("bad.txt", text);
    assert_result(path_read("bad.txt", &p), RESULT_USAGE, sentence);
    assert_null(p.points);
}

static void test_refused(void **state)
{
    (void)state;
    char longest[700];
    path p;
    check_refused("", "'bad.txt' has 0 points, expected at least 2");
    check_refused("0 1 2 3 4 5\n", "has 1 points");
    check_refused("0 1 2 3 4 5\n# so\n1 1 2 3 4\n", "bad.txt:3: expected 'TIME X Z ALTITUDE HEADING PITCH'");
    check_refused("0 1 2 3 4 5 6\n", "bad.txt:1: expected");
    check_refused("0 1 2 3 4 five\n", "bad.txt:1: expected");
    check_refused("0 1 2 3 4 5\n1 1 2 3 4 90.5\n", "bad.txt:2: expected");
    check_refused("0 1 2 3 4 5\n1 1 2 1.01e8 4 5\n", "at most 100000 km high, with a pitch of -90 to 90 degrees");
    check_refused("nan 1 2 3 4 5\n", "bad.txt:1: expected");
    check_refused("0 1e300 2 3 4 5\n", "bad.txt:1: expected");
    check_refused("0 1 2 nan 4 5\n", "bad.txt:1: expected");
    check_refused("0 1 2 inf 4 5\n", "bad.txt:1: expected");
    check_refused("1 1 2 3 4 5\n1 1 2 3 4 5\n", "bad.txt:2: time 1 is not after 1");
    check_refused("1 1 2 3 4 5\n0 1 2 3 4 5\n", "bad.txt:2: time 0 is not after 1");
    memset(longest, ' ', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    check_refused(longest, "bad.txt:1: the line is longer than 511 characters");
    put_file("bad.txt", "0 1 2 3 4 5\n\0\n1 1 2 3 4 5\n", 26);
    assert_result(path_read("bad.txt", &p), RESULT_USAGE, "bad.txt:2: expected");
    assert_result(path_read("absent.txt", &p), RESULT_USAGE, "--path: cannot read 'absent.txt'");
    assert_result(path_read("/dev/zero", &p), RESULT_USAGE, "--path: cannot read '/dev/zero'");
}

/** At its points a path has exactly their values. Before the first point it stays at the first one, and after the last
 * point at the last one. */
static void test_at_points(void **state)
{
    (void)state;
    path_point at;
    path p = path_of("1 10 20 30 350 -8\n2 40 50 60 10 8\n4 0 0 0 20 0\n");
    for (size_t n = 0; n < p.count; n++) {
        path_at(&p, p.points[n].time_s, &at);
        assert_memory_equal(&at, &p.points[n], sizeof at);
    }
    path_at(&p, -5, &at);
    assert_memory_equal(&at, &p.points[0], sizeof at);
    path_at(&p, 50, &at);
    assert_memory_equal(&at, &p.points[2], sizeof at);
    path_free(&p);
}

/** If the points lie on a line, every field is interpolated linearly between them. */
static void test_fields(void **state)
{
    (void)state;
    path_point at;
    path p = path_of("0 0 0 0 0 0\n1 1 -2 3 10 0.5\n2 2 -4 6 20 1\n5 5 -10 15 50 2.5\n");
    for (double t = 0.0; t <= 5.0; t += 0.125) {
        path_at(&p, t, &at);
        assert_true(at.time_s == t);
        assert_true(fabs(at.x - t) < 1e-12);
        assert_true(fabs(at.z + 2 * t) < 1e-12);
        assert_true(fabs(at.altitude_m - 3 * t) < 1e-12);
        assert_true(fabs(at.heading_deg - 10 * t) < 1e-12);
        assert_true(fabs(at.pitch_deg - 0.5 * t) < 1e-12);
    }
    path_free(&p);
}

/** Catmull and Rom's curve between 0 and 1 with slopes of 1/2 has a value that was computed by hand, and no kink at a
 * point. */
static void test_curve(void **state)
{
    (void)state;
    path_point at, before, behind;
    path p = path_of("0 0 0 0 0 0\n1 0 0 0 0 0\n2 1 0 0 0 0\n3 1 0 0 0 0\n");
    path_at(&p, 1.5, &at);
    assert_true(fabs(at.x - 0.5) < 1e-12);
    path_at(&p, 1.25, &at); /* slopes are 1/2: u^3 - 2 u^2 + u, 3 u^2 - 2 u^3 and u^3 - u^2 at u = 1/4 */
    assert_true(fabs(at.x - (0.5 * 9.0 / 64.0 + 10.0 / 64.0 - 0.5 * 3.0 / 64.0)) < 1e-12);
    const double step = 1e-6;
    path_at(&p, 2.0 - step, &before);
    path_at(&p, 2.0 + step, &behind);
    assert_true(fabs((1.0 - before.x) / step - (behind.x - 1.0) / step) < 1e-4);
    path_free(&p);
}

/** From 350 to 10 degrees the heading turns by 20 degrees, through north. */
static void test_short_turn(void **state)
{
    (void)state;
    path_point at;
    camera c = {0};
    path p = path_of("0 0 0 0 350 0\n1 0 0 0 10 0\n");
    path_at(&p, 0.5, &at);
    path_point_place(&at, &c);
    assert_true(fabs(remainder(c.heading_deg, 360.0)) < 1e-9);
    path_free(&p);
}

static void test_written(void **state)
{
    (void)state;
    path p = path_of("0 -1918048.5 2540640.25 900 350 -8\n0.5 1 2 3 10 5\n"), again;
    assert_done(path_write(&p, "written.txt"));
    assert_done(path_read("written.txt", &again));
    assert_int_equal(again.count, p.count);
    assert_memory_equal(again.points, p.points, p.count * sizeof p.points[0]);
    assert_result(path_write(&p, "written.txt"), RESULT_FILE, "exists already");
    path_free(&p);
    path_free(&again);
}

static void test_view(void **state)
{
    (void)state;
    char text[160];
    camera c = {0}, again = {0};
    path_point at;
    camera_place(&c, -1918048, 2540640);
    c.offset_x = 0.5;
    c.altitude_m = 900;
    c.heading_deg = 30;
    c.pitch_deg = -8;
    path_describe_view(&c, text, sizeof text);
    assert_string_equal(text, "-1918047.500,2540640.000,900.000,30.000,-8.000");
    assert_done(path_parse_view(text, &at));
    path_point_place(&at, &again);
    assert_memory_equal(&again, &c, sizeof c);
    assert_done(path_parse_view("1,2,1e8,4,-90", &at));
    path_point_place(&at, &again);
    assert_true(again.altitude_m == 1e8 && again.pitch_deg == -90);
    static const char *const bad[] = {"",
                                      "1,2",
                                      "1,2,3,4,5,6",
                                      "1,2,3,4,90.5",
                                      "a,2,3,4,5",
                                      "nan,2,3,4,5",
                                      "1e16,2,3,4,5",
                                      "1,2,1.01e8,4,5",
                                      "1,2,3,4,-90.5"};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++)
        assert_result(path_parse_view(bad[n], &at), RESULT_USAGE, "expected X,Z,ALTITUDE,HEADING,PITCH");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),     cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_at_points), cmocka_unit_test(test_fields),
                                       cmocka_unit_test(test_curve),     cmocka_unit_test(test_short_turn),
                                       cmocka_unit_test(test_written),   cmocka_unit_test(test_view)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
