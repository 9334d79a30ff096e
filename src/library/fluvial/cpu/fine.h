/* fine.h - makes samples of levels of detail below 0 row by row, in tiles whose rows of all levels of detail stay in
 * the second-level cache.
 */
#ifndef TERRANE_FLUVIAL_CPU_FINE_H
#define TERRANE_FLUVIAL_CPU_FINE_H

#include "library/core/cancel.h"
#include "library/fluvial/cpu/fine_block.h"
#include "library/fluvial/cpu/halving.h"
#include "library/fluvial/cpu/noise.h"

enum {
    FLUVIAL_FINE_COLUMNS = 1024, /* of a tile */
    FLUVIAL_FINE_ROWS = 64,
    FLUVIAL_FINE_MARGIN = 8 /* no window is larger than its tile by more than this many rows or columns */
};

/** Scratch. */
typedef struct fluvial_fine {
    fluvial_halving halving;
    fluvial_noise noise;
    float heights[2][(FLUVIAL_FINE_COLUMNS + FLUVIAL_FINE_MARGIN) * (FLUVIAL_FINE_ROWS + FLUVIAL_FINE_MARGIN)];
    int64_t metre_y;                                         /* row of square metres that `reach` and `skew` are for */
    float reach[FLUVIAL_COLUMNS], skew[FLUVIAL_COLUMNS];     /* of each column of the window */
    float crest[FLUVIAL_COLUMNS], shift[2][FLUVIAL_COLUMNS]; /* of the square metres of a row, and of their corners */
} fluvial_fine;

/** Find the reach and the skew of the displacement in row y of a window of level of detail -n. */
static void begin_micro_row(const ter_fine_block *b, int n, ter_window to, int64_t y, fluvial_fine *s)
{
    if (s->metre_y == y >> n)
        return;
    s->metre_y = y >> n;
    for (int64_t x = to.x, end = to.x + to.width; x < end;) {
        const ter_microrelief m = ter_micro_between(b->plan->micro, b->micro, x >> n, s->metre_y);
        const int64_t metre_end = ((x >> n) + 1) * ((int64_t)1 << n);
        for (; x < end && x < metre_end; x++) {
            s->reach[x - to.x] = m.reach[n - 1];
            s->skew[x - to.x] = m.skew;
        }
    }
}

/** Displace the new points of a row. bytes: random bytes of its columns; is_even: only the points of odd columns are
 * new; first: 1 if the first column is odd */
static void displace_fine_row(const uint8_t *restrict bytes, const float *restrict reach, const float *restrict skew,
                              int width, int is_even, int first, float *restrict row)
{
    for (int n = 0; n < width; n++) {
        const float h = ter_fma(ter_skewed((float)bytes[n] - 127.5f, skew[n]), reach[n], row[n]);
        row[n] = (is_even & !((n ^ first) & 1)) ? row[n] : h;
    }
}

/** Make the heights of a window of level of detail -n from those of level of detail 1 - n. */
static void refine_fine(const ter_fine_block *b, int n, const fluvial_plane *from, ter_window to, fluvial_fine *s,
                        float *out)
{
    begin_bytes(b->f, TER_TAG_MICRO + n - 1, to.x, to.width, &s->noise);
    s->metre_y = INT64_MIN;
    for (int r = 0; r < to.height; r++, out += to.width) {
        const int64_t y = to.y + r;
        halve_row(from, to, y, &s->halving, out);
        begin_micro_row(b, n, to, y, s);
        displace_fine_row(noise_row(&s->noise, y) + (to.x - 4 * s->noise.block_x), s->reach, s->skew, to.width,
                          !(y & 1), (int)(to.x & 1), out);
    }
}

/** Find the crests of ripples in the square metres of row y, and the shifts of phase at their corners. first, end:
 * columns of the square metres */
static void begin_ripple_row(const ter_fine_block *b, int64_t first, int64_t end, int64_t y, fluvial_fine *s)
{
    for (int64_t x = first; x < end; x++)
        s->crest[x - first] = ter_micro_value(b->plan->micro, b->micro, TER_MICRO_RIPPLE, x, y);
    for (int row = 0; row < 2; row++)
        for (int64_t x = first; x <= end; x++) {
            const bool is_needed =
                (x < end && s->crest[x - first] > 0.0f) || (x > first && s->crest[x - first - 1] > 0.0f);
            s->shift[row][x - first] = is_needed ? ter_ripple_shift(b->f, x, y + row) : 0.0f;
        }
}

/** Add ripples of sand to the samples of a tile, as ter_rippled does. */
static void add_ripples(const ter_fine_block *b, ter_window tile, fluvial_fine *s, float *heights)
{
    const int n = b->plan->depth;
    const int64_t first = tile.x >> n, end = ((tile.x + tile.width - 1) >> n) + 1;
    int64_t metre_y = INT64_MIN;
    for (int r = 0; r < tile.height; r++, heights += tile.width) {
        const int64_t y = tile.y + r;
        if (metre_y != y >> n) {
            metre_y = y >> n;
            begin_ripple_row(b, first, end, metre_y, s);
        }
        for (int c = 0; c < tile.width; c++) {
            const int metre = (int)(((tile.x + c) >> n) - first);
            const float *north = s->shift[0] + metre, *south = s->shift[1] + metre;
            if (s->crest[metre] > 0.0f)
                heights[c] = ter_fma(s->crest[metre],
                                     ter_ripple_between(b->f, n, tile.x + c, y, north[0], north[1], south[0], south[1]),
                                     heights[c]);
        }
    }
}

/** Make the samples of a tile of the block. */
static void make_fine_tile(const ter_fine_block *b, ter_window tile, const ter_fluvial_output *out, fluvial_fine *s)
{
    const ter_window block = b->plan->at[b->plan->depth];
    const ter_fine_plan plan = ter_plan_fine(b->plan->depth, tile);
    fluvial_plane from = {b->plan->at[0], b->base->layer[TER_LAYER_HEIGHT], 1};
    for (int n = 1; n <= plan.depth; n++) {
        refine_fine(b, n, &from, plan.at[n], s, s->heights[n & 1]);
        from = (fluvial_plane){plan.at[n], s->heights[n & 1], 1};
    }
    if (b->f->sand > 0.0f)
        add_ripples(b, tile, s, s->heights[plan.depth & 1]);
    const bool is_alone = ter_is_height_alone(out);
    for (int r = 0; r < tile.height; r++) {
        const float *row = from.first + (size_t)r * (size_t)tile.width;
        if (is_alone)
            memcpy(out->layer[TER_LAYER_HEIGHT] + (size_t)(tile.y + r - block.y) * out->stride +
                       (size_t)(tile.x - block.x),
                   row, (size_t)tile.width * sizeof(float));
        for (int c = 0; c < tile.width && !is_alone; c++)
            ter_finish_fine(b->f, b->plan, b->base, tile.x + c, tile.y + r, row[c], out);
    }
}

/** Make the samples of a block. */
static void make_fine(const ter_fine_block *b, const ter_fluvial_output *out, fluvial_fine *s, const ter_cancel *cancel)
{
    const ter_fine_plan *p = b->plan;
    const ter_window at = p->at[p->depth], micro = p->micro;
    for (int n = 0; n < micro.width * micro.height; n++) {
        const int64_t x = micro.x + n % micro.width, y = micro.y + n / micro.width;
        b->micro[n] = ter_make_microrelief(b->f, b->land, (size_t)ter_window_index(p->land, x, y), x, y);
    }
    for (int y = 0; y < at.height && !ter_is_cancelled(cancel); y += FLUVIAL_FINE_ROWS)
        for (int x = 0; x < at.width; x += FLUVIAL_FINE_COLUMNS) {
            const ter_window tile = {at.x + x, at.y + y,
                                     at.width - x < FLUVIAL_FINE_COLUMNS ? at.width - x : (int)FLUVIAL_FINE_COLUMNS,
                                     at.height - y < FLUVIAL_FINE_ROWS ? at.height - y : (int)FLUVIAL_FINE_ROWS};
            make_fine_tile(b, tile, out, s);
        }
}

#endif
