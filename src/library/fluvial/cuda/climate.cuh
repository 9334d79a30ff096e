/* climate.cuh - fills tiles with the climate of their samples. */
#ifndef TERRANE_FLUVIAL_CUDA_CLIMATE_CUH
#define TERRANE_FLUVIAL_CUDA_CLIMATE_CUH

#include <vector>

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

/** Queue the making of knots of the climate, 2^TER_CLIMATE_SHIFT lattice steps apart. Windows near each other share
 * knots.
 *
 *  windows  windows of knots
 *  plans    receives a plan for each window, whose arrays have the knots until the next call of this function or of
 *           fill_climate
 *  Errors   TER_ENOMEM, TER_EDEVICE
 */
ter_status make_climate_knots(fluvial_memory *memory, const ter_fluvial *world, const std::vector<ter_window> &windows,
                              cudaStream_t stream, std::vector<ter_climate_plan> *plans);

} // namespace ter_cuda

#endif
