/* test_result.c - the sentence of a result keeps its reason, however long the quoted names are. */
#include "program_under_test.h"

static char name[4000];

static void test_long_names(void **state)
{
    (void)state;
    for (size_t length = 1; length < sizeof name; length += 37) {
        memset(name, 'n', length);
        memcpy(name, "/a'b/", length < 5 ? length : 5);
        name[length] = '\0';
        const result one = result_of(RESULT_FILE, "cannot write '%s': the reason", name);
        assert_non_null(strstr(one.text, "': the reason"));
        assert_non_null(strstr(one.text, "cannot write '/"));
        const result two = result_of(RESULT_FILE, "the file's folder '%s' is not '%s' (--force)", name, name);
        assert_non_null(strstr(two.text, "' (--force)"));
    }
}

/** A sentence that fits is not changed. */
static void test_short_names(void **state)
{
    (void)state;
    char expected[4100];
    memset(name, 'n', 600);
    name[600] = '\0';
    snprintf(expected, sizeof expected, "cannot write '%s': no", name);
    assert_string_equal(result_of(RESULT_FILE, "cannot write '%s': no", name).text, expected);
}

/** A long sentence without quotes is cut at its end. */
static void test_no_quotation(void **state)
{
    (void)state;
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const result res = result_of(RESULT_FAILED, "%s", name);
    assert_int_equal(strlen(res.text), sizeof res.text - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_names), cmocka_unit_test(test_short_names),
                                       cmocka_unit_test(test_no_quotation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
