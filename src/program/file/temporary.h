/* temporary.h - files under a temporary name: the final name, ".part-", and 13 random letters and digits.
 *
 * They are created exclusively, so that no link is followed and no existing file is opened. The process that writes
 * such a file holds a lock on it, so that other processes can tell it from the remains of a killed process. */
#ifndef TERRANE_PROGRAM_FILE_TEMPORARY_H
#define TERRANE_PROGRAM_FILE_TEMPORARY_H

#include <stdbool.h>

#include "program/core/system.h"

enum { TEMPORARY_PATH = 1088 };

/** Make a temporary name in the folder of `path` that cannot be guessed, followed by `ending`, which may be "". Long
 * names are cut. Returns false with errno if the system gives no random number or the path is too long. */
bool temporary_name(const char *path, const char *ending, char temporary[TEMPORARY_PATH]);

/** Create and lock a temporary file. Returns a descriptor for reading and writing, or -1 with errno. */
int temporary_create(const char *path, const char *ending, char temporary[TEMPORARY_PATH]);

/** Whether this program can have made a file: it is a regular file of this user with a single name. */
bool temporary_is_own(const system_facts *facts);

/** In the folder of a path, remove the temporary files that no running process is writing.
 *
 *  is_wanted  whether to remove temporary files of the final name `name`, which has no folder and may have been cut */
void temporary_clean(const char *path, bool (*is_wanted)(void *user, const char *name), void *user);

/** Remove the temporary files of a path that no running process is writing. */
void temporary_clean_file(const char *path);

#endif
