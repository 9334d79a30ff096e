/* statistics.h - how a height enters the sums, the same on CPU and GPU. */
#ifndef TER_GENERATE_STATISTICS_H
#define TER_GENERATE_STATISTICS_H

#include "world/height.h"

/** Units a metre of the fixed-point sum of a world: a power of two near 2^20 / amplitude. */
static inline double ter_sum_scale(double amplitude)
{
    return ldexp(1.0, 20 - ilogb(amplitude));
}

/** A height as fixed point. */
TER_FN int64_t ter_sum_term(float h, double scale)
{
    return (int64_t)rint((double)h * scale);
}

/** The bits of a float as an integer of the same order, and back. */
TER_FN int ter_ordered(int bits)
{
    return bits ^ (bits >> 31 & 0x7fffffff);
}

/** The float of an ordered integer. */
static inline float ter_unordered(int ordered)
{
    const int bits = ter_ordered(ordered);
    float h;
    memcpy(&h, &bits, sizeof h);
    return h;
}

/** Histogram bin of a height; scale = bins / (hi - lo) as float. */
TER_FN int ter_histogram_bin(float h, float lo, float scale, int bins)
{
    const float bin = floorf((h - lo) * scale);
    if (!(bin > 0.0f))
        return 0;
    return bin < (float)bins ? (int)bin : bins - 1;
}

#endif
