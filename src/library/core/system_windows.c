/* system_windows.c - memory, processors and threads on Windows. Threads come from winpthreads of mingw-w64. */
#include <windows.h>

#include <malloc.h>
#include <pthread.h>

#include "library/core/system.h"

void *ter_aligned_alloc(size_t alignment, size_t bytes)
{
    return _aligned_malloc(bytes, alignment);
}

void ter_aligned_free(void *memory)
{
    _aligned_free(memory);
}

/** Windows counts processors in groups of at most 64. A process that it has not restricted to one group may use all. */
int ter_system_processors(void)
{
    USHORT groups[64], n_groups = sizeof groups / sizeof groups[0];
    DWORD_PTR allowed, present;
    if (GetProcessGroupAffinity(GetCurrentProcess(), &n_groups, groups) && n_groups > 1)
        return (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    if (GetProcessAffinityMask(GetCurrentProcess(), &allowed, &present) && allowed)
        return __builtin_popcountll(allowed);
    return 1;
}

static _Thread_local int thread_nice; /* Windows has priorities in place of nice values */

int ter_thread_nice(void)
{
    return thread_nice;
}

void ter_thread_set_nice(int nice)
{
    const int priority = nice >= 10  ? THREAD_PRIORITY_LOWEST
                         : nice > 0  ? THREAD_PRIORITY_BELOW_NORMAL
                         : nice == 0 ? THREAD_PRIORITY_NORMAL
                                     : THREAD_PRIORITY_ABOVE_NORMAL;
    if (SetThreadPriority(GetCurrentThread(), priority))
        thread_nice = nice;
}

/** Windows has no signals that threads could block. */
bool ter_thread_start(void *thread, void *(*work)(void *user), void *user)
{
    return pthread_create(thread, NULL, work, user) == 0;
}
