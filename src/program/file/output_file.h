/* output_file.h - a file that appears under its name only when it is complete: written beside it under a name of its
 * own, renamed at the end. Nothing that is there already is opened, and nothing is replaced unless it may be. */
#ifndef TERRANE_PROGRAM_FILE_OUTPUT_FILE_H
#define TERRANE_PROGRAM_FILE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "program/file/checksum.h"
#include "program/file/temporary.h"

enum { OUTPUT_FILES_MAX = 4 }; /* that can be committed together */

typedef struct output_file {
    char path[1024];
    char temporary[TEMPORARY_PATH]; /* empty for standard output and devices */
    int descriptor;
    uint64_t written; /* bytes; where the file ends */
    uint64_t expected;
    bool may_replace;
    const char
        *mark; /* without may_replace: a file that holds it in its first 2 KiB may be replaced all the same; or NULL */
    bool is_kept;      /* what was written stays, as FILE.part, when the file is discarded */
    bool is_durable;   /* once it is committed, the file and its name outlast a loss of power */
    checksum *sums[2]; /* of what output_file_write appends; the caller's, NULL for none */
} output_file;

/** Open for writing; "-" is standard output.
 *
 *  expected  bytes that will be written, 0 when unknown: a file that cannot fit is refused at once
 *  replace   an existing file may be replaced; without it that is an error
 */
outcome output_file_open(output_file *file, const char *path, uint64_t expected, bool replace);

/** The same for a file whose name follows from another's, as that of a sidecar or a tile: it is never a device or a
 * pipe that is written in place. A link gives way to the file, and is not followed. Errors OUTCOME_FILE; see
 * output_file_check_kind */
outcome output_file_open_beside(output_file *file, const char *path, uint64_t expected, bool replace);

/** Check that a name is free for such a file, or a regular file's or a link's. Errors OUTCOME_FILE a folder, a pipe, a
 * socket, a device */
outcome output_file_check_kind(const char *path);

/** The same for a file that another program writes: `temporary` is created empty, with the path's ending, under a name
 * that cannot be guessed, and may be overwritten in place through its name or descriptor. Errors OUTCOME_FILE */
outcome output_file_open_for_program(output_file *file, const char *path, bool replace);

/** The same for a regular file whose parts are kept: opens FILE.part, with what it holds, for reading too. `written` is
 * its size. Errors OUTCOME_FILE also when another process writes it */
outcome output_file_open_kept(output_file *file, const char *path, uint64_t expected, bool replace);

/** Keep the first `bytes` bytes of a kept part, and append from there. */
outcome output_file_truncate(output_file *file, uint64_t bytes);

/** Append bytes. */
outcome output_file_write(output_file *file, const void *bytes, size_t count);

/** Write bytes at a place of a file that can seek. */
outcome output_file_write_at(output_file *file, const void *bytes, size_t count, uint64_t offset);

/** Whether a path is, or would be, a file that can be written at any place: not a pipe, a terminal or standard output.
 */
bool output_file_can_seek(const char *path);

/** Whether a path names a regular file, or nothing yet. */
bool output_file_is_regular(const char *path);

/** Whether nothing of others is lost when a file is replaced: it is not there, or it is a regular file whose first 2
 * KiB hold a mark of what writes it. */
bool output_file_may_replace(const char *path, const char *mark);

/** The outcome of a file that does not fit. */
outcome output_file_no_space(const char *path, double needed);

/** A size in words: "1.5 GiB". */
void output_file_describe_bytes(double bytes, char text[32]);

/** Check that the folder of a file is there and can be written to. Errors OUTCOME_FILE */
outcome output_file_check_folder(const char *path);

/** Bytes free where a file would be, UINT64_MAX when that cannot be told. */
uint64_t output_file_free_bytes(const char *path);

/** The outcome of a file that is there and must not be replaced. */
outcome output_file_exists_already(const char *path);

/** Close, and remove what was written unless it is kept. */
void output_file_discard(output_file *file);

#endif
