/* min_max.h - the lesser and the greater of two integers. */
#ifndef TERRANE_PROGRAM_CORE_MIN_MAX_H
#define TERRANE_PROGRAM_CORE_MIN_MAX_H

#include <stdint.h>

static inline int64_t min_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
