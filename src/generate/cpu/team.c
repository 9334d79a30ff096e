/* team.c - threads that wait for an order, take tasks from a common counter, and report when the last one is done.
 *
 * An order is one 64-bit word, so that a thread always sees a number and a size that belong together:
 *
 *     order = number of the order << 16 | threads that take part
 *
 *     caller (thread 0)                          worker n
 *     work, next, n_busy = threads - 1
 *     order  ------------------------------->    sees another order; n is less than its threads: takes part
 *     takes tasks from `next`                    takes tasks from `next`
 *     waits while `done` is not the order        n_busy falls by 1; whoever makes it 0 sets done = order
 *
 * Whoever waits looks again and again for some tens of microseconds, as long as the calls of one frame or of one level lie apart,
 * then sleeps. A sleeper says so before it looks for the last time, and is looked for after the word has changed: one of the two
 * sees the other.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* sched_getaffinity */
#endif

#include "generate/cpu/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "world/world.h"

enum {
    CACHE_LINE = 64,
    LOOKS = 2000,          /* before a thread sleeps: 30 to 80 us */
    MEMBERS_MASK = 0xffff, /* of an order */
    NUMBER_SHIFT = 16
};

_Static_assert(TER_THREADS_MAX <= MEMBERS_MASK, "an order has room for the number of threads");

/** A thread that may be asleep. */
typedef struct sleeper {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    atomic_bool is_asleep;
} sleeper;

typedef struct worker {
    _Alignas(CACHE_LINE) struct ter_team *team;
    int n; /* 1 .. size - 1 */
    pthread_t thread;
    sleeper sleeper;
} worker;

struct ter_team {
    _Alignas(CACHE_LINE) atomic_uint_fast64_t order;
    _Alignas(CACHE_LINE) atomic_int_fast64_t next; /* task that nobody has taken */
    _Alignas(CACHE_LINE) atomic_int n_busy;        /* workers that have not finished the order */
    atomic_uint_fast64_t done;                     /* order that was finished last */
    _Alignas(CACHE_LINE) ter_team_work work;       /* NULL: the team ends */
    void *user;
    int64_t n_tasks;
    int size, wanted, looks;
    sleeper caller;
    worker *workers; /* size - 1 */
};

/* ---- waiting ---- */

static void pause_processor(void)
{
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool sleeper_init(sleeper *s)
{
    atomic_init(&s->is_asleep, false);
    if (pthread_mutex_init(&s->lock, NULL) != 0)
        return false;
    if (pthread_cond_init(&s->wake, NULL) == 0)
        return true;
    pthread_mutex_destroy(&s->lock);
    return false;
}

static void sleeper_end(sleeper *s)
{
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
}

/** Return as soon as the word has another value. */
static void wait_while(sleeper *s, atomic_uint_fast64_t *word, uint64_t value, int looks)
{
    for (int n = 0; n < looks; n++) {
        if (atomic_load_explicit(word, memory_order_acquire) != value)
            return;
        pause_processor();
    }
    pthread_mutex_lock(&s->lock);
    atomic_store(&s->is_asleep, true);
    while (atomic_load(word) == value)
        pthread_cond_wait(&s->wake, &s->lock);
    atomic_store(&s->is_asleep, false);
    pthread_mutex_unlock(&s->lock);
}

/** Wake a thread whose word has just changed, where it sleeps. */
static void wake(sleeper *s)
{
    if (!atomic_load(&s->is_asleep))
        return;
    pthread_mutex_lock(&s->lock);
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

/* ---- work ---- */

static void take_tasks(ter_team *team, int thread)
{
    for (;;) {
        const int64_t task = atomic_fetch_add_explicit(&team->next, 1, memory_order_relaxed);
        if (task >= team->n_tasks)
            return;
        team->work(team->user, thread, task);
    }
}

static void *serve(void *user)
{
    worker *w = user;
    ter_team *team = w->team;
    uint64_t seen = 0;
    for (;;) {
        wait_while(&w->sleeper, &team->order, seen, team->looks);
        seen = atomic_load(&team->order);
        if (w->n >= (int)(seen & MEMBERS_MASK))
            continue;
        if (!team->work)
            return NULL;
        take_tasks(team, w->n);
        if (atomic_fetch_sub(&team->n_busy, 1) == 1) {
            atomic_store(&team->done, seen);
            wake(&team->caller);
        }
    }
}

/** Give the order to threads 0 .. n_members - 1; returns its word. */
static uint64_t give_order(ter_team *team, int n_members)
{
    const uint64_t number = (atomic_load(&team->order) >> NUMBER_SHIFT) + 1;
    const uint64_t order = number << NUMBER_SHIFT | (uint64_t)n_members;
    atomic_store(&team->n_busy, n_members - 1);
    atomic_store(&team->order, order);
    for (int n = 1; n < n_members; n++)
        wake(&team->workers[n - 1].sleeper);
    return order;
}

void ter_team_run(ter_team *team, int64_t n_tasks, ter_team_work work, void *user)
{
    const int n_members = n_tasks < team->size ? (int)n_tasks : team->size;
    if (n_members < 2) {
        for (int64_t task = 0; task < n_tasks; task++)
            work(user, 0, task);
        return;
    }
    team->work = work;
    team->user = user;
    team->n_tasks = n_tasks;
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    const uint64_t before = atomic_load(&team->done);
    give_order(team, n_members);
    take_tasks(team, 0);
    wait_while(&team->caller, &team->done, before, team->looks);
}

/* ---- life ---- */

int ter_team_processors(void)
{
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) > 0)
        return CPU_COUNT(&allowed);
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}

/** Start worker n; false when the system refuses. Signals are for the threads of the program: workers block them all. */
static bool start_worker(ter_team *team, int n)
{
    worker *w = &team->workers[n - 1];
    w->team = team;
    w->n = n;
    if (!sleeper_init(&w->sleeper))
        return false;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool is_started = pthread_create(&w->thread, NULL, serve, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_started)
        sleeper_end(&w->sleeper);
    return is_started;
}

static void *allocate_lines(size_t bytes)
{
    const size_t whole = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return aligned_alloc(CACHE_LINE, whole > 0 ? whole : CACHE_LINE);
}

ter_status ter_team_create(int n_threads, ter_team **out)
{
    ter_team *team = allocate_lines(sizeof *team);
    worker *workers = allocate_lines((size_t)(n_threads - 1) * sizeof *workers);
    if (!team || !workers || !sleeper_init(&team->caller)) {
        free(team);
        free(workers);
        return ter_fail(TER_ENOMEM, "no memory for a team of %d threads", n_threads);
    }
    atomic_init(&team->order, 0);
    atomic_init(&team->done, 0);
    team->workers = workers;
    team->wanted = n_threads;
    /* where threads are more than processors, whoever looks takes time from whoever works */
    team->looks = n_threads <= ter_team_processors() ? LOOKS : 0;
    for (team->size = 1; team->size < n_threads; team->size++)
        if (!start_worker(team, team->size))
            break;
    *out = team;
    return TER_OK;
}

void ter_team_destroy(ter_team *team)
{
    if (!team)
        return;
    team->work = NULL;
    give_order(team, team->size);
    for (int n = 1; n < team->size; n++) {
        pthread_join(team->workers[n - 1].thread, NULL);
        sleeper_end(&team->workers[n - 1].sleeper);
    }
    sleeper_end(&team->caller);
    free(team->workers);
    free(team);
}

int ter_team_size(const ter_team *team)
{
    return team->size;
}

int ter_team_wanted(const ter_team *team)
{
    return team->wanted;
}
