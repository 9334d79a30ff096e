/* memory.cu - memory that callers own: pinned host memory for results, device memory for morphs. */
#include "library/core/cuda/check.h"
#include "library/core/cuda/device_state.cuh"
#include "library/generator/cuda/entries.h"

ter_status ter_cuda_host_memory_create(void *state, size_t bytes, void **memory)
{
    TER_CUDA(cudaSetDevice(ter_cuda::device_of(state)));
    TER_CUDA(cudaHostAlloc(memory, bytes, cudaHostAllocPortable));
    return TER_OK;
}

void ter_cuda_host_memory_destroy(void *state, void *memory)
{
    cudaSetDevice(ter_cuda::device_of(state));
    cudaFreeHost(memory);
}

ter_status ter_cuda_memory_create(void *state, size_t bytes, void **memory)
{
    TER_CUDA(cudaSetDevice(ter_cuda::device_of(state)));
    TER_CUDA(cudaMalloc(memory, bytes));
    return TER_OK;
}

void ter_cuda_memory_destroy(void *state, void *memory)
{
    cudaSetDevice(ter_cuda::device_of(state));
    cudaFree(memory);
}

ter_status ter_cuda_memory_read(void *state, const void *memory, size_t bytes, void *out)
{
    TER_CUDA(cudaSetDevice(ter_cuda::device_of(state)));
    TER_CUDA(cudaMemcpy(out, memory, bytes, cudaMemcpyDeviceToHost));
    return TER_OK;
}
