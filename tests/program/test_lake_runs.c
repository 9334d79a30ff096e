/* test_lake_runs.c - each run gets the lake of the area that it belongs to, also where the area is joined by later rows
 * or its number is used again, and rows are read in any order. */
#include "program_under_test.h"

#include "program/features/lake_runs.h"

enum { ROWS = 5 };

/*     columns 0123456789
 *     row 0   00  1  22     area 1 ends here, and is no lake
 *     row 1   00     22     area 1 begins again in the middle:
 *     row 2   0000 11 2
 *     row 3      00000      areas 0 and 1 are joined, area 2 has ended: lake 1
 *     row 4       00        ends: lake 2
 */
static const lake_run rows[ROWS][3] = {
    {{0, 2, 0, 0}, {4, 5, 1, -1}, {7, 9, 2, 2}},
    {{0, 2, 0, 0}, {7, 9, 2, 2}},
    {{0, 4, 0, 0}, {5, 7, 1, 0}, {8, 9, 2, -1 - 1}},
    {{3, 8, 0, 0}},
    {{4, 6, 0, -1 - 2}},
};
static const size_t counts[ROWS] = {3, 2, 3, 1, 1};
static const int32_t lakes[ROWS][3] = {{2, 0, 1}, {2, 1}, {2, 2, 1}, {2}, {2}};

static void test_areas(void **state)
{
    (void)state;
    lake_runs *runs = NULL;
    assert_done(lake_runs_open("a.gpkg", ROWS, &runs));
    for (int row = 0; row < ROWS; row++)
        assert_done(lake_runs_add(runs, rows[row], counts[row]));
    assert_done(lake_runs_resolve(runs, 3));
    for (int n = 0; n < 3 * ROWS; n++) {
        const lake_run *found;
        size_t count;
        const int row = 2 * n % ROWS;
        assert_done(lake_runs_read(runs, row, &found, &count));
        assert_int_equal(count, counts[row]);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(found[k].area, lakes[row][k]);
            assert_int_equal(found[k].start, rows[row][k].start);
            assert_int_equal(found[k].end, rows[row][k].end);
        }
    }
    lake_runs_close(runs);
}

/** Rows without water, and a row at the end of them. */
static void test_empty_rows(void **state)
{
    (void)state;
    const lake_run last = {3, 4, 0, -1 - 7}, *found;
    lake_runs *runs = NULL;
    size_t count = 9;
    assert_done(lake_runs_open("a.gpkg", 3, &runs));
    assert_done(lake_runs_add(runs, &last, 0));
    assert_done(lake_runs_add(runs, &last, 0));
    assert_done(lake_runs_add(runs, &last, 1));
    assert_done(lake_runs_resolve(runs, 1));
    assert_done(lake_runs_read(runs, 1, &found, &count));
    assert_int_equal(count, 0);
    assert_done(lake_runs_read(runs, 2, &found, &count));
    assert_true(count == 1 && found->area == 7);
    lake_runs_close(runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_areas), cmocka_unit_test(test_empty_rows)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
