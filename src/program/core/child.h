/* child.h - another program that this one starts and sends bytes to. Its standard input is a pipe, its standard output
 * is discarded, and its errors go where those of this program go. child_posix.c implements these functions for POSIX
 * systems, and child_windows.c for Windows. */
#ifndef TERRANE_PROGRAM_CORE_CHILD_H
#define TERRANE_PROGRAM_CORE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct child child;

/** Start a program of the search path. Ctrl-C does not reach it. arguments: the name of the program, its arguments,
 * NULL. Returns NULL and sets errno if it cannot be started. */
child *child_start(const char *const *arguments);

/** The number of the process, for abandon_program. */
int64_t child_number(const child *child);

/** Send bytes. Waits at most wait_ms until the program takes some. Returns how many it has taken or certainly gets
 * while it lives; 0: none in this time; -1: it takes no more, and errno is set. */
int64_t child_send(child *child, const void *bytes, size_t count, int wait_ms);

/** Tell the program that no bytes follow. Returns false if it has not taken all of them in this time: call again. */
bool child_send_end(child *child, int wait_ms);

/** Whether the program has ended; *status becomes its exit status, -1 if a signal has ended it. */
bool child_has_ended(child *child, int *status);

/** Kill the program if it runs, and free. NULL is allowed. */
void child_close(child *child);

#endif
