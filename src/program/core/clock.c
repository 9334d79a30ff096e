/* clock.c - reads CLOCK_MONOTONIC. */
#include "program/core/clock.h"

#include <time.h>

double clock_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
