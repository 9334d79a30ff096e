/* probe_thread.c - the thread submits one query at a time. */
#include "program/viewer/camera/probe_thread.h"

#include <pthread.h>
#include <stdlib.h>

struct probe_thread {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool has_thread, is_busy, is_over;
    probe_query query;
    result result;
};

static result submit(const probe_query *q)
{
    const ter_blended_world between = {TER_SIZED(ter_blended_world), q->world, q->next, q->blend};
    return result_of_library(q->next ? ter_probe_ask_blend(q->probe, &between, q->points, q->count, q->ticket)
                                     : ter_probe_ask(q->probe, q->world, q->points, q->count, q->ticket),
                             "probe");
}

static void *work(void *user)
{
    probe_thread *t = user;
    pthread_mutex_lock(&t->lock);
    while (!t->is_over) {
        if (!t->is_busy) {
            pthread_cond_wait(&t->changed, &t->lock);
            continue;
        }
        pthread_mutex_unlock(&t->lock);
        const result res = submit(&t->query);
        pthread_mutex_lock(&t->lock);
        t->result = res;
        t->is_busy = false;
        pthread_cond_broadcast(&t->changed);
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

result probe_thread_create(probe_thread **out)
{
    probe_thread *t = calloc(1, sizeof *t);
    if (!t)
        return result_of(RESULT_FAILED, "out of memory");
    t->result = result_done();
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    t->has_thread = pthread_create(&t->thread, NULL, work, t) == 0;
    *out = t;
    return result_done();
}

void probe_thread_destroy(probe_thread *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&t->lock);
    t->is_over = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
    if (t->has_thread)
        pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

void probe_thread_submit(probe_thread *t, const probe_query *query)
{
    if (!t->has_thread) {
        t->result = submit(query);
        return;
    }
    pthread_mutex_lock(&t->lock);
    t->query = *query;
    t->is_busy = true;
    pthread_cond_broadcast(&t->changed);
    pthread_mutex_unlock(&t->lock);
}

bool probe_thread_is_idle(probe_thread *t)
{
    pthread_mutex_lock(&t->lock);
    const bool is_idle = !t->is_busy;
    pthread_mutex_unlock(&t->lock);
    return is_idle;
}

result probe_thread_wait(probe_thread *t)
{
    pthread_mutex_lock(&t->lock);
    while (t->is_busy)
        pthread_cond_wait(&t->changed, &t->lock);
    const result res = t->result;
    t->result = result_done();
    pthread_mutex_unlock(&t->lock);
    return res;
}
