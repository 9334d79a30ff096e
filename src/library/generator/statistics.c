/* statistics.c - statistics of a rectangle: checks the arguments; the backend reduces the heights. */
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/generator/checks.h"

static ter_status check_histogram(const ter_histogram *histogram)
{
    if (histogram->bins < 1 || histogram->bins > TER_HISTOGRAM_BINS_MAX)
        return ter_fail(TER_EINVAL, "a histogram of %d bins, expected 1 to %d", histogram->bins,
                        TER_HISTOGRAM_BINS_MAX);
    if (!histogram->counts)
        return ter_fail(TER_EINVAL, "histogram->counts is NULL, expected %d counters", histogram->bins);
    return ter_range_check((double)histogram->lo, (double)histogram->hi);
}

ter_status ter_generator_statistics(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                    const ter_histogram *caller_histogram, ter_statistics *out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(world);
    TER_REQUIRE(rect);
    TER_REQUIRE(out);
    ter_status status = ter_world_check(world, rect->level, rect->i, rect->j, rect->width, rect->height);
    if (status == TER_OK && (uint64_t)rect->width > TER_STATISTICS_COUNT_MAX / (uint64_t)rect->height)
        status = ter_fail(TER_EINVAL, "statistics of %lld x %lld points, expected at most 2^48 in all",
                          (long long)rect->width, (long long)rect->height);
    ter_histogram known = {TER_SIZED(ter_histogram)};
    if (caller_histogram)
        TER_READ_STRUCT(&known, caller_histogram, ter_histogram);
    const ter_histogram *histogram = caller_histogram ? &known : NULL;
    if (status == TER_OK && histogram)
        status = check_histogram(histogram);
    status = ter_begin_work(generator, status);
    ter_statistics found = {TER_SIZED(ter_statistics)};
    if (status == TER_OK)
        status = generator->backend->statistics(generator->state, world, rect, histogram, &found);
    return status == TER_OK ? ter_write_struct(out, &found, sizeof found, "ter_statistics") : status;
}
