/* tiled.h - generator `tiled`: the coarse levels of a rectangle are made once, in shared memory or registers, the
 * finest in registers. One launch writes heights or quantised samples. choose.cu chooses among its kernels. */
#ifndef TERRANE_FRACTAL_CUDA_TILED_TILED_H
#define TERRANE_FRACTAL_CUDA_TILED_TILED_H

#include "library/core/cuda/batch.h"
#include "library/core/cuda/check.h"
#include "library/fractal/height.h"

enum {
    TER_UNIT_WIDTH = 128, /* samples that a warp of regions makes */
    TER_UNIT_HEIGHT = 32,
    TER_REGION_LEVEL_MIN = 7, /* from this level on a unit lies in a cell of a coarse level */
    TER_STRIP_LEVEL_MIN = 2   /* the level above a strip's needs one above itself */
};

/** Any batch: a block makes its tile's coarse levels in shared memory, threads finish it in patches of 4 x 4 samples.
 */
ter_status ter_patches(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

/** One array of basis smooth, of level TER_STRIP_LEVEL_MIN and finer: as ter_patches, but the last two levels in
 * strips. */
ter_status ter_strips(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

/** Whether an array's sizes fit the 32-bit numbers of the kernels of large arrays. */
bool ter_array_fits(const ter_cuda_batch *batch);

/** Whether dividing all of a world's heights by 4 loses no bit, and sums of heights do not overflow; ter_regions needs
 * that. */
bool ter_can_divide_heights(const ter_field *f);

/** A point of a coarse level that the blocks of a launch share, and the launch it was made by. */
typedef struct ter_cuda_common_point {
    float height;
    unsigned launch;
} ter_cuda_common_point;

/** Device memory for such a level of a launch of ter_regions. A launch may begin while the previous launch in the
 * stream is still running, so these two need different memory. */
typedef struct ter_cuda_common {
    ter_cuda_common_point *at; /* on 8 bytes */
    unsigned
        launch; /* number of this one: not 0, which memory must be at first, and not that of another with the same */
} ter_cuda_common;

/** Number of points of the coarse level that ter_regions shares among its blocks; 0 if sharing would gain nothing. */
ter_status ter_regions_common(const ter_cuda_batch *batch, size_t *points);

/** One array of basis midpoint, of level TER_REGION_LEVEL_MIN and finer, whose heights can be divided. Warps make
 * units. They share a coarse level in `common`. If that is NULL, each warp starts from the root, and makes the same
 * samples.
 */
ter_status ter_regions(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                       cudaStream_t stream);

/** The same, with stores that are fast where rows do not start on 32 bytes. */
ter_status ter_regions_sheared(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                               cudaStream_t stream);

#endif
