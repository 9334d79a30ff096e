/* samples.h - timed runs: the clock and the order statistics of what it gave. */
#ifndef TERRANE_BENCH_SAMPLES_H
#define TERRANE_BENCH_SAMPLES_H

/** Monotonic clock, milliseconds. */
double samples_now_ms(void);

/** Sort `count` values in ascending order. */
void samples_sort(double *values, int count);

/** The value of sorted ones below which the share q, 0..1, of them lies. */
double samples_quantile(const double *sorted, int count, double q);

#endif
