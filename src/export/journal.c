/* journal.c - reading, checking and writing journals. */
#include "export/journal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export/job.h"

static const uint64_t CHUNK_BYTES = 64000000; /* a little less than two of the strips that GPUs make */

/** Whether the part's bytes from `begun` to `end` have a checksum; they are added to `whole`. */
static bool is_sound(const output_file *out, uint64_t begun, uint64_t end, const char *expected, checksum *chunk, checksum *whole)
{
    enum { BYTES = 1 << 20 };
    unsigned char *bytes = malloc(BYTES);
    char got[CHECKSUM_TEXT];
    bool is_read = bytes != NULL;
    checksum_reset(chunk);
    for (uint64_t at = begun; at < end && is_read;) {
        const size_t wanted = end - at < BYTES ? (size_t)(end - at) : BYTES;
        const ssize_t n = pread(out->descriptor, bytes, wanted, (off_t)at);
        is_read = n > 0;
        if (is_read) {
            checksum_add(chunk, bytes, (size_t)n);
            if (whole)
                checksum_add(whole, bytes, (size_t)n);
            at += (uint64_t)n;
        }
    }
    free(bytes);
    checksum_text(chunk, got);
    return is_read && strcmp(got, expected) == 0;
}

/** Check line after line; *sound becomes the part's bytes that are sound, *kept the journal's. */
static void check_chunks(journal *j, FILE *old, const output_file *out, file_facts *facts, uint64_t *sound, long *kept)
{
    char line[256], sum[CHECKSUM_TEXT];
    checksum *whole = checksum_create();
    *sound = 0;
    *kept = ftell(old);
    while (fgets(line, sizeof line, old) && strchr(line, '\n')) {
        uint64_t end;
        file_facts chunk;
        if (sscanf(line, "%" SCNu64 " %23s %f %f %" SCNu64, &end, sum, &chunk.min_m, &chunk.max_m, &chunk.n_clamped) != 5 ||
            end <= *sound || end > out->written)
            break;
        if (whole && out->sums[0])
            checksum_copy(whole, out->sums[0]);
        if (!is_sound(out, *sound, end, sum, j->chunk, whole))
            break;
        if (whole && out->sums[0])
            checksum_copy(out->sums[0], whole);
        file_facts_add(facts, &chunk);
        *sound = end;
        *kept = ftell(old);
    }
    checksum_destroy(whole);
}

/** Read the journal that is there: whether it is this job's, the part's sound bytes and the journal's length. */
static bool read_old(journal *j, const char *job, const output_file *out, file_facts *facts, uint64_t *sound, long *kept)
{
    char line[1088];
    FILE *old = fopen(j->path, "r");
    *sound = 0;
    *kept = 0;
    if (!old)
        return false;
    bool is_ours = fgets(line, sizeof line, old) != NULL;
    line[is_ours ? strcspn(line, "\n") : 0] = '\0';
    is_ours = is_ours && strcmp(line, job) == 0;
    if (is_ours)
        check_chunks(j, old, out, facts, sound, kept);
    fclose(old);
    return is_ours;
}

outcome journal_open(journal *j, const export_file *file, bool may_replace, output_file *out, file_facts *facts)
{
    char job[1024];
    uint64_t sound;
    long kept;
    *j = (journal){.chunk = checksum_create(), .facts = file_facts_none()};
    *facts = file_facts_none();
    if (!j->chunk)
        return outcome_of(OUTCOME_FAILED, "no memory for a checksum");
    snprintf(j->path, sizeof j->path, "%s.sums", out->temporary);
    export_file_describe(file, job);
    if (!read_old(j, job, out, facts, &sound, &kept) && out->written > 0 && !may_replace)
        return outcome_of(OUTCOME_FILE, "'%s' is not a part of this job; --force replaces it", out->temporary);
    checksum_reset(j->chunk);
    j->begun = sound;
    out->sums[1] = j->chunk;
    const outcome o = output_file_truncate(out, sound);
    if (o.kind != OUTCOME_DONE)
        return o;
    j->file = fopen(j->path, kept > 0 ? "r+" : "w");
    if (!j->file || (kept > 0 && (ftruncate(fileno(j->file), kept) != 0 || fseek(j->file, kept, SEEK_SET) != 0)) ||
        (kept == 0 && fprintf(j->file, "%s\n", job) < 0) || fflush(j->file) != 0)
        return outcome_of_file("write", j->path);
    return outcome_done();
}

outcome journal_add(journal *j, const output_file *out, const file_facts *samples, bool is_row_end)
{
    char sum[CHECKSUM_TEXT];
    file_facts_add(&j->facts, samples);
    if (!is_row_end || out->written - j->begun < CHUNK_BYTES)
        return outcome_done();
    checksum_text(j->chunk, sum);
    fprintf(j->file, "%" PRIu64 " %s %a %a %" PRIu64 "\n", out->written, sum, (double)j->facts.min_m, (double)j->facts.max_m,
            j->facts.n_clamped);
    checksum_reset(j->chunk);
    j->begun = out->written;
    j->facts = file_facts_none();
    return fflush(j->file) == 0 ? outcome_done() : outcome_of_file("write", j->path);
}

void journal_close(journal *j, bool is_complete)
{
    if (j->file)
        fclose(j->file);
    if (j->file && is_complete)
        unlink(j->path);
    checksum_destroy(j->chunk);
    *j = (journal){0};
}
