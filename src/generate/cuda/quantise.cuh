/* quantise.cuh - heights in device memory as 16-bit samples. */
#ifndef TER_GENERATE_CUDA_QUANTISE_CUH
#define TER_GENERATE_CUDA_QUANTISE_CUH

#include "generate/cuda/fill.cuh"

namespace ter_cuda
{

/** Quantise rows of heights, `stride` floats apart, to samples of a layout. */
ter_status quantise_rows(const float *heights, size_t stride, const ter_tile_layout &layout, const sample_memory &out,
                         cudaStream_t stream);

} // namespace ter_cuda

#endif
