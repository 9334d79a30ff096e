/* shared_networks.cuh - decides which blocks share a network. */
#ifndef TERRANE_FLUVIAL_CUDA_SHARED_NETWORKS_CUH
#define TERRANE_FLUVIAL_CUDA_SHARED_NETWORKS_CUH

#include <vector>

#include "library/fluvial/plan.h"

namespace ter_cuda
{

/** A network and the blocks that share it. */
struct network {
    ter_window cells; /* cells of the last level over which the blocks lie */
    size_t bytes;     /* of its arrays */
    std::vector<int> blocks;
};

/** Bytes of the arrays of a network over some cells. */
size_t network_bytes(ter_window cells);

/** Find networks for blocks. Blocks near each other share a network if it has no more nodes than two separate networks.
 *
 *  cells  window of cells over which each block lies
 *  most   greatest size of a shared network, bytes
 */
std::vector<network> share_networks(const std::vector<ter_window> &cells, size_t most);

} // namespace ter_cuda

#endif
