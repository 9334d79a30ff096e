/* journal.h - how far a raw file has come, so that an interrupted one can go on: FILE.part.sums, a text file whose
 * first line says what is being made and whose other lines are chunks: where it ends, its checksum, its least and
 * greatest height, samples clamped. Each line ends with the checksum of the journal up to there, so that no byte of it
 * can change unseen. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_JOURNAL_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_JOURNAL_H

#include "program/export/sidecar/sidecar.h"

typedef struct journal {
    char path[TEMPORARY_PATH + 8];
    int descriptor;
    checksum *lines;  /* of the journal */
    checksum *chunk;  /* of the chunk being written */
    uint64_t begun;   /* byte where that chunk began */
    file_facts facts; /* of that chunk */
} journal;

/** Open the journal of a kept part, check the chunks it lists against the part's bytes and rows, and cut both to what
 * is sound. With no part both begin anew; a part of another job, or of another program, is replaced only with
 * `may_replace`. `facts` becomes that of the rows that are there, out->written their bytes, and out->sums[0], if any,
 * has them. Close it in any case. Errors OUTCOME_FAILED no memory, or no libxxhash; OUTCOME_FILE */
outcome journal_open(journal *journal, const export_file *file, bool may_replace, output_file *out, file_facts *facts);

/** Count samples that were written; once enough bytes have come together, and a row ends, they become a chunk. */
outcome journal_add(journal *journal, const output_file *out, const file_facts *samples, bool is_row_end);

/** Close; a file that is complete has no more use for its journal. */
void journal_close(journal *journal, bool is_complete);

/** Remove what earlier runs kept of a file that is complete by now: FILE.part and its journal, if they are terrane's
 * and no process writes them. */
void journal_clean(const char *path);

#endif
