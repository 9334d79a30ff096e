/* journal.h - the journal FILE.part.sums of a raw file, with which an interrupted export can be resumed.
 *
 * A raw file is called FILE.part until it is complete. This incomplete file is "the part" below.
 *
 * A journal is a text file. Its first line describes the raw file. Each other line describes a chunk of the raw file:
 * offset of the chunk's end, checksum, least and greatest number, number of clamped samples. Each line ends with the
 * checksum of the journal up to this place, so that every changed byte is noticed. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_JOURNAL_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_JOURNAL_H

#include "program/export/sidecar/sidecar.h"

typedef struct journal {
    char path[TEMPORARY_PATH + 8];
    int descriptor;
    checksum *lines;  /* checksum of the journal's lines */
    checksum *chunk;  /* checksum of the current chunk */
    uint64_t begun;   /* offset of the current chunk in the file */
    file_facts facts; /* facts of the current chunk */
} journal;

/** Open the journal of a kept part, and compare the part's bytes with it, chunk by chunk. At the first damaged chunk,
 * cut this and all later chunks off part and journal. If there is no part, begin both files. Call journal_close also
 * after an error.
 *
 *  may_replace  replace the part of another job
 *  out          the part; out->written becomes the number of kept bytes, which are added to out->sums[0]
 *  facts        becomes the facts of the kept rows
 *  Errors       RESULT_FAILED no memory, or no libxxhash; RESULT_FILE the part or the journal belongs to another job,
 *               program or process; RESULT_USAGE the part is of an earlier world format
 */
result journal_open(journal *journal, const export_file *file, bool may_replace, output_file *out, file_facts *facts);

/** Count written samples. At the end of a row, if the current chunk has enough bytes, write its line and begin the next
 * chunk. */
result journal_add(journal *journal, const output_file *out, const file_facts *samples, bool is_row_end);

/** Close the journal, and remove it if the file is complete. */
void journal_close(journal *journal, bool is_complete);

/** Remove FILE.part and its journal of an earlier run, if terrane made them and no process writes them. Call this only
 * when FILE is complete. */
void journal_clean(const char *path);

#endif
