/* team.h - threads that are started once and given numbered tasks again and again: a generator has a team, and so has
 * the program.
 *
 * A team owns its threads and nothing else. It never ends the process: a thread that the system refuses is one fewer in
 * the team.
 */
#ifndef TERRANE_CORE_TEAM_H
#define TERRANE_CORE_TEAM_H

#include <stdint.h>

#include "terrane/terrane.h"

typedef struct ter_team ter_team;

/** Number of processors that this process may run on, at least 1. */
int ter_team_processors(void);

/** Start a team of n_threads threads, 1 to TER_THREADS_MAX; the thread that gives the tasks is one of them.
 *
 *  out     free it with ter_team_destroy; it may be smaller than asked for: ter_team_size
 *  Errors  TER_ENOMEM
 */
ter_status ter_team_create(int n_threads, ter_team **out);

/** End the threads and free the team; NULL is allowed. */
void ter_team_destroy(ter_team *team);

/** Threads of the team, the caller's included. */
int ter_team_size(const ter_team *team);

/** Threads that were asked for. */
int ter_team_wanted(const ter_team *team);

/** One task. thread: 0 .. size - 1, for memory that each thread has to itself; task: 0 .. n_tasks - 1. */
typedef void (*ter_team_work)(void *user, int thread, int64_t task);

/** Do every task once, in any order, and return when all are done. Threads take the next task whenever they are free,
 * so that a thread that loses its processor delays no more than the task it is at. On Linux they work at the priority
 * of the caller: one that gives way to others gives way with the whole team. One call at a time per team. */
void ter_team_run(ter_team *team, int64_t n_tasks, ter_team_work work, void *user);

#endif
