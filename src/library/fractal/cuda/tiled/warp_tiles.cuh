/* warp_tiles.cuh - method `tiled` for large arrays of basis midpoint: each lane of a warp makes a region of 16 x 8
 * points in registers.
 *
 * The first blocks of a launch make a common level, seven levels above the output, with one point for 16384 of the
 * output. It stays in the second-level cache. The other blocks make units. Their warps share only the common level, and
 * the lanes of a warp share random words. A warp makes a unit of 128 x 32 points. Each lane descends from a cell of the
 * common level to a cell four levels above the output. Its region is the northern or southern half of that cell, and
 * all points of the region are made together. Samples go to shared memory, and from there a tensor copy moves them to
 * the array. If a warp's part of the common level is not complete yet, the warp descends from level 0 instead of
 * waiting.
 *
 * docs/lab/2026-cuda-generators.md, "What limits it", explains why a unit is so small.
 */
#ifndef TERRANE_FRACTAL_CUDA_TILED_WARP_TILES_CUH
#define TERRANE_FRACTAL_CUDA_TILED_WARP_TILES_CUH

#include "library/core/cuda/overlapped_launch.cuh"
#include "library/fractal/cuda/tiled/warp_tile_output.cuh"
#include "library/fractal/cuda/tiled/warp_tile_words.cuh"

namespace
{

constexpr int REGION_RESIDENT =
    12; /* warps that a multiprocessor must hold: 168 registers per thread, 16 KB of floats per warp */
constexpr int COMMON_DEPTH = 7; /* levels from the common level to the output's; `way` of unit_plan begins there */
constexpr int COMMON_WIDTH = 64, COMMON_HEIGHT = 32; /* points of the common level that a warp makes */
static_assert(TER_REGION_LEVEL_MIN == COMMON_DEPTH, "a unit lies in a cell of the common level");
constexpr int COMMON_LEVEL_MIN = 6; /* a warp's part of the common level lies in one cell six levels above it */

/** Coordinate of the cell of the common level that a lane's cell lies in. */
__host__ __device__ constexpr int64_t common_cell(int64_t cell)
{
    return cell >> (COMMON_DEPTH - CELL_LOG);
}

/** The common level of a launch, if it has one. */
struct common_level {
    ter_cuda_common memory;
    int64_t u, v; /* first point: multiples of COMMON_WIDTH and COMMON_HEIGHT */
    int pitch;
    int n_warps, warps_i; /* warps that make it, in all and side by side; 0: no common level */
    int blocks_j;         /* rows of blocks of these warps */
};

/** Units east of the last whole block. Warps of additional blocks make them, one unit each. */
struct units_left {
    int unit_i, units_i, units_j; /* column of the first unit; number of units across and down */
    int blocks_j;                 /* rows of these additional blocks, after those of the common level */
};

/** A launch: one array. */
template <class SAMPLE> struct region_launch {
    region_array<SAMPLE> array;
    common_level common;
    units_left left;
    int level;
    int64_t u, v; /* the first unit's first cell: multiples of UNIT_CELLS and UNIT_CELL_ROWS */
};

/* ---- the common level ---- */

/** Sink of finish_eight: eight columns of the common level. A point of 64 bits has a height and the number of the
 * launch, and is stored and loaded at once. So a reader that finds the number of its launch also has the height of its
 * launch, and the order of stores does not matter. */
struct common_output {
    mutable ter_cuda_common_point *at;
    int pitch;
    unsigned launch;

    template <class BLOCKS> __device__ __forceinline__ void stage(int, const BLOCKS &h) const
    {
#pragma unroll
        for (int n = 0; n < 32; n++)
            store_relaxed(at + n / 8 * pitch + n % 8, h[n / 4 % 2][n / 8][n % 4]);
    }

    __device__ __forceinline__ void flush(int) const
    {
        at += 4 * pitch;
    }

    __device__ __forceinline__ void store_relaxed(ter_cuda_common_point *to, float height) const
    {
        const uint64_t point = __float_as_uint(height) | (uint64_t)launch << 32;
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(point) : "memory");
    }
};

/** Make a warp's part of the common level. */
template <int VALLEY>
__device__ __forceinline__ void make_common(const ter_field &f, const common_level &c, int level, int warp, int lane)
{
    const int across = warp % c.warps_i, down = warp / c.warps_i;
    const int column = across * COMMON_WIDTH + lane % WARP_COLUMNS * 8,
              row = down * COMMON_HEIGHT + lane / WARP_COLUMNS * 8;
    float cell[2][2];
    find_cell<VALLEY>(f, lane, level - 3, c.u / COMMON_WIDTH + across, c.v / COMMON_HEIGHT + down, cell);
    const common_output output = {c.memory.at + (size_t)row * c.pitch + column, c.pitch, c.memory.launch};
    finish_eight<VALLEY>(f, level, c.u + column, c.v + row, cell, output);
}

/** The corners of a cell of the common level, as stored in memory. */
struct common_cell_points {
    uint64_t points[4];

    /** Load the corners of the cell (u, v), counted from the level's first point. The loads are not complete when this
     * returns. They bypass the first-level cache, because other blocks of the launch may be writing these points. */
    __device__ __forceinline__ common_cell_points(const common_level &c, unsigned u, unsigned v)
    {
        const ter_cuda_common_point *at = c.memory.at + (v * (unsigned)c.pitch + u);
#pragma unroll
        for (int n = 0; n < 4; n++) {
            points[n] = 0;
            if (c.n_warps > 0)
                asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                             : "=l"(points[n])
                             : "l"(at + (n >> 1) * c.pitch + (n & 1))
                             : "memory");
        }
    }

    /** Whether the corners of all lanes are complete. launch: 0 if there is no common level */
    __device__ __forceinline__ bool are_of(unsigned launch) const
    {
        bool is_ready = launch != 0;
#pragma unroll
        for (int n = 0; n < 4; n++)
            is_ready = is_ready && (unsigned)(points[n] >> 32) == launch;
        return __all_sync(ALL_LANES, is_ready);
    }

    __device__ __forceinline__ void get(float p[2][2]) const
    {
#pragma unroll
        for (int n = 0; n < 4; n++)
            p[n >> 1][n & 1] = __uint_as_float((unsigned)points[n]);
    }
};

/* ---- heights of a unit ---- */

/** Factor on heights of the last levels. Heights four to two levels above the output are divided by 4, new points of
 * the level directly above the output by 2. With valleys the factor is 1, because displacements depend on heights. */
template <int VALLEY> __host__ __device__ constexpr float height_factor(float divided)
{
    return VALLEY ? 1.0f : divided;
}

/** Multiply the QUARTERED parents in a block, so that they are whole. */
template <int VALLEY> __device__ __forceinline__ void make_whole(float (&h)[5][5])
{
    h[0][0] *= height_factor<VALLEY>(4);
    h[0][2] *= height_factor<VALLEY>(2);
    h[2][0] *= height_factor<VALLEY>(2);
    h[2][2] *= height_factor<VALLEY>(2);
}

/** Make the 5 x 3 points that the lane's half of the cell p spans, two levels above the output. */
template <int VALLEY>
__device__ __forceinline__ void grow_half(const ter_field &f, int level, const unit_words &words, const float p[2][2],
                                          float (&g)[3][5])
{
    const bool is_south = words.y & 1;
    float c[3][3];
    split<VALLEY>(f, height_factor<VALLEY>(0.25f) * f.amplitude[level - 3], words.split(), p, c);
    float n[3], s[3]; /* points on the half's northern and southern side, three levels above the output */
#pragma unroll
    for (int x = 0; x < 3; x++) {
        n[x] = is_south ? c[1][x] : c[0][x];
        s[x] = is_south ? c[2][x] : c[1][x];
    }
    ter_words own; /* words of the whole cell, from the lane of its northern half */
#pragma unroll
    for (int row = 0; row < 4; row++)
        own.w[row] = __shfl_sync(ALL_LANES, words.cell.w[row], (int)threadIdx.x & ~WARP_COLUMNS);
    const uint32_t east = words.eastern(own, EAST_2 + (words.y >> 1)) >> (is_south ? 8 : 0);
    const uint32_t below = words.southern(own.w[0], words.other.w[0], SOUTH_2 + words.x);
    const uint32_t row0 = is_south ? own.w[2] : own.w[0], row1 = is_south ? own.w[3] : own.w[1],
                   row2 = is_south ? below : own.w[2];
    const float a = height_factor<VALLEY>(0.25f) * f.amplitude[level - 2];
#pragma unroll
    for (int x = 0; x < 3; x++) {
        g[0][2 * x] = n[x];
        g[1][2 * x] = displace<VALLEY>(f, a, x < 2 ? byte_r(row1, 2 * x) : byte_r(east, 0), ter_edge(n[x], s[x]));
        g[2][2 * x] = s[x];
    }
#pragma unroll
    for (int x = 1; x < 5; x += 2) {
        g[0][x] = displace<VALLEY>(f, a, byte_r(row0, x), ter_edge(g[0][x - 1], g[0][x + 1]));
        g[2][x] = displace<VALLEY>(f, a, byte_r(row2, x), ter_edge(g[2][x - 1], g[2][x + 1]));
        g[1][x] = displace<VALLEY>(f, a, byte_r(row1, x), ter_centre(g[0][x], g[2][x], g[1][x - 1], g[1][x + 1]));
    }
}

/** Make the 9 x 5 points that the lane's region spans, one level above the output. */
template <int VALLEY>
__device__ __forceinline__ void grow_above(const ter_field &f, int level, int64_t u, int64_t v, const unit_words &words,
                                           const float (&g)[3][5], float (&above)[5][9])
{
    const block_words<2, 1> own(f, level - 1, 2 * (u | words.x), 2 * v | words.y);
    const ter_words &beside = own.at[0][1];
    const uint32_t east = words.eastern(own.at[0][0], EAST_1 + words.y);
#pragma unroll
    for (int n = 0; n < 2; n++) {
        const unsigned block =
            2 * words.x + n; /* number among the 16 blocks south of the unit; odd rows of lanes have their words */
        const unsigned last = block % WARP_COLUMNS + WARP_COLUMNS * (2 * (block / WARP_COLUMNS) + 1);
        const uint32_t below = words.southern(own.at[0][n].w[0], words.cell.w[0], last);
        float parents[MIDPOINT_PARENTS][MIDPOINT_PARENTS], h[5][5];
        take_parents(g, 0, 2 * n, parents);
        grow_midpoint<VALLEY, VALLEY ? WHOLE : HALVED>(
            f, height_factor<VALLEY>(0.5f) * f.amplitude[level - 1],
            {own.at[0][n], n ? east : beside.w[1], n ? east >> 8 : beside.w[3], below}, parents, h);
#pragma unroll
        for (int m = 0; m < 25; m++)
            above[m / 5][4 * n + m % 5] = h[m / 5][m % 5];
    }
}

__device__ __forceinline__ float4 row_of(const float (&h)[5][5], int y)
{
    return make_float4(h[y][0], h[y][1], h[y][2], h[y][3]);
}

/** Make the lane's 16 x 8 points, from its cell p. */
template <int VALLEY, class OUTPUT>
__device__ __forceinline__ void grow_region(const ter_field &f, int level, int64_t u, int64_t v,
                                            const unit_words &words, const float p[2][2], const OUTPUT &output)
{
    const unsigned x = words.x, y = words.y;
    float g[3][5], above[5][9];
    grow_half<VALLEY>(f, level, words, p, g);
    grow_above<VALLEY>(f, level, u, v, words, g, above);
    const block_words<4, 2> own(f, level, 4 * (u | x), 4 * v | 2 * y);
    uint32_t east[2], below[4];
#pragma unroll
    for (int half = 0; half < 2; half++)
        east[half] = words.eastern(own.at[half][0], 2 * y + half);
#pragma unroll
    for (int n = 0; n < 4; n++)
        below[n] = words.southern(own.at[0][n].w[0], words.south, 4 * x + n);
#pragma unroll
    for (int half = 0; half < 2; half++) {
#pragma unroll
        for (int pair = 0; pair < 4; pair += 2) {
            float h[2][5][5];
#pragma unroll
            for (int m = 0; m < 2; m++) {
                const int n = pair + m;
                float parents[MIDPOINT_PARENTS][MIDPOINT_PARENTS];
                take_parents(above, 2 * half, 2 * n, parents);
                const ter_words &beside = own.at[half][n < 3 ? n + 1 : 3];
                grow_midpoint<VALLEY, VALLEY ? WHOLE : QUARTERED>(f, f.amplitude[level],
                                                                  {own.at[half][n], n < 3 ? beside.w[1] : east[half],
                                                                   n < 3 ? beside.w[3] : east[half] >> 8,
                                                                   half == 0 ? own.at[1][n].w[0] : below[n]},
                                                                  parents, h[m]);
                make_whole<VALLEY>(h[m]);
            }
#pragma unroll
            for (int row = 0; row < 4; row++)
                output.put(4 * pair, 4 * half + row, row_of(h[0], row), row_of(h[1], row));
        }
    }
}

/** Make a lane's part of the unit whose first cell is (u, v). Its cell comes from the common level where that is ready.
 */
template <int VALLEY, class SAMPLE, class OUTPUT>
__device__ __forceinline__ void grow_unit(const ter_field &f, const region_launch<SAMPLE> &g, unsigned lane, int64_t u,
                                          int64_t v, const OUTPUT &output)
{
    const int64_t common_u = common_cell(u), common_v = common_cell(v);
    const common_cell_points points(g.common, (unsigned)(common_u - g.common.u), (unsigned)(common_v - g.common.v));
    const unit_words words(f, lane, g.level, u, v);
    float cell[2][2];
    if (points.are_of(g.common.memory.launch)) {
        points.get(cell);
    } else {
        const uniform_random random(f, (int)lane, g.level - COMMON_DEPTH, common_u, common_v);
        descend_together<VALLEY>(f, random, g.level - COMMON_DEPTH, common_u, common_v, cell);
    }
    words.template descend_to_cell<VALLEY>(f, g.level, v, cell);
#pragma unroll
    for (int n = 0; n < 4; n++)
        cell[n >> 1][n & 1] *= height_factor<VALLEY>(0.25f);
    grow_region<VALLEY>(f, g.level, u, v, words, cell, output);
}

/** OUTPUT: boxed_output or sheared_output. */
template <int VALLEY, class SAMPLE, template <class> class OUTPUT>
__global__ void __launch_bounds__(32 * OUTPUT<SAMPLE>::WARPS, REGION_RESIDENT / OUTPUT<SAMPLE>::WARPS)
    regions_kernel(const __grid_constant__ ter_field f, const __grid_constant__ region_launch<SAMPLE> g)
{
    constexpr int WARPS = OUTPUT<SAMPLE>::WARPS;
    extern __shared__ __align__(1024) char staging[];
    const unsigned lane = threadIdx.x % 32;
    const int warp = WARPS == 1 ? 0 : __shfl_sync(ALL_LANES, (int)threadIdx.x / 32, 0);
    if (blockIdx.y < (unsigned)g.common.blocks_j) {
        const int n = (int)(blockIdx.y * gridDim.x + blockIdx.x) * WARPS + warp;
        if (n < g.common.n_warps)
            make_common<VALLEY>(f, g.common, g.level - COMMON_DEPTH, n, (int)lane);
        wait_for_previous_kernel(); /* the next kernel may start only then: it overwrites what the previous one reads */
        return;
    }
    let_next_kernel_start();
    int unit_i = (int)blockIdx.x * WARPS + warp, unit_j = (int)blockIdx.y - g.common.blocks_j - g.left.blocks_j;
    const bool is_alone = WARPS > 1 && unit_j < 0;
    if (is_alone) {
        const int n = (int)((blockIdx.y - g.common.blocks_j) * gridDim.x + blockIdx.x) * WARPS + warp;
        unit_i = g.left.unit_i + n % g.left.units_i;
        unit_j = n / g.left.units_i;
        if (unit_j >= g.left.units_j)
            return;
    }
    const OUTPUT<SAMPLE> output = {g.array, staging, unit_i, unit_j};
    if (WARPS == 1 || is_alone || g.array.column + unit_i * UNIT_WIDTH < g.array.columns)
        grow_unit<VALLEY>(f, g, lane, g.u + unit_i * UNIT_CELLS, g.v + unit_j * UNIT_CELL_ROWS, output);
    wait_for_previous_kernel();
    if constexpr (WARPS > 1) {
        if (is_alone)
            return output.store_alone();
    }
    output.store();
}

} // namespace

#endif
