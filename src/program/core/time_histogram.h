/* time_histogram.h - how times are spread: counts of them in bins of half a percent, whatever their number. */
#ifndef TERRANE_PROGRAM_CORE_TIME_HISTOGRAM_H
#define TERRANE_PROGRAM_CORE_TIME_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    TIMES_OCTAVES = 32, /* from 1 us on */
    TIMES_BINS = 128    /* an octave */
};

/** All zero: no time yet. */
typedef struct times {
    uint64_t count, bins[TIMES_OCTAVES * TIMES_BINS];
    double least_ms, most_ms;
} times;

/** Add a time of 0 ms or more. Times beyond both ends of the bins count as those at the ends. */
void times_add(times *t, double ms);

/** The time below which a share of all times lies, to half a percent, ms; 0 without a time.
 *
 *  share  0..1; at both ends the time is exact
 */
double times_quantile(const times *t, double share);

#endif
