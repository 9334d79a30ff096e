/* device_array.cuh - device memory that grows. */
#ifndef TERRANE_CORE_CUDA_DEVICE_ARRAY_CUH
#define TERRANE_CORE_CUDA_DEVICE_ARRAY_CUH

#include <vector>

#include "library/core/cuda/check.h"

namespace ter_cuda
{

/** Device memory that grows on demand. It grows by more than requested, because freeing the old memory waits for all
 * work of the device. */
struct device_array {
    void *at;
    size_t bytes;
};

inline ter_status reserve(device_array *array, size_t bytes)
{
    if (bytes <= array->bytes)
        return TER_OK;
    TER_CUDA(cudaFree(array->at)); /* waits for the kernels that use it */
    array->at = nullptr;
    array->bytes = 0;
    constexpr size_t LEAST = (size_t)1 << 20, MOST = (size_t)32 << 20; /* of the additional memory */
    const size_t roomy = bytes + (bytes < LEAST ? LEAST : bytes < MOST ? bytes : MOST);
    TER_CUDA(cudaMalloc(&array->at, roomy));
    array->bytes = roomy;
    return TER_OK;
}

/** Copy to device memory, which grows as needed. */
template <class T> ter_status upload(device_array *memory, const std::vector<T> &values, cudaStream_t stream)
{
    const size_t bytes = values.size() * sizeof(T);
    const ter_status status = reserve(memory, bytes);
    if (status == TER_OK)
        TER_CUDA(cudaMemcpyAsync(memory->at, values.data(), bytes, cudaMemcpyHostToDevice, stream));
    return status;
}

} // namespace ter_cuda

#endif
