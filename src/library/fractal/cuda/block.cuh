/* block.cuh - a thread makes the 16 points of a Philox block of a level in registers, from their parents, which are
 * points of the level above. */
#ifndef TERRANE_FRACTAL_CUDA_BLOCK_CUH
#define TERRANE_FRACTAL_CUDA_BLOCK_CUH

#include <math.h>

#include "library/fractal/cuda/displace.cuh"

namespace
{

constexpr int SMOOTH_PARENTS = 5, MIDPOINT_PARENTS = 3; /* on a side */

/** Make block (ib, jb) of basis smooth. a: amplitude of its level; b: its words; p: the parents from
 * (2 ib - 1, 2 jb - 1) on. */
template <int VALLEY>
__device__ __forceinline__ void block_smooth(const ter_field &f, float a, const ter_words &b,
                                             const float p[SMOOTH_PARENTS][SMOOTH_PARENTS], float h[4][4])
{
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
            h[y][x] = ((x | y) & 1) ? displace<VALLEY>(f, a, byte_r(b.w[y], x), column[y]) : column[y];
    }
}

/** Random words that a block of basis midpoint depends on: those of the block, of the block to the east and of the
 * block to the south. */
struct midpoint_words {
    ter_words own;
    uint32_t east1, east3; /* rows 1 and 3: their first bytes */
    uint32_t south0;       /* row 0: bytes 1 and 3 */
};

/** How parents are stored: whole, or divided by a power of two, which is exact. The mean of two values is the sum of
 * their halves, so storing halves saves a multiplication. */
enum parents_kept {
    WHOLE,
    HALVED,    /* divided by 2; or by 4, then the new points are divided by 2 */
    QUARTERED, /* divided by 2; by 4 where row and column are even, as the level above stored these points */
};

/** Mean of two neighbours on an edge. is_even: row and column of a are even; is_next_even: those of b are. */
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

/** Make the 5 x 5 points that 3 x 3 parents span. a: amplitude of the new points' level. Parents keep their stored
 * scale, and new points are whole. The caller may divide all parents and a by a further power of two; then new points
 * are divided by it, too. */
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
            g[2 * y][2 * x + 1] = displace<VALLEY>(f, a, byte_r(row, 2 * x + 1),
                                                   edge_of<KEPT>(p[y][x], p[y][x + 1], is_even, is_next_even));
            g[2 * x + 1][2 * y] = displace<VALLEY>(f, a, y < 2 ? byte_r(w.own.w[2 * x + 1], 2 * y) : byte_r(side, 0),
                                                   edge_of<KEPT>(p[x][y], p[x + 1][y], is_even, is_next_even));
        }
    }
#pragma unroll
    for (int y = 1; y < 5; y += 2)
#pragma unroll
        for (int x = 1; x < 5; x += 2)
            g[y][x] = displace<VALLEY>(f, a, byte_r(w.own.w[y], x),
                                       ter_centre(g[y - 1][x], g[y + 1][x], g[y][x - 1], g[y][x + 1]));
}

} // namespace

#endif
