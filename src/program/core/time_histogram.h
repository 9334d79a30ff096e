/* time_histogram.h - a histogram of times in bins half a percent wide. Its size does not grow with the number of times.
 */
#ifndef TERRANE_PROGRAM_CORE_TIME_HISTOGRAM_H
#define TERRANE_PROGRAM_CORE_TIME_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

enum {
    TIMES_OCTAVES = 32, /* the first begins at 1 us */
    TIMES_BINS = 128    /* of each octave */
};

/** All members are 0 before the first time is added. */
typedef struct times {
    uint64_t count, bins[TIMES_OCTAVES * TIMES_BINS];
    double least_ms, most_ms;
} times;

/** Add a time of 0 ms or more. Times outside the bins are counted in the first or the last bin. */
void times_add(times *t, double ms);

/** The time in ms below which a share of all times lies, exact to half a percent; 0 if no time was added.
 *
 *  share  0..1; 0 and 1 give the exact least and greatest time
 */
double times_quantile(const times *t, double share);

#endif
