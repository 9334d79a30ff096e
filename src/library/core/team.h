/* team.h - threads that are started once and do numbered tasks in each call. Each generator has a team, and so has the
 * program.
 *
 * A team owns its threads and nothing else. It never ends the process. If the system refuses a thread, the team is
 * smaller.
 */
#ifndef TERRANE_CORE_TEAM_H
#define TERRANE_CORE_TEAM_H

#include <stdint.h>

#include "terrane/terrane.h"

typedef struct ter_team ter_team;

/** Number of processors that this process may run on, at least 1. */
int ter_team_processors(void);

/** Start a team of n_threads threads, 1 to TER_THREADS_MAX. The calling thread of ter_team_run is one of them.
 *
 *  out     free it with ter_team_destroy; it may have fewer threads, see ter_team_size
 *  Errors  TER_ENOMEM
 */
ter_status ter_team_create(int n_threads, ter_team **out);

/** End the threads and free the team; NULL is allowed. */
void ter_team_destroy(ter_team *team);

/** Threads of the team, the caller's included. */
int ter_team_size(const ter_team *team);

/** Requested number of threads. */
int ter_team_wanted(const ter_team *team);

/** Do one task. thread: 0 .. size - 1, to choose memory that only this thread uses; task: 0 .. n_tasks - 1 */
typedef void (*ter_team_work)(void *user, int thread, int64_t task);

/** Do every task once, in any order, and return when all are done. A thread takes the next task when it is free, so
 * a thread that loses its processor delays only its current task. On Linux all threads work at the priority of the
 * caller. One call at a time per team. */
void ter_team_run(ter_team *team, int64_t n_tasks, ter_team_work work, void *user);

#endif
