/* guides.cu - copies the tables of a guide to the device, and keeps the last two copies. */
#include "library/fluvial/cuda/guides.cuh"

#include "library/fluvial/guide.h"

using namespace ter_cuda;

ter_status ter_cuda::guided_on_device(fluvial_memory *memory, const ter_fluvial *world, cudaStream_t stream,
                                      ter_fluvial *out)
{
    *out = *world;
    if (!world->guide)
        return TER_OK;
    cached_guide *found = &memory->guide_cache[memory->guide_cache[1].used < memory->guide_cache[0].used];
    for (cached_guide &cached : memory->guide_cache)
        if (cached.used > 0 && cached.key == world->guide_key)
            found = &cached;
    const bool is_known = found->used > 0 && found->key == world->guide_key;
    found->used = 0; /* so that the entry counts as empty if the copy fails */
    if (!is_known) {
        const ter_status status = reserve(&found->tables, world->guide->bytes);
        if (status != TER_OK)
            return status;
        TER_CUDA(cudaMemcpyAsync(found->tables.at, world->guide, world->guide->bytes, cudaMemcpyHostToDevice, stream));
    }
    found->key = world->guide_key;
    found->used = ++memory->n_guides;
    out->guide = (const ter_guide_tables *)found->tables.at;
    return TER_OK;
}
