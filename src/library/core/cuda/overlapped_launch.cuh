/* overlapped_launch.cuh - launches of kernels that begin while the kernel before them in the stream is still running.
 */
#ifndef TERRANE_CORE_CUDA_OVERLAPPED_LAUNCH_CUH
#define TERRANE_CORE_CUDA_OVERLAPPED_LAUNCH_CUH

#include "library/core/cuda/check.h"

namespace
{

/** Let the next kernel of the stream start as soon as it finds room, if it was launched to overlap. */
__device__ __forceinline__ void let_next_kernel_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/** Wait until the kernel before this one in the stream is complete, with all that it stored. */
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

/** Allow a kernel its dynamic shared memory, where that takes more than every kernel has. */
template <class KERNEL> ter_status allow_shared(KERNEL kernel, int bytes)
{
    constexpr int ALWAYS_ALLOWED = 48 * 1024;
    if (bytes > ALWAYS_ALLOWED)
        TER_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return TER_OK;
}

/** Launch a kernel whose blocks may make their coarse levels while the kernel before it in the stream is still running;
 * it calls wait_for_previous_kernel before it stores. Source: "Programmatic Dependent Launch", CUDA C++ Programming
 * Guide. */
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
