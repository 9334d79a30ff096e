/* tensor_copy.cuh - asynchronous copies of boxes from shared memory to an array, by tensor maps. They exist from
 * compute capability 9.0 on. Source: "Tensor Memory Access", CUDA C++ Programming Guide; cp.async.bulk.tensor, PTX ISA.
 */
#ifndef TERRANE_FRACTAL_CUDA_TILED_TENSOR_COPY_CUH
#define TERRANE_FRACTAL_CUDA_TILED_TENSOR_COPY_CUH

#include <cuda_runtime.h>
#include <stdint.h>

#if CUDART_VERSION >= 12000
#include <cuda.h>
#include <cudaTypedefs.h>
#else
struct alignas(64) CUtensorMap {
    uint64_t opaque[16];
};
#endif

namespace
{

constexpr int TENSOR_RANK = 4;

/** An array of samples, seen in four dimensions. The innermost dimension is contiguous. */
struct tensor_shape {
    uint64_t size[TENSOR_RANK];
    uint64_t stride[TENSOR_RANK - 1]; /* of the other dimensions, samples */
    uint32_t box[TENSOR_RANK];        /* the innermost side has BOX_LINE bytes */
};

constexpr unsigned BOX_LINE = 128; /* bytes */

#if CUDART_VERSION >= 12000
/** The driver's cuTensorMapEncodeTiled; null if the driver does not have it. */
inline PFN_cuTensorMapEncodeTiled_v12000 find_encoder()
{
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
#if CUDART_VERSION >= 12050
    const cudaError_t error =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
#else
    const cudaError_t error = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
    cudaGetLastError(); /* clears an error: the kernels also work without these copies */
    return error == cudaSuccess && found == cudaDriverEntryPointSuccess ? (PFN_cuTensorMapEncodeTiled_v12000)entry
                                                                        : nullptr;
}
#endif

/** Make the tensor map of an array. Returns false if the array or a row does not start at a multiple of 16 bytes, or if
 * the driver refuses. */
template <class SAMPLE> bool make_tensor_map(SAMPLE *at, const tensor_shape &shape, CUtensorMap *map)
{
#if CUDART_VERSION >= 12000
    static const PFN_cuTensorMapEncodeTiled_v12000 encode = find_encoder();
    cuuint64_t stride_bytes[TENSOR_RANK - 1];
    bool is_aligned = (uintptr_t)at % 16 == 0;
    for (int n = 0; n < TENSOR_RANK - 1; n++) {
        stride_bytes[n] = shape.stride[n] * sizeof(SAMPLE);
        is_aligned = is_aligned && stride_bytes[n] % 16 == 0;
    }
    const cuuint32_t every[TENSOR_RANK] = {1, 1, 1, 1};
    return is_aligned && encode &&
           encode(map,
                  sizeof(SAMPLE) == sizeof(float) ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_UINT16,
                  TENSOR_RANK, at, shape.size, stride_bytes, shape.box, every, CU_TENSOR_MAP_INTERLEAVE_NONE,
                  CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
#else
    (void)at, (void)shape, (void)map;
    return false;
#endif
}

/** Place of a byte of a box in shared memory. A box has lines of 128 bytes, one after another. In each line chunks of
 * 16 bytes are permuted, so that the same chunks of eight lines lie in different banks. Tensor maps call this a swizzle
 * of 128 bytes. If two numbers have no bit in common, the place of their sum is the exclusive or of their places.
 *
 *     chunk      0 1 2 3 4 5 6 7     byte 3 * 128 + 5 * 16 = 464 of a box is in chunk 5 of line 3;
 *     line 0     0 1 2 3 4 5 6 7     its place is in chunk 5 ^ 3 = 6 of that line: place_in_box(464) = 480
 *     line 1     1 0 3 2 5 4 7 6
 *     line 2     2 3 0 1 6 7 4 5     eight lanes that write chunk 0 of eight lines
 *     line 3     3 2 1 0 7 6 5 4     write to eight different groups of banks */
__device__ __forceinline__ constexpr unsigned place_in_box(unsigned byte)
{
    return byte ^ (byte / BOX_LINE % 8) << 4;
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12000
#define TER_CAN_COPY
#endif

/** Whether this kernel was compiled for devices with tensor copies. A newer device also runs kernels that were compiled
 * for older ones. */
__device__ __forceinline__ constexpr bool can_copy()
{
#ifdef TER_CAN_COPY
    return true;
#else
    return false;
#endif
}

/** Make this thread's stores to shared memory visible to copies that any thread of its warp starts after a barrier. */
__device__ __forceinline__ void show_to_copies()
{
#ifdef TER_CAN_COPY
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/** Start to copy a box to its place in the array. The box starts at a multiple of 1024 bytes in shared memory. */
__device__ __forceinline__ void start_copy(const CUtensorMap *map, const void *from, int x, int y, int z, int w)
{
#ifdef TER_CAN_COPY
    asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%1, %2, %3, %4}], [%5];\n\t"
                 "cp.async.bulk.commit_group;" ::"l"(map),
                 "r"(x), "r"(y), "r"(z), "r"(w), "r"((uint32_t)__cvta_generic_to_shared(from))
                 : "memory");
#endif
}

/** Wait until the copies that this thread has started have read their shared memory. */
__device__ __forceinline__ void wait_for_copies()
{
#ifdef TER_CAN_COPY
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
#endif
}

} // namespace

#endif
