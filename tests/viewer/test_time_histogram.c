/* test_time_histogram.c - quantiles of a histogram are those of the sorted list, to half a percent, and exact at both
 * ends. */
#include "program_under_test.h"

#include <math.h>
#include <stdlib.h>

#include "program/core/time_histogram.h"

enum { COUNT = 20000 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_quantiles(void **state)
{
    static double list[COUNT];
    static time_histogram t;
    uint64_t word = 1;
    (void)state;
    for (int n = 0; n < COUNT; n++) {
        word = word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        list[n] = 0.02 * pow(1e5, (double)(word >> 11) / 9007199254740992.0); /* 20 us to 2 s */
        time_histogram_add(&t, list[n]);
    }
    qsort(list, COUNT, sizeof *list, compare);
    for (double share = 0.01; share < 1.0; share += 0.01) {
        const double exact = list[(size_t)((COUNT - 1) * share)], found = time_histogram_quantile(&t, share);
        if (!(fabs(found / exact - 1.0) < 0.005))
            fail_msg("%g of all times are below %g ms, found %g", share, exact, found);
    }
    assert_true(time_histogram_quantile(&t, 0.0) == list[0]);
    assert_true(time_histogram_quantile(&t, 1.0) == list[COUNT - 1] && t.most_ms == list[COUNT - 1]);
}

static void test_ends(void **state)
{
    static time_histogram t;
    (void)state;
    assert_true(time_histogram_quantile(&t, 0.5) == 0.0);
    time_histogram_add(&t, 7.25);
    assert_true(time_histogram_quantile(&t, 0.5) == 7.25);
    time_histogram_add(&t, 0.0);
    time_histogram_add(&t, 1e12);
    assert_true(time_histogram_quantile(&t, 0.0) == 0.0 && time_histogram_quantile(&t, 1.0) == 1e12);
    assert_true(fabs(time_histogram_quantile(&t, 0.5) / 7.25 - 1.0) < 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quantiles), cmocka_unit_test(test_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
