/* strips.c - the generating thread and its ring of strips. */
#include "export/strips.h"

#include <pthread.h>
#include <stdlib.h>

enum { RING = 3 };                                    /* one being written, one ready, one being generated */
static const int64_t STRIP_FLOATS = (int64_t)1 << 20; /* 4 MiB */

typedef struct slot {
    float *heights;
    int64_t rows;
} slot;

struct strips {
    const ter_world *world;
    ter_generator *generator;
    ter_rect rect;
    bool from_south;
    int64_t rows_a_strip, n_strips;
    slot ring[RING];
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t n_made, n_taken; /* strips handed from thread to caller; the caller holds the last one taken */
    bool is_stopped;
    outcome result;
};

static void generate_strip(strips *s, int64_t n, slot *to, outcome *result)
{
    const int64_t k = s->from_south ? s->n_strips - 1 - n : n;
    const int64_t first = k * s->rows_a_strip;
    to->rows = s->rect.height - first < s->rows_a_strip ? s->rect.height - first : s->rows_a_strip;
    const ter_rect rect = {s->rect.level, s->rect.i, s->rect.j + first, s->rect.width, to->rows};
    *result = outcome_of_library(ter_generator_fill(s->generator, s->world, &rect, to->heights, (size_t)rect.width), "");
}

static void *generate(void *user)
{
    strips *s = user;
    for (int64_t n = 0; n < s->n_strips; n++) {
        pthread_mutex_lock(&s->lock);
        while (n - s->n_taken >= RING - 1 && !s->is_stopped)
            pthread_cond_wait(&s->changed, &s->lock);
        const bool stop = s->is_stopped;
        pthread_mutex_unlock(&s->lock);
        if (stop)
            break;
        outcome result;
        generate_strip(s, n, &s->ring[n % RING], &result);
        pthread_mutex_lock(&s->lock);
        s->result = result;
        s->n_made = n + 1;
        pthread_cond_signal(&s->changed);
        pthread_mutex_unlock(&s->lock);
        if (result.kind != OUTCOME_DONE)
            break;
    }
    return NULL;
}

static bool allocate_ring(strips *s)
{
    for (int n = 0; n < RING; n++) {
        s->ring[n].heights = malloc((size_t)(s->rows_a_strip * s->rect.width) * sizeof(float));
        if (!s->ring[n].heights)
            return false;
    }
    return true;
}

static void free_strips(strips *s)
{
    for (int n = 0; n < RING; n++)
        free(s->ring[n].heights);
    free(s);
}

outcome strips_open(const ter_world *world, ter_generator *generator, const ter_rect *rect, bool from_south, strips **out)
{
    strips *s = calloc(1, sizeof *s);
    if (!s)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    s->world = world;
    s->generator = generator;
    s->rect = *rect;
    s->from_south = from_south;
    s->rows_a_strip = STRIP_FLOATS / rect->width > 1 ? STRIP_FLOATS / rect->width : 1;
    s->rows_a_strip = s->rows_a_strip < rect->height ? s->rows_a_strip : rect->height;
    s->n_strips = (rect->height + s->rows_a_strip - 1) / s->rows_a_strip;
    s->result = outcome_done();
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (!allocate_ring(s) || pthread_create(&s->thread, NULL, generate, s) != 0) {
        const outcome o = outcome_of(OUTCOME_FAILED, "no memory for strips of %lld x %lld heights", (long long)rect->width,
                                     (long long)s->rows_a_strip);
        free_strips(s);
        return o;
    }
    *out = s;
    return outcome_done();
}

outcome strips_next(strips *s, strip *out)
{
    pthread_mutex_lock(&s->lock);
    while (s->n_made == s->n_taken && s->n_taken < s->n_strips && s->result.kind == OUTCOME_DONE)
        pthread_cond_wait(&s->changed, &s->lock);
    const outcome result = s->result;
    *out = (strip){0};
    if (result.kind == OUTCOME_DONE && s->n_taken < s->n_strips) {
        const slot *from = &s->ring[s->n_taken % RING];
        *out = (strip){.heights = from->heights, .rows = from->rows};
        s->n_taken++;
        pthread_cond_signal(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return result;
}

void strips_close(strips *s)
{
    if (!s)
        return;
    pthread_mutex_lock(&s->lock);
    s->is_stopped = true;
    pthread_cond_signal(&s->changed);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->thread, NULL);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free_strips(s);
}
