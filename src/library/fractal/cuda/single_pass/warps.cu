/* warps.cu - method `single-pass` with 8 x 8 samples per lane and 64 x 32 per warp. If several lanes need the same
 * random words, one lane computes them.
 */
#include "library/core/cuda/overlapped_launch.cuh"
#include "library/fractal/cuda/single_pass/single_pass.h"
#include "library/fractal/cuda/single_pass/windows.cuh"
#include "library/fractal/cuda/warp_cells.cuh"

namespace
{

constexpr int THREADS = 128;
constexpr int BLOCKS_RESIDENT = 4; /* blocks that a multiprocessor must hold: leaves 128 registers per thread */

constexpr int SIDE = 8;                                /* samples of a lane's region, across and down */
constexpr int STAGED_CHUNKS = WARP_COLUMNS * SIDE / 4; /* float4s of a row of the warp's samples */

/** Stores samples. Four rows of all lanes are put side by side in shared memory, so that a warp stores whole lines of
 * memory.
 *
 *     a lane's rows in registers            staged: row y of all lanes       stored: two rows at a time
 *     lane 0  aaaaaaaa  lane 1  bbbb... ->  aaaaaaaabbbbbbbb...hhhhhhhh  ->  lanes 0..15: a row of 64 samples
 *                                                                            lanes 16..31: the next row */
struct warp_output {

    const ter_cuda_batch &batch;
    float *out;      /* sample (0, 0) of the tile */
    float4 *staging; /* 4 * WARP_ROWS rows of STAGED_CHUNKS, for this warp alone */
    int column, row; /* of the warp's first sample in the tile */
    bool is_inside;  /* all samples of the warp lie in the tile, and stores of four are aligned */

    /** Place of a chunk. Chunks are permuted so that neither adjacent lanes nor rows use the same bank. */
    static __device__ __forceinline__ int place(int row, int chunk)
    {
        return row * STAGED_CHUNKS + (chunk ^ chunk >> 3);
    }

    /** Put the lane's columns x to x + 7 of four rows into shared memory. */
    template <class BLOCKS> __device__ __forceinline__ void stage(int x, const BLOCKS &h) const
    {
        const int lane = (int)threadIdx.x % 32, first = 4 * (lane / WARP_COLUMNS),
                  chunk = lane % WARP_COLUMNS * (SIDE / 4) + x / 4;
#pragma unroll
        for (int n = 0; n < 4; n++)
#pragma unroll
            for (int m = 0; m < 2; m++)
                staging[place(first + n, chunk + m)] = make_float4(h[m][n][0], h[m][n][1], h[m][n][2], h[m][n][3]);
    }

    /** Store the lanes' rows y to y + 3. */
    __device__ __forceinline__ void flush(int y) const
    {
        constexpr int ROWS = 32 / STAGED_CHUNKS; /* rows that the warp stores at once */
        const int chunk = (int)threadIdx.x % STAGED_CHUNKS, first = (int)threadIdx.x % 32 / STAGED_CHUNKS,
                  across = column + 4 * chunk;
        const int down = row + y + first;
        const size_t stride = batch.row_stride;
        float *to = out + (ptrdiff_t)down * (ptrdiff_t)stride + across;
        __syncwarp();
        if (is_inside) {
#pragma unroll
            for (int lanes = 0; lanes < WARP_ROWS; lanes++) { /* rows of lanes */
#pragma unroll
                for (int n = 0; n < 4; n += ROWS)
                    *(float4 *)(to + n * stride) = staging[place(4 * lanes + n + first, chunk)];
                to += SIDE * stride;
            }
        } else {
#pragma unroll 1
            for (int lanes = 0; lanes < WARP_ROWS; lanes++) {
#pragma unroll 1
                for (int n = 0; n < 4; n += ROWS)
                    if ((unsigned)(down + lanes * SIDE + n) < (unsigned)batch.height)
                        store_clipped(to + n * stride, across, staging[place(4 * lanes + n + first, chunk)]);
                to += SIDE * stride;
            }
        }
        __syncwarp();
    }

    __device__ __forceinline__ void store_clipped(float *to, int across, float4 h) const
    {
        const float values[4] = {h.x, h.y, h.z, h.w};
#pragma unroll
        for (int x = 0; x < 4; x++)
            if ((unsigned)(across + x) < (unsigned)batch.width)
                to[x] = values[x];
    }
};

/** Make the samples of a tile. Each warp has 8 x 4 lanes side by side. */
template <int BASIS, int VALLEY>
__global__ void __launch_bounds__(THREADS, BLOCKS_RESIDENT)
    warp_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch)
{
    constexpr int WIDTH_LOG = 6, HEIGHT_LOG = 5; /* of a warp's samples */
    __shared__ float4 staging[THREADS / 32][4 * WARP_ROWS * STAGED_CHUNKS];
    let_next_kernel_start();
    const ter_cuda_tile &tile = batch.tiles[blockIdx.z];
    const int lane = (int)threadIdx.x % 32;
    const int64_t u = (tile.i >> WIDTH_LOG) + blockIdx.x * (THREADS / 32) + threadIdx.x / 32,
                  w = (tile.j >> HEIGHT_LOG) + blockIdx.y;
    const int64_t west = (u << WIDTH_LOG) - tile.i, north = (w << HEIGHT_LOG) - tile.j;
    if (west >= batch.width || north >= batch.height)
        return;
    const int64_t i = (u << WIDTH_LOG) + lane % WARP_COLUMNS * SIDE, j = (w << HEIGHT_LOG) + lane / WARP_COLUMNS * SIDE;
    float window[WINDOW][WINDOW], cell[2][2]; /* window: basis smooth; cell: basis midpoint */
    if constexpr (BASIS == TER_BASIS_MIDPOINT)
        find_cell<VALLEY>(f, lane, tile.level - 3, u, w, cell);
    else
        find_window<VALLEY>(f, lane, tile.level, i, j, window);
    wait_for_previous_kernel();
    const bool is_inside = ter_batch_is_aligned(batch) && west % 4 == 0 && west >= 0 && north >= 0 &&
                           west + (1 << WIDTH_LOG) <= batch.width && north + (1 << HEIGHT_LOG) <= batch.height;
    float *out = batch.out + (size_t)tile.slot * batch.slot_stride;
    const warp_output output = {batch, out, staging[threadIdx.x / 32], (int)west, (int)north, is_inside};
    if constexpr (BASIS == TER_BASIS_MIDPOINT)
        finish_eight<VALLEY>(f, tile.level, i, j, cell, output);
    else
        finish_eight_smooth<VALLEY>(f, tile.level, i, j, window, output);
}

template <int BASIS, int VALLEY> ter_status launch(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    const int warps = batch->width / 64 + 2; /* the tile may begin in the middle of the first warp's samples */
    const dim3 grid((unsigned)divide_up(warps, THREADS / 32), (unsigned)(batch->height / 32 + 2),
                    (unsigned)batch->count);
    return launch_overlapped(warp_kernel<BASIS, VALLEY>, grid, THREADS, 0, stream, *f, *batch);
}

} // namespace

ter_status ter_warps(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    if (f->basis == TER_BASIS_SMOOTH)
        return (f->is_valley ? launch<TER_BASIS_SMOOTH, 1> : launch<TER_BASIS_SMOOTH, 0>)(f, batch, stream);
    return (f->is_valley ? launch<TER_BASIS_MIDPOINT, 1> : launch<TER_BASIS_MIDPOINT, 0>)(f, batch, stream);
}
