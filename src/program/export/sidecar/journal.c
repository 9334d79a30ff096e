/* journal.c - reads, checks and writes journals. */
#include "program/export/sidecar/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"
#include "program/export/formats/codec_raw.h"
#include "program/export/formats/export_file.h"

#define MARK "terrane format="                /* beginning of every journal */
static const uint64_t CHUNK_BYTES = 64000000; /* a little less than two strips of 32 MiB, as a GPU makes them */
enum { LINE = EXPORT_FILE_TEXT + 64 };        /* bytes of the longest line, which is the first */

/** The undamaged beginning of an old journal and of its FILE.part. */
typedef struct sound_part {
    uint64_t bytes;   /* undamaged bytes of the part */
    uint64_t journal; /* bytes of the journal's lines that describe these bytes */
    bool is_of_job;   /* the journal's first line is that of this job */
    int format;       /* world format that the first line names */
} sound_part;

/* ---- lines ---- */

/** Check the checksum at the end of a line, and cut it off. *sum is the checksum of the journal before the line; the
 * line is added to it. Returns false if the line's checksum is wrong. */
static bool take_line(char *line, checksum *sum)
{
    char expected[CHECKSUM_TEXT];
    char *space = strrchr(line, ' ');
    if (!space || line[strlen(line) - 1] != '\n')
        return false;
    checksum_add(sum, line, (size_t)(space - line) + 1);
    checksum_text(sum, expected);
    const size_t length = strlen(expected);
    if (strncmp(space + 1, expected, length) != 0 || strcmp(space + 1 + length, "\n") != 0)
        return false;
    checksum_add(sum, space + 1, length + 1);
    *space = '\0';
    return true;
}

/** Write a line and the checksum at its end. */
static result write_line(journal *j, const char *text)
{
    char line[LINE], sum[CHECKSUM_TEXT];
    size_t length = (size_t)snprintf(line, sizeof line - CHECKSUM_TEXT - 1, "%s ", text);
    checksum_add(j->lines, line, length);
    checksum_text(j->lines, sum);
    const int sum_length = snprintf(line + length, sizeof line - length, "%s\n", sum);
    checksum_add(j->lines, line + length, (size_t)sum_length);
    length += (size_t)sum_length;
    for (size_t done = 0; done < length;) {
        const int64_t n = system_write(j->descriptor, line + done, length - done);
        if (n == 0)
            errno = EIO;
        if (n <= 0 && errno != EINTR)
            return result_of_file("write", j->path);
        done += n > 0 ? (size_t)n : 0;
    }
    return result_done();
}

/* ---- reading an old journal ---- */

enum { READ_BYTES = 1 << 20 };

/** The check of FILE.part by the old journal. */
typedef struct checking {
    const export_file *file;
    const output_file *out;
    FILE *old;            /* the old journal */
    checksum *whole;      /* checksum of all chunks so far */
    checksum *lines;      /* checksum of all lines so far */
    unsigned char *bytes; /* buffer of READ_BYTES bytes */
} checking;

/** Whether the part's bytes from `begun` to `end` have the expected checksum. The bytes are added to c->whole. */
static bool is_sound(const checking *c, uint64_t begun, uint64_t end, const char *expected, checksum *chunk)
{
    char got[CHECKSUM_TEXT];
    bool is_read = true;
    checksum_reset(chunk);
    for (uint64_t at = begun; at < end && is_read;) {
        const size_t count = end - at < READ_BYTES ? (size_t)(end - at) : READ_BYTES;
        const int64_t n = system_read_at(c->out->descriptor, c->bytes, count, at);
        is_read = n > 0;
        if (is_read) {
            checksum_add(chunk, c->bytes, (size_t)n);
            checksum_add(c->whole, c->bytes, (size_t)n);
            at += (uint64_t)n;
        }
    }
    checksum_text(chunk, got);
    return is_read && strcmp(got, expected) == 0;
}

/** Whether the least and the greatest number of a chunk are possible. A chunk without numbers is possible only if the
 * layer has samples without numbers. */
static bool are_possible(const export_file *file, const file_facts *facts)
{
    const bool are_none = facts->min_m == INFINITY && facts->max_m == -INFINITY;
    if (are_none)
        return export_layers[file->layer].has_no_data && facts->n_clamped == 0;
    return isfinite(facts->min_m) && isfinite(facts->max_m) && file_facts_has_numbers(facts);
}

/** Whether a line describes a possible chunk: whole rows that have been written, possible numbers, and no more clamped
 * samples than samples. */
static bool is_possible(const checking *c, uint64_t begun, uint64_t end, const file_facts *facts)
{
    const export_file *file = c->file;
    const uint64_t header = codec_raw_offset(file, 0), row = codec_raw_offset(file, 1) - header,
                   begun_rows = begun ? begun : header;
    return end > begun_rows && end <= c->out->written && end <= codec_raw_offset(file, file->height) &&
           (end - header) % row == 0 && are_possible(file, facts) &&
           facts->n_clamped <= (end - begun_rows) / (uint64_t)(file->format->bits / 8);
}

/** Check chunk after chunk, up to the first that is damaged. */
static void check_chunks(journal *j, const checking *c, file_facts *facts, sound_part *sound)
{
    checksum *of_file = c->out->sums[0]; /* NULL: the file needs none */
    char line[LINE], sum[CHECKSUM_TEXT];
    while (fgets(line, sizeof line, c->old)) {
        uint64_t end;
        file_facts chunk;
        checksum_copy(c->lines, j->lines);
        if (!take_line(line, c->lines) ||
            sscanf(line, "%" SCNu64 " %23s %f %f %" SCNu64, &end, sum, &chunk.min_m, &chunk.max_m, &chunk.n_clamped) !=
                5 ||
            !is_possible(c, sound->bytes, end, &chunk))
            break;
        if (of_file)
            checksum_copy(c->whole, of_file);
        if (!is_sound(c, sound->bytes, end, sum, j->chunk))
            break;
        if (of_file)
            checksum_copy(of_file, c->whole);
        checksum_copy(j->lines, c->lines);
        file_facts_add(facts, &chunk);
        sound->bytes = end;
        sound->journal = (uint64_t)ftell(c->old);
    }
}

/** Open the old journal for reading. */
static FILE *open_old(const journal *j)
{
    const int duplicate = system_duplicate(j->descriptor);
    FILE *old = duplicate >= 0 ? fdopen(duplicate, "rb") : NULL;
    if (!old && duplicate >= 0)
        system_close(duplicate);
    return old;
}

/** Read the old journal. Earlier versions wrote journals whose lines have no checksums; no chunk of these is kept. */
static void read_old(journal *j, const checking *c, const char *job, file_facts *facts, sound_part *sound)
{
    char line[LINE];
    if (!fgets(line, sizeof line, c->old))
        line[0] = '\0';
    const size_t length = strlen(job);
    sound->is_of_job = strncmp(line, job, length) == 0 && (line[length] == ' ' || line[length] == '\n');
    const bool is_sound_line = take_line(line, j->lines);
    if (!is_sound_line || sscanf(line, MARK "%9d", &sound->format) != 1)
        sound->format = 0;
    if (sound->is_of_job && is_sound_line) {
        sound->journal = (uint64_t)ftell(c->old);
        check_chunks(j, c, facts, sound);
    }
}

/** Find the undamaged beginning of the old journal and its part. Missing memory is an error, so that the caller does
 * not cut undamaged bytes. */
static result find_sound(journal *j, const export_file *file, const char *job, const output_file *out,
                         file_facts *facts, sound_part *sound)
{
    const checking c = {.file = file,
                        .out = out,
                        .old = open_old(j),
                        .whole = checksum_create(),
                        .lines = checksum_create(),
                        .bytes = malloc(READ_BYTES)};
    const bool is_ready = c.whole && c.lines && c.bytes && c.old;
    *sound = (sound_part){0};
    if (is_ready)
        read_old(j, &c, job, facts, sound);
    if (c.old)
        fclose(c.old);
    free(c.bytes);
    checksum_destroy(c.lines);
    checksum_destroy(c.whole);
    return is_ready ? result_done() : result_of(RESULT_FAILED, "no memory to read '%s'", j->path);
}

/** Whether terrane wrote this journal, for any job. A file that is empty or ends within the mark counts as such a
 * journal, because terrane may have been interrupted while it wrote the mark. */
static bool has_mark(int descriptor)
{
    char begin[sizeof MARK];
    const int64_t n = system_read_at(descriptor, begin, sizeof MARK - 1, 0);
    return n >= 0 && memcmp(begin, MARK, (size_t)n) == 0;
}

/** Open the journal, or create it. An existing file must be one that this program can have made. */
static result open_file(journal *j)
{
    enum { HOW = SYSTEM_READ | SYSTEM_WRITE | SYSTEM_NO_LINK | SYSTEM_NO_WAIT };
    system_facts facts;
    j->descriptor = system_open(j->path, HOW | SYSTEM_CREATE);
    if (j->descriptor < 0 && errno == EEXIST)
        j->descriptor = system_open(j->path, HOW);
    if (j->descriptor < 0 && errno != ELOOP)
        return result_of_file("write", j->path);
    if (j->descriptor >= 0 && !system_lock(j->descriptor) && errno == EWOULDBLOCK)
        return result_of(RESULT_FILE, "'%s' is being written by another process", j->path);
    if (j->descriptor >= 0 && system_facts_of_open(j->descriptor, &facts) && facts.n_names == 0)
        return result_of(RESULT_FILE, "'%s' was completed by another process just now", j->path);
    if (j->descriptor < 0 || !system_facts_of_open(j->descriptor, &facts) || !temporary_is_own(&facts))
        return result_of(RESULT_FILE,
                         "cannot write '%s': expected a regular file of this user, not a link; move it away", j->path);
    if (!has_mark(j->descriptor))
        return result_of(RESULT_FILE, "cannot write '%s': it is not terrane's; move it away", j->path);
    return result_done();
}

/** Cut FILE.part and the journal to their undamaged beginning. If the journal's first line is damaged, missing or of
 * another job, write the first line. */
static result go_on_from(journal *j, const char *job, output_file *out, const sound_part *sound)
{
    checksum_reset(j->chunk);
    j->begun = sound->bytes;
    out->sums[1] = j->chunk;
    result res = output_file_truncate(out, sound->bytes);
    if (res.kind != RESULT_DONE)
        return res;
    if (!system_truncate(j->descriptor, sound->journal))
        return result_of_file("write", j->path);
    if (sound->journal > 0)
        return res;
    checksum_reset(j->lines);
    res = write_line(j, job);
    /* write the first line to the disk before any sample: without it the part would count as another program's */
    if (res.kind == RESULT_DONE && !system_sync(j->descriptor))
        res = result_of_file("write", j->path);
    return res;
}

result journal_open(journal *j, const export_file *file, bool may_replace, output_file *out, file_facts *facts)
{
    char job[EXPORT_FILE_TEXT];
    sound_part sound;
    *j =
        (journal){.descriptor = -1, .lines = checksum_create(), .chunk = checksum_create(), .facts = file_facts_none()};
    *facts = file_facts_none();
    if (!j->lines || !j->chunk)
        return result_of(RESULT_FAILED, "no memory for a checksum");
    snprintf(j->path, sizeof j->path, "%s.sums", out->temporary);
    export_file_describe(file, job);
    result res = open_file(j);
    if (res.kind == RESULT_DONE)
        res = find_sound(j, file, job, out, facts, &sound);
    if (res.kind != RESULT_DONE)
        return res;
    const int expected = ter_basis_format(file->world.basis);
    if (!sound.is_of_job && sound.format > 1 && sound.format < expected && out->written > 0 && !may_replace)
        return export_file_refuse_format(out->temporary, sound.format, expected);
    if (!sound.is_of_job && out->written > 0 && !may_replace)
        return result_of(RESULT_FILE, "'%s' does not belong to this job; --force replaces it", out->temporary);
    return go_on_from(j, job, out, &sound);
}

/* ---- chunks ---- */

result journal_add(journal *j, const output_file *out, const file_facts *samples, bool is_row_end)
{
    char sum[CHECKSUM_TEXT], line[LINE / 2];
    file_facts_add(&j->facts, samples);
    if (!is_row_end || out->written - j->begun < CHUNK_BYTES)
        return result_done();
    checksum_text(j->chunk, sum);
    snprintf(line, sizeof line, "%" PRIu64 " %s %a %a %" PRIu64, out->written, sum, (double)j->facts.min_m,
             (double)j->facts.max_m, j->facts.n_clamped);
    checksum_reset(j->chunk);
    j->begun = out->written;
    j->facts = file_facts_none();
    return write_line(j, line);
}

void journal_close(journal *j, bool is_complete)
{
    if (j->descriptor >= 0)
        system_close(j->descriptor);
    if (j->descriptor >= 0 && is_complete)
        system_remove(j->path);
    checksum_destroy(j->lines);
    checksum_destroy(j->chunk);
    *j = (journal){.descriptor = -1};
}

void journal_clean(const char *path)
{
    char part[TEMPORARY_PATH], sums[TEMPORARY_PATH + 8];
    system_facts facts;
    snprintf(part, sizeof part, "%s.part", path);
    snprintf(sums, sizeof sums, "%s.sums", part);
    const int journal = system_open(sums, SYSTEM_READ | SYSTEM_NO_LINK | SYSTEM_NO_WAIT);
    if (journal < 0)
        return;
    const int old_part = system_open(part, SYSTEM_READ | SYSTEM_NO_LINK | SYSTEM_NO_WAIT);
    const bool is_unused =
        old_part < 0 ? errno == ENOENT
                     : system_facts_of_open(old_part, &facts) && temporary_is_own(&facts) && system_lock(old_part);
    if (is_unused && system_facts_of_open(journal, &facts) && temporary_is_own(&facts) && system_lock(journal) &&
        has_mark(journal)) {
        if (old_part >= 0)
            system_remove(part);
        system_remove(sums);
    }
    if (old_part >= 0)
        system_close(old_part);
    system_close(journal);
}
