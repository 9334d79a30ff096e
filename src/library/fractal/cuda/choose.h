/* choose.h - chooses the kernel for a batch, by one table. */
#ifndef TERRANE_FRACTAL_CUDA_CHOOSE_H
#define TERRANE_FRACTAL_CUDA_CHOOSE_H

#include "library/core/cuda/batch.h"
#include "library/fractal/height.h"
#include "terrane/terrane.h"

typedef enum ter_cuda_kernel {
    TER_KERNEL_RECURSIVE,       /* recursive/: one launch per level */
    TER_KERNEL_SAMPLES,         /* single_pass/: one sample per thread, from level 0 */
    TER_KERNEL_WARPS,           /* single_pass/: 8 x 8 samples per thread, from level 0 */
    TER_KERNEL_REGIONS,         /* tiled/warp_tiles.cu */
    TER_KERNEL_REGIONS_SHEARED, /* tiled/warp_tiles.cu, for rows that do not start on sectors of memory */
    TER_KERNEL_STRIPS,          /* tiled/column_strips.cu */
    TER_KERNEL_PATCHES          /* tiled/tiles.cu */
} ter_cuda_kernel;

/** Conditions of a kernel on the rows of an array. */
typedef enum ter_cuda_rows {
    TER_ROWS_ANY,
    TER_ROWS_ON_SECTORS /* rows, and columns whose coordinate is a multiple of 128, start at multiples of 32 bytes */
} ter_cuda_rows;

/** A row of the table. A batch is made by the kernel of the first row whose conditions it meets. */
typedef struct ter_cuda_choice {
    ter_method method;
    bool is_midpoint, is_smooth; /* bases the row is for */
    bool is_one_array;           /* batches of a single tile */
    bool needs_division;         /* worlds whose heights can be divided by 4 without loss: ter_can_divide_heights */
    ter_cuda_rows rows;
    int level_min;             /* of every tile */
    int width_min, height_min; /* samples */
    int64_t samples_min;       /* of a tile */
    ter_cuda_kernel kernel;
} ter_cuda_choice;

/** The table, with rows in the order of their tests. Every batch meets the conditions of some row. */
const ter_cuda_choice *ter_cuda_choices(int *count);

/** Choose the kernel for a batch of a method. is_by_sample: `single-pass` with one sample per thread. Any thread. */
ter_cuda_kernel ter_cuda_choose(ter_method method, bool is_by_sample, const ter_field *f, const ter_cuda_batch *batch);

#endif
