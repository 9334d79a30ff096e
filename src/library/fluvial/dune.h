/* dune.h - heights of dunes: rows of crests across the wind at three spacings, and ridges along the wind.
 *
 * The plane of the dunes has the axes u, down the wind, and v, along the crests. Each row has one crest. Its place and
 * its height are random splines along v. A crest lies further down the wind where it is lower, so it ends in two horns.
 * The figure is a section along the wind, which blows from the left. Seen from above, such a dune looks like this: (
 *
 *        ____                     windward side 8 degrees on average, at most 12
 *     __/    \                    lee side 33 degrees
 *    /        \______
 */
#ifndef TERRANE_FLUVIAL_DUNE_H
#define TERRANE_FLUVIAL_DUNE_H

#include "library/fluvial/workspace.h"

#define TER_SLIP_SLOPE 0.64940759f /* of a lee side: tan 33 degrees */

/** Binary logarithm of the distance between rows of a set, in 1/64 m. The distances are 2048, 512 and 128 m, and 1024 m
 * for ridges. */
TER_FN int ter_dune_shift(int set)
{
    return set == TER_DUNE_RIDGES ? TER_DUNE_SHIFT - 1 : TER_DUNE_SHIFT - 2 * set;
}

/** Distance between rows of a set, metres. */
TER_FN float ter_dune_spacing(int set)
{
    return (float)(1 << ter_dune_shift(set)) * (1.0f / TER_DUNE_UNITS);
}

/** The size of a set, and how the cover of its dunes depends on the supply of sand. */
typedef struct ter_dune_size {
    float most;         /* m; greatest height of a crest */
    float growth, bare; /* the cover is growth * supply - bare */
    float slip;         /* share of a lee side that is a slip face; an apron of 11 degrees lies below it */
} ter_dune_size;

TER_FN ter_dune_size ter_dune_size_of(int set)
{
    const ter_dune_size wide = {100.0f, 2.4f, 1.5f, 0.5f}, middle = {30.0f, 2.6f, 0.75f, 1.0f},
                        small = {8.5f, 2.4f, 0.4f, 1.0f}, ridges = {70.0f, 3.2f, 1.0f, 1.0f};
    return set == TER_DUNE_RIDGES ? ridges : set == 0 ? wide : set == 1 ? middle : small;
}

/** The share of its greatest height that a set reaches, 0..1. turning: as in ter_sand */
TER_FN float ter_dune_share(int set, float turning)
{
    const float ridges = ter_smooth_step((turning - 0.4f) * 8.0f);
    if (set == TER_DUNE_RIDGES)
        return ridges;
    if (set == 0)
        return ter_max(1.0f - ridges, ter_smooth_step((turning - 0.7f) * 8.0f));
    return set == 1 ? 1.0f - 0.7f * ridges : 1.0f;
}

/** A crest at a place along it. */
typedef struct ter_crest {
    float place, place_slope;   /* in spacings; random part of its place, and its derivative along v */
    float height, height_slope; /* random part of its height, -1..1, and its derivative along v */
} ter_crest;

/** The crest at a place: values and derivatives of quadratic B-splines over three knots.
 *
 *  knot  the first knot, 2 floats: its place and its height
 *  step  floats from one knot to the next
 *  a     0..1; from the middle between the first two knots to the middle between the last two
 */
TER_FN ter_crest ter_crest_at(const float *knot, int step, float a)
{
    const float b = 1.0f - a, w0 = 0.5f * b * b, w2 = 0.5f * a * a, w1 = 1.0f - w0 - w2;
    const float *p = knot, *q = knot + step, *r = knot + 2 * step;
    ter_crest c;
    c.place = ter_fma(w2, r[0], ter_fma(w1, q[0], w0 * p[0]));
    c.place_slope = ter_fma(a, r[0] - q[0], b * (q[0] - p[0]));
    c.height = ter_fma(w2, r[1], ter_fma(w1, q[1], w0 * p[1]));
    c.height_slope = ter_fma(a, r[1] - q[1], b * (q[1] - p[1]));
    return c;
}

/** Sand of a set of dunes at a place. */
typedef struct ter_dune {
    float height; /* m */
    float open;   /* 0..1: factor of the height of smaller dunes; low on lee sides and near crests */
} ter_dune;

/** How open a place is for smaller dunes. past: 0 or less where they cannot lie, 1 and more where they can */
TER_FN float ter_dune_open(float brink, float spacing, float past)
{
    const float high = ter_min(brink * (100.0f / spacing), 1.0f);
    return 1.0f - high * high * (1.0f - ter_smooth_step(past));
}

/** By how much a brink is lowered, metres, so that it is round enough for points 4 m apart. away: m; from the brink */
TER_FN float ter_brink_round(float away, float brink)
{
    const float near = ter_max(1.0f - fabsf(away) * (1.0f / 4.0f), 0.0f);
    return ter_min(TER_SLIP_SLOPE, 0.4f * brink) * near * near;
}

#define TER_HORN 0.42f /* spacings; how far the ends of a crest lie down the wind */

/** The dune of one row.
 *
 *  c        its crest
 *  along    spacings from the row's middle line to the place, down the wind
 *  spacing  m
 *  most     m; greatest height of a crest
 *  cover    above 1: crests are continuous; below 0: there are only few dunes
 *  stretch  as in ter_sand
 *  slip     as in ter_dune_size
 */
TER_FN ter_dune ter_dune_of(const ter_crest *c, float along, float spacing, float most, float cover, float stretch,
                            float slip)
{
    const float t = ter_clamp(ter_fma(1.1f, c->height, 0.6f * cover), 0.0f, 1.0f), share = t * (2.0f - t);
    const float rise = 2.2f * c->height_slope * (1.0f - t); /* of the share, along the crest */
    const float crest = ter_fma(0.2f, c->place, TER_HORN * (1.0f - share));
    const float lean = ter_fma(0.2f, c->place_slope, -TER_HORN * rise); /* of the crest, along v */
    const float brink = most * share, inverse = 1.0f / ter_sqrt(ter_fma(lean, lean, 1.0f));
    const float away = (along - crest) * spacing * inverse / stretch; /* m; from the crest */
    const float climb = most * rise * inverse / spacing;
    const float fall = away * ter_sqrt(ter_max(TER_SLIP_SLOPE * TER_SLIP_SLOPE - climb * climb, 0.1f));
    const float side = ter_clamp(1.0f + away / ter_max(7.0f * brink, 1.0f), 0.0f, 1.0f);
    const float windward = brink * side * side * (3.0f - 2.0f * side);
    const float lee = ter_max(ter_max(brink - fall, brink * (1.0f - slip) - 0.2f * away), 0.0f);
    const float above = -away / (1.5f * brink + 1.0f), below = (fall - 1.4f * slip * brink) / (0.7f * brink + 1.0f);
    ter_dune d;
    d.height = ter_min(windward, lee) - ter_brink_round(away, brink);
    d.open = ter_dune_open(brink, spacing, ter_max(above, below));
    return d;
}

/** The ridge of one row along the wind: sharp, with equal sides. Arguments as for ter_dune_of; along: across the ridge
 */
TER_FN ter_dune ter_ridge_of(const ter_crest *c, float along, float spacing, float most, float cover, float stretch)
{
    const float t = ter_clamp(ter_fma(0.5f, c->height, 0.7f * cover), 0.0f, 1.0f), share = t * (2.0f - t);
    const float lean = 0.25f * c->place_slope, brink = most * share,
                inverse = 1.0f / ter_sqrt(ter_fma(lean, lean, 1.0f));
    const float away = fabsf((along - 0.25f * c->place) * spacing * inverse / stretch);
    const float side = ter_max(1.0f - away / ter_max(5.0f * brink, 1.0f), 0.0f);
    ter_dune d;
    d.height = brink * side * (0.3f + side * (0.2f + 0.5f * side));
    const float past = (away - 0.4f * brink) / (2.0f * brink + 1.0f);
    d.open = ter_dune_open(brink, spacing, past);
    return d;
}

/** The dunes of a set at a place: the greater height and the smaller openness of two rows.
 *
 *  rows     the set's knots
 *  u, v     1/64 m, across the rows and along them
 *  stretch  as in ter_sand
 */
TER_FN ter_dune ter_dunes_of(const ter_dune_rows *rows, int set, int64_t u, int64_t v, const ter_sand *s, float stretch)
{
    const ter_dune_size size = ter_dune_size_of(set);
    const float share = ter_dune_share(set, s->turning), most = size.most * share,
                cover = size.growth * s->supply - size.bare;
    const int shift = ter_dune_shift(set);
    const int64_t half = (int64_t)1 << (shift - 1), mask = 2 * half - 1;
    const int64_t row = (u - half) >> shift, knot = (v + half) >> shift;
    const float scale = 1.0f / (float)(1 << shift), along = (float)(int)((u - half) & mask) * scale,
                a = (float)(int)((v + half) & mask) * scale, spacing = ter_dune_spacing(set);
    const float *at = rows->knot + 2 * (size_t)ter_window_index(rows->at, knot - 1, row);
    ter_dune higher = {0.0f, 1.0f};
    for (int n = 0; n < 2 && share > 0.0f; n++) {
        const ter_crest c = ter_crest_at(at + (size_t)(2 * n * rows->at.width), 2, a);
        const float from = along - (float)n;
        const ter_dune d = set == TER_DUNE_RIDGES ? ter_ridge_of(&c, from, spacing, most, cover, stretch)
                                                  : ter_dune_of(&c, from, spacing, most, cover, stretch, size.slip);
        higher.height = ter_max(higher.height, d.height);
        higher.open = ter_min(higher.open, d.open);
    }
    return higher;
}

/** Height of the sand of all sets, metres. Beside rivers the height alone falls: a crest that also moved would fold
 * into walls. d: the dunes of each set at a place; supply, sheet, left: as in ter_sand */
TER_FN float ter_dunes_sum(const ter_dune d[TER_DUNE_SETS], float supply, float sheet, float left)
{
    const float open = ter_min(d[0].open, d[TER_DUNE_RIDGES].open);
    const float large = ter_max(d[0].height, d[TER_DUNE_RIDGES].height) + d[1].height * open;
    return ter_smooth_step(supply * 6.0f) * left * (large + d[2].height * open * d[1].open + sheet);
}

/** Height of the sand at a place, metres.
 *
 *  u, v   the place in the plane of dunes with its shift, in 1/64 m
 *  scale  length of the gradient of v
 */
TER_FN float ter_sand_height(const ter_dune_rows rows[TER_DUNE_SETS], const ter_sand *s, int64_t u, int64_t v,
                             float scale)
{
    ter_dune d[TER_DUNE_SETS];
    d[0] = ter_dunes_of(&rows[0], 0, u, v, s, s->stretch);
    d[1] = ter_dunes_of(&rows[1], 1, u, v, s, s->stretch);
    d[2] = ter_dunes_of(&rows[2], 2, u, v, s, s->stretch);
    d[TER_DUNE_RIDGES] = ter_dunes_of(&rows[TER_DUNE_RIDGES], TER_DUNE_RIDGES, v, u, s, scale);
    return ter_dunes_sum(d, s->supply, s->sheet, s->left);
}

#endif
