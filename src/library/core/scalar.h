/* scalar.h - the float functions that worlds are computed with. They give the same bits on every machine. */
#ifndef TERRANE_CORE_SCALAR_H
#define TERRANE_CORE_SCALAR_H

#include "library/core/fma.h"

TER_FN float ter_min(float a, float b)
{
    return a < b ? a : b;
}

TER_FN float ter_max(float a, float b)
{
    return a > b ? a : b;
}

TER_FN float ter_clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

/** Index of the lowest bit that is set; bits: not 0. On a GPU, a loop over only the set bits lets threads of a warp
 * diverge less than a loop over all elements with a test in it. */
TER_FN int ter_lowest_bit(unsigned bits)
{
#ifdef __CUDA_ARCH__
    return __ffs((int)bits) - 1;
#else
    return __builtin_ctz(bits);
#endif
}

/** Correctly rounded square root. */
TER_FN float ter_sqrt(float x)
{
#ifdef __CUDA_ARCH__
    return __fsqrt_rn(x);
#else
    return sqrtf(x);
#endif
}

/** 3 t^2 - 2 t^3 of t clamped to 0..1. */
TER_FN float ter_smooth_step(float t)
{
    t = ter_clamp(t, 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/** Not a number, with the same bits everywhere: 7fc00000. */
TER_FN float ter_not_a_number(void)
{
#ifdef __CUDA_ARCH__
    return __int_as_float(0x7fc00000);
#else
    const uint32_t bits = UINT32_C(0x7fc00000);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
#endif
}

TER_FN float ter_length(float x, float y)
{
    return ter_sqrt(x * x + y * y);
}

/** Cosine and sine of 2 pi turns. Minimax polynomials in the square of the fraction of a turn; errors below 1e-6. */
TER_FN void ter_turn(float turns, float *cosine, float *sine)
{
    const float x = turns - rintf(turns), y = x * x;
    float c = ter_fma(y, -21.15810679f, 58.84788533f);
    c = ter_fma(y, c, -85.28515889f);
    c = ter_fma(y, c, 64.93001235f);
    c = ter_fma(y, c, -19.73903216f);
    *cosine = ter_fma(y, c, 0.99999966f);
    float s = ter_fma(y, -12.30830135f, 41.23207355f);
    s = ter_fma(y, s, -76.58719386f);
    s = ter_fma(y, s, 81.59702927f);
    s = ter_fma(y, s, -41.34146438f);
    *sine = x * ter_fma(y, s, 6.28318349f);
}

#endif
