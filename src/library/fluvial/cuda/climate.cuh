/* climate.cuh - fills tiles with the climate of their samples. */
#ifndef TERRANE_FLUVIAL_CUDA_CLIMATE_CUH
#define TERRANE_FLUVIAL_CUDA_CLIMATE_CUH

#include "library/core/cuda/tile_list.cuh"
#include "library/fluvial/cuda/memory.cuh"

namespace ter_cuda
{

/** Queue the making of the climate's layers on a stream. The heights of the tiles have been queued before.
 *
 *  heights  layer of heights, in device memory; may be one of the requested layers
 *  out      the requested layers; those of the land are not touched
 *  Errors   TER_ENOMEM, TER_EDEVICE
 */
ter_status fill_climate(fluvial_memory *memory, const ter_fluvial *world, const tile_list &list, const float *heights,
                        const ter_layers &out, cudaStream_t stream);

} // namespace ter_cuda

#endif
