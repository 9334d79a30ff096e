/* halving.h - makes rows of a lattice from rows of twice the spacing: ter_halved, ter_between_value and
 * ter_between_least for all points of a row.
 *
 * The coarse point c of a row is the fine point 2c, and point 2c + 1 lies between the coarse points c and c + 1. A row
 * is made as two arrays, one of even and one of odd columns, which are interleaved at the end:
 *
 *     coarse    p0          p1          p2
 *     even      p0          p1          p2           copies
 *     odd            o0          o1                  interpolated
 *     row       p0   o0     p1   o1     p2
 */
#ifndef TERRANE_FLUVIAL_CPU_HALVING_H
#define TERRANE_FLUVIAL_CPU_HALVING_H

#include "library/fluvial/passes.h"

enum {
    FLUVIAL_COLUMNS = 1024 + 64, /* greatest number of columns of a block, and of the windows that a block depends on */
    FLUVIAL_PAIRS = FLUVIAL_COLUMNS / 2 + 8
};

/** One number for each point of a window. first: address of the first number; stride: floats from point to point */
typedef struct fluvial_plane {
    ter_window at;
    const float *first;
    int stride;
} fluvial_plane;

/** Scratch. */
typedef struct fluvial_halving {
    float coarse[4][FLUVIAL_COLUMNS], odd[4][FLUVIAL_PAIRS];
    float even_row[FLUVIAL_PAIRS], odd_row[FLUVIAL_PAIRS];
} fluvial_halving;

/** Interleave pairs of columns. */
static void store_row(const float *restrict even, const float *restrict odd, int n_pairs, float *restrict out)
{
    for (int n = 0; n < n_pairs; n++) {
        out[2 * n] = even[n];
        out[2 * n + 1] = odd[n];
    }
}

/** Store columns x .. x + width - 1. even, odd: pairs of columns, of which the first begins at column x & ~1 */
static void interleave(const float *even, const float *odd, int64_t x, int width, float *out)
{
    const int lead = (int)(x & 1), tail = (int)((x + width) & 1), n_pairs = (lead + width + tail) / 2;
    if (lead)
        out[0] = odd[0];
    store_row(even + lead, odd + lead, n_pairs - lead - tail, out + lead);
    if (tail)
        out[width - 1] = even[n_pairs - 1];
}

/** Copy columns x .. x + count - 1 of row y. */
static void copy_row(const fluvial_plane *p, int64_t x, int64_t y, int count, float *restrict out)
{
    const float *restrict from = p->first + (ptrdiff_t)ter_window_index(p->at, x, y) * p->stride;
    const int stride = p->stride;
    for (int n = 0; n < count; n++)
        out[n] = from[n * stride];
}

/** Copy those columns of x .. x + count - 1 that the plane has. The other elements of `out` are not used later. */
static void copy_known(const fluvial_plane *p, int64_t x, int64_t y, int count, float *restrict out)
{
    const int64_t west = x > p->at.x ? x : p->at.x, end = p->at.x + p->at.width,
                  east = x + count < end ? x + count : end;
    copy_row(p, west, y, (int)(east - west), out + (west - x));
}

/** The four-point rule along a row. */
static void four_along(const float *restrict p, int n_pairs, float *restrict odd)
{
    for (int n = 0; n < n_pairs; n++)
        odd[n] = ter_four(p[n - 1], p[n], p[n + 1], p[n + 2]);
}

/** The four-point rule across four rows. */
static void four_across(const float *restrict a, const float *restrict b, const float *restrict c,
                        const float *restrict d, int count, float *restrict out)
{
    for (int n = 0; n < count; n++)
        out[n] = ter_four(a[n], b[n], c[n], d[n]);
}

/** Do the work of ter_halved for row y of window `to`; out: to.width floats */
static void halve_row(const fluvial_plane *p, ter_window to, int64_t y, fluvial_halving *s, float *out)
{
    const int64_t first = to.x >> 1;
    const int n_pairs = (int)(((to.x + to.width - 1) >> 1) - first) + 1, is_odd = (int)(y & 1), n_rows = is_odd ? 4 : 1;
    for (int r = 0; r < n_rows; r++) {
        copy_known(p, first - 1, (y >> 1) + r - is_odd, n_pairs + 3, s->coarse[r]);
        four_along(s->coarse[r] + 1, n_pairs, s->odd[r]);
    }
    if (!is_odd) {
        interleave(s->coarse[0] + 1, s->odd[0], to.x, to.width, out);
        return;
    }
    four_across(s->coarse[0] + 1, s->coarse[1] + 1, s->coarse[2] + 1, s->coarse[3] + 1, n_pairs, s->even_row);
    four_across(s->odd[0], s->odd[1], s->odd[2], s->odd[3], n_pairs, s->odd_row);
    interleave(s->even_row, s->odd_row, to.x, to.width, out);
}

static void halve_plane(const fluvial_plane *p, ter_window to, fluvial_halving *s, float *out)
{
    for (int y = 0; y < to.height; y++)
        halve_row(p, to, to.y + y, s, out + (size_t)y * (size_t)to.width);
}

/** Linear interpolation along a row. */
static void between_along(const float *restrict p, int n_pairs, float *restrict even, float *restrict odd)
{
    for (int n = 0; n < n_pairs; n++) {
        even[n] = ter_fma(0.0f, p[n] - p[n], p[n]);
        odd[n] = ter_fma(0.5f, p[n + 1] - p[n], p[n]);
    }
}

/** Linear interpolation across two rows. */
static void between_across(float share, const float *restrict north, const float *restrict south, int count,
                           float *restrict out)
{
    for (int n = 0; n < count; n++)
        out[n] = ter_fma(share, south[n] - north[n], north[n]);
}

/** Do the work of ter_between_value for row y of window `to`. is_halved: the plane has twice the spacing of the window;
 * otherwise it has the same */
static void between_row(const fluvial_plane *p, int is_halved, ter_window to, int64_t y, fluvial_halving *s, float *out)
{
    if (!is_halved) {
        copy_row(p, to.x, y, to.width, s->coarse[0]);
        between_across(0.0f, s->coarse[0], s->coarse[0], to.width, out);
        return;
    }
    const int64_t first = to.x >> 1;
    const int n_pairs = (int)(((to.x + to.width - 1) >> 1) - first) + 1, is_odd = (int)(y & 1);
    const float share = is_odd ? 0.5f : 0.0f;
    for (int r = 0; r <= is_odd; r++) {
        copy_known(p, first, (y >> 1) + r, n_pairs + 1, s->coarse[2 * r]);
        between_along(s->coarse[2 * r], n_pairs, s->coarse[2 * r + 1], s->odd[r]);
    }
    between_across(share, s->coarse[1], s->coarse[1 + 2 * is_odd], n_pairs, s->even_row);
    between_across(share, s->odd[0], s->odd[is_odd], n_pairs, s->odd_row);
    interleave(s->even_row, s->odd_row, to.x, to.width, out);
}

/** Least values around the points of a pair of columns, from coarse rows p and q. */
static void least_along(const float *restrict p, const float *restrict q, int n_pairs, float *restrict even,
                        float *restrict odd)
{
    for (int n = 0; n < n_pairs; n++) {
        const float nw = p[n], ne = p[n + 1], sw = q[n], se = q[n + 1];
        even[n] = ter_min(nw, sw);
        odd[n] = ter_min(ter_min(nw, ne), ter_min(sw, se));
    }
}

/** Do the work of ter_between_least for row y of window `to`. is_halved: as for between_row */
static void least_row(const fluvial_plane *p, int is_halved, ter_window to, int64_t y, fluvial_halving *s, float *out)
{
    if (!is_halved) {
        copy_row(p, to.x, y, to.width, out);
        return;
    }
    const int64_t first = to.x >> 1;
    const int n_pairs = (int)(((to.x + to.width - 1) >> 1) - first) + 1, is_odd = (int)(y & 1);
    for (int r = 0; r <= is_odd; r++)
        copy_known(p, first, (y >> 1) + r, n_pairs + 1, s->coarse[r]);
    least_along(s->coarse[0], s->coarse[is_odd], n_pairs, s->even_row, s->odd_row);
    interleave(s->even_row, s->odd_row, to.x, to.width, out);
}

#endif
