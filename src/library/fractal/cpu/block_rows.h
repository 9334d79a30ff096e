/* block_rows.h - makes the random words of a row of blocks, for all columns of a grid at once. For AVX2 and AVX-512.
 *
 * A block is a Philox block, the random words of 4 x 4 points. A chunk is a vector of WIDE_LANES blocks, with each
 * block in a 64-bit lane (philox_row.h). A row of blocks has up to CHUNKS chunks. Counter word 0 is the block's column,
 * word 2 its row. The first two of ten Philox rounds mix column and row only partly, so most of the work of these two
 * rounds is done once for a column or a row:
 *
 *     round   c0            c1          c2            c3           products, and what they depend on
 *       0     ib            ib >> 32    jb            jb >> 32     M0 * ib: the column's     M1 * jb: the row's
 *       1     of the row    of the row  of the column  of column   M0 * c0: the row's        M1 * c2: the column's
 *       2     both          column      both          row          from here on they differ in every block
 *
 * So 16 of a block's 20 products are computed for each block. `high`, `low` and `c3` hold the columns' part of the
 * state before round 2.
 */
#ifndef TERRANE_FRACTAL_CPU_BLOCK_ROWS_H
#define TERRANE_FRACTAL_CPU_BLOCK_ROWS_H

#include "library/fractal/cpu/grid.h"
#include "library/fractal/cpu/vector.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    CHUNK = 2 * FLOATS,                                       /* points of a row */
    CHUNKS = (TER_BLOCK_WIDTH_MAX + 2 * (CHUNK - 1)) / CHUNK, /* of a row; the first chunk may start west of the row */
    QUAD_ROWS = 4,                                            /* rows of points of a block of the random field */
    CHUNKS_AT_ONCE = 4                                        /* chunks that are computed together */
};

/** Values that depend only on the column of a block, and the words of the row of blocks that was made last. */
typedef struct block_rows {
    const ter_field *f;
    int k, n_chunks;
    int n_first; /* chunks with the first upper half of ib; later chunks have the next upper half */
    int64_t ib;
    uint32_t row_high;                          /* counter word 3 that `high`, `low` and `c3` were computed with */
    wide high[CHUNKS], low[CHUNKS], c3[CHUNKS]; /* state before round 2, without the row's part */
    wide words[QUAD_ROWS][CHUNKS];
} block_rows;

/** First block of the chunks that cover a grid. The upper half of a block's coordinate changes at most once in a row,
 * at a multiple of 2^32 blocks. The first block is chosen so that this change lies between two chunks. */
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

/** Words of `count` <= CHUNKS_AT_ONCE chunks, beginning with chunk c. Each round of a chunk depends on the previous
 * round, so the rounds of several chunks are interleaved. */
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

#undef INLINE

#endif
