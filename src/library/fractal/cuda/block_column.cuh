/* block_column.cuh - makes the random words of blocks in one column. The blocks share a part of the computation.
 *
 * A Philox round replaces the words (c0, c1, c2, c3) by these words, with two products of 64 bits:
 *
 *     (high(M1 c2) ^ c1 ^ k0,  low(M1 c2),  high(M0 c0) ^ c3 ^ k1,  low(M0 c0))
 *
 * Block (ib, jb) starts with c0 = ib and c2 = jb (and their upper halves in c1 and c3). Down a column, at a fixed ib,
 * M0 c0 of the first round is always the same. So is M1 c2 of the second round, because its c2 = high(M0 ib) ^ c3 ^ k1
 * does not depend on the lower half of jb. So a block of a column computes two of the four products of the first two
 * rounds, and 18 instead of 20 products in all ten rounds. */
#ifndef TERRANE_FRACTAL_CUDA_BLOCK_COLUMN_CUH
#define TERRANE_FRACTAL_CUDA_BLOCK_COLUMN_CUH

#include "library/fractal/height.h"

namespace
{

/** Philox blocks of one column. Values of the first two rounds that depend on the column alone are computed once. */
struct block_column {
    uint32_t i_high;
    uint32_t c3, high, low; /* c3 after round 1; the product of c2 in round 2 */

    /** Begin a column. Only the lower 16 bits of the coordinates' upper halves are used. */
    __device__ __forceinline__ void begin(const ter_field &f, int k, uint32_t ib_low, uint32_t ib_high,
                                          uint32_t jb_high)
    {
        const uint64_t p0 = (uint64_t)TER_PHILOX_M0 * ib_low;
        const uint64_t p1 = (uint64_t)TER_PHILOX_M1 *
                            ((uint32_t)(p0 >> 32) ^ ((jb_high & 0xffffu) | (uint32_t)k << 16) ^ f.round_key[0][1]);
        i_high = ib_high & 0xffffu;
        c3 = (uint32_t)p0;
        high = (uint32_t)(p1 >> 32);
        low = (uint32_t)p1;
    }

    /** Begin column ib at row jb. */
    __device__ __forceinline__ void start(const ter_field &f, int k, int64_t ib, int64_t jb)
    {
        begin(f, k, (uint32_t)ib, (uint32_t)((uint64_t)ib >> 32), (uint32_t)((uint64_t)jb >> 32));
    }

    /** Words of a row jb that has the same upper half as the row where the column was begun. An odd row has the same
     * upper half as the row before it. */
    __device__ __forceinline__ ter_words same_half(const ter_field &f, uint32_t jb_low) const
    {
        const uint64_t of_row = (uint64_t)TER_PHILOX_M1 * jb_low;
        const uint64_t p0 = (uint64_t)TER_PHILOX_M0 * ((uint32_t)(of_row >> 32) ^ i_high ^ f.round_key[0][0]);
        return ter_philox_from_2(f.round_key, high ^ (uint32_t)of_row ^ f.round_key[1][0], low,
                                 (uint32_t)(p0 >> 32) ^ c3 ^ f.round_key[1][1], (uint32_t)p0);
    }

    /** Words of row first + n; rows come in ascending order, one or two apart. */
    __device__ __forceinline__ ter_words row(const ter_field &f, int k, int64_t ib, int64_t first, int n)
    {
        const uint32_t jb_low = (uint32_t)first + (uint32_t)n;
        if (jb_low < 2) {     /* the upper half of jb may have changed */
            asm volatile(""); /* forces a branch instead of predicates, because it is rarely taken */
            start(f, k, ib, first + n);
        }
        return same_half(f, jb_low);
    }
};

/** Words of A x B adjacent blocks of one level. */
template <int A, int B> struct block_words {
    ter_words at[B][A];

    /** (ib, jb): the first block, multiples of A and B, so that all blocks have the same upper halves. */
    __device__ __forceinline__ block_words(const ter_field &f, int k, int64_t ib, int64_t jb)
    {
#pragma unroll
        for (int x = 0; x < A; x++) {
            block_column column;
            column.begin(f, k, (uint32_t)ib | x, (uint32_t)((uint64_t)ib >> 32), (uint32_t)((uint64_t)jb >> 32));
#pragma unroll
            for (int y = 0; y < B; y++)
                at[y][x] = column.same_half(f, (uint32_t)jb | y);
        }
    }
};

} // namespace

#endif
