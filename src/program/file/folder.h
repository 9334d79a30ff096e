/* folder.h - the folder that a file is in: its name, its lock and its way to the disk. */
#ifndef TERRANE_PROGRAM_FILE_FOLDER_H
#define TERRANE_PROGRAM_FILE_FOLDER_H

#include "program/core/result.h"

enum { FOLDER_PATH = 1024 };

/** The folder a path names a file in; "." for a bare name. */
void folder_of(const char *path, char folder[FOLDER_PATH]);

/** Lock the folder of a file against other processes of terrane, for the moment in which names change. The lock is the
 * kernel's and ends with the process, so none is ever stale. *lock becomes a descriptor for folder_unlock, or -1 on a
 * file system without such locks. Errors OUTCOME_FILE another process has held it for ten seconds */
outcome folder_lock(const char *path, int *lock);
void folder_unlock(int lock);

/** Bring the names in the folder of a file to the disk. Errors OUTCOME_FILE */
outcome folder_sync(const char *path);

#endif
