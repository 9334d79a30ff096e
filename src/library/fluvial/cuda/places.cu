/* places.cu - makes the warp at the points of blocks. It does the work of ter_make_warp_knot, ter_make_warp and
 * ter_halve_places.
 *
 * A spline of 4 x 4 knots is a weighted sum of four sums, one along each row of knots. A thread goes down a column of
 * points. Most points need the same four rows of knots as the point above, so the sums along these rows are reused:
 *
 *     k k k k  ->  sum along row j      * wy[0]
 *     k k k k  ->  sum along row j + 1  * wy[1]   + ..    = an octave of the warp at the point
 *
 * All threads of a block go down the same rows of points. The weights wy of these lie in shared memory.
 */
#include "library/fluvial/cuda/places.cuh"

#include <climits>

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128, COLUMNS = 32;

__global__ void __launch_bounds__(THREADS) knots_kernel(const ter_fluvial_job *jobs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    int first = 0;
    for (int m = 0; m < TER_WARP_OCTAVES; m++) {
        const int width = job->warp_at[m].width, count = width * job->warp_at[m].height;
        for (int n = (int)(blockIdx.x * THREADS + threadIdx.x) - first; n < count; n += (int)gridDim.x * THREADS)
            if (n >= 0)
                ter_make_warp_knot(job, m, n % width, n / width);
        first =
            (first + count) % ((int)gridDim.x * THREADS); /* the next octave begins with the threads that are free */
    }
}

/** For each octave and each row of points of a block of threads: the weights of four rows of knots, and the first of
 * these rows. */
template <int ROWS> struct row_table {
    float4 weights[TER_WARP_OCTAVES][ROWS];
    int knots[TER_WARP_OCTAVES][ROWS];
};

/** Fill the table. All threads call. y_of(n): row n of points, m */
template <int ROWS, class Row> __device__ void fill_table(const ter_fluvial_job *job, row_table<ROWS> *table, Row y_of)
{
    for (int n = (int)threadIdx.x; n < TER_WARP_OCTAVES * ROWS; n += (int)blockDim.x) {
        const int m = n / ROWS, shift = TER_WARP_SHIFT - m;
        const int64_t y = y_of(n % ROWS), mask = ((int64_t)1 << shift) - 1;
        float w[4];
        ter_spline_weights((float)(uint32_t)(y & mask) * (1.0f / (float)(1u << shift)), w);
        table->weights[m][n % ROWS] = make_float4(w[0], w[1], w[2], w[3]);
        const int64_t row = (y >> shift) - 1 - job->warp_at[m].y; /* the clamp below is for rows that are not stored */
        table->knots[m][n % ROWS] = (int)min(max(row, (int64_t)0), (int64_t)job->warp_at[m].height - 4);
    }
    __syncthreads();
}

/** Weighted sum along four knots of a row. */
template <int CHANNELS>
__device__ __forceinline__ void sum_row(const float *knots, const float wx[4], float s[TER_SHIFTS])
{
    for (int c = 0; c < TER_SHIFTS; c++)
        s[c] = 0.0f;
#pragma unroll
    for (int a = 0; a < 4; a++) {
        float knot[4];
        ter_load_knot(knots + a * CHANNELS, CHANNELS, knot);
#pragma unroll
        for (int c = 0; c < (CHANNELS == 2 ? 2 : TER_SHIFTS); c++)
            s[c] = ter_fma(wx[a], knot[c], s[c]);
    }
}

/** Add octave m to the warp at COUNT points of a column, which are rows first .. first + COUNT - 1 of the table. */
template <int CHANNELS, int COUNT, int ROWS>
__device__ __forceinline__ void add_octave(const ter_fluvial_job *job, int m, const row_table<ROWS> &table, int first,
                                           int64_t x, float warp[COUNT][TER_SHIFTS])
{
    const ter_window at = job->warp_at[m];
    const int shift = TER_WARP_SHIFT - m;
    const int64_t column = (x >> shift) - 1 - at.x, mask = ((int64_t)1 << shift) - 1;
    const float *knots = job->warp[m] + min(max(column, (int64_t)0), (int64_t)at.width - 4) * CHANNELS;
    const float reach = ter_warp_reach(m);
    float wx[4], sum[4][TER_SHIFTS];
    ter_spline_weights((float)(uint32_t)(x & mask) * (1.0f / (float)(1u << shift)), wx);
    int row = INT_MIN / 2;
#pragma unroll
    for (int n = 0; n < COUNT; n++) {
        const int first_row = table.knots[m][first + n];
        const int n_reused = first_row == row ? 4 : first_row == row + 1 ? 3 : 0;
        if (n_reused == 3)
#pragma unroll
            for (int b = 0; b < 3; b++)
#pragma unroll
                for (int c = 0; c < TER_SHIFTS; c++)
                    sum[b][c] = sum[b + 1][c];
        if (n_reused == 0)
#pragma unroll
            for (int b = 0; b < 3; b++)
                sum_row<CHANNELS>(knots + (size_t)(first_row + b) * (size_t)(at.width * CHANNELS), wx, sum[b]);
        if (n_reused < 4)
            sum_row<CHANNELS>(knots + (size_t)(first_row + 3) * (size_t)(at.width * CHANNELS), wx, sum[3]);
        row = first_row;
        const float4 w = table.weights[m][first + n];
#pragma unroll
        for (int c = 0; c < (CHANNELS == 2 ? 2 : TER_SHIFTS); c++) {
            const float s = ter_fma(w.w, sum[3][c],
                                    ter_fma(w.z, sum[2][c], ter_fma(w.y, sum[1][c], ter_fma(w.x, sum[0][c], 0.0f))));
            warp[n][c] = ter_fma(c < 2 ? reach : TER_WARP_PATCH, s, warp[n][c]);
        }
    }
}

/** Make the warp at COUNT points of the column at x metres. */
template <int COUNT, int ROWS>
__device__ __forceinline__ void warp_column(const ter_fluvial_job *job, const row_table<ROWS> &table, int first,
                                            int64_t x, float warp[COUNT][TER_SHIFTS])
{
#pragma unroll
    for (int n = 0; n < COUNT; n++) {
        warp[n][0] = warp[n][1] = 0.0f;
        warp[n][2] = TER_WARP_MEAN;
    }
    for (int m = 0; m < TER_WARP_PATCHES; m++)
        add_octave<2, COUNT>(job, m, table, first, x, warp);
    for (int m = TER_WARP_PATCHES; m < TER_WARP_OCTAVES; m++)
        add_octave<4, COUNT>(job, m, table, first, x, warp);
}

/** Number of tiles of columns x rows points over a window. */
__host__ __device__ inline int tiles_over(const ter_window &at, int columns, int rows)
{
    return ((at.width + columns - 1) / columns) * ((at.height + rows - 1) / rows);
}

constexpr int RUN = 8, TILE_ROWS = RUN * THREADS / COLUMNS; /* points of a thread; rows of a tile */

/** Do the work of ter_make_warp in tiles of 32 x 32 points; a thread makes 8 points of a column. blockIdx.z: the ground
 * */
__global__ void __launch_bounds__(THREADS) warp_kernel(const ter_fluvial_job *jobs)
{
    __shared__ row_table<TILE_ROWS> table;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    if ((int)blockIdx.z >= job->n_grounds)
        return;
    const ter_ground_plan *plan = &job->ground[blockIdx.z];
    const ter_window at = plan->points.at;
    if ((int)blockIdx.x >= tiles_over(at, COLUMNS, TILE_ROWS))
        return;
    const int across = (at.width + COLUMNS - 1) / COLUMNS;
    const int x = (int)blockIdx.x % across * COLUMNS + (int)threadIdx.x % COLUMNS;
    const int tile_y = (int)blockIdx.x / across * TILE_ROWS, first = (int)threadIdx.x / COLUMNS * RUN;
    fill_table(job, &table, [&](int n) { return (at.y + tile_y + n) * plan->points.step; });
    if (x >= at.width || tile_y + first >= at.height)
        return;
    float warp[RUN][TER_SHIFTS];
    warp_column<RUN>(job, table, first, (at.x + x) * plan->points.step, warp);
#pragma unroll
    for (int n = 0; n < RUN; n++)
        if (tile_y + first + n < at.height)
#pragma unroll
            for (int c = 0; c < TER_SHIFTS; c++)
                plan->warp[((size_t)(tile_y + first + n) * (size_t)at.width + (size_t)x) * TER_SHIFTS + c] = warp[n][c];
}

/* ---- places of samples ---- */

constexpr int PLACE_TILE = 32;
constexpr int HALF = PLACE_TILE / 2 + 3, QUARTER = (HALF + 1) / 2 + 3; /* sides of the coarser lattices under a tile */

/** Points of a lattice under a tile. Points outside of the window hold values that no stored place depends on. */
template <int SIDE> struct place_tile {
    float2 shift[SIDE][SIDE];
};

/** The warp at a point of half the spacing, by the four-point rule. x, y: the point, relative to the tile's first point
 */
template <int SIDE> __device__ float2 halved_place(const place_tile<SIDE> &t, int x, int y)
{
    const int i = x >> 1, j = y >> 1;
    const auto along = [&](int row) {
        const float2 *p = &t.shift[row][i];
        return x & 1 ? make_float2(ter_four(p[-1].x, p[0].x, p[1].x, p[2].x), ter_four(p[-1].y, p[0].y, p[1].y, p[2].y))
                     : p[0];
    };
    if (!(y & 1))
        return along(j);
    const float2 a = along(j - 1), b = along(j), c = along(j + 1), d = along(j + 2);
    return make_float2(ter_four(a.x, b.x, c.x, d.x), ter_four(a.y, b.y, c.y, d.y));
}

/** Add ter_place_shift to point (x, y) of lattice n. */
__device__ float2 shifted_place(const ter_fluvial *f, int n, int64_t x, int64_t y, float2 place)
{
    return make_float2(place.x + ter_place_shift(f, n, 0, x, y), place.y + ter_place_shift(f, n, 1, x, y));
}

/** Load the warp at the points of the coarsest lattice from (first_x, first_y) on. Points outside of the window get the
 * values at its edge. */
template <int SIDE>
__device__ __forceinline__ void load_places(const ter_place_plan *places, int64_t first_x, int64_t first_y,
                                            place_tile<SIDE> *to)
{
    const ter_window from = places->at[0].at;
    for (int n = (int)threadIdx.x; n < SIDE * SIDE; n += THREADS) {
        const int64_t x = min(max(first_x + n % SIDE - from.x, (int64_t)0), (int64_t)from.width - 1),
                      y = min(max(first_y + n / SIDE - from.y, (int64_t)0), (int64_t)from.height - 1);
        const float *p = places->shift[0] + (y * from.width + x) * TER_SHIFTS;
        to->shift[n / SIDE][n % SIDE] = make_float2(p[0], p[1]);
    }
}

/** Make the lattice before the last one from point (half_x, half_y) on; both are odd. All threads of the block call. */
__device__ __forceinline__ void make_half(const ter_fluvial_job *job, int64_t half_x, int64_t half_y,
                                          place_tile<QUARTER> *quarter, place_tile<HALF> *half)
{
    if (job->places.count == 3) {
        const int64_t quarter_x = (half_x >> 1) - 1, quarter_y = (half_y >> 1) - 1;
        load_places(&job->places, quarter_x, quarter_y, quarter);
        __syncthreads();
        for (int n = (int)threadIdx.x; n < HALF * HALF; n += THREADS)
            half->shift[n / HALF][n % HALF] =
                shifted_place(&job->f, 1, half_x + n % HALF, half_y + n / HALF,
                              halved_place(*quarter, (int)(half_x - 2 * quarter_x) + n % HALF,
                                           (int)(half_y - 2 * quarter_y) + n / HALF));
    } else {
        load_places(&job->places, half_x, half_y, half);
    }
    __syncthreads();
}

/** Do the work of ter_halve_places for the last lattice, in tiles; the lattice between lies in shared memory. */
__global__ void __launch_bounds__(THREADS) halve_kernel(const ter_fluvial_job *jobs)
{
    __shared__ place_tile<QUARTER> quarter;
    __shared__ place_tile<HALF> half;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_place_plan *places = &job->places;
    if (places->count < 2)
        return;
    const int last = places->count - 1;
    const ter_window at = places->at[last].at;
    const int64_t first_x = at.x >> 5, first_y = at.y >> 5; /* tiles begin at multiples of their side in the world */
    const int across = (int)(((at.x + at.width - 1) >> 5) - first_x) + 1,
              down = (int)(((at.y + at.height - 1) >> 5) - first_y) + 1;
    if ((int)blockIdx.x >= across * down)
        return;
    const int64_t x0 = (first_x + (int)blockIdx.x % across) * PLACE_TILE,
                  y0 = (first_y + (int)blockIdx.x / across) * PLACE_TILE;
    const int64_t half_x = (x0 >> 1) - 1, half_y = (y0 >> 1) - 1;
    make_half(job, half_x, half_y, &quarter, &half);
    for (int n = (int)threadIdx.x; n < PLACE_TILE * PLACE_TILE; n += THREADS) {
        const int64_t x = x0 + n % PLACE_TILE, y = y0 + n / PLACE_TILE;
        if (x < at.x || y < at.y || x >= at.x + at.width || y >= at.y + at.height)
            continue;
        const float2 p =
            shifted_place(&job->f, last, x, y, halved_place(half, (int)(x - 2 * half_x), (int)(y - 2 * half_y)));
        float *out = places->shift[last] + (size_t)ter_window_index(at, x, y) * 2;
        out[0] = p.x;
        out[1] = p.y;
    }
}

} // namespace

ter_status ter_cuda::run_knots(const fluvial_jobs &jobs)
{
    constexpr int BLOCKS = 4096; /* approximate number of blocks of threads in the launch */
    const unsigned blocks = jobs.count < BLOCKS / 8 ? (unsigned)(BLOCKS / jobs.count) : 8;
    knots_kernel<<<dim3(blocks, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status ter_cuda::run_tiled_places(const fluvial_jobs &jobs)
{
    int tiles = 0, halved = 0;
    for (int n = 0; n < jobs.count; n++) {
        const ter_fluvial_job &job = jobs.host[n];
        for (int g = 0; g < job.n_grounds; g++)
            tiles = max(tiles, tiles_over(job.ground[g].points.at, COLUMNS, TILE_ROWS));
        const ter_window &last = job.places.at[job.places.count - 1].at;
        if (job.places.count > 1)
            halved = max(halved, (last.width / PLACE_TILE + 2) * (last.height / PLACE_TILE + 2));
    }
    const ter_status status = run_knots(jobs);
    if (status != TER_OK)
        return status;
    const unsigned count = (unsigned)jobs.count;
    warp_kernel<<<dim3((unsigned)tiles, count, TER_GROUNDS_MAX), THREADS, 0, jobs.stream>>>(jobs.device);
    TER_CUDA(cudaGetLastError());
    if (halved > 0)
        halve_kernel<<<dim3((unsigned)halved, count), THREADS, 0, jobs.stream>>>(jobs.device);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
