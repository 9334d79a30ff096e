/* reduce.h - extremes, sums and histograms of heights in device memory. */
#ifndef TERRANE_GENERATOR_CUDA_REDUCE_H
#define TERRANE_GENERATOR_CUDA_REDUCE_H

#include "library/core/cuda/check.h"
#include "library/core/quantise.h"
#include "library/world/height_sums.h"

/** Sums in device memory. Launches add to them. */
typedef struct ter_cuda_sums {
    int min_ordered, max_ordered; /* floats as ter_ordered() integers */
    unsigned long long sum;       /* of heights: fixed point, two's complement; or number of heights outside a range */
} ter_cuda_sums;

/** Sums of no heights. */
static const ter_cuda_sums TER_CUDA_NO_SUMS = {INT32_MAX, INT32_MIN, 0};

/** A histogram in device memory. If bins is 0, none is made. */
typedef struct ter_cuda_histogram {
    unsigned long long *counts; /* `bins` counters */
    int bins;
    float lo, bin_scale; /* of ter_histogram_bin */
} ter_cuda_histogram;

/** Heights in device memory. */
typedef struct ter_cuda_heights {
    const float *at;
    size_t count;
} ter_cuda_heights;

/** Add heights to sums, by ter_sum_term, and to a histogram. */
ter_status ter_reduce(ter_cuda_heights heights, ter_sum_unit unit, ter_cuda_histogram histogram, ter_cuda_sums *sums,
                      cudaStream_t stream);

/** Add the extremes of heights to sums. Their `sum` counts the heights that the quantiser clamps. */
ter_status ter_reduce_clamped(ter_cuda_heights heights, ter_quantiser quantiser, ter_cuda_sums *sums,
                              cudaStream_t stream);

#endif
