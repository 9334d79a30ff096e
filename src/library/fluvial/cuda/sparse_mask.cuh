/* sparse_mask.cuh - masks of the cells of a network that are near places.
 *
 * A rectangle of the world lies askew in the plane of the network, so a window around it has up to twice as many cells
 * as the rectangle. The passes of the finest levels skip cells that are not near any place. A mask holds a number for
 * each tile of cells:
 *
 *     +-----------------+
 *     | 1 1 1 1 2 2 3 4 |     0: a place may read the channels of these cells
 *     | 1 0 0 1 1 2 3 4 |     1, 2, ..: rings of tiles around these. A pass reads results of earlier passes up to
 *     | 1 0 0 0 1 2 3 4 |     a tile away, so an earlier pass covers more rings than a later one
 *     +-----------------+
 */
#ifndef TERRANE_FLUVIAL_CUDA_SPARSE_MASK_CUH
#define TERRANE_FLUVIAL_CUDA_SPARSE_MASK_CUH

#include "library/fluvial/cuda/batch.cuh"
#include "library/fluvial/cuda/shared_networks.cuh"

namespace ter_cuda
{

constexpr int MASK_SHIFT = 3;       /* a tile is 2^3 cells of the last level wide */
constexpr int MASK_FIRST_LEVEL = 7; /* coarser levels are made everywhere */

/** Rings that each step covers at the last level. Each coarser level covers RINGS_OF_A_LEVEL more. */
enum {
    RINGS_OF_PIECES = 0,
    RINGS_OF_SLOPES = 1, /* a piece reads slopes two nodes away, and smoothed places three nodes away */
    RINGS_OF_CHANNELS = 2,
    RINGS_OF_AREAS = 2, /* the area of a free node depends on nodes up to two cells away */
    RINGS_OF_NODES = 3,
    RINGS_OF_CORNERS = 5, /* a node reads children two cells away, after all corners have been made */
    RINGS_OF_CHILDREN = 6,
    RINGS_OF_EDGES = 7,
    RINGS_OF_A_LEVEL = 5,
    RINGS_MAX = RINGS_OF_EDGES + RINGS_OF_A_LEVEL * (TER_NETWORK_LAST - MASK_FIRST_LEVEL)
};

/** The mask of one network. */
struct tile_mask {
    ter_window at;        /* window of tiles */
    unsigned char *rings; /* ring of each tile, at most RINGS_MAX + 1. While marking: 1 at marked tiles, 0 elsewhere */
    unsigned char *rows;  /* distance from the nearest marked tile of the same row, in tiles */
};

/** Whether a cell of a level lies within some rings of a mask. mask: NULL: every cell does */
__device__ __forceinline__ bool is_in_mask(const tile_mask *mask, int level, int64_t x, int64_t y, int rings)
{
    if (!mask)
        return true;
    const int shift = MASK_SHIFT - (TER_NETWORK_LAST - level);
    return mask->rings[ter_window_index(mask->at, x >> shift, y >> shift)] <= rings;
}

/** Make the masks of networks.
 *
 *  blocks    plans of all blocks of these networks, in device memory; the knots of their warps have been made
 *  networks  the networks of these blocks
 *  stream    stream on which the networks are made
 *  masks     receives a pointer to one mask for each network, in device memory, valid until the next call
 *  Errors    TER_ENOMEM, TER_EDEVICE
 */
ter_status find_masks(const ter_fluvial_job *blocks, const std::vector<network> &networks, fluvial_memory *memory,
                      cudaStream_t stream, const tile_mask **masks);

} // namespace ter_cuda

#endif
