/* cuda_regions.cuh - `tiled` for large arrays of basis midpoint: every lane of a warp grows a region of 16 x 8 points in registers.
 *
 * The first blocks of a launch make the level seven above the output's, one point for 16384, once for all: it stays in the
 * second-level cache. All others are warps that share nothing but that level and, among their lanes, random words. A warp makes a
 * unit of 128 x 32 points: from a cell of the common level each lane goes down to the cell, four levels up, of which its region is
 * the northern or southern half, and from there all points of the region together. They leave through shared memory of the warp,
 * so that it stores whole lines. A warp that comes before the common level is there goes down from the root: nobody waits.
 *
 * Why so small a unit: README.md, "What limits it".
 */
#ifndef TER_GENERATE_CUDA_REGIONS_CUH
#define TER_GENERATE_CUDA_REGIONS_CUH

#include "generate/cuda_patches.cuh"
#include "generate/cuda_warp.cuh"

namespace
{

constexpr int REGION_WARPS = 4, REGION_THREADS = 32 * REGION_WARPS;
constexpr int REGION_RESIDENT = 4;           /* blocks of threads that a multiprocessor is to hold: 128 registers */
constexpr int CELL = 16;                     /* points of a lane's cell, four levels up */
constexpr int UNIT_CELLS = 8, UNIT_ROWS = 2; /* cells of a unit */
constexpr int UNIT_WIDTH = UNIT_CELLS * CELL, UNIT_HEIGHT = UNIT_ROWS * CELL;
constexpr int COMMON_DEPTH = 7;                      /* levels from the common one to the output's: */
constexpr int COMMON_WIDTH = 64, COMMON_HEIGHT = 32; /* points of the common level that a warp makes */
constexpr int REGION_LEVEL_MIN = COMMON_DEPTH;       /* a unit lies in a cell of a level */
constexpr int COMMON_LEVEL_MIN = 6;                  /* and what a warp makes of the common level too */

/** Coordinate of the cell of the common level that a lane's cell lies in. */
__host__ __device__ constexpr int64_t common_cell(int64_t cell)
{
    return cell >> (COMMON_DEPTH - 4);
}

/** Where to find a launch's common level, if it has one. */
struct common_level {
    ter_cuda_common memory;
    int64_t u, v; /* its first point there: multiples of COMMON_WIDTH and COMMON_HEIGHT */
    int pitch;
    int n_warps, warps_i; /* that make it, and of these side by side; none where there is none */
    int blocks_j;         /* rows of blocks that this takes */
};

/** A launch: one array. */
template <class SAMPLE> struct region_launch {
    SAMPLE *out;
    size_t stride; /* samples */
    int width, height;
    bool is_aligned; /* stores of four samples fit */
    bool is_large;   /* larger than the second-level cache */
    int level;
    int64_t u, v;    /* the first unit's first cell: multiples of UNIT_CELLS and UNIT_ROWS */
    int column, row; /* of its first point in the output: 0 or negative */
    int units_i;     /* across */
    common_level common;
    ter_quantiser quantiser;
};

/* ---- the common level ---- */

/** Where finish_eight's rows go: a lane's eight columns of the common level. */
struct common_output {
    mutable float *at;
    int pitch;

    template <class BLOCKS> __device__ __forceinline__ void stage(int, const BLOCKS &h) const
    {
#pragma unroll
        for (int n = 0; n < 8; n++)
            *(float4 *)(at + n / 2 * pitch + 4 * (n % 2)) =
                make_float4(h[n % 2][n / 2][0], h[n % 2][n / 2][1], h[n % 2][n / 2][2], h[n % 2][n / 2][3]);
    }

    __device__ __forceinline__ void flush(int) const
    {
        at += 4 * pitch;
    }
};

/** A warp's part of the common level; the last one to finish says so. */
template <int VALLEY>
__device__ __forceinline__ void make_common(const ter_field &f, const common_level &c, int level, int warp, int lane)
{
    const int across = warp % c.warps_i, down = warp / c.warps_i;
    const int column = across * COMMON_WIDTH + lane % WARP_COLUMNS * 8, row = down * COMMON_HEIGHT + lane / WARP_COLUMNS * 8;
    float cell[2][2];
    find_cell<VALLEY>(f, lane, level - 3, c.u / COMMON_WIDTH + across, c.v / COMMON_HEIGHT + down, cell);
    const common_output output = {c.memory.at + (size_t)row * c.pitch + column, c.pitch};
    finish_eight<VALLEY>(f, level, c.u + column, c.v + row, cell, output);
    __threadfence();
    __syncwarp();
    const unsigned last = (unsigned)c.n_warps - 1;
    if (lane == 0 && atomicInc(c.memory.arrived, last) == last) {
        __threadfence();
        atomicExch(c.memory.ready, c.memory.launch);
    }
}

/** Read what other blocks of the launch write: past the first-level cache. A volatile load would do it for all that share the
 *  device's memory, the host among them, and costs 4 % of a launch. */
__device__ __forceinline__ float load_relaxed(const float *at)
{
    float value;
    asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(value) : "l"(at) : "memory");
    return value;
}

__device__ __forceinline__ unsigned load_relaxed(const unsigned *at)
{
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
}

/** The cell (u, v) of the common level, counted from its first point. */
__device__ __forceinline__ void load_common_cell(const common_level &c, int u, int v, float p[2][2])
{
    const float *at = c.memory.at + (size_t)v * c.pitch + u;
#pragma unroll
    for (int n = 0; n < 4; n++)
        p[n >> 1][n & 1] = load_relaxed(at + (n >> 1) * c.pitch + (n & 1));
}

/* ---- what leaves a unit ---- */

/** Four samples on their way out. */
__device__ __forceinline__ float4 pack_four(float *, float4 h, ter_quantiser)
{
    return h;
}

__device__ __forceinline__ uint2 pack_four(uint16_t *, float4 h, ter_quantiser q)
{
    uint2 samples;
    store_four((uint16_t *)&samples, h, q);
    return samples;
}

/** What the second-level cache is to do with the output: an array that does not fit leaves first, so that the common level stays.
 */
__device__ __forceinline__ uint64_t output_policy(bool is_large)
{
#if __CUDA_ARCH__ >= 800
    uint64_t first, normal;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(normal));
    return is_large ? first : normal;
#else
    return is_large;
#endif
}

__device__ __forceinline__ void store_hinted(float4 *to, float4 v, uint64_t policy)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(to), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w),
                 "l"(policy)
                 : "memory");
#else
    *to = v;
#endif
}

__device__ __forceinline__ void store_hinted(uint2 *to, uint2 v, uint64_t policy)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("st.global.L2::cache_hint.v2.u32 [%0], {%1, %2}, %3;" ::"l"(to), "r"(v.x), "r"(v.y), "l"(policy) : "memory");
#else
    *to = v;
#endif
}

/** Samples of a unit on their way out: of every lane's region four rows at a time are put side by side in shared memory, so that
 *  whole lines are stored. */
template <class SAMPLE> struct unit_output {
    using chunk = decltype(pack_four((SAMPLE *)nullptr, float4(), ter_quantiser()));
    static constexpr int CHUNKS = UNIT_WIDTH / 4; /* of a row: a lane each */
    static constexpr int ROWS = UNIT_HEIGHT / 2, BYTES = ROWS * CHUNKS * (int)sizeof(chunk);

    const region_launch<SAMPLE> &g;
    chunk *staging;  /* ROWS rows of CHUNKS */
    int column, row; /* of the unit's first sample in the output */

    /** Chunks are shuffled so that lanes that write, four chunks apart, and lanes that read, side by side, meet in no bank. */
    static __device__ __forceinline__ int place(int y, int n)
    {
        return y * CHUNKS + (sizeof(SAMPLE) == sizeof(float) ? n ^ n >> 3 : n ^ (n >> 4 | (y >> 1 & 2)));
    }

    __device__ __forceinline__ void put(int y, int n, float4 h) const
    {
        staging[place(y, n)] = pack_four((SAMPLE *)nullptr, h, g.quantiser);
    }

    /** Store the northern (half 0) or southern four rows of all regions. */
    __device__ __forceinline__ void store(int half) const
    {
        const int lane = (int)(threadIdx.x % 32);
        if (g.is_aligned && column >= 0 && row >= 0 && column + UNIT_WIDTH <= g.width && row + UNIT_HEIGHT <= g.height) {
            const uint64_t policy = output_policy(g.is_large);
            SAMPLE *to = g.out + (size_t)(row + 4 * half) * g.stride + column + 4 * lane;
#pragma unroll 2
            for (int y = 0; y < ROWS; y += 4) {
#pragma unroll
                for (int n = 0; n < 4; n++)
                    store_hinted((chunk *)(to + n * g.stride), staging[place(y + n, lane)], policy);
                to += 8 * g.stride;
            }
        } else {
#pragma unroll 1
            for (int y = 0; y < ROWS; y++) {
                const int to_row = row + 2 * (y & ~3) + 4 * half + (y & 3);
                if ((unsigned)to_row < (unsigned)g.height)
                    store_clipped_chunk(to_row, column + 4 * lane, staging[place(y, lane)]);
            }
        }
    }

    __device__ __forceinline__ void store_clipped_chunk(int to_row, int to_column, const chunk &values) const
    {
        const SAMPLE *samples = (const SAMPLE *)&values;
#pragma unroll
        for (int x = 0; x < 4; x++)
            if ((unsigned)(to_column + x) < (unsigned)g.width)
                g.out[(size_t)to_row * g.stride + to_column + x] = samples[x];
    }
};

/* ---- random words of a unit ---- */

/** A block of a unit: levels above the output's, and its place among the blocks of its level from the unit's first one on. */
struct unit_block {
    uint8_t depth, di, dj;
};

/** Lane by lane; rows of eight lanes. Even rows: the lanes' cells, two levels up. Odd ones: south of the unit, one level up. */
__device__ const unit_block CELL_BLOCKS[32] = {
    {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {2, 3, 0}, {2, 4, 0},  {2, 5, 0},  {2, 6, 0},  {2, 7, 0},  {1, 0, 4},  {1, 1, 4},  {1, 2, 4},
    {1, 3, 4}, {1, 4, 4}, {1, 5, 4}, {1, 6, 4}, {1, 7, 4},  {2, 0, 1},  {2, 1, 1},  {2, 2, 1},  {2, 3, 1},  {2, 4, 1},  {2, 5, 1},
    {2, 6, 1}, {2, 7, 1}, {1, 8, 4}, {1, 9, 4}, {1, 10, 4}, {1, 11, 4}, {1, 12, 4}, {1, 13, 4}, {1, 14, 4}, {1, 15, 4},
};

/** East of the unit, of the output's level, one and two up; south of it, two up; and those that the cells are split by, three up.
 */
__device__ const unit_block OTHER_BLOCKS[32] = {
    {0, 32, 0}, {0, 32, 1}, {0, 32, 2}, {0, 32, 3}, {0, 32, 4}, {0, 32, 5}, {0, 32, 6}, {0, 32, 7},
    {1, 16, 0}, {1, 16, 1}, {1, 16, 2}, {1, 16, 3}, {2, 8, 0},  {2, 8, 1},  {2, 0, 2},  {2, 1, 2},
    {2, 2, 2},  {2, 3, 2},  {2, 4, 2},  {2, 5, 2},  {2, 6, 2},  {2, 7, 2},  {3, 0, 0},  {3, 1, 0},
    {3, 2, 0},  {3, 3, 0},  {3, 4, 0},  {3, 0, 1},  {3, 1, 1},  {3, 2, 1},  {3, 3, 1},  {3, 4, 1},
};

/** Random words that a unit's lanes share: of blocks that several lanes are in, and of those beside the unit. */
struct unit_words {
    static constexpr unsigned EAST_1 = 8, EAST_2 = 12, SOUTH_2 = 14, SPLIT = 22, SPLIT_ACROSS = 5; /* in OTHER_BLOCKS */

    unsigned x, y;         /* of the lane's region in the unit: 8 x 4 */
    ter_words cell, other; /* of CELL_BLOCKS and OTHER_BLOCKS */
    uint32_t south;        /* of the output's level, south of the unit, a block a lane: the first word */

    /** (u, v): the unit's first cell. */
    __device__ __forceinline__ unit_words(const ter_field &f, unsigned lane, int level, int64_t u, int64_t v)
        : x(lane % WARP_COLUMNS), y(lane / WARP_COLUMNS)
    {
        const int64_t ib = CELL / 4 * u, jb = CELL / 4 * v;
        cell = make(f, level, ib, jb, CELL_BLOCKS[lane]);
        other = make(f, level, ib, jb, OTHER_BLOCKS[lane]);
        south = ter_random_block(&f, level, ib + lane, jb + UNIT_HEIGHT / 4).w[0];
    }

    static __device__ __forceinline__ ter_words make(const ter_field &f, int level, int64_t ib, int64_t jb, unit_block b)
    {
        return ter_random_block(&f, level - b.depth, (ib >> b.depth) + b.di, (jb >> b.depth) + b.dj);
    }

    /** What the lane's cell is split by. */
    __device__ __forceinline__ split_bytes split() const
    {
        const unsigned cy = y >> 1, here = SPLIT + (x >> 1);
        return split_bytes_from(other, here, SPLIT + ((x + 1) >> 1), here + cy * SPLIT_ACROSS, 2 * x, 2 * cy);
    }

    /** western_bytes of the block east of the lane's region in a row of blocks, of which these are the first one's; `last`: the
     * lane of `other` that knows them for the eastern lanes. */
    __device__ __forceinline__ uint32_t eastern(const ter_words &first, unsigned last) const
    {
        const uint32_t next = __shfl_down_sync(ALL_LANES, western_bytes(first.w[1], first.w[3]), 1);
        const uint32_t beyond = __shfl_sync(ALL_LANES, western_bytes(other.w[1], other.w[3]), last);
        return x == WARP_COLUMNS - 1 ? beyond : next;
    }

    /** First word of the block south of the lane's region in a column of blocks, of which this is the first one's; for the southern
     *  lanes it is `known` to lane `last`. */
    __device__ __forceinline__ uint32_t southern(uint32_t first, uint32_t known, unsigned last) const
    {
        const uint32_t next = __shfl_down_sync(ALL_LANES, first, WARP_COLUMNS);
        const uint32_t beyond = __shfl_sync(ALL_LANES, known, last);
        return y == WARP_ROWS - 1 ? beyond : next;
    }
};

/* ---- heights of a unit ---- */

/** The 5 x 3 points two levels above the output that the lane's half of the cell p spans. */
template <int VALLEY>
__device__ __forceinline__ void grow_half(const ter_field &f, int level, const unit_words &words, const float p[2][2],
                                          float (&g)[3][5])
{
    const bool is_south = words.y & 1;
    float c[3][3];
    split<VALLEY>(f, level - 3, words.split(), p, c);
    float n[3], s[3]; /* its northern and southern points three levels up */
#pragma unroll
    for (int x = 0; x < 3; x++) {
        n[x] = is_south ? c[1][x] : c[0][x];
        s[x] = is_south ? c[2][x] : c[1][x];
    }
    ter_words own; /* of the whole cell: the northern lane has them */
#pragma unroll
    for (int row = 0; row < 4; row++)
        own.w[row] = __shfl_sync(ALL_LANES, words.cell.w[row], (int)threadIdx.x & ~WARP_COLUMNS);
    const uint32_t east = words.eastern(own, unit_words::EAST_2 + (words.y >> 1)) >> (is_south ? 8 : 0);
    const uint32_t below = words.southern(own.w[0], words.other.w[0], unit_words::SOUTH_2 + words.x);
    const uint32_t row0 = is_south ? own.w[2] : own.w[0], row1 = is_south ? own.w[3] : own.w[1], row2 = is_south ? below : own.w[2];
    const float a = f.amplitude[level - 2];
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

/** The 9 x 5 points one level above the output that the lane's region spans. */
template <int VALLEY>
__device__ __forceinline__ void grow_above(const ter_field &f, int level, int64_t u, int64_t v, const unit_words &words,
                                           const float (&g)[3][5], float (&above)[5][9])
{
    const block_words<2, 1> own(f, level - 1, 2 * (u + words.x), 2 * v + words.y);
    const ter_words &beside = own.at[0][1];
    const uint32_t east = words.eastern(own.at[0][0], unit_words::EAST_1 + words.y);
#pragma unroll
    for (int n = 0; n < 2; n++) {
        const unsigned block = 2 * words.x + n; /* of the sixteen south of the unit: CELL_BLOCKS has them in its odd rows */
        const unsigned last = block % WARP_COLUMNS + WARP_COLUMNS * (2 * (block / WARP_COLUMNS) + 1);
        const uint32_t below = words.southern(own.at[0][n].w[0], words.cell.w[0], last);
        float parents[MIDPOINT_PARENTS][MIDPOINT_PARENTS], h[5][5];
        take_parents(g, 0, 2 * n, parents);
        grow_midpoint<VALLEY>(f, level - 1, {own.at[0][n], n ? east : beside.w[1], n ? east >> 8 : beside.w[3], below}, parents, h);
#pragma unroll
        for (int m = 0; m < 25; m++)
            above[m / 5][4 * n + m % 5] = h[m / 5][m % 5];
    }
}

/** The lane's 16 x 8 points, from its cell p. */
template <int VALLEY, class SAMPLE>
__device__ __forceinline__ void grow_region(const ter_field &f, int level, int64_t u, int64_t v, const unit_words &words,
                                            const float p[2][2], const unit_output<SAMPLE> &output)
{
    const unsigned x = words.x, y = words.y;
    float g[3][5], above[5][9];
    grow_half<VALLEY>(f, level, words, p, g);
    grow_above<VALLEY>(f, level, u, v, words, g, above);
    const block_words<4, 2> own(f, level, CELL / 4 * (u + x), CELL / 4 * v + 2 * y);
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
        for (int n = 0; n < 4; n++) {
            float parents[MIDPOINT_PARENTS][MIDPOINT_PARENTS], h[5][5];
            take_parents(above, 2 * half, 2 * n, parents);
            const ter_words &beside = own.at[half][n < 3 ? n + 1 : 3];
            grow_midpoint<VALLEY>(f, level,
                                  {own.at[half][n], n < 3 ? beside.w[1] : east[half], n < 3 ? beside.w[3] : east[half] >> 8,
                                   half == 0 ? own.at[1][n].w[0] : below[n]},
                                  parents, h);
#pragma unroll
            for (int row = 0; row < 4; row++)
                output.put(4 * y + row, 4 * x + n, make_float4(h[row][0], h[row][1], h[row][2], h[row][3]));
        }
        __syncwarp();
        if (half == 0)
            wait_for_previous_kernel();
        output.store(half);
        __syncwarp();
    }
}

template <int VALLEY, class SAMPLE>
__global__ void __launch_bounds__(REGION_THREADS, REGION_RESIDENT)
    regions_kernel(const __grid_constant__ ter_field f, const __grid_constant__ region_launch<SAMPLE> g)
{
    __shared__ float4 shared[REGION_WARPS * unit_output<SAMPLE>::BYTES / sizeof(float4)];
    const int lane = (int)(threadIdx.x % 32), warp = (int)(threadIdx.x / 32);
    if ((int)blockIdx.y < g.common.blocks_j) {
        const int n = ((int)blockIdx.y * (int)gridDim.x + (int)blockIdx.x) * REGION_WARPS + warp;
        if (n < g.common.n_warps)
            make_common<VALLEY>(f, g.common, g.level - COMMON_DEPTH, n, lane);
        wait_for_previous_kernel(); /* and only then let the next one start: it writes where the one before this reads */
        return;
    }
    let_next_kernel_start();
    /* The level is loaded after this is known: a device does not load ahead of a branch. PTX's memory model asks for an acquiring
     * load besides, which costs 1 % of a launch, or for a fence, 14 %. */
    const bool is_ready = g.common.n_warps > 0 && load_relaxed(g.common.memory.ready) == g.common.memory.launch;
    const bool has_common = __all_sync(ALL_LANES, is_ready);
    const int unit_i = (int)blockIdx.x * REGION_WARPS + warp, unit_j = (int)blockIdx.y - g.common.blocks_j;
    if (unit_i >= g.units_i)
        return;
    const int64_t u = g.u + unit_i * UNIT_CELLS, v = g.v + unit_j * UNIT_ROWS;
    const unit_words words(f, (unsigned)lane, g.level, u, v);
    const shared_splits<UNIT_ROWS, 1> way(f, (unsigned)lane, g.level - 4, u, v);
    const int64_t common_u = common_cell(u), common_v = common_cell(v);
    float cell[2][2];
    if (has_common) {
        load_common_cell(g.common, (int)(common_u - g.common.u), (int)(common_v - g.common.v), cell);
    } else {
        const uniform_random random(f, lane, g.level - COMMON_DEPTH, common_u, common_v);
        descend_together<VALLEY>(f, random, g.level - COMMON_DEPTH, common_u, common_v, cell);
    }
    way.template descend_to<VALLEY>(f, g.level - 4, words.x, words.y >> 1, v, cell);
    const unit_output<SAMPLE> output = {g,
                                        (typename unit_output<SAMPLE>::chunk *)((char *)shared + warp * unit_output<SAMPLE>::BYTES),
                                        g.column + unit_i * UNIT_WIDTH, g.row + unit_j * UNIT_HEIGHT};
    grow_region<VALLEY>(f, g.level, u, v, words, cell, output);
}

} // namespace

#endif
