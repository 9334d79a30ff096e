/* refine.h - refinement of one level into the next with vectors (vector.h): four rows of the output at a time, which share
 * a row of blocks of the random field, a chunk of WIDE_LANES blocks after the other.
 *
 * Random words never leave their lanes between Philox and the height they displace. The first two rounds are done once a column
 * and once a row: of a block's 20 products 16 are its own.
 */
#ifndef TER_GENERATE_CPU_REFINE_H
#define TER_GENERATE_CPU_REFINE_H

#include "generate/cpu/kernels.h"
#include "generate/cpu/streaming_store.h"
#include "generate/cpu/vector.h"

#ifdef TER_HAS_VECTORS

#define INLINE static inline __attribute__((always_inline))

enum {
    CHUNK = 2 * FLOATS,                                      /* points of a row */
    CHUNKS = (TER_CPU_TILE_WIDTH + 2 * (CHUNK - 1)) / CHUNK, /* of a tile's row, the first one may start before it */
    QUAD_ROWS = 4,                                           /* rows of a block */
    CHUNKS_AT_ONCE = 4                                       /* whose words are made side by side */
};

/* ---- random words ---- */

/** Rows of blocks of a level: what depends on the column alone, and the words of the row last made. */
typedef struct block_rows {
    const ter_field *f;
    int k, n_chunks;
    int n_first; /* chunks with the upper half of ib; the others have the next one */
    int64_t ib;
    uint32_t row_high;                          /* counter word 3 of the columns' state */
    wide high[CHUNKS], low[CHUNKS], c3[CHUNKS]; /* after round 2, less what comes from the row */
    wide words[QUAD_ROWS][CHUNKS];
} block_rows;

/** First block of the chunks that cover a grid. The upper half of a block's coordinate changes at most once in a row, at a multiple
 * of 2^32 blocks: then it changes between two chunks. */
INLINE int64_t first_block_of(const ter_grid *out)
{
    const int64_t ib = out->i >> 2, change = ((ib >> 32) + 1) * (INT64_C(1) << 32);
    const int64_t before = change - ib, last = ((out->i & 3) + out->width - 1) >> 2;
    return before <= last + WIDE_LANES ? ib - (WIDE_LANES - before % WIDE_LANES) % WIDE_LANES : ib;
}

static void block_rows_set_high(block_rows *b, uint32_t row_high)
{
    const wide m0 = WIDE_ALL(TER_PHILOX_M0), m1 = WIDE_ALL(TER_PHILOX_M1);
    const wide of_row = WIDE_ALL(row_high ^ b->f->round_key[0][1]);
    for (int c = 0; c < b->n_chunks; c++) {
        const wide p0 = WIDE_MULTIPLY(WIDE_FROM(b->ib + (int64_t)c * WIDE_LANES), m0);
        const wide p1 = WIDE_MULTIPLY(WIDE_UPPER(p0) ^ of_row, m1);
        b->high[c] = WIDE_UPPER(p1);
        b->low[c] = p1;
        b->c3[c] = p0;
    }
    b->row_high = row_high;
}

INLINE uint32_t row_high_of(int k, int64_t jb)
{
    return ((uint32_t)((uint64_t)jb >> 32) & 0xffffu) | (uint32_t)k << 16;
}

static void block_rows_begin(block_rows *b, const ter_field *f, int k, int64_t ib, int64_t jb, int n_chunks)
{
    b->f = f;
    b->k = k;
    b->n_chunks = n_chunks;
    b->ib = ib;
    const int64_t first = ((((ib >> 32) + 1) * (INT64_C(1) << 32)) - ib) / WIDE_LANES;
    b->n_first = first < n_chunks ? (int)first : n_chunks;
    block_rows_set_high(b, row_high_of(k, jb));
}

/** Words of `count` <= CHUNKS_AT_ONCE chunks from chunk c on, side by side: a round waits for the one before it. */
INLINE void make_words(block_rows *b, int c, int count, wide of_c0, wide of_c2, wide c3_first)
{
    const wide m0 = WIDE_ALL(TER_PHILOX_M0), m1 = WIDE_ALL(TER_PHILOX_M1);
    wide c0[CHUNKS_AT_ONCE], c1[CHUNKS_AT_ONCE], c2[CHUNKS_AT_ONCE], c3[CHUNKS_AT_ONCE];
    TER_UNROLL
    for (int v = 0; v < count; v++) {
        c0[v] = b->high[c + v] ^ of_c0;
        c1[v] = b->low[c + v];
        c2[v] = b->c3[c + v] ^ of_c2;
        c3[v] = c3_first;
    }
    TER_UNROLL
    for (int n = 2; n < TER_PHILOX_ROUNDS; n++) {
        const wide key0 = WIDE_ALL(b->f->round_key[n][0]), key1 = WIDE_ALL(b->f->round_key[n][1]);
        TER_UNROLL
        for (int v = 0; v < count; v++) {
            const wide p0 = WIDE_MULTIPLY(c0[v], m0), p1 = WIDE_MULTIPLY(c2[v], m1);
            c0[v] = WIDE_XOR3(WIDE_UPPER(p1), c1[v], key0);
            c1[v] = p1;
            c2[v] = WIDE_XOR3(WIDE_UPPER(p0), c3[v], key1);
            c3[v] = p0;
        }
    }
    TER_UNROLL
    for (int v = 0; v < count; v++) {
        b->words[0][c + v] = c0[v];
        b->words[1][c + v] = c1[v];
        b->words[2][c + v] = c2[v];
        b->words[3][c + v] = c3[v];
    }
}

/** Make the words of block row jb in chunks c to end - 1, whose blocks' coordinates have the upper half i_high. */
INLINE void make_part(block_rows *b, int64_t jb, int64_t i_high, int c, int end)
{
    const uint32_t(*key)[2] = b->f->round_key;
    const uint64_t p1 = (uint64_t)TER_PHILOX_M1 * (uint32_t)jb;
    const uint64_t p0 = (uint64_t)TER_PHILOX_M0 * ((uint32_t)(p1 >> 32) ^ ((uint32_t)i_high & 0xffffu) ^ key[0][0]);
    const wide of_c0 = WIDE_ALL((uint32_t)p1 ^ key[1][0]), of_c2 = WIDE_ALL((uint32_t)(p0 >> 32) ^ key[1][1]);
    const wide c3 = WIDE_ALL((uint32_t)p0);
    for (; c + CHUNKS_AT_ONCE <= end; c += CHUNKS_AT_ONCE)
        make_words(b, c, CHUNKS_AT_ONCE, of_c0, of_c2, c3);
    if (c + 2 <= end) {
        make_words(b, c, 2, of_c0, of_c2, c3);
        c += 2;
    }
    if (c < end)
        make_words(b, c, 1, of_c0, of_c2, c3);
}

/** Make the words of block row jb. */
static void block_rows_make(block_rows *b, int64_t jb)
{
    if (row_high_of(b->k, jb) != b->row_high)
        block_rows_set_high(b, row_high_of(b->k, jb));
    make_part(b, jb, b->ib >> 32, 0, b->n_first);
    if (b->n_first < b->n_chunks)
        make_part(b, jb, (b->ib >> 32) + 1, b->n_first, b->n_chunks);
}

/* ---- rows of the output ---- */

typedef enum row_way { ROWS_DIRECT, ROWS_STREAMED, ROWS_BUFFERED } row_way;

/** Where four rows go: straight into the output, or through a buffer. Columns count from the first block's first point. */
typedef struct row_writer {
    const ter_grid *out;
    int lead, end;                        /* columns before the output's first one, and behind its last one */
    int n_chunks, first_whole, end_whole; /* those from first_whole to end_whole - 1 lie inside */
    row_way way;
    int64_t j;             /* of the first of four rows */
    float *row[QUAD_ROWS]; /* column 0 */
    _Alignas(64) float buffer[QUAD_ROWS][CHUNKS * CHUNK];
} row_writer;

static void row_writer_begin(row_writer *w, const ter_grid *out, int64_t ib)
{
    w->out = out;
    w->lead = (int)(out->i - 4 * ib);
    w->end = w->lead + (int)out->width;
    w->n_chunks = (w->end + CHUNK - 1) / CHUNK;
    w->first_whole = w->lead > 0;
    w->end_whole = w->end / CHUNK;
    const uintptr_t first = (uintptr_t)(out->at - w->lead) | out->stride * sizeof(float);
    w->way = !out->is_streamed ? ROWS_DIRECT : first % 64 == 0 ? ROWS_STREAMED : ROWS_BUFFERED;
}

INLINE int is_row_inside(const row_writer *w, int64_t j)
{
    return j >= w->out->j && j < w->out->j + w->out->height;
}

/** Turn to rows j .. j + 3; those outside are written to the buffer and forgotten. */
INLINE void row_writer_turn(row_writer *w, int64_t j)
{
    w->j = j;
    for (int n = 0; n < QUAD_ROWS; n++)
        w->row[n] = is_row_inside(w, j + n) && w->way != ROWS_BUFFERED
                        ? w->out->at - w->lead + (size_t)(j + n - w->out->j) * w->out->stride
                        : w->buffer[n];
}

/** How chunks are stored: as constants of the loops that call for them. */
typedef struct chunk_store {
    int is_whole;    /* the chunk lies inside the output */
    int is_streamed; /* past the caches */
} chunk_store;

/** A chunk of row n: `first` and `second` points of its pairs. */
INLINE void row_writer_put(const row_writer *w, int n, int c, floats first, floats second, chunk_store store)
{
    floats points[2];
    floats_interleave(first, second, points);
    const int column = c * CHUNK;
    float *to = w->row[n] + column;
    if (store.is_whole && store.is_streamed) {
        FLOATS_STREAM(to, points[0]);
        FLOATS_STREAM(to + FLOATS, points[1]);
    } else if (store.is_whole) {
        FLOATS_STORE(to, points[0]);
        FLOATS_STORE(to + FLOATS, points[1]);
    } else {
        floats_store_part(to, points[0], w->lead - column, w->end - column);
        floats_store_part(to + FLOATS, points[1], w->lead - column - FLOATS, w->end - column - FLOATS);
    }
}

/** Complete four rows. */
INLINE void row_writer_done(const row_writer *w)
{
    if (w->way != ROWS_BUFFERED)
        return;
    for (int n = 0; n < QUAD_ROWS; n++)
        if (is_row_inside(w, w->j + n))
            ter_stream_copy(w->out->at + (size_t)(w->j + n - w->out->j) * w->out->stride, w->buffer[n] + w->lead,
                            (size_t)w->out->width);
}

/** Parents of row v from column u on; of the nearest row that is there, for rows that nothing depends on. */
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

/** What a chunk of four rows is made from. */
typedef struct smooth_rows {
    const ter_field *f;
    int k;
    const float *p[5]; /* parents, rows 2 jb - 1 to 2 jb + 3 */
    floats *q[4];      /* parents refined along the first four of them; the last one's take the place of the first one's */
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

INLINE void refine_smooth(const ter_field *f, int k, const ter_grid *parent, const ter_grid *out, int is_valley)
{
    const int64_t ib = first_block_of(out), u = 2 * ib, last = (out->j + out->height - 1) >> 2;
    int64_t jb = out->j >> 2;
    row_writer to;
    row_writer_begin(&to, out, ib);
    block_rows random;
    block_rows_begin(&random, f, k, ib, jb, to.n_chunks);
    floats between[4][CHUNKS]; /* parents refined along rows v, by v & 3 */
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
        int c = 0;
        for (; c < to.first_whole; c++)
            smooth_chunk(&rows, c, is_valley, (chunk_store){0, 0});
        if (to.way == ROWS_STREAMED)
            for (; c < to.end_whole; c++)
                smooth_chunk(&rows, c, is_valley, (chunk_store){1, 1});
        else
            for (; c < to.end_whole; c++)
                smooth_chunk(&rows, c, is_valley, (chunk_store){1, 0});
        for (; c < to.n_chunks; c++)
            smooth_chunk(&rows, c, is_valley, (chunk_store){0, 0});
        row_writer_done(&to);
    }
}

/* ---- basis midpoint ---- */

/** The edge point south of point (u, north): the first one of a pair. */
INLINE float side_at(const ter_field *f, int k, uint32_t word, float north, float south, int is_valley)
{
    return ter_displace(ter_displacement(word, 0), f->amplitude[k], ter_edge(north, south), is_valley, f->valley_offset,
                        f->valley_slope);
}

/** What a chunk of four rows is made from, and what it leaves for the next ones. */
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
    const wide w0 = m->random->words[0][c], w1 = m->random->words[1][c], w2 = m->random->words[2][c], before = m->third[c];
    const floats edge0 = m->edge[c];
    const floats edge1 = vector_displace(vector_r(w0, 1), a, vector_edge(p1, FLOATS_LOAD(m->p[1] + x + 1)), is_valley, v0, v1);
    const floats edge3 = vector_displace(vector_r(w2, 1), a, vector_edge(p2, FLOATS_LOAD(m->p[2] + x + 1)), is_valley, v0, v1);
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

/** Rows 4 jb - 1 to 4 jb + 2 at a time: the rows whose edge points block rows jb - 1 and jb complete. Chunks go west, for a cell's
 *  centre needs the edge point to its east. */
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
        midpoint_sides east = {.row0 = FLOATS_ALL(side_at(f, k, border_third, rows.p[0][beyond], rows.p[1][beyond], is_valley)),
                               .row2 = FLOATS_ALL(side_at(f, k, border.w[1], rows.p[1][beyond], rows.p[2][beyond], is_valley))};
        border_third = border.w[3];
        int c = to.n_chunks - 1;
        for (; c >= to.end_whole; c--)
            midpoint_chunk(&rows, c, &east, is_valley, (chunk_store){0, 0});
        if (to.way == ROWS_STREAMED)
            for (; c >= to.first_whole; c--)
                midpoint_chunk(&rows, c, &east, is_valley, (chunk_store){1, 1});
        else
            for (; c >= to.first_whole; c--)
                midpoint_chunk(&rows, c, &east, is_valley, (chunk_store){1, 0});
        for (; c >= 0; c--)
            midpoint_chunk(&rows, c, &east, is_valley, (chunk_store){0, 0});
        row_writer_done(&to);
    }
}

#undef INLINE

#endif

#endif
