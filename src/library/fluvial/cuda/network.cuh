/* network.cuh - the network of the method tiled, and of overviews. */
#ifndef TERRANE_FLUVIAL_CUDA_NETWORK_CUH
#define TERRANE_FLUVIAL_CUDA_NETWORK_CUH

#include "library/fluvial/cuda/sparse_mask.cuh"

namespace ter_cuda
{

/** From provinces to the nodes of the finest level that is planned, ter_fluvial_job.last, where they are wanted; blocks
 * have the same one.
 *
 *  wanted  of each network, device memory; NULL: everywhere
 *  Errors  TER_EDEVICE
 */
ter_status run_node_levels(const fluvial_jobs &jobs, const wanted_tiles *wanted);

/** From provinces to the channels of the last level and the slopes beside them, as run_channels, where they are wanted.
 *
 *  wanted  of each network, device memory; NULL: everywhere
 *  Errors  TER_EDEVICE
 */
ter_status run_network(const fluvial_jobs &jobs, const wanted_tiles *wanted);

} // namespace ter_cuda

#endif
