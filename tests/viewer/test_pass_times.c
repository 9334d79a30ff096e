/* test_pass_times.c - a GPU time is accepted only if it is at most the time that has passed on the CPU's clock. */
#include "program_under_test.h"

#include "program/render/gpu_timer.h"

static void test_plausible(void **state)
{
    (void)state;
    assert_true(gpu_timer_is_plausible(0, 0.001));
    assert_true(gpu_timer_is_plausible(3900000, 0.004));
    assert_true(gpu_timer_is_plausible(4000000, 0.004));
    assert_false(gpu_timer_is_plausible(4100000, 0.004));
    /* llvmpipe has returned this value: 1553768 ms */
    assert_false(gpu_timer_is_plausible(UINT64_C(1553768000000), 5.0));
    assert_false(gpu_timer_is_plausible(UINT64_MAX, 1e6));
    assert_false(gpu_timer_is_plausible(1000000, -1.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plausible)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
