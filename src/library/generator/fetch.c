/* fetch.c - ter_fetch: hands rectangles to a backend that copies in the background; others fill host memory at once. */
#include <stdbool.h>
#include <stdlib.h>

#include "library/generator/cpu/simd.h"
#include "library/generator/generator.h"

struct ter_fetch {
    ter_generator *generator;
    size_t samples_max;
    void *of_backend;
    float *heights; /* of a backend without fetches of its own; and so */
    uint16_t *samples;
    bool is_started;
    ter_fetched fetched; /* the rectangle started last */
};

ter_status ter_fetch_create(ter_generator *generator, size_t samples_max, ter_fetch **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(out);
    if (samples_max == 0 || samples_max > TER_SAMPLES_MAX / 2) /* half: with what backends put in front of them */
        return ter_fail(TER_EINVAL, "a fetch of at most %zu samples, expected 1 to %zu", samples_max,
                        TER_SAMPLES_MAX / 2);
    ter_fetch *fetch = calloc(1, sizeof *fetch);
    if (!fetch)
        return ter_fail(TER_ENOMEM, "no memory for a fetch");
    fetch->generator = generator;
    fetch->samples_max = samples_max;
    ter_status status = TER_OK;
    if (generator->backend->fetch_create)
        status = generator->backend->fetch_create(generator->state, samples_max, &fetch->of_backend);
    else if (!(fetch->heights = malloc(samples_max * sizeof(float))))
        status = ter_fail(TER_ENOMEM, "no memory for a fetch of %zu samples", samples_max);
    if (status != TER_OK) {
        free(fetch);
        return status;
    }
    *out = fetch;
    return TER_OK;
}

/** Into the fetch's own memory, at once. */
static ter_status fill_now(ter_fetch *fetch, const ter_world *world, const ter_tile *tile,
                           const ter_tile_layout *layout, const ter_quantiser *quantiser)
{
    const ter_row_kernels *kernels = ter_row_kernels_for(TER_SIMD_AUTO);
    const size_t count = (size_t)layout->width * (size_t)layout->height;
    const ter_status status =
        fetch->generator->backend->fill_tiles(fetch->generator->state, world, tile, 1, layout, fetch->heights);
    if (status != TER_OK)
        return status;
    if (quantiser && !fetch->samples)
        fetch->samples = malloc(fetch->samples_max * sizeof(uint16_t));
    if (quantiser && !fetch->samples)
        return ter_fail(TER_ENOMEM, "no memory for a fetch of %zu samples", fetch->samples_max);
    fetch->fetched =
        (ter_fetched){.heights = quantiser ? NULL : fetch->heights, .samples = quantiser ? fetch->samples : NULL};
    kernels->extremes(fetch->heights, count, &fetch->fetched.min_m, &fetch->fetched.max_m);
    if (quantiser)
        fetch->fetched.n_clamped = kernels->quantise(quantiser, fetch->heights, count, fetch->samples);
    return TER_OK;
}

static ter_status start(ter_fetch *fetch, const ter_world *world, const ter_rect *rect, const ter_quantiser *quantiser)
{
    ter_tile tile;
    ter_tile_layout layout;
    fetch->is_started = false;
    ter_status status = ter_rect_as_tile(world, rect, (size_t)rect->width, &tile, &layout);
    if (status != TER_OK)
        return status;
    if ((uint64_t)rect->width * (uint64_t)rect->height > fetch->samples_max)
        return ter_fail(TER_EINVAL, "rectangle of %lld x %lld points, expected at most the fetch's %zu",
                        (long long)rect->width, (long long)rect->height, fetch->samples_max);
    const ter_generator *g = fetch->generator;
    status = ter_check_cancelled(&g->cancel);
    if (status != TER_OK)
        return status;
    status = fetch->of_backend ? g->backend->fetch_start(g->state, fetch->of_backend, world, &tile, &layout, quantiser)
                               : fill_now(fetch, world, &tile, &layout, quantiser);
    fetch->is_started = status == TER_OK;
    return status;
}

ter_status ter_fetch_start(ter_fetch *fetch, const ter_world *world, const ter_rect *rect)
{
    TER_REQUIRE(fetch);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    return start(fetch, world, rect, NULL);
}

ter_status ter_fetch_start_u16(ter_fetch *fetch, const ter_world *world, const ter_rect *rect, double lo, double hi)
{
    TER_REQUIRE(fetch);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    const ter_status status = ter_range_check(lo, hi);
    if (status != TER_OK)
        return status;
    const ter_quantiser quantiser = ter_quantiser_of(lo, hi);
    return start(fetch, world, rect, &quantiser);
}

ter_status ter_fetch_wait(ter_fetch *fetch, ter_fetched *out)
{
    TER_REQUIRE(fetch);
    TER_REQUIRE(out);
    if (!fetch->is_started)
        return ter_fail(TER_EINVAL, "no rectangle to wait for, expected a fetch that was started");
    if (fetch->of_backend)
        return fetch->generator->backend->fetch_wait(fetch->of_backend, out);
    *out = fetch->fetched;
    return TER_OK;
}

void ter_fetch_destroy(ter_fetch *fetch)
{
    if (!fetch)
        return;
    if (fetch->of_backend)
        fetch->generator->backend->fetch_destroy(fetch->of_backend);
    free(fetch->heights);
    free(fetch->samples);
    free(fetch);
}
