/* tile_worker.c - the thread and its states: idle, busy, done, stop. */
#include "program/viewer/tiles/tile_worker.h"

#include "library/core/system.h"
#include "program/core/clock.h"

enum { NICE = 5 }; /* added to the nice value of a worker that gives way, so that frames come first */

/** Make the batch, with the lock released. Call with the lock held. */
static void work_once(tile_worker *w)
{
    pthread_mutex_unlock(&w->lock);
    const double begun_s = clock_now_s();
    const ter_status status = w->work(w->user);
    const result res =
        w->is_interrupted() ? result_of(RESULT_INTERRUPTED, "interrupted") : result_of_library(status, "tiles");
    pthread_mutex_lock(&w->lock);
    w->ended_s = clock_now_s();
    w->worked_s = w->ended_s - begun_s;
    w->result = res;
    if (w->state == WORKER_BUSY)
        w->state = WORKER_DONE;
    pthread_cond_broadcast(&w->changed);
}

static void *run(void *user)
{
    tile_worker *w = user;
    bool has_given_way = false;
    pthread_mutex_lock(&w->lock);
    while (w->state != WORKER_STOP) {
        if (w->state != WORKER_BUSY) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        if (w->gives_way && !has_given_way)
            ter_thread_set_nice(ter_thread_nice() + NICE);
        has_given_way |= w->gives_way;
        work_once(w);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

result tile_worker_start(tile_worker *w, ter_status (*work)(void *user), void *user, int (*is_interrupted)(void))
{
    *w = (tile_worker){.work = work, .user = user, .is_interrupted = is_interrupted, .result = result_done()};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->has_thread = pthread_create(&w->thread, NULL, run, w) == 0;
    return w->has_thread ? result_done() : result_of(RESULT_FAILED, "the system has no thread for the tile worker");
}

static void set_state(tile_worker *w, worker_state state)
{
    pthread_mutex_lock(&w->lock);
    w->state = state;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void tile_worker_stop(tile_worker *w)
{
    if (!w->has_thread)
        return;
    set_state(w, WORKER_STOP);
    pthread_join(w->thread, NULL);
    w->has_thread = false;
}

void tile_worker_give_way(tile_worker *w)
{
    pthread_mutex_lock(&w->lock);
    w->gives_way = true;
    pthread_mutex_unlock(&w->lock);
}

void tile_worker_begin(tile_worker *w)
{
    set_state(w, WORKER_BUSY);
}

void tile_worker_wait(tile_worker *w)
{
    pthread_mutex_lock(&w->lock);
    while (w->state == WORKER_BUSY)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

bool tile_worker_is_busy(tile_worker *w)
{
    pthread_mutex_lock(&w->lock);
    const bool is_busy = w->state == WORKER_BUSY;
    pthread_mutex_unlock(&w->lock);
    return is_busy;
}

bool tile_worker_collect(tile_worker *w, result *res)
{
    pthread_mutex_lock(&w->lock);
    const bool is_done = w->state == WORKER_DONE;
    if (is_done) {
        w->state = WORKER_IDLE;
        *res = w->result;
    }
    pthread_mutex_unlock(&w->lock);
    return is_done;
}
