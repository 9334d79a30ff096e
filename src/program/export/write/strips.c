/* strips.c - threads that make strips, and the ring of slots through which the caller gets them.
 *
 * If only heights are requested from a GPU, asynchronous fetches make them: one thread starts fetches ahead and waits
 * for them in order. On the CPU, and for other layers on any backend, generation is synchronous: each generator has a
 * thread, which makes a strip piece by piece. The thread can stop after each piece. */
#include "program/export/write/strips.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "program/core/fill.h"
#include "program/core/min_max.h"
#include "program/core/work_pieces.h"
#include "program/export/layers/any_water.h"

enum {
    FETCHES = 4,       /* slots of a generator: strips that are generated, copied, waiting, and used by the caller */
    LAYERED_SLOTS = 3, /* slots if layers other than heights are requested: no strip is being copied */
    RING_MAX = FETCHES * STRIPS_GENERATORS_MAX
};
static const int64_t STRIP_FLOATS_CPU = (int64_t)1 << 21;  /* 8 MiB for each layer: fits caches */
static const int64_t STRIP_FLOATS_CUDA = (int64_t)1 << 23; /* 32 MiB: a copy takes much longer than the gap after it */
/* Preferred height of strips of fluvial worlds on the CPU, in lattice steps. The land around a strip must be computed
 * too; low strips compute more of this land for each sample. */
static const int FLUVIAL_STRIP_ROWS = 4096;

static const long ASK_NS = 50 * 1000 * 1000; /* time between two calls of go_on while the caller waits */

typedef struct slot {
    ter_generator *generator;
    ter_fetch *fetch; /* NULL if other layers than heights are requested */
    void *assembled;  /* memory for heights of a strip made of several pieces; NULL until it is needed */
    void *layers;     /* memory for a strip of several layers, one after another */
    strip strip;
} slot;

/** A thread that makes the strips first, first + step, first + 2 step, and so on. */
typedef struct maker {
    struct strips *strips;
    int64_t first, step;
    work_pieces pieces; /* pieces of synchronous generation */
    pthread_t thread;
} maker;

struct strips {
    strips_request request;
    double range_m[2];
    int64_t width, height;             /* samples of a rectangle */
    int64_t strip_columns, strip_rows; /* samples of a strip; strips at the end of a rectangle may be smaller */
    int64_t strips_across;             /* strips side by side in a rectangle */
    int64_t strips_per_rect, n_strips;
    slot ring[RING_MAX];
    int n_slots;
    maker makers[STRIPS_GENERATORS_MAX];
    int n_makers; /* number of running threads */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t n_made;  /* strips that threads have finished */
    int64_t n_taken; /* strips that the caller has taken; the caller still uses the last one */
    atomic_bool is_stopped;
    double n_samples;            /* samples of all strips, with aprons */
    atomic_llong n_samples_made; /* samples made so far, also of unfinished strips */
    result result;
    bool is_layered;     /* other layers than heights are requested */
    bool is_synchronous; /* the call that starts a strip also finishes it */
};

static ter_rect rect_at(const strips_request *request, size_t n)
{
    return request->rects ? request->rects[n] : request->rect_at(request->rect_set, n);
}

/** Compute rectangle, place and size of strip n. */
static void place_strip(const strips *s, int64_t n, strip *at)
{
    at->apron = s->request.apron;
    const int64_t k = n % s->strips_per_rect, first = k / s->strips_across * s->strip_rows;
    at->rect = (size_t)(n / s->strips_per_rect);
    at->column = k % s->strips_across * s->strip_columns;
    at->width = min_of(s->width - at->column, s->strip_columns);
    at->rows = min_of(s->height - first, s->strip_rows);
    at->row = s->request.from_south ? s->height - first - at->rows : first;
}

static result start_fetch(const strips *s, ter_fetch *fetch, const ter_rect *rect)
{
    ter_fetch_request request = {TER_SIZED(ter_fetch_request)};
    if (s->request.range_m) {
        request.sample_type = TER_SAMPLE_U16;
        request.lo = s->range_m[0];
        request.hi = s->range_m[1];
    }
    const ter_status status = ter_fetch_start(fetch, s->request.world, rect, &request);
    return result_of_library(status, "");
}

/** Copy a piece of heights into its strip, and update the strip's least and greatest height and its number of clamped
 * samples. */
static result add_piece(const strips *s, slot *to, const work_pieces *p, const ter_fetched *piece)
{
    const bool is_scaled = s->request.range_m;
    const size_t size = is_scaled ? sizeof *piece->samples : sizeof *piece->heights;
    const char *from = is_scaled ? (const char *)piece->samples : (const char *)piece->heights;
    if (!to->assembled &&
        !(to->assembled = malloc(
              (size_t)((s->strip_rows + 2 * s->request.apron) * (s->strip_columns + 2 * s->request.apron)) * size)))
        return result_of(RESULT_FAILED, "no memory for a strip");
    for (int64_t row = 0; row < p->piece_rows; row++)
        memcpy((char *)to->assembled + (size_t)((p->row + row) * p->width + p->column) * size,
               from + (size_t)(row * p->piece_width) * size, (size_t)p->piece_width * size);
    ter_fetched *all = &to->strip.fetched;
    if (p->row == 0 && p->column == 0)
        *all = *piece;
    else
        all->n_clamped += piece->n_clamped;
    all->min_m = piece->min_m < all->min_m ? piece->min_m : all->min_m;
    all->max_m = piece->max_m > all->max_m ? piece->max_m : all->max_m;
    all->samples = is_scaled ? to->assembled : NULL;
    all->heights = is_scaled ? NULL : to->assembled;
    return result_done();
}

/** Generate a piece of a strip for which only heights are requested. */
static result make_heights(const strips *s, slot *to, const work_pieces *p, const ter_rect *piece)
{
    const ter_fetched *made = NULL;
    result res = start_fetch(s, to->fetch, piece);
    if (res.kind == RESULT_DONE)
        res = result_of_library(ter_fetch_wait(to->fetch, &made), "");
    if (res.kind != RESULT_DONE)
        return res;
    if (!work_pieces_is_whole(p))
        return add_piece(s, to, p, made);
    to->strip.fetched = *made;
    return res;
}

static bool has_layers(const layer_arrays *layers)
{
    bool has_any = false;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        has_any |= layers->at[layer] != NULL;
    return has_any;
}

/** Generate a piece of all layers of a strip, in the strip's memory. */
static result make_layers(const strips *s, slot *to, const work_pieces *p, const ter_rect *piece)
{
    layer_arrays out = {{0}};
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (to->strip.layers[layer])
            out.at[layer] = to->strip.layers[layer] + p->row * p->width + p->column;
    ter_status status = TER_OK;
    float *water = out.at[TER_LAYER_WATER];
    if (s->request.is_any_water)
        out.at[TER_LAYER_WATER] = NULL;
    if (has_layers(&out))
        status = fill_rect(to->generator, s->request.world, piece, &out, (size_t)p->width);
    if (status == TER_OK && s->request.is_any_water)
        status = any_water_fill(to->generator, s->request.world, piece, water, (size_t)p->width);
    if (status == TER_ENOMEM)
        return result_of(RESULT_FAILED, "no memory for a strip");
    return result_of_library(status, "");
}

/** Generate a strip piece by piece. Stops before the strip is finished when the strips are closed. */
static result make_in_pieces(maker *m, slot *to, const ter_rect *strip)
{
    strips *s = m->strips;
    const work_pieces *p = &m->pieces;
    result res = result_done();
    work_pieces_begin(&m->pieces, strip->width, strip->height);
    while (res.kind == RESULT_DONE && !s->is_stopped && !s->request.is_blank && work_pieces_next(&m->pieces)) {
        const ter_rect piece = {strip->level, strip->i + p->column, strip->j + p->row, p->piece_width, p->piece_rows};
        res = (s->is_layered ? make_layers : make_heights)(s, to, p, &piece);
        atomic_fetch_add(&s->n_samples_made, p->piece_width * p->piece_rows);
    }
    return res;
}

static result start_strip(maker *m, int64_t n)
{
    strips *s = m->strips;
    slot *to = &s->ring[n % s->n_slots];
    strip *at = &to->strip;
    place_strip(s, n, at);
    const ter_rect whole = rect_at(&s->request, at->rect);
    const int apron = s->request.apron;
    const ter_rect rect = {whole.level, whole.i + at->column - apron, whole.j + at->row - apron, at->width + 2 * apron,
                           at->rows + 2 * apron};
    return s->is_synchronous ? make_in_pieces(m, to, &rect) : start_fetch(s, to->fetch, &rect);
}

static result finish_strip(strips *s, int64_t n)
{
    slot *finished = &s->ring[n % s->n_slots];
    const strip *at = &finished->strip;
    const ter_fetched *fetched = NULL;
    const result res =
        s->is_synchronous ? result_done() : result_of_library(ter_fetch_wait(finished->fetch, &fetched), "");
    if (fetched)
        finished->strip.fetched = *fetched;
    if (!s->is_layered)
        finished->strip.layers[TER_LAYER_HEIGHT] = finished->strip.fetched.heights;
    if (!s->is_synchronous)
        atomic_fetch_add(&s->n_samples_made, (at->width + 2 * at->apron) * (at->rows + 2 * at->apron));
    return res;
}

/** Wait until a slot for strip n is free. Returns the number of the first strip that must not be started yet. For
 * synchronous generation this is n + 1; otherwise each free slot gets a strip. */
static int64_t startable(strips *s, int64_t n)
{
    pthread_mutex_lock(&s->lock);
    while (n >= s->n_taken + s->n_slots - 1 && !s->is_stopped)
        pthread_cond_wait(&s->changed, &s->lock);
    const int64_t end = s->is_synchronous ? n + 1 : s->n_taken + s->n_slots - 1;
    pthread_mutex_unlock(&s->lock);
    return end < s->n_strips ? end : s->n_strips;
}

/** Hand strip n to the caller, after all strips before it. Returns false if no further strips are needed, because a
 * strip has failed. */
static bool hand_over(strips *s, int64_t n, const result *res)
{
    pthread_mutex_lock(&s->lock);
    while (s->n_made < n && s->result.kind == RESULT_DONE && !s->is_stopped)
        pthread_cond_wait(&s->changed, &s->lock);
    if (s->n_made == n && s->result.kind == RESULT_DONE) {
        s->result = *res;
        s->n_made = n + 1;
    }
    const bool goes_on = s->result.kind == RESULT_DONE;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    return goes_on;
}

static void *generate(void *user)
{
    maker *m = user;
    strips *s = m->strips;
    int64_t n_started = m->first;
    for (int64_t n = m->first; n < s->n_strips; n += m->step) {
        result res = result_done();
        const int64_t end = startable(s, n);
        for (; n_started < end && res.kind == RESULT_DONE && !s->is_stopped; n_started += m->step)
            res = start_strip(m, n_started);
        if (s->is_stopped)
            break;
        if (res.kind == RESULT_DONE)
            res = finish_strip(s, n);
        if (!hand_over(s, n, &res))
            break;
    }
    return NULL;
}

static void free_strips(strips *s)
{
    for (int n = 0; n < s->n_slots; n++) {
        ter_fetch_destroy(s->ring[n].fetch);
        ter_host_memory_destroy(s->ring[n].generator, s->ring[n].layers);
        free(s->ring[n].assembled);
    }
    free(s);
}

/** Allocate a slot's memory for layers of at most `count` samples. */
static result create_layers(const strips *s, slot *target, size_t count)
{
    const unsigned layers = s->request.is_blank ? 0 : s->request.layers;
    void *memory = NULL;
    if (layers == 0)
        return result_done();
    const size_t bytes = (size_t)__builtin_popcount(layers) * count * sizeof(float);
    const result res = result_of_library(ter_host_memory_create(target->generator, bytes, &memory), "");
    if (res.kind != RESULT_DONE)
        return res;
    float *next = target->layers = memory;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (layers & 1U << layer) {
            target->strip.layers[layer] = next;
            next += count;
        }
    return res;
}

static result create_slots(strips *s, ter_generator *const *generators, int n_generators)
{
    result res = result_done();
    const int aprons = 2 * s->request.apron;
    const size_t count = (size_t)(s->strip_rows + aprons) * (size_t)(s->strip_columns + aprons);
    s->n_slots = (s->is_layered ? LAYERED_SLOTS : FETCHES) * n_generators;
    for (int n = 0; n < s->n_slots && res.kind == RESULT_DONE; n++) {
        slot *made = &s->ring[n];
        const ter_fetch_options options = {TER_SIZED(ter_fetch_options), .samples_max = count};
        made->generator = generators[n % n_generators];
        res = s->is_layered ? create_layers(s, made, count)
                            : result_of_library(ter_fetch_create(made->generator, &options, &made->fetch), "");
    }
    return res;
}

/** Choose the number of samples of a strip. */
static int64_t floats_of_strip(const strips *s)
{
    const ter_params *params = ter_world_params(s->request.world);
    const ter_rect first = rect_at(&s->request, 0);
    const int n_layers = __builtin_popcount(s->request.layers), lod = params->levels - first.level;
    if (!s->is_synchronous)
        return STRIP_FLOATS_CUDA;
    if (params->basis != TER_BASIS_FLUVIAL)
        return STRIP_FLOATS_CPU;
    const int64_t wanted = max_of(lod > 0 ? FLUVIAL_STRIP_ROWS >> lod : FLUVIAL_STRIP_ROWS, 1) * first.width,
                  most = STRIP_FLOATS_CUDA / max_of(n_layers, 1);
    return max_of(min_of(wanted, most), STRIP_FLOATS_CPU);
}

/** Cut the rectangles into strips of about `floats` samples. */
static void cut_strips(strips *s, int64_t floats)
{
    const int64_t multiple = s->request.rows_multiple > 1 ? s->request.rows_multiple : 1;
    const ter_rect first = rect_at(&s->request, 0);
    s->width = first.width;
    s->height = first.height;
    s->strip_columns = s->width;
    if (s->request.may_cut_rows && s->width * multiple > floats)
        s->strip_columns = min_of(s->width, max_of(floats / (multiple * multiple), 1) * multiple);
    s->strip_rows = min_of(s->height, max_of(floats / s->strip_columns / multiple, 1) * multiple);
    s->strips_across = (s->width + s->strip_columns - 1) / s->strip_columns;
    s->strips_per_rect = s->strips_across * ((s->height + s->strip_rows - 1) / s->strip_rows);
    s->n_strips = s->strips_per_rect * (int64_t)s->request.n_rects;
    const double aprons = 2.0 * s->request.apron;
    s->n_samples = ((double)s->width + (double)s->strips_across * aprons) *
                   ((double)s->height + (double)(s->strips_per_rect / s->strips_across) * aprons) *
                   (double)s->request.n_rects;
}

static void stop_makers(strips *s)
{
    pthread_mutex_lock(&s->lock);
    s->is_stopped = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (int n = 0; n < s->n_makers; n++)
        pthread_join(s->makers[n].thread, NULL);
}

/** Start the threads: one for asynchronous fetches; for synchronous generation one for each generator. */
static result start_makers(strips *s, int n_generators)
{
    const int n_wanted = s->is_synchronous ? n_generators : 1;
    for (; s->n_makers < n_wanted; s->n_makers++) {
        maker *m = &s->makers[s->n_makers];
        *m = (maker){.strips = s,
                     .first = s->n_makers,
                     .step = n_wanted,
                     .pieces = work_pieces_create(s->strip_rows * s->strip_columns)};
        if (pthread_create(&m->thread, NULL, generate, m) != 0) {
            stop_makers(s);
            return result_of(RESULT_FAILED, "no thread to generate on");
        }
    }
    return result_done();
}

result strips_open(const strips_request *request, ter_generator *const *generators, int n_generators, strips **out)
{
    strips *s = calloc(1, sizeof *s);
    if (!s)
        return result_of(RESULT_FAILED, "out of memory");
    s->request = *request;
    if (request->range_m)
        memcpy(s->range_m, request->range_m, sizeof s->range_m);
    const bool is_cpu = ter_generator_backend(generators[0]) == TER_BACKEND_CPU;
    s->is_layered = request->is_blank || (request->layers & ~(1U << TER_LAYER_HEIGHT)) != 0;
    s->is_synchronous = is_cpu || s->is_layered;
    cut_strips(s, floats_of_strip(s));
    s->result = result_done();
    result res = create_slots(s, generators, n_generators);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    if (res.kind == RESULT_DONE)
        res = start_makers(s, n_generators);
    if (res.kind != RESULT_DONE) {
        free_strips(s);
        return res;
    }
    *out = s;
    return result_done();
}

/** Wait until a strip is finished, or for ASK_NS, and call go_on. Returns what go_on returns. The caller holds the
 * lock.
 */
static bool wait_or_ask(strips *s)
{
    struct timespec end;
    if (!s->request.go_on) {
        pthread_cond_wait(&s->changed, &s->lock);
        return true;
    }
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += ASK_NS;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&s->changed, &s->lock, &end);
    return s->request.go_on(s->request.user);
}

result strips_next(strips *s, strip *out)
{
    bool goes_on = true;
    pthread_mutex_lock(&s->lock);
    while (goes_on && s->n_made == s->n_taken && s->n_taken < s->n_strips && s->result.kind == RESULT_DONE)
        goes_on = wait_or_ask(s);
    const result res = goes_on ? s->result : result_of(RESULT_INTERRUPTED, "interrupted");
    *out = (strip){0};
    if (res.kind == RESULT_DONE && s->n_taken < s->n_strips) {
        *out = s->ring[s->n_taken % s->n_slots].strip;
        s->n_taken++;
        pthread_cond_broadcast(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return res;
}

double strips_share_made(const strips *s)
{
    return (double)atomic_load(&s->n_samples_made) / s->n_samples;
}

void strips_close(strips *s)
{
    if (!s)
        return;
    stop_makers(s);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free_strips(s);
}
