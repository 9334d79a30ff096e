/* output_file.h - a file that appears under its name only when it is complete: written beside it, renamed at the end. */
#ifndef TERRANE_OUTPUT_FILE_H
#define TERRANE_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "outcome.h"

typedef struct output_file {
    char path[1024];
    char temporary[1056]; /* empty for standard output */
    int descriptor;
    uint64_t written; /* bytes */
    uint64_t expected;
} output_file;

/** Open for writing; "-" is standard output.
 *
 *  expected  bytes that will be written, 0 when unknown: a file that cannot fit is refused at once
 *  replace   an existing file may be replaced; without it that is an error
 */
outcome output_file_open(output_file *file, const char *path, uint64_t expected, bool replace);

/** Append bytes. */
outcome output_file_write(output_file *file, const void *bytes, size_t count);

/** Complete the file: it gets its name. The file is closed, also on error. */
outcome output_file_commit(output_file *file);

/** Close and remove what was written. */
void output_file_discard(output_file *file);

/** Write a whole text file; an existing one is replaced. */
outcome output_file_text(const char *path, const char *text);

#endif
