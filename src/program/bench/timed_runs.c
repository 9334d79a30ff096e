/* timed_runs.c - sorts times and reads quantiles from them. */
#include "program/bench/timed_runs.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void times_sort(double *values, int count)
{
    qsort(values, (size_t)count, sizeof values[0], compare);
}

double times_quantile(const double *sorted, int count, double q)
{
    return sorted[(int)(q * (double)(count - 1) + 0.5)];
}
