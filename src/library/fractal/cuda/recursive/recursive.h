/* recursive.h - method `recursive`: one launch per level. */
#ifndef TERRANE_FRACTAL_CUDA_RECURSIVE_RECURSIVE_H
#define TERRANE_FRACTAL_CUDA_RECURSIVE_RECURSIVE_H

#include "library/core/cuda/batch.h"
#include "library/core/cuda/check.h"
#include "library/fractal/height.h"

/** Make a tile of a batch. scratch: two arrays in device memory, of ter_recursive_scratch floats each. */
ter_status ter_recursive(const ter_field *f, const ter_cuda_tile *tile, const ter_cuda_batch *batch,
                         float *const scratch[2], cudaStream_t stream);

/** Number of floats of each scratch array. The largest level in these arrays is the one directly above the tile's. */
size_t ter_recursive_scratch(const ter_field *f, const ter_cuda_tile *tile, int width, int height);

#endif
