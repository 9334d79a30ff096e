/* batch.h - a batch of tiles in the arguments of a kernel: at most TER_CUDA_BATCH_MAX tiles. */
#ifndef TERRANE_CORE_CUDA_BATCH_H
#define TERRANE_CORE_CUDA_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "library/core/quantise.h"

/** A tile of a batch on the device. */
typedef struct ter_cuda_tile {
    int64_t i, j;
    int32_t level;
    uint32_t slot;
} ter_cuda_tile;

enum { TER_CUDA_BATCH_MAX = 128 }; /* tiles of a launch: all arguments fit the 4 KiB of a kernel's parameters */

/** A batch in the arguments of a kernel. */
typedef struct ter_cuda_batch {
    ter_cuda_tile tiles[TER_CUDA_BATCH_MAX];
    int count;
    int width, height;              /* points of every tile */
    bool is_origin_aligned;         /* every tile starts at multiples of 4 */
    int level_min;                  /* least level of a tile */
    size_t row_stride, slot_stride; /* samples */
    float *out;                     /* heights, metres; NULL: out_u16 is used */
    uint16_t *out_u16;              /* quantised samples; used only by method `tiled` */
    ter_quantiser quantiser;
} ter_cuda_batch;

/** Least number of blocks of `by` elements that together hold n elements. */
inline __host__ __device__ int divide_up(int n, int by)
{
    return (n + by - 1) / by;
}

/** Whether stores of four samples are aligned: every row of every tile starts at a multiple of their size. */
inline __host__ __device__ bool ter_batch_is_aligned(const ter_cuda_batch &batch)
{
    const bool is_out_aligned = batch.out_u16 ? ((uintptr_t)batch.out_u16 & 7) == 0 : ((uintptr_t)batch.out & 15) == 0;
    return is_out_aligned && batch.row_stride % 4 == 0 && batch.slot_stride % 4 == 0;
}

/** The output array of a batch for samples of type SAMPLE: heights as floats, or 16-bit samples. */
template <class SAMPLE> __host__ __device__ inline SAMPLE *output_of(const ter_cuda_batch &batch)
{
    if constexpr (sizeof(SAMPLE) == sizeof(float))
        return batch.out;
    else
        return batch.out_u16;
}

#endif
