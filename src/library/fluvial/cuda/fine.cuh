/* fine.cuh - fills tiles of levels of detail below 0, whose samples lie 50 to 6.25 cm apart. */
#ifndef TERRANE_FLUVIAL_CUDA_FINE_CUH
#define TERRANE_FLUVIAL_CUDA_FINE_CUH

#include "library/fluvial/cuda/overview.cuh"

namespace ter_cuda
{

/** Fill tiles of levels of detail below 0.
 *
 *  fill_points  makes the points from which the samples are made
 *  Errors       TER_ENOMEM, TER_EDEVICE
 */
ter_status fill_fine(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                     cudaStream_t stream, fill_points_function *fill_points);

} // namespace ter_cuda

#endif
