/* test_team.c - the threads of a generator run each task once, whatever the number of threads, also if the system
 * refuses to create threads. */
#define _GNU_SOURCE /* setresuid */
#include "backend_under_test.h"
#include "short_calls.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library/core/system.h"
#include "library/core/team.h"

enum { TASKS = 1000, THREADS = 8 };

typedef struct tally {
    atomic_int done[TASKS];
    atomic_int by_thread[THREADS];
} tally;

static void count_task(void *user, int thread, int64_t task)
{
    tally *t = user;
    atomic_fetch_add(&t->done[task], 1);
    atomic_fetch_add(&t->by_thread[thread], 1);
}

static void test_each_task_once(void **state)
{
    (void)state;
    static const int64_t n_tasks[] = {0, 1, 2, 3, 7, 8, 9, TASKS};
    for (int threads = 1; threads <= THREADS; threads++) {
        ter_team *team = NULL;
        assert_ok(ter_team_create(threads, &team));
        assert_int_equal(ter_team_size(team), threads);
        assert_int_equal(ter_team_wanted(team), threads);
        for (int round = 0; round < 200; round++) {
            static tally t;
            const int64_t n = n_tasks[round % 8];
            memset(&t, 0, sizeof t);
            ter_team_run(team, n, count_task, &t);
            int total = 0;
            for (int task = 0; task < TASKS; task++)
                assert_int_equal(atomic_load(&t.done[task]), task < n);
            for (int thread = 0; thread < THREADS; thread++)
                total += atomic_load(&t.by_thread[thread]);
            assert_int_equal(total, n);
        }
        ter_team_destroy(team);
    }
    ter_team_destroy(NULL);
}

/** A task that takes longer on a worker than on the calling thread. */
static void dawdle(void *user, int thread, int64_t task)
{
    tally *t = user;
    usleep(thread > 0 ? 20000 : 1000);
    atomic_fetch_add(&t->done[task], 1);
}

/** The call returns only after the last task is done, on whatever thread. */
static void test_tasks_are_waited_for(void **state)
{
    (void)state;
    enum { FEW = 12 };
    ter_team *team = NULL;
    assert_ok(ter_team_create(4, &team));
    for (int round = 0; round < 10; round++) {
        static tally t;
        memset(&t, 0, sizeof t);
        ter_team_run(team, FEW, dawdle, &t);
        for (int task = 0; task < FEW; task++)
            assert_int_equal(atomic_load(&t.done[task]), 1);
    }
    ter_team_destroy(team);
}

/** Between two calls the threads have time to fall asleep; the next call wakes them. */
static void test_sleepers_wake(void **state)
{
    (void)state;
    ter_team *team = NULL;
    assert_ok(ter_team_create(2, &team));
    for (int round = 0; round < 20; round++) {
        static tally t;
        memset(&t, 0, sizeof t);
        usleep(2000);
        ter_team_run(team, TASKS, count_task, &t);
        for (int task = 0; task < TASKS; task++)
            assert_int_equal(atomic_load(&t.done[task]), 1);
    }
    usleep(2000);
    ter_team_destroy(team);
}

/** A task that reads what two tasks of the previous call have written, maybe on other threads. */
static void add_neighbours(void *user, int thread, int64_t task)
{
    int64_t(*rows)[TASKS] = user;
    (void)thread;
    rows[1][task] = rows[0][task] + rows[0][(task + 1) % TASKS];
}

static void test_results_of_the_previous_call_are_seen(void **state)
{
    (void)state;
    static int64_t rows[2][TASKS];
    ter_team *team = NULL;
    assert_ok(ter_team_create(4, &team));
    for (int n = 0; n < TASKS; n++)
        rows[0][n] = 1;
    for (int step = 1; step <= 40; step++) {
        ter_team_run(team, TASKS, add_neighbours, rows);
        memcpy(rows[0], rows[1], sizeof rows[0]);
        for (int n = 0; n < TASKS; n++)
            assert_int_equal(rows[0][n], INT64_C(1) << step);
    }
    ter_team_destroy(team);
}

/** Exit status of a process that can create no threads: 0, or the number of the first failed check. */
static int work_without_threads(void)
{
    enum { SIDE = 600 };
    static float got[SIDE * SIDE];
    const struct rlimit none = {1, 1};
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) /* root may exceed limits */
        return 1;
    if (setrlimit(RLIMIT_NPROC, &none) != 0)
        return 2;
    ter_params params;
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 6};
    const ter_rect rect = {20, 1000, -4000, SIDE, SIDE};
    ter_statistics found = {TER_SIZED(ter_statistics)};
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    if (ter_world_create(&params, &world) != TER_OK || ter_generator_create(&options, &generator) != TER_OK)
        return 3;
    if (ter_generator_threads(generator) != 1 || !strstr(ter_generator_reason(generator), "1 of 6 threads"))
        return 4;
    if (fill_rect_heights(generator, world, &rect, got, SIDE) != TER_OK ||
        ter_generator_statistics(generator, world, &rect, NULL, &found) != TER_OK)
        return 5;
    for (int n = 0; n < SIDE * SIDE; n += 97) {
        float expected;
        if (ter_world_height(world, 20, rect.i + n % SIDE, rect.j + n / SIDE, &expected) != TER_OK ||
            got[n] != expected)
            return 6;
    }
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return 0;
}

static void test_no_more_threads(void **state)
{
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(work_without_threads());
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_generator_says_its_threads(void **state)
{
    (void)state;
    backend_under_test = TER_BACKEND_CPU;
    ter_generator *generator = generator_of(TER_METHOD_TILED, 3, TER_SIMD_AUTO);
    assert_int_equal(ter_generator_threads(generator), 3);
    assert_string_equal(ter_generator_reason(generator), "asked for");
    ter_generator_destroy(generator);
    generator = generator_of(TER_METHOD_TILED, 0, TER_SIMD_AUTO);
    assert_int_equal(ter_generator_threads(generator), ter_team_processors());
    ter_generator_destroy(generator);
}

/** A set of tasks, each of which waits until all threads run one; and the nice value of each thread. */
typedef struct meeting {
    ter_team *team;
    atomic_int inside;
    int of_caller, of_thread[THREADS];
} meeting;

static void meet(void *user, int thread, int64_t task)
{
    meeting *m = user;
    (void)task;
    m->of_thread[thread] = ter_thread_nice();
    atomic_fetch_add(&m->inside, 1);
    while (atomic_load(&m->inside) < THREADS)
        sched_yield();
}

static void *run_giving_way(void *user)
{
    meeting *m = user;
    ter_thread_set_nice(ter_thread_nice() + 3);
    m->of_caller = ter_thread_nice();
    ter_team_run(m->team, THREADS, meet, m);
    return NULL;
}

/** If a caller lowers its priority, the threads of its team do so, too. The thread that created the team keeps its
 * priority. */
static void test_gives_way_with_caller(void **state)
{
    (void)state;
#if !defined(__linux__)
    skip();
#endif
    static meeting m;
    const int before = ter_thread_nice();
    pthread_t caller;
    assert_ok(ter_team_create(THREADS, &m.team));
    assert_int_equal(pthread_create(&caller, NULL, run_giving_way, &m), 0);
    pthread_join(caller, NULL);
    for (int n = 0; n < THREADS; n++)
        assert_int_equal(m.of_thread[n], m.of_caller);
    assert_int_equal(ter_thread_nice(), before);
    assert_int_not_equal(m.of_caller, before);
    ter_team_destroy(m.team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_task_once),       cmocka_unit_test(test_tasks_are_waited_for),
        cmocka_unit_test(test_sleepers_wake),        cmocka_unit_test(test_results_of_the_previous_call_are_seen),
        cmocka_unit_test(test_no_more_threads),      cmocka_unit_test(test_generator_says_its_threads),
        cmocka_unit_test(test_gives_way_with_caller)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
