/* ripple.h - ripples of sand: waves of about 25 cm across the wind, on samples less than a metre apart.
 *
 * The phase of the waves is counted in half waves. At points 1 m apart it is a whole number. The waves are 0 there, so
 * the samples of level of detail 0 have no ripples. Between these points the phase grows with the way down the wind.
 *
 *                   ^         crests are sharp and 1, troughs are round and -3/4
 *     phase  0     / \  1           2
 *     -------+---/-----\+-----------+-----   down the wind
 *                        \ ___ ___ /
 */
#ifndef TERRANE_FLUVIAL_RIPPLE_H
#define TERRANE_FLUVIAL_RIPPLE_H

#include "library/fluvial/workspace.h"

enum { TER_RIPPLE_HALF = 8 /* 1/64 m; mean length of half a wave */ };

/** By how much the phase at point (x, y) of those 1 m apart differs from that of even waves, half waves. It is random,
 * -5/8 to 5/8, such that the phase is a whole number. */
TER_FN float ter_ripple_shift(const ter_fluvial *f, int64_t x, int64_t y)
{
    const int64_t u = f->wind_x * x + f->wind_y * y;
    const int64_t draw = 2 + (ter_tagged_byte(f->round_key, TER_TAG_RIPPLE, x, y) >> 6);
    const int64_t phase = (u + draw) >> 3;
    return (float)(int)(TER_RIPPLE_HALF * phase - u) * (1.0f / TER_RIPPLE_HALF);
}

/** Phase of even waves at point (x, y) of level of detail -n, less an even number: 0..2 half waves. */
TER_FN float ter_ripple_phase(const ter_fluvial *f, int n, int64_t x, int64_t y)
{
    const int64_t u = f->wind_x * x + f->wind_y * y, mask = ((int64_t)(2 * TER_RIPPLE_HALF) << n) - 1;
    return (float)(int)(u & mask) * (1.0f / (float)(TER_RIPPLE_HALF << n));
}

/** Height of waves whose crests are 1 high. phase: half waves, -2..6 */
TER_FN float ter_ripple_wave(float phase)
{
    const float t = phase - 2.0f * (float)((int)(0.5f * phase + 1.0f) - 1); /* 0..2 */
    const float r = t - 1.0f;
    return r < 0.0f ? 1.0f - fabsf(2.0f * t - 1.0f) : -3.0f * r * (1.0f - r);
}

/** Height of waves whose crests are 1 high, at point (x, y) of level of detail -n.
 *
 *  nw, ne, sw, se  ter_ripple_shift at the corners of its square metre. A corner that the point does not depend on may
 *                  have any number.
 */
TER_FN float ter_ripple_between(const ter_fluvial *f, int n, int64_t x, int64_t y, float nw, float ne, float sw,
                                float se)
{
    const int64_t mask = ((int64_t)1 << n) - 1;
    const float scale = 1.0f / (float)(1 << n);
    const float a = ter_smooth_step((float)(int)(x & mask) * scale),
                b = ter_smooth_step((float)(int)(y & mask) * scale);
    const float north = ter_fma(a, ne - nw, nw), south = ter_fma(a, se - sw, sw);
    return ter_ripple_wave(ter_ripple_phase(f, n, x, y) + ter_fma(b, south - north, north));
}

/** As ter_ripple_between, from the corners that it computes. */
TER_FN float ter_ripple_at(const ter_fluvial *f, int n, int64_t x, int64_t y)
{
    const int64_t i = x >> n, j = y >> n;
    return ter_ripple_between(f, n, x, y, ter_ripple_shift(f, i, j), ter_ripple_shift(f, i + 1, j),
                              ter_ripple_shift(f, i, j + 1), ter_ripple_shift(f, i + 1, j + 1));
}

#endif
