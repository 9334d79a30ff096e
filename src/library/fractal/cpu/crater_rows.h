/* crater_rows.h - adds craters to heights in memory, for the instruction set that this file is compiled for.
 *
 * The samples are cut into parts. In octaves whose cells are at least 4 samples wide, each crater is added to the
 * samples that it reaches, row by row. In the other octaves a sample looks for its craters. Both ways each sample gets
 * its craters in the order of library/fractal/crater.h.
 */
#ifndef TERRANE_FRACTAL_CPU_CRATER_ROWS_H
#define TERRANE_FRACTAL_CPU_CRATER_ROWS_H

#include "library/fractal/cpu/grid.h"
#include "library/fractal/crater.h"

enum { CRATER_COLUMNS = 64, CRATER_ROWS = 32 };

/** A part of a grid. Places are counted in units of 2^-4 lattice step. */
typedef struct crater_part {
    const ter_field *f;
    int64_t x, y; /* units; of the first sample */
    int shift;    /* samples are 2^shift units apart */
    int width, height;
    /* as in ter_crater_sum; `later` is the sum of `young` over the octaves */
    float old[CRATER_ROWS][CRATER_COLUMNS], young[CRATER_ROWS][CRATER_COLUMNS], later[CRATER_ROWS][CRATER_COLUMNS];
    float seen[TER_CRATER_CLASSES][CRATER_ROWS][CRATER_COLUMNS]; /* seen[0] stays 1 */
} crater_part;

/** A crater at the samples of a row, as in ter_crater_shape. */
typedef struct crater_row {
    float height[CRATER_COLUMNS], inside[CRATER_COLUMNS], cover[CRATER_COLUMNS];
} crater_row;

/** Make a row. first: units from the crater's centre to the first sample, to the east. The function is not inlined,
 * because gcc vectorises the loop only in a function of its own. */
static __attribute__((noinline)) void crater_make_row(const ter_crater *c, int first, int step, int count, float dy,
                                                      float scale, crater_row *restrict out)
{
    const ter_crater crater = *c;
    for (int n = 0; n < count; n++) {
        const ter_crater_shape shape = ter_crater_at(&crater, (float)(first + n * step) * scale, dy);
        out->height[n] = shape.height;
        out->inside[n] = shape.inside;
        out->cover[n] = shape.cover;
    }
}

/** Add a row to sums.
 *
 *  own, other  sums of the craters that are, like this one, older or younger than the lava, and of the others
 *  seen        shares of the crater's class
 */
static inline void crater_add_row(const crater_row *row, int count, const float *restrict seen, float *restrict own,
                                  float *restrict other)
{
    for (int n = 0; n < count; n++) {
        const float left = 1.0f - seen[n] * row->inside[n];
        own[n] = ter_fma(left, own[n], seen[n] * row->height[n]);
        other[n] = left * other[n];
    }
}

static inline void crater_hide_row(const crater_row *row, int count, float *restrict seen)
{
    for (int n = 0; n < count; n++)
        seen[n] = ter_fma(-row->cover[n], seen[n], seen[n]);
}

/** Least n >= 0 at which first + n * 2^shift >= at, at most `count`. */
static inline int crater_index(int64_t first, int shift, int count, int64_t at)
{
    const int64_t n = (at - first + ((int64_t)1 << shift) - 1) >> shift;
    return n < 0 ? 0 : n > count ? count : (int)n;
}

/** Add a crater to the samples that it reaches. x, y: units; of its centre */
static inline void crater_lay(crater_part *p, int m, const ter_crater *c, int64_t x, int64_t y)
{
    const float units = (float)(1 << (m + TER_CRATER_UNITS)), scale = 1.0f / units;
    const int64_t reach = (int64_t)(units * sqrtf(1.0001f * TER_CRATER_END / c->per_area)) + 1;
    const int west = crater_index(p->x, p->shift, p->width, x - reach),
              east = crater_index(p->x, p->shift, p->width, x + reach),
              north = crater_index(p->y, p->shift, p->height, y - reach),
              south = crater_index(p->y, p->shift, p->height, y + reach);
    const bool is_young = c->age < p->f->craters.mare_age;
    const int last = ter_crater_last_class(m), count = east - west;
    crater_row made;
    for (int row = north; row < south && count > 0; row++) {
        float *old = &p->old[row][west], *young = &p->young[row][west];
        crater_make_row(c, (int)(p->x + ((int64_t)west << p->shift) - x), 1 << p->shift, count,
                        (float)(int)(p->y + ((int64_t)row << p->shift) - y) * scale, scale, &made);
        crater_add_row(&made, count, &p->seen[c->age_class][row][west], is_young ? young : old, is_young ? old : young);
        for (int n = c->age_class + 1; n <= last; n++)
            crater_hide_row(&made, count, &p->seen[n][row][west]);
    }
}

/** Add all craters of an octave, cell by cell. */
static inline void crater_lay_octave(crater_part *p, int m)
{
    const int shift = m + TER_CRATER_CELL + TER_CRATER_UNITS;
    const int64_t reach = ter_crater_reach(m);
    const int64_t east = p->x + ((int64_t)(p->width - 1) << p->shift),
                  south = p->y + ((int64_t)(p->height - 1) << p->shift);
    for (int64_t j = (p->y - reach) >> shift; j <= (south + reach) >> shift; j++)
        for (int64_t i = (p->x - reach) >> shift; i <= (east + reach) >> shift; i++) {
            const ter_words words = ter_random_block(p->f, TER_CRATER_TAG + m, i, j);
            for (int n = 0; n < TER_CRATERS_A_CELL; n++) {
                ter_crater c;
                if (ter_crater_find(m, words.w[2 * n], words.w[2 * n + 1], &c) &&
                    ter_crater_make(m, words.w[2 * n], words.w[2 * n + 1], p->f->craters.age, &c))
                    crater_lay(p, m, &c, i * ((int64_t)1 << shift) + c.x, j * ((int64_t)1 << shift) + c.y);
            }
        }
}

/** Add all craters of an octave, sample by sample. */
static __attribute__((noinline)) void crater_find_octave(crater_part *p, int m)
{
    for (int row = 0; row < p->height; row++)
        for (int column = 0; column < p->width; column++) {
            ter_crater_sum s = {0};
            for (int n = 0; n < TER_CRATER_CLASSES; n++)
                s.seen[n] = p->seen[n][row][column];
            ter_crater_octave(p->f, m, p->x + ((int64_t)column << p->shift), p->y + ((int64_t)row << p->shift), &s);
            p->old[row][column] = s.old;
            p->young[row][column] = s.young;
            for (int n = 0; n < TER_CRATER_CLASSES; n++)
                p->seen[n][row][column] = s.seen[n];
        }
}

/** Add the craters of a part. heights: its first height */
static void crater_add_part(crater_part *p, float *heights, size_t stride)
{
    for (int row = 0; row < p->height; row++)
        for (int n = 0; n < p->width; n++) {
            p->later[row][n] = 0.0f;
            for (int k = 0; k < TER_CRATER_CLASSES; k++)
                p->seen[k][row][n] = 1.0f;
        }
    for (int m = TER_CRATER_LAST; m >= TER_CRATER_FIRST; m--) {
        memset(p->old, 0, sizeof p->old);
        memset(p->young, 0, sizeof p->young);
        if (p->shift <= m + TER_CRATER_CELL + TER_CRATER_UNITS - 2)
            crater_lay_octave(p, m);
        else
            crater_find_octave(p, m);
        for (int row = 0; row < p->height; row++)
            for (int n = 0; n < p->width; n++) {
                heights[(size_t)row * stride + (size_t)n] += p->old[row][n];
                p->later[row][n] += p->young[row][n];
            }
    }
    for (int row = 0; row < p->height; row++)
        for (int n = 0; n < p->width; n++) {
            float *h = &heights[(size_t)row * stride + (size_t)n];
            *h = ter_crater_lava(&p->f->craters, *h) + p->later[row][n];
        }
}

static void craters(const ter_field *f, int level, const ter_grid *out)
{
    const int shift = f->levels - level + TER_CRATER_UNITS;
    crater_part p;
    p.f = f;
    p.shift = shift;
    for (int64_t row = 0; row < out->height; row += CRATER_ROWS)
        for (int64_t column = 0; column < out->width; column += CRATER_COLUMNS) {
            p.x = (out->i + column) * ((int64_t)1 << shift);
            p.y = (out->j + row) * ((int64_t)1 << shift);
            p.width = (int)(out->width - column < CRATER_COLUMNS ? out->width - column : CRATER_COLUMNS);
            p.height = (int)(out->height - row < CRATER_ROWS ? out->height - row : CRATER_ROWS);
            crater_add_part(&p, out->at + (size_t)row * out->stride + (size_t)column, out->stride);
        }
}

#endif
