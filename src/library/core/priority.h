/* priority.h - how much of a processor a thread gets beside others: its nice value, which Linux keeps for each thread.
 * Elsewhere it is one of the whole process, and stays as it is. */
#ifndef TERRANE_CORE_PRIORITY_H
#define TERRANE_CORE_PRIORITY_H

#if defined(__linux__)
#include <sys/resource.h>
#endif

/** Nice value of the calling thread, -20..19: the higher, the more it gives way. */
static inline int ter_thread_nice(void)
{
#if defined(__linux__)
    return getpriority(PRIO_PROCESS, 0);
#else
    return 0;
#endif
}

/** Set it. A thread that may not lower it keeps it. */
static inline void ter_thread_set_nice(int nice)
{
#if defined(__linux__)
    (void)setpriority(PRIO_PROCESS, 0, nice);
#else
    (void)nice;
#endif
}

#endif
