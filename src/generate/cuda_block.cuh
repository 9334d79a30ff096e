/* cuda_block.cuh - one 4 x 4 Philox block of a level, in a thread's registers, from the parents it depends on. */
#ifndef TER_GENERATE_CUDA_BLOCK_CUH
#define TER_GENERATE_CUDA_BLOCK_CUH

#include "generate/cuda_launch.h"

namespace
{

constexpr int SMOOTH_PARENTS = 5, MIDPOINT_PARENTS = 3; /* on a side */

__device__ __forceinline__ float displaced(const ter_field &f, int k, uint32_t word, int column, float m, int is_valley)
{
    return ter_displace(ter_displacement(word, column), f.amplitude[k], m, is_valley, f.valley_offset, f.valley_slope);
}

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
            h[y][x] = ((x | y) & 1) ? displaced(f, k, b.w[y], x, column[y], VALLEY) : column[y];
    }
}

/** p: the parents from (2 ib, 2 jb) on. */
template <int VALLEY>
__device__ __forceinline__ void block_midpoint(const ter_field &f, int k, int64_t ib, int64_t jb,
                                               const float p[MIDPOINT_PARENTS][MIDPOINT_PARENTS], float h[4][4])
{
    const ter_words b = ter_random_block(&f, k, ib, jb);
    const ter_words east = ter_random_block(&f, k, ib + 1, jb), south = ter_random_block(&f, k, ib, jb + 1);
    float row_edge[3][2], column_edge[2][3]; /* displaced edge points along rows and along columns */
#pragma unroll
    for (int y = 0; y < 3; y++) {
#pragma unroll
        for (int x = 0; x < 2; x++) {
            row_edge[y][x] = displaced(f, k, y < 2 ? b.w[2 * y] : south.w[0], 2 * x + 1, ter_edge(p[y][x], p[y][x + 1]), VALLEY);
            column_edge[x][y] =
                displaced(f, k, y < 2 ? b.w[2 * x + 1] : east.w[2 * x + 1], 2 * y, ter_edge(p[x][y], p[x + 1][y]), VALLEY);
        }
    }
#pragma unroll
    for (int y = 0; y < 2; y++) {
#pragma unroll
        for (int x = 0; x < 2; x++) {
            h[2 * y][2 * x] = p[y][x];
            h[2 * y][2 * x + 1] = row_edge[y][x];
            h[2 * y + 1][2 * x] = column_edge[y][x];
            const float m = ter_centre(row_edge[y][x], row_edge[y + 1][x], column_edge[y][x], column_edge[y][x + 1]);
            h[2 * y + 1][2 * x + 1] = displaced(f, k, b.w[2 * y + 1], 2 * x + 1, m, VALLEY);
        }
    }
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
