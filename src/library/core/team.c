/* team.c - threads that wait for an order and take tasks from a common counter. A call waits only for threads that are
 * doing a task.
 *
 * Two 64-bit words control the threads. All workers read the order, which changes once per call. A worker that enters
 * or leaves changes the gate.
 *
 *     order   bits 63 .. 32  number of the call   31 .. 0   members: workers n < members may enter
 *     gate    bits 63 .. 32  number of the call   31        closed: no task is left    30 .. 0   workers inside
 *
 *     caller (thread 0)                        worker n
 *     work, n_tasks, next = 0                  waits while the order stays the same
 *     gate = next number, open, 0 inside
 *     order = next number, members     ----->  if n < members and the gate of this number is open: enters, else waits
 *     takes tasks from `next`                  takes tasks from `next`
 *     closes the gate                          leaves; the last worker that leaves a closed gate wakes the caller
 *     waits while workers are inside
 *
 * So the caller does not wait for a worker that gets no processor in time: other threads do its tasks. A waiting thread
 * first reads the word that it waits for again and again, for about the time between two levels of an array or two
 * calls of a loop. Then it sleeps. It announces its sleep before it reads the word for the last time, and a thread that
 * changes the word looks for sleepers afterwards. So either the sleeper sees the change, or the other thread sees the
 * sleeper.
 */
#include "library/core/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "library/core/status.h"
#include "library/core/system.h"

enum {
    CACHE_LINE = 64,
    PAUSES = 2000, /* times that a waiting thread reads the word and pauses: 30 to 80 us in all */
    YIELDS = 2000, /* times that it then reads the word and yields: about 1 ms in all; then it sleeps */
    NUMBER_SHIFT = 32
};

#define ORDER_MEMBERS UINT64_C(0xffffffff)
#define GATE_INSIDE   UINT64_C(0x7fffffff)
#define GATE_CLOSED   UINT64_C(0x80000000)

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
    _Alignas(CACHE_LINE) atomic_uint_fast64_t gate;
    _Alignas(CACHE_LINE) atomic_int_fast64_t next; /* the next task to take */
    _Alignas(CACHE_LINE) ter_team_work work;       /* NULL: the team ends */
    void *user;
    int64_t n_tasks;
    int nice; /* nice value of the caller */
    int size, wanted;
    bool is_patient; /* waiting threads poll before they sleep, because every thread has a processor */
    sleeper caller;
    worker *workers; /* size - 1 elements */
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

/** A condition that a thread waits for: (word & mask) != value, or (word & mask) == value if is_equal. */
typedef struct condition {
    atomic_uint_fast64_t *word;
    uint64_t mask, value;
    bool is_equal;
} condition;

static bool holds(const condition *c)
{
    return ((atomic_load(c->word) & c->mask) == c->value) == c->is_equal;
}

/** Return as soon as the condition holds. */
static void wait_for(sleeper *s, const condition *c, bool is_patient)
{
    for (int n = 0; is_patient && n < PAUSES + YIELDS; n++) {
        if (holds(c))
            return;
        if (n < PAUSES)
            pause_processor();
        else
            sched_yield();
    }
    pthread_mutex_lock(&s->lock);
    atomic_store(&s->is_asleep, true);
    while (!holds(c))
        pthread_cond_wait(&s->wake, &s->lock);
    atomic_store(&s->is_asleep, false);
    pthread_mutex_unlock(&s->lock);
}

/** Wake a thread if it sleeps, after a word has changed. */
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

/** Enter if the gate of this order is open for worker n. Returns whether the worker is inside. */
static bool enter(ter_team *team, int n, uint64_t order)
{
    const uint64_t number = order >> NUMBER_SHIFT;
    if ((uint64_t)n >= (order & ORDER_MEMBERS))
        return false;
    uint64_t gate = atomic_load(&team->gate);
    do {
        if (gate >> NUMBER_SHIFT != number || gate & GATE_CLOSED)
            return false;
    } while (!atomic_compare_exchange_weak(&team->gate, &gate, gate + 1));
    return true;
}

static void leave(ter_team *team)
{
    const uint64_t gate = atomic_fetch_sub(&team->gate, 1) - 1;
    if (gate & GATE_CLOSED && !(gate & GATE_INSIDE))
        wake(&team->caller);
}

static void *serve(void *user)
{
    worker *w = user;
    ter_team *team = w->team;
    uint64_t order = 0;
    int nice = ter_thread_nice();
    for (bool is_ending = false; !is_ending;) {
        const condition is_new = {&team->order, UINT64_MAX, order, false};
        wait_for(&w->sleeper, &is_new, team->is_patient);
        order = atomic_load(&team->order);
        if (!enter(team, w->n, order))
            continue;
        is_ending = !team->work;
        if (!is_ending && nice != team->nice) {
            nice = team->nice;
            ter_thread_set_nice(nice);
        }
        if (!is_ending)
            take_tasks(team, w->n);
        leave(team);
    }
    return NULL;
}

/** Give an order to threads 0 .. n_members - 1. */
static void give_order(ter_team *team, int n_members)
{
    const uint64_t number = (atomic_load(&team->order) >> NUMBER_SHIFT) + 1;
    atomic_store(&team->gate, number << NUMBER_SHIFT);
    atomic_store(&team->order, number << NUMBER_SHIFT | (uint64_t)n_members);
    for (int n = 1; n < n_members; n++)
        wake(&team->workers[n - 1].sleeper);
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
    team->nice = ter_thread_nice();
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    give_order(team, n_members);
    take_tasks(team, 0);
    if (atomic_fetch_or(&team->gate, GATE_CLOSED) & GATE_INSIDE) {
        const condition is_empty = {&team->gate, GATE_INSIDE, 0, true};
        wait_for(&team->caller, &is_empty, team->is_patient);
    }
}

/* ---- creation and destruction ---- */

int ter_team_processors(void)
{
    return ter_system_processors();
}

/** Start worker n. Returns false if the system refuses. */
static bool start_worker(ter_team *team, int n)
{
    worker *w = &team->workers[n - 1];
    w->team = team;
    w->n = n;
    if (!sleeper_init(&w->sleeper))
        return false;
    const bool is_started = ter_thread_start(&w->thread, serve, w);
    if (!is_started)
        sleeper_end(&w->sleeper);
    return is_started;
}

static void *allocate_lines(size_t bytes)
{
    const size_t whole = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    return ter_aligned_alloc(CACHE_LINE, whole > 0 ? whole : CACHE_LINE);
}

ter_status ter_team_create(int n_threads, ter_team **out)
{
    ter_team *team = allocate_lines(sizeof *team);
    worker *workers = allocate_lines((size_t)(n_threads - 1) * sizeof *workers);
    if (!team || !workers || !sleeper_init(&team->caller)) {
        ter_aligned_free(team);
        ter_aligned_free(workers);
        return ter_fail(TER_ENOMEM, "no memory for a team of %d threads", n_threads);
    }
    atomic_init(&team->order, 0);
    atomic_init(&team->gate, GATE_CLOSED);
    team->workers = workers;
    team->wanted = n_threads;
    team->is_patient = n_threads <= ter_team_processors();
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
    ter_aligned_free(team->workers);
    ter_aligned_free(team);
}

int ter_team_size(const ter_team *team)
{
    return team->size;
}

int ter_team_wanted(const ter_team *team)
{
    return team->wanted;
}
