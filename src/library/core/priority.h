/* priority.h - reads and sets the nice value of a thread. Linux has a nice value for each thread. On other systems,
 * where the nice value belongs to the process, nothing is changed. */
#ifndef TERRANE_CORE_PRIORITY_H
#define TERRANE_CORE_PRIORITY_H

#if defined(__linux__)
#include <sys/resource.h>
#endif

/** Nice value of the calling thread, -20..19. A thread with a higher value gets less processor time. */
static inline int ter_thread_nice(void)
{
#if defined(__linux__)
    return getpriority(PRIO_PROCESS, 0);
#else
    return 0;
#endif
}

/** Set the nice value of the calling thread. Does nothing if the thread may not lower it. */
static inline void ter_thread_set_nice(int nice)
{
#if defined(__linux__)
    (void)setpriority(PRIO_PROCESS, 0, nice);
#else
    (void)nice;
#endif
}

#endif
