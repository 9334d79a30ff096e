/* block.cuh - one 4 x 4 Philox block of a level, in a thread's registers, from the parents it depends on. */
#ifndef TER_GENERATE_CUDA_BLOCK_CUH
#define TER_GENERATE_CUDA_BLOCK_CUH

#include <math.h>

#include "generate/cuda/displace.cuh"

namespace
{

constexpr int SMOOTH_PARENTS = 5, MIDPOINT_PARENTS = 3; /* on a side */

/** p: the parents from (2 ib - 1, 2 jb - 1) on. */
template <int VALLEY>
__device__ __forceinline__ void block_smooth(const ter_field &f, int k, int64_t ib, int64_t jb,
                                             const float p[SMOOTH_PARENTS][SMOOTH_PARENTS], float h[4][4])
{
    const ter_words b = ter_random_block(&f, k, ib, jb);
    float q[5][4]; /* refined along rows */
#pragma unroll
    for (int y = 0; y < 5; y++) {
        q[y][0] = p[y][1];
        q[y][1] = ter_four(p[y][0], p[y][1], p[y][2], p[y][3]);
        q[y][2] = p[y][2];
        q[y][3] = ter_four(p[y][1], p[y][2], p[y][3], p[y][4]);
    }
#pragma unroll
    for (int x = 0; x < 4; x++) {
        const float column[4] = {q[1][x], ter_four(q[0][x], q[1][x], q[2][x], q[3][x]), q[2][x],
                                 ter_four(q[1][x], q[2][x], q[3][x], q[4][x])};
#pragma unroll
        for (int y = 0; y < 4; y++)
            h[y][x] = ((x | y) & 1) ? displace<VALLEY>(f, f.amplitude[k], byte_r(b.w[y], x), column[y]) : column[y];
    }
}

/** Random words that a block of basis midpoint depends on: its own, and of the blocks to the east and to the south. */
struct midpoint_words {
    ter_words own;
    uint32_t east1, east3; /* rows 1 and 3: their first bytes */
    uint32_t south0;       /* row 0: bytes 1 and 3 */
};

/** Whether dividing all of a world's heights by 4 loses no bit, nor do sums of heights overflow; with valleys none is divided.
 * Heights are multiples of the last bit of level 0's amplitude or base; a level makes them multiples of an eighth of that, or of
 * the last bit of its amplitude. With amplitudes from 2^-40 on these are 2^-63 and, after 24 levels, 2^-135: quarters are floats
 * too, the least of which is 2^-149. */
inline bool can_divide_heights(const ter_field &f)
{
    constexpr float LEAST = 0x1p-40f, MOST = 0x1p100f;
    if (f.is_valley)
        return true;
    bool can = f.base == 0 || (fabsf(f.base) >= LEAST && fabsf(f.base) <= MOST);
    for (int k = 0; k <= f.levels; k++)
        can = can && f.amplitude[k] >= LEAST && f.amplitude[k] <= MOST;
    return can;
}

/** How parents are kept. Dividing by a power of two is exact, and the sum of two halves is their mean: a multiplication less. */
enum parents_kept {
    WHOLE,
    HALVED,    /* divided by 2, or by 4 where new points are to be halves */
    QUARTERED, /* divided by 2, and where row and column are even by 4: parents that grew from halves themselves */
};

/** The mean of two neighbours on an edge; is_even: the first one's, or the second one's, row and column are even. */
template <parents_kept KEPT> __device__ __forceinline__ float edge_of(float a, float b, bool is_even, bool is_next_even)
{
    if (KEPT == WHOLE)
        return ter_edge(a, b);
    if (KEPT == QUARTERED && is_even)
        return ter_fma(a, 2.0f, b);
    if (KEPT == QUARTERED && is_next_even)
        return ter_fma(b, 2.0f, a);
    return a + b;
}

/** The 5 x 5 points that 3 x 3 parents span; a: amplitude of their level. Parents stay as they are kept, new points are whole; or
 *  all, and a, are divided once more. */
template <int VALLEY, parents_kept KEPT = WHOLE>
__device__ __forceinline__ void grow_midpoint(const ter_field &f, float a, const midpoint_words &w,
                                              const float p[MIDPOINT_PARENTS][MIDPOINT_PARENTS], float g[5][5])
{
    static_assert(!VALLEY || KEPT == WHOLE, "the displacement depends on the height");
#pragma unroll
    for (int y = 0; y < 3; y++) {
#pragma unroll
        for (int x = 0; x < 3; x++)
            g[2 * y][2 * x] = p[y][x];
#pragma unroll
        for (int x = 0; x < 2; x++) {
            const uint32_t row = y < 2 ? w.own.w[2 * y] : w.south0, side = x == 0 ? w.east1 : w.east3;
            const bool is_even = y % 2 == 0 && x == 0, is_next_even = y % 2 == 0 && x == 1;
            g[2 * y][2 * x + 1] =
                displace<VALLEY>(f, a, byte_r(row, 2 * x + 1), edge_of<KEPT>(p[y][x], p[y][x + 1], is_even, is_next_even));
            g[2 * x + 1][2 * y] = displace<VALLEY>(f, a, y < 2 ? byte_r(w.own.w[2 * x + 1], 2 * y) : byte_r(side, 0),
                                                   edge_of<KEPT>(p[x][y], p[x + 1][y], is_even, is_next_even));
        }
    }
#pragma unroll
    for (int y = 1; y < 5; y += 2)
#pragma unroll
        for (int x = 1; x < 5; x += 2)
            g[y][x] = displace<VALLEY>(f, a, byte_r(w.own.w[y], x), ter_centre(g[y - 1][x], g[y + 1][x], g[y][x - 1], g[y][x + 1]));
}

/* A launch may keep heights divided as it goes down: */

/** What heights of the last levels are multiplied by on their way (not with valleys: there displacements depend on heights). From
 *  three or four levels above the output's on they are divided by 4, the new ones of the level right above it by 2. */
template <int VALLEY> __host__ __device__ constexpr float kept(float divided)
{
    return VALLEY ? 1.0f : divided;
}

/** Make a block's parents whole that are kept QUARTERED. */
template <int VALLEY> __device__ __forceinline__ void make_whole(float (&h)[5][5])
{
    h[0][0] *= kept<VALLEY>(4);
    h[0][2] *= kept<VALLEY>(2);
    h[2][0] *= kept<VALLEY>(2);
    h[2][2] *= kept<VALLEY>(2);
}

/** All words of one block of level k, by three Philox calls. */
__device__ __forceinline__ midpoint_words midpoint_words_of(const ter_field &f, int k, int64_t ib, int64_t jb)
{
    const ter_words east = ter_random_block(&f, k, ib + 1, jb), south = ter_random_block(&f, k, ib, jb + 1);
    return {ter_random_block(&f, k, ib, jb), east.w[1], east.w[3], south.w[0]};
}

/** p: the parents from (2 ib, 2 jb) on. */
template <int VALLEY>
__device__ __forceinline__ void block_midpoint(const ter_field &f, int k, int64_t ib, int64_t jb,
                                               const float p[MIDPOINT_PARENTS][MIDPOINT_PARENTS], float h[4][4])
{
    float g[5][5];
    grow_midpoint<VALLEY>(f, f.amplitude[k], midpoint_words_of(f, k, ib, jb), p, g);
#pragma unroll
    for (int y = 0; y < 4; y++)
#pragma unroll
        for (int x = 0; x < 4; x++)
            h[y][x] = g[y][x];
}

/** Store the part of a block that lies inside an output of width x height points; column, row: of its first point there, may be
 *  negative. is_aligned: rows start on 16 bytes where column is a multiple of 4. */
__device__ __forceinline__ void store_block(float *out, size_t stride, int width, int height, bool is_aligned, int column, int row,
                                            const float h[4][4])
{
#pragma unroll
    for (int y = 0; y < 4; y++) {
        if ((unsigned)(row + y) >= (unsigned)height)
            continue;
        float *to = out + (size_t)(row + y) * stride + column;
        if (is_aligned && column >= 0 && column + 4 <= width) {
            *(float4 *)to = make_float4(h[y][0], h[y][1], h[y][2], h[y][3]);
            continue;
        }
#pragma unroll
        for (int x = 0; x < 4; x++)
            if ((unsigned)(column + x) < (unsigned)width)
                to[x] = h[y][x];
    }
}

} // namespace

#endif
