/* height_sums.h - fixed point sums and histogram bins of heights: the same bits on CPU and GPU. */
#ifndef TERRANE_WORLD_HEIGHT_SUMS_H
#define TERRANE_WORLD_HEIGHT_SUMS_H

#include "library/core/float_order.h"
#include "library/fractal/height.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Fixed point in which the heights of a rectangle are summed: exact, so that the order of the terms does not matter.
 */
typedef struct ter_sum_unit {
    double reference; /* m; it is subtracted from each height before the sum */
    double scale;     /* units per metre, a power of two */
} ter_sum_unit;

/** The largest number of heights that are summed. */
#define TER_SUM_COUNT_MAX (UINT64_C(1) << 48)

/** The unit for `count` heights of a world, 1 to TER_SUM_COUNT_MAX: as fine as a 64-bit sum allows, but with at most 40
 * bits per height. */
ter_sum_unit ter_sum_unit_of(const ter_params *params, uint64_t count);

/** Mean of `count` heights from their sum, metres. */
double ter_sum_mean(ter_sum_unit unit, int64_t sum, uint64_t count);

/** A height as fixed point. */
TER_FN int64_t ter_sum_term(float h, ter_sum_unit unit)
{
    return (int64_t)rint(((double)h - unit.reference) * unit.scale);
}

/** Histogram bin of a height; scale = bins / (hi - lo) as float. */
TER_FN int ter_histogram_bin(float h, float lo, float scale, int bins)
{
    const float bin = floorf((h - lo) * scale);
    if (!(bin > 0.0f))
        return 0;
    return bin < (float)bins ? (int)bin : bins - 1;
}

#ifdef __cplusplus
}
#endif

#endif
