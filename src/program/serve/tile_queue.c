/* tile_queue.c - the list of waiting jobs, the threads that make them, and the thread that finds readers who have gone.
 */
#include "program/serve/tile_queue.h"

#include <pthread.h>
#include <stdlib.h>

#include "program/core/system.h"

static const long LOOK_NS = 50 * 1000 * 1000; /* time between two looks for readers who have gone */

/** A thread that makes tiles. */
typedef struct worker {
    tile_jobs *jobs;
    web_maker *maker;
    pthread_t thread;
    tile_job *batch[WEB_BATCH_MAX]; /* jobs that are made; changed under the lock */
    int n_batch;
    atomic_bool is_cancelled; /* the whole batch */
} worker;

struct tile_jobs {
    tile_jobs_setup setup;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a job was added, or the queue is closed */
    tile_job *first, *last; /* waiting */
    int count;
    bool is_closed;
    worker workers[WEB_THREADS_MAX];
    int n_workers; /* running threads */
    pthread_t looker;
    bool has_looker;
};

/* ---- the list ---- */

bool tile_jobs_add(tile_jobs *q, tile_job *job)
{
    pthread_mutex_lock(&q->lock);
    const bool fits = !q->is_closed && q->count < q->setup.most;
    if (fits) {
        job->next = NULL;
        if (q->last)
            q->last->next = job;
        else
            q->first = job;
        q->last = job;
        q->count++;
        pthread_cond_signal(&q->changed);
    }
    pthread_mutex_unlock(&q->lock);
    return fits;
}

/** Take the first job from the list, which is not empty. The caller has the lock. */
static tile_job *take_first(tile_jobs *q)
{
    tile_job *job = q->first;
    q->first = job->next;
    q->last = q->first ? q->last : NULL;
    q->count--;
    return job;
}

/** Take a batch from the list, which is not empty: one map, or tiles of heights, but not more than a worker's share of
 * the list. The caller has the lock. */
static void take_batch(tile_jobs *q, worker *w)
{
    const int share = q->count / q->setup.n_threads, most = share < WEB_BATCH_MAX ? share : WEB_BATCH_MAX;
    w->batch[0] = take_first(q);
    w->n_batch = 1;
    while (w->n_batch < most && web_kind_is_height(w->batch[0]->tile.kind) && q->first &&
           web_kind_is_height(q->first->tile.kind))
        w->batch[w->n_batch++] = take_first(q);
}

/* ---- workers ---- */

/** Asked by the generator of a worker. */
static int is_cancelled(void *user)
{
    const worker *w = user;
    const ter_generator_options *o = &w->jobs->setup.options;
    return atomic_load(&w->is_cancelled) || (o->is_cancelled && o->is_cancelled(o->cancel_user));
}

/** Make the jobs of a batch whose readers have not gone. */
static void do_batch(worker *w)
{
    web_order orders[WEB_BATCH_MAX];
    tile_job *made[WEB_BATCH_MAX];
    int count = 0;
    for (int n = 0; n < w->n_batch; n++) {
        tile_job *job = w->batch[n];
        job->result = result_of(RESULT_INTERRUPTED, "cancelled");
        if (!atomic_load(&job->is_cancelled)) {
            orders[count] = (web_order){.tile = job->tile};
            made[count++] = job;
        }
    }
    if (count > 0)
        web_tiles_make(w->maker, &w->jobs->setup.land, orders, count);
    for (int n = 0; n < count; n++) {
        made[n]->result = orders[n].result;
        made[n]->bytes = orders[n].bytes;
        made[n]->size = orders[n].size;
    }
}

/** Make the batch of a worker, and tell that its jobs are done. The caller has the lock, which is released meanwhile.
 */
static void work_on_batch(worker *w)
{
    tile_jobs *q = w->jobs;
    const int count = w->n_batch;
    atomic_store(&w->is_cancelled, q->is_closed);
    pthread_mutex_unlock(&q->lock);
    do_batch(w);
    pthread_mutex_lock(&q->lock);
    w->n_batch = 0; /* only this thread changes w->batch */
    pthread_mutex_unlock(&q->lock);
    for (int n = 0; n < count; n++)
        q->setup.done(w->batch[n]);
    pthread_mutex_lock(&q->lock);
}

static void *work(void *user)
{
    worker *w = user;
    tile_jobs *q = w->jobs;
    pthread_mutex_lock(&q->lock);
    while (q->first || !q->is_closed) {
        if (q->first) {
            take_batch(q, w);
            work_on_batch(w);
        } else {
            pthread_cond_wait(&q->changed, &q->lock);
        }
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* ---- readers who have gone ---- */

/** Cancel a worker's batch if all its readers have gone. */
static void cancel_batch_if_gone(worker *w)
{
    int n_gone = 0;
    for (int n = 0; n < w->n_batch; n++)
        n_gone += loopback_has_gone(w->batch[n]->socket);
    if (w->n_batch > 0 && n_gone == w->n_batch)
        atomic_store(&w->is_cancelled, true);
}

/** Cancel the jobs whose readers have gone. The caller has the lock, so no job ends meanwhile. */
static void cancel_gone(tile_jobs *q)
{
    for (tile_job *job = q->first; job; job = job->next)
        if (loopback_has_gone(job->socket))
            atomic_store(&job->is_cancelled, true);
    for (int n = 0; n < q->n_workers; n++)
        cancel_batch_if_gone(&q->workers[n]);
}

static void *look_for_gone(void *user)
{
    tile_jobs *q = user;
    bool is_closed = false;
    while (!is_closed) {
        system_rest(LOOK_NS);
        pthread_mutex_lock(&q->lock);
        cancel_gone(q);
        is_closed = q->is_closed;
        pthread_mutex_unlock(&q->lock);
    }
    return NULL;
}

/* ---- begin and end ---- */

static result start_worker(tile_jobs *q, worker *w)
{
    ter_generator_options options = q->setup.options;
    ter_generator *generator = NULL;
    w->jobs = q;
    options.is_cancelled = is_cancelled;
    options.cancel_user = w;
    result res = result_of_library(ter_generator_create(&options, &generator), "--backend");
    if (res.kind == RESULT_DONE)
        res = web_maker_create(generator, &w->maker);
    if (res.kind == RESULT_DONE && pthread_create(&w->thread, NULL, work, w) != 0) {
        web_maker_destroy(w->maker);
        res = result_of(RESULT_FAILED, "the system gives no thread");
    }
    return res;
}

result tile_jobs_create(const tile_jobs_setup *setup, tile_jobs **out)
{
    tile_jobs *q = calloc(1, sizeof *q);
    *out = q;
    if (!q)
        return result_of(RESULT_FAILED, "no memory for the queue of tiles");
    q->setup = *setup;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    result res = result_done();
    for (int n = 0; n < setup->n_threads && res.kind == RESULT_DONE; n++) {
        res = start_worker(q, &q->workers[n]);
        pthread_mutex_lock(&q->lock);
        q->n_workers += res.kind == RESULT_DONE;
        pthread_mutex_unlock(&q->lock);
    }
    if (res.kind == RESULT_DONE) {
        q->has_looker = pthread_create(&q->looker, NULL, look_for_gone, q) == 0;
        if (!q->has_looker)
            res = result_of(RESULT_FAILED, "the system gives no thread");
    }
    return res;
}

void tile_jobs_close(tile_jobs *q)
{
    pthread_mutex_lock(&q->lock);
    q->is_closed = true;
    for (tile_job *job = q->first; job; job = job->next)
        atomic_store(&job->is_cancelled, true);
    for (int n = 0; n < q->n_workers; n++)
        atomic_store(&q->workers[n].is_cancelled, true);
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    for (int n = 0; n < q->n_workers; n++)
        pthread_join(q->workers[n].thread, NULL);
    if (q->has_looker)
        pthread_join(q->looker, NULL);
    for (int n = 0; n < q->n_workers; n++)
        web_maker_destroy(q->workers[n].maker);
    q->n_workers = 0;
    q->has_looker = false;
}

void tile_jobs_destroy(tile_jobs *q)
{
    if (!q)
        return;
    tile_jobs_close(q);
    pthread_cond_destroy(&q->changed);
    pthread_mutex_destroy(&q->lock);
    free(q);
}
