/* network.cuh - makes the network for the method `tiled` and for overviews. */
#ifndef TERRANE_FLUVIAL_CUDA_NETWORK_CUH
#define TERRANE_FLUVIAL_CUDA_NETWORK_CUH

#include "library/fluvial/cuda/sparse_mask.cuh"

namespace ter_cuda
{

/** Make the network from provinces to the nodes of level ter_fluvial_job.last, which is the same for all jobs.
 *
 *  masks   one mask for each network, in device memory; nodes outside of them are not made. NULL: all nodes are made
 *  Errors  TER_EDEVICE
 */
ter_status run_node_levels(const fluvial_jobs &jobs, const tile_mask *masks);

/** Make the network from provinces to the channels of the last level and the slopes of their valleys, as run_channels.
 *
 *  masks   as above
 *  Errors  TER_EDEVICE
 */
ter_status run_network(const fluvial_jobs &jobs, const tile_mask *masks);

} // namespace ter_cuda

#endif
