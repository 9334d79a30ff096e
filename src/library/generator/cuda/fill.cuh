/* fill.cuh - fills memory with tiles, for the backend's table, its statistics and its fetches. */
#ifndef TERRANE_GENERATOR_CUDA_FILL_CUH
#define TERRANE_GENERATOR_CUDA_FILL_CUH

#include "library/core/cuda/tile_list.cuh"
#include "library/core/quantise.h"
#include "library/generator/cuda/state.cuh"
#include "library/world/world.h"

namespace ter_cuda
{

/** Device memory for samples: either heights, or 16-bit samples of a quantiser. */
struct sample_memory {
    float *heights;
    uint16_t *samples; /* used if heights is NULL */
    ter_quantiser quantiser;

    sample_memory from(size_t n) const
    {
        return {heights ? heights + n : nullptr, samples ? samples + n : nullptr, quantiser};
    }
};

/** Queue the making of tiles on a stream. Errors TER_ENOMEM, TER_EDEVICE */
ter_status fill_device(cuda_state *cuda, const ter_world *world, const tile_list &list, const sample_memory &out,
                       cudaStream_t stream);

/** Queue the making of layers of tiles on a stream. Errors TER_ENOMEM, TER_EDEVICE */
ter_status fill_layers_device(cuda_state *cuda, const ter_world *world, const tile_list &list, const ter_layers &out,
                              cudaStream_t stream);

/** Fill host memory with layers of tiles, and wait for it. Errors TER_ENOMEM, TER_EDEVICE */
ter_status fill_host(cuda_state *cuda, const ter_world *world, const tile_list &list, const ter_layers &out);

} // namespace ter_cuda

#endif
