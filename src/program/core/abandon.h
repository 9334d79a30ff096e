/* abandon.h - what must not outlive the process when it ends at once, without its usual way out: files that have no
 * name yet, and programs that it has started. A signal handler reads the list. */
#ifndef TERRANE_PROGRAM_CORE_ABANDON_H
#define TERRANE_PROGRAM_CORE_ABANDON_H

#include <stdbool.h>
#include <sys/types.h>

/** Remove a file when the process ends at once. Where the list is full, or the path longer than it takes, the file
 * stays then, for the next run to remove. */
void abandon_file(const char *path);

/** The file has its name, or is gone. */
void abandon_forget_file(const char *path);

/** Kill a program when the process ends at once. */
void abandon_program(pid_t program);

/** It has ended. */
void abandon_forget_program(pid_t program);

/** From here on names of files change that belong together; abandon_all waits until abandon_let. Calls may nest. */
void abandon_hold(void);
void abandon_let(void);

/** Remove all files and kill all programs of the list, in a signal handler. False, with nothing done, while names
 * change. */
bool abandon_all(void);

#endif
