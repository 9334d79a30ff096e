/* tasks.c - the program's team of threads. */
#include "program/core/tasks.h"

#include <pthread.h>
#include <stddef.h>

#include "library/core/team.h"

static ter_team *team; /* lives as long as the process; NULL if it could not be made */
static pthread_once_t team_is_made = PTHREAD_ONCE_INIT;
static pthread_mutex_t team_is_in_use = PTHREAD_MUTEX_INITIALIZER;

static void make_team(void)
{
    const int processors = ter_team_processors();
    if (ter_team_create(processors < TER_THREADS_MAX ? processors : TER_THREADS_MAX, &team) != TER_OK)
        team = NULL;
}

/** The arguments of tasks_run, for the team's callback. */
typedef struct call {
    tasks_work work;
    void *user;
} call;

static void do_task(void *user, int thread, int64_t task)
{
    const call *c = user;
    (void)thread;
    c->work(c->user, task);
}

void tasks_run(int64_t n_tasks, tasks_work work, void *user)
{
    call c = {work, user};
    pthread_once(&team_is_made, make_team);
    if (team && pthread_mutex_trylock(&team_is_in_use) == 0) {
        ter_team_run(team, n_tasks, do_task, &c);
        pthread_mutex_unlock(&team_is_in_use);
        return;
    }
    for (int64_t n = 0; n < n_tasks; n++)
        work(user, n);
}
