/* cuda_strips.cuh - the last two levels of `tiled` for large arrays: warps finish strips of a block's tile, the level above theirs
 * as they go.
 *
 * A block's tile is two strips wide and two high, a strip is 120 points wide. A warp walks down its strip. In each turn it makes
 * eight rows of 64 points of the level above, a 4 x 4 block a lane, into a ring of its own in shared memory, and from them sixteen
 * rows of the tile's level, a block a lane, straight into the output. Warps never wait for one another, and the level above the
 * tile, the largest of the coarse ones, is never in memory as a whole.
 *
 * Tiles start at points 8 n + 4: then a turn's rows complete exactly the next four rows of blocks (the first turn's two), and 64
 * columns hold all the parents of 120.
 */
#ifndef TER_GENERATE_CUDA_STRIPS_CUH
#define TER_GENERATE_CUDA_STRIPS_CUH

#include "generate/cuda_descend.cuh"

namespace
{

constexpr int STRIPS = 2, STRIP_WARPS = STRIPS * STRIPS, STRIP_THREADS = 32 * STRIP_WARPS; /* strips of a tile across and down */
constexpr int STRIP_BLOCKS = 28;                                                           /* of a row of a strip */
constexpr int STRIP_WIDTH = 4 * STRIP_BLOCKS;
constexpr int RING_ROWS = 8, RING_PITCH = 64, RING_FLOATS = RING_ROWS * RING_PITCH; /* of a warp */
constexpr int PARTS = RING_ROWS / 2;                                                /* rows of blocks a turn */
constexpr int PARTS_SKIPPED = 2;                                                    /* in the first turn */
constexpr int STRIP_LEVEL_MIN = 2; /* the level above needs one above itself */
#ifndef STRIP_TURNS
#define STRIP_TURNS 8
#endif
#ifndef STRIP_RES
#define STRIP_RES 7
#endif
constexpr int STRIP_BLOCKS_RESIDENT = STRIP_RES; /* blocks of threads that a multiprocessor is to hold */

/** Rows of points of a strip. */
__host__ __device__ constexpr int strip_height(int n_turns)
{
    return 4 * (PARTS * n_turns - PARTS_SKIPPED);
}

/** A launch of strips. */
struct strip_geometry {
    int n_turns;     /* of a strip */
    descent above;   /* of the rectangle of the level above that a block makes */
    unsigned stride; /* bytes from row to row of the output */
};

inline strip_geometry make_strip_geometry(int basis, int n_turns, size_t row_stride)
{
    strip_geometry g = {};
    g.n_turns = n_turns;
    g.above = make_descent(basis, STRIP_WIDTH / 2 * (STRIPS - 1) + RING_PITCH,
                           strip_height(n_turns) / 2 * (STRIPS - 1) + RING_ROWS * n_turns);
    if (g.above.floats[1] < STRIP_WARPS * RING_FLOATS) /* the rings take its place */
        g.above.floats[1] = STRIP_WARPS * RING_FLOATS;
    g.stride = (unsigned)(row_stride * sizeof(float));
    return g;
}

/** Row where tiles start that cover `first`. */
__host__ __device__ __forceinline__ int64_t strip_origin(int64_t first)
{
    return ((first + 4) & ~INT64_C(7)) - 4;
}

/** This lane's block in the ring. */
struct ring_cursor {
    float *at;

    __device__ __forceinline__ void store(int row, float4 h) const
    {
        *(float4 *)(at + row * RING_PITCH) = h;
    }

    __device__ __forceinline__ void down()
    {
    }
};

/** A block of the output. */
struct strip_cursor {
    char *out;           /* the tile's first point, the same for all threads of a block */
    unsigned at, stride; /* bytes from there, and from row to row */
    int row, height;     /* of the block, and of the output */
    int column, width;

    __device__ __forceinline__ void down()
    {
        at += 4 * stride;
        row += 4;
    }
};

/** For arrays whose rows start on 16 bytes and whose sides are whole blocks: a block lies inside or outside. */
struct whole_cursor : strip_cursor {
    __device__ __forceinline__ void store(int n, float4 h) const
    {
        if ((unsigned)row < (unsigned)height)
            *(float4 *)(out + (at + n * stride)) = h;
    }
};

/** For any array: clipped, point by point. */
struct point_cursor : strip_cursor {
    __device__ __forceinline__ void store(int n, float4 h) const
    {
        if ((unsigned)(row + n) >= (unsigned)height)
            return;
        float *to = (float *)(out + (at + n * stride));
        const float values[4] = {h.x, h.y, h.z, h.w};
#pragma unroll
        for (int x = 0; x < 4; x++)
            if ((unsigned)(column + x) < (unsigned)width)
                to[x] = values[x];
    }
};

/** What a warp knows of its strip. */
struct strip_place {
    int level;
    int64_t ib, jb;             /* this lane's first block of the tile's level */
    int64_t ib_above, jb_above; /* and of the level above, in the first turn */
    const float *parents;       /* two levels up: parent of that block's first point */
    int pitch;
    int n_turns;
    float *to, *from; /* this lane's block in the ring; its parents there */
};

/** A value that stays in a register instead of being loaded again. */
__device__ __forceinline__ float pinned(float value)
{
    asm("mov.f32 %0, %0;" : "+f"(value));
    return value;
}

template <int VALLEY, class CURSOR>
__device__ __forceinline__ void strip_smooth(const ter_field &f, const strip_place &s, CURSOR cursor)
{
    const int k = s.level;
    const float amplitude = pinned(f.amplitude[k]);
    ring_cursor ring = {s.to};
    const float *at = s.parents;
    block_column above_random, random;
    above_random.start(f, k - 1, s.ib_above, s.jb_above);
    random.start(f, k, s.ib, s.jb);
    smooth_walk<VALLEY> walk;
    int64_t jb = s.jb, jb_above = s.jb_above;
    for (int n = 0; n < s.n_turns; n++) {
        const ter_words words = above_random.row(f, k - 1, s.ib_above, jb_above);
        smooth_walk<VALLEY> above = {load_smooth_row(at - s.pitch), load_smooth_row(at), load_smooth_row(at + s.pitch)};
        at += 2 * s.pitch;
        __syncwarp();
        above.step(f, f.amplitude[k - 1], words, at, s.pitch, ring);
        __syncwarp();
        at += 2 * s.pitch;
        jb_above += 2;
        if (n == 0)
            walk = {load_smooth_row(s.from + RING_PITCH), load_smooth_row(s.from + 2 * RING_PITCH),
                    load_smooth_row(s.from + 3 * RING_PITCH)};
#pragma unroll 2
        for (int part = n == 0 ? PARTS_SKIPPED : 0; part < PARTS; part++) {
            walk.step(f, amplitude, random.row(f, k, s.ib, jb), s.from + 2 * part * RING_PITCH, RING_PITCH, cursor);
            jb++;
        }
    }
}

template <int VALLEY, class CURSOR>
__device__ __forceinline__ void strip_midpoint(const ter_field &f, const strip_place &s, CURSOR cursor)
{
    const int k = s.level;
    const float amplitude = pinned(f.amplitude[k]);
    ring_cursor ring = {s.to};
    const float *at = s.parents;
    block_column above_random, random;
    above_random.start(f, k - 1, s.ib_above, s.jb_above);
    random.start(f, k, s.ib, s.jb);
    midpoint_walk<VALLEY> walk = {};
    midpoint_parents middle = {};
    walk.b = random.row(f, k, s.ib, s.jb);
    int64_t jb = s.jb, jb_above = s.jb_above;
    for (int n = 0; n < s.n_turns; n++) {
        midpoint_walk<VALLEY> above;
        above.b = above_random.row(f, k - 1, s.ib_above, jb_above);
        const ter_words below = above_random.row(f, k - 1, s.ib_above, jb_above + 1);
        const unsigned above_beside = __shfl_down_sync(ALL_LANES, western_bytes(above.b.w[1], above.b.w[3]), 1);
        above.p0 = displace_row<VALLEY>(f, f.amplitude[k - 1], load_midpoint_parents(at), above.b.w[0]);
        __syncwarp();
        above.step(f, f.amplitude[k - 1], above_beside, below, load_midpoint_parents(at + s.pitch),
                   load_midpoint_parents(at + 2 * s.pitch), ring);
        __syncwarp();
        at += 4 * s.pitch;
        jb_above += 2;
        if (n == 0) {
            walk.p0 = displace_row<VALLEY>(f, amplitude, load_midpoint_parents(s.from + 2 * RING_PITCH), walk.b.w[0]);
            middle = load_midpoint_parents(s.from + 3 * RING_PITCH);
        }
#pragma unroll 2
        for (int part = n == 0 ? PARTS_SKIPPED : 0; part < PARTS; part++) {
            const unsigned beside = __shfl_down_sync(ALL_LANES, western_bytes(walk.b.w[1], walk.b.w[3]), 1);
            jb++;
            walk.step(f, amplitude, beside, random.row(f, k, s.ib, jb), middle,
                      load_midpoint_parents(s.from + 2 * part * RING_PITCH), cursor);
            middle = load_midpoint_parents(s.from + (2 * part + 1) * RING_PITCH);
        }
    }
}

template <int BASIS, int VALLEY, class CURSOR>
__global__ void __launch_bounds__(STRIP_THREADS, STRIP_BLOCKS_RESIDENT)
    strips_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch,
                  const __grid_constant__ strip_geometry g)
{
    extern __shared__ float4 shared[];
    const descent_memory memory = place_descent(g.above, (float *)shared);
    const ter_cuda_tile &tile = batch.single;
    const int64_t i = (tile.i & ~INT64_C(7)) + (int64_t)blockIdx.x * (STRIPS * STRIP_WIDTH);
    const int64_t j = strip_origin(tile.j) + (int64_t)blockIdx.y * (STRIPS * strip_height(g.n_turns));
    const int64_t i_above = (i >> 1) - 4, j_above = (j >> 1) - 2;
    descend<BASIS, VALLEY, STRIP_THREADS>(f, g.above, memory, tile.level - 1, i_above, j_above);

    const int warp = __shfl_sync(ALL_LANES, (int)threadIdx.x / 32, 0), lane = (int)threadIdx.x % 32;
    const int across = warp % STRIPS * STRIP_BLOCKS, down = warp / STRIPS * (strip_height(g.n_turns) / 4); /* blocks */
    const int row = (int)(j - tile.j) + 4 * down;
    if (row >= batch.height)
        return;
    const int lane_above = lane % 16, row_above = lane / 16;
    strip_place s;
    s.level = tile.level;
    s.n_turns = min(g.n_turns, (batch.height - row + 4 * (PARTS_SKIPPED + PARTS) - 1) / (4 * PARTS));
    s.ib = (i >> 2) + across + lane;
    s.jb = (j >> 2) + down;
    s.ib_above = (i_above >> 2) + across / 2 + lane_above;
    s.jb_above = (j_above >> 2) + down / 2 + row_above;
    s.pitch = memory.above.pitch;
    s.parents = parent_of<BASIS>(memory, i_above, j_above, i_above, j_above) + (down + 2 * row_above) * s.pitch + across +
                2 * lane_above;
    float *ring = (float *)shared + warp * RING_FLOATS;
    s.to = ring + 4 * row_above * RING_PITCH + 4 * lane_above;
    s.from = ring + 4 + 2 * min(lane, STRIP_BLOCKS - 1);
    const int column = lane < STRIP_BLOCKS ? (int)(i - tile.i) + 4 * (across + lane) : batch.width;
    CURSOR cursor;
    cursor.out = (char *)(batch.out + tile.slot * batch.slot_stride) + (j - tile.j) * g.stride + (i - tile.i) * (int64_t)sizeof(float);
    cursor.stride = g.stride;
    cursor.at = 4 * (unsigned)down * g.stride + 4 * (unsigned)(across + lane) * (unsigned)sizeof(float);
    cursor.row = row;
    cursor.height = column > -4 && column < batch.width ? batch.height : 0;
    cursor.column = column;
    cursor.width = batch.width;
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        strip_smooth<VALLEY>(f, s, cursor);
    else
        strip_midpoint<VALLEY>(f, s, cursor);
}

} // namespace

#endif
