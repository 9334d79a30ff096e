/* strips.c - a thread that starts fetches ahead and waits for them in order, and the ring of strips between it and the caller. */
#include "export/strips.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FETCHES = 4, RING_MAX = FETCHES * STRIPS_GENERATORS_MAX }; /* of a generator: being made, copied, ready and written */
static const int64_t STRIP_FLOATS_CPU = (int64_t)1 << 21;         /* 8 MiB: small enough for caches */
static const int64_t STRIP_FLOATS_CUDA = (int64_t)1 << 23;        /* 32 MiB: what lies between two copies is little beside them */

typedef struct slot {
    ter_fetch *fetch;
    strip strip;
} slot;

struct strips {
    strips_request request;
    double range_m[2];
    int64_t width, height; /* of a rectangle */
    int64_t columns_a_strip, rows_a_strip;
    int64_t across, strips_a_rect, n_strips;
    slot ring[RING_MAX];
    int n_slots;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t n_made, n_taken; /* strips handed from thread to caller; the caller holds the last one taken */
    bool is_stopped;
    outcome result;
};

static int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t max_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static ter_rect rect_at(const strips_request *request, size_t n)
{
    return request->rects ? request->rects[n] : request->rect_at(request->rect_set, n);
}

/** Where strip n lies: rows count from the edge that comes first. */
static void place_strip(const strips *s, int64_t n, strip *at)
{
    const int64_t k = n % s->strips_a_rect, first = k / s->across * s->rows_a_strip;
    at->rect = (size_t)(n / s->strips_a_rect);
    at->column = k % s->across * s->columns_a_strip;
    at->width = min_of(s->width - at->column, s->columns_a_strip);
    at->rows = min_of(s->height - first, s->rows_a_strip);
    at->row = s->request.from_south ? s->height - first - at->rows : first;
}

static outcome start_strip(strips *s, int64_t n)
{
    slot *to = &s->ring[n % s->n_slots];
    strip *at = &to->strip;
    place_strip(s, n, at);
    const ter_rect whole = rect_at(&s->request, at->rect);
    const ter_rect rect = {whole.level, whole.i + at->column, whole.j + at->row, at->width, at->rows};
    return outcome_of_library(s->request.range_m
                                  ? ter_fetch_start_u16(to->fetch, s->request.world, &rect, s->range_m[0], s->range_m[1])
                                  : ter_fetch_start(to->fetch, s->request.world, &rect),
                              "");
}

/** Strips that may be started: all but the slots that hold finished ones or the caller's. Waits while strip n must not be. */
static int64_t startable(strips *s, int64_t n, bool *is_stopped)
{
    pthread_mutex_lock(&s->lock);
    while (n >= s->n_taken + s->n_slots - 1 && !s->is_stopped)
        pthread_cond_wait(&s->changed, &s->lock);
    const int64_t end = s->n_taken + s->n_slots - 1;
    *is_stopped = s->is_stopped;
    pthread_mutex_unlock(&s->lock);
    return end < s->n_strips ? end : s->n_strips;
}

static void *generate(void *user)
{
    strips *s = user;
    int64_t n_started = 0;
    for (int64_t n = 0; n < s->n_strips; n++) {
        bool is_stopped = false;
        outcome result = outcome_done();
        const int64_t end = startable(s, n, &is_stopped);
        if (is_stopped)
            break;
        for (; n_started < end && result.kind == OUTCOME_DONE; n_started++)
            result = start_strip(s, n_started);
        strip *made = &s->ring[n % s->n_slots].strip;
        if (result.kind == OUTCOME_DONE)
            result = outcome_of_library(ter_fetch_wait(s->ring[n % s->n_slots].fetch, &made->fetched), "");
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

static void free_strips(strips *s)
{
    for (int n = 0; n < s->n_slots; n++)
        ter_fetch_destroy(s->ring[n].fetch);
    free(s);
}

static outcome create_fetches(strips *s, ter_generator *const *generators, int n_generators)
{
    outcome o = outcome_done();
    s->n_slots = FETCHES * n_generators;
    for (int n = 0; n < s->n_slots && o.kind == OUTCOME_DONE; n++)
        o = outcome_of_library(
            ter_fetch_create(generators[n % n_generators], (size_t)(s->rows_a_strip * s->columns_a_strip), &s->ring[n].fetch), "");
    return o;
}

/** Choose the size of strips. */
static void cut_strips(strips *s, int64_t floats)
{
    const int64_t multiple = s->request.rows_multiple > 1 ? s->request.rows_multiple : 1;
    const ter_rect first = rect_at(&s->request, 0);
    s->width = first.width;
    s->height = first.height;
    s->columns_a_strip = s->width;
    if (s->request.may_cut_rows && s->width * multiple > floats)
        s->columns_a_strip = min_of(s->width, max_of(floats / (multiple * multiple), 1) * multiple);
    s->rows_a_strip = min_of(s->height, max_of(floats / s->columns_a_strip / multiple, 1) * multiple);
    s->across = (s->width + s->columns_a_strip - 1) / s->columns_a_strip;
    s->strips_a_rect = s->across * ((s->height + s->rows_a_strip - 1) / s->rows_a_strip);
    s->n_strips = s->strips_a_rect * (int64_t)s->request.n_rects;
}

outcome strips_open(const strips_request *request, ter_generator *const *generators, int n_generators, strips **out)
{
    strips *s = calloc(1, sizeof *s);
    if (!s)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    s->request = *request;
    if (request->range_m)
        memcpy(s->range_m, request->range_m, sizeof s->range_m);
    cut_strips(s, ter_generator_backend(generators[0]) == TER_BACKEND_CUDA ? STRIP_FLOATS_CUDA : STRIP_FLOATS_CPU);
    s->result = outcome_done();
    outcome o = create_fetches(s, generators, n_generators);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (o.kind == OUTCOME_DONE && pthread_create(&s->thread, NULL, generate, s) != 0)
        o = outcome_of(OUTCOME_FAILED, "no thread to generate on");
    if (o.kind != OUTCOME_DONE) {
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
        *out = s->ring[s->n_taken % s->n_slots].strip;
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
