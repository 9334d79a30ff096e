/* height.h - the height function of world format 1 without craters: random field, predictions, displacement, and the
 * height of one point.
 *
 * The C compiler and nvcc both compile this file. Arithmetic is IEEE binary32 in exactly the order written. ter_fma is
 * used only where the format says fma. Builds need -ffp-contract=off (nvcc -fmad=false). cpu/vector.h has the same
 * formulas for vectors. Every function is a pure function of its arguments. Loops have constant bounds, so that a GPU
 * keeps windows in registers.
 */
#ifndef TERRANE_FRACTAL_HEIGHT_H
#define TERRANE_FRACTAL_HEIGHT_H

#include <stdint.h>

#include "library/core/fma.h"
#include "terrane/terrane.h"

#if defined(__CUDA_ARCH__)
#define TER_UNROLL _Pragma("unroll")
#elif defined(__CUDACC__)
#define TER_UNROLL
#elif defined(__clang__)
#define TER_UNROLL _Pragma("clang loop unroll(full)")
#else
#define TER_UNROLL _Pragma("GCC unroll 16")
#endif

enum {
    TER_PHILOX_ROUNDS = 10,
    TER_LEVEL_MAX = TER_LEVELS_MAX + TER_FINE_LODS /* finest level of any world */
};

/** Craters of a world, see crater.h. */
typedef struct ter_cratering {
    float age;                     /* lattice steps; age of the surface. 0: there are no craters */
    float mare_age;                /* lattice steps; age of the lava on low ground */
    float mare_level;              /* m; level of the lava */
    float mare_offset, mare_scale; /* share of lava before smoothing: mare_offset - height * mare_scale */
} ter_cratering;

/** A world's parameters as the height function uses them; built once per world, in world.c. */
typedef struct ter_field {
    uint32_t round_key[TER_PHILOX_ROUNDS][2]; /* Philox key schedule: the same for every point */
    float amplitude[TER_LEVEL_MAX + 1];       /* per level, metres per unit of the displacement integer r */
    float base;                               /* m */
    float valley_offset, valley_slope;        /* V0, V1 of the format */
    int levels;
    int basis;     /* ter_basis */
    int is_valley; /* displacement depends on altitude */
    ter_cratering craters;
} ter_field;

/** Four random words: the bytes of a block of 4 x 4 points of a level. Point (i, j) has byte i & 3 of w[j & 3]. */
typedef struct ter_words {
    uint32_t w[4];
} ter_words;

/* ---- random field ---- */

#define TER_PHILOX_M0 UINT32_C(0xD2511F53)
#define TER_PHILOX_M1 UINT32_C(0xCD9E8D57)

#define TER_PHILOX_ROUND(n)                                                                                            \
    do {                                                                                                               \
        const uint64_t p0 = (uint64_t)TER_PHILOX_M0 * c0;                                                              \
        const uint64_t p1 = (uint64_t)TER_PHILOX_M1 * c2;                                                              \
        c0 = (uint32_t)(p1 >> 32) ^ c1 ^ key[n][0];                                                                    \
        c1 = (uint32_t)p1;                                                                                             \
        c2 = (uint32_t)(p0 >> 32) ^ c3 ^ key[n][1];                                                                    \
        c3 = (uint32_t)p0;                                                                                             \
    } while (0)

/** Rounds 3 to 10 of Philox4x32-10, for callers that compute a part of rounds 1 and 2 once for several counters. */
TER_FN ter_words ter_philox_from_2(const uint32_t key[TER_PHILOX_ROUNDS][2], uint32_t c0, uint32_t c1, uint32_t c2,
                                   uint32_t c3)
{
    TER_PHILOX_ROUND(2);
    TER_PHILOX_ROUND(3);
    TER_PHILOX_ROUND(4);
    TER_PHILOX_ROUND(5);
    TER_PHILOX_ROUND(6);
    TER_PHILOX_ROUND(7);
    TER_PHILOX_ROUND(8);
    TER_PHILOX_ROUND(9);
    ter_words words;
    words.w[0] = c0;
    words.w[1] = c1;
    words.w[2] = c2;
    words.w[3] = c3;
    return words;
}

/** Philox4x32-10 of one counter. Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * SC11. */
TER_FN ter_words ter_philox(const uint32_t key[TER_PHILOX_ROUNDS][2], uint32_t c0, uint32_t c1, uint32_t c2,
                            uint32_t c3)
{
    TER_PHILOX_ROUND(0);
    TER_PHILOX_ROUND(1);
    return ter_philox_from_2(key, c0, c1, c2, c3);
}

/** Random words of block (ib, jb) of level k. Point (i, j) is in block (i >> 2, j >> 2). */
TER_FN ter_words ter_random_block(const ter_field *f, int k, int64_t ib, int64_t jb)
{
    const uint32_t i_high = (uint32_t)((uint64_t)ib >> 32) & 0xffffu;
    const uint32_t j_high = (uint32_t)((uint64_t)jb >> 32) & 0xffffu;
    return ter_philox(f->round_key, (uint32_t)ib, i_high, (uint32_t)jb, j_high | (uint32_t)k << 16);
}

/** The word of a block that holds row j. Selects are used because registers cannot be indexed. */
TER_FN uint32_t ter_words_row(const ter_words *b, int64_t j)
{
    const uint32_t low = (j & 1) ? b->w[1] : b->w[0];
    const uint32_t high = (j & 1) ? b->w[3] : b->w[2];
    return (j & 2) ? high : low;
}

/** Displacement integer r, -128..127, as a float: the byte `column` & 3 of a row's word. */
TER_FN float ter_displacement(uint32_t row_word, int64_t column)
{
    return (float)((int)(row_word >> (8 * (int)(column & 3)) & 0xffu) - 128);
}

/** The displacement integer r of point (i, j) of level k, as a float. */
TER_FN float ter_random(const ter_field *f, int k, int64_t i, int64_t j)
{
    const ter_words block = ter_random_block(f, k, i >> 2, j >> 2);
    return ter_displacement(ter_words_row(&block, j), i);
}

/* ---- prediction and displacement ---- */

/** Four-point interpolating subdivision. Source: Dyn, Levin, Gregory 1987, tension 1/16. */
TER_FN float ter_four(float a, float b, float c, float d)
{
    return ter_fma(b + c, 0.5625f, (a + d) * -0.0625f);
}

/** Mean of the heights at both ends of an edge. */
TER_FN float ter_edge(float a, float b)
{
    return 0.5f * (a + b);
}

/** Prediction of a cell's centre: the mean of the four displaced edge points around it. */
TER_FN float ter_centre(float n, float s, float w, float e)
{
    return 0.25f * ((n + s) + (w + e));
}

/** Displace the prediction m of a new point by r times the level's amplitude. With is_valley, low ground is displaced
 * less: by the factor valley_offset + valley_slope * m, limited to 0 .. 1. */
TER_FN float ter_displace(float r, float amplitude, float m, int is_valley, float valley_offset, float valley_slope)
{
    if (!is_valley)
        return ter_fma(r, amplitude, m);
    return ter_fma(r, amplitude * ter_saturate(ter_fma(m, valley_slope, valley_offset)), m);
}

/** Height of a point of level 0. */
TER_FN float ter_height_root(const ter_field *f, float r)
{
    return ter_fma(r, f->amplitude[0], f->base);
}

/* ---- windows: the part of one level that a point or a rectangle of a finer level depends on ---- */

/** Least coordinate on which the points from coordinate `low` on depend, `depth` levels above them. */
TER_FN int64_t ter_window_low(int basis, int64_t low, int depth)
{
    return basis == TER_BASIS_SMOOTH ? ((low + 2) >> depth) - 2 : low >> depth;
}

/** Greatest coordinate on which the points up to coordinate `high` depend, `depth` levels above them. */
TER_FN int64_t ter_window_high(int basis, int64_t high, int depth)
{
    return basis == TER_BASIS_SMOOTH ? ((high - 3) >> depth) + 3 : -(-high >> depth);
}

/* Six neighbouring points depend on six points of the level above, so a window never has to be wider. */
enum { TER_SMOOTH_WINDOW = 6 };

/** Refine six values along one direction into the six values of the next level's window. odd != 0: the coordinate of
 * the first new value is odd */
TER_FN void ter_refine_six(const float p[TER_SMOOTH_WINDOW], int odd, float out[TER_SMOOTH_WINDOW])
{
    const float t[7] = {p[1], ter_four(p[0], p[1], p[2], p[3]), p[2], ter_four(p[1], p[2], p[3], p[4]),
                        p[3], ter_four(p[2], p[3], p[4], p[5]), p[4]};
    TER_UNROLL
    for (int n = 0; n < TER_SMOOTH_WINDOW; n++)
        out[n] = odd ? t[n + 1] : t[n];
}

/** Displace row `row` of a 6 x 6 window of level k. The six random bytes of the row come from at most three blocks. */
TER_FN void ter_displace_six(const ter_field *f, int k, int64_t i, int64_t j, const ter_words b[3], int is_valley,
                             float row[TER_SMOOTH_WINDOW])
{
    const int shift = 8 * (int)(i & 3);
    const uint64_t low = ter_words_row(&b[0], j) | (uint64_t)ter_words_row(&b[1], j) << 32;
    const uint64_t high = ter_words_row(&b[2], j);
    const uint64_t bytes = shift == 0 ? low : low >> shift | high << (64 - shift);
    TER_UNROLL
    for (int n = 0; n < TER_SMOOTH_WINDOW; n++) {
        const float r = (float)((int)(bytes >> (8 * n) & 0xffu) - 128);
        const float h = ter_displace(r, f->amplitude[k], row[n], is_valley, f->valley_offset, f->valley_slope);
        row[n] = ((i + n) | j) & 1 ? h : row[n];
    }
}

/** Replace a 6 x 6 window by the predictions of the 6 x 6 points of the next level that start at (i, j). */
TER_FN void ter_refine_window(int64_t i, int64_t j, float p[TER_SMOOTH_WINDOW][TER_SMOOTH_WINDOW])
{
    float q[TER_SMOOTH_WINDOW][TER_SMOOTH_WINDOW]; /* q[column][row]: refined along rows only */
    TER_UNROLL
    for (int row = 0; row < TER_SMOOTH_WINDOW; row++) {
        float refined[TER_SMOOTH_WINDOW];
        ter_refine_six(p[row], (int)(i & 1), refined);
        TER_UNROLL
        for (int column = 0; column < TER_SMOOTH_WINDOW; column++)
            q[column][row] = refined[column];
    }
    TER_UNROLL
    for (int column = 0; column < TER_SMOOTH_WINDOW; column++) {
        float refined[TER_SMOOTH_WINDOW];
        ter_refine_six(q[column], (int)(j & 1), refined);
        TER_UNROLL
        for (int row = 0; row < TER_SMOOTH_WINDOW; row++)
            p[row][column] = refined[row];
    }
}

/** Replace the window of level k - 1 in p by the window of level k that starts at (i, j). */
TER_FN void ter_descend_smooth(const ter_field *f, int k, int64_t i, int64_t j, int is_valley,
                               float p[TER_SMOOTH_WINDOW][TER_SMOOTH_WINDOW])
{
    ter_refine_window(i, j, p);
    ter_words b[3];
    TER_UNROLL
    for (int row = 0; row < TER_SMOOTH_WINDOW; row++) {
        if (row == 0 || ((j + row) & 3) == 0) {
            TER_UNROLL
            for (int n = 0; n < 3; n++)
                b[n] = ter_random_block(f, k, (i >> 2) + n, (j + row) >> 2);
        }
        ter_displace_six(f, k, i, j + row, b, is_valley, p[row]);
    }
}

/** The window of level 0 that starts at (i, j). */
TER_FN void ter_root_smooth(const ter_field *f, int64_t i, int64_t j, float p[TER_SMOOTH_WINDOW][TER_SMOOTH_WINDOW])
{
    TER_UNROLL
    for (int row = 0; row < TER_SMOOTH_WINDOW; row++) {
        TER_UNROLL
        for (int column = 0; column < TER_SMOOTH_WINDOW; column++)
            p[row][column] = ter_height_root(f, ter_random(f, 0, i + column, j + row));
    }
}

/** Make the 3 x 3 points of level k, c[row][column], that the 2 x 2 window p of level k - 1 at (u, v) spans. */
TER_FN void ter_split_midpoint(const ter_field *f, int k, int64_t u, int64_t v, int is_valley, const float p[2][2],
                               float c[3][3])
{
    const int64_t i = 2 * u, j = 2 * v;
    const ter_words here = ter_random_block(f, k, i >> 2, j >> 2);
    const ter_words east = (i & 2) ? ter_random_block(f, k, (i >> 2) + 1, j >> 2) : here;
    const ter_words south = (j & 2) ? ter_random_block(f, k, i >> 2, (j >> 2) + 1) : here;
    const float a = f->amplitude[k], v0 = f->valley_offset, v1 = f->valley_slope;
    const uint32_t middle = ter_words_row(&here, j + 1);
    c[0][0] = p[0][0];
    c[0][2] = p[0][1];
    c[2][0] = p[1][0];
    c[2][2] = p[1][1];
    c[0][1] = ter_displace(ter_displacement(ter_words_row(&here, j), i + 1), a, ter_edge(p[0][0], p[0][1]), is_valley,
                           v0, v1);
    c[1][0] = ter_displace(ter_displacement(middle, i), a, ter_edge(p[0][0], p[1][0]), is_valley, v0, v1);
    c[1][2] = ter_displace(ter_displacement(ter_words_row(&east, j + 1), i + 2), a, ter_edge(p[0][1], p[1][1]),
                           is_valley, v0, v1);
    c[2][1] = ter_displace(ter_displacement(ter_words_row(&south, j + 2), i + 1), a, ter_edge(p[1][0], p[1][1]),
                           is_valley, v0, v1);
    c[1][1] = ter_displace(ter_displacement(middle, i + 1), a, ter_centre(c[0][1], c[2][1], c[1][0], c[1][2]),
                           is_valley, v0, v1);
}

/** Copy the 2 x 2 window that starts at (column, row), each 0 or 1, from a 3 x 3 window. */
TER_FN void ter_pick_midpoint(const float c[3][3], int column, int row, float p[2][2])
{
    TER_UNROLL
    for (int n = 0; n < 2; n++) {
        const float west = row ? c[n + 1][0] : c[n][0];
        const float middle = row ? c[n + 1][1] : c[n][1];
        const float east = row ? c[n + 1][2] : c[n][2];
        p[n][0] = column ? middle : west;
        p[n][1] = column ? east : middle;
    }
}

/** The 2 x 2 window of level 0 at (u, v). */
TER_FN void ter_root_midpoint(const ter_field *f, int64_t u, int64_t v, float p[2][2])
{
    TER_UNROLL
    for (int row = 0; row < 2; row++) {
        p[row][0] = ter_height_root(f, ter_random(f, 0, u, v + row));
        p[row][1] = ter_height_root(f, ter_random(f, 0, u + 1, v + row));
    }
}

/* ---- one point ---- */

/** Height of (i, j) of a level, basis midpoint. A 2 x 2 window is refined from level 0 down. */
TER_FN float ter_height_midpoint(const ter_field *f, int level, int64_t i, int64_t j, int is_valley)
{
    float p[2][2];
    ter_root_midpoint(f, i >> level, j >> level, p);
    for (int k = 1; k <= level; k++) {
        const int depth = level - k;
        float c[3][3];
        ter_split_midpoint(f, k, i >> (depth + 1), j >> (depth + 1), is_valley, p, c);
        ter_pick_midpoint(c, (int)(i >> depth & 1), (int)(j >> depth & 1), p);
    }
    return p[0][0];
}

/** Height of (i, j) of a level, basis smooth. A 6 x 6 window is refined from level 0 down; the last window starts at
 * the point. */
TER_FN float ter_height_smooth(const ter_field *f, int level, int64_t i, int64_t j, int is_valley)
{
    float p[TER_SMOOTH_WINDOW][TER_SMOOTH_WINDOW];
    ter_root_smooth(f, ter_window_low(TER_BASIS_SMOOTH, i, level), ter_window_low(TER_BASIS_SMOOTH, j, level), p);
    for (int k = 1; k <= level; k++) {
        const int64_t u = ter_window_low(TER_BASIS_SMOOTH, i, level - k);
        const int64_t v = ter_window_low(TER_BASIS_SMOOTH, j, level - k);
        ter_descend_smooth(f, k, u, v, is_valley, p);
    }
    return p[0][0];
}

#endif
