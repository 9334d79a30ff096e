/* fetch.c - ter_fetch: a backend with fetches makes and copies rectangles in the background. The other backends fill
 * host memory before ter_fetch_start returns. */
#include <stdbool.h>
#include <stdlib.h>

#include "library/core/sized_struct.h"
#include "library/generator/checks.h"
#include "library/generator/cpu/simd.h"

struct ter_fetch {
    ter_generator *generator;
    size_t samples_max;
    int layers_max;
    void *of_backend;
    /* Only for backends without fetches: */
    float *memory;              /* layers_max arrays of samples_max floats */
    uint16_t *samples;          /* 16-bit samples; allocated when they are first requested */
    float *at[TER_LAYER_COUNT]; /* layers of the last rectangle, in the order of the request */
    /* For all backends: */
    bool is_started;
    ter_fetched fetched;
};

static ter_status check_options(const ter_fetch_options *options)
{
    if (options->samples_max == 0 || options->samples_max > TER_SAMPLES_MAX / 2) /* half: backends add other data */
        return ter_fail(TER_EINVAL, "a fetch of at most %zu samples, expected 1 to %zu", options->samples_max,
                        TER_SAMPLES_MAX / 2);
    if (options->layers_max < 0 || options->layers_max > TER_LAYER_COUNT)
        return ter_fail(TER_EINVAL, "a fetch of at most %d layers, expected 0 to %d", options->layers_max,
                        TER_LAYER_COUNT);
    if (options->samples_max > TER_SAMPLES_MAX / 2 / TER_LAYER_COUNT && options->layers_max > 1)
        return ter_fail(TER_EINVAL, "a fetch of %d layers of %zu samples needs more memory than can be addressed",
                        options->layers_max, options->samples_max);
    return TER_OK;
}

static ter_status create_memory(ter_fetch *fetch)
{
    const ter_backend_table *backend = fetch->generator->backend;
    if (backend->fetch_create)
        return backend->fetch_create(fetch->generator->state, fetch->samples_max, fetch->layers_max,
                                     &fetch->of_backend);
    fetch->memory = malloc((size_t)fetch->layers_max * fetch->samples_max * sizeof(float));
    return fetch->memory ? TER_OK : ter_fail(TER_ENOMEM, "no memory for a fetch of %zu samples", fetch->samples_max);
}

ter_status ter_fetch_create(ter_generator *generator, const ter_fetch_options *caller_options, ter_fetch **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE_NAMED(caller_options, "options");
    TER_REQUIRE(out);
    ter_fetch_options options = {TER_SIZED(ter_fetch_options)};
    TER_READ_STRUCT(&options, caller_options, ter_fetch_options);
    ter_status status = check_options(&options);
    if (status != TER_OK)
        return status;
    ter_fetch *fetch = calloc(1, sizeof *fetch);
    if (!fetch)
        return ter_fail(TER_ENOMEM, "no memory for a fetch");
    fetch->generator = generator;
    fetch->samples_max = options.samples_max;
    fetch->layers_max = options.layers_max > 0 ? options.layers_max : 1;
    status = create_memory(fetch);
    if (status != TER_OK) {
        free(fetch);
        return status;
    }
    *out = fetch;
    return TER_OK;
}

/** A rectangle to make, from arguments that have been checked. */
typedef struct fetching {
    ter_tile tile;
    ter_tile_layout layout;
    ter_layer_list layers;
    bool is_u16;
    ter_quantiser quantiser;
} fetching;

static ter_status read_layers(const ter_fetch *fetch, const ter_world *world, const ter_fetch_request *request,
                              ter_layer_list *out)
{
    static const ter_layer height = TER_LAYER_HEIGHT;
    const ter_layer *layers = request->layers ? request->layers : &height;
    const size_t n_layers = request->layers ? request->n_layers : 1;
    bool is_there[TER_LAYER_COUNT] = {false};
    if (!request->layers && request->n_layers > 0)
        return ter_fail(TER_EINVAL, "request->layers is NULL, expected %zu layers", request->n_layers);
    if (n_layers < 1 || n_layers > (size_t)fetch->layers_max)
        return ter_fail(TER_EINVAL, "%zu layers, expected 1 to the fetch's %d", n_layers, fetch->layers_max);
    for (size_t n = 0; n < n_layers; n++) {
        if ((unsigned)layers[n] >= TER_LAYER_COUNT || is_there[layers[n]])
            return ter_fail(TER_EINVAL, "layer %d, expected 0 to %d, each once", (int)layers[n], TER_LAYER_COUNT - 1);
        is_there[layers[n]] = true;
        if (!ter_world_has_layer(world, layers[n]))
            return ter_fail(TER_EINVAL,
                            "layer %s, expected a world of basis fluvial: other worlds have the layer height alone",
                            ter_layer_name(layers[n]));
        out->at[out->count++] = layers[n];
    }
    return TER_OK;
}

static ter_status read_request(const ter_fetch *fetch, const ter_world *world, const ter_fetch_request *caller_request,
                               fetching *out)
{
    ter_fetch_request request = {TER_SIZED(ter_fetch_request)};
    if (caller_request)
        TER_READ_STRUCT(&request, caller_request, ter_fetch_request);
    ter_status status = read_layers(fetch, world, &request, &out->layers);
    if (status != TER_OK)
        return status;
    if ((unsigned)request.sample_type > TER_SAMPLE_U16)
        return ter_fail(TER_EINVAL, "sample_type is %d, expected float or u16", (int)request.sample_type);
    out->is_u16 = request.sample_type == TER_SAMPLE_U16;
    if (!out->is_u16)
        return TER_OK;
    if (out->layers.count != 1 || out->layers.at[0] != TER_LAYER_HEIGHT)
        return ter_fail(TER_EINVAL, "a fetch makes 16-bit samples only of the layer height");
    status = ter_range_check(request.lo, request.hi);
    if (status == TER_OK)
        out->quantiser = ter_quantiser_of(request.lo, request.hi);
    return status;
}

/** Fill the fetch's own memory, and return when it is filled. */
static ter_status fill_now(ter_fetch *fetch, const ter_world *world, const fetching *f)
{
    const ter_row_kernels *kernels = ter_row_kernels_for(TER_SIMD_AUTO);
    const size_t count = (size_t)f->layout.width * (size_t)f->layout.height;
    ter_layers layers = {{0}};
    for (int n = 0; n < f->layers.count; n++)
        layers.at[f->layers.at[n]] = fetch->at[n] = fetch->memory + (size_t)n * fetch->samples_max;
    const ter_generator *g = fetch->generator;
    const ter_status status = g->backend->fill_host(g->state, world, &f->tile, 1, &f->layout, &layers);
    if (status != TER_OK)
        return status;
    if (f->is_u16 && !fetch->samples)
        fetch->samples = malloc(fetch->samples_max * sizeof(uint16_t));
    if (f->is_u16 && !fetch->samples)
        return ter_fail(TER_ENOMEM, "no memory for a fetch of %zu samples", fetch->samples_max);
    float *heights = layers.at[TER_LAYER_HEIGHT];
    fetch->fetched = (ter_fetched){
        .heights = f->is_u16 ? NULL : heights, .samples = f->is_u16 ? fetch->samples : NULL, .layers = fetch->at};
    if (heights)
        kernels->extremes(heights, count, &fetch->fetched.min_m, &fetch->fetched.max_m);
    if (f->is_u16)
        fetch->fetched.n_clamped = kernels->quantise(&f->quantiser, heights, count, fetch->samples);
    return TER_OK;
}

ter_status ter_fetch_start(ter_fetch *fetch, const ter_world *world, const ter_rect *rect,
                           const ter_fetch_request *request)
{
    TER_REQUIRE(fetch);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    fetching f = {0};
    fetch->is_started = false;
    ter_status status = ter_rect_as_tile(world, rect, &f.tile, &f.layout);
    if (status == TER_OK)
        status = ter_tiles_check(world, &f.tile, 1, &f.layout);
    if (status != TER_OK)
        return status;
    if ((uint64_t)rect->width * (uint64_t)rect->height > fetch->samples_max)
        return ter_fail(TER_EINVAL, "rectangle of %lld x %lld points, expected at most the fetch's %zu",
                        (long long)rect->width, (long long)rect->height, fetch->samples_max);
    const ter_generator *g = fetch->generator;
    status = ter_begin_work(g, read_request(fetch, world, request, &f));
    if (status != TER_OK)
        return status;
    status = fetch->of_backend ? g->backend->fetch_start(g->state, fetch->of_backend, world, &f.tile, &f.layout,
                                                         &f.layers, f.is_u16 ? &f.quantiser : NULL)
                               : fill_now(fetch, world, &f);
    fetch->is_started = status == TER_OK;
    return status;
}

ter_status ter_fetch_wait(ter_fetch *fetch, const ter_fetched **out)
{
    TER_REQUIRE(fetch);
    TER_REQUIRE(out);
    if (!fetch->is_started)
        return ter_fail(TER_EINVAL, "no rectangle to wait for, expected a fetch that was started");
    const ter_status status =
        fetch->of_backend ? fetch->generator->backend->fetch_wait(fetch->of_backend, &fetch->fetched) : TER_OK;
    if (status != TER_OK)
        return status;
    fetch->fetched.struct_size = sizeof fetch->fetched;
    *out = &fetch->fetched;
    return TER_OK;
}

void ter_fetch_destroy(ter_fetch *fetch)
{
    if (!fetch)
        return;
    if (fetch->of_backend)
        fetch->generator->backend->fetch_destroy(fetch->of_backend);
    free(fetch->memory);
    free(fetch->samples);
    free(fetch);
}
