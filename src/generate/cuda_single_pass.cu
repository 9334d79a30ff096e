/* cuda_single_pass.cu - generator `single-pass`: every thread recomputes the hierarchy of its 4 x 4 samples from the root in
 * registers; one launch, heights written once, none read. Also the talk's form of it, a sample a thread, and heights of scattered
 * points. */
#include "generate/cuda_block.cuh"

namespace
{

constexpr int THREADS = 128;
constexpr int PATCH_LEVEL_MIN = 2; /* a block's cell lies two levels up */

template <int BASIS, int VALLEY> __device__ float height_of(const ter_field &f, int level, int64_t i, int64_t j)
{
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        return ter_height_smooth(&f, level, i, j, VALLEY);
    else
        return ter_height_midpoint(&f, level, i, j, VALLEY);
}

/** Heights of a block of a level >= 2: the window above it goes down in registers as one point's does. */
template <int VALLEY>
__device__ __forceinline__ void patch_smooth(const ter_field &f, int level, int64_t ib, int64_t jb, float h[4][4])
{
    const int64_t i = 4 * ib, j = 4 * jb;
    float window[TER_SMOOTH_WINDOW][TER_SMOOTH_WINDOW], p[SMOOTH_PARENTS][SMOOTH_PARENTS];
    ter_root_smooth(&f, ter_window_low(TER_BASIS_SMOOTH, i, level), ter_window_low(TER_BASIS_SMOOTH, j, level), window);
    for (int k = 1; k < level; k++)
        ter_descend_smooth(&f, k, ter_window_low(TER_BASIS_SMOOTH, i, level - k), ter_window_low(TER_BASIS_SMOOTH, j, level - k),
                           VALLEY, window);
#pragma unroll
    for (int y = 0; y < SMOOTH_PARENTS; y++)
#pragma unroll
        for (int x = 0; x < SMOOTH_PARENTS; x++)
            p[y][x] = window[y][x];
    block_smooth<VALLEY>(f, level, ib, jb, p, h);
}

template <int VALLEY>
__device__ __forceinline__ void patch_midpoint(const ter_field &f, int level, int64_t ib, int64_t jb, float h[4][4])
{
    float cell[2][2], p[MIDPOINT_PARENTS][MIDPOINT_PARENTS];
    ter_root_midpoint(&f, ib >> (level - 2), jb >> (level - 2), cell);
    for (int k = 1; k < level - 1; k++) {
        const int depth = level - 2 - k; /* to the level whose cell is the block */
        float c[3][3];
        ter_split_midpoint(&f, k, ib >> (depth + 1), jb >> (depth + 1), VALLEY, cell, c);
        ter_pick_midpoint(c, (int)(ib >> depth & 1), (int)(jb >> depth & 1), cell);
    }
    ter_split_midpoint(&f, level - 1, ib, jb, VALLEY, cell, p);
    block_midpoint<VALLEY>(f, level, ib, jb, p, h);
}

template <int BASIS, int VALLEY>
__global__ void __launch_bounds__(THREADS)
    patch_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch, bool is_aligned)
{
    const ter_cuda_tile &tile = batch.tiles[blockIdx.z];
    const int64_t ib = (tile.i >> 2) + blockIdx.x * THREADS + threadIdx.x, jb = (tile.j >> 2) + blockIdx.y;
    const int64_t column = 4 * ib - tile.i, row = 4 * jb - tile.j;
    if (column >= batch.width || row >= batch.height)
        return;
    float h[4][4];
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        patch_smooth<VALLEY>(f, tile.level, ib, jb, h);
    else
        patch_midpoint<VALLEY>(f, tile.level, ib, jb, h);
    store_block(batch.out + (size_t)tile.slot * batch.slot_stride, batch.row_stride, batch.width, batch.height,
                is_aligned && column % 4 == 0, (int)column, (int)row, h);
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

__global__ void points_kernel(const __grid_constant__ ter_field f, int level, const int64_t (*points)[2], size_t count, float *out)
{
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        out[n] = ter_height_at(&f, level, points[n][0], points[n][1]);
}

template <int BASIS, int VALLEY>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, bool is_by_sample, cudaStream_t stream)
{
    const unsigned count = (unsigned)batch->count;
    if (is_by_sample || batch->level_min < PATCH_LEVEL_MIN) {
        const dim3 grid((unsigned)(batch->width / THREADS + 1), (unsigned)batch->height, count);
        sample_kernel<BASIS, VALLEY><<<grid, THREADS, 0, stream>>>(*f, *batch);
    } else { /* an origin may lie up to three points inside its first block */
        const int n_columns = batch->width / 4 + 2, n_rows = batch->height / 4 + 2;
        const dim3 grid((unsigned)(n_columns / THREADS + 1), (unsigned)n_rows, count);
        patch_kernel<BASIS, VALLEY><<<grid, THREADS, 0, stream>>>(*f, *batch, ter_batch_is_aligned(*batch));
    }
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

ter_status ter_single_pass(const ter_field *f, const ter_cuda_batch *batch, bool is_by_sample, cudaStream_t stream)
{
    if (f->basis == TER_BASIS_SMOOTH)
        return f->is_valley ? launch<TER_BASIS_SMOOTH, 1>(f, batch, is_by_sample, stream)
                            : launch<TER_BASIS_SMOOTH, 0>(f, batch, is_by_sample, stream);
    return f->is_valley ? launch<TER_BASIS_MIDPOINT, 1>(f, batch, is_by_sample, stream)
                        : launch<TER_BASIS_MIDPOINT, 0>(f, batch, is_by_sample, stream);
}

ter_status ter_points(const ter_field *f, int level, const int64_t (*points)[2], size_t count, float *out, cudaStream_t stream)
{
    points_kernel<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*f, level, points, count, out);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
