/* test_options.c - each kind of option accepts the right texts and sets the right value, and refuses other texts with a
 * clear sentence. The parser separates words from options. */
#include "program_under_test.h"

#include <math.h>

#include "program/cli/options.h"

/* ---- values ---- */

static void assert_taken(const option *o, const char *text)
{
    bool is_given = false;
    option marked = *o;
    marked.is_given = &is_given;
    assert_done(option_set(&marked, "--x", text));
    assert_true(is_given);
}

/** Check that a value is refused with a sentence that names the option and the value, and that nothing is set. */
static void assert_refused(const option *o, const char *text, const char *expected)
{
    bool is_given = false;
    option marked = *o;
    marked.is_given = &is_given;
    const result got = option_set(&marked, "--x", text);
    assert_int_equal(got.kind, RESULT_USAGE);
    if (strncmp(got.text, "--x is '", 8) != 0 || !strstr(got.text, expected))
        fail_msg("'%s' is refused with '%s', expected '%s' in it", text, got.text, expected);
    assert_false(is_given);
}

static void test_integers(void **state)
{
    int value = 7;
    const option any = {.name = "x", .kind = OPTION_INTEGER, .target = &value};
    const option limited = {.name = "x", .kind = OPTION_INTEGER, .target = &value, .limits = {1, 24}};
    (void)state;
    assert_taken(&any, "-2147483648");
    assert_int_equal(value, INT32_MIN);
    assert_taken(&any, "2147483647");
    assert_int_equal(value, INT32_MAX);
    assert_taken(&limited, "24");
    assert_int_equal(value, 24);
    static const char *const wrong[] = {"0", "25", "", "x", "3x", "3.5", "1e1", "2147483648", "99999999999999999999"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++)
        assert_refused(&limited, wrong[n], "an integer from 1 to 24");
    assert_refused(&any, "2147483648", "any integer");
    assert_int_equal(value, 24);
}

static void test_unsigned(void **state)
{
    uint64_t value = 7;
    const option o = {.name = "x", .kind = OPTION_UNSIGNED, .target = &value};
    (void)state;
    assert_taken(&o, "18446744073709551615");
    assert_true(value == UINT64_MAX);
    static const char *const wrong[] = {"-1", "18446744073709551616", "", " 1", "+1", "1.5", "0x10"};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++)
        assert_refused(&o, wrong[n], "an integer from 0 to 18446744073709551615");
    assert_true(value == UINT64_MAX);
}

static void test_reals(void **state)
{
    double value = 7;
    const option any = {.name = "x", .kind = OPTION_REAL, .target = &value};
    const option open = {.name = "x", .kind = OPTION_REAL, .target = &value, .limits = {0, 1, true, true}};
    const option closed = {.name = "x", .kind = OPTION_REAL, .target = &value, .limits = {0, 1}};
    const option above = {.name = "x", .kind = OPTION_REAL, .target = &value, .limits = {0, INFINITY, true}};
    (void)state;
    assert_taken(&any, "-1e300");
    assert_true(value == -1e300);
    assert_taken(&closed, "0");
    assert_taken(&closed, "1");
    assert_taken(&open, "0x1p-3");
    assert_true(value == 0.125);
    assert_refused(&open, "0", "a number from 0 (excluded) to 1 (excluded)");
    assert_refused(&open, "1", "a number from 0 (excluded) to 1 (excluded)");
    assert_refused(&closed, "1.0000000000000002", "a number from 0 to 1");
    assert_refused(&above, "0", "a number above 0");
    static const char *const wrong[] = {"nan", "inf", "-inf", "1e999", "", "x", "1,5", "1 "};
    for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; n++)
        assert_refused(&any, wrong[n], "any finite number");
    assert_true(value == 0.125);
}

static void test_choices(void **state)
{
    static const char *const two[] = {"midpoint", "smooth", NULL}, *const three[] = {"auto", "cpu", "cuda", NULL};
    int value = 7;
    const option of_two = {.name = "x", .kind = OPTION_CHOICE, .target = &value, .choices = two};
    const option of_three = {.name = "x", .kind = OPTION_CHOICE, .target = &value, .choices = three};
    (void)state;
    assert_taken(&of_three, "cuda");
    assert_int_equal(value, 2);
    assert_refused(&of_two, "cubic", "midpoint or smooth");
    assert_refused(&of_two, "", "midpoint or smooth");
    assert_refused(&of_three, "CPU", "auto, cpu or cuda");
    assert_refused(&of_three, "cud", "auto, cpu or cuda");
    assert_int_equal(value, 2);
}

static void test_pairs(void **state)
{
    int64_t place[2] = {7, 7}, size[2] = {7, 7};
    int shard[2] = {7, 7}, lods[2] = {7, 7};
    double range[2] = {7, 7}, angles[2] = {7, 7};
    const option place_option = {.name = "x", .kind = OPTION_PLACE, .target = place};
    const option size_option = {.name = "x", .kind = OPTION_SIZE, .target = size};
    const option shard_option = {.name = "x", .kind = OPTION_SHARD, .target = shard};
    const option lods_option = {.name = "x", .kind = OPTION_LODS, .target = lods, .limits = {-4, 24, 0, 0}};
    const option range_option = {.name = "x", .kind = OPTION_RANGE, .target = range};
    const option angles_option = {.name = "x", .kind = OPTION_ANGLES, .target = angles};
    (void)state;
    assert_taken(&place_option, "-70368744177664,70368744177664");
    assert_true(place[0] == -TER_COORDINATE_MAX && place[1] == TER_COORDINATE_MAX);
    static const char *const no_places[] = {
        "5", "5,", ",5", "5,x", "5x7", "5,7,9", "70368744177665,0", "0,-70368744177665", "5.5,1"};
    for (size_t n = 0; n < sizeof no_places / sizeof no_places[0]; n++)
        assert_refused(&place_option, no_places[n], "two integers X,Z");

    assert_taken(&size_option, "1920x1080");
    assert_true(size[0] == 1920 && size[1] == 1080);
    static const char *const no_sizes[] = {
        "1920", "0x5", "5x0", "-1x5", "5,5", "5x5x5", "x5", "5x", "9223372036854775808x1"};
    for (size_t n = 0; n < sizeof no_sizes / sizeof no_sizes[0]; n++)
        assert_refused(&size_option, no_sizes[n], "two integers WxH");

    assert_taken(&shard_option, "3/4");
    assert_true(shard[0] == 3 && shard[1] == 4);
    static const char *const no_shards[] = {"4/4", "-1/4", "0/0", "1", "1/", "1/2/3", "0/2147483648"};
    for (size_t n = 0; n < sizeof no_shards / sizeof no_shards[0]; n++)
        assert_refused(&shard_option, no_shards[n], "two integers I/N");

    assert_taken(&lods_option, "5");
    assert_true(lods[0] == 5 && lods[1] == 5);
    assert_taken(&lods_option, "-4--1");
    assert_true(lods[0] == -4 && lods[1] == -1);
    assert_taken(&lods_option, "-2-24");
    assert_true(lods[0] == -2 && lods[1] == 24);
    assert_taken(&lods_option, "-4..24");
    assert_true(lods[0] == -4 && lods[1] == 24);
    static const char *const no_lods[] = {"",    "-5", "25",  "0-25", "6-0",   "3-",  "a-b", "0-6-7",
                                          "0,6", "-",  "1.5", "0..",  "0...6", "..6", "6..0"};
    for (size_t n = 0; n < sizeof no_lods / sizeof no_lods[0]; n++)
        assert_refused(&lods_option, no_lods[n],
                       "an integer from -4 to 24, or two of them as 0-6 or -4..24, the finer one first");

    assert_taken(&range_option, "-340.5,1200");
    assert_true(range[0] == -340.5 && range[1] == 1200);
    static const char *const no_ranges[] = {"5,5", "6,5", "5", "nan,5", "0,inf", "a,b", "0,1,2", "Auto"};
    for (size_t n = 0; n < sizeof no_ranges / sizeof no_ranges[0]; n++)
        assert_refused(&range_option, no_ranges[n], "two numbers LO,HI");
    assert_true(range[0] == -340.5 && range[1] == 1200);
    assert_taken(&range_option, "auto");
    assert_true(isnan(range[0]) && isnan(range[1]));

    assert_taken(&angles_option, "-360,90");
    assert_true(angles[0] == -360 && angles[1] == 90);
    static const char *const no_angles[] = {"361,0", "0,91", "0,-90.5", "0", "nan,nan"};
    for (size_t n = 0; n < sizeof no_angles / sizeof no_angles[0]; n++)
        assert_refused(&angles_option, no_angles[n], "azimuth");
    assert_true(place[0] == -TER_COORDINATE_MAX && size[0] == 1920 && shard[0] == 3 && angles[0] == -360);
}

/* ---- words ---- */

typedef struct values {
    int levels;
    const char *output;
    bool force;
} values;

enum { WORDS_MAX = 12 };

typedef struct parsed {
    values values;
    const char *words[WORDS_MAX];
    int n_words;
    result result;
} parsed;

/** Parse a NULL-terminated list of words. The options are --levels, -o and --force, in two groups. */
static parsed parse(const char *const *texts)
{
    static values v;
    static const option world[] = {
        {.name = "levels", .argument = "N", .kind = OPTION_INTEGER, .target = &v.levels, .limits = {1, 24}}};
    static const option file[] = {{.name = "o", .argument = "FILE", .kind = OPTION_TEXT, .target = &v.output},
                                  {.name = "force", .kind = OPTION_FLAG, .target = &v.force}};
    static const option_group groups[] = {{"World", world, 1}, {"File", file, 2}};
    char *arguments[WORDS_MAX];
    int count = 0;
    parsed p = {0};
    while (texts[count]) {
        arguments[count] = (char *)(uintptr_t)texts[count];
        count++;
    }
    v = (values){0};
    p.result = options_parse(groups, 2, count, arguments, p.words, &p.n_words);
    p.values = v;
    assert_ptr_equal(option_find(groups, 2, "force"), &file[1]);
    assert_null(option_find(groups, 2, "forc"));
    return p;
}

static void test_words(void **state)
{
    (void)state;
    const parsed p =
        parse((const char *[]){"5,7", "--levels", "9", "-", "-o", "a.r32", "-3,-4", "--force", "-5", "", NULL});
    assert_done(p.result);
    assert_int_equal(p.values.levels, 9);
    assert_string_equal(p.values.output, "a.r32");
    assert_true(p.values.force);
    /* a negative number is a word, and so is a single dash */
    static const char *const words[] = {"5,7", "-", "-3,-4", "-5", ""};
    assert_int_equal(p.n_words, 5);
    for (int n = 0; n < 5; n++)
        assert_string_equal(p.words[n], words[n]);
    const parsed none = parse((const char *[]){NULL});
    assert_done(none.result);
    assert_int_equal(none.n_words, 0);
}

static void test_values_of_words(void **state)
{
    (void)state;
    assert_int_equal(parse((const char *[]){"--levels=9", NULL}).values.levels, 9);
    assert_int_equal(parse((const char *[]){"--levels", "3", "--levels", "4", NULL}).values.levels,
                     4); /* the last value counts */
    assert_string_equal(parse((const char *[]){"-o", "-", NULL}).values.output, "-");
    assert_string_equal(parse((const char *[]){"-o", "--force", NULL}).values.output,
                        "--force"); /* a value may look like an option */
    assert_false(parse((const char *[]){"-o", "--force", NULL}).values.force);
}

static void test_refused_words(void **state)
{
    (void)state;
    assert_result(parse((const char *[]){"--nonsense", NULL}).result, RESULT_USAGE, "unknown option '--nonsense'");
    assert_result(parse((const char *[]){"--nonsense=5", NULL}).result, RESULT_USAGE, "unknown option '--nonsense'");
    assert_result(parse((const char *[]){"-q", NULL}).result, RESULT_USAGE, "unknown option '-q'");
    assert_result(parse((const char *[]){"--o", "a", NULL}).result, RESULT_USAGE, "unknown option '--o'");
    assert_result(parse((const char *[]){"-levels", "9", NULL}).result, RESULT_USAGE, "unknown option '-levels'");
    assert_result(parse((const char *[]){"--levels", NULL}).result, RESULT_USAGE, "--levels needs a value");
    assert_result(parse((const char *[]){"-o", NULL}).result, RESULT_USAGE, "-o needs a value");
    assert_result(parse((const char *[]){"--force=yes", NULL}).result, RESULT_USAGE, "--force takes no value");
    assert_result(parse((const char *[]){"--levels=", NULL}).result, RESULT_USAGE, "--levels is ''");
    assert_result(parse((const char *[]){"--levels", "25", NULL}).result, RESULT_USAGE, "--levels is '25'");
}

/** However long a word is, the sentence about it fits into a result. */
static void test_long_words(void **state)
{
    enum { LENGTH = 100000 };
    char *word = malloc(LENGTH + 1);
    (void)state;
    assert_non_null(word);
    memset(word, 'a', LENGTH);
    word[LENGTH] = '\0';
    memcpy(word, "--", 2);
    assert_result(parse((const char *[]){word, NULL}).result, RESULT_USAGE, "unknown option '--aaa");
    memcpy(word, "--levels=", 9);
    assert_result(parse((const char *[]){word, NULL}).result, RESULT_USAGE, "--levels is 'aaa");
    assert_result(parse((const char *[]){"-o", word, NULL}).result, RESULT_DONE, "");
    free(word);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),        cmocka_unit_test(test_unsigned),      cmocka_unit_test(test_reals),
        cmocka_unit_test(test_choices),         cmocka_unit_test(test_pairs),         cmocka_unit_test(test_words),
        cmocka_unit_test(test_values_of_words), cmocka_unit_test(test_refused_words), cmocka_unit_test(test_long_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
