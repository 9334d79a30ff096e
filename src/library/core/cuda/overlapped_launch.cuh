/* overlapped_launch.cuh - launches kernels that begin while the previous kernel in the stream is still running. */
#ifndef TERRANE_CORE_CUDA_OVERLAPPED_LAUNCH_CUH
#define TERRANE_CORE_CUDA_OVERLAPPED_LAUNCH_CUH

#include "library/core/cuda/check.h"

namespace
{

/** Let the next kernel in the stream start as soon as the device has room, if it was launched by launch_overlapped. */
__device__ __forceinline__ void let_next_kernel_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/** Wait until the previous kernel in the stream is complete and its stores are visible. */
__device__ __forceinline__ void wait_for_previous_kernel()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/** An attribute of the current device. */
inline ter_status find_attribute(cudaDeviceAttr attribute, int *value)
{
    int device = 0;
    TER_CUDA(cudaGetDevice(&device));
    TER_CUDA(cudaDeviceGetAttribute(value, attribute, device));
    return TER_OK;
}

/** Allow a kernel its dynamic shared memory if it needs more than the default limit. */
template <class KERNEL> ter_status allow_shared(KERNEL kernel, int bytes)
{
    constexpr int ALWAYS_ALLOWED = 48 * 1024;
    if (bytes > ALWAYS_ALLOWED)
        TER_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return TER_OK;
}

/** Launch a kernel whose blocks may make their coarse levels while the previous kernel in the stream is still running.
 * The kernel must call wait_for_previous_kernel before it stores. Source: "Programmatic Dependent Launch", CUDA C++
 * Programming Guide. */
template <class KERNEL, class... ARGUMENTS>
ter_status launch_overlapped(KERNEL kernel, dim3 blocks, int threads, int shared_bytes, cudaStream_t stream,
                             const ARGUMENTS &...arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    int compute_major = 0;
    ter_status status = find_attribute(cudaDevAttrComputeCapabilityMajor, &compute_major);
    if (status == TER_OK)
        status = allow_shared(kernel, shared_bytes);
    if (status != TER_OK)
        return status;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = (size_t)shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = compute_major >= 9 ? 1 : 0;
    TER_CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
    return TER_OK;
}

} // namespace

#endif
