/* quantise.h - converts heights of a range to 16-bit samples. CPU and GPU give the same bits.
 *
 * x = fma(h, 1 / (hi - lo), -lo / (hi - lo)), clamped to [0, 1]. The sample is 65535 x, rounded to nearest even. Both
 * operations are binary32. So the error of a sample is at most 0.51 steps of the samples plus two units in the last
 * place of the height.
 */
#ifndef TERRANE_CORE_QUANTISE_H
#define TERRANE_CORE_QUANTISE_H

#include "library/core/fma.h"

typedef struct ter_quantiser {
    float scale, offset; /* x = fma(h, scale, offset) */
    float low, high;     /* m; heights below `low` and above `high` are clamped */
} ter_quantiser;

/** The quantiser of the range from lo to hi, metres; lo < hi. */
static inline ter_quantiser ter_quantiser_of(double lo, double hi)
{
    ter_quantiser q;
    q.scale = (float)(1.0 / (hi - lo));
    q.offset = (float)(-lo / (hi - lo));
    q.low = (double)(float)lo < lo ? nextafterf((float)lo, INFINITY) : (float)lo;
    q.high = (double)(float)hi > hi ? nextafterf((float)hi, -INFINITY) : (float)hi;
    return q;
}

/** Whether a height lies outside the range. */
TER_FN int ter_is_clamped(ter_quantiser q, float h)
{
    return h < q.low || h > q.high;
}

/** The float 2^23 + sample. The low 16 bits of this float are the sample. */
TER_FN float ter_quantise_biased(ter_quantiser q, float h)
{
    return ter_fma(ter_saturate(ter_fma(h, q.scale, q.offset)), 65535.0f, 8388608.0f);
}

/** The sample, 0 .. 65535. */
TER_FN uint16_t ter_quantise(ter_quantiser q, float h)
{
    const float biased = ter_quantise_biased(q, h);
    uint32_t bits;
    memcpy(&bits, &biased, sizeof bits);
    return (uint16_t)bits;
}

#endif
