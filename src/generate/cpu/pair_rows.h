/* pair_rows.h - refinement of one level into the next, row by row, in loops that compilers turn into vector code: for instruction
 * sets that vector.h does not serve.
 *
 * Columns are handled as pairs u = (2u, 2u + 1): the first point of a pair stands above a parent, the second between two. The bytes
 * of a row of random words, read as 16-bit numbers, are the pairs' displacements:
 *
 *     word of block ib       byte 0  byte 1  byte 2  byte 3        points 4 ib .. 4 ib + 3 of the row
 *     as pairs               (first, second) (first, second)       u = 2 ib, 2 ib + 1
 */
#ifndef TER_GENERATE_CPU_PAIR_ROWS_H
#define TER_GENERATE_CPU_PAIR_ROWS_H

#include <string.h>

#include "generate/cpu/grid.h"
#include "generate/cpu/philox_row.h"
#include "generate/cpu/streaming_store.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    PAIRS = TER_BLOCK_WIDTH / 2 + 2,      /* a row's pairs, and one more for the edge east of it */
    BLOCKS = (PAIRS / 2 + 2 + 15) / 8 * 8 /* Philox blocks that cover a row's pairs, and those of a last vector */
};

/** Random bytes of the two block rows last used. */
typedef struct random_rows {
    const ter_field *f;
    int k;
    int64_t ib; /* first block */
    int n_blocks;
    int64_t jb[2]; /* block row held in words[n], n = jb & 1 */
    _Alignas(64) uint32_t words[2][4][BLOCKS];
} random_rows;

static void random_rows_begin(random_rows *rows, const ter_field *f, int k, int64_t u, int n_pairs)
{
    rows->f = f;
    rows->k = k;
    rows->ib = u >> 1;
    rows->n_blocks = (int)(((u + n_pairs) >> 1) - rows->ib) + 1;
    rows->jb[0] = rows->jb[1] = INT64_MIN;
}

static void random_rows_fill(random_rows *rows, int64_t jb)
{
    uint32_t(*words)[BLOCKS] = rows->words[jb & 1];
    uint32_t *const to[4] = {words[0], words[1], words[2], words[3]};
    ter_philox_row(rows->f, rows->k, rows->ib, jb, rows->n_blocks, to);
    rows->jb[jb & 1] = jb;
}

/** The r bytes of row j, two to a pair, from pair u on; valid until two other block rows were asked for. */
static const uint16_t *random_row(random_rows *rows, int64_t u, int64_t j)
{
    const int64_t jb = j >> 2;
    if (rows->jb[jb & 1] != jb)
        random_rows_fill(rows, jb);
    return (const uint16_t *)(const void *)rows->words[jb & 1][j & 3] + (u & 1);
}

INLINE float first_of(uint16_t pair)
{
    return (float)((int)(pair & 0xffu) - 128);
}

INLINE float second_of(uint16_t pair)
{
    return (float)((int)(pair >> 8) - 128);
}

/** Where a row of pairs is written: straight into the output, or through a buffer where a pair lies half outside. */
typedef struct pair_row {
    const ter_grid *out;
    int64_t first; /* column of the first pair's first point */
    int n_pairs;
    float buffer[2 * PAIRS];
} pair_row;

INLINE float *pair_row_begin(pair_row *row, int64_t j)
{
    const ter_grid *out = row->out;
    const int is_direct = row->first == out->i && 2 * row->n_pairs == out->width && !out->is_streamed;
    return is_direct ? out->at + (size_t)(j - out->j) * out->stride : row->buffer;
}

INLINE void pair_row_end(const pair_row *row, const float *pairs, int64_t j)
{
    const ter_grid *out = row->out;
    float *to = out->at + (size_t)(j - out->j) * out->stride;
    if (out->is_streamed)
        ter_stream_copy(to, pairs + (out->i - row->first), (size_t)out->width);
    else if (pairs == row->buffer)
        memcpy(to, pairs + (out->i - row->first), (size_t)out->width * sizeof(float));
}

INLINE int has_row(const ter_grid *grid, int64_t j)
{
    return j >= grid->j && j < grid->j + grid->height;
}

INLINE const float *parent_row(const ter_grid *parent, int64_t u, int64_t v)
{
    return parent->at + (size_t)(v - parent->j) * parent->stride + (u - parent->i);
}

/* ---- basis smooth ---- */

INLINE void four_along_row(const float *restrict p, int n, float *restrict q)
{
    for (int u = 0; u < n; u++)
        q[u] = ter_four(p[u - 1], p[u], p[u + 1], p[u + 2]);
}

INLINE void refine_smooth(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out, int is_valley)
{
    const float a = f->amplitude[k], v0 = f->valley_offset, v1 = f->valley_slope;
    const int64_t u0 = out->i >> 1;
    const int n = (int)(((out->i + out->width - 1) >> 1) - u0) + 1;
    random_rows randoms;
    random_rows_begin(&randoms, f, k, u0, n);
    pair_row row = {.out = out, .first = 2 * u0, .n_pairs = n};
    float between[4][PAIRS]; /* parents refined along rows v - 1 .. v + 2, by v & 3 */

    const int64_t v_first = out->j >> 1, v_last = (out->j + out->height - 1) >> 1;
    for (int64_t v = v_first - 1; v < v_first + 2; v++)
        if (has_row(parent, v))
            four_along_row(parent_row(parent, u0, v), n, between[v & 3]);
    for (int64_t v = v_first; v <= v_last; v++) {
        const float *restrict q1 = between[v & 3];
        if (has_row(out, 2 * v)) {
            const uint16_t *restrict r = random_row(&randoms, u0, 2 * v);
            const float *restrict p = parent_row(parent, u0, v);
            float *restrict pairs = pair_row_begin(&row, 2 * v);
            for (int u = 0; u < n; u++) {
                pairs[2 * u] = p[u];
                pairs[2 * u + 1] = ter_displace(second_of(r[u]), a, q1[u], is_valley, v0, v1);
            }
            pair_row_end(&row, pairs, 2 * v);
        }
        if (has_row(out, 2 * v + 1)) {
            four_along_row(parent_row(parent, u0, v + 2), n, between[(v + 2) & 3]);
            const uint16_t *restrict r = random_row(&randoms, u0, 2 * v + 1);
            const float *restrict p0 = parent_row(parent, u0, v - 1), *restrict p1 = p0 + parent->stride;
            const float *restrict p2 = p1 + parent->stride, *restrict p3 = p2 + parent->stride;
            const float *restrict q0 = between[(v - 1) & 3], *restrict q2 = between[(v + 1) & 3];
            const float *restrict q3 = between[(v + 2) & 3];
            float *restrict pairs = pair_row_begin(&row, 2 * v + 1);
            for (int u = 0; u < n; u++) {
                const float first = ter_four(p0[u], p1[u], p2[u], p3[u]);
                const float second = ter_four(q0[u], q1[u], q2[u], q3[u]);
                pairs[2 * u] = ter_displace(first_of(r[u]), a, first, is_valley, v0, v1);
                pairs[2 * u + 1] = ter_displace(second_of(r[u]), a, second, is_valley, v0, v1);
            }
            pair_row_end(&row, pairs, 2 * v + 1);
        }
    }
}

/* ---- basis midpoint ---- */

INLINE void edges_along_row(const float *restrict p, const uint16_t *restrict r, int n, float a, int is_valley, float v0, float v1,
                            float *restrict edge)
{
    for (int u = 0; u < n; u++)
        edge[u] = ter_displace(second_of(r[u]), a, ter_edge(p[u], p[u + 1]), is_valley, v0, v1);
}

INLINE void refine_midpoint(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out, int is_valley)
{
    const float a = f->amplitude[k], v0 = f->valley_offset, v1 = f->valley_slope;
    const int64_t u0 = out->i >> 1;
    const int n = (int)(((out->i + out->width - 1) >> 1) - u0) + 1;
    random_rows randoms;
    random_rows_begin(&randoms, f, k, u0, n);
    pair_row row = {.out = out, .first = 2 * u0, .n_pairs = n};
    float edge[2][PAIRS], side[PAIRS]; /* displaced edge points: on rows 2v and 2v + 2, by v & 1; and between those rows */

    const int64_t v_first = out->j >> 1, v_last = (out->j + out->height - 1) >> 1;
    edges_along_row(parent_row(parent, u0, v_first), random_row(&randoms, u0, 2 * v_first), n, a, is_valley, v0, v1,
                    edge[v_first & 1]);
    for (int64_t v = v_first; v <= v_last; v++) {
        const float *restrict p = parent_row(parent, u0, v);
        const float *restrict north = edge[v & 1];
        if (has_row(out, 2 * v)) {
            float *restrict pairs = pair_row_begin(&row, 2 * v);
            for (int u = 0; u < n; u++) {
                pairs[2 * u] = p[u];
                pairs[2 * u + 1] = north[u];
            }
            pair_row_end(&row, pairs, 2 * v);
        }
        if (has_row(out, 2 * v + 1)) {
            const float *restrict below = p + parent->stride;
            float *restrict south = edge[(v + 1) & 1];
            edges_along_row(below, random_row(&randoms, u0, 2 * v + 2), n, a, is_valley, v0, v1, south);
            const uint16_t *restrict r = random_row(&randoms, u0, 2 * v + 1);
            for (int u = 0; u < n + 1; u++)
                side[u] = ter_displace(first_of(r[u]), a, ter_edge(p[u], below[u]), is_valley, v0, v1);
            float *restrict pairs = pair_row_begin(&row, 2 * v + 1);
            for (int u = 0; u < n; u++) {
                const float m = ter_centre(north[u], south[u], side[u], side[u + 1]);
                pairs[2 * u] = side[u];
                pairs[2 * u + 1] = ter_displace(second_of(r[u]), a, m, is_valley, v0, v1);
            }
            pair_row_end(&row, pairs, 2 * v + 1);
        }
    }
}

#undef INLINE

#endif
