/* common_memory.cuh - memory for the common levels that launches of ter_regions share among their blocks. Each stream
 * has its own memory.
 *
 * A launch may begin while the previous launch in the stream is still running, so two memories alternate:
 *
 *     launch           1          2          3          4
 *     makes, reads     levels[1]  levels[0]  levels[1]  levels[0]     a point is stored as (height, launch)
 *
 * Launch 3 starts after launch 1 has ended, because launch 2 lets it start only once all launches before launch 2 are
 * complete. */
#ifndef TERRANE_FRACTAL_CUDA_TILED_COMMON_MEMORY_CUH
#define TERRANE_FRACTAL_CUDA_TILED_COMMON_MEMORY_CUH

#include "library/core/cuda/device_array.cuh"
#include "library/fractal/cuda/tiled/tiled.h"

namespace ter_cuda
{

constexpr int COMMON_STREAMS = 16; /* streams that have their own memory at the same time */

/** Common levels of the launches on one stream; launches alternate between the two. */
struct common_memory {
    bool is_used;
    unsigned long long stream; /* its id */
    device_array levels[2];
    unsigned launches; /* so far, on all streams that have used this memory */
};

struct common_memories {
    common_memory of_stream[COMMON_STREAMS];
};

/** Find the id of a stream. Before CUDA 12 there is no unique id, so the address is used. Then a stream must not be
 * destroyed while its work is running if another stream is created afterwards: the new stream may get its address. */
inline ter_status find_stream_id(cudaStream_t stream, unsigned long long *id)
{
#if CUDART_VERSION >= 12000
    TER_CUDA(cudaStreamGetId(stream, id));
#else
    *id = (unsigned long long)(uintptr_t)stream;
#endif
    return TER_OK;
}

/** Find the memory that belongs to a stream. If all memories are in use, all are released, because their streams may
 * have been destroyed. */
inline ter_status find_of_stream(common_memories *all, cudaStream_t stream, common_memory **found)
{
    unsigned long long id = 0;
    const ter_status status = find_stream_id(stream, &id);
    if (status != TER_OK)
        return status;
    common_memory *unused = nullptr;
    for (common_memory &c : all->of_stream) {
        if (c.is_used && c.stream == id) {
            *found = &c;
            return TER_OK;
        }
        if (!c.is_used && !unused)
            unused = &c;
    }
    if (!unused) {
        TER_CUDA(cudaDeviceSynchronize()); /* launches may still use the memory */
        for (common_memory &c : all->of_stream)
            c.is_used = false;
        unused = &all->of_stream[0];
    }
    unused->is_used = true;
    unused->stream = id;
    *found = unused;
    return TER_OK;
}

inline void free_levels(const common_memory &c)
{
    for (const device_array &array : c.levels)
        cudaFree(array.at); /* waits for the kernels that use it */
}

/** Reserve memory. New memory is filled with 0. idle: the stream that fills it; it should have little other work */
inline ter_status reserve_zeroed(device_array *array, size_t bytes, cudaStream_t idle)
{
    const size_t bytes_before = array->bytes;
    const ter_status status = reserve(array, bytes);
    if (status != TER_OK || array->bytes == bytes_before)
        return status;
    cudaError_t error = cudaMemsetAsync(array->at, 0, array->bytes, idle);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(idle);
    if (error != cudaSuccess)
        array->bytes = 0; /* try again next time */
    return error == cudaSuccess ? TER_OK : ter_cuda_fail(error, "cudaMemsetAsync");
}

/** Find, or reserve, the two memories of `points` points for the launches of ter_regions on a stream. */
inline ter_status find_common_memory(common_memories *all, size_t points, cudaStream_t stream, cudaStream_t idle,
                                     common_memory **found)
{
    ter_status status = find_of_stream(all, stream, found);
    if (status == TER_OK &&
        (*found)->launches == UINT32_MAX) { /* numbers begin again, so points of the first launches must be erased */
        free_levels(**found);
        **found = {true, (*found)->stream, {}, 0};
    }
    for (int n = 0; n < 2 && status == TER_OK; n++)
        status = reserve_zeroed(&(*found)->levels[n], points * sizeof(ter_cuda_common_point), idle);
    return status;
}

/** Memory and number of the next launch. After the launch has succeeded, the caller sets `launches` to this number. If
 * the launch fails, `launches` stays, because the previous launch may still use the other memory. */
inline ter_cuda_common next_common(const common_memory &c)
{
    const unsigned launch = c.launches + 1;
    return {(ter_cuda_common_point *)c.levels[launch % 2].at, launch};
}

inline void free_common_memories(const common_memories *all)
{
    for (const common_memory &c : all->of_stream)
        free_levels(c);
}

} // namespace ter_cuda

#endif
