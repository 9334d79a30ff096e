/* probe_thread.c - one question at a time, on a thread of its own. */
#include "program/viewer/camera/probe_thread.h"

#include <pthread.h>
#include <stdlib.h>

struct asker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool has_thread, is_asking, is_over;
    asker_question question;
    result result;
};

static result put(const asker_question *q)
{
    const ter_blended_world between = {TER_SIZED(ter_blended_world), q->world, q->next, q->blend};
    return result_of_library(q->next ? ter_probe_ask_blend(q->probe, &between, q->points, q->count, q->ticket)
                                     : ter_probe_ask(q->probe, q->world, q->points, q->count, q->ticket),
                             "probe");
}

static void *work(void *user)
{
    asker *a = user;
    pthread_mutex_lock(&a->lock);
    while (!a->is_over) {
        if (!a->is_asking) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        pthread_mutex_unlock(&a->lock);
        const result res = put(&a->question);
        pthread_mutex_lock(&a->lock);
        a->result = res;
        a->is_asking = false;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

result asker_create(asker **out)
{
    asker *a = calloc(1, sizeof *a);
    if (!a)
        return result_of(RESULT_FAILED, "out of memory");
    a->result = result_done();
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    a->has_thread = pthread_create(&a->thread, NULL, work, a) == 0;
    *out = a;
    return result_done();
}

void asker_destroy(asker *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->is_over = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    if (a->has_thread)
        pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

void asker_ask(asker *a, const asker_question *question)
{
    if (!a->has_thread) {
        a->result = put(question);
        return;
    }
    pthread_mutex_lock(&a->lock);
    a->question = *question;
    a->is_asking = true;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
}

bool asker_has_settled(asker *a)
{
    pthread_mutex_lock(&a->lock);
    const bool has_settled = !a->is_asking;
    pthread_mutex_unlock(&a->lock);
    return has_settled;
}

result asker_settle(asker *a)
{
    pthread_mutex_lock(&a->lock);
    while (a->is_asking)
        pthread_cond_wait(&a->changed, &a->lock);
    const result res = a->result;
    a->result = result_done();
    pthread_mutex_unlock(&a->lock);
    return res;
}
