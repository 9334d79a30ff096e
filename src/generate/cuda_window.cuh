/* cuda_window.cuh - steps 1 and 2 of `tiled`: the windows of the coarse levels that a tile depends on, and their random words. */
#ifndef TER_GENERATE_CUDA_WINDOW_CUH
#define TER_GENERATE_CUDA_WINDOW_CUH

#include "generate/cuda_launch.h"

namespace
{

constexpr int LEVELS = TER_LEVELS_MAX + 1; /* plan entries: the coarse levels, and the border column of basis midpoint */
constexpr int PATCH_LEVELS = 2;            /* levels above the tile that are made in patches */
constexpr unsigned ALL_LANES = 0xffffffffu;

/** The window of one level in shared memory, and its random words. */
struct window {
    int64_t ib, jb; /* first Philox block; the grid's first point is (4 ib, 4 jb) */
    int n_blocks_i, n_blocks_j;
    int first_word;     /* first Philox block's place in the words array */
    int pair_i, pair_j; /* first pair that is needed, 0 or 1 from the grid's origin */
    int n_pairs_i, n_pairs_j;
    unsigned pair_columns, block_columns; /* reciprocals of n_pairs_i and n_blocks_i */
    int parent_i, parent_j;               /* place of the first pair's parent in the parent's grid */
};

struct plan {
    window level[LEVELS];
    int n_words;
};

/** n / divisor for n * divisor < 2^16, by the divisor's reciprocal. */
__host__ __device__ __forceinline__ unsigned reciprocal(int divisor)
{
    return (65536u + (unsigned)divisor - 1u) / (unsigned)divisor;
}

__device__ __forceinline__ int divide(int n, unsigned reciprocal_of_divisor)
{
    return (int)((unsigned)n * reciprocal_of_divisor >> 16);
}

/** A level's grid in shared memory. */
struct grid {
    float *at;
    int pitch;
};

template <int BASIS> __device__ window plan_level(int64_t i, int64_t j, int width, int height, int depth)
{
    const int64_t i0 = ter_window_low(BASIS, i, depth), i1 = ter_window_high(BASIS, i + width - 1, depth);
    const int64_t j0 = ter_window_low(BASIS, j, depth), j1 = ter_window_high(BASIS, j + height - 1, depth);
    const int edge = BASIS == TER_BASIS_MIDPOINT; /* a centre at the far side needs the edge points beyond it */
    window w;
    w.ib = i0 >> 2;
    w.jb = j0 >> 2;
    w.n_blocks_i = (int)(((i1 + edge) >> 2) - w.ib) + 1;
    w.n_blocks_j = (int)(((j1 + edge) >> 2) - w.jb) + 1;
    w.pair_i = (int)((i0 >> 1) - 2 * w.ib);
    w.pair_j = (int)((j0 >> 1) - 2 * w.jb);
    w.n_pairs_i = (int)((i1 >> 1) - (i0 >> 1)) + 1;
    w.n_pairs_j = (int)((j1 >> 1) - (j0 >> 1)) + 1;
    w.parent_i = (int)((i0 >> 1) - (ter_window_low(BASIS, i, depth + 1) & ~INT64_C(3)));
    w.parent_j = (int)((j0 >> 1) - (ter_window_low(BASIS, j, depth + 1) & ~INT64_C(3)));
    w.first_word = 0;
    w.pair_columns = reciprocal(w.n_pairs_i);
    w.block_columns = reciprocal(w.n_blocks_i);
    return w;
}

/** Step 1. The first warp: a lane a level, then a prefix sum of the numbers of Philox blocks. */
template <int BASIS> __device__ void make_plan(plan *plan, int level, int64_t i, int64_t j, int width, int height)
{
    if (threadIdx.x >= 32)
        return;
    const int lane = (int)threadIdx.x;
    window w = {};
    if (lane < level)
        w = plan_level<BASIS>(i, j, width, height, level - lane);
    if (BASIS == TER_BASIS_MIDPOINT && lane == level) { /* the columns of blocks east of each warp's patches */
        w.ib = i >> 2;
        w.jb = j >> 2;
        w.n_blocks_i = (width / 4 + 31) / 32;
        w.n_blocks_j = height / 4;
        w.block_columns = reciprocal(w.n_blocks_i);
    }
    const bool has_words = (lane > 0 && lane < level - PATCH_LEVELS) || lane == level;
    const int n = has_words ? w.n_blocks_i * w.n_blocks_j : 0;
    int sum = n;
    for (int step = 1; step < 32; step *= 2) {
        const int below = __shfl_up_sync(ALL_LANES, sum, step);
        sum += lane >= step ? below : 0;
    }
    w.first_word = sum - n;
    if (lane < LEVELS)
        plan->level[lane] = w;
    if (lane == 31)
        plan->n_words = sum;
}

/** Step 2. */
template <int BASIS, int THREADS>
__device__ void make_words(const ter_field &f, const plan &plan, int level, int tile_blocks, uint4 *words)
{
    const int last_level = BASIS == TER_BASIS_MIDPOINT ? level : max(level - 1 - PATCH_LEVELS, 0);
    for (int n = (int)threadIdx.x; n < plan.n_words; n += THREADS) {
        int k = last_level;
        while (n < plan.level[k].first_word)
            k--;
        const window &w = plan.level[k];
        const int block = n - w.first_word;
        const int row = divide(block, w.block_columns);
        int column = block - row * w.n_blocks_i;
        if (BASIS == TER_BASIS_MIDPOINT && k == level)
            column = min(32 * (column + 1), tile_blocks);
        const ter_words b = ter_random_block(&f, k, w.ib + column, w.jb + row);
        words[n] = make_uint4(b.w[0], b.w[1], b.w[2], b.w[3]);
    }
}

/** The two r bytes of pair u in row 2 v + odd, both counted from the grid's origin. */
__device__ __forceinline__ unsigned pair_bytes(const window &w, const uint4 *words, int u, int v, int odd)
{
    const unsigned char *block = (const unsigned char *)&words[w.first_word + (v >> 1) * w.n_blocks_i + (u >> 1)];
    return *(const unsigned short *)(block + (v & 1) * 8 + odd * 4 + (u & 1) * 2);
}

/** Byte n of a word as the float r: the byte becomes the mantissa of 2^23 + byte, which is exact. */
__device__ __forceinline__ float byte_r(unsigned word, int n)
{
    return __uint_as_float(__byte_perm(word, 0x4B000000u, 0x7440 | n)) - 8388736.0f;
}

template <int VALLEY> __device__ __forceinline__ float displace(const ter_field &f, float amplitude, float r, float m)
{
    return ter_displace(r, amplitude, m, VALLEY, f.valley_offset, f.valley_slope);
}

} // namespace

#endif
