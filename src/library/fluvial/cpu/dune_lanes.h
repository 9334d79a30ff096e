/* dune_lanes.h - makes heights of sand for some points of a row at once, one point in each lane. The results equal
 * those of ter_make_dunes in sand.h.
 *
 * Places are relative to an origin near the lanes, so that they fit an int. The origin is a multiple of the distance
 * between the widest rows.
 */
#ifndef TERRANE_FLUVIAL_CPU_DUNE_LANES_H
#define TERRANE_FLUVIAL_CPU_DUNE_LANES_H

#include "library/fluvial/sand.h"

enum { DUNE_LANES = 16 };

/** Points of a row. */
typedef struct dune_lanes {
    _Alignas(64) float shift[DUNE_LANES], stretch[DUNE_LANES], supply[DUNE_LANES]; /* as in ter_sand */
    float sheet[DUNE_LANES], turning[DUNE_LANES], left[DUNE_LANES];
    float size[DUNE_LANES], cover[DUNE_LANES];
    int u[DUNE_LANES], v[DUNE_LANES]; /* 1/64 m from (from_u, from_v) */
    int64_t from_u, from_v;
    /* for each set, its height, and how open the lanes are for smaller dunes */
    float height[TER_DUNE_SETS][DUNE_LANES], open[TER_DUNE_SETS][DUNE_LANES];
} dune_lanes;

/** Interpolate the sand of lanes between points of the ground.
 *
 *  north  the sand at the point of the ground at the first lane or west of it
 *  south  the sand at the point south of it; `north` if b is 0
 *  b      0..1; place of the row between both points, from north to south
 *  first  samples from that point of the ground to the first lane
 *  shift  2^shift samples lie between one point of the ground and the next
 *  last   index of the last point of the row that exists, counted from that point
 */
static inline void sand_lanes(const ter_sand *north, const ter_sand *south, float b, int first, int shift, int last,
                              dune_lanes *restrict w)
{
    enum { STEP = sizeof(ter_sand) / sizeof(float) };
    const float *n = (const float *)north, *s = (const float *)south;
    const float scale = 1.0f / (float)(1 << shift);
    float *const fields[STEP] = {w->shift, w->stretch, w->supply, w->sheet, w->turning, w->left};
    for (int k = 0; k < STEP; k++) {
        float *restrict out = fields[k];
        for (int i = 0; i < DUNE_LANES; i++) {
            const int x = first + i, west = (x >> shift) < last ? x >> shift : last;
            const float a = (float)(x & ((1 << shift) - 1)) * scale;
            const int nw = west * STEP + k, ne = nw + (a > 0.0f && west < last ? STEP : 0);
            const float upper = ter_fma(a, n[ne] - n[nw], n[nw]), lower = ter_fma(a, s[ne] - s[nw], s[nw]);
            out[i] = ter_fma(b, lower - upper, upper);
        }
    }
}

/** The places of lanes between the rows and the knots of a set, and the knots of two rows around them. */
typedef struct dune_knots {
    _Alignas(64) float along[DUNE_LANES], beside[DUNE_LANES], near[2][6][DUNE_LANES];
} dune_knots;

/** What the lanes of a row share, and where their results go. */
typedef struct dune_row {
    float first, spacing, slip; /* first: the row's number, 0 or 1 */
    float *height, *open;
} dune_row;

/** The dunes of a row across the wind, in all lanes. The function is not inlined, because gcc vectorises the loop only
 * in a function of its own. */
static __attribute__((noinline)) void dune_row_lanes(const dune_row *r, const float near[6][DUNE_LANES],
                                                     const dune_knots *k, const float *restrict stretch,
                                                     const float *restrict size, const float *restrict cover)
{
    const float first = r->first, spacing = r->spacing, slip = r->slip;
    float *restrict height = r->height, *restrict open = r->open;
    for (int i = 0; i < DUNE_LANES; i++) {
        const float knot[6] = {near[0][i], near[1][i], near[2][i], near[3][i], near[4][i], near[5][i]};
        const ter_crest c = ter_crest_at(knot, 2, k->beside[i]);
        const ter_dune d = ter_dune_of(&c, k->along[i] - first, spacing, size[i], cover[i], stretch[i], slip);
        height[i] = d.height;
        open[i] = d.open;
    }
}

/** As dune_row_lanes, for ridges along the wind. */
static __attribute__((noinline)) void ridge_row_lanes(const dune_row *r, const float near[6][DUNE_LANES],
                                                      const dune_knots *k, const float *restrict stretch,
                                                      const float *restrict size, const float *restrict cover)
{
    const float first = r->first, spacing = r->spacing;
    float *restrict height = r->height, *restrict open = r->open;
    for (int i = 0; i < DUNE_LANES; i++) {
        const float knot[6] = {near[0][i], near[1][i], near[2][i], near[3][i], near[4][i], near[5][i]};
        const ter_crest c = ter_crest_at(knot, 2, k->beside[i]);
        const ter_dune d = ter_ridge_of(&c, k->along[i] - first, spacing, size[i], cover[i], stretch[i]);
        height[i] = d.height;
        open[i] = d.open;
    }
}

/** Sizes and covers of a set in all lanes. Returns whether the set has dunes in any lane. */
static inline __attribute__((always_inline)) int size_lanes(const int set, dune_lanes *restrict w)
{
    const ter_dune_size size = ter_dune_size_of(set);
    int has_dunes = 0;
    for (int i = 0; i < DUNE_LANES; i++) {
        const float share = ter_dune_share(set, w->turning[i]);
        has_dunes |= share > 0.0f;
        w->size[i] = size.most * share;
        w->cover[i] = size.growth * w->supply[i] - size.bare;
    }
    return has_dunes;
}

/** Leave a set out. */
static inline void leave_out(float height[DUNE_LANES], float open[DUNE_LANES])
{
    for (int i = 0; i < DUNE_LANES; i++) {
        height[i] = 0.0f;
        open[i] = 1.0f;
    }
}

/** The plane of the dunes as a set sees it. */
typedef struct dune_axes {
    const int *across, *along; /* of each lane: 1/64 m across the rows from from_across, along them from from_along */
    int64_t from_across, from_along;
    const float *stretch; /* of each lane, as in ter_sand */
} dune_axes;

/** The dunes of a set in all lanes. */
static inline __attribute__((always_inline)) void set_lanes(const ter_dune_rows *rows, const int set,
                                                            const dune_axes *axes, dune_lanes *restrict w)
{
    const int shift = ter_dune_shift(set), half = 1 << (shift - 1), mask = 2 * half - 1, width = rows->at.width;
    const int row = (int)((axes->from_across >> shift) - rows->at.y),
              knot = (int)((axes->from_along >> shift) - rows->at.x) - 1;
    const float scale = 1.0f / (float)(1 << shift);
    float *restrict height = w->height[set], *restrict open = w->open[set];
    dune_knots k;
    float rows_height[2][DUNE_LANES], rows_open[2][DUNE_LANES];
    if (!size_lanes(set, w)) {
        leave_out(height, open);
        return;
    }
    for (int i = 0; i < DUNE_LANES; i++) {
        const int across = axes->across[i] - half, beside = axes->along[i] + half;
        const float *at = rows->knot + 2 * ((row + (across >> shift)) * width + knot + (beside >> shift));
        k.along[i] = (float)(across & mask) * scale;
        k.beside[i] = (float)(beside & mask) * scale;
        for (int n = 0; n < 6; n++) {
            k.near[0][n][i] = at[n];
            k.near[1][n][i] = at[2 * width + n];
        }
    }
    for (int n = 0; n < 2; n++) {
        const dune_row r = {(float)n, ter_dune_spacing(set), ter_dune_size_of(set).slip, rows_height[n], rows_open[n]};
        (set == TER_DUNE_RIDGES ? ridge_row_lanes : dune_row_lanes)(&r, (const float(*)[DUNE_LANES])k.near[n], &k,
                                                                    axes->stretch, w->size, w->cover);
    }
    for (int i = 0; i < DUNE_LANES; i++) {
        height[i] = ter_max(ter_max(0.0f, rows_height[0][i]), rows_height[1][i]);
        open[i] = ter_min(ter_min(1.0f, rows_open[0][i]), rows_open[1][i]);
    }
}

/** Heights of the sand in all lanes. scale: length of the gradient of v */
static void height_lanes(const ter_dune_rows rows[TER_DUNE_SETS], float scale, dune_lanes *restrict w,
                         float *restrict out)
{
    float scales[DUNE_LANES];
    for (int i = 0; i < DUNE_LANES; i++)
        scales[i] = scale;
    const dune_axes across = {w->u, w->v, w->from_u, w->from_v, w->stretch},
                    along = {w->v, w->u, w->from_v, w->from_u, scales};
    set_lanes(&rows[0], 0, &across, w);
    set_lanes(&rows[1], 1, &across, w);
    set_lanes(&rows[2], 2, &across, w);
    set_lanes(&rows[TER_DUNE_RIDGES], TER_DUNE_RIDGES, &along, w);
    for (int i = 0; i < DUNE_LANES; i++) {
        ter_dune d[TER_DUNE_SETS];
        for (int set = 0; set < TER_DUNE_SETS; set++) {
            d[set].height = w->height[set][i];
            d[set].open = w->open[set][i];
        }
        const float all = ter_dunes_sum(d, w->supply[i], w->sheet[i], w->left[i]);
        out[i] = w->supply[i] > 0.0f ? all : 0.0f;
    }
}

/** Make row y of the first lattice of heights. */
static void make_dune_row(const ter_fluvial_job *job, int y, dune_lanes *w)
{
    const ter_sand_plan *s = &job->sand;
    const ter_lattice *at = &s->at[0], *points = &s->points;
    const int64_t step = at->step, row = at->at.y + y;
    int shift = 0;
    while (step << shift < points->step)
        shift++;
    const int64_t per = (int64_t)1 << shift, north = row >> shift, mask = ~(((int64_t)1 << TER_DUNE_SHIFT) - 1);
    const float b = (float)(int)(row & (per - 1)) / (float)per;
    float *out = s->height[0] + (size_t)y * (size_t)at->at.width, height[DUNE_LANES];
    for (int x = 0; x < at->at.width; x += DUNE_LANES) {
        const int64_t column = at->at.x + x, west = column >> shift;
        const ter_sand *first = s->sand + ter_window_index(points->at, west, north);
        sand_lanes(first, b > 0.0f ? first + points->at.width : first, b, (int)(column - west * per), shift,
                   (int)(points->at.x + points->at.width - 1 - west), w);
        const int count = at->at.width - x < DUNE_LANES ? at->at.width - x : DUNE_LANES;
        int has_sand = 0;
        for (int i = 0; i < count; i++)
            has_sand |= w->supply[i] > 0.0f;
        w->from_u = ter_dune_u(&job->f, column * step, row * step, w->shift[0]) & mask;
        w->from_v = ter_dune_v(&job->f, column * step, row * step) & mask;
        const int u = (int)(job->f.wind_x * column * step + job->f.wind_y * row * step - w->from_u),
                  v = (int)(ter_dune_v(&job->f, column * step, row * step) - w->from_v);
        for (int i = 0; i < DUNE_LANES; i++) {
            const int n = i < count ? i : count - 1;
            w->u[i] = u + job->f.wind_x * n * (int)step + (int)rintf(w->shift[n] * (float)TER_DUNE_UNITS);
            w->v[i] = v - job->f.wind_y * n * (int)step;
        }
        if (has_sand)
            height_lanes(s->rows, job->f.wind_length, w, height);
        for (int i = 0; i < count; i++)
            out[x + i] = has_sand ? height[i] : 0.0f;
    }
}

#endif
