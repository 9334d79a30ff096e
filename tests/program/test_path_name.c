/* test_path_name.c - base and ending of a path begin at the right place. */
#include "program_under_test.h"

#include "program/file/path_name.h"

static void test_parts(void **state)
{
    static const struct {
        const char *path, *base, *ending;
    } cases[] = {
        {"a.r32", "a.r32", ".r32"},
        {"folder/a.r32", "a.r32", ".r32"},
        {"/a.b/c.d/e.f.png", "e.f.png", ".png"},
        {"folder.d/a", "a", ""}, /* a dot in the folder's name begins no ending */
        {"../a", "a", ""},
        {"a", "a", ""},
        {"a.", "a.", "."},
        {"folder.d/", "", ""},
        {"", "", ""},
        {"-", "-", ""},
        {"{x}_{y}.tif", "{x}_{y}.tif", ".tif"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        assert_string_equal(path_base(cases[n].path), cases[n].base);
        assert_string_equal(path_dot(cases[n].path), cases[n].ending);
    }
}

/** Both results point into the given path, so that a caller can cut the path there. */
static void test_places(void **state)
{
    static const char path[] = "folder.d/name.ending";
    (void)state;
    assert_ptr_equal(path_base(path), path + 9);
    assert_ptr_equal(path_dot(path), path + 13);
}

/** path_text_length counts the bytes before the first byte that is not part of a character allowed in JSON and XML. */
static void test_texts(void **state)
{
    static const struct {
        const char *name;
        size_t length;
    } cases[] = {
        {"", 0},
        {"a b&<\"'.r32", 11},
        {"\x7f", 1},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x8f\x94", 9},
        {"\xf4\x8f\xbf\xbd", 4},         /* U+10FFFD */
        {"\xf4\x90\x80\x80", 0},         /* beyond U+10FFFF */
        {"\xed\x9f\xbf\xed\xa0\x80", 3}, /* U+D7FF and half of a surrogate pair */
        {"a\xef\xbf\xbe", 1},            /* U+FFFE, U+FFFF */
        {"a\xef\xbf\xbf", 1},
        {"a\xc0\xaf", 1}, /* encoded in too many bytes */
        {"a\xe0\x9f\xbf", 1},
        {"a\xf0\x8f\xbf\xbf", 1},
        {"ab\xe9", 2}, /* Latin-1 */
        {"ab\xe2\x82", 2},
        {"ab\x80", 2},
        {"a\x01", 1},
        {"a\tb", 1},
        {"a\nb", 1},
        {"a\x1f", 1},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        assert_int_equal(path_text_length(cases[n].name), cases[n].length);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_places),
                                       cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
