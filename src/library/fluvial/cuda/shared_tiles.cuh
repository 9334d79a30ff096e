/* shared_tiles.cuh - merges tiles into rectangles, and copies the samples of the rectangles to the tiles. */
#ifndef TERRANE_FLUVIAL_CUDA_SHARED_TILES_CUH
#define TERRANE_FLUVIAL_CUDA_SHARED_TILES_CUH

#include <vector>

#include "library/core/cuda/tile_list.cuh"
#include "library/fluvial/cuda/memory.cuh"
#include "library/fluvial/tile_merge.h"

namespace ter_cuda
{

/** The tiles of a call, merged into rectangles. */
struct merged_tiles {
    std::vector<size_t> order;
    std::vector<ter_merged_rect> rects; /* coarse ones first */
};

/** Merge the tiles of a call. Tiles of at most FEW_POINTS samples are not merged, because find_extents_of_few handles
 * such blocks on the host. */
merged_tiles merge_tiles(const ter_fluvial *world, const tile_list &list);

/** The copy of a tile from its rectangle in scratch memory to the caller's layer; the same for each layer. */
struct tile_copy {
    size_t from, to; /* index of the first sample in scratch and in the caller's layer */
    size_t stride;   /* samples of a row of the rectangle */
};

/** Samples of rectangles in scratch memory, layer by layer, and the copies to their tiles. */
struct shared_samples {
    size_t samples; /* of one layer */
    std::vector<tile_copy> copies;

    /** Add a rectangle, and the copies to its tiles. Returns the index of its first sample in each layer. */
    size_t add(const merged_tiles &tiles, const ter_merged_rect &rect, const tile_list &list);
};

/** Reserve scratch memory for all rectangles. layers: receives pointers to the layers that `out` has. Errors
 * TER_ENOMEM, TER_EDEVICE */
ter_status reserve_shared(fluvial_memory *memory, const shared_samples &shared, const ter_layers &out,
                          ter_layers *layers);

/** Queue the copies to all tiles. layers: of reserve_shared. Errors TER_ENOMEM, TER_EDEVICE */
ter_status copy_shared(fluvial_memory *memory, const shared_samples &shared, const ter_layers &layers,
                       const ter_tile_layout &layout, const ter_layers &out, cudaStream_t stream);

} // namespace ter_cuda

#endif
