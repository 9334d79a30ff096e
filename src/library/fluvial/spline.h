/* spline.h - cubic B-splines over random knots. */
#ifndef TERRANE_FLUVIAL_SPLINE_H
#define TERRANE_FLUVIAL_SPLINE_H

#include "library/fluvial/window.h"

#if defined(__FMA__) && defined(__x86_64__) && !defined(__CUDACC__)
#include <immintrin.h>
#endif

TER_FN void ter_spline_weights(float a, float w[4])
{
    const float t = 1.0f - a;
    w[0] = t * t * t * (1.0f / 6.0f);
    w[1] = ter_fma(a * a, ter_fma(a, 0.5f, -1.0f), 2.0f / 3.0f);
    w[2] = ter_fma(t * t, ter_fma(t, 0.5f, -1.0f), 2.0f / 3.0f);
    w[3] = a * a * a * (1.0f / 6.0f);
}

/** Knots that a spline of pitch 2^shift needs in a rectangle of places. */
TER_FN ter_window ter_spline_window(int64_t x0, int64_t y0, int64_t x1, int64_t y1, int shift)
{
    return ter_window_between((x0 >> shift) - 1, (y0 >> shift) - 1, (x1 >> shift) + 2, (y1 >> shift) + 2);
}

/** Load the numbers of a knot; on a GPU with one instruction. */
TER_FN void ter_load_knot(const float *from, int channels, float *knot)
{
#ifdef __CUDA_ARCH__
    if (channels == 2) {
        const float2 k = *(const float2 *)from;
        knot[0] = k.x;
        knot[1] = k.y;
        return;
    }
    if (channels == 4) {
        const float4 k = *(const float4 *)from;
        knot[0] = k.x;
        knot[1] = k.y;
        knot[2] = k.z;
        knot[3] = k.w;
        return;
    }
#endif
    for (int c = 0; c < channels; c++)
        knot[c] = from[c];
}

/* ter_spline_sum: sums of 4 x 4 knots along rows, which are added from north to south.
 *
 *  knots     2 or 4 numbers (`channels`) for each knot; the first knot of the first row
 *  row       floats from one row to the next
 *  wx, wy    weights of columns and rows
 *  out       receives `channels` values
 */

#if defined(__FMA__) && defined(__x86_64__) && !defined(__CUDACC__)

/** With vectors of four floats: the four channels of a knot, or the two channels of a knot and of the one below it. */
TER_FN void ter_spline_sum(const float *knots, int row, int channels, const float wx[4], const float wy[4], float *out)
{
    __m128 sum = _mm_setzero_ps();
    if (channels == 4) {
        for (int b = 0; b < 4; b++) {
            __m128 s = _mm_setzero_ps();
            for (int a = 0; a < 4; a++)
                s = _mm_fmadd_ps(_mm_set1_ps(wx[a]), _mm_loadu_ps(knots + b * row + 4 * a), s);
            sum = _mm_fmadd_ps(_mm_set1_ps(wy[b]), s, sum);
        }
        _mm_storeu_ps(out, sum);
        return;
    }
    for (int b = 0; b < 4; b += 2) {
        __m128 s = _mm_setzero_ps();
        for (int a = 0; a < 4; a++) {
            const float *north = knots + b * row + 2 * a;
            const __m128 pair = _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)north);
            s = _mm_fmadd_ps(_mm_set1_ps(wx[a]), _mm_loadh_pi(pair, (const __m64 *)(const void *)(north + row)), s);
        }
        sum = _mm_fmadd_ps(_mm_set1_ps(wy[b]), s, sum);
        sum = _mm_fmadd_ps(_mm_set1_ps(wy[b + 1]), _mm_movehl_ps(s, s), sum);
    }
    _mm_storel_pi((__m64 *)(void *)out, sum);
}

#else

TER_FN void ter_spline_sum(const float *knots, int row, int channels, const float wx[4], const float wy[4], float *out)
{
    for (int c = 0; c < channels; c++)
        out[c] = 0.0f;
    for (int b = 0; b < 4; b++) {
        float s[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int a = 0; a < 4; a++) {
            float knot[4];
            ter_load_knot(knots + b * row + a * channels, channels, knot);
            for (int c = 0; c < channels; c++)
                s[c] = ter_fma(wx[a], knot[c], s[c]);
        }
        for (int c = 0; c < channels; c++)
            out[c] = ter_fma(wy[b], s[c], out[c]);
    }
}

#endif

/** Compute the values of `channels` fields at a place.
 *
 *  at     window of the knots
 *  knots  2 or 4 numbers (`channels`) for each knot; the array is aligned to the size of a knot
 *  out    receives `channels` values: sums along rows from west to east, which are added from north to south
 */
TER_FN void ter_spline(ter_window at, const float *knots, int shift, int channels, int64_t x, int64_t y, float *out)
{
    const int64_t i = x >> shift, j = y >> shift, mask = ((int64_t)1 << shift) - 1;
    const float scale = 1.0f / (float)(1u << shift);
    float wx[4], wy[4];
    ter_spline_weights((float)(uint32_t)(x & mask) * scale, wx);
    ter_spline_weights((float)(uint32_t)(y & mask) * scale, wy);
    ter_spline_sum(knots + (size_t)ter_window_index(at, i - 1, j - 1) * (size_t)channels, at.width * channels, channels,
                   wx, wy, out);
}

#endif
