/* test_sample_spool.c - a spool gives the rows that were added; a part goes on behind its last undamaged strip,
 * whatever byte was changed or cut off; the parts of other exports are kept. */
#include "program_under_test.h"

#include "program/features/part_file.h"
#include "program/features/sample_spool.h"

enum { WIDTH = 3, HEIGHT = 600, STRIPS = 3, ROWS = 256 };
static const char name[] = "a.gpkg.part";

static sample_spool_options options_of(const char *text)
{
    return (sample_spool_options){"a.gpkg", text, WIDTH, HEIGHT, false};
}

static float sample_at(int64_t row, int column)
{
    return (float)row + 0.25f * (float)column;
}

/** Add the strips that are missing, and read all rows. */
static void complete(sample_spool *spool)
{
    const float *found;
    assert_int_equal(sample_spool_strip_rows(spool), ROWS);
    for (int64_t row = sample_spool_rows(spool); row < HEIGHT; row = sample_spool_rows(spool)) {
        float *next = sample_spool_next(spool);
        for (int64_t n = 0; n < ROWS * WIDTH; n++)
            next[n] = sample_at(row + n / WIDTH, (int)(n % WIDTH));
        assert_done(sample_spool_add(spool));
    }
    for (int64_t row = 0; row < HEIGHT; row++)
        for (int back = 0; back < 2; back++) { /* a row, and one before */
            const int64_t at = back && row > 0 ? row - 1 : row;
            assert_done(sample_spool_row(spool, at, &found));
            for (int n = 0; n < WIDTH; n++)
                assert_true(found[n] == sample_at(at, n));
        }
}

static int64_t rows_of_part(const unsigned char *bytes, size_t count)
{
    sample_spool *spool = NULL;
    const sample_spool_options options = options_of("heights");
    if (bytes)
        put_file(name, bytes, count);
    assert_done(sample_spool_open(&options, &spool));
    const int64_t rows = sample_spool_rows(spool);
    complete(spool);
    sample_spool_close(spool, false);
    return rows;
}

static void test_part(void **state)
{
    (void)state;
    size_t count, mended;
    assert_int_equal(rows_of_part(NULL, 0), 0);
    unsigned char *whole = get_file(name, &count);
    const size_t head = (size_t)((unsigned char *)memchr(whole, '\n', count) + 1 - whole);
    const size_t strip = ROWS * WIDTH * sizeof(float) + CHECKSUM_TEXT;
    for (size_t n = head; n < count; n += 97) {
        const size_t sound = (n - head) / strip;
        whole[n] ^= 0x10;
        assert_int_equal(rows_of_part(whole, count), sound * ROWS);
        whole[n] ^= 0x10;
        assert_int_equal(rows_of_part(whole, n), sound * ROWS);
        unsigned char *bytes = get_file(name, &mended);
        assert_int_equal(mended, count);
        assert_memory_equal(bytes, whole, count);
        free(bytes);
    }
    assert_int_equal(rows_of_part(whole, count), HEIGHT);
    free(whole);
}

static void test_others(void **state)
{
    (void)state;
    sample_spool *spool = NULL;
    sample_spool_options other = options_of("other heights");
    assert_int_equal(rows_of_part(NULL, 0), HEIGHT);
    assert_result(sample_spool_open(&other, &spool), RESULT_FILE, "does not belong to this job");
    assert_int_equal(rows_of_part(NULL, 0), HEIGHT);
    other.may_replace = true;
    assert_done(sample_spool_open(&other, &spool));
    assert_int_equal(sample_spool_rows(spool), 0);
    complete(spool);
    sample_spool_close(spool, true);
    assert_int_equal(access(name, F_OK), -1);
}

static void test_temporary(void **state)
{
    (void)state;
    sample_spool *spool = NULL;
    const sample_spool_options options = options_of(NULL);
    assert_done(sample_spool_open(&options, &spool));
    complete(spool);
    assert_int_equal(access(sample_spool_name(spool), F_OK), 0);
    char path[1088];
    snprintf(path, sizeof path, "%s", sample_spool_name(spool));
    sample_spool_close(spool, false);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest with_sums[] = {cmocka_unit_test(test_part), cmocka_unit_test(test_others)};
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_temporary)};
    const int failed = cmocka_run_group_tests(tests, enter_folder, leave_folder);
    if (failed || part_file_check().kind == RESULT_DONE)
        return failed + cmocka_run_group_tests(with_sums, enter_folder, leave_folder);
    fprintf(stderr, "skipped: this build has no checksums\n");
    return 77;
}
