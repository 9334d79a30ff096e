/* windows.cuh - basis smooth, single pass: each lane refines a 6 x 6 window of heights from level 0 down to its 8 x 8
 * samples. Down to six levels above the samples, all lanes have the same window. On these levels a lane computes the
 * six random bytes of one row of one level, and two shuffles per row pass them to all lanes. So three Philox calls
 * per lane give the bytes of five levels:
 *
 *     lane   0 ... 5      6 ... 11     12 ... 17    18 ... 23    24 ... 29
 *     level  k            k + 1        k + 2        k + 3        k + 4
 *     row    0 ... 5      0 ... 5      0 ... 5      0 ... 5      0 ... 5 */
#ifndef TERRANE_FRACTAL_CUDA_SINGLE_PASS_WINDOWS_CUH
#define TERRANE_FRACTAL_CUDA_SINGLE_PASS_WINDOWS_CUH

#include "library/fractal/cuda/block.cuh"

namespace
{

constexpr int WINDOW = TER_SMOOTH_WINDOW, SEVEN = 7;
constexpr int LEVELS_AT_ONCE = 5; /* levels whose rows a warp computes together: 30 lanes */

/** Eight random bytes of a row, beginning with column i. */
struct row_bytes {
    uint32_t low, high;
};

__device__ __forceinline__ row_bytes bytes_of(const ter_words b[3], int64_t i, int64_t j)
{
    const uint32_t w0 = ter_words_row(&b[0], j), w1 = ter_words_row(&b[1], j), w2 = ter_words_row(&b[2], j);
    const unsigned shift = 8 * (unsigned)(i & 3);
    return {__funnelshift_r(w0, w1, shift), __funnelshift_r(w1, w2, shift)};
}

__device__ __forceinline__ void blocks_at(const ter_field &f, int k, int64_t i, int64_t j, ter_words b[3])
{
#pragma unroll
    for (int n = 0; n < 3; n++)
        b[n] = ter_random_block(&f, k, (i >> 2) + n, j >> 2);
}

/** Displace the new points of a row of N predictions that starts at (i, j). */
template <int VALLEY, int N>
__device__ __forceinline__ void displace_row_of(const ter_field &f, int k, int64_t i, int64_t j, const row_bytes &r,
                                                float h[N])
{
    const float a = f.amplitude[k];
#pragma unroll
    for (int x = 0; x < N; x++) {
        const float moved = displace<VALLEY>(f, a, byte_r(x < 4 ? r.low : r.high, x & 3), h[x]);
        h[x] = ((i + x) | j) & 1 ? moved : h[x];
    }
}

/** Descend from level 0 to the window of `level`, for samples of level + depth that begin at (i, j). All lanes take
 * part and must have the same window. */
template <int VALLEY>
__device__ __forceinline__ void descend_windows(const ter_field &f, int lane, int level, int depth, int64_t i,
                                                int64_t j, float p[WINDOW][WINDOW])
{
#pragma unroll 1
    for (int first = 0; first <= level; first += LEVELS_AT_ONCE) {
        /* among the next levels, the level and the row whose bytes this lane computes */
        const int mine = min(first + lane / WINDOW, level);
        const int64_t u = ter_window_low(TER_BASIS_SMOOTH, i, level + depth - mine),
                      v = ter_window_low(TER_BASIS_SMOOTH, j, level + depth - mine) + lane % WINDOW;
        ter_words b[3];
        blocks_at(f, mine, u, v, b);
        const row_bytes row = bytes_of(b, u, v);
#pragma unroll 1
        for (int k = first; k <= level && k < first + LEVELS_AT_ONCE; k++) {
            const int64_t x = ter_window_low(TER_BASIS_SMOOTH, i, level + depth - k),
                          y = ter_window_low(TER_BASIS_SMOOTH, j, level + depth - k);
            if (k > 0)
                ter_refine_window(x, y, p);
#pragma unroll
            for (int n = 0; n < WINDOW; n++) {
                const int from = WINDOW * (k - first) + n;
                const row_bytes r = {__shfl_sync(ALL_LANES, row.low, from), __shfl_sync(ALL_LANES, row.high, from)};
                if (k > 0) {
                    displace_row_of<VALLEY, WINDOW>(f, k, x, y + n, r, p[n]);
                } else {
#pragma unroll
                    for (int m = 0; m < WINDOW; m++)
                        p[n][m] = ter_height_root(&f, byte_r(m < 4 ? r.low : r.high, m & 3));
                }
            }
        }
    }
}

/** Seven children of N parents. With six parents the first child lies on a parent, with seven it lies between two. */
template <int N> __device__ __forceinline__ void refine_to_seven(const float p[N], float t[SEVEN])
{
    constexpr int ODD = N == SEVEN ? 0 : 1; /* the first child that lies between values */
#pragma unroll
    for (int n = 0; n < SEVEN; n++) {
        const int at = (n - ODD) / 2;
        t[n] =
            n % 2 == ODD ? ter_four(p[at], p[at + 1], p[at + 2], p[at + 3]) : p[N == SEVEN ? (n + 3) / 2 : n / 2 + 1];
    }
}

/** Refine N x N parents in both directions to 7 x 7 children. */
template <int N> __device__ __forceinline__ void refine_to_seven(const float p[N][N], float g[SEVEN][SEVEN])
{
    float q[SEVEN][N]; /* q[column][row]: refined along rows only */
#pragma unroll
    for (int y = 0; y < N; y++) {
        float row[SEVEN];
        refine_to_seven<N>(p[y], row);
#pragma unroll
        for (int x = 0; x < SEVEN; x++)
            q[x][y] = row[x];
    }
#pragma unroll
    for (int x = 0; x < SEVEN; x++) {
        float column[SEVEN];
        refine_to_seven<N>(q[x], column);
#pragma unroll
        for (int y = 0; y < SEVEN; y++)
            g[y][x] = column[y];
    }
}

/** Displace 7 x 7 predictions of level k that start at (i, j). */
template <int VALLEY>
__device__ __forceinline__ void displace_seven(const ter_field &f, int k, int64_t i, int64_t j, float h[SEVEN][SEVEN])
{
    ter_words b[3];
#pragma unroll
    for (int y = 0; y < SEVEN; y++) {
        if (y == 0 || ((j + y) & 3) == 0)
            blocks_at(f, k, i, j + y, b);
        displace_row_of<VALLEY, SEVEN>(f, k, i, j + y, bytes_of(b, i, j + y), h[y]);
    }
}

/** Make 8 x 8 samples of `level`, beginning at (i, j), multiples of 8, from the window of level - 3. */
template <int VALLEY, class OUTPUT>
__device__ __forceinline__ void finish_eight_smooth(const ter_field &f, int level, int64_t i, int64_t j,
                                                    const float p[WINDOW][WINDOW], const OUTPUT &output)
{
    float g[SEVEN][SEVEN], h[SEVEN][SEVEN];
    refine_to_seven<WINDOW>(p, g);
    displace_seven<VALLEY>(f, level - 2, (i >> 2) - 2, (j >> 2) - 2, g);
    refine_to_seven<SEVEN>(g, h);
    displace_seven<VALLEY>(f, level - 1, (i >> 1) - 1, (j >> 1) - 1, h);
#pragma unroll
    for (int y = 0; y < 2; y++) {
        float out[2][4][4];
#pragma unroll
        for (int x = 0; x < 2; x++) {
            float parents[SMOOTH_PARENTS][SMOOTH_PARENTS];
#pragma unroll
            for (int n = 0; n < SMOOTH_PARENTS * SMOOTH_PARENTS; n++)
                parents[n / SMOOTH_PARENTS][n % SMOOTH_PARENTS] =
                    h[2 * y + n / SMOOTH_PARENTS][2 * x + n % SMOOTH_PARENTS];
            block_smooth<VALLEY>(f, f.amplitude[level], ter_random_block(&f, level, (i >> 2) + x, (j >> 2) + y),
                                 parents, out[x]);
        }
        output.stage(0, out);
        output.flush(4 * y);
    }
}

/** Descend from level 0 to the window of level - 3 of the lane's samples. */
template <int VALLEY>
__device__ __forceinline__ void find_window(const ter_field &f, int lane, int level, int64_t i, int64_t j,
                                            float p[WINDOW][WINDOW])
{
    descend_windows<VALLEY>(f, lane, level - 6, 6, i, j, p);
#pragma unroll 1
    for (int depth = 5; depth >= 3; depth--)
        ter_descend_smooth(&f, level - depth, ter_window_low(TER_BASIS_SMOOTH, i, depth),
                           ter_window_low(TER_BASIS_SMOOTH, j, depth), VALLEY, p);
}

} // namespace

#endif
