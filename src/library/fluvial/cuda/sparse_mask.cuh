/* sparse_mask.cuh - the cells of a network that places are near.
 *
 * A rectangle of the world lies askew in the plane of the network, and a window around it has up to twice its cells.
 * The passes of the finest levels leave out what no place is near, by tiles of cells:
 *
 *     +-----------------+
 *     | 1 1 1 1 2 2 3 4 |     0: a place may look at the channels of these cells
 *     | 1 0 0 1 1 2 3 4 |     1, 2, ..: rings of tiles around them. A pass reads results of earlier passes up to a tile
 *     | 1 0 0 0 1 2 3 4 |     away, so each pass covers some rings more than the next
 *     +-----------------+
 */
#ifndef TERRANE_FLUVIAL_CUDA_SPARSE_MASK_CUH
#define TERRANE_FLUVIAL_CUDA_SPARSE_MASK_CUH

#include "library/fluvial/cuda/batch.cuh"
#include "library/fluvial/cuda/shared_networks.cuh"

namespace ter_cuda
{

constexpr int WANTED_SHIFT = 3;       /* a tile is 2^3 cells of the last level wide */
constexpr int WANTED_FIRST_LEVEL = 7; /* levels before it are made everywhere */

/** Rings to which each step is made, at the last level. Each level before goes RINGS_OF_A_LEVEL further. */
enum {
    RINGS_OF_PIECES = 0,
    RINGS_OF_SLOPES =
        1, /* A piece reads slopes two nodes away and smoothed places three away: both are made to this ring. */
    RINGS_OF_CHANNELS = 2,
    RINGS_OF_AREAS = 2, /* the area of a free node depends on nodes two away */
    RINGS_OF_NODES = 3,
    RINGS_OF_CORNERS = 5, /* A node reads children two away, as all corners have left them. */
    RINGS_OF_CHILDREN = 6,
    RINGS_OF_EDGES = 7,
    RINGS_OF_A_LEVEL = 5,
    RINGS_MAX = RINGS_OF_EDGES + RINGS_OF_A_LEVEL * (TER_NETWORK_LAST - WANTED_FIRST_LEVEL)
};

/** Of one network. */
struct wanted_tiles {
    ter_window at;
    unsigned char *rings; /* of each tile; RINGS_MAX + 1: further. At first 1 at marked tiles, 0 elsewhere */
    unsigned char *rows;  /* the same along each tile's row */
};

/** Whether a cell of a level is made. wanted: of the network; NULL: all are */
__device__ __forceinline__ bool is_wanted(const wanted_tiles *wanted, int level, int64_t x, int64_t y, int rings)
{
    if (!wanted)
        return true;
    const int shift = WANTED_SHIFT - (TER_NETWORK_LAST - level);
    return wanted->rings[ter_window_index(wanted->at, x >> shift, y >> shift)] <= rings;
}

/** Find the wanted tiles of some networks.
 *
 *  blocks    all that share these networks, in device memory, with the knots of their warps made
 *  networks  that are made for these blocks alone
 *  stream    that of the networks
 *  wanted    receives one a network, in device memory, until the next call
 *  Errors    TER_EDEVICE
 */
ter_status find_wanted(const ter_fluvial_job *blocks, const std::vector<network> &networks, fluvial_memory *memory,
                       cudaStream_t stream, const wanted_tiles **wanted);

} // namespace ter_cuda

#endif
