/* networks.cuh - drainage networks of the method tiled: shared by blocks near each other, and kept for later calls. */
#ifndef TER_GENERATE_CUDA_FLUVIAL_NETWORKS_CUH
#define TER_GENERATE_CUDA_FLUVIAL_NETWORKS_CUH

#include <vector>

#include "generate/cuda/state.cuh"
#include "world/fluvial/plan.h"

namespace ter_cuda
{

/** A network, and the blocks that share it: their numbers. */
struct network {
    ter_window cells; /* of the last level, over which they lie */
    std::vector<int> blocks;
};

/** Nodes of the last level of a network over some cells. */
size_t last_nodes(ter_window cells);

/** Networks for blocks that lie over some cells each: blocks share one where that costs less than networks of their own.
 *
 *  nodes_max  of the last level of a network that is shared
 */
std::vector<network> share_networks(const std::vector<ter_window> &cells, size_t nodes_max);

/** Plans of networks whose arrays are there when the stream comes to what is queued next: of earlier calls, or made now. They last
 *  until the next call of this function; those that a generator keeps, until memory for others is needed.
 *
 *  is_all  the networks are all that this call of the generator needs: one large one is kept, too
 *  Errors  TER_ENOMEM, TER_EDEVICE
 */
ter_status take_networks(fluvial_memory *memory, const ter_fluvial *f, const network *networks, size_t count, bool is_all,
                         cudaStream_t stream, std::vector<ter_fluvial_job> *plans);

} // namespace ter_cuda

#endif
