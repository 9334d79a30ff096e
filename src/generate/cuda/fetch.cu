/* fetch.cu - rectangles on their way to host memory: made, reduced and copied to pinned memory on a stream of their own. */
#include <cstring>
#include <new>

#include "generate/backend.h"
#include "generate/cuda/kernels.h"
#include "generate/statistics.h"

namespace
{

/* Sums travel in front of the samples they were made from: a copy less. */
constexpr size_t HEAD_BYTES = 256;
static_assert(sizeof(ter_cuda_sums) <= HEAD_BYTES, "a head has room for the sums");

/** Sums and HEAD_BYTES behind their beginning the samples, in device or pinned memory. */
struct parcel {
    unsigned char *at;

    ter_cuda_sums *sums() const
    {
        return (ter_cuda_sums *)at;
    }
    float *heights() const
    {
        return (float *)(at + HEAD_BYTES);
    }
    uint16_t *samples() const
    {
        return (uint16_t *)(at + HEAD_BYTES);
    }
};

struct fetch {
    int device;
    cudaStream_t stream;
    cudaEvent_t is_done;
    parcel heights, samples, pinned; /* the first two on the device */
    unsigned char *head;             /* as sums start, pinned */
    bool is_u16;
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
    cudaFree(f->heights.at);
    cudaFree(f->samples.at);
    cudaFreeHost(f->pinned.at);
    cudaFreeHost(f->head);
    delete f;
}

ter_status set_up(fetch *f, size_t samples_max)
{
    TER_CUDA(cudaSetDevice(f->device));
    TER_CUDA(cudaStreamCreateWithFlags(&f->stream, cudaStreamNonBlocking));
    TER_CUDA(cudaEventCreateWithFlags(&f->is_done, cudaEventDisableTiming | cudaEventBlockingSync));
    TER_CUDA(cudaMalloc((void **)&f->heights.at, HEAD_BYTES + samples_max * sizeof(float)));
    TER_CUDA(cudaMalloc((void **)&f->samples.at, HEAD_BYTES + samples_max * sizeof(uint16_t)));
    TER_CUDA(cudaMallocHost((void **)&f->pinned.at, HEAD_BYTES + samples_max * sizeof(float)));
    TER_CUDA(cudaMallocHost((void **)&f->head, HEAD_BYTES));
    memset(f->head, 0, HEAD_BYTES);
    *(ter_cuda_sums *)f->head = {INT32_MAX, INT32_MIN, 0};
    return TER_OK;
}

} // namespace

ter_status ter_cuda_fetch_create(void *state, size_t samples_max, void **out)
{
    fetch *f = new (std::nothrow) fetch();
    if (!f)
        return ter_fail(TER_ENOMEM, "no memory for a fetch");
    f->device = *(const int *)state;
    const ter_status status = set_up(f, samples_max);
    if (status != TER_OK) {
        destroy(f);
        return status;
    }
    *out = f;
    return TER_OK;
}

ter_status ter_cuda_fetch_start(void *state, void *user, const ter_world *world, const ter_tile *tile,
                                const ter_tile_layout *layout, const ter_quantiser *quantiser)
{
    fetch *f = (fetch *)user;
    const size_t count = (size_t)layout->width * (size_t)layout->height;
    f->is_u16 = quantiser != nullptr;
    const parcel &out = quantiser ? f->samples : f->heights;
    const size_t bytes = HEAD_BYTES + count * (quantiser ? sizeof(uint16_t) : sizeof(float));
    ter_status status = ter_backend_cuda.fill_tiles_device(state, world, tile, 1, layout, f->heights.heights(), f->stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(out.at, f->head, HEAD_BYTES, cudaMemcpyHostToDevice, f->stream));
    status = quantiser ? ter_quantise_array(f->heights.heights(), count, quantiser, out.samples(), out.sums(), f->stream)
                       : ter_reduce(out.heights(), count, ter_sum_unit_of(&world->params, count), 0.0f, 0.0f, 0, out.sums(),
                                    nullptr, f->stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(f->pinned.at, out.at, bytes, cudaMemcpyDeviceToHost, f->stream));
    TER_CUDA(cudaEventRecord(f->is_done, f->stream));
    return TER_OK;
}

ter_status ter_cuda_fetch_wait(void *user, ter_fetched *out)
{
    fetch *f = (fetch *)user;
    TER_CUDA(cudaEventSynchronize(f->is_done));
    *out = {};
    if (f->is_u16)
        out->samples = f->pinned.samples();
    else
        out->heights = f->pinned.heights();
    const ter_cuda_sums *sums = f->pinned.sums();
    out->min_m = ter_unordered(sums->min_ordered);
    out->max_m = ter_unordered(sums->max_ordered);
    out->n_clamped = f->is_u16 ? sums->sum : 0;
    return TER_OK;
}

void ter_cuda_fetch_destroy(void *user)
{
    destroy((fetch *)user);
}
