/* fetch.c - ter_fetch: hands rectangles to a backend that copies in the background; others fill host memory at once. */
#include "generate/generator.h"

#include <stdlib.h>

struct ter_fetch {
    ter_generator *generator;
    size_t samples_max;
    void *of_backend;
    float *heights; /* of a backend without fetches of its own */
    size_t count;   /* of the rectangle started last */
};

enum { LANES = 16 };

/** Least and greatest height, in lanes that compilers turn into vectors. */
static void find_extremes(const float *heights, size_t count, float extremes_m[2])
{
    float low[LANES], high[LANES];
    for (int k = 0; k < LANES; k++)
        low[k] = high[k] = heights[0];
    for (size_t n = 0; n + LANES <= count; n += LANES)
        for (int k = 0; k < LANES; k++) {
            const float h = heights[n + (size_t)k];
            low[k] = h < low[k] ? h : low[k];
            high[k] = h > high[k] ? h : high[k];
        }
    for (size_t n = count / LANES * LANES; n < count; n++) {
        low[0] = heights[n] < low[0] ? heights[n] : low[0];
        high[0] = heights[n] > high[0] ? heights[n] : high[0];
    }
    extremes_m[0] = low[0];
    extremes_m[1] = high[0];
    for (int k = 1; k < LANES; k++) {
        extremes_m[0] = low[k] < extremes_m[0] ? low[k] : extremes_m[0];
        extremes_m[1] = high[k] > extremes_m[1] ? high[k] : extremes_m[1];
    }
}

ter_status ter_fetch_create(ter_generator *generator, size_t samples_max, ter_fetch **out)
{
    if (samples_max == 0)
        return ter_fail(TER_EINVAL, "a fetch of at most 0 samples, expected at least 1");
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

ter_status ter_fetch_start(ter_fetch *fetch, const ter_world *world, const ter_rect *rect)
{
    ter_tile tile;
    ter_tile_layout layout;
    const ter_backend_table *backend = fetch->generator->backend;
    const ter_status status = ter_rect_as_tile(world, rect, (size_t)rect->width, &tile, &layout);
    if (status != TER_OK)
        return status;
    if ((uint64_t)rect->width * (uint64_t)rect->height > fetch->samples_max)
        return ter_fail(TER_EINVAL, "rectangle of %lld x %lld points, expected at most the fetch's %zu", (long long)rect->width,
                        (long long)rect->height, fetch->samples_max);
    fetch->count = (size_t)rect->width * (size_t)rect->height;
    if (fetch->of_backend)
        return backend->fetch_start(fetch->generator->state, fetch->of_backend, world, &tile, &layout);
    return backend->fill_tiles(fetch->generator->state, world, &tile, 1, &layout, fetch->heights);
}

ter_status ter_fetch_wait(ter_fetch *fetch, const float **heights, float extremes_m[2])
{
    if (fetch->of_backend)
        return fetch->generator->backend->fetch_wait(fetch->of_backend, heights, extremes_m);
    *heights = fetch->heights;
    find_extremes(fetch->heights, fetch->count, extremes_m);
    return TER_OK;
}

void ter_fetch_destroy(ter_fetch *fetch)
{
    if (!fetch)
        return;
    if (fetch->of_backend)
        fetch->generator->backend->fetch_destroy(fetch->of_backend);
    free(fetch->heights);
    free(fetch);
}
