/* state.cuh - what a generator on a CUDA device owns. */
#ifndef TER_GENERATE_CUDA_STATE_CUH
#define TER_GENERATE_CUDA_STATE_CUH

#include "generate/cuda/tiled/common_memory.cuh"

namespace ter_cuda
{

constexpr size_t CHUNK_FLOATS = (size_t)16 << 20; /* of an array that leaves the device piece by piece: 64 MiB */

/** Memory grows on demand and is freed with the generator. */
struct cuda_state {
    int device; /* ordinal; the first member, for the entries of entries.h read it alone */
    ter_method method;
    bool is_by_sample;           /* single-pass: one sample a thread */
    cudaStream_t stream;         /* of calls that name none */
    device_array scratch[2];     /* coarser levels of `recursive` */
    cudaEvent_t scratch_is_free; /* the last call that used them may have been on another stream */
    common_memories common;      /* coarse levels that the blocks of a launch of `tiled` share */
    device_array chunk;          /* heights on their way to the host */
    device_array small;          /* points, sums, histogram */
};

} // namespace ter_cuda

#endif
