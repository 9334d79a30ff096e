/* copy_tiles.cu - copies tiles in device memory from the caller's layout to a morph's. */
#include <algorithm>

#include "library/core/cuda/check.h"
#include "library/core/cuda/device_state.cuh"
#include "library/morph/cuda/morph.h"

namespace
{

constexpr int THREADS = 256;
constexpr int BATCH = 448;

/** Tiles of a launch, in the kernel's arguments. */
struct copy_batch {
    const float *from;
    float *to;
    int width, height;
    size_t row_stride, slot_stride;
    uint32_t slots[BATCH], held[BATCH];
};

static_assert(sizeof(copy_batch) < 4000, "a batch fits the arguments of a kernel");

/** Copy tiles, each by two blocks of threads, which take its points in turns. Lanes go along rows. */
__global__ void __launch_bounds__(THREADS) copy_kernel(const __grid_constant__ copy_batch b)
{
    const int points = b.width * b.height;
    const float *from = b.from + b.slots[blockIdx.x] * b.slot_stride;
    float *to = b.to + (size_t)b.held[blockIdx.x] * (size_t)points;
    for (int n = (int)(blockIdx.y * THREADS + threadIdx.x); n < points; n += (int)gridDim.y * THREADS)
        to[n] = from[(size_t)(n / b.width) * b.row_stride + (size_t)(n % b.width)];
}

} // namespace

ter_status ter_cuda_copy_tiles(void *state, const ter_copy_work *work, void *stream)
{
    TER_CUDA(cudaSetDevice(ter_cuda::device_of(state)));
    const ter_tile_layout &layout = *work->layout;
    for (size_t first = 0; first < work->count; first += BATCH) {
        const size_t count = std::min(work->count - first, (size_t)BATCH);
        copy_batch b = {work->from,        work->to,           layout.width, layout.height,
                        layout.row_stride, layout.slot_stride, {},           {}};
        for (size_t n = 0; n < count; n++) {
            b.slots[n] = layout.slots ? layout.slots[first + n] : (uint32_t)(first + n);
            b.held[n] = work->held[first + n];
        }
        copy_kernel<<<dim3((unsigned)count, 2), THREADS, 0, (cudaStream_t)stream>>>(b);
        TER_CUDA(cudaGetLastError());
    }
    return TER_OK;
}
