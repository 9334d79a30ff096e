/* tiled.h - method `tiled`: the coarse levels of a rectangle are made once, in shared memory or registers; the finest
 * levels are made in registers. One launch writes heights or quantised samples. choose.cu chooses the kernel. */
#ifndef TERRANE_FRACTAL_CUDA_TILED_TILED_H
#define TERRANE_FRACTAL_CUDA_TILED_TILED_H

#include "library/core/cuda/batch.h"
#include "library/core/cuda/check.h"
#include "library/fractal/height.h"

enum {
    TER_UNIT_WIDTH = 128, /* samples that a warp of ter_regions makes: a unit */
    TER_UNIT_HEIGHT = 32,
    TER_REGION_LEVEL_MIN = 7, /* a unit lies in one cell seven levels above it */
    TER_STRIP_LEVEL_MIN = 2   /* ter_strips makes the last two levels in strips, so the array's level is at least 2 */
};

/** Make any batch: a block makes its tile's coarse levels in shared memory, and its threads make the tile in patches of
 * 4 x 4 samples. */
ter_status ter_patches(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

/** Make one array of basis smooth, of level TER_STRIP_LEVEL_MIN or finer, as ter_patches does, but with the last two
 * levels made in strips. */
ter_status ter_strips(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

/** Whether an array's sizes fit the 32-bit numbers of the kernels of large arrays. */
bool ter_array_fits(const ter_cuda_batch *batch);

/** Whether ter_regions can make a world exactly: all heights can be divided by 4 without losing a bit, and sums of
 * heights do not overflow. Always true with valleys, because ter_regions does not divide heights then. */
bool ter_can_divide_heights(const ter_field *f);

/** A point of the common level, a coarse level that the blocks of a launch share, and the launch that made it. */
typedef struct ter_cuda_common_point {
    float height;
    unsigned launch;
} ter_cuda_common_point;

/** Device memory for the common level of a launch of ter_regions. A launch may begin while the previous launch in the
 * stream is still running, so consecutive launches need different memory. */
typedef struct ter_cuda_common {
    ter_cuda_common_point *at; /* aligned to 8 bytes */
    /** Number of the launch. Not 0, because new memory is filled with 0. Launches that use the same memory must have
     * different numbers. */
    unsigned launch;
} ter_cuda_common;

/** Set *points to the size of the coarse level that ter_regions shares among its blocks; 0 if sharing would gain
 * nothing. */
ter_status ter_regions_common(const ter_cuda_batch *batch, size_t *points);

/** Make one array of basis midpoint, of level TER_REGION_LEVEL_MIN or finer, of a world for which
 * ter_can_divide_heights is true. Each warp makes a unit. Warps share a coarse level in `common`. If `common` is NULL,
 * each warp starts from level 0 and makes the same samples. */
ter_status ter_regions(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                       cudaStream_t stream);

/** As ter_regions, with stores that are fast if rows do not start at multiples of 32 bytes. */
ter_status ter_regions_sheared(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                               cudaStream_t stream);

#endif
