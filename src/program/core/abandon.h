/* abandon.h - list of temporary files and child processes that must not outlive this process when a signal ends it at
 * once. The signal handler removes the files and kills the child processes. */
#ifndef TERRANE_PROGRAM_CORE_ABANDON_H
#define TERRANE_PROGRAM_CORE_ABANDON_H

#include <stdbool.h>
#include <stdint.h>

/** Add a temporary file to the list. If the list is full or the path is too long, the file is not added. If a signal
 * then ends this process, the file stays until the next run removes it. */
void abandon_file(const char *path);

/** Take a file off the list, because it has got its final name or was removed. */
void abandon_forget_file(const char *path);

/** Add a child process to the list. If the list is full, it is not added, and no signal handler kills it. */
void abandon_program(int64_t program);

/** Take a child process off the list, because it has ended. */
void abandon_forget_program(int64_t program);

/** Between these two calls a group of files is renamed, and abandon_all does nothing. Calls may nest. */
void abandon_block(void);
void abandon_unblock(void);

/** Remove all files and kill all child processes of the list. May be called in a signal handler. Returns false and does
 * nothing between abandon_block and abandon_unblock. */
bool abandon_all(void);

#endif
