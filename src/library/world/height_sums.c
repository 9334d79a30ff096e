/* height_sums.c - chooses the unit of the sum of heights, with a proof that 64 bits hold the sum. */
#include "library/world/height_sums.h"

#include <math.h>

#include "library/world/world.h"

/** A distance from the base that no height of a world exceeds, metres.
 *
 * Let a_k be the amplitude of level k, and S the sum of all a_k. A displacement of level k is the random integer r,
 * -128..127, times a_k / 128, times a factor of at most 1 that smooths low ground (ter_displace in
 * library/fractal/height.h). So it is at most a_k. In exact arithmetic:
 *
 *   midpoint
 *       An edge point is the displaced mean of two parents. A centre is the displaced mean of four edge points. So a
 *       level adds at most 2 a_k, and |h - base| <= 2 S.
 *   smooth
 *       Subdivision is linear and keeps constants. So h - base is a sum over levels: the displacements of each level,
 *       subdivided. In one direction a new point between b and c is (b + c) / 2 + ((b - a) - (d - c)) / 16. If values
 *       are at most 1, neighbours differ by at most D = 2. A step adds at most D / 8 to the values, and differences
 *       are then at most D / 2 + D / 8 = 5/8 D. All steps give 1 + (2 / 8) (1 + 5/8 + (5/8)^2 + ...) = 5/3, and both
 *       directions 25/9. So |h - base| <= 25/9 S.
 *
 * Rounding: a point takes less than 20 operations per level, with results below 3 (|base| + 3 S). Each result is wrong
 * by at most 2^-24 of that bound, and subdivision enlarges each error at most 25/9 times. With 29 levels there are
 * fewer than 600 such errors. So all errors together are below 2^-11 (|base| + 3 S), and the sum of distance and errors
 * is below 3 S + 2^-10 |base|.
 *
 * Craters: at most 18 candidates of an octave reach a point. Each adds at most its depth, and takes at most all of the
 * sum away. The depths of the octaves add up to less than 24 km, so craters add less than 18 * 24 km < 2^19 m.
 */
static double farthest_from_base(const ter_params *params)
{
    double amplitude_m[TER_LEVEL_MAX + 1] = {0}, sum = 0.0;
    const int last = params->levels + TER_FINE_LODS;
    if (params->basis == TER_BASIS_FLUVIAL)
        ter_params_amplitudes(params, amplitude_m);
    else
        ter_level_amplitudes(params, last, amplitude_m);
    for (int k = 0; k <= last; k++)
        sum += amplitude_m[k];
    return 3.0 * sum + ldexp(fabs(params->base), -10) + (params->craters > 0.0 ? ldexp(1.0, 19) : 0.0);
}

/* An exact term is below 2^bits and count at most 2^count_bits, with bits + count_bits <= 62. So the sum is below 2^62.
 * Rounding changes a term by at most 1/2, and there are at most 2^48 terms (TER_SUM_COUNT_MAX), so all rounding adds at
 * most 2^47. More than 40 bits per term would be finer than the heights. */
ter_sum_unit ter_sum_unit_of(const ter_params *params, uint64_t count)
{
    enum { TERM_BITS_MAX = 40, SUM_BITS = 62 };
    int count_bits = 0;
    while (UINT64_C(1) << count_bits < count)
        count_bits++;
    const int bits = SUM_BITS - count_bits < TERM_BITS_MAX ? SUM_BITS - count_bits : TERM_BITS_MAX;
    const int exponent = ilogb(farthest_from_base(params)) + 1;
    return (ter_sum_unit){.reference = (double)(float)params->base, .scale = ldexp(1.0, bits - exponent)};
}

double ter_sum_mean(ter_sum_unit unit, int64_t sum, uint64_t count)
{
    return unit.reference + (double)sum / unit.scale / (double)count;
}
