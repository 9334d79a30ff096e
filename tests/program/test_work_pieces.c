/* test_work_pieces.c - pieces of work cover a rectangle exactly once, and become smaller if they take long. */
#include "program_under_test.h"

#include <stdlib.h>

#include "program/core/work_pieces.h"

enum { SAMPLES_MAX = 1 << 21 };

/** Take all pieces of a rectangle, as if each had taken slower_s seconds longer. Returns their number. */
static int take_all(work_pieces *p, int64_t width, int64_t height, double slower_s)
{
    unsigned char *count = calloc((size_t)(width * height), 1);
    int n_pieces = 0;
    assert_non_null(count);
    work_pieces_begin(p, width, height);
    for (; work_pieces_next(p); n_pieces++) {
        assert_true(p->piece_width >= 1 && p->piece_rows >= 1 && p->piece_width * p->piece_rows <= SAMPLES_MAX);
        assert_true(p->column >= 0 && p->row >= 0 && p->column + p->piece_width <= width &&
                    p->row + p->piece_rows <= height);
        for (int64_t row = p->row; row < p->row + p->piece_rows; row++)
            for (int64_t column = p->column; column < p->column + p->piece_width; column++)
                assert_int_equal(count[row * width + column]++, 0);
        p->begun_s -= slower_s;
    }
    for (int64_t n = 0; n < width * height; n++)
        assert_int_equal(count[n], 1);
    free(count);
    return n_pieces;
}

static void test_cover(void **state)
{
    static const int64_t sizes[][2] = {{1, 1}, {60000, 1}, {1, 60000}, {60000, 34}, {5003, 301}, {64, 64}};
    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        work_pieces fast = work_pieces_create(SAMPLES_MAX), slow = work_pieces_create(SAMPLES_MAX);
        take_all(&fast, sizes[n][0], sizes[n][1], 0.0);
        take_all(&slow, sizes[n][0], sizes[n][1], 0.3);
    }
}

/** The speed measured in one rectangle sets the size of pieces in the next one. */
static void test_speed(void **state)
{
    (void)state;
    work_pieces p = work_pieces_create(SAMPLES_MAX);
    take_all(&p, 4000, 500, 2.0);
    const int64_t slow = p.samples;
    assert_true(slow < 1 << 14);
    work_pieces_begin(&p, 4000, 500);
    assert_true(work_pieces_next(&p));
    assert_false(work_pieces_is_whole(&p));
    p.begun_s -= 1e-9;
    while (work_pieces_next(&p))
        ;
    assert_true(p.samples > slow);
    work_pieces q = work_pieces_create(100);
    take_all(&q, 1000, 3, 0.0);
    assert_true(q.samples <= 100);
}

/** An interruption waits for the end of a piece, and a sample may take a millisecond. So the first piece is small, and
 * the pieces after a slow one are smaller. */
static void test_patience(void **state)
{
    (void)state;
    work_pieces p = work_pieces_create(SAMPLES_MAX);
    work_pieces_begin(&p, 1024, 1024);
    assert_true(work_pieces_next(&p));
    assert_true(p.piece_width * p.piece_rows <= 1 << 10);
    p.begun_s -= 3.0;
    assert_true(work_pieces_next(&p));
    assert_true(p.piece_width * p.piece_rows <= 1 << 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cover), cmocka_unit_test(test_speed),
                                       cmocka_unit_test(test_patience)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
