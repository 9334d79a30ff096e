/* tasks.h - runs tasks on all processors. The program compresses files and draws maps with it. */
#ifndef TERRANE_PROGRAM_CORE_TASKS_H
#define TERRANE_PROGRAM_CORE_TASKS_H

#include <stdint.h>

/** Do one task, 0 .. n_tasks - 1. Tasks run at the same time and must not write to the same memory. */
typedef void (*tasks_work)(void *user, int64_t task);

/** Do every task once, in any order, and return when all are done.
 *
 *  The first call makes a team of threads, which lasts as long as the process. The calling thread does all tasks alone
 *  if the system gives no threads, or while the team works for another thread.
 */
void tasks_run(int64_t n_tasks, tasks_work work, void *user);

#endif
