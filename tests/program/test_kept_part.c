/* test_kept_part.c - an interrupted raw file is continued after its last sound chunk. Whatever damages the unfinished
 * file, called the part, or its journal, only rows that were written are kept. Files of other jobs are not changed. */
#include "program_under_test.h"

#include <fcntl.h>
#include <sys/file.h>

#include "program/export/formats/format.h"
#include "program/export/sidecar/journal.h"
#include "program/file/commit.h"

/* A row is 1 MiB. A chunk of 64 MB ends with the 62nd row, so that the file has two chunks and three more rows. */
enum { WIDTH = 1 << 18, CHUNK = 62, ROWS = 2 * CHUNK + 3, ROW_BYTES = WIDTH * 4 };
static const char part[] = "a.r32.part", sums[] = "a.r32.part.sums";

static export_file file_of(uint64_t seed)
{
    export_file file = {.format = &export_formats[EXPORT_R32], .width = WIDTH, .height = ROWS, .channel = "Y"};
    ter_params_default(&file.world);
    file.world.seed = seed;
    return file;
}

/* ---- requests for memory that fail: the linker replaces malloc in the program's code by __wrap_malloc ---- */

static int requests_left = -1; /* calls before the one that fails; negative: none fails */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return requests_left >= 0 && requests_left-- == 0 ? NULL : __real_malloc(size);
}

/* ---- runs ---- */

/** A run of the export: its file, its journal, and the facts about rows that an earlier run has left. */
typedef struct run {
    output_file out;
    journal journal;
    file_facts facts;
} run;

static result begin_run(run *r, const export_file *file, bool may_replace)
{
    result res = output_file_open_kept(&r->out, "a.r32", (uint64_t)ROWS * ROW_BYTES, true);
    if (res.kind != RESULT_DONE)
        return res;
    r->out.sums[0] = checksum_create();
    res = journal_open(&r->journal, file, may_replace, &r->out, &r->facts);
    if (res.kind != RESULT_DONE) {
        journal_close(&r->journal, false);
        output_file_discard(&r->out);
        checksum_destroy(r->out.sums[0]);
    }
    return res;
}

static void end_run(run *r, bool is_complete)
{
    journal_close(&r->journal, is_complete);
    r->out.sums[1] = NULL;
    if (is_complete)
        assert_done(output_file_commit(&r->out));
    output_file_discard(&r->out);
    checksum_destroy(r->out.sums[0]);
}

/** The samples of a row. No two rows have the same samples. */
static const uint32_t *row_samples(int row)
{
    static uint32_t samples[WIDTH + ROWS];
    for (uint32_t n = 0; samples[WIDTH + ROWS - 1] == 0 && n < WIDTH + ROWS; n++)
        samples[n] = (n + 1) * 2654435761U;
    return samples + row;
}

static void write_rows(run *r, int from, int to)
{
    for (int row = from; row < to; row++) {
        const file_facts facts = {.min_m = (float)-row, .max_m = (float)row + 0.5F, .n_clamped = 1};
        assert_done(output_file_write(&r->out, row_samples(row), ROW_BYTES));
        assert_done(journal_add(&r->journal, &r->out, &facts, true));
    }
}

/** Begin or continue the export, write all remaining rows, and end as if interrupted. */
static void interrupt_run(void)
{
    run r;
    const export_file file = file_of(1);
    assert_done(begin_run(&r, &file, true));
    write_rows(&r, (int)(r.out.written / ROW_BYTES), ROWS);
    end_run(&r, false);
}

/** The checksum of the first `rows` rows. */
static void checksum_of_rows(int rows, char text[CHECKSUM_TEXT])
{
    static char known[ROWS + 1][CHECKSUM_TEXT];
    if (!*known[rows]) {
        checksum *sum = checksum_create();
        for (int row = 0; row < rows; row++)
            checksum_add(sum, row_samples(row), ROW_BYTES);
        checksum_text(sum, known[rows]);
        checksum_destroy(sum);
    }
    strcpy(text, known[rows]);
}

/** Continue the export, and check that exactly the first `rows` rows have been kept, with all facts about them. */
static void expect_rows(int rows)
{
    run r;
    char got[CHECKSUM_TEXT], expected[CHECKSUM_TEXT];
    const export_file file = file_of(1);
    assert_done(begin_run(&r, &file, false));
    assert_int_equal(r.out.written, (uint64_t)rows * ROW_BYTES);
    if (rows > 0)
        assert_true(r.facts.min_m == (float)(1 - rows) && r.facts.max_m == (float)rows - 0.5F);
    assert_int_equal(r.facts.n_clamped, rows);
    checksum_text(r.out.sums[0], got);
    checksum_of_rows(rows, expected);
    assert_string_equal(got, expected);
    end_run(&r, false);
}

static int remove_all(void **state)
{
    (void)state;
    return system("rm -rf -- ./*");
}

static void flip_byte(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    const int byte = fgetc(file);
    assert_true(byte >= 0 && fseek(file, at, SEEK_SET) == 0 && fputc(byte ^ 1, file) >= 0 && fclose(file) == 0);
}

/* ---- continuation ---- */

static void test_whole_run(void **state)
{
    (void)state;
    run r;
    const export_file file = file_of(1);
    expect_rows(0);
    interrupt_run();
    expect_rows(2 * CHUNK);
    expect_rows(2 * CHUNK); /* the part has been cut to its sound chunks, and can be continued again */
    assert_done(begin_run(&r, &file, false));
    write_rows(&r, 2 * CHUNK, ROWS);
    char got[CHECKSUM_TEXT], expected[CHECKSUM_TEXT];
    checksum_text(r.out.sums[0], got);
    checksum_of_rows(ROWS, expected);
    assert_string_equal(got, expected);
    end_run(&r, true);
    assert_int_not_equal(access(sums, F_OK), 0);
    assert_int_not_equal(access(part, F_OK), 0);
    struct stat facts;
    assert_int_equal(stat("a.r32", &facts), 0);
    assert_int_equal(facts.st_size, (int64_t)ROWS * ROW_BYTES);
}

/** A chunk ends only at the end of a row. */
static void test_parts_of_rows(void **state)
{
    (void)state;
    run r;
    const export_file file = file_of(1);
    const file_facts facts = {.min_m = 1.0F, .max_m = 2.0F};
    assert_done(begin_run(&r, &file, false));
    for (int row = 0; row < CHUNK + 2; row++) {
        assert_done(output_file_write(&r.out, row_samples(row), ROW_BYTES));
        assert_done(journal_add(&r.journal, &r.out, &facts, row == CHUNK + 1));
    }
    end_run(&r, false);
    assert_done(begin_run(&r, &file, false));
    assert_int_equal(r.out.written, (uint64_t)(CHUNK + 2) * ROW_BYTES);
    end_run(&r, false);
}

/* ---- damage ---- */

static void test_damaged_part(void **state)
{
    (void)state;
    interrupt_run();
    flip_byte(part, (long)CHUNK * ROW_BYTES); /* the first byte of the second chunk */
    expect_rows(CHUNK);
    interrupt_run();
    flip_byte(part, (long)CHUNK * ROW_BYTES - 1); /* the last byte of the first chunk */
    expect_rows(0);
    interrupt_run();
    assert_int_equal(truncate(part, (off_t)2 * CHUNK * ROW_BYTES - 1), 0);
    expect_rows(CHUNK);
}

/** A run without memory fails, and the sound chunks stay for the next run. */
static void test_no_memory(void **state)
{
    (void)state;
    enum { MOST = 100 };
    const export_file file = file_of(1);
    int n = 0;
    interrupt_run();
    for (bool has_failed = true; has_failed && n < MOST; n++) {
        run r = {0};
        assert_done(output_file_open_kept(&r.out, "a.r32", (uint64_t)ROWS * ROW_BYTES, true));
        requests_left = n;
        const result res = journal_open(&r.journal, &file, false, &r.out, &r.facts);
        has_failed = requests_left < 0;
        requests_left = -1;
        if (has_failed)
            assert_result(res, RESULT_FAILED, "no memory");
        else
            assert_done(res);
        journal_close(&r.journal, false);
        output_file_discard(&r.out);
        expect_rows(2 * CHUNK);
    }
    assert_in_range(n, 5, MOST - 1);
}

/* ---- files of other jobs and processes ---- */

static void test_another_job(void **state)
{
    (void)state;
    run r;
    const export_file other = file_of(2);
    interrupt_run();
    assert_result(begin_run(&r, &other, false), RESULT_FILE, "--force");
    expect_rows(2 * CHUNK); /* nothing has changed */
    assert_done(begin_run(&r, &other, true));
    assert_int_equal(r.out.written, 0);
    end_run(&r, false);
}

static void test_locked(void **state)
{
    (void)state;
    run first, second;
    const export_file file = file_of(1);
    assert_done(begin_run(&first, &file, false));
    assert_result(begin_run(&second, &file, true), RESULT_FILE, "another process");
    end_run(&first, false);
}

/** Nothing is written through a link, into a foreign file or into a pipe, even if files may be replaced. */
static void test_planted(void **state)
{
    (void)state;
    run r;
    size_t count;
    const export_file file = file_of(1);
    static const char victims[] = "terrane format=1 somebody's"; /* it begins like a journal */
    put_text("victim", victims);
    assert_int_equal(symlink("victim", sums), 0);
    assert_int_equal(begin_run(&r, &file, true).kind, RESULT_FILE);
    assert_int_equal(unlink(sums), 0);
    assert_int_equal(link("victim", sums), 0);
    assert_int_equal(begin_run(&r, &file, true).kind, RESULT_FILE);
    assert_int_equal(unlink(sums), 0);
    unsigned char *bytes = get_file("victim", &count);
    assert_string_equal((char *)bytes, victims);
    free(bytes);
    put_text(sums, "somebody's");
    assert_result(begin_run(&r, &file, true), RESULT_FILE, "not terrane's");
    assert_int_equal(unlink(sums), 0);
    assert_int_equal(mkfifo(sums, 0600), 0);
    alarm(20);
    assert_int_equal(begin_run(&r, &file, true).kind, RESULT_FILE);
    alarm(0);
}

/** journal_clean removes the part and journal of an earlier run, unless another process uses them or terrane has not
 * written them. */
static void test_clean(void **state)
{
    (void)state;
    interrupt_run();
    const int locked = open(part, O_RDWR);
    assert_int_equal(flock(locked, LOCK_EX), 0);
    journal_clean("a.r32");
    assert_true(access(part, F_OK) == 0 && access(sums, F_OK) == 0);
    close(locked);
    journal_clean("a.r32");
    assert_true(access(part, F_OK) != 0 && access(sums, F_OK) != 0);
    put_text(part, "somebody's");
    put_text(sums, "somebody's");
    journal_clean("a.r32");
    assert_true(access(part, F_OK) == 0 && access(sums, F_OK) == 0);
}

int main(void)
{
    if (!checksum_is_possible()) {
        fprintf(stderr, "skipped: this build has no checksums (libxxhash was missing)\n");
        return TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_whole_run, remove_all),    cmocka_unit_test_setup(test_parts_of_rows, remove_all),
        cmocka_unit_test_setup(test_damaged_part, remove_all), cmocka_unit_test_setup(test_another_job, remove_all),
        cmocka_unit_test_setup(test_locked, remove_all),       cmocka_unit_test_setup(test_planted, remove_all),
        cmocka_unit_test_setup(test_clean, remove_all),        cmocka_unit_test_setup(test_no_memory, remove_all),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
