/* time_histogram.c - bins have equal widths in the logarithm of time. Source: Tene, HdrHistogram. */
#include "program/core/time_histogram.h"

#include <math.h>

static const double FIRST_MS = 1e-3; /* lower end of the first bin */

void time_histogram_add(time_histogram *t, double ms)
{
    const int last = TIME_HISTOGRAM_OCTAVES * TIME_HISTOGRAM_BINS - 1;
    const double place = ms > FIRST_MS ? log2(ms / FIRST_MS) * TIME_HISTOGRAM_BINS : 0.0;
    t->bins[place < last ? (int)place : last]++;
    t->least_ms = t->count == 0 ? ms : fmin(t->least_ms, ms);
    t->most_ms = fmax(t->most_ms, ms);
    t->count++;
}

double time_histogram_quantile(const time_histogram *t, double share)
{
    const uint64_t rank = t->count > 0 ? (uint64_t)((double)(t->count - 1) * share) : 0;
    uint64_t below = 0;
    int bin = 0;
    if (rank == 0)
        return t->least_ms;
    if (rank == t->count - 1)
        return t->most_ms;
    while (below + t->bins[bin] <= rank)
        below += t->bins[bin++];
    const double middle_ms = FIRST_MS * exp2((bin + 0.5) / TIME_HISTOGRAM_BINS);
    return fmin(fmax(middle_ms, t->least_ms), t->most_ms);
}
