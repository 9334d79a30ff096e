/* input_file.h - opens for reading files that another user may have made. Only regular files are opened, so that
 * reading never waits for a pipe or a device. */
#ifndef TERRANE_PROGRAM_FILE_INPUT_FILE_H
#define TERRANE_PROGRAM_FILE_INPUT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "program/core/result.h"

/** Open a regular file for reading; the caller closes it. *bytes becomes its size; `bytes` may be NULL. Pipes, devices
 * and folders are refused without waiting. Errors RESULT_FILE; RESULT_FAILED no memory */
result input_file_open(const char *path, FILE **file, uint64_t *bytes);

/** Read a text file of at most `most` bytes and end it with a zero byte. The caller frees *text. Errors RESULT_FILE;
 * RESULT_FAILED no memory */
result input_file_text(const char *path, size_t most, char **text);

#endif
