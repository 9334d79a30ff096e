/* cuda_common.cuh - memory of the coarse levels that launches of ter_regions share among their blocks: each stream has its own. */
#ifndef TER_GENERATE_CUDA_COMMON_CUH
#define TER_GENERATE_CUDA_COMMON_CUH

#include "generate/cuda_memory.cuh"

namespace
{

constexpr int COMMON_STREAMS = 16; /* that keep coarse levels apart */

/** Coarse levels of the launches on one stream, which take turns. */
struct common_memory {
    bool is_used;
    unsigned long long stream; /* its id */
    device_array levels[2];
    device_array counters; /* two for each */
    bool is_zeroed;        /* they have been */
    unsigned launches;     /* so far, on any stream */
};

struct common_memories {
    common_memory of_stream[COMMON_STREAMS];
};

/** A stream's number. CUDA before 12 has none that is never used again: there, a stream that is destroyed while its work is still
 *  running must not be followed by another one's. */
inline ter_status find_stream_id(cudaStream_t stream, unsigned long long *id)
{
#if CUDART_VERSION >= 12000
    TER_CUDA(cudaStreamGetId(stream, id));
#else
    *id = (unsigned long long)(uintptr_t)stream;
#endif
    return TER_OK;
}

/** The memory that belongs to a stream. When all is in use, all of it is given up: streams that were may be gone. */
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
        TER_CUDA(cudaDeviceSynchronize()); /* launches may still use it */
        for (common_memory &c : all->of_stream)
            c.is_used = false;
        unused = &all->of_stream[0];
    }
    unused->is_used = true;
    unused->stream = id;
    *found = unused;
    return TER_OK;
}

/** Memory for the next launch of ter_regions on a stream, of `floats` each; idle: a stream that has little to do. */
inline ter_status find_common_memory(common_memories *all, size_t floats, cudaStream_t stream, cudaStream_t idle,
                                     common_memory **found)
{
    ter_status status = find_of_stream(all, stream, found);
    if (status != TER_OK)
        return status;
    common_memory *c = *found;
    status = reserve(&c->counters, 4 * sizeof(unsigned));
    for (int n = 0; n < 2 && status == TER_OK; n++)
        status = reserve(&c->levels[n], floats * sizeof(float));
    if (status == TER_OK && !c->is_zeroed) {
        TER_CUDA(cudaMemsetAsync(c->counters.at, 0, c->counters.bytes, idle));
        TER_CUDA(cudaStreamSynchronize(idle));
        c->is_zeroed = true;
    }
    return status;
}

/** The next launch's part; `launches` becomes its number once it is under way: if it fails, the one before may still use the other.
 */
inline ter_cuda_common next_common(const common_memory &c)
{
    const unsigned launch = c.launches + 1 > 0 ? c.launches + 1 : 2; /* not 0, and the turn changes all the same */
    unsigned *counters = (unsigned *)c.counters.at + 2 * (launch % 2);
    return {(float *)c.levels[launch % 2].at, counters, counters + 1, launch};
}

inline void free_common_memories(const common_memories *all)
{
    for (const common_memory &c : all->of_stream)
        for (const device_array &array : {c.levels[0], c.levels[1], c.counters})
            cudaFree(array.at);
}

} // namespace

#endif
