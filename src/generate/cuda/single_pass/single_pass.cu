/* single_pass.cu - generator `single-pass`: every thread recomputes the hierarchy of its samples from the root in registers;
 * one launch, heights written once, none read. Warps make their random words together, for 8 x 8 samples a thread, in basis
 * midpoint also 16 x 16; near the root a thread makes 4 x 4. Also the talk's form, a sample a thread, and heights of scattered
 * points. */
#include "generate/cuda/overlapped_launch.cuh"
#include "generate/cuda/single_pass/warp_smooth.cuh"

namespace
{

constexpr int THREADS = 128;
constexpr int PATCH_LEVEL_MIN = 2;           /* a block's cell lies two levels up */
constexpr int WARP_LEVEL_MIN = 7;            /* the cell that a warp's largest region lies in is of level 0 */
constexpr double WARP_SAMPLES_MIN = 8388608; /* from here on there is work for all when a lane makes 16 x 16 samples */

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

/** Samples on their way out: four rows of every lane's are put side by side, so that a warp stores whole lines. */
template <int SIDE> struct warp_output {
    static constexpr int CHUNKS = WARP_COLUMNS * SIDE / 4; /* float4s of a row of the warp's */

    const ter_cuda_batch &batch;
    float *out;      /* sample (0, 0) of the tile */
    float4 *staging; /* 4 * WARP_ROWS rows of CHUNKS, of this warp alone */
    int column, row; /* of the warp's first sample in the tile */
    bool is_inside;  /* all its samples, and stores of four fit */

    /** Chunks are shuffled so that neither lanes side by side nor rows meet in a bank. */
    static __device__ __forceinline__ int place(int row, int chunk)
    {
        return row * CHUNKS + (chunk ^ chunk >> 3);
    }

    /** The lane's columns x to x + 7 of four rows. */
    template <class BLOCKS> __device__ __forceinline__ void stage(int x, const BLOCKS &h) const
    {
        const int lane = (int)threadIdx.x % 32, first = 4 * (lane / WARP_COLUMNS), chunk = lane % WARP_COLUMNS * (SIDE / 4) + x / 4;
#pragma unroll
        for (int n = 0; n < 4; n++)
#pragma unroll
            for (int m = 0; m < 2; m++)
                staging[place(first + n, chunk + m)] = make_float4(h[m][n][0], h[m][n][1], h[m][n][2], h[m][n][3]);
    }

    /** Store the lanes' rows y to y + 3. */
    __device__ __forceinline__ void flush(int y) const
    {
        constexpr int ROWS = 32 / CHUNKS; /* that the warp stores at a time */
        const int chunk = (int)threadIdx.x % CHUNKS, first = (int)threadIdx.x % 32 / CHUNKS, across = column + 4 * chunk;
        const int down = row + y + first;
        const size_t stride = batch.row_stride;
        float *to = out + (ptrdiff_t)down * (ptrdiff_t)stride + across;
        __syncwarp();
        if (is_inside) {
#pragma unroll
            for (int lanes = 0; lanes < WARP_ROWS; lanes++) { /* lanes side by side */
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

/** The window of level - 3 of the lane's region, from the root. */
template <int VALLEY>
__device__ __forceinline__ void find_window(const ter_field &f, int lane, int level, int64_t i, int64_t j, float p[WINDOW][WINDOW])
{
    descend_windows<VALLEY>(f, lane, level - 6, 6, i, j, p);
#pragma unroll 1
    for (int depth = 5; depth >= 3; depth--)
        ter_descend_smooth(&f, level - depth, ter_window_low(TER_BASIS_SMOOTH, i, depth),
                           ter_window_low(TER_BASIS_SMOOTH, j, depth), VALLEY, p);
}

/** Blocks that a multiprocessor is to hold: 128 registers a thread, 168 where a lane makes 16 x 16 samples. */
constexpr int blocks_resident(int log)
{
    return log == 0 ? 4 : 3;
}

/** Regions of 8 M x 8 M samples a lane, M = 1 << LOG: 8 x 4 lanes side by side. Basis smooth: LOG is 0. */
template <int BASIS, int VALLEY, int LOG>
__global__ void __launch_bounds__(THREADS, blocks_resident(LOG))
    warp_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch)
{
    constexpr int SIDE = 8 << LOG, WIDTH_LOG = 6 + LOG, HEIGHT_LOG = 5 + LOG; /* of a lane's region; of a warp's */
    __shared__ float4 staging[THREADS / 32][4 * WARP_ROWS * warp_output<SIDE>::CHUNKS];
    let_next_kernel_start();
    const ter_cuda_tile &tile = batch.tiles[blockIdx.z];
    const int lane = (int)threadIdx.x % 32;
    const int64_t u = (tile.i >> WIDTH_LOG) + blockIdx.x * (THREADS / 32) + threadIdx.x / 32,
                  w = (tile.j >> HEIGHT_LOG) + blockIdx.y;
    const int64_t west = (u << WIDTH_LOG) - tile.i, north = (w << HEIGHT_LOG) - tile.j;
    if (west >= batch.width || north >= batch.height)
        return;
    float window[WINDOW][WINDOW], cell[2][2]; /* of one basis each */
    if constexpr (BASIS == TER_BASIS_MIDPOINT)
        find_cell<VALLEY>(f, lane, tile.level - WIDTH_LOG + 3, u, w, cell);
    const int64_t i = (u << WIDTH_LOG) + lane % WARP_COLUMNS * SIDE, j = (w << HEIGHT_LOG) + lane / WARP_COLUMNS * SIDE;
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        find_window<VALLEY>(f, lane, tile.level, i, j, window);
    wait_for_previous_kernel();
    const bool is_inside = ter_batch_is_aligned(batch) && west % 4 == 0 && west >= 0 && north >= 0 &&
                           west + (WARP_COLUMNS * SIDE) <= batch.width && north + (WARP_ROWS * SIDE) <= batch.height;
    float *out = batch.out + (size_t)tile.slot * batch.slot_stride;
    const warp_output<SIDE> output = {batch, out, staging[threadIdx.x / 32], (int)west, (int)north, is_inside};
    if constexpr (BASIS == TER_BASIS_SMOOTH) {
        finish_eight_smooth<VALLEY>(f, tile.level, i, j, window, output);
    } else if constexpr (LOG == 0) {
        finish_eight<VALLEY>(f, tile.level, i, j, cell, output);
    } else {
        float c[3][3];
        split<VALLEY>(f, f.amplitude[tile.level - 3],
                      split_bytes_together(f, lane, tile.level - 3, u * WARP_COLUMNS, w * WARP_ROWS), cell, c);
        __shared__ uint32_t south[THREADS / 32][6 * 32];
        finish_sixteen<VALLEY>(f, lane, tile.level, i, j, c, south[threadIdx.x / 32] + lane, output);
    }
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

/** Warps side by side over every tile, regions of 8 << LOG samples a lane. */
template <int BASIS, int VALLEY, int LOG>
ter_status launch_warps(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    const int width = 64 << LOG, height = 32 << LOG, warps = batch->width / width + 2; /* an origin may lie inside the first one */
    const dim3 grid((unsigned)((warps + THREADS / 32 - 1) / (THREADS / 32)), (unsigned)(batch->height / height + 2),
                    (unsigned)batch->count);
    return launch_overlapped(warp_kernel<BASIS, VALLEY, LOG>, grid, THREADS, 0, stream, *f, *batch);
}

/** A patch of 4 x 4 samples a thread. */
template <int BASIS, int VALLEY> ter_status launch_patches(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    const int n_columns = batch->width / 4 + 2,
              n_rows = batch->height / 4 + 2; /* an origin may lie up to three points inside a block */
    const dim3 grid((unsigned)(n_columns / THREADS + 1), (unsigned)n_rows, (unsigned)batch->count);
    patch_kernel<BASIS, VALLEY><<<grid, THREADS, 0, stream>>>(*f, *batch, ter_batch_is_aligned(*batch));
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

template <int BASIS, int VALLEY> ter_status launch_samples(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    const dim3 grid((unsigned)(batch->width / THREADS + 1), (unsigned)batch->height, (unsigned)batch->count);
    sample_kernel<BASIS, VALLEY><<<grid, THREADS, 0, stream>>>(*f, *batch);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

template <int VALLEY>
ter_status launch_smooth(const ter_field *f, const ter_cuda_batch *batch, bool is_by_sample, cudaStream_t stream)
{
    if (is_by_sample || batch->level_min < PATCH_LEVEL_MIN)
        return launch_samples<TER_BASIS_SMOOTH, VALLEY>(f, batch, stream);
    if (batch->level_min < WARP_LEVEL_MIN)
        return launch_patches<TER_BASIS_SMOOTH, VALLEY>(f, batch, stream);
    return launch_warps<TER_BASIS_SMOOTH, VALLEY, 0>(f, batch, stream);
}

template <int VALLEY>
ter_status launch_midpoint(const ter_field *f, const ter_cuda_batch *batch, bool is_by_sample, cudaStream_t stream)
{
    const double samples = (double)batch->width * batch->height * batch->count;
    if (is_by_sample || batch->level_min < PATCH_LEVEL_MIN)
        return launch_samples<TER_BASIS_MIDPOINT, VALLEY>(f, batch, stream);
    if (batch->level_min < WARP_LEVEL_MIN)
        return launch_patches<TER_BASIS_MIDPOINT, VALLEY>(f, batch, stream);
    if (samples < WARP_SAMPLES_MIN || !can_divide_heights(*f)) /* finish_sixteen keeps them divided */
        return launch_warps<TER_BASIS_MIDPOINT, VALLEY, 0>(f, batch, stream);
    return launch_warps<TER_BASIS_MIDPOINT, VALLEY, 1>(f, batch, stream);
}

} // namespace

ter_status ter_single_pass(const ter_field *f, const ter_cuda_batch *batch, bool is_by_sample, cudaStream_t stream)
{
    if (f->basis == TER_BASIS_SMOOTH)
        return (f->is_valley ? launch_smooth<1> : launch_smooth<0>)(f, batch, is_by_sample, stream);
    return (f->is_valley ? launch_midpoint<1> : launch_midpoint<0>)(f, batch, is_by_sample, stream);
}

ter_status ter_points(const ter_field *f, int level, const int64_t (*points)[2], size_t count, float *out, cudaStream_t stream)
{
    points_kernel<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(*f, level, points, count, out);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
