/* tasks.h - work that is cut into tasks, for all processors of the program: packing of files, rows of maps. */
#ifndef TERRANE_PROGRAM_CORE_TASKS_H
#define TERRANE_PROGRAM_CORE_TASKS_H

#include <stdint.h>

/** One task, 0 .. n_tasks - 1. Tasks run side by side: what they write must be apart. */
typedef void (*tasks_work)(void *user, int64_t task);

/** Do every task once, in any order, and return when all are done.
 *
 *  The threads are those of one team of the process, made by the first call. Where the system gives none, and where the
 * team is at work for another thread of the program, the caller does all tasks alone.
 */
void tasks_run(int64_t n_tasks, tasks_work work, void *user);

#endif
