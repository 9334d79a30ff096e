/* single_pass.h - method `single-pass`: each thread computes all levels above its samples in registers. One launch
 * writes each height once and reads none. */
#ifndef TERRANE_FRACTAL_CUDA_SINGLE_PASS_SINGLE_PASS_H
#define TERRANE_FRACTAL_CUDA_SINGLE_PASS_SINGLE_PASS_H

#include "library/core/cuda/batch.h"
#include "library/core/cuda/check.h"
#include "library/fractal/height.h"

enum { TER_WARP_LEVEL_MIN = 6 }; /* a warp's 64 x 32 samples lie in one cell six levels above them */

/** Make the tiles of a batch with one sample per thread. */
ter_status ter_samples(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

/** Make the tiles of a batch with 8 x 8 samples per thread, so 64 x 32 per warp. For tiles of level TER_WARP_LEVEL_MIN
 * and finer. */
ter_status ter_warps(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

/** Make the heights of `count` points of a level with one point per thread. points, out: device memory. */
ter_status ter_points(const ter_field *f, int level, const int64_t (*points)[2], size_t count, float *out,
                      cudaStream_t stream);

#endif
