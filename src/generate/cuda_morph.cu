/* cuda_morph.cu - blending two landscapes: reads both, writes what is displayed; and the memory they stand in. */
#include "generate/blend.h"
#include "generate/cuda_launch.h"

namespace
{

constexpr int THREADS = 256;

/** A block a tile and part of its rows; lanes go along rows. */
__global__ void __launch_bounds__(THREADS) morph_kernel(const __grid_constant__ ter_blend_work w, const ter_blend_tile *tiles)
{
    const ter_blend_tile tile = tiles[blockIdx.x];
    const size_t points = (size_t)w.width * w.height;
    const float *from = w.from + tile.held * points, *to = w.to + tile.held * points;
    float *out = w.out + tile.slot * w.slot_stride;
    for (int n = blockIdx.y * THREADS + threadIdx.x; n < (int)points; n += gridDim.y * THREADS) {
        const int row = n / w.width, column = n - row * w.width;
        const float dx = __ll2float_rn(tile.dx + ((int64_t)column << tile.shift));
        const float dz = __ll2float_rn(tile.dz + ((int64_t)row << tile.shift));
        const float share = ter_blend_share(dx, dz, w.along_x, w.along_z, w.begun);
        out[(size_t)row * w.row_stride + column] = ter_blend_height(from[n], to[n], share);
    }
}

} // namespace

ter_status ter_cuda_host_memory_create(void *state, size_t bytes, void **memory)
{
    TER_CUDA(cudaSetDevice(*(const int *)state));
    TER_CUDA(cudaHostAlloc(memory, bytes, cudaHostAllocPortable));
    return TER_OK;
}

void ter_cuda_host_memory_destroy(void *state, void *memory)
{
    cudaSetDevice(*(const int *)state);
    cudaFreeHost(memory);
}

ter_status ter_cuda_memory_create(void *state, size_t bytes, void **memory)
{
    TER_CUDA(cudaSetDevice(*(const int *)state));
    TER_CUDA(cudaMalloc(memory, bytes));
    return TER_OK;
}

void ter_cuda_memory_destroy(void *state, void *memory)
{
    cudaSetDevice(*(const int *)state);
    cudaFree(memory);
}

ter_status ter_cuda_memory_read(void *state, const void *memory, size_t bytes, void *out)
{
    TER_CUDA(cudaSetDevice(*(const int *)state));
    TER_CUDA(cudaMemcpy(out, memory, bytes, cudaMemcpyDeviceToHost));
    return TER_OK;
}

ter_status ter_cuda_blend(void *state, const ter_blend_work *work, void *stream)
{
    ter_blend_tile *tiles = nullptr;
    TER_CUDA(cudaSetDevice(*(const int *)state));
    TER_CUDA(cudaMallocAsync((void **)&tiles, work->count * sizeof *tiles, (cudaStream_t)stream));
    /* from pageable memory: the copy has left it when the call returns */
    TER_CUDA(cudaMemcpyAsync(tiles, work->tiles, work->count * sizeof *tiles, cudaMemcpyHostToDevice, (cudaStream_t)stream));
    morph_kernel<<<dim3((unsigned)work->count, 2), THREADS, 0, (cudaStream_t)stream>>>(*work, tiles);
    TER_CUDA(cudaGetLastError());
    TER_CUDA(cudaFreeAsync(tiles, (cudaStream_t)stream));
    return TER_OK;
}
