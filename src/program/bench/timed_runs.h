/* timed_runs.h - order statistics of timed runs. */
#ifndef TERRANE_PROGRAM_BENCH_TIMED_RUNS_H
#define TERRANE_PROGRAM_BENCH_TIMED_RUNS_H

/** Sort `count` values in ascending order. */
void times_sort(double *values, int count);

/** The quantile q, 0..1, of sorted values: a share q of all values lies below it. */
double times_quantile(const double *sorted, int count, double q);

#endif
