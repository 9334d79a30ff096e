/* system_posix.c - memory, processors and threads on POSIX systems. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "library/core/system.h"

void *ter_aligned_alloc(size_t alignment, size_t bytes)
{
    return aligned_alloc(alignment, bytes);
}

void ter_aligned_free(void *memory)
{
    free(memory);
}

int ter_system_processors(void)
{
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        return CPU_COUNT(&allowed);
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

int ter_thread_nice(void)
{
#if defined(__linux__)
    return getpriority(PRIO_PROCESS, 0);
#else
    return 0;
#endif
}

void ter_thread_set_nice(int nice)
{
#if defined(__linux__)
    (void)setpriority(PRIO_PROCESS, 0, nice);
#else
    (void)nice;
#endif
}

bool ter_thread_start(void *thread, void *(*work)(void *user), void *user)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(thread, NULL, work, user) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}
