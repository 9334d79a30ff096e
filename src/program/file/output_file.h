/* output_file.h - a file that gets its name only when it is complete: it is written under a temporary name in the same
 * folder and renamed at the end. A regular file that has the name already is not opened for writing, and is replaced
 * only if the caller allows it. */
#ifndef TERRANE_PROGRAM_FILE_OUTPUT_FILE_H
#define TERRANE_PROGRAM_FILE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "program/file/checksum.h"
#include "program/file/temporary.h"

enum { OUTPUT_FILES_MAX = 4 }; /* files that commit.h can name together */

typedef struct output_file {
    char path[1024];
    char temporary[TEMPORARY_PATH]; /* empty for standard output and devices */
    int descriptor;
    uint64_t written;  /* bytes so far */
    uint64_t expected; /* bytes of the complete file, 0 if not known */
    bool may_replace;  /* an existing file may be replaced */
    const char *mark;  /* a file with this text in its first 2 KiB may be replaced, even without may_replace; or NULL */
    bool is_kept;      /* when the file is discarded, the written bytes stay as FILE.part */
    bool is_durable;   /* after the commit, the file and its name survive a loss of power */
    checksum *sums[2]; /* get the bytes that output_file_write appends; owned by the caller; NULL for none */
} output_file;

/** Open a file for writing; "-" is standard output. Devices and pipes are written in place.
 *
 *  expected  bytes of the complete file, 0 if not known; a file that is larger than the free space is refused
 *  replace   an existing file may be replaced; otherwise an existing file is an error
 *  Errors    RESULT_FILE
 */
result output_file_open(output_file *file, const char *path, uint64_t expected, bool replace);

/** Open a file whose name the program has made from another name, such as a sidecar or a tile. A device or a pipe of
 * that name is refused. A symbolic link of that name is replaced and not followed. Errors RESULT_FILE; see
 * output_file_check_kind */
result output_file_open_beside(output_file *file, const char *path, uint64_t expected, bool replace);

/** Check that a name is that of a regular file or a symbolic link, or is not in use. Errors RESULT_FILE the name is
 * that of a folder, a pipe, a socket or a device */
result output_file_check_kind(const char *path);

/** Open a file that another program will write. `temporary` is created empty, under a name that cannot be guessed and
 * with the ending of the path. The other program may overwrite it by its name or its descriptor. Errors RESULT_FILE */
result output_file_open_for_program(output_file *file, const char *path, bool replace);

/** Open FILE.part, which is kept when the work is interrupted, for reading and writing. Its bytes are kept; `written`
 * becomes its size. Errors RESULT_FILE, also if another process writes FILE.part */
result output_file_open_kept(output_file *file, const char *path, uint64_t expected, bool replace);

/** Cut a kept part to its first `bytes` bytes; the next write is appended to them. */
result output_file_truncate(output_file *file, uint64_t bytes);

/** Append bytes, and add them to the checksums. */
result output_file_write(output_file *file, const void *bytes, size_t count);

/** Write bytes at an offset of a file that can seek. The checksums do not change. */
result output_file_write_at(output_file *file, const void *bytes, size_t count, uint64_t offset);

/** Read bytes of a file that is not a pipe. Errors RESULT_FILE, also if the file ends before */
result output_file_read_at(const output_file *file, void *bytes, size_t count, uint64_t offset);

/** Whether a file can be written at any offset. Pipes, terminals and standard output cannot. */
bool output_file_can_seek(const char *path);

/** Whether a path names a regular file or is not in use yet. */
bool output_file_is_regular(const char *path);

/** Whether a file may be replaced because terrane wrote it: it is a regular file with `mark` in its first 2 KiB, or it
 * does not exist. */
bool output_file_may_replace(const char *path, const char *mark);

/** The result for a file that is larger than the free space, with the number of bytes it needs. */
result output_file_no_space(const char *path, double needed);

/** Write a size as text: "1.5 GiB". */
void output_file_describe_bytes(double bytes, char text[32]);

/** Check that the folder of a file exists and can be written to. Errors RESULT_FILE */
result output_file_check_folder(const char *path);

/** Free bytes of the file system that a path is on; UINT64_MAX if not known. */
uint64_t output_file_free_bytes(const char *path);

/** The result for a file that exists and must not be replaced. */
result output_file_exists_already(const char *path);

/** Close the file, and remove the written bytes unless they are kept. */
void output_file_discard(output_file *file);

#endif
