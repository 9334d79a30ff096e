/* craters.h - adds craters to a batch of tiles on a CUDA device. */
#ifndef TERRANE_FRACTAL_CUDA_CRATERS_H
#define TERRANE_FRACTAL_CUDA_CRATERS_H

#include "library/core/cuda/batch.h"
#include "library/core/cuda/check.h"
#include "library/fractal/height.h"

/** Add the craters of a world that has some to tiles of floats that have heights without craters. */
ter_status ter_cuda_craters(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

#endif
