/* float_order.h - floats as integers of the same order, for atomic minima and maxima. */
#ifndef TERRANE_CORE_FLOAT_ORDER_H
#define TERRANE_CORE_FLOAT_ORDER_H

#include "library/core/fma.h"

/** Convert the bits of a float to an integer: the integers of two floats have the same order as the floats. The
 * function is its own inverse. */
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

#endif
