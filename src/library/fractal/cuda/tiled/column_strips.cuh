/* column_strips.cuh - the last two levels of method `tiled` for large arrays of basis smooth. Each warp makes a strip
 * of a block's tile, and at the same time the part of the level above that the strip needs.
 *
 * A block's tile is two strips wide and two strips high. A strip is 128 points wide: 512 bytes of a row, whole lines of
 * memory. A warp goes down its strip in turns. In a turn it first makes eight rows of 64 points of the level above,
 * one 4 x 4 block per lane, in its ring buffer in shared memory. From these rows it makes sixteen rows of the tile's
 * level, one block per lane, in the output. The points of the level above beside these 64 columns are made once, at
 * the start. Warps never wait for one another. The level above the tile is the largest of the coarse levels; it is
 * never complete in memory.
 *
 *     the level above, in the ring             the tile's level, into the output
 *     side | 64 points, 8 rows       | side    128 samples, 16 rows
 *      ww  | 16 lanes: upper blocks  | ee      32 lanes, a block each; four steps of four rows, every row 512 bytes
 *      ww  | 16 lanes: lower blocks  | ee      a block's parents: 5 rows of the ring, three of them in registers
 *
 * Tiles start at rows 8 n + 4. Then the rows of a turn complete exactly the next four rows of blocks; the first turn
 * completes two. For example, a tile starts at row 4: turn 0 makes the rows -2 .. 5 of the level above, and a block of
 * rows 4 .. 7 has its parents in rows 1 .. 5.
 */
#ifndef TERRANE_FRACTAL_CUDA_TILED_COLUMN_STRIPS_CUH
#define TERRANE_FRACTAL_CUDA_TILED_COLUMN_STRIPS_CUH

#include "library/core/cuda/overlapped_launch.cuh"
#include "library/fractal/cuda/tiled/descend.cuh"
#include "library/fractal/cuda/tiled/tiled.h"

namespace
{

/* STRIPS: strips of a tile, across and also down */
constexpr int STRIPS = 2, STRIP_WARPS = STRIPS * STRIPS, STRIP_THREADS = 32 * STRIP_WARPS;
constexpr int STRIP_WIDTH = 128;
constexpr int RING_ROWS = 8, RING_PITCH = 4 + STRIP_WIDTH / 2 + 4, RING_FLOATS = RING_ROWS * RING_PITCH; /* of a warp */
constexpr int PARTS = RING_ROWS / 2; /* rows of blocks per turn */
constexpr int PARTS_SKIPPED = 2;     /* rows of blocks that the first turn leaves out */
constexpr int TURNS_MAX = 8;         /* of a strip; 16 lanes make the blocks on one side of it, two blocks per turn */
constexpr int SIDE_PITCH = 8;        /* four points west, four points east */
constexpr int SIDE_FLOATS = SIDE_PITCH * RING_ROWS * TURNS_MAX; /* of a warp */
constexpr int STRIP_RESIDENT = 5;                               /* blocks of threads that a multiprocessor must hold */

/** Number of rows of points of a strip. */
__host__ __device__ constexpr int strip_height(int n_turns)
{
    return 4 * (PARTS * n_turns - PARTS_SKIPPED);
}

/** Bands of tiles, from the first row of an array downwards. The first n[0] bands have one height, the next n[1] bands
 * another one. */
struct strip_bands {
    int n[2];       /* bands */
    int n_turns[2]; /* of their strips; [0] has at least as many as [1] */
};

/** Number of rows of points of a band. */
__host__ __device__ constexpr int band_height(int n_turns)
{
    return STRIPS * strip_height(n_turns);
}

/** A launch of strips: one array. */
template <class SAMPLE> struct strip_launch {
    SAMPLE *out;
    unsigned stride; /* bytes from row to row */
    int width, height;
    int level;
    int64_t i, j; /* the array's first point */
    ter_quantiser quantiser;
    strip_bands bands;
    descent above[2]; /* of the rectangle of the level above that a block makes, for both heights of bands */

    /** Address of a point, which may lie outside of the output. */
    __device__ __forceinline__ char *sample(int column, int row) const
    {
        return (char *)out + (int64_t)row * stride + column * (int64_t)sizeof(SAMPLE);
    }
};

template <class SAMPLE> strip_launch<SAMPLE> make_strip_launch(const ter_cuda_batch &batch, const strip_bands &bands)
{
    strip_launch<SAMPLE> s = {};
    const ter_cuda_tile &tile = batch.tiles[0];
    s.out = output_of<SAMPLE>(batch) + tile.slot * batch.slot_stride;
    s.stride = (unsigned)(batch.row_stride * sizeof(SAMPLE));
    s.width = batch.width;
    s.height = batch.height;
    s.level = tile.level;
    s.i = tile.i;
    s.j = tile.j;
    s.quantiser = batch.quantiser;
    s.bands = bands;
    for (int n = 0; n < 2; n++) {
        const int height = strip_height(bands.n_turns[n]) / 2 * (STRIPS - 1) + RING_ROWS * bands.n_turns[n];
        descent &above = s.above[n] =
            make_descent(TER_BASIS_SMOOTH, STRIP_THREADS, STRIPS * STRIP_WIDTH / 2 + 8, height);
        if (above.floats[1] < STRIP_WARPS * (RING_FLOATS + SIDE_FLOATS)) /* rings and sides use this memory later */
            above.floats[1] = STRIP_WARPS * (RING_FLOATS + SIDE_FLOATS);
    }
    return s;
}

/** First row, 8 n + 4, of the tile that contains row `first`. */
__host__ __device__ __forceinline__ int64_t strip_origin(int64_t first)
{
    return ((first + 4) & ~INT64_C(7)) - 4;
}

/** A block of the output, for arrays whose rows start at multiples of four samples and whose sides are whole blocks.
 * Each block lies completely inside or completely outside of the array. */
template <class SAMPLE> struct whole_cursor {
    static constexpr int LEAD = 0; /* columns of a strip that it makes but does not store */
    using at_edge = whole_cursor;
    static constexpr int UNROLLED =
        sizeof(SAMPLE) == sizeof(float) ? 1 : PARTS / 2; /* above 1 where instructions, not memory, are the limit */
    char *at;
    unsigned stride; /* bytes from row to row */
    int row, height; /* row of the block; height of the output, 0 for a column outside of it */
    bool is_inside;
    ter_quantiser quantiser;

    /** strip: the column of the strip's first point. */
    __device__ __forceinline__ whole_cursor(const strip_launch<SAMPLE> &s, int strip, int first_row)
        : stride(s.stride), row(first_row), quantiser(s.quantiser)
    {
        const int column = strip + 4 * ((int)threadIdx.x % 32);
        at = s.sample(column, first_row);
        height = column >= 0 && column < s.width ? s.height : 0;
        is_inside = (unsigned)row < (unsigned)height;
    }

    __device__ __forceinline__ void store(int n, float4 h) const
    {
        if (is_inside)
            store_four((SAMPLE *)(at + (uint64_t)n * stride), h, quantiser);
    }

    __device__ __forceinline__ void down()
    {
        at += (uint64_t)4 * stride;
        row += 4;
        is_inside = (unsigned)row < (unsigned)height;
    }
};

/** A block of any array, stored point by point and clipped. */
template <class SAMPLE> struct point_cursor {
    static constexpr int UNROLLED = 1, LEAD = 0;
    using at_edge = point_cursor;
    char *at;
    unsigned stride;
    int row, height, column, width;
    ter_quantiser quantiser;

    __device__ __forceinline__ point_cursor(const strip_launch<SAMPLE> &s, int strip, int first_row)
        : stride(s.stride), row(first_row), height(s.height), column(strip + 4 * ((int)threadIdx.x % 32)),
          width(s.width), quantiser(s.quantiser)
    {
        at = s.sample(column, first_row);
    }

    __device__ __forceinline__ void store(int n, float4 h) const
    {
        if ((unsigned)(row + n) < (unsigned)height)
            store_clipped((SAMPLE *)(at + (uint64_t)n * stride), column, width, h, quantiser);
    }

    __device__ __forceinline__ void down()
    {
        at += (uint64_t)4 * stride;
        row += 4;
    }
};

/** The four samples of a row that begin BACK samples before the lane's four samples: the last BACK samples of the
 * previous lane, then the first ones of this lane. */
template <int BACK> __device__ __forceinline__ float4 samples_before(float4 own)
{
    if (BACK == 0)
        return own;
    const float w = __shfl_up_sync(ALL_LANES, own.w, 1);
    if (BACK == 1)
        return make_float4(w, own.x, own.y, own.z);
    const float z = __shfl_up_sync(ALL_LANES, own.z, 1);
    if (BACK == 2)
        return make_float4(z, w, own.x, own.y);
    return make_float4(__shfl_up_sync(ALL_LANES, own.y, 1), z, w, own.x);
}

/** A block of an array of heights whose rows start at any sample. The distance of rows is BY samples more than a
 * multiple of four, and the first row of a block starts at a multiple of four. Stores start at multiples of eight
 * samples in memory. So the stored part of a row begins up to seven samples west of the strip's points, by a different
 * number in each row. A strip stores eight columns less than it makes.
 *
 *     memory, in eights   |       |       |       |       |       |
 *     points of a strip       ....  ....  ....  ....  ....  ....           four samples of a lane, as made
 *     its row, stored             |....|....|....|....|....|                as stored, with some of the previous lane
 *
 * Strips at an edge of the array are stored point by point. */
template <int BY> struct shifted_cursor {
    static constexpr int UNROLLED = 1, LEAD = 8;
    using at_edge = point_cursor<float>;
    char *at;
    unsigned stride; /* bytes from row to row */
    unsigned stored; /* one bit per row of two blocks: whether this lane stores in that row. It does not if its four
                        samples belong to an adjacent strip */
    int rows_above;  /* rows of the two blocks above the current block: 0 or 4 */

    __device__ __forceinline__ shifted_cursor(const strip_launch<float> &s, int strip, int first_row)
        : stride(s.stride), stored(0), rows_above(0)
    {
        const int lane = (int)threadIdx.x % 32;
        at = s.sample(strip + 4 * lane, first_row);
        for (int n = 0; n < 8; n++) {
            const bool is_second = (uintptr_t)(at + (uint64_t)n * stride) / sizeof(float4) % 2; /* half of 8 samples */
            stored |= (lane > 1 || (lane == 1 && !is_second)) && (lane < 31 || is_second) ? 1u << n : 0;
        }
    }

    template <int BACK> __device__ __forceinline__ void store_before(char *own, float4 h, bool is_mine) const
    {
        const float4 four = samples_before<BACK>(h);
        if (is_mine)
            *(float4 *)(own - BACK * sizeof(float)) = four;
    }

    __device__ __forceinline__ void store(int n, float4 h) const
    {
        char *own = at + (uint64_t)n * stride;
        const bool is_mine = stored >> (rows_above + n) & 1;
        switch (n * BY % 4) { /* a compile-time constant */
        case 0:
            store_before<0>(own, h, is_mine);
            break;
        case 1:
            store_before<1>(own, h, is_mine);
            break;
        case 2:
            store_before<2>(own, h, is_mine);
            break;
        default:
            store_before<3>(own, h, is_mine);
        }
    }

    __device__ __forceinline__ void down()
    {
        at += (uint64_t)4 * stride;
        rows_above ^= 4;
    }
};

/** The part of a strip that a lane makes. */
struct strip_place {
    int level;
    int64_t ib, jb;             /* the lane's first block of the tile's level */
    int64_t ib_above, jb_above; /* the lane's block of the level above, in the first turn */
    const float *parents;       /* two levels up: parent of the first point of block (ib_above, jb_above) */
    int pitch;
    int n_turns;
    float *to, *from; /* in the ring: the lane's block, and the parents of its block of the tile's level */
    float *ring, *sides;
};

/** Place the ring and the sides of this lane's warp. memory: those of all warps; i: column of the tile's first point */
__device__ __forceinline__ void place_ring(float *memory, int warp, int64_t i, strip_place *s)
{
    const int lane = (int)threadIdx.x % 32;
    s->ring = memory + warp * (RING_FLOATS + SIDE_FLOATS);
    s->sides = s->ring + RING_FLOATS;
    s->to = s->ring + 4 * (lane / 16) * RING_PITCH + 4 + 4 * (lane % 16);
    s->from = s->ring + 4 + (int)(i >> 1 & 3) + 2 * lane;
}

/** Make one block of the level above the tile's, in the ring or beside the strip. at: the parent of its first point,
 * two levels above the tile's */
template <int VALLEY>
__device__ __forceinline__ void make_above(const ter_field &f, int k, const ter_words &words, const float *at,
                                           int pitch, grid_cursor cursor)
{
    smooth_walk<VALLEY> walk = {load_smooth_row(at - pitch), load_smooth_row(at), load_smooth_row(at + pitch)};
    walk.step(f, f.amplitude[k], words, at + 2 * pitch, pitch, cursor);
}

/** Make the blocks of the level above beside the strip: lanes 0 to 15 make the western blocks, the other lanes the
 * eastern ones. */
template <int VALLEY> __device__ __forceinline__ void make_sides(const ter_field &f, const strip_place &s)
{
    const int lane = (int)threadIdx.x % 32, row = lane % 16, is_east = lane / 16;
    const int column = is_east ? STRIP_WIDTH / 8 : -1; /* in blocks, counted from the ring's first block */
    const float *at = s.parents + 2 * (row - lane / 16) * s.pitch + 2 * (column - lane % 16);
    const grid_cursor cursor = {s.sides + 4 * row * SIDE_PITCH + 4 * is_east, SIDE_PITCH};
    const ter_words words =
        ter_random_block(&f, s.level - 1, s.ib_above - lane % 16 + column, s.jb_above - lane / 16 + row);
    if (row < 2 * s.n_turns)
        make_above<VALLEY>(f, s.level - 1, words, at, s.pitch, cursor);
}

/** Copy turn n's sides beside the ring's rows. */
__device__ __forceinline__ void place_sides(const strip_place &s, int n)
{
    const int lane = (int)threadIdx.x % 32, row = lane / 2, is_east = lane % 2;
    if (row < RING_ROWS)
        *(float4 *)(s.ring + row * RING_PITCH + (is_east ? RING_PITCH - 4 : 0)) =
            *(const float4 *)(s.sides + (n * RING_ROWS + row) * SIDE_PITCH + 4 * is_east);
}

/** Keep a value in a register, so that the compiler does not load it again. */
__device__ __forceinline__ float pinned(float value)
{
    asm("mov.f32 %0, %0;" : "+f"(value));
    return value;
}

template <int VALLEY, class CURSOR>
__device__ __forceinline__ void finish_strip(const ter_field &f, const strip_place &s, CURSOR cursor)
{
    const int k = s.level;
    const float amplitude = pinned(f.amplitude[k]);
    const float *at = s.parents;
    block_column above_random, random;
    above_random.start(f, k - 1, s.ib_above, s.jb_above);
    random.start(f, k, s.ib, s.jb);
    smooth_walk<VALLEY> walk;
    int block = 0; /* row of blocks in the strip, always even; its number in the world is odd */
    for (int n = 0; n < s.n_turns; n++) {
        const ter_words words = above_random.row(f, k - 1, s.ib_above, s.jb_above, 2 * n);
        __syncwarp();
        make_above<VALLEY>(f, k - 1, words, at, s.pitch, {s.to, RING_PITCH});
        place_sides(s, n);
        __syncwarp();
        at += 4 * s.pitch;
        if (n == 0)
            walk = {load_smooth_row(s.from + RING_PITCH), load_smooth_row(s.from + 2 * RING_PITCH),
                    load_smooth_row(s.from + 3 * RING_PITCH)};
        const int first_part = n == 0 ? PARTS_SKIPPED : 0;
#pragma unroll(CURSOR::UNROLLED)
        for (int part = CURSOR::UNROLLED > 1 ? 0 : first_part; part < PARTS; part += 2) {
            if (CURSOR::UNROLLED > 1 && part < first_part)
                continue;
            const float *from = s.from + 2 * part * RING_PITCH;
            walk.step(f, amplitude, random.same_half(f, (uint32_t)s.jb + block), from, RING_PITCH, cursor);
            walk.step(f, amplitude, random.row(f, k, s.ib, s.jb, block + 1), from + 2 * RING_PITCH, RING_PITCH, cursor);
            block += 2;
        }
    }
}

/** The tile of a block of threads. */
struct strip_tile {
    int64_t i, j;   /* its first point */
    int n_turns;    /* of its strips */
    bool is_second; /* it is in one of the last n[1] bands of strip_bands, which have another height */
};

/** lead: columns of a strip that it makes but does not store */
template <class SAMPLE> __device__ __forceinline__ strip_tile tile_of_block(const strip_launch<SAMPLE> &g, int lead)
{
    strip_tile t;
    t.is_second = (int)blockIdx.y >= g.bands.n[0];
    t.n_turns = g.bands.n_turns[t.is_second];
    t.i = ((g.i - lead) & ~INT64_C(3)) + (int64_t)blockIdx.x * (STRIPS * (STRIP_WIDTH - lead));
    t.j = strip_origin(g.j) + (t.is_second ? g.bands.n[0] * (int64_t)band_height(g.bands.n_turns[0]) : 0) +
          (int64_t)((int)blockIdx.y - (t.is_second ? g.bands.n[0] : 0)) * band_height(t.n_turns);
    return t;
}

template <int VALLEY, class SAMPLE, class CURSOR>
__global__ void __launch_bounds__(STRIP_THREADS, STRIP_RESIDENT)
    strips_kernel(const __grid_constant__ ter_field f, const __grid_constant__ strip_launch<SAMPLE> g)
{
    extern __shared__ float4 shared[];
    let_next_kernel_start();
    constexpr int net_width = STRIP_WIDTH - CURSOR::LEAD;
    const strip_tile tile = tile_of_block(g, CURSOR::LEAD);
    const int64_t i = tile.i, j = tile.j;
    const descent &above = g.above[tile.is_second];
    const descent_memory memory = place_descent(above, (float *)shared);
    const int64_t i_above = (i >> 1 & ~INT64_C(3)) - 4, j_above = (j >> 1) - 2;
    descend<TER_BASIS_SMOOTH, VALLEY, STRIP_THREADS>(f, above, memory, g.level - 1, i_above, j_above);

    const int warp = __shfl_sync(ALL_LANES, (int)threadIdx.x / 32, 0), lane = (int)threadIdx.x % 32;
    const int across = warp % STRIPS * (net_width / 4),
              down = warp / STRIPS * (strip_height(tile.n_turns) / 4); /* blocks */
    const int row = (int)(j - g.j) + 4 * down;
    if (row >= g.height)
        return;
    const int lane_above = lane % 16, row_above = lane / 16;
    strip_place s;
    s.level = g.level;
    s.n_turns = min(tile.n_turns, (g.height - row + 4 * (PARTS_SKIPPED + PARTS) - 1) / (4 * PARTS));
    s.ib = (i >> 2) + across + lane;
    s.jb = (j >> 2) + down;
    s.ib_above = (i_above >> 2) + 1 + across / 2 + lane_above;
    s.jb_above = (j_above >> 2) + down / 2 + row_above;
    s.pitch = memory.above.pitch;
    s.parents = parent_of<TER_BASIS_SMOOTH>(memory, i_above, j_above, i_above, j_above) +
                (down + 2 * row_above) * s.pitch + 2 + across + 2 * lane_above;
    place_ring((float *)shared, warp, i, &s);
    make_sides<VALLEY>(f, s);
    wait_for_previous_kernel();
    const int strip = (int)(i - g.i) + 4 * across;
    const bool is_inside =
        strip >= 0 && strip + STRIP_WIDTH <= g.width && row >= 0 && row + strip_height(s.n_turns) <= g.height;
    if (CURSOR::LEAD == 0 || is_inside)
        finish_strip<VALLEY>(f, s, CURSOR(g, strip, row));
    else
        finish_strip<VALLEY>(f, s, typename CURSOR::at_edge(g, strip, row));
}

} // namespace

#endif
