/* tile_queue.c - the list of waiting jobs, the threads that make them, and the thread that finds readers who have gone.
 */
#include "program/serve/tile_queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

static const long LOOK_NS = 50 * 1000 * 1000; /* time between two looks for readers who have gone */

/** A thread that makes tiles. */
typedef struct worker {
    tile_jobs *jobs;
    web_maker *maker;
    pthread_t thread;
    tile_job *current; /* changed under the lock */
    atomic_bool is_cancelled;
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

/** Take the first job from the list; NULL if there is none. The caller has the lock. */
static tile_job *take_first(tile_jobs *q)
{
    tile_job *job = q->first;
    if (!job)
        return NULL;
    q->first = job->next;
    q->last = q->first ? q->last : NULL;
    q->count--;
    return job;
}

/* ---- workers ---- */

/** Asked by the generator of a worker. */
static int is_cancelled(void *user)
{
    const worker *w = user;
    const ter_generator_options *o = &w->jobs->setup.options;
    return atomic_load(&w->is_cancelled) || (o->is_cancelled && o->is_cancelled(o->cancel_user));
}

static void do_job(worker *w, tile_job *job)
{
    job->result = result_of(RESULT_INTERRUPTED, "cancelled");
    if (!atomic_load(&job->is_cancelled))
        job->result = web_tile_make(w->maker, &w->jobs->setup.land, &job->tile, &job->bytes, &job->size);
}

static void *work(void *user)
{
    worker *w = user;
    tile_jobs *q = w->jobs;
    pthread_mutex_lock(&q->lock);
    for (;;) {
        tile_job *job = take_first(q);
        if (!job && q->is_closed)
            break;
        if (!job) {
            pthread_cond_wait(&q->changed, &q->lock);
            continue;
        }
        w->current = job;
        atomic_store(&w->is_cancelled, q->is_closed);
        pthread_mutex_unlock(&q->lock);
        do_job(w, job);
        pthread_mutex_lock(&q->lock);
        w->current = NULL;
        pthread_mutex_unlock(&q->lock);
        q->setup.done(job);
        pthread_mutex_lock(&q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* ---- readers who have gone ---- */

static bool has_gone(int descriptor)
{
    char byte;
    if (descriptor < 0)
        return false;
    const ssize_t n = recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

/** Cancel the jobs whose readers have gone. The caller has the lock, so no job ends meanwhile. */
static void cancel_gone(tile_jobs *q)
{
    for (tile_job *job = q->first; job; job = job->next)
        if (has_gone(job->descriptor))
            atomic_store(&job->is_cancelled, true);
    for (int n = 0; n < q->n_workers; n++)
        if (q->workers[n].current && has_gone(q->workers[n].current->descriptor))
            atomic_store(&q->workers[n].is_cancelled, true);
}

static void *look_for_gone(void *user)
{
    tile_jobs *q = user;
    const struct timespec wait = {.tv_nsec = LOOK_NS};
    bool is_closed = false;
    while (!is_closed) {
        nanosleep(&wait, NULL);
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
