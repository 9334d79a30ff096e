/* samples.cu - method single-pass with one sample per thread, from level 0 down: for arrays of coarse levels and for
 * scattered points. */
#include "library/fractal/crater.h"
#include "library/fractal/cuda/single_pass/single_pass.h"

namespace
{

constexpr int THREADS = 128;

template <int BASIS, int VALLEY> __device__ float height_of(const ter_field &f, int level, int64_t i, int64_t j)
{
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        return ter_height_smooth(&f, level, i, j, VALLEY);
    else
        return ter_height_midpoint(&f, level, i, j, VALLEY);
}

template <int BASIS, int VALLEY>
__global__ void __launch_bounds__(THREADS)
    sample_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch)
{
    const int column = (int)(blockIdx.x * THREADS + threadIdx.x), row = (int)blockIdx.y;
    if (column >= batch.width)
        return;
    const ter_cuda_tile &tile = batch.tiles[blockIdx.z];
    batch.out[(size_t)tile.slot * batch.slot_stride + (size_t)row * batch.row_stride + column] =
        height_of<BASIS, VALLEY>(f, tile.level, tile.i + column, tile.j + row);
}

__global__ void points_kernel(const __grid_constant__ ter_field f, int level, const int64_t (*points)[2], size_t count,
                              float *out)
{
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        out[n] = ter_height_at(&f, level, points[n][0], points[n][1]);
}

template <int BASIS, int VALLEY> ter_status launch(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    const dim3 grid((unsigned)(batch->width / THREADS + 1), (unsigned)batch->height, (unsigned)batch->count);
    sample_kernel<BASIS, VALLEY><<<grid, THREADS, 0, stream>>>(*f, *batch);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

ter_status ter_samples(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    if (f->basis == TER_BASIS_SMOOTH)
        return (f->is_valley ? launch<TER_BASIS_SMOOTH, 1> : launch<TER_BASIS_SMOOTH, 0>)(f, batch, stream);
    return (f->is_valley ? launch<TER_BASIS_MIDPOINT, 1> : launch<TER_BASIS_MIDPOINT, 0>)(f, batch, stream);
}

ter_status ter_points(const ter_field *f, int level, const int64_t (*points)[2], size_t count, float *out,
                      cudaStream_t stream)
{
    points_kernel<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*f, level, points, count, out);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
