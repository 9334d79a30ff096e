/* state.cuh - what a generator on a CUDA device owns. */
#ifndef TERRANE_GENERATOR_CUDA_STATE_CUH
#define TERRANE_GENERATOR_CUDA_STATE_CUH

#include "library/fluvial/cuda/memory.cuh"
#include "library/fractal/cuda/tiled/common_memory.cuh"

namespace ter_cuda
{

constexpr size_t CHUNK_FLOATS = (size_t)16 << 20; /* part of an array that is copied to the host at a time: 64 MiB */

/** Memory grows on demand and is freed with the generator. */
struct cuda_state : fluvial_state {
    device_array scratch[2]; /* coarser levels of `recursive` */
    common_memories common;  /* coarse levels that the blocks of a launch of `tiled` share */
    device_array chunk;      /* heights that are copied to the host or reduced */
    device_array small;      /* points, sums, histogram */
};

} // namespace ter_cuda

#endif
