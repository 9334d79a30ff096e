/* shared_networks.cuh - which blocks share a network. */
#ifndef TERRANE_FLUVIAL_CUDA_SHARED_NETWORKS_CUH
#define TERRANE_FLUVIAL_CUDA_SHARED_NETWORKS_CUH

#include <vector>

#include "library/fluvial/plan.h"

namespace ter_cuda
{

/** A network and the blocks that share it. */
struct network {
    ter_window cells; /* of the last level, over which they lie */
    size_t bytes;     /* of its arrays */
    std::vector<int> blocks;
};

/** Bytes of the arrays of a network over some cells. */
size_t network_bytes(ter_window cells);

/** Networks for blocks near each other, as long as one costs no more nodes than two.
 *
 *  cells  of each block
 *  most   bytes of a network that blocks share
 */
std::vector<network> share_networks(const std::vector<ter_window> &cells, size_t most);

} // namespace ter_cuda

#endif
