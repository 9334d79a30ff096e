/* quantise.cu - heights in device memory as 16-bit samples, for worlds whose kernels do not quantise in registers. */
#include "library/generator/cuda/quantise.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128;

__global__ void __launch_bounds__(THREADS)
    quantise_kernel(const float *heights, size_t stride, int width, size_t out_stride, uint16_t *out, ter_quantiser q)
{
    const int x = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (x < width)
        out[blockIdx.y * out_stride + (size_t)x] = ter_quantise(q, heights[blockIdx.y * stride + (size_t)x]);
}

} // namespace

ter_status ter_cuda::quantise_rows(const float *heights, size_t stride, const ter_tile_layout &layout,
                                   const sample_memory &out, cudaStream_t stream)
{
    constexpr int ROWS_MAX = 32768; /* of a launch: a grid has at most 65535 rows of blocks */
    for (int row = 0; row < layout.height; row += ROWS_MAX) {
        const int rows = layout.height - row < ROWS_MAX ? layout.height - row : ROWS_MAX;
        const dim3 grid((unsigned)((layout.width + THREADS - 1) / THREADS), (unsigned)rows);
        quantise_kernel<<<grid, THREADS, 0, stream>>>(heights + (size_t)row * stride, stride, layout.width,
                                                      layout.row_stride, out.samples + (size_t)row * layout.row_stride,
                                                      out.quantiser);
        TER_CUDA(cudaGetLastError());
    }
    return TER_OK;
}
