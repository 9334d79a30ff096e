/* temporary.h - files that have no name of their own yet. NAME.part- and 13 random letters and digits, beside the file
 * they will become: created exclusively, so that no link is followed and no file of others is opened, and locked by the
 * process that writes them, so that what a killed process left can be told from what a living one writes. */
#ifndef TERRANE_PROGRAM_FILE_TEMPORARY_H
#define TERRANE_PROGRAM_FILE_TEMPORARY_H

#include <stdbool.h>
#include <sys/stat.h>

enum { TEMPORARY_PATH = 1088 };

/** A name beside `path` that nobody can guess; a long name is cut so that it fits. `ending` comes behind it, "" for
 * none. Returns false with errno when there is no randomness. */
bool temporary_name(const char *path, const char *ending, char temporary[TEMPORARY_PATH]);

/** Create and lock such a file. Returns its descriptor, for reading and writing, or -1 with errno. */
int temporary_create(const char *path, const char *ending, char temporary[TEMPORARY_PATH]);

/** Whether a file is as this program makes them: a regular file of this user with a single name. */
bool temporary_is_own(const struct stat *facts);

/** Remove, from the folder of a path, temporary files that no living process writes.
 *
 *  is_wanted  whether those of a file are to be removed, by its name without the folder, which may have been cut */
void temporary_clean(const char *path, bool (*is_wanted)(void *user, const char *name), void *user);

#endif
