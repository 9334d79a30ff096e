/* quantise.cuh - heights in device memory as 16-bit samples. */
#ifndef TERRANE_GENERATOR_CUDA_QUANTISE_CUH
#define TERRANE_GENERATOR_CUDA_QUANTISE_CUH

#include "library/generator/cuda/fill.cuh"

namespace ter_cuda
{

/** Quantise rows of heights, `stride` floats apart, to samples of a layout. */
ter_status quantise_rows(const float *heights, size_t stride, const ter_tile_layout &layout, const sample_memory &out,
                         cudaStream_t stream);

} // namespace ter_cuda

#endif
