/* test_path_name.c - where the base and the ending of a path begin. */
#include "program_under_test.h"

#include "file/path_name.h"

static void test_parts(void **state)
{
    static const struct {
        const char *path, *base, *ending;
    } cases[] = {
        {"a.r32", "a.r32", ".r32"},
        {"folder/a.r32", "a.r32", ".r32"},
        {"/a.b/c.d/e.f.png", "e.f.png", ".png"},
        {"folder.d/a", "a", ""}, /* a dot of the folder is no ending */
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

/** Both are places in the path that was given, so that a caller can cut it there. */
static void test_places(void **state)
{
    static const char path[] = "folder.d/name.ending";
    (void)state;
    assert_ptr_equal(path_base(path), path + 9);
    assert_ptr_equal(path_dot(path), path + 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
