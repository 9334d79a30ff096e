/* fluvial.h - fills device memory with samples of fluvial worlds. */
#ifndef TERRANE_FLUVIAL_CUDA_FLUVIAL_H
#define TERRANE_FLUVIAL_CUDA_FLUVIAL_H

#include "library/core/cuda/tile_list.cuh"
#include "library/fluvial/cuda/memory.cuh"

namespace ter_cuda
{

/** Queue the filling of tiles on a stream. The call waits for the device once: the windows of the network depend on the
 * warp, which the device computes.
 *
 *  out     device pointers; the layout of the list is that of each layer
 *  Errors  TER_ENOMEM, TER_EDEVICE; TER_EINVAL while the stream is recording a graph
 */
ter_status fill_fluvial(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                        cudaStream_t stream);

} // namespace ter_cuda

#endif
