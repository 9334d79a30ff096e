/* heights.cu - heights at 4, 2 and 1 m from those at 8 m: ter_make_fine, by blocks of 4 x 4 points, which share a draw
 * of random words.
 *
 *     128 x 128 points of the world   <-  72 x 72 of twice the spacing  <-  40 x 40  <-  24 x 24 of 8 m, from memory
 *
 * All but the last level stay in shared memory. Points beyond a block's window are made from its border; nobody reads
 * them.
 */
#include "library/fluvial/cuda/heights.cuh"

#include "library/fluvial/cuda/beach.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 256, TILE_SHIFT = 7, TILE_X = 1 << TILE_SHIFT, TILE_Y = TILE_X;

__host__ __device__ constexpr int floor_quarter(int x)
{
    return x >= 0 ? x / 4 : -((3 - x) / 4);
}

/** Columns, or rows, that a tile of `side` points needs `up` levels above it: blocks of four, first .. last, relative
 * to the tile's first point divided by 2^up. */
__host__ __device__ constexpr int first_block(int up)
{
    return up == 0 ? 0 : floor_quarter(2 * first_block(up - 1) - 1);
}

__host__ __device__ constexpr int last_block(int side, int up)
{
    return up == 0 ? side / 4 - 1 : floor_quarter(2 * last_block(side, up - 1) + 3);
}

/** First point and number of points in storage; the topmost level, which is read, is stored from the first point that
 * is needed. */
__host__ __device__ constexpr int first_point(int up)
{
    return 4 * first_block(up);
}

__host__ __device__ constexpr int count_points(int side, int up)
{
    return 4 * (last_block(side, up) - first_block(up) + 1);
}

__host__ __device__ constexpr int shared_floats(int levels)
{
    int sum = 0;
    for (int up = 1; up <= levels; up++)
        sum += count_points(TILE_X, up) * count_points(TILE_Y, up);
    return sum;
}

/** Byte n of a word as r, -128..127. The byte becomes the mantissa of 2^23 + byte, which is exact. */
__device__ __forceinline__ float byte_of(unsigned word, int n)
{
    return __uint_as_float(__byte_perm(word, 0x4B000000u, 0x7440 | n)) - 8388736.0f;
}

/** fminf and fmaxf order the zeros, ter_clamp does not; a beach makes them one. Heights are no NaN. */
__device__ __forceinline__ float displaced(float r, float m, float low, float high)
{
    return fminf(fmaxf(ter_fma(r, (high - low) * (0.12f / 256.0f), m), low), high);
}

/** A block of 4 x 4 points.
 *
 *  p       the coarse point at its north-west point
 *  stride  of coarse rows
 */
__device__ __forceinline__ void refine_block(const float *p, int stride, const ter_words &words, float out[4][4])
{
    float even[5][2], odd[5][2], low[3][2], high[3][2];
#pragma unroll
    for (int r = 0; r < 5; r++) {
        const float *row = p + (r - 1) * stride;
        const float a = row[-1], b = row[0], c = row[1], d = row[2], e = row[3];
        even[r][0] = b;
        even[r][1] = c;
        odd[r][0] = ter_four(a, b, c, d);
        odd[r][1] = ter_four(b, c, d, e);
        if (r >= 1 && r <= 3) {
            low[r - 1][0] = fminf(b, c);
            low[r - 1][1] = fminf(c, d);
            high[r - 1][0] = fmaxf(b, c);
            high[r - 1][1] = fmaxf(c, d);
        }
    }
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const unsigned north = words.w[2 * r], south = words.w[2 * r + 1];
            out[2 * r][2 * k] = even[r + 1][k];
            out[2 * r][2 * k + 1] = displaced(byte_of(north, 2 * k + 1), odd[r + 1][k], low[r][k], high[r][k]);
            out[2 * r + 1][2 * k] =
                displaced(byte_of(south, 2 * k), ter_four(even[r][k], even[r + 1][k], even[r + 2][k], even[r + 3][k]),
                          fminf(even[r + 1][k], even[r + 2][k]), fmaxf(even[r + 1][k], even[r + 2][k]));
            out[2 * r + 1][2 * k + 1] =
                displaced(byte_of(south, 2 * k + 1), ter_four(odd[r][k], odd[r + 1][k], odd[r + 2][k], odd[r + 3][k]),
                          fminf(low[r][k], low[r + 1][k]), fmaxf(high[r][k], high[r + 1][k]));
        }
}

/** Where the heights of a block go. */
struct height_output {
    float *at; /* the block's first sample */
    size_t stride;
    const unsigned char *is_wet;
    int tiles_x;
    bool is_by_four; /* rows of four points are whole vectors */
};

__device__ void store_block(const height_output &out, const ter_window &at, int64_t x, int64_t y, float sea,
                            float h[4][4])
{
    const int64_t column = x - at.x, row = y - at.y;
    if (column <= -4 || column >= at.width || row <= -4 || row >= at.height)
        return;
    const bool is_dry =
        out.is_wet && !out.is_wet[(int)((y >> 4) - (at.y >> 4)) * out.tiles_x + (int)((x >> 4) - (at.x >> 4))];
    if (is_dry)
#pragma unroll
        for (int n = 0; n < 16; n++)
            h[n >> 2][n & 3] = fast_beach(h[n >> 2][n & 3], sea);
    const bool is_whole = out.is_by_four && column >= 0 && column + 4 <= at.width;
#pragma unroll
    for (int r = 0; r < 4; r++) {
        if (row + r < 0 || row + r >= at.height)
            continue;
        float *to = out.at + (size_t)(row + r) * out.stride + column;
        if (is_whole)
            *(float4 *)to = make_float4(h[r][0], h[r][1], h[r][2], h[r][3]);
        else
#pragma unroll
            for (int c = 0; c < 4; c++)
                if (column + c >= 0 && column + c < at.width)
                    to[c] = h[r][c];
    }
}

/** Level `UP` above the samples, from the one above it, in shared memory; and from there on down. */
template <int UP, int LEVELS>
__device__ __forceinline__ void refine_level(const ter_fluvial &f, const ter_window &at, float *shared, int64_t tile_x,
                                             int64_t tile_y, const height_output &out)
{
    constexpr int WIDTH = last_block(TILE_X, UP) - first_block(UP) + 1,
                  HEIGHT = last_block(TILE_Y, UP) - first_block(UP) + 1;
    constexpr int STRIDE = count_points(TILE_X, UP + 1), TO_STRIDE = count_points(TILE_X, UP);
    float *to = shared + (UP > 0 ? shared_floats(UP - 1) : 0);
    const float *from = shared + shared_floats(UP);
    constexpr int TAG = TER_TAG_FINE + (LEVELS == 3 ? 2 : LEVELS == 2 ? 1 : 0) - UP;
    for (int n = (int)threadIdx.x; n < WIDTH * HEIGHT; n += THREADS) {
        const int x = n % WIDTH + first_block(UP), y = n / WIDTH + first_block(UP);
        const int64_t block_x = (tile_x >> (UP + 2)) + x, block_y = (tile_y >> (UP + 2)) + y;
        const ter_words words = ter_tagged_words(f.round_key, TAG, block_x, block_y);
        float h[4][4];
        refine_block(from + (2 * y - first_point(UP + 1)) * STRIDE + 2 * x - first_point(UP + 1), STRIDE, words, h);
        if (UP == 0) {
            store_block(out, at, 4 * block_x, 4 * block_y, f.sea, h);
        } else {
            float *p = to + (4 * (y - first_block(UP))) * TO_STRIDE + 4 * (x - first_block(UP));
#pragma unroll
            for (int r = 0; r < 4; r++)
                *(float4 *)(p + r * TO_STRIDE) = make_float4(h[r][0], h[r][1], h[r][2], h[r][3]);
        }
    }
    if constexpr (UP > 0) {
        __syncthreads();
        refine_level<UP - 1, LEVELS>(f, at, shared, tile_x, tile_y, out);
    }
}

template <int LEVELS>
__global__ void __launch_bounds__(THREADS)
    heights_kernel(const ter_fluvial_job *jobs, const block_output *outputs, const __grid_constant__ ter_fluvial f)
{
    __shared__ __align__(16) float shared[shared_floats(LEVELS)];
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_window at = job->points.at;
    const int64_t first_x = at.x >> TILE_SHIFT, first_y = at.y >> TILE_SHIFT;
    const int columns = (int)(((at.x + at.width - 1) >> TILE_SHIFT) - first_x) + 1;
    const int rows = (int)(((at.y + at.height - 1) >> TILE_SHIFT) - first_y) + 1;
    if ((int)blockIdx.x >= columns * rows)
        return;
    const int64_t tile_x = (first_x + (int)blockIdx.x % columns) * TILE_X,
                  tile_y = (first_y + (int)blockIdx.x / columns) * TILE_Y;
    const ter_window from = job->fine[LEVELS].at;
    const float *base = job->height[LEVELS & 1];
    constexpr int WIDTH = count_points(TILE_X, LEVELS), HEIGHT = count_points(TILE_Y, LEVELS);
    float *top = shared + shared_floats(LEVELS - 1);
    for (int n = (int)threadIdx.x; n < WIDTH * HEIGHT; n += THREADS) {
        const int64_t x = (tile_x >> LEVELS) + first_point(LEVELS) + n % WIDTH - from.x;
        const int64_t y = (tile_y >> LEVELS) + first_point(LEVELS) + n / WIDTH - from.y;
        const int64_t near_x = x < 0 ? 0 : x >= from.width ? from.width - 1 : x;
        const int64_t near_y = y < 0 ? 0 : y >= from.height ? from.height - 1 : y;
        top[n] = base[(size_t)near_y * (size_t)from.width + (size_t)near_x];
    }
    const block_output &o = outputs[blockIdx.y];
    height_output out = {o.samples.layer[TER_LAYER_HEIGHT], o.samples.stride, o.is_wet, o.tiles_x, false};
    if (!o.is_wet) {
        out.at = o.fine;
        out.stride = (size_t)at.width;
    }
    out.is_by_four = ((uintptr_t)out.at / sizeof(float) - (uintptr_t)at.x) % 4 == 0 && out.stride % 4 == 0;
    __syncthreads();
    refine_level<LEVELS - 1, LEVELS>(f, at, shared, tile_x, tile_y, out);
}

/** A block of threads a tile, a thread a sample. */
__global__ void __launch_bounds__(THREADS) dry_kernel(const ter_fluvial_job *jobs, const block_output *outputs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const block_output &o = outputs[blockIdx.y];
    const int tile = (int)blockIdx.x;
    if (tile >= o.tiles_x * o.tiles_y || o.is_wet[tile])
        return;
    const ter_window at = job->points.at;
    const int x = (int)(((at.x >> 4) + tile % o.tiles_x) * SAMPLE_TILE - at.x) + (int)(threadIdx.x & 15);
    const int y = (int)(((at.y >> 4) + tile / o.tiles_x) * SAMPLE_TILE - at.y) + (int)(threadIdx.x >> 4);
    if (x >= 0 && x < at.width && y >= 0 && y < at.height)
        o.samples.layer[TER_LAYER_HEIGHT][(size_t)y * o.samples.stride + (size_t)x] =
            fast_beach(job->height[0][(size_t)y * (size_t)at.width + (size_t)x], job->f.sea);
}

} // namespace

ter_status ter_cuda::run_dry_heights(const fluvial_jobs &jobs, const block_output *host_outputs,
                                     const block_output *outputs)
{
    const int most = greatest_of(jobs, [&](int n) { return host_outputs[n].tiles_x * host_outputs[n].tiles_y; });
    dry_kernel<<<dim3((unsigned)most, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device, outputs);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status ter_cuda::run_fine_heights(const fluvial_jobs &jobs, const block_output *outputs, int lod)
{
    const int most = greatest_of(jobs, [&](int n) {
        const ter_window &at = jobs.host[n].points.at;
        return (at.width / TILE_X + 2) * (at.height / TILE_Y + 2);
    });
    const dim3 grid((unsigned)most, (unsigned)jobs.count);
    if (lod == 0)
        heights_kernel<3><<<grid, THREADS, 0, jobs.stream>>>(jobs.device, outputs, jobs.host[0].f);
    else if (lod == 1)
        heights_kernel<2><<<grid, THREADS, 0, jobs.stream>>>(jobs.device, outputs, jobs.host[0].f);
    else
        heights_kernel<1><<<grid, THREADS, 0, jobs.stream>>>(jobs.device, outputs, jobs.host[0].f);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
