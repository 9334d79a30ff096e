/* target_cuda.cuh - what targets in device memory share. */
#ifndef TERRANE_BENCH_TARGET_CUDA_CUH
#define TERRANE_BENCH_TARGET_CUDA_CUH

#include <cuda_runtime.h>

extern "C" {
#include "bench/target.h"
}

/** Return from the enclosing function with what failed. */
#define TRY(call)                                                                                                                  \
    do {                                                                                                                           \
        const cudaError_t error_ = (call);                                                                                         \
        if (error_ != cudaSuccess)                                                                                                 \
            return outcome_of(OUTCOME_FAILED, "CUDA: %s (%s)", cudaGetErrorString(error_), #call);                                 \
    } while (0)

namespace
{

__global__ void fill_kernel(float4 *out, size_t count, float value)
{
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        out[n] = make_float4(value, value, value, value);
}

/** Store a constant into `count` float4s. */
inline void fill(void *at, size_t count, float value, cudaStream_t stream)
{
    fill_kernel<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>((float4 *)at, count, value);
}

} // namespace

#endif
