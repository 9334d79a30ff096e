/* rows.h - heights below 8 m, ter_make_fine of surface.h, row by row.
 *
 * A row is made as two arrays, of even and of odd columns (fluvial_halving.h). Coarse rows are refined along the row
 * once and kept, four at a time.
 */
#ifndef TERRANE_FLUVIAL_CPU_ROWS_H
#define TERRANE_FLUVIAL_CPU_ROWS_H

#include "library/fluvial/cpu/halving.h"
#include "library/fractal/cpu/grid.h"
#include "library/fractal/cpu/philox_row.h"

enum {
    FLUVIAL_ROW_PAIRS =
        TER_BLOCK_WIDTH_MAX / 2 + 16 /* of columns: rows of a block, and the window that its next level needs */
};

/** A coarse row refined along itself: predictions between its points, and the least and greatest of the two beside
 * them. */
typedef struct fluvial_row {
    int64_t y; /* of the coarse row */
    float even[FLUVIAL_ROW_PAIRS], odd[FLUVIAL_ROW_PAIRS], low[FLUVIAL_ROW_PAIRS], high[FLUVIAL_ROW_PAIRS];
} fluvial_row;

typedef struct fluvial_rows {
    fluvial_row coarse[4];                                           /* row y in coarse[y & 3] */
    uint32_t words[4][FLUVIAL_ROW_PAIRS];                            /* random bytes of four rows, 4 columns a word */
    float even_byte[FLUVIAL_ROW_PAIRS], odd_byte[FLUVIAL_ROW_PAIRS]; /* of one row, as displacements */
    float even[FLUVIAL_ROW_PAIRS], odd[FLUVIAL_ROW_PAIRS];           /* the row that is made */
} fluvial_rows;

/** Refine a coarse row; p: the point at the first pair. */
static void refine_row(const float *restrict p, int n_pairs, fluvial_row *restrict row)
{
    for (int n = 0; n < n_pairs; n++) {
        row->even[n] = p[n];
        row->odd[n] = ter_four(p[n - 1], p[n], p[n + 1], p[n + 2]);
        row->low[n] = ter_min(p[n], p[n + 1]);
        row->high[n] = ter_max(p[n], p[n + 1]);
    }
}

/** The coarse row y, refined. */
static const fluvial_row *refined_row(const ter_fluvial_job *job, int n, int64_t y, int64_t first_pair, int n_pairs,
                                      fluvial_rows *s)
{
    fluvial_row *row = &s->coarse[y & 3];
    if (row->y != y) {
        const ter_lattice *from = &job->fine[n + 1];
        refine_row(job->height[(n + 1) & 1] + ter_window_index(from->at, first_pair, y), n_pairs, row);
        row->y = y;
    }
    return row;
}

/** Displacements of one row, pairs from that of its first block on. */
static void unpack_row(const uint32_t *restrict words, int n_blocks, float *restrict even, float *restrict odd)
{
    for (int n = 0; n < n_blocks; n++) {
        even[2 * n] = (float)((int)(words[n] & 0xffu) - 128);
        odd[2 * n] = (float)((int)(words[n] >> 8 & 0xffu) - 128);
        even[2 * n + 1] = (float)((int)(words[n] >> 16 & 0xffu) - 128);
        odd[2 * n + 1] = (float)((int)(words[n] >> 24) - 128);
    }
}

static inline float displaced(float r, float m, float low, float high)
{
    return ter_clamp(ter_fma(r, (high - low) * (0.12f / 256.0f), m), low, high);
}

/** A row on a coarse row: its even columns are coarse points. */
static void even_row(const fluvial_row *restrict a, int n_pairs, const float *restrict odd_byte, float *restrict even,
                     float *restrict odd)
{
    for (int n = 0; n < n_pairs; n++) {
        even[n] = a->even[n];
        odd[n] = displaced(odd_byte[n], a->odd[n], a->low[n], a->high[n]);
    }
}

/** A row between the coarse rows b and c. */
static void odd_row(const fluvial_row *restrict a, const fluvial_row *restrict b, const fluvial_row *restrict c,
                    const fluvial_row *restrict d, int n_pairs, const float *restrict even_byte,
                    const float *restrict odd_byte, float *restrict even, float *restrict odd)
{
    for (int n = 0; n < n_pairs; n++) {
        even[n] = displaced(even_byte[n], ter_four(a->even[n], b->even[n], c->even[n], d->even[n]),
                            ter_min(b->even[n], c->even[n]), ter_max(b->even[n], c->even[n]));
        odd[n] = displaced(odd_byte[n], ter_four(a->odd[n], b->odd[n], c->odd[n], d->odd[n]),
                           ter_min(b->low[n], c->low[n]), ter_max(b->high[n], c->high[n]));
    }
}

/** Columns x .. x + width - 1 of a fine lattice, at most 2 (FLUVIAL_ROW_PAIRS - 8): ter_make_fine of every point of
 * every row. */
static void make_fine_columns(const ter_fluvial_job *job, int n, int x, int width, fluvial_rows *s)
{
    const ter_lattice *to = &job->fine[n];
    const int64_t first_x = to->at.x + x, block_x = first_x >> 2, first_pair = 2 * block_x;
    const int n_blocks = (int)(((first_x + width - 1) >> 2) - block_x) + 1;
    const int64_t pair = first_x >> 1; /* of the first column; it may be the second of its block */
    const int n_pairs = (int)(((first_x + width - 1) >> 1) - pair) + 1, skip = (int)(pair - first_pair);
    const int tag = TER_TAG_FINE + (to->step == 4 ? 0 : to->step == 2 ? 1 : 2);
    float *out = job->height[n & 1] + x;
    void *const words[4] = {s->words[0], s->words[1], s->words[2], s->words[3]};
    int64_t drawn = INT64_MIN;
    for (int k = 0; k < 4; k++)
        s->coarse[k].y = INT64_MIN;
    for (int y = 0; y < to->at.height; y++, out += to->at.width) {
        const int64_t row = to->at.y + y, above = row >> 1;
        if (row >> 2 != drawn) {
            drawn = row >> 2;
            ter_philox_row(job->f.round_key, tag, block_x, drawn, n_blocks, words);
        }
        unpack_row(s->words[row & 3], n_blocks, s->even_byte, s->odd_byte);
        const fluvial_row *b = refined_row(job, n, above, pair, n_pairs, s);
        if (row & 1)
            odd_row(refined_row(job, n, above - 1, pair, n_pairs, s), b,
                    refined_row(job, n, above + 1, pair, n_pairs, s), refined_row(job, n, above + 2, pair, n_pairs, s),
                    n_pairs, s->even_byte + skip, s->odd_byte + skip, s->even, s->odd);
        else
            even_row(b, n_pairs, s->odd_byte + skip, s->even, s->odd);
        interleave(s->even, s->odd, first_x, width, out);
    }
}

static void make_fine_rows(const ter_fluvial_job *job, int n, fluvial_rows *s)
{
    enum { COLUMNS = 2 * (FLUVIAL_ROW_PAIRS - 8) };
    const int width = job->fine[n].at.width;
    for (int x = 0; x < width; x += COLUMNS)
        make_fine_columns(job, n, x, width - x < COLUMNS ? width - x : COLUMNS, s);
}

#endif
