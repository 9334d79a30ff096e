/* timed_runs.h - order statistics of timed runs. */
#ifndef TERRANE_PROGRAM_BENCH_TIMED_RUNS_H
#define TERRANE_PROGRAM_BENCH_TIMED_RUNS_H

/** Sort `count` values in ascending order. */
void samples_sort(double *values, int count);

/** The value of sorted ones below which the share q, 0..1, of them lies. */
double samples_quantile(const double *sorted, int count, double q);

#endif
