/* noise.h - makes the random bytes of the points of a lattice, and from them rills, as ter_rill does. Sixteen rows are
 * kept.
 */
#ifndef TERRANE_FLUVIAL_CPU_NOISE_H
#define TERRANE_FLUVIAL_CPU_NOISE_H

#include "library/fluvial/displace.h"
#include "library/fractal/cpu/grid.h"
#include "library/fractal/cpu/philox_row.h"

enum {
    FLUVIAL_NOISE_ROWS = 16,                           /* four rows of blocks of 4 x 4 points */
    FLUVIAL_NOISE_WORDS = TER_BLOCK_WIDTH_MAX / 4 + 16 /* greatest number of words of a row: a block and a margin */
};

/** Bytes of the rows that have been drawn. A word holds the bytes of four points of a row; the four words of a draw are
 * four rows. */
typedef struct fluvial_noise {
    const ter_fluvial *f;
    int tag, n_words;
    int64_t block_x;  /* column of the first draw, which is column 4 * block_x of the points */
    int64_t drawn[4]; /* rows of draws that `words` holds; row y is drawn[y & 3] */
    uint32_t words[FLUVIAL_NOISE_ROWS][FLUVIAL_NOISE_WORDS];
} fluvial_noise;

/** Begin with the bytes of a tag, for columns x .. x + width - 1 of a lattice. */
static void begin_bytes(const ter_fluvial *f, int tag, int64_t x, int width, fluvial_noise *s)
{
    s->f = f;
    s->tag = tag;
    s->block_x = x >> 2;
    s->n_words = (int)(((x + width - 1) >> 2) - s->block_x) + 1;
    for (int n = 0; n < 4; n++)
        s->drawn[n] = INT64_MIN;
}

/** As begin_bytes, for the bytes that displace points `step` metres apart, with a margin as wide as the reach of rills.
 */
static void begin_noise(const ter_fluvial *f, int step, int64_t x, int width, fluvial_noise *s)
{
    begin_bytes(f, TER_TAG_FINE + ter_step_shift(step), x - TER_RILL_REACH, width + 2 * TER_RILL_REACH, s);
}

/** Bytes of row y, from column 4 * block_x on. The row stays valid until a row 13 or more rows away is drawn. */
static const uint8_t *noise_row(fluvial_noise *s, int64_t y)
{
    const int64_t block_y = y >> 2;
    uint32_t(*words)[FLUVIAL_NOISE_WORDS] = s->words + 4 * (block_y & 3);
    if (s->drawn[block_y & 3] != block_y) {
        void *const rows[4] = {words[0], words[1], words[2], words[3]};
        ter_philox_row(s->f->round_key, s->tag, s->block_x, block_y, s->n_words, rows);
        s->drawn[block_y & 3] = block_y;
    }
    return (const uint8_t *)words[y & 3];
}

/** The rows of bytes that the rills of a row read. */
typedef struct fluvial_noise_rows {
    const uint8_t *row[2 * TER_RILL_REACH + 1];
} fluvial_noise_rows;

/** The rows of bytes around row y, each from column x on. */
static fluvial_noise_rows noise_rows(fluvial_noise *s, int64_t x, int64_t y)
{
    fluvial_noise_rows r;
    for (int n = 0; n <= 2 * TER_RILL_REACH; n++)
        r.row[n] = noise_row(s, y + n - TER_RILL_REACH) + (x - 4 * s->block_x);
    return r;
}

/** ter_rill at column x of the middle row. */
static inline float rill_at(const fluvial_noise_rows *r, int x, float tilt_x, float tilt_y)
{
    const float inverse = 1.0f / (ter_max(fabsf(tilt_x), fabsf(tilt_y)) + 1e-12f);
    const float ex = tilt_x * inverse, ey = tilt_y * inverse;
    int sum = r->row[TER_RILL_REACH][x];
    for (int n = 1; n <= TER_RILL_REACH; n++) {
        const int a = (int)rintf(ex * (float)n), b = (int)rintf(ey * (float)n);
        sum += r->row[TER_RILL_REACH + b][x + a] + r->row[TER_RILL_REACH - b][x - a];
    }
    const float q = ((float)sum - 1147.5f) * (1.0f / 382.5f);
    return q - 0.5f * (q * q - 1.0f / 3.0f);
}

#endif
