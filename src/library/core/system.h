/* system.h - functions of the operating system that the library uses: aligned memory, number of processors, priorities
 * of threads, and threads without signals. All other functions for threads come from <pthread.h>. system_posix.c
 * implements these functions for POSIX systems, and system_windows.c for Windows. */
#ifndef TERRANE_CORE_SYSTEM_H
#define TERRANE_CORE_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>

/** Allocate memory whose address is a multiple of `alignment`, a power of two. bytes: a multiple of `alignment`. Free
 * it with ter_aligned_free. Returns NULL when there is no memory. */
void *ter_aligned_alloc(size_t alignment, size_t bytes);

/** Free memory of ter_aligned_alloc; NULL is allowed. */
void ter_aligned_free(void *memory);

/** Number of processors that this process may run on, at least 1. */
int ter_system_processors(void);

/** Nice value of the calling thread, -20..19. A thread with a higher value gets less processor time. On systems other
 * than Linux and Windows, where the nice value belongs to the process, the result is 0. */
int ter_thread_nice(void);

/** Set the nice value of the calling thread. Does nothing if the thread may not lower it, or if the system has no nice
 * value for each thread. */
void ter_thread_set_nice(int nice);

/** Start a thread that blocks all signals, so that the program's threads get them. thread: receives the thread; points
 * to a pthread_t. Returns false if the system refuses. */
bool ter_thread_start(void *thread, void *(*work)(void *user), void *user);

#endif
