/* target_cuda.cuh - device memory, its fill kernel and error checks, for the benchmark's targets on one device and on
 * several devices. */
#ifndef TERRANE_PROGRAM_BENCH_TARGET_CUDA_CUH
#define TERRANE_PROGRAM_BENCH_TARGET_CUDA_CUH

#include <cuda_runtime.h>

extern "C" {
#include "program/bench/target.h"
}
#include "program/core/clock.h"

/** If a CUDA call fails, return from the enclosing function with its error. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const cudaError_t error_ = (call);                                                                             \
        if (error_ != cudaSuccess)                                                                                     \
            return result_of(RESULT_FAILED, "CUDA: %s (%s)", cudaGetErrorString(error_), #call);                       \
    } while (0)

namespace
{

__global__ void fill_kernel(float4 *out, size_t count, float value)
{
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        out[n] = make_float4(value, value, value, value);
}

/** Memory of a device, and the stream of all work in it. */
struct device_memory {
    void *at;
    size_t bytes;
    cudaStream_t stream;
};

/** Allocate memory on the current device, and touch it once. */
inline result reserve(device_memory *memory, size_t bytes)
{
    memory->bytes = bytes;
    TRY(cudaMalloc(&memory->at, bytes));
    TRY(cudaMemset(memory->at, 0, bytes));
    TRY(cudaDeviceSynchronize());
    TRY(cudaStreamCreateWithFlags(&memory->stream, cudaStreamNonBlocking));
    return result_done();
}

inline void release(const device_memory &memory)
{
    cudaFree(memory.at);
    if (memory.stream)
        cudaStreamDestroy(memory.stream);
}

/** Store a constant into all of the memory. */
inline result fill(const device_memory &memory, float value)
{
    const size_t count = memory.bytes / sizeof(float4);
    fill_kernel<<<(unsigned)((count + 255) / 256), 256, 0, memory.stream>>>((float4 *)memory.at, count, value);
    TRY(cudaGetLastError());
    return result_done();
}

} // namespace

#endif
