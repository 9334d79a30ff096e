/* batch.h - a batch of tiles as kernels see it: at most TER_CUDA_BATCH_MAX, they travel among the kernel's arguments.
 */
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

enum { TER_CUDA_BATCH_MAX = 128 }; /* tiles of a launch: with all else they fit the 4 KiB of a kernel's parameters */

/** A batch as the kernels see it. */
typedef struct ter_cuda_batch {
    ter_cuda_tile tiles[TER_CUDA_BATCH_MAX];
    int count;
    int width, height;              /* points of every tile */
    bool is_origin_aligned;         /* every tile starts at multiples of 4 */
    int level_min;                  /* least level of a tile */
    size_t row_stride, slot_stride; /* samples */
    float *out;                     /* heights, metres; or else */
    uint16_t *out_u16;              /* quantised samples, by `tiled` alone */
    ter_quantiser quantiser;
} ter_cuda_batch;

/** Number of blocks of `by` that cover n. */
inline __host__ __device__ int divide_up(int n, int by)
{
    return (n + by - 1) / by;
}

/** Whether stores of four samples fit: every row of every tile starts on a multiple of their size. */
inline __host__ __device__ bool ter_batch_is_aligned(const ter_cuda_batch &batch)
{
    const bool is_out_aligned = batch.out_u16 ? ((uintptr_t)batch.out_u16 & 7) == 0 : ((uintptr_t)batch.out & 15) == 0;
    return is_out_aligned && batch.row_stride % 4 == 0 && batch.slot_stride % 4 == 0;
}

/** The output of a batch's samples: heights, or quantised ones. */
template <class SAMPLE> __host__ __device__ inline SAMPLE *output_of(const ter_cuda_batch &batch)
{
    if constexpr (sizeof(SAMPLE) == sizeof(float))
        return batch.out;
    else
        return batch.out_u16;
}

#endif
