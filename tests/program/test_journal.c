/* test_journal.c - checksums cover every byte of the journal of an unfinished raw file, and chunks that no export can
 * have written are not accepted. The unfinished file, j.r32.part, is called the part. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "program/export/formats/format.h"
#include "program/export/job/job.h"
#include "program/export/sidecar/journal.h"

enum { WIDTH = 4000, HEIGHT = 12000, ROWS_A_WRITE = 100, TEXT = 4096 };
static const uint64_t ROW = WIDTH * sizeof(float), CHUNK = 64000000, PART = 2 * 64000000 + 1600000;

static export_file make_file(void)
{
    export_file file = {.format = &export_formats[EXPORT_R32], .width = WIDTH, .height = HEIGHT, .channel = "Y"};
    ter_params_default(&file.world);
    return file;
}

/** Open a part and its journal, and close them again. sound: bytes of chunks that were accepted; sum: their checksum */
static result reopen(const export_file *file, bool may_replace, uint64_t *sound, file_facts *facts,
                     char sum[CHECKSUM_TEXT])
{
    output_file out;
    journal j;
    result res = output_file_open_kept(&out, "j.r32", 0, false);
    assert_int_equal(res.kind, RESULT_DONE);
    out.sums[0] = checksum_create();
    res = journal_open(&j, file, may_replace, &out, facts);
    *sound = out.written;
    checksum_text(out.sums[0], sum);
    checksum_destroy(out.sums[0]);
    journal_close(&j, false);
    output_file_discard(&out);
    return res;
}

/** Make a part as an interrupted export leaves it: two chunks and some rows, all zero.
 *
 *  samples  facts about the samples of each write
 */
static void write_part_of(const export_file *file, const file_facts *samples)
{
    static float rows[ROWS_A_WRITE * WIDTH];
    output_file out;
    journal j;
    file_facts facts;
    unlink("j.r32.part");
    unlink("j.r32.part.sums");
    assert_int_equal(output_file_open_kept(&out, "j.r32", 0, false).kind, RESULT_DONE);
    assert_int_equal(journal_open(&j, file, false, &out, &facts).kind, RESULT_DONE);
    while (out.written < PART) {
        assert_int_equal(output_file_write(&out, rows, sizeof rows).kind, RESULT_DONE);
        assert_int_equal(journal_add(&j, &out, samples, true).kind, RESULT_DONE);
    }
    journal_close(&j, false);
    output_file_discard(&out);
}

static void write_part(const export_file *file)
{
    const file_facts samples = {.min_m = -1.5f, .max_m = 2.5f, .n_clamped = 1};
    write_part_of(file, &samples);
}

static size_t read_journal(char text[TEXT])
{
    FILE *file = fopen("j.r32.part.sums", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, TEXT - 1, file);
    fclose(file);
    text[length] = '\0';
    return length;
}

/** Write this text as the journal, and make the part PART bytes long again. */
static void restore(const char *text, size_t length)
{
    FILE *file = fopen("j.r32.part.sums", "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate("j.r32.part", (off_t)PART), 0);
}

static void test_sound_chunks_are_taken(void **state)
{
    uint64_t sound;
    file_facts facts;
    char sum[CHECKSUM_TEXT], expected[CHECKSUM_TEXT];
    const export_file file = make_file();
    (void)state;
    write_part(&file);
    assert_int_equal(reopen(&file, false, &sound, &facts, sum).kind, RESULT_DONE);
    assert_int_equal(sound, 2 * CHUNK);
    assert_true(facts.min_m == -1.5f && facts.max_m == 2.5f);
    assert_int_equal(facts.n_clamped, 2 * CHUNK / ROW / ROWS_A_WRITE);
    assert_int_equal(checksum_of_file("j.r32.part", NULL, NULL, expected).kind, RESULT_DONE);
    assert_string_equal(sum, expected);
}

/** Chunks whose samples are all NaN are accepted if the layer allows it: dry land has no water. */
static void test_chunks_without_numbers(void **state)
{
    uint64_t sound;
    file_facts facts;
    char sum[CHECKSUM_TEXT];
    const file_facts none = file_facts_none();
    (void)state;
    for (int layer = 0; layer < EXPORT_LAYERS; layer++) {
        export_file file = make_file();
        file.layer = (export_layer_id)layer;
        write_part_of(&file, &none);
        assert_int_equal(reopen(&file, false, &sound, &facts, sum).kind, RESULT_DONE);
        assert_int_equal(sound, layer == TER_LAYER_WATER ? 2 * CHUNK : 0);
        assert_false(file_facts_has_numbers(&facts));
    }
}

static void test_every_byte_is_covered(void **state)
{
    char good[TEXT], bad[TEXT], sum[CHECKSUM_TEXT];
    uint64_t sound;
    file_facts facts;
    const export_file file = make_file();
    (void)state;
    write_part(&file);
    const size_t length = read_journal(good);
    const size_t first = strcspn(good, "\n") + 1, second = first + strcspn(good + first, "\n") + 1;
    for (size_t n = 0; n < length; n++) {
        memcpy(bad, good, length);
        bad[n] ^= 1;
        restore(bad, length);
        const result res = reopen(&file, false, &sound, &facts, sum);
        if (n < first && res.kind != RESULT_DONE) /* the journal of another job, or no journal at all */
            assert_int_equal(res.kind, RESULT_FILE);
        else
            assert_int_equal(sound, n < second ? 0 : CHUNK);
    }
    /* without any chunk's line, and without the line of the first chunk */
    restore(good, first);
    reopen(&file, false, &sound, &facts, sum);
    assert_int_equal(sound, 0);
    memcpy(bad, good, first);
    memcpy(bad + first, good + second, length - second);
    restore(bad, first + length - second);
    reopen(&file, false, &sound, &facts, sum);
    assert_int_equal(sound, 0);
    /* the journal ends in the middle of a line */
    restore(good, second + 10);
    reopen(&file, false, &sound, &facts, sum);
    assert_int_equal(sound, CHUNK);
}

/** Make the first line of a journal, with its right checksum, and add it to the checksum of lines. */
static size_t forge_first(const char *job, checksum *lines, char text[TEXT])
{
    char sum[CHECKSUM_TEXT];
    const size_t begun = (size_t)snprintf(text, TEXT, "%s ", job);
    checksum_add(lines, text, begun);
    checksum_text(lines, sum);
    const size_t length = begun + (size_t)snprintf(text + begun, TEXT - begun, "%s\n", sum);
    checksum_add(lines, text + begun, length - begun);
    return length;
}

/** Make a journal of one chunk with given facts and right checksums of its lines. */
static size_t forge(const export_file *file, uint64_t end, const char *chunk_sum, const char *rest, char text[TEXT])
{
    char job[EXPORT_FILE_TEXT], sum[CHECKSUM_TEXT];
    checksum *lines = checksum_create();
    export_file_describe(file, job);
    size_t length = forge_first(job, lines, text);
    const size_t begun = length;
    length += (size_t)snprintf(text + length, TEXT - length, "%" PRIu64 " %s %s ", end, chunk_sum, rest);
    checksum_add(lines, text + begun, length - begun);
    checksum_text(lines, sum);
    length += (size_t)snprintf(text + length, TEXT - length, "%s\n", sum);
    checksum_destroy(lines);
    return length;
}

static void test_impossible_chunks_are_not_taken(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *rest;
        bool is_possible; /* in the layer height */
        bool is_possible_of_water;
    } cases[] = {
        {10 * 16000, "-0x1p+0 0x1p+0 0", true, true},
        {10 * 16000, "-0x1p+0 0x1p+0 40000", true, true}, /* every sample clamped */
        {10 * 16000, "-0x1p+0 0x1p+0 40001", false},
        {10 * 16000 + 4, "-0x1p+0 0x1p+0 0", false}, /* not a row */
        {10 * 16000, "0x1p+0 -0x1p+0 0", false},
        {10 * 16000, "nan 0x1p+0 0", false},
        {10 * 16000, "-0x1p+0 inf 0", false},
        {10 * 16000, "inf -inf 0", false, true}, /* all samples are NaN */
        {10 * 16000, "inf -inf 1", false},
        {10 * 16000, "-inf inf 0", false},
        {0, "-0x1p+0 0x1p+0 0", false},
        {UINT64_C(12001) * 16000, "-0x1p+0 0x1p+0 0", false}, /* a row more than the file has */
    };
    enum { CASES = sizeof cases / sizeof cases[0] };
    unsigned char *zeros = calloc(1, 12001 * 16000);
    checksum *chunk = checksum_create();
    (void)state;
    assert_non_null(zeros);
    for (size_t n = 0; n < 2 * CASES; n++) {
        char text[TEXT], sum[CHECKSUM_TEXT];
        uint64_t sound;
        file_facts facts;
        const size_t k = n % CASES;
        const bool is_water = n >= CASES;
        export_file file = make_file();
        file.layer = is_water ? (export_layer_id)TER_LAYER_WATER : EXPORT_HEIGHT;
        if (k == 0)
            write_part(&file);
        checksum_reset(chunk);
        checksum_add(chunk, zeros, cases[k].bytes);
        checksum_text(chunk, sum);
        restore(text, forge(&file, cases[k].bytes, sum, cases[k].rest, text));
        if (cases[k].bytes > PART)
            assert_int_equal(truncate("j.r32.part", (off_t)cases[k].bytes), 0);
        assert_int_equal(reopen(&file, false, &sound, &facts, sum).kind, RESULT_DONE);
        assert_int_equal(sound, (is_water ? cases[k].is_possible_of_water : cases[k].is_possible) ? cases[k].bytes : 0);
    }
    checksum_destroy(chunk);
    free(zeros);
}

static void test_parts_of_other_jobs_are_left_alone(void **state)
{
    char text[TEXT], sum[CHECKSUM_TEXT];
    uint64_t sound;
    file_facts facts;
    struct stat there;
    export_file file = make_file();
    (void)state;
    write_part(&file);
    const size_t length = read_journal(text);
    file.world.seed++;
    assert_int_equal(reopen(&file, false, &sound, &facts, sum).kind, RESULT_FILE);
    assert_true(stat("j.r32.part", &there) == 0 && (uint64_t)there.st_size == PART);
    assert_int_equal(reopen(&file, true, &sound, &facts, sum).kind, RESULT_DONE); /* it may be replaced */
    assert_int_equal(sound, 0);
    file.world.seed--;
    /* a journal of this job by a version whose lines had no checksums: no chunk is accepted */
    *strrchr(strtok(text, "\n"), ' ') = '\n';
    restore(text, strcspn(text, "\n") + 1);
    assert_int_equal(reopen(&file, false, &sound, &facts, sum).kind, RESULT_DONE);
    assert_int_equal(sound, 0);
    restore("", 0); /* an empty journal */
    assert_int_equal(reopen(&file, false, &sound, &facts, sum).kind, RESULT_FILE);
    (void)length;
}

/** A part of an earlier world format is refused, and is not changed. The sentence names both formats. */
static void test_parts_of_earlier_world_formats(void **state)
{
    char text[TEXT], after[TEXT], job[EXPORT_FILE_TEXT], sum[CHECKSUM_TEXT];
    uint64_t sound;
    file_facts facts;
    struct stat there;
    export_file file = make_file();
    (void)state;
    file.world.basis = TER_BASIS_FLUVIAL;
    write_part(&file);
    export_file_describe(&file, job);
    assert_int_equal(job[strlen("terrane format=")] - '0', ter_basis_format(TER_BASIS_FLUVIAL));
    job[strlen("terrane format=")] = '2';
    checksum *lines = checksum_create();
    const size_t length = forge_first(job, lines, text);
    checksum_destroy(lines);
    restore(text, length);
    const result res = reopen(&file, false, &sound, &facts, sum);
    assert_int_equal(res.kind, RESULT_USAGE);
    assert_non_null(strstr(res.text, "j.r32.part' is of world format 2, expected 3"));
    assert_true(stat("j.r32.part", &there) == 0 && (uint64_t)there.st_size == PART);
    assert_int_equal(read_journal(after), length);
    assert_memory_equal(after, text, length);
    assert_int_equal(reopen(&file, true, &sound, &facts, sum).kind, RESULT_DONE); /* it may be replaced */
    assert_int_equal(sound, 0);
}

static void test_unused_parts_are_removed(void **state)
{
    struct stat there;
    const export_file file = make_file();
    (void)state;
    write_part(&file);
    output_file living;
    assert_int_equal(output_file_open_kept(&living, "j.r32", 0, false).kind, RESULT_DONE);
    journal_clean("j.r32"); /* the part is in use, as if another process wrote it */
    assert_true(stat("j.r32.part", &there) == 0 && stat("j.r32.part.sums", &there) == 0);
    output_file_discard(&living);
    journal_clean("j.r32");
    assert_true(stat("j.r32.part", &there) != 0 && stat("j.r32.part.sums", &there) != 0);
}

int main(void)
{
    char folder[] = "/tmp/terrane-journal-XXXXXX";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_chunks_are_taken),
        cmocka_unit_test(test_chunks_without_numbers),
        cmocka_unit_test(test_every_byte_is_covered),
        cmocka_unit_test(test_impossible_chunks_are_not_taken),
        cmocka_unit_test(test_parts_of_other_jobs_are_left_alone),
        cmocka_unit_test(test_unused_parts_are_removed),
        cmocka_unit_test(test_parts_of_earlier_world_formats),
    };
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink("j.r32.part");
    unlink("j.r32.part.sums");
    rmdir(folder);
    return failed;
}
