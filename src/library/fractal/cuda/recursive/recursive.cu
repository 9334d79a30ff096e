/* recursive.cu - method `recursive`: one launch per level over the whole array. Each launch reads the previous level.
 *
 * A thread makes one 4 x 4 Philox block of the new level and stores it as four float4; neighbouring threads store
 * neighbouring blocks. Parents come through the caches: 25 (smooth) or 9 (midpoint) for 16 points. The block's four
 * words come from cuRAND's device function. So tests that compare other methods with this one also compare their
 * random numbers with cuRAND's.
 *
 *     level k - 1, in memory    p p p p p      a thread's parents, basis smooth: 5 x 5 from (2 ib - 1, 2 jb - 1)
 *                               p P p P p      P: parents that are points of the block
 *                               p p p p p      even rows and columns of the block are parents, all others are new
 *                               p P p P p
 *                               p p p p p */
#include "library/fractal/cuda/recursive/recursive.h"

#include <curand_philox4x32_x.h>

#include "library/fractal/cuda/block.cuh"

namespace
{

constexpr int THREADS = 128;

/** One level's array in device memory: points (i + column, j + row). */
struct array {
    float *at;
    size_t stride;
    int64_t i, j;
    int width, height;
    bool is_aligned; /* a block that starts at a multiple of 4 columns can be stored as float4 */
};

__global__ void root_kernel(const __grid_constant__ ter_field f, const __grid_constant__ array out)
{
    const int column = (int)(blockIdx.x * blockDim.x + threadIdx.x), row = (int)blockIdx.y;
    if (column < out.width)
        out.at[(size_t)row * out.stride + column] = ter_height_root(&f, ter_random(&f, 0, out.i + column, out.j + row));
}

/** Words of a block, computed by cuRAND's Philox4x32-10. They equal those of ter_random_block. */
__device__ __forceinline__ ter_words curand_block(const ter_field &f, int k, int64_t ib, int64_t jb)
{
    const uint4 counter = make_uint4((unsigned)ib, (unsigned)((uint64_t)ib >> 32) & 0xffffu, (unsigned)jb,
                                     ((unsigned)((uint64_t)jb >> 32) & 0xffffu) | (unsigned)k << 16);
    const uint4 words = curand_Philox4x32_10(counter, make_uint2(f.round_key[0][0], f.round_key[0][1]));
    return {{words.x, words.y, words.z, words.w}};
}

/** Parents of a block, N x N from (u, v). Only points outside the new array depend on parents outside of the parents'
 * array, so such parents may have any value. */
template <int N> __device__ void load_parents(const array &parent, int64_t u, int64_t v, float p[N][N])
{
    const int column = (int)(u - parent.i), row = (int)(v - parent.j);
#pragma unroll
    for (int y = 0; y < N; y++) {
        const int r = min(max(row + y, 0), parent.height - 1);
#pragma unroll
        for (int x = 0; x < N; x++)
            p[y][x] = parent.at[(size_t)r * parent.stride + min(max(column + x, 0), parent.width - 1)];
    }
}

/** Store the part of a block that lies inside an array. column, row: place of the block's first point in the array;
 * they may be negative. */
__device__ __forceinline__ void store_block(const array &out, int column, int row, const float h[4][4])
{
#pragma unroll
    for (int y = 0; y < 4; y++) {
        if ((unsigned)(row + y) >= (unsigned)out.height)
            continue;
        float *to = out.at + (ptrdiff_t)(row + y) * (ptrdiff_t)out.stride + column;
        if (out.is_aligned && column >= 0 && column + 4 <= out.width) {
            *(float4 *)to = make_float4(h[y][0], h[y][1], h[y][2], h[y][3]);
            continue;
        }
#pragma unroll
        for (int x = 0; x < 4; x++)
            if ((unsigned)(column + x) < (unsigned)out.width)
                to[x] = h[y][x];
    }
}

template <int BASIS, int VALLEY>
__global__ void __launch_bounds__(THREADS)
    refine_kernel(const __grid_constant__ ter_field f, int k, const __grid_constant__ array parent,
                  const __grid_constant__ array out)
{
    const int64_t ib = (out.i >> 2) + blockIdx.x * THREADS + threadIdx.x, jb = (out.j >> 2) + blockIdx.y;
    if (4 * ib >= out.i + out.width)
        return;
    float h[4][4];
    if constexpr (BASIS == TER_BASIS_SMOOTH) {
        float p[SMOOTH_PARENTS][SMOOTH_PARENTS];
        load_parents(parent, 2 * ib - 1, 2 * jb - 1, p);
        block_smooth<VALLEY>(f, f.amplitude[k], curand_block(f, k, ib, jb), p, h);
    } else {
        float p[MIDPOINT_PARENTS][MIDPOINT_PARENTS], g[5][5];
        load_parents(parent, 2 * ib, 2 * jb, p);
        const ter_words east = curand_block(f, k, ib + 1, jb), south = curand_block(f, k, ib, jb + 1);
        grow_midpoint<VALLEY>(f, f.amplitude[k], {curand_block(f, k, ib, jb), east.w[1], east.w[3], south.w[0]}, p, g);
#pragma unroll
        for (int n = 0; n < 16; n++)
            h[n / 4][n % 4] = g[n / 4][n % 4];
    }
    store_block(out, (int)(4 * ib - out.i), (int)(4 * jb - out.j), h);
}

/** The window of a rectangle, `depth` levels above it. Its memory is not set. */
array window_of(const ter_field *f, const array &rect, int depth)
{
    array w = {};
    w.i = ter_window_low(f->basis, rect.i, depth);
    w.j = ter_window_low(f->basis, rect.j, depth);
    w.width = (int)(ter_window_high(f->basis, rect.i + rect.width - 1, depth) - w.i) + 1;
    w.height = (int)(ter_window_high(f->basis, rect.j + rect.height - 1, depth) - w.j) + 1;
    return w;
}

/** Lay a level's array out so that its blocks start at multiples of 16 bytes. */
void lay_out(array *level, float *scratch)
{
    const size_t before = (size_t)(level->i & 3);
    level->stride = ((size_t)level->width + before + 3) / 4 * 4;
    level->at = scratch + before;
    level->is_aligned = true;
}

ter_status refine(const ter_field *f, int k, const array &parent, const array &out, cudaStream_t stream)
{
    const unsigned n_i = (unsigned)(((out.i + out.width - 1) >> 2) - (out.i >> 2)) + 1;
    const unsigned n_j = (unsigned)(((out.j + out.height - 1) >> 2) - (out.j >> 2)) + 1;
    const dim3 grid((n_i + THREADS - 1) / THREADS, n_j);
    if (f->basis == TER_BASIS_SMOOTH) {
        if (f->is_valley)
            refine_kernel<TER_BASIS_SMOOTH, 1><<<grid, THREADS, 0, stream>>>(*f, k, parent, out);
        else
            refine_kernel<TER_BASIS_SMOOTH, 0><<<grid, THREADS, 0, stream>>>(*f, k, parent, out);
    } else {
        if (f->is_valley)
            refine_kernel<TER_BASIS_MIDPOINT, 1><<<grid, THREADS, 0, stream>>>(*f, k, parent, out);
        else
            refine_kernel<TER_BASIS_MIDPOINT, 0><<<grid, THREADS, 0, stream>>>(*f, k, parent, out);
    }
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status root(const ter_field *f, const array &out, cudaStream_t stream)
{
    const dim3 grid((unsigned)(out.width + THREADS - 1) / THREADS, (unsigned)out.height);
    root_kernel<<<grid, THREADS, 0, stream>>>(*f, out);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

size_t ter_recursive_scratch(const ter_field *f, const ter_cuda_tile *tile, int width, int height)
{
    array out = {};
    out.i = tile->i;
    out.j = tile->j;
    out.width = width;
    out.height = height;
    const array above = window_of(f, out, 1);
    return ((size_t)above.width + 8) * (size_t)above.height + 8;
}

ter_status ter_recursive(const ter_field *f, const ter_cuda_tile *tile, const ter_cuda_batch *batch,
                         float *const scratch[2], cudaStream_t stream)
{
    array out = {};
    out.at = batch->out + (size_t)tile->slot * batch->slot_stride;
    out.stride = batch->row_stride;
    out.i = tile->i;
    out.j = tile->j;
    out.width = batch->width;
    out.height = batch->height;
    out.is_aligned = ((uintptr_t)out.at & 15) == 0 && out.stride % 4 == 0 && (out.i & 3) == 0;
    const int level = tile->level;
    if (level == 0)
        return root(f, out, stream);
    array coarse = window_of(f, out, level);
    lay_out(&coarse, scratch[0]);
    ter_status status = root(f, coarse, stream);
    for (int k = 1; k < level && status == TER_OK; k++) {
        array fine = window_of(f, out, level - k);
        lay_out(&fine, scratch[k & 1]);
        status = refine(f, k, coarse, fine, stream);
        coarse = fine;
    }
    return status == TER_OK ? refine(f, level, coarse, out, stream) : status;
}
