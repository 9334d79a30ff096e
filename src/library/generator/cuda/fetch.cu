/* fetch.cu - makes rectangles and copies them to host memory, on a separate stream.
 *
 *     floats          heights are made -> reduced to sums -> one copy of sums and heights to pinned memory
 *     16-bit samples  heights are made -> reduced to sums -> samples are made -> one copy of sums and samples
 *
 * Only the method `tiled` makes 16-bit samples on the device: in worlds of basis fluvial from the heights, in other
 * worlds by a second fill. With `recursive` and `single-pass` the host quantises the floats. */
#include <cstdlib>
#include <cstring>
#include <new>

#include "library/generator/cuda/entries.h"
#include "library/generator/cuda/fill.cuh"
#include "library/generator/cuda/quantise.cuh"
#include "library/generator/cuda/reduce.h"
#include "library/world/height_sums.h"

using namespace ter_cuda;

namespace
{

/* Sums are stored in front of the samples, so that one copy transfers both. */
constexpr size_t HEAD_BYTES = 256;
static_assert(sizeof(ter_cuda_sums) <= HEAD_BYTES, "a head has room for the sums");

/** Device or pinned memory that begins with sums. The samples begin HEAD_BYTES after its start. */
struct parcel {
    unsigned char *at;

    ter_cuda_sums *sums() const
    {
        return (ter_cuda_sums *)at;
    }
    float *floats() const
    {
        return (float *)(at + HEAD_BYTES);
    }
    uint16_t *samples() const
    {
        return (uint16_t *)(at + HEAD_BYTES);
    }
};

/** Floats from the start of each layer of `count` samples to the start of the next: a multiple of 16 bytes. */
size_t layer_stride(size_t count)
{
    return (count + 3) / 4 * 4;
}

struct fetch {
    int device;
    cudaStream_t stream;
    cudaEvent_t is_done;
    size_t samples_max;
    int layers_max;
    parcel floats, samples, pinned; /* floats and samples are in device memory */
    unsigned char *head;            /* initial values of the sums, pinned */
    bool is_u16;                    /* the last request was for 16-bit samples */
    bool is_quantised;              /* the device makes the 16-bit samples */
    size_t count;                   /* samples of the rectangle */
    int n_layers;
    int height_at;              /* index of the height among the request's layers; -1: none */
    float *at[TER_LAYER_COUNT]; /* the request's layers in pinned memory */
    ter_quantiser quantiser;
    uint16_t *quantised; /* 16-bit samples that the host makes of floats that have arrived */
};

void destroy(fetch *f)
{
    cudaSetDevice(f->device);
    if (f->stream) {
        cudaStreamSynchronize(f->stream);
        cudaStreamDestroy(f->stream);
    }
    if (f->is_done)
        cudaEventDestroy(f->is_done);
    cudaFree(f->floats.at);
    cudaFree(f->samples.at);
    cudaFreeHost(f->pinned.at);
    cudaFreeHost(f->head);
    free(f->quantised);
    delete f;
}

ter_status set_up(fetch *f)
{
    TER_CUDA(cudaSetDevice(f->device));
    TER_CUDA(cudaStreamCreateWithFlags(&f->stream, cudaStreamNonBlocking));
    TER_CUDA(cudaEventCreateWithFlags(&f->is_done, cudaEventDisableTiming | cudaEventBlockingSync));
    const size_t float_bytes = HEAD_BYTES + layer_stride(f->samples_max) * (size_t)f->layers_max * sizeof(float);
    TER_CUDA(cudaMalloc((void **)&f->floats.at, float_bytes));
    TER_CUDA(cudaMalloc((void **)&f->samples.at, HEAD_BYTES + f->samples_max * sizeof(uint16_t)));
    TER_CUDA(cudaMallocHost((void **)&f->pinned.at, float_bytes));
    TER_CUDA(cudaMallocHost((void **)&f->head, HEAD_BYTES));
    memset(f->head, 0, HEAD_BYTES);
    *(ter_cuda_sums *)f->head = TER_CUDA_NO_SUMS;
    return TER_OK;
}

/** Quantise heights that have arrived in host memory. */
ter_status quantise(fetch *f)
{
    if (!f->quantised)
        f->quantised = (uint16_t *)malloc(f->samples_max * sizeof(uint16_t));
    if (!f->quantised)
        return ter_fail(TER_ENOMEM, "no memory for %zu quantised samples", f->samples_max);
    const float *heights = f->pinned.floats();
    for (size_t n = 0; n < f->count; n++)
        f->quantised[n] = ter_quantise(f->quantiser, heights[n]);
    return TER_OK;
}

} // namespace

ter_status ter_cuda_fetch_create(void *state, size_t samples_max, int layers_max, void **out)
{
    fetch *f = new (std::nothrow) fetch();
    if (!f)
        return ter_fail(TER_ENOMEM, "no memory for a fetch");
    f->device = device_of(state);
    f->samples_max = samples_max;
    f->layers_max = layers_max;
    const ter_status status = set_up(f);
    if (status != TER_OK) {
        destroy(f);
        return status;
    }
    *out = f;
    return TER_OK;
}

/** Choose the layers' places in pinned memory, and in device memory. Returns the places in device memory. */
static ter_layers place_layers(fetch *f, const ter_layer_list *layers)
{
    ter_layers on_device = {};
    f->n_layers = layers->count;
    f->height_at = -1;
    for (int n = 0; n < layers->count; n++) {
        const size_t first = (size_t)n * layer_stride(f->count);
        on_device.at[layers->at[n]] = f->floats.floats() + first;
        f->at[n] = f->pinned.floats() + first;
        if (layers->at[n] == TER_LAYER_HEIGHT)
            f->height_at = n;
    }
    return on_device;
}

/** Reduce heights on the device. The sums are stored in the head of `out`. heights: NULL: the sums stay empty */
static ter_status reduce_heights(const fetch *f, const ter_world *world, const float *heights, const parcel &out)
{
    TER_CUDA(cudaMemcpyAsync(out.at, f->head, HEAD_BYTES, cudaMemcpyHostToDevice, f->stream));
    if (!heights)
        return TER_OK;
    const ter_cuda_heights all = {heights, f->count};
    return f->is_u16 ? ter_reduce_clamped(all, f->quantiser, out.sums(), f->stream)
                     : ter_reduce(all, ter_sum_unit_of(&world->params, f->count), {}, out.sums(), f->stream);
}

ter_status ter_cuda_fetch_start(void *state, void *user, const ter_world *world, const ter_tile *tile,
                                const ter_tile_layout *layout, const ter_layer_list *layers,
                                const ter_quantiser *quantiser)
{
    cuda_state *cuda = (cuda_state *)state;
    fetch *f = (fetch *)user;
    const tile_list list = {tile, 1, layout};
    f->count = (size_t)layout->width * (size_t)layout->height;
    f->is_u16 = quantiser != nullptr;
    f->is_quantised = f->is_u16 && cuda->method == TER_METHOD_TILED;
    f->quantiser = quantiser ? *quantiser : ter_quantiser{};
    const parcel &out = f->is_quantised ? f->samples : f->floats;
    const ter_layers on_device = place_layers(f, layers);
    const float *heights = on_device.at[TER_LAYER_HEIGHT];
    TER_CUDA(cudaSetDevice(cuda->device));
    ter_status status = fill_layers_device(cuda, world, list, on_device, f->stream);
    if (status == TER_OK)
        status = reduce_heights(f, world, heights, out);
    const sample_memory quantised = {nullptr, out.samples(), f->quantiser};
    if (status == TER_OK && f->is_quantised && !is_quantised_in_registers(world))
        status = quantise_rows(heights, layout->row_stride, *layout, quantised, f->stream);
    else if (status == TER_OK && f->is_quantised)
        status = fill_device(cuda, world, list, quantised, f->stream);
    if (status != TER_OK)
        return status;
    const size_t bytes = f->is_quantised
                             ? f->count * sizeof(uint16_t)
                             : ((size_t)(f->n_layers - 1) * layer_stride(f->count) + f->count) * sizeof(float);
    TER_CUDA(cudaMemcpyAsync(f->pinned.at, out.at, HEAD_BYTES + bytes, cudaMemcpyDeviceToHost, f->stream));
    TER_CUDA(cudaEventRecord(f->is_done, f->stream));
    return TER_OK;
}

ter_status ter_cuda_fetch_wait(void *user, ter_fetched *out)
{
    fetch *f = (fetch *)user;
    TER_CUDA(cudaEventSynchronize(f->is_done));
    const ter_cuda_sums *sums = f->pinned.sums();
    *out = {};
    out->layers = f->at;
    if (f->height_at >= 0) {
        out->min_m = ter_unordered(sums->min_ordered);
        out->max_m = ter_unordered(sums->max_ordered);
    }
    out->n_clamped = f->is_u16 ? sums->sum : 0;
    if (!f->is_u16) {
        out->heights = f->height_at >= 0 ? f->at[f->height_at] : nullptr;
        return TER_OK;
    }
    if (!f->is_quantised) {
        const ter_status status = quantise(f);
        if (status != TER_OK)
            return status;
    }
    out->samples = f->is_quantised ? f->pinned.samples() : f->quantised;
    return TER_OK;
}

void ter_cuda_fetch_destroy(void *user)
{
    destroy((fetch *)user);
}
