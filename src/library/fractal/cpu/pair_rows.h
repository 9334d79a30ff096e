/* pair_rows.h - refines a level into the next one, row by row, in loops that compilers turn into vector code. For
 * instruction sets without a form in vector.h.
 *
 * Columns are handled as pairs: pair u has columns 2u and 2u + 1. Its first point lies at a parent, its second point
 * between two parents. The bytes of a row of random words, read as 16-bit numbers, are the pairs' displacements:
 *
 *     word of block ib       byte 0  byte 1  byte 2  byte 3        points 4 ib .. 4 ib + 3 of the row
 *     as pairs               (first, second) (first, second)       u = 2 ib, 2 ib + 1
 */
#ifndef TERRANE_FRACTAL_CPU_PAIR_ROWS_H
#define TERRANE_FRACTAL_CPU_PAIR_ROWS_H

#include <string.h>

#include "library/core/cpu/streaming_store.h"
#include "library/fractal/cpu/grid.h"
#include "library/fractal/cpu/philox_row.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    PAIRS = TER_BLOCK_WIDTH_MAX / 2 + 2,  /* a row's pairs, and one for the edge to the east */
    BLOCKS = (PAIRS / 2 + 2 + 15) / 8 * 8 /* Philox blocks of a row's pairs, rounded up to whole vectors */
};

/** The two random bytes of a pair. On little-endian machines the lower byte belongs to the first point. */
typedef uint16_t pair_bytes;

/** Random bytes of two rows of blocks: the last ones with an even and with an odd number jb. */
typedef struct random_rows {
    const ter_field *f;
    int k;
    int64_t ib; /* first block */
    int n_blocks;
    int64_t jb[2]; /* block row held in words[n], n = jb & 1 */
    _Alignas(64) pair_bytes words[2][4][2 * BLOCKS];
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
    pair_bytes(*words)[2 * BLOCKS] = rows->words[jb & 1];
    void *const to[4] = {words[0], words[1], words[2], words[3]};
    ter_philox_row(rows->f->round_key, rows->k, rows->ib, jb, rows->n_blocks, to);
    rows->jb[jb & 1] = jb;
}

/** Random bytes of row j, two for each pair, from pair u on. Valid until bytes of another row of blocks are made whose
 * number jb has the same parity. */
static const pair_bytes *random_row(random_rows *rows, int64_t u, int64_t j)
{
    const int64_t jb = j >> 2;
    if (rows->jb[jb & 1] != jb)
        random_rows_fill(rows, jb);
    return (const pair_bytes *)rows->words[jb & 1][j & 3] + (u & 1);
}

INLINE float first_of(pair_bytes pair)
{
    return (float)((int)(pair & 0xffu) - 128);
}

INLINE float second_of(pair_bytes pair)
{
    return (float)((int)(pair >> 8) - 128);
}

/** Destination of a row of pairs: the output, or a buffer if the output has only one point of a pair or is streamed. */
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

/** Displacement of a level. is_valley is a compile-time constant after inlining. */
typedef struct level_displacement {
    float amplitude, valley_offset, valley_slope;
    int is_valley;
} level_displacement;

INLINE float displace(level_displacement d, float r, float m)
{
    return ter_displace(r, d.amplitude, m, d.is_valley, d.valley_offset, d.valley_slope);
}

/** Values that all rows share while a level is made from its parent level. */
typedef struct pair_pass {
    const ter_grid *parent, *out;
    int64_t u0; /* first pair */
    int n;      /* pairs of a row */
    random_rows randoms;
    pair_row row;
} pair_pass;

INLINE void pair_pass_begin(pair_pass *pass, const ter_field *f, int k, const ter_grid *parent, const ter_grid *out)
{
    pass->parent = parent;
    pass->out = out;
    pass->u0 = out->i >> 1;
    pass->n = (int)(((out->i + out->width - 1) >> 1) - pass->u0) + 1;
    random_rows_begin(&pass->randoms, f, k, pass->u0, pass->n);
    pass->row.out = out;
    pass->row.first = 2 * pass->u0;
    pass->row.n_pairs = pass->n;
}

/* ---- basis smooth ---- */

INLINE void four_along_row(const float *restrict p, int n, float *restrict q)
{
    for (int u = 0; u < n; u++)
        q[u] = ter_four(p[u - 1], p[u], p[u + 1], p[u + 2]);
}

/* One function for both kinds of rows: two functions took 7 % longer with gcc's vectors of four floats. */
INLINE void refine_smooth(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out, int is_valley)
{
    const level_displacement level = {f->amplitude[k], f->valley_offset, f->valley_slope, is_valley};
    pair_pass pass;
    pair_pass_begin(&pass, f, k, parent, out);
    const int n = pass.n;
    float between[4][PAIRS]; /* parents refined along rows v - 1 .. v + 2; row v is between[v & 3] */
    const int64_t v_first = out->j >> 1, v_last = (out->j + out->height - 1) >> 1;
    for (int64_t v = v_first - 1; v < v_first + 2; v++)
        if (has_row(parent, v))
            four_along_row(parent_row(parent, pass.u0, v), n, between[v & 3]);
    for (int64_t v = v_first; v <= v_last; v++) {
        const float *restrict q1 = between[v & 3];
        if (has_row(out, 2 * v)) {
            const pair_bytes *restrict r = random_row(&pass.randoms, pass.u0, 2 * v);
            const float *restrict p = parent_row(parent, pass.u0, v);
            float *restrict pairs = pair_row_begin(&pass.row, 2 * v);
            for (int u = 0; u < n; u++) {
                pairs[2 * u] = p[u];
                pairs[2 * u + 1] = displace(level, second_of(r[u]), q1[u]);
            }
            pair_row_end(&pass.row, pairs, 2 * v);
        }
        if (has_row(out, 2 * v + 1)) {
            four_along_row(parent_row(parent, pass.u0, v + 2), n, between[(v + 2) & 3]);
            const pair_bytes *restrict r = random_row(&pass.randoms, pass.u0, 2 * v + 1);
            const float *restrict p0 = parent_row(parent, pass.u0, v - 1), *restrict p1 = p0 + parent->stride;
            const float *restrict p2 = p1 + parent->stride, *restrict p3 = p2 + parent->stride;
            const float *restrict q0 = between[(v - 1) & 3], *restrict q2 = between[(v + 1) & 3];
            const float *restrict q3 = between[(v + 2) & 3];
            float *restrict pairs = pair_row_begin(&pass.row, 2 * v + 1);
            for (int u = 0; u < n; u++) {
                const float first = ter_four(p0[u], p1[u], p2[u], p3[u]);
                const float second = ter_four(q0[u], q1[u], q2[u], q3[u]);
                pairs[2 * u] = displace(level, first_of(r[u]), first);
                pairs[2 * u + 1] = displace(level, second_of(r[u]), second);
            }
            pair_row_end(&pass.row, pairs, 2 * v + 1);
        }
    }
}

/* ---- basis midpoint ---- */

/** Displaced edge points along row v of the parents. */
INLINE void edges_along_row(pair_pass *pass, int64_t v, level_displacement level, float *restrict edge)
{
    const int n = pass->n;
    const float *restrict p = parent_row(pass->parent, pass->u0, v);
    const pair_bytes *restrict r = random_row(&pass->randoms, pass->u0, 2 * v);
    for (int u = 0; u < n; u++)
        edge[u] = displace(level, second_of(r[u]), ter_edge(p[u], p[u + 1]));
}

/** Row 2v: parents and their edge points. */
INLINE void midpoint_even_row(pair_pass *pass, int64_t v, const float *restrict edge)
{
    const int n = pass->n;
    const float *restrict p = parent_row(pass->parent, pass->u0, v);
    float *restrict pairs = pair_row_begin(&pass->row, 2 * v);
    for (int u = 0; u < n; u++) {
        pairs[2 * u] = p[u];
        pairs[2 * u + 1] = edge[u];
    }
    pair_row_end(&pass->row, pairs, 2 * v);
}

/** Row 2v + 1: edge points between rows of parents, and centres from the four edge points around them. */
INLINE void midpoint_odd_row(pair_pass *pass, int64_t v, const float *restrict north, const float *restrict south,
                             level_displacement level)
{
    const int n = pass->n;
    float side[PAIRS];
    const float *restrict p = parent_row(pass->parent, pass->u0, v), *restrict below = p + pass->parent->stride;
    const pair_bytes *restrict r = random_row(&pass->randoms, pass->u0, 2 * v + 1);
    for (int u = 0; u < n + 1; u++)
        side[u] = displace(level, first_of(r[u]), ter_edge(p[u], below[u]));
    float *restrict pairs = pair_row_begin(&pass->row, 2 * v + 1);
    for (int u = 0; u < n; u++) {
        pairs[2 * u] = side[u];
        pairs[2 * u + 1] = displace(level, second_of(r[u]), ter_centre(north[u], south[u], side[u], side[u + 1]));
    }
    pair_row_end(&pass->row, pairs, 2 * v + 1);
}

INLINE void refine_midpoint(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out, int is_valley)
{
    pair_pass pass;
    const level_displacement level = {f->amplitude[k], f->valley_offset, f->valley_slope, is_valley};
    pair_pass_begin(&pass, f, k, parent, out);
    float edge[2][PAIRS]; /* displaced edge points of rows 2v and 2v + 2; those of row 2v are edge[v & 1] */
    const int64_t v_first = out->j >> 1, v_last = (out->j + out->height - 1) >> 1;
    edges_along_row(&pass, v_first, level, edge[v_first & 1]);
    for (int64_t v = v_first; v <= v_last; v++) {
        if (has_row(out, 2 * v))
            midpoint_even_row(&pass, v, edge[v & 1]);
        if (has_row(out, 2 * v + 1)) {
            edges_along_row(&pass, v + 1, level, edge[(v + 1) & 1]);
            midpoint_odd_row(&pass, v, edge[v & 1], edge[(v + 1) & 1], level);
        }
    }
}

#undef INLINE

#endif
