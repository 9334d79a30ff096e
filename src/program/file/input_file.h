/* input_file.h - files to read that anybody may have put there: only regular ones are opened, and nothing is waited
 * for. */
#ifndef TERRANE_PROGRAM_FILE_INPUT_FILE_H
#define TERRANE_PROGRAM_FILE_INPUT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "program/core/result.h"

/** Open a regular file for reading; *bytes becomes its size, NULL is allowed. Pipes, devices and folders are refused at
 * once. Errors OUTCOME_FILE */
outcome input_file_open(const char *path, FILE **file, uint64_t *bytes);

/** The whole of a text file of at most `most` bytes, with a zero behind it; free it. Errors OUTCOME_FILE */
outcome input_file_text(const char *path, size_t most, char **text);

#endif
