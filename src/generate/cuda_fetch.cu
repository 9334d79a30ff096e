/* cuda_fetch.cu - rectangles on their way to host memory: made, reduced and copied to pinned memory on a stream of their own. */
#include <new>

#include "generate/backend.h"
#include "generate/cuda_launch.h"
#include "generate/statistics.h"

namespace
{

struct fetch {
    int device;
    cudaStream_t stream;
    cudaEvent_t is_done;
    float *on_device;
    uint16_t *samples_on_device;
    void *pinned; /* heights or samples */
    bool is_u16;
    ter_cuda_sums *sums;        /* device memory */
    ter_cuda_sums *pinned_sums; /* [0] where they start, [1] where they arrive */
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
    cudaFree(f->on_device);
    cudaFree(f->samples_on_device);
    cudaFree(f->sums);
    cudaFreeHost(f->pinned);
    cudaFreeHost(f->pinned_sums);
    delete f;
}

ter_status set_up(fetch *f, size_t samples_max)
{
    TER_CUDA(cudaSetDevice(f->device));
    TER_CUDA(cudaStreamCreateWithFlags(&f->stream, cudaStreamNonBlocking));
    TER_CUDA(cudaEventCreateWithFlags(&f->is_done, cudaEventDisableTiming | cudaEventBlockingSync));
    TER_CUDA(cudaMalloc((void **)&f->on_device, samples_max * sizeof(float)));
    TER_CUDA(cudaMalloc((void **)&f->samples_on_device, samples_max * sizeof(uint16_t)));
    TER_CUDA(cudaMalloc((void **)&f->sums, sizeof(ter_cuda_sums)));
    TER_CUDA(cudaMallocHost(&f->pinned, samples_max * sizeof(float)));
    TER_CUDA(cudaMallocHost((void **)&f->pinned_sums, 2 * sizeof(ter_cuda_sums)));
    f->pinned_sums[0] = {INT32_MAX, INT32_MIN, 0};
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
    ter_status status = ter_backend_cuda.fill_tiles_device(state, world, tile, 1, layout, f->on_device, f->stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(f->sums, &f->pinned_sums[0], sizeof *f->sums, cudaMemcpyHostToDevice, f->stream));
    status = quantiser ? ter_quantise_array(f->on_device, count, quantiser, f->samples_on_device, f->sums, f->stream)
                       : ter_reduce(f->on_device, count, ter_sum_scale(world->params.amplitude), 0.0f, 0.0f, 0, f->sums, nullptr,
                                    f->stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(&f->pinned_sums[1], f->sums, sizeof *f->sums, cudaMemcpyDeviceToHost, f->stream));
    if (quantiser)
        TER_CUDA(cudaMemcpyAsync(f->pinned, f->samples_on_device, count * sizeof(uint16_t), cudaMemcpyDeviceToHost, f->stream));
    else
        TER_CUDA(cudaMemcpyAsync(f->pinned, f->on_device, count * sizeof(float), cudaMemcpyDeviceToHost, f->stream));
    TER_CUDA(cudaEventRecord(f->is_done, f->stream));
    return TER_OK;
}

ter_status ter_cuda_fetch_wait(void *user, ter_fetched *out)
{
    fetch *f = (fetch *)user;
    TER_CUDA(cudaEventSynchronize(f->is_done));
    *out = {};
    if (f->is_u16)
        out->samples = (uint16_t *)f->pinned;
    else
        out->heights = (float *)f->pinned;
    out->min_m = ter_unordered(f->pinned_sums[1].min_ordered);
    out->max_m = ter_unordered(f->pinned_sums[1].max_ordered);
    out->n_clamped = f->is_u16 ? f->pinned_sums[1].sum : 0;
    return TER_OK;
}

void ter_cuda_fetch_destroy(void *user)
{
    destroy((fetch *)user);
}
