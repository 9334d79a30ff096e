/* fuzz_journal.c - fuzzes the journal of an unfinished file of eight rows. If the first byte of the input is odd, the
 * target adds right checksums to the lines, because a fuzzer would not find them. Such inputs test the parser of the
 * lines; all others test how wrong checksums are found. */
#include "fuzz_input.h"

#include "program/export/formats/export_file.h"
#include "program/export/sidecar/journal.h"

enum { ROWS = 8, ROW_BYTES = 16, LINES_MAX = 8 };

static export_file file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    file = (export_file){.format = &export_formats[EXPORT_R32], .width = 4, .height = ROWS, .channel = "Y"};
    ter_params_default(&file.world);
    return 0;
}

/** Append a line and the checksum of all bytes up to it, as the program does. Nothing is appended if room is short. */
static void add_line(char *journal, size_t *used, size_t room, const char *line, size_t length, checksum *sum)
{
    char text[CHECKSUM_TEXT];
    if (*used + length + CHECKSUM_TEXT + 4 > room)
        return;
    memcpy(journal + *used, line, length);
    journal[*used + length] = ' ';
    checksum_add(sum, journal + *used, length + 1);
    checksum_text(sum, text);
    const size_t more = (size_t)sprintf(journal + *used + length + 1, "%s\n", text);
    checksum_add(sum, journal + *used + length + 1, more);
    *used += length + 1 + more;
}

/** Write a journal: its first line, which describes the export, and the lines of the input, with right checksums. */
static void put_sound_lines(const uint8_t *bytes, size_t count)
{
    static char journal[1 << 16];
    char job[EXPORT_FILE_TEXT];
    size_t used = 0;
    checksum *sum = checksum_create();
    fuzz_assert(sum);
    export_file_describe(&file, job);
    add_line(journal, &used, sizeof journal, job, strlen(job), sum);
    for (size_t at = 0, n = 0; at < count && n < LINES_MAX; n++) {
        const uint8_t *end = memchr(bytes + at, '\n', count - at);
        const size_t length = end ? (size_t)(end - bytes) - at : count - at;
        add_line(journal, &used, sizeof journal, (const char *)bytes + at, length, sum);
        at += length + 1;
    }
    checksum_destroy(sum);
    fuzz_put("a.r32.part.sums", journal, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static const unsigned char rows[ROWS * ROW_BYTES];
    char path[160];
    output_file out;
    journal journal;
    file_facts facts;
    if (count == 0)
        return 0;
    fuzz_put("a.r32.part", rows, sizeof rows);
    if (bytes[0] % 2)
        put_sound_lines(bytes + 1, count - 1);
    else
        fuzz_put("a.r32.part.sums", bytes + 1, count - 1);
    snprintf(path, sizeof path, "%s", fuzz_path("a.r32"));
    result res = output_file_open_kept(&out, path, sizeof rows, true);
    fuzz_check_result(&res);
    fuzz_assert(res.kind == RESULT_DONE);
    res = journal_open(&journal, &file, bytes[0] & 2, &out, &facts);
    fuzz_check_result(&res);
    if (res.kind == RESULT_DONE) { /* only whole rows are kept, with at most as many clamped samples as samples */
        fuzz_assert(out.written <= sizeof rows && out.written % ROW_BYTES == 0);
        fuzz_assert(facts.n_clamped <= out.written / sizeof(float));
        fuzz_assert(out.written == 0 || facts.min_m <= facts.max_m);
    }
    journal_close(&journal, false);
    out.is_kept = false;
    output_file_discard(&out);
    unlink(fuzz_path("a.r32.part.sums"));
    return 0;
}
