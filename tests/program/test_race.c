/* test_race.c - races of several levels of detail: which arrays they measure, and what they report. */
#include "program_under_test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/bench/race.h"

enum { SIZE = 16 };

static race_request request_of(ter_basis basis, int finest, int coarsest)
{
    race_request q = {.sizes = {SIZE, 0},
                      .methods = {TER_METHOD_TILED},
                      .backends = {TER_BACKEND_CPU},
                      .n_sizes = 1,
                      .n_methods = 1,
                      .n_backends = 1,
                      .n_worlds = 1,
                      .lods = {finest, coarsest},
                      .run = {.samples = 1, .threads = 1}};
    q.worlds[0].name = "default";
    ter_params_default(&q.worlds[0].params);
    q.worlds[0].params.basis = basis;
    return q;
}

/** Run a race. Returns its table, which the caller frees. */
static char *run(race *race, const race_request *q)
{
    char *text = NULL;
    size_t size = 0;
    FILE *table = open_memstream(&text, &size);
    assert_non_null(table);
    assert_done(race_check_lods(q));
    assert_done(race_run(race, q, table));
    fclose(table);
    assert_done(race_verdict(race));
    return text;
}

/** The array of a row has the level of the row's level of detail. The table shows the level of detail and the time for
 * a sample. */
static void assert_row(const bench_row *row, int lod, int levels, const char *table)
{
    char printed[64];
    assert_int_equal(row->lod, lod);
    assert_int_equal(ter_world_params(row->world)->levels, levels);
    assert_int_equal(row->work.tiles[0].level, levels - lod);
    assert_true(fabs(bench_row_ns_per_sample(row) * SIZE * SIZE / (row->median_ms * 1e6) - 1.0) < 1e-9);
    snprintf(printed, sizeof printed, "cpu     tiled           default         16 %3d ", lod);
    assert_non_null(strstr(table, printed));
    snprintf(printed, sizeof printed, " %.5g ", bench_row_ns_per_sample(row));
    assert_non_null(strstr(table, printed));
}

/** Each level of detail has a row. The batch has one row only. */
static void test_levels_of_arrays(void **state)
{
    static race race;
    race_request q = request_of(TER_BASIS_SMOOTH, -2, 20);
    (void)state;
    q.n_sizes = 2;
    char *table = run(&race, &q);
    assert_int_equal(race.count, 24);
    for (int n = 0; n < 23; n++)
        assert_row(&race.rows[n], n - 2, 20, table);
    assert_int_equal(race.rows[23].size, 0);
    race_destroy(&race);
    free(table);
}

/** A fluvial world gets the levels that a level of detail needs. */
static void test_levels_of_fluvial_worlds(void **state)
{
    static race race;
    const race_request q = request_of(TER_BASIS_FLUVIAL, 20, 22);
    (void)state;
    char *table = run(&race, &q);
    assert_int_equal(race.count, 3);
    for (int n = 0; n < 3; n++)
        assert_row(&race.rows[n], 20 + n, 20 + n, table);
    race_destroy(&race);
    free(table);
}

/** Levels of detail that a world lacks are refused before anything is measured. A race of the batch alone is not
 * refused, because the batch has levels of its own. */
static void test_missing_levels(void **state)
{
    race_request q = request_of(TER_BASIS_SMOOTH, 0, 21);
    (void)state;
    assert_result(race_check_lods(&q), RESULT_USAGE, "--lod goes to 21, expected at most 20");
    q.lods[1] = 20;
    assert_done(race_check_lods(&q));
    q.lods[1] = 21;
    q.sizes[0] = 0;
    assert_done(race_check_lods(&q));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels_of_arrays),
                                       cmocka_unit_test(test_levels_of_fluvial_worlds),
                                       cmocka_unit_test(test_missing_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
