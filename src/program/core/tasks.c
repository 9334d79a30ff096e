/* tasks.c - one team of threads for the program. */
#include "program/core/tasks.h"

#include <pthread.h>
#include <stddef.h>

#include "library/core/team.h"

static ter_team *team; /* lives as long as the process; NULL where there was no memory for it */
static pthread_once_t is_begun = PTHREAD_ONCE_INIT;
static pthread_mutex_t is_at_work = PTHREAD_MUTEX_INITIALIZER;

static void begin(void)
{
    const int processors = ter_team_processors();
    if (ter_team_create(processors < TER_THREADS_MAX ? processors : TER_THREADS_MAX, &team) != TER_OK)
        team = NULL;
}

/** A call's work, as a team gives it. */
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
    pthread_once(&is_begun, begin);
    if (team && pthread_mutex_trylock(&is_at_work) == 0) {
        ter_team_run(team, n_tasks, do_task, &c);
        pthread_mutex_unlock(&is_at_work);
        return;
    }
    for (int64_t n = 0; n < n_tasks; n++)
        work(user, n);
}
