/* quad_rows.h - refines a level into the next one with vectors (vector.h), four rows of the output at a time.
 *
 * A block of the random field has the random bytes of 4 x 4 points, so four rows of points share a row of blocks. Each
 * of a block's four words belongs to one row, and each byte to one point, so the words stay in the lanes where Philox
 * made them until they displace heights. A pair is two neighbouring points of a row, of which the first has an even
 * column. A parent is a point of the level above. For block (ib, jb):
 *
 *     a block's words        rows of the output           a 64-bit lane of word 1, as floats
 *     w0  b0 b1 b2 b3        4 jb      p  x  p  x         b0: row 4 jb + 1, first point of pair 2 ib
 *     w1  b0 b1 b2 b3        4 jb + 1  x  x  x  x         b2: row 4 jb + 1, first point of pair 2 ib + 1
 *     w2  b0 b1 b2 b3        4 jb + 2  p  x  p  x         b1, b3: the second points
 *     w3  b0 b1 b2 b3        4 jb + 3  x  x  x  x
 *
 *     p: a parent, unchanged     x: predicted and displaced     vector_r(w1, 0): b0 and b2; vector_r(w1, 1): b1 and b3
 *
 * Rows are made in chunks. A chunk is the part of a row that two vectors hold (CHUNK points, block_rows.h).
 */
#ifndef TERRANE_FRACTAL_CPU_QUAD_ROWS_H
#define TERRANE_FRACTAL_CPU_QUAD_ROWS_H

#include "library/fractal/cpu/block_rows.h"
#include "library/fractal/cpu/row_writer.h"

#define INLINE static inline __attribute__((always_inline))

/** Address of the parents in row v from column u on. If the grid lacks row v, no output depends on it, and the nearest
 * row is taken. */
INLINE const float *nearest_row(const ter_grid *parent, int64_t u, int64_t v)
{
    const int64_t last = parent->j + parent->height - 1, row = v < parent->j ? parent->j : v > last ? last : v;
    return parent->at + (ptrdiff_t)((size_t)(row - parent->j) * parent->stride) + (u - parent->i);
}

/* ---- basis smooth ---- */

INLINE floats vector_four_along_row(const float *p)
{
    return vector_four(FLOATS_LOAD(p - 1), FLOATS_LOAD(p), FLOATS_LOAD(p + 1), FLOATS_LOAD(p + 2));
}

/** The data from which smooth_chunk makes a chunk of four rows. */
typedef struct smooth_rows {
    const ter_field *f;
    int k;
    const float *p[5]; /* parents, rows 2 jb - 1 to 2 jb + 3 */
    floats *q[4]; /* points midway between parents: q[0] to q[2] those of rows p[0] to p[2]. smooth_chunk computes those
                     of p[3] in q[3], and replaces q[0] by those of p[4] */
    const block_rows *random;
    const row_writer *to;
} smooth_rows;

INLINE void smooth_chunk(const smooth_rows *s, int c, int is_valley, chunk_store store)
{
    const float a = s->f->amplitude[s->k], v0 = s->f->valley_offset, v1 = s->f->valley_slope;
    const int x = c * FLOATS;
    const wide w0 = s->random->words[0][c], w1 = s->random->words[1][c];
    const wide w2 = s->random->words[2][c], w3 = s->random->words[3][c];
    const floats q0 = s->q[0][c], q1 = s->q[1][c], q2 = s->q[2][c];
    const floats q3 = vector_four_along_row(s->p[3] + x), q4 = vector_four_along_row(s->p[4] + x);
    const floats p0 = FLOATS_LOAD(s->p[0] + x), p1 = FLOATS_LOAD(s->p[1] + x), p2 = FLOATS_LOAD(s->p[2] + x);
    const floats p3 = FLOATS_LOAD(s->p[3] + x), p4 = FLOATS_LOAD(s->p[4] + x);
    row_writer_put(s->to, 0, c, p1, vector_displace(vector_r(w0, 1), a, q1, is_valley, v0, v1), store);
    row_writer_put(s->to, 1, c, vector_displace(vector_r(w1, 0), a, vector_four(p0, p1, p2, p3), is_valley, v0, v1),
                   vector_displace(vector_r(w1, 1), a, vector_four(q0, q1, q2, q3), is_valley, v0, v1), store);
    row_writer_put(s->to, 2, c, p2, vector_displace(vector_r(w2, 1), a, q2, is_valley, v0, v1), store);
    row_writer_put(s->to, 3, c, vector_displace(vector_r(w3, 0), a, vector_four(p1, p2, p3, p4), is_valley, v0, v1),
                   vector_displace(vector_r(w3, 1), a, vector_four(q1, q2, q3, q4), is_valley, v0, v1), store);
    s->q[3][c] = q3;
    s->q[0][c] = q4;
}

/** Make rows 4 jb to 4 jb + 3, from west to east. */
INLINE void smooth_four_rows(const smooth_rows *s, int is_valley)
{
    int c = 0;
    for (; c < s->to->first_whole; c++)
        smooth_chunk(s, c, is_valley, (chunk_store){0, 0});
    if (s->to->mode == STORE_STREAMED)
        for (; c < s->to->end_whole; c++)
            smooth_chunk(s, c, is_valley, (chunk_store){1, 1});
    else
        for (; c < s->to->end_whole; c++)
            smooth_chunk(s, c, is_valley, (chunk_store){1, 0});
    for (; c < s->to->n_chunks; c++)
        smooth_chunk(s, c, is_valley, (chunk_store){0, 0});
}

INLINE void refine_smooth(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out, int is_valley)
{
    const int64_t ib = first_block_of(out), u = 2 * ib, last = (out->j + out->height - 1) >> 2;
    int64_t jb = out->j >> 2;
    row_writer to;
    row_writer_begin(&to, out, ib);
    block_rows random;
    block_rows_begin(&random, f, k, ib, jb, to.n_chunks);
    floats between[4][CHUNKS]; /* [v & 3]: points midway between parents of row v */
    for (int64_t v = 2 * jb - 1; v < 2 * jb + 2; v++)
        for (int c = 0; c < to.n_chunks; c++)
            between[v & 3][c] = vector_four_along_row(nearest_row(parent, u, v) + c * FLOATS);
    smooth_rows rows = {.f = f, .k = k, .random = &random, .to = &to};
    for (; jb <= last; jb++) {
        block_rows_make(&random, jb);
        row_writer_turn(&to, 4 * jb);
        for (int n = 0; n < 5; n++)
            rows.p[n] = nearest_row(parent, u, 2 * jb - 1 + n);
        for (int n = 0; n < 4; n++)
            rows.q[n] = between[(2 * jb - 1 + n) & 3];
        smooth_four_rows(&rows, is_valley);
        row_writer_done(&to);
    }
}

/* ---- basis midpoint ---- */

/** Height of the edge point midway between a parent and the next parent to the south: the first point of a pair. */
INLINE float side_at(const ter_field *f, int k, uint32_t word, float north, float south, int is_valley)
{
    return ter_displace(ter_displacement(word, 0), f->amplitude[k], ter_edge(north, south), is_valley, f->valley_offset,
                        f->valley_slope);
}

/** The data from which midpoint_chunk makes a chunk of four rows, and results that the next four rows need. */
typedef struct midpoint_rows {
    const ter_field *f;
    int k;
    const float *p[3]; /* parents, rows 2 jb - 1 to 2 jb + 1 */
    floats *edge;      /* displaced edge points of row 4 jb - 2 */
    wide *third;       /* words of row 4 jb - 1 */
    const block_rows *random;
    const row_writer *to;
} midpoint_rows;

/** Edge points of rows 4 jb - 1 and 4 jb + 1 in the chunk to the east. */
typedef struct midpoint_sides {
    floats row0, row2;
} midpoint_sides;

INLINE void midpoint_chunk(const midpoint_rows *m, int c, midpoint_sides *east, int is_valley, chunk_store store)
{
    const float a = m->f->amplitude[m->k], v0 = m->f->valley_offset, v1 = m->f->valley_slope;
    const int x = c * FLOATS;
    const floats p0 = FLOATS_LOAD(m->p[0] + x), p1 = FLOATS_LOAD(m->p[1] + x), p2 = FLOATS_LOAD(m->p[2] + x);
    const wide w0 = m->random->words[0][c], w1 = m->random->words[1][c], w2 = m->random->words[2][c],
               before = m->third[c];
    const floats edge0 = m->edge[c];
    const floats edge1 =
        vector_displace(vector_r(w0, 1), a, vector_edge(p1, FLOATS_LOAD(m->p[1] + x + 1)), is_valley, v0, v1);
    const floats edge3 =
        vector_displace(vector_r(w2, 1), a, vector_edge(p2, FLOATS_LOAD(m->p[2] + x + 1)), is_valley, v0, v1);
    const floats side0 = vector_displace(vector_r(before, 0), a, vector_edge(p0, p1), is_valley, v0, v1);
    const floats side2 = vector_displace(vector_r(w1, 0), a, vector_edge(p1, p2), is_valley, v0, v1);
    const floats centre0 = vector_centre(edge0, edge1, side0, floats_east(side0, east->row0));
    const floats centre2 = vector_centre(edge1, edge3, side2, floats_east(side2, east->row2));
    row_writer_put(m->to, 0, c, side0, vector_displace(vector_r(before, 1), a, centre0, is_valley, v0, v1), store);
    row_writer_put(m->to, 1, c, p1, edge1, store);
    row_writer_put(m->to, 2, c, side2, vector_displace(vector_r(w1, 1), a, centre2, is_valley, v0, v1), store);
    row_writer_put(m->to, 3, c, p2, edge3, store);
    m->edge[c] = edge3;
    m->third[c] = m->random->words[3][c];
    east->row0 = side0;
    east->row2 = side2;
}

/** Make rows 4 jb - 1 to 4 jb + 2, from east to west. east: edge points east of the last chunk */
INLINE void midpoint_four_rows(const midpoint_rows *m, midpoint_sides east, int is_valley)
{
    int c = m->to->n_chunks - 1;
    for (; c >= m->to->end_whole; c--)
        midpoint_chunk(m, c, &east, is_valley, (chunk_store){0, 0});
    if (m->to->mode == STORE_STREAMED)
        for (; c >= m->to->first_whole; c--)
            midpoint_chunk(m, c, &east, is_valley, (chunk_store){1, 1});
    else
        for (; c >= m->to->first_whole; c--)
            midpoint_chunk(m, c, &east, is_valley, (chunk_store){1, 0});
    for (; c >= 0; c--)
        midpoint_chunk(m, c, &east, is_valley, (chunk_store){0, 0});
}

/* A row of blocks completes four rows of the output. The first of them is the last row of the blocks to the north: an
 * edge point on row 4 jb + 3 lies between parents of rows 2 jb + 1 and 2 jb + 2, and a centre on that row needs an edge
 * point of row 4 jb + 4.
 *
 *     row 4 jb - 1   side  centre  side  centre      words of block row jb - 1, kept in `third`
 *         4 jb       p     edge    p     edge
 *         4 jb + 1   side  centre  side  centre      words of block row jb
 *         4 jb + 2   p     edge    p     edge
 *
 * A centre is the mean of two edges and two sides. The side to its east belongs to the next pair. So chunks are made
 * from east to west, and each passes its westernmost sides to the next chunk. */

INLINE void refine_midpoint(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out, int is_valley)
{
    const int64_t ib = first_block_of(out), u = 2 * ib, last = (out->j + out->height) >> 2;
    int64_t jb = out->j >> 2;
    row_writer to;
    row_writer_begin(&to, out, ib);
    const int beyond = to.n_chunks * FLOATS;
    block_rows random;
    block_rows_begin(&random, f, k, ib, jb, to.n_chunks);
    floats edge[CHUNKS];
    wide third[CHUNKS];
    uint32_t border_third = 0; /* the word of row 4 jb - 1 beyond the last chunk */
    memset(edge, 0, (size_t)to.n_chunks * sizeof edge[0]);
    memset(third, 0, (size_t)to.n_chunks * sizeof third[0]);
    midpoint_rows rows = {.f = f, .k = k, .edge = edge, .third = third, .random = &random, .to = &to};
    for (; jb <= last; jb++) {
        block_rows_make(&random, jb);
        row_writer_turn(&to, 4 * jb - 1);
        for (int n = 0; n < 3; n++)
            rows.p[n] = nearest_row(parent, u, 2 * jb - 1 + n);
        const ter_words border = ter_random_block(f, k, ib + (int64_t)to.n_chunks * WIDE_LANES, jb);
        const midpoint_sides east = {
            .row0 = FLOATS_ALL(side_at(f, k, border_third, rows.p[0][beyond], rows.p[1][beyond], is_valley)),
            .row2 = FLOATS_ALL(side_at(f, k, border.w[1], rows.p[1][beyond], rows.p[2][beyond], is_valley))};
        border_third = border.w[3];
        midpoint_four_rows(&rows, east, is_valley);
        row_writer_done(&to);
    }
}

#undef INLINE

#endif
