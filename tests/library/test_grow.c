/* test_grow.c - arrays grow at least to twice their size and keep their elements; requests that are too large fail and
 * change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "library/core/grow.h"

static void test_elements_stay(void **state)
{
    enum { COUNT = 1000 };
    int *array = NULL, moves = 0;
    size_t room = 0;
    (void)state;
    for (int n = 0; n < COUNT; n++) {
        const size_t before = room;
        array = ter_grow(array, &room, (size_t)n + 1, sizeof *array);
        assert_non_null(array);
        assert_true(room == before || room >= 2 * before);
        moves += room != before;
        array[n] = n;
    }
    assert_in_range(moves, 1, 10);
    for (int n = 0; n < COUNT; n++)
        assert_int_equal(array[n], n);
    free(array);
}

static void test_large_steps(void **state)
{
    size_t room = 0;
    (void)state;
    char *array = ter_grow(NULL, &room, 0, 1);
    assert_non_null(array); /* also for no elements, because NULL means failure */
    array = ter_grow(array, &room, 100000, 1);
    assert_true(array && room >= 100000);
    free(array);
}

static void test_too_large(void **state)
{
    static const size_t sizes[] = {2, 3, 8, 4096};
    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        /* the bytes of the second number of elements are few modulo 2^64 */
        const size_t counts[] = {PTRDIFF_MAX / sizes[n] + 1, SIZE_MAX / sizes[n] + 2, SIZE_MAX};
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            size_t room = 0;
            assert_null(ter_grow(NULL, &room, counts[k], sizes[n]));
            assert_int_equal(room, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_elements_stay), cmocka_unit_test(test_large_steps),
                                       cmocka_unit_test(test_too_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
