/* output_file.h - a file that appears under its name only when it is complete: written beside it, renamed at the end. */
#ifndef TERRANE_FILE_OUTPUT_FILE_H
#define TERRANE_FILE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/checksum.h"

typedef struct output_file {
    char path[1024];
    char temporary[1056]; /* empty for standard output */
    int descriptor;
    uint64_t written; /* bytes; where the file ends */
    uint64_t expected;
    bool may_replace;
    bool is_kept;      /* what was written stays, as FILE.part, when the file is discarded */
    checksum *sums[2]; /* of what output_file_write appends; the caller's, NULL for none */
} output_file;

/** Open for writing; "-" is standard output.
 *
 *  expected  bytes that will be written, 0 when unknown: a file that cannot fit is refused at once
 *  replace   an existing file may be replaced; without it that is an error
 */
outcome output_file_open(output_file *file, const char *path, uint64_t expected, bool replace);

/** The same for a regular file whose parts are kept: opens FILE.part, with what it holds, for reading too. `written` is its size.
 *  Errors OUTCOME_FILE also when another process writes it */
outcome output_file_open_kept(output_file *file, const char *path, uint64_t expected, bool replace);

/** Keep the first `bytes` bytes of a kept part, and append from there. */
outcome output_file_truncate(output_file *file, uint64_t bytes);

/** Append bytes. */
outcome output_file_write(output_file *file, const void *bytes, size_t count);

/** Write bytes at a place of a file that can seek. */
outcome output_file_write_at(output_file *file, const void *bytes, size_t count, uint64_t offset);

/** Whether a path is, or would be, a file that can be written at any place: not a pipe, a terminal or standard output. */
bool output_file_can_seek(const char *path);

/** Whether a path names a regular file, or nothing yet. */
bool output_file_is_regular(const char *path);

/** Whether nothing of others is lost when a file is replaced: it is not there, or its first 2 KiB hold a mark of what writes it. */
bool output_file_may_replace(const char *path, const char *mark);

/** The outcome of a file that does not fit. */
outcome output_file_no_space(const char *path, double needed);

/** A size in words: "1.5 GiB". */
void output_file_describe_bytes(double bytes, char text[32]);

/** Check that the folder of a file is there and can be written to. Errors OUTCOME_FILE */
outcome output_file_check_folder(const char *path);

/** Bytes free where a file would be, UINT64_MAX when that cannot be told. */
uint64_t output_file_free_bytes(const char *path);

/** Complete the file: it gets its name, which no other process has taken meanwhile unless files may be replaced. The file is
 *  closed, also on error; a kept one stays open, and locked, until it is discarded. */
outcome output_file_commit(output_file *file);

/** Close, and remove what was written unless it is kept. */
void output_file_discard(output_file *file);

/** Write a whole text file; an existing one is replaced. */
outcome output_file_text(const char *path, const char *text);

#endif
