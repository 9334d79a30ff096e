/* time_histogram.h - a histogram of times in bins half a percent wide. The size of the histogram does not grow with the
 * number of times. */
#ifndef TERRANE_PROGRAM_CORE_TIME_HISTOGRAM_H
#define TERRANE_PROGRAM_CORE_TIME_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    TIME_HISTOGRAM_OCTAVES = 32, /* the first begins at 1 us */
    TIME_HISTOGRAM_BINS = 128    /* bins of each octave */
};

/** All members are 0 before the first time is added. */
typedef struct time_histogram {
    uint64_t count, bins[TIME_HISTOGRAM_OCTAVES * TIME_HISTOGRAM_BINS];
    double least_ms, most_ms;
} time_histogram;

/** Add a time of 0 ms or more. Times outside the bins are counted in the first or the last bin. */
void time_histogram_add(time_histogram *t, double ms);

/** The time in ms below which a share of all times lies, exact to half a percent; 0 if no time was added.
 *
 *  share  0..1; 0 and 1 give the exact least and greatest time
 */
double time_histogram_quantile(const time_histogram *t, double share);

#endif
