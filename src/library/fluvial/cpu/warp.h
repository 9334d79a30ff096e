/* warp.h - makes the warp of ter_warp_at for rows of points. A spline is a weighted sum along four rows of knots, and
 * then across these four sums. The sums along a row of knots are the same for all rows of points near it, so they are
 * made once:
 *
 *     knots   k     k     k      sum along each row of knots, at every column of points; kept for the next rows
 *     points   .  .  .  .
 *              .  .  .  .        for every row of points: sum across four of the kept rows
 *     knots   k     k     k
 */
#ifndef TERRANE_FLUVIAL_CPU_WARP_H
#define TERRANE_FLUVIAL_CPU_WARP_H

#include "library/fluvial/cpu/halving.h"
#include "library/fluvial/cpu/noise.h"

/** Sums along the last four rows of knots of one octave; row j is along[..][j & 3]. */
typedef struct fluvial_knot_rows {
    int64_t j[4]; /* rows that `along` holds */
    float along[TER_SHIFTS][4][FLUVIAL_COLUMNS];
    float weight[4][FLUVIAL_COLUMNS];
    int knot[FLUVIAL_COLUMNS]; /* the first of the four columns of knots that a column of points reads */
} fluvial_knot_rows;

/** Scratch. */
typedef struct fluvial_warp {
    int count;
    int64_t x[FLUVIAL_COLUMNS]; /* m; the `count` columns of points */
    fluvial_knot_rows knots[TER_WARP_OCTAVES];
    float row[TER_SHIFTS][FLUVIAL_COLUMNS]; /* the warp at a row of points */
} fluvial_warp;

/** Begin octave m for `count` columns at x metres. */
static void begin_knots(const ter_fluvial_job *job, int m, int count, const int64_t *x, fluvial_knot_rows *s)
{
    const int shift = TER_WARP_SHIFT - m;
    const int64_t mask = ((int64_t)1 << shift) - 1;
    const float scale = 1.0f / (float)(1 << shift);
    for (int n = 0; n < count; n++) {
        float w[4];
        ter_spline_weights((float)(uint32_t)(x[n] & mask) * scale, w);
        for (int a = 0; a < 4; a++)
            s->weight[a][n] = w[a];
        s->knot[n] = (int)((x[n] >> shift) - 1 - job->warp_at[m].x);
    }
    for (int n = 0; n < 4; n++)
        s->j[n] = INT64_MIN;
}

/** Sum along row j of the knots of octave m. */
static void sum_along(const ter_fluvial_job *job, int m, int64_t j, int count, fluvial_knot_rows *s)
{
    const int channels = ter_warp_channels(m), used = m < TER_WARP_PATCHES ? 2 : TER_SHIFTS;
    const ter_window at = job->warp_at[m];
    const float *knots = job->warp[m] + (size_t)(j - at.y) * (size_t)at.width * (size_t)channels;
    for (int c = 0; c < used; c++) {
        float *restrict out = s->along[c][j & 3];
        for (int n = 0; n < count; n++) {
            const float *k = knots + s->knot[n] * channels + c;
            float sum = 0.0f;
            for (int a = 0; a < 4; a++)
                sum = ter_fma(s->weight[a][n], k[a * channels], sum);
            out[n] = sum;
        }
    }
    s->j[j & 3] = j;
}

/** Add the sum across four rows, times `reach`, to `out`. w: weights of the rows */
static void sum_across(const float *restrict a, const float *restrict b, const float *restrict c,
                       const float *restrict d, const float w[4], float reach, int count, float *restrict out)
{
    for (int n = 0; n < count; n++)
        out[n] = ter_fma(
            reach, ter_fma(w[3], d[n], ter_fma(w[2], c[n], ter_fma(w[1], b[n], ter_fma(w[0], a[n], 0.0f)))), out[n]);
}

/** Add octave m to the warp of a row of points at y metres. row: TER_SHIFTS arrays */
static void add_warp(const ter_fluvial_job *job, int m, int64_t y, int count, fluvial_knot_rows *s,
                     float *const row[TER_SHIFTS])
{
    const int shift = TER_WARP_SHIFT - m, used = m < TER_WARP_PATCHES ? 2 : TER_SHIFTS;
    const int64_t j = y >> shift;
    float w[4];
    ter_spline_weights((float)(uint32_t)(y & (((int64_t)1 << shift) - 1)) * (1.0f / (float)(1 << shift)), w);
    for (int b = 0; b < 4; b++)
        if (s->j[(j - 1 + b) & 3] != j - 1 + b)
            sum_along(job, m, j - 1 + b, count, s);
    for (int c = 0; c < used; c++)
        sum_across(s->along[c][(j - 1) & 3], s->along[c][j & 3], s->along[c][(j + 1) & 3], s->along[c][(j + 2) & 3], w,
                   c < 2 ? ter_warp_reach(m) : TER_WARP_PATCH, count, row[c]);
}

/** Begin all octaves for the columns of the scratch. */
static void begin_warp(const ter_fluvial_job *job, fluvial_warp *s)
{
    for (int m = 0; m < TER_WARP_OCTAVES; m++)
        begin_knots(job, m, s->count, s->x, &s->knots[m]);
}

/** Do the work of ter_warp_at for a row of points at y metres. */
static void warp_row(const ter_fluvial_job *job, int64_t y, fluvial_warp *s)
{
    float *const row[TER_SHIFTS] = {s->row[0], s->row[1], s->row[2]};
    for (int n = 0; n < s->count; n++) {
        row[0][n] = row[1][n] = 0.0f;
        row[2][n] = TER_WARP_MEAN;
    }
    for (int m = 0; m < TER_WARP_OCTAVES; m++)
        add_warp(job, m, y, s->count, &s->knots[m], row);
}

/** Do the work of ter_make_warp for all points of a ground's lattice. */
static void make_warp(const ter_fluvial_job *job, const ter_ground_plan *plan, fluvial_warp *s)
{
    const ter_lattice *at = &plan->points;
    float *out = plan->warp;
    s->count = at->at.width;
    for (int x = 0; x < s->count; x++)
        s->x[x] = (at->at.x + x) * at->step;
    begin_warp(job, s);
    for (int y = 0; y < at->at.height; y++) {
        warp_row(job, (at->at.y + y) * at->step, s);
        for (int x = 0; x < s->count; x++)
            for (int k = 0; k < TER_SHIFTS; k++)
                *out++ = s->row[k][x];
    }
}

/** Add the shifts of ter_place_shift to a row of places. bytes: the random bytes of the row.
 *
 *  has_old  whether the row has points of the coarser lattice. They lie in the columns whose index has the parity of
 *           `old`, and are not shifted
 */
static void shift_row(const uint8_t *restrict bytes, bool has_old, int old, int width, float scale,
                      const float *restrict row, float *restrict out)
{
    for (int x = 0; x < width; x++) {
        const float shift = ((float)bytes[x] - 127.5f) * scale;
        out[2 * x] = row[x] + (has_old && ((x ^ old) & 1) == 0 ? 0.0f : shift);
    }
}

/** Do the work of ter_halve_places for all points. h, noise, row: scratch */
static void halve_places(const ter_fluvial_job *job, fluvial_halving *h, fluvial_noise *noise, float *row)
{
    const ter_place_plan *p = &job->places;
    for (int n = 1; n < p->count; n++) {
        const ter_window to = p->at[n].at;
        for (int c = 0; c < 2; c++) {
            const fluvial_plane from = {p->at[n - 1].at, p->shift[n - 1] + c, n > 1 ? 2 : TER_SHIFTS};
            float *out = p->shift[n] + c;
            begin_bytes(&job->f, ter_place_tag(n, c), to.x, to.width, noise);
            for (int y = 0; y < to.height; y++, out += 2 * to.width) {
                halve_row(&from, to, to.y + y, h, row);
                shift_row(noise_row(noise, to.y + y) + (to.x & 3), !((to.y + y) & 1), (int)(to.x & 1), to.width,
                          ter_place_reach(n) * (1.0f / 127.5f), row, out);
            }
        }
    }
}

#endif
