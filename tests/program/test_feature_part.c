/* test_feature_part.c - an interrupted export of rivers goes on after the last sound square. Whatever damages the part,
 * only lines that were written are read again. Parts of other exports and files of other programs are not changed. */
#include "program_under_test.h"

#include "program/features/feature_part.h"
#include "program/features/part_file.h"

enum { SQUARES = 3, LINES = 2, POINTS = 5, PART_MOST = 4096 };
static const char name[] = "a.gpkg.part";
static const vector_field fields[] = {{"id", VECTOR_ID}, {"kind", VECTOR_TEXT}, {"m", VECTOR_REAL}};
static const feature_part_options options = {"a.gpkg", "world 1", fields, 3, false};

/** Values of line n; each third one has no text. */
static void values_of(int n, vector_value values[3], double points[3 * POINTS])
{
    values[0] = vector_integer(n + 1);
    values[1] = n % 3 == 2 ? (vector_value){.is_set = false} : vector_text(n % 2 ? "river" : "");
    values[2] = vector_real(0.1 * n);
    for (int k = 0; k < 3 * POINTS; k++)
        points[k] = n + k / 16.0;
}

static void write_squares(feature_part *part, int from, int to)
{
    vector_value values[3];
    double points[3 * POINTS];
    for (int square = from; square < to; square++) {
        for (int n = LINES * square; n < LINES * (square + 1); n++) {
            values_of(n, values, points);
            assert_done(feature_part_add(part, points, POINTS, values));
        }
        assert_done(feature_part_end_square(part, square + 1));
    }
}

static result check_line(void *user, const double *points, size_t n_points, const vector_value *values)
{
    int *n = user;
    vector_value expected[3];
    double expected_points[3 * POINTS];
    values_of((*n)++, expected, expected_points);
    assert_int_equal(n_points, POINTS);
    assert_memory_equal(points, expected_points, sizeof expected_points);
    assert_int_equal(values[0].integer, expected[0].integer);
    assert_int_equal(values[1].is_set, expected[1].is_set);
    if (expected[1].is_set)
        assert_string_equal(values[1].text, expected[1].text);
    assert_true(values[2].real == expected[2].real);
    return result_done();
}

/** Check that the part has the lines of so many squares. */
static void check_lines(feature_part *part, int64_t n_squares)
{
    int n = 0;
    assert_done(feature_part_read(part, check_line, &n));
    assert_int_equal(n, LINES * n_squares);
}

static size_t read_part(unsigned char bytes[PART_MOST])
{
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, PART_MOST, file);
    fclose(file);
    assert_in_range(count, 1, PART_MOST - 1);
    return count;
}

static void write_part(const unsigned char *bytes, size_t count)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

/** Make a part of all squares. Returns the number of its bytes. ends: receives the offsets behind its squares */
static size_t make_part(unsigned char bytes[PART_MOST], size_t ends[SQUARES])
{
    feature_part *part = NULL;
    int64_t n_squares;
    remove(name);
    assert_done(feature_part_open(&options, &part, &n_squares));
    assert_int_equal(n_squares, 0);
    for (int n = 0; n < SQUARES; n++) {
        write_squares(part, n, n + 1);
        ends[n] = read_part(bytes);
    }
    check_lines(part, SQUARES);
    feature_part_close(part, false);
    return read_part(bytes);
}

/** Open a part that was damaged, finish it, and check that it is the undamaged part again. */
static int64_t mend(const unsigned char *whole, size_t count)
{
    feature_part *part = NULL;
    int64_t n_squares;
    unsigned char bytes[PART_MOST];
    assert_done(feature_part_open(&options, &part, &n_squares));
    assert_in_range(n_squares, 0, SQUARES);
    check_lines(part, n_squares);
    write_squares(part, (int)n_squares, SQUARES);
    check_lines(part, SQUARES);
    feature_part_close(part, false);
    assert_int_equal(read_part(bytes), count);
    assert_memory_equal(bytes, whole, count);
    return n_squares;
}

static void test_damage(void **state)
{
    (void)state;
    unsigned char whole[PART_MOST], bytes[PART_MOST];
    size_t ends[SQUARES];
    const size_t count = make_part(whole, ends), head = strchr((char *)whole, '\n') + 1 - (char *)whole;
    int64_t sound = 0;
    for (size_t n = head; n < count; n++) {
        memcpy(bytes, whole, count);
        bytes[n] ^= 0x20;
        write_part(bytes, count);
        sound += n == ends[sound];
        assert_int_equal(mend(whole, count), sound);
    }
    assert_int_equal(sound, SQUARES - 1);
}

static void test_cut(void **state)
{
    (void)state;
    unsigned char whole[PART_MOST];
    size_t ends[SQUARES];
    const size_t count = make_part(whole, ends);
    int64_t sound = 0;
    for (size_t n = 0; n <= count; n++) {
        write_part(whole, n);
        sound += sound < SQUARES && n == ends[sound];
        assert_int_equal(mend(whole, count), sound);
    }
    write_part(whole, count);
    FILE *file = fopen(name, "ab");
    assert_non_null(file);
    fputs("L half a record", file);
    fclose(file);
    assert_int_equal(mend(whole, count), SQUARES);
}

static void test_others(void **state)
{
    (void)state;
    unsigned char whole[PART_MOST], bytes[PART_MOST];
    size_t ends[SQUARES];
    const size_t count = make_part(whole, ends);
    feature_part_options other = options;
    feature_part *part = NULL;
    int64_t n_squares;
    other.text = "world 2";
    assert_result(feature_part_open(&other, &part, &n_squares), RESULT_FILE, "does not belong to this job");
    assert_int_equal(read_part(bytes), count);
    assert_memory_equal(bytes, whole, count);
    other.may_replace = true;
    assert_done(feature_part_open(&other, &part, &n_squares));
    assert_int_equal(n_squares, 0);
    check_lines(part, 0);
    assert_result(feature_part_open(&other, &(feature_part *){NULL}, &n_squares), RESULT_FILE, "another process");
    feature_part_close(part, true);
    assert_null(fopen(name, "rb"));
    write_part((const unsigned char *)"mine", 4);
    assert_result(feature_part_open(&other, &part, &n_squares), RESULT_FILE, "it is not terrane's");
    assert_int_equal(read_part(bytes), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_others),
    };
    if (part_file_check().kind != RESULT_DONE) {
        fprintf(stderr, "skipped: this build has no checksums\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
