/* drained.c - gathers the samples of a rectangle with its ring, and drains them. */
#include "program/export/write/drained.h"

#include <math.h>
#include <string.h>

/** The share of the progress that the making of samples takes. */
static const double SAMPLES_SHARE = 0.7;

/** User data of the callbacks. */
typedef struct drained_progress {
    const work_events *events;
    const strips *strips; /* NULL when all samples have been made */
} drained_progress;

static bool goes_on(void *user)
{
    const drained_progress *p = user;
    return work_goes_on(p->events, "drainage",
                        p->strips ? SAMPLES_SHARE * strips_share_made(p->strips) : SAMPLES_SHARE);
}

static bool goes_on_with_step(void *user, const char *step, double share)
{
    const drained_progress *p = user;
    return work_goes_on(p->events, "drainage", SAMPLES_SHARE + (step ? (1.0 - SAMPLES_SHARE) * share : 0.0));
}

static int is_cancelled(void *user)
{
    const work_events *events = ((const drained_progress *)user)->events;
    return events->is_cancelled && events->is_cancelled(events->user);
}

static void take_strip(drained_area *area, const strip *strip)
{
    const size_t width = (size_t)area->request.rect.width + 2, bytes = (size_t)strip->width * sizeof(float);
    for (int64_t row = 0; row < strip->rows; row++) {
        const size_t to = (size_t)(strip->row + row) * width + (size_t)strip->column,
                     from = (size_t)(row * strip->width);
        memcpy(area->height + to, strip->layers[TER_LAYER_HEIGHT] + from, bytes);
        if (strip->layers[TER_LAYER_WATER])
            memcpy(area->water + to, strip->layers[TER_LAYER_WATER] + from, bytes);
        for (int64_t n = 0; n < strip->width && !strip->layers[TER_LAYER_WATER]; n++)
            area->water[to + (size_t)n] = NAN;
    }
}

static result gather(drained_area *area, const strips_source *source, drained_progress *p)
{
    const ter_rect r = area->request.rect, ringed = {r.level, r.i - 1, r.j - 1, r.width + 2, r.height + 2};
    const bool has_water = ter_world_has_layer(source->world, TER_LAYER_WATER);
    const strips_request request = {.world = source->world,
                                    .rects = &ringed,
                                    .n_rects = 1,
                                    .layers = 1U << TER_LAYER_HEIGHT | (has_water ? 1U << TER_LAYER_WATER : 0),
                                    .may_cut_rows = true,
                                    .go_on = goes_on,
                                    .user = p};
    strips *strips = NULL;
    strip strip;
    result res = strips_open(&request, source->generators, source->n_generators, &strips);
    p->strips = strips;
    while (res.kind == RESULT_DONE && (res = strips_next(strips, &strip)).kind == RESULT_DONE && strip.rows > 0)
        take_strip(area, &strip);
    p->strips = NULL;
    strips_close(strips);
    return res;
}

result drained_make(const export_file *file, const strips_source *source, const work_events *events, drained_area *out)
{
    const file_drainage *d = &file->drainage;
    const drained_request request = {.world = source->world,
                                     .rect = d->rect,
                                     .is_conditioned = d->is_conditioned,
                                     .min_area_m2 = d->min_area_km2 * 1e6};
    drained_progress p = {.events = events};
    const work_progress progress = {goes_on_with_step, &p, is_cancelled};
    result res = drained_area_begin(&request, out);
    if (res.kind == RESULT_DONE)
        res = gather(out, source, &p);
    return res.kind == RESULT_DONE ? drained_area_route(out, &progress) : res;
}
