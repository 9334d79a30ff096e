/* folder.h - the folder of a file: its path, a lock on it, and its fsync. */
#ifndef TERRANE_PROGRAM_FILE_FOLDER_H
#define TERRANE_PROGRAM_FILE_FOLDER_H

#include "program/core/result.h"

enum { FOLDER_PATH = 1024 };

/** Path of the folder that contains a file; "." if the path has no folder. */
void folder_of(const char *path, char folder[FOLDER_PATH]);

/** Lock the folder of a file against other processes of terrane while files are renamed. The kernel removes the lock
 * when the process ends, so a killed process leaves no lock. *lock becomes a descriptor for folder_unlock, or -1 if the
 * folder cannot be locked. Errors RESULT_FILE another process has held the lock for ten seconds */
result folder_lock(const char *path, int *lock);
void folder_unlock(int lock);

/** Write the names in the folder of a file to the disk. Errors RESULT_FILE */
result folder_sync(const char *path);

#endif
