/* shared_tiles.cuh - rectangles that several tiles lie in, and the copying of their samples to the tiles. */
#ifndef TERRANE_FLUVIAL_CUDA_SHARED_TILES_CUH
#define TERRANE_FLUVIAL_CUDA_SHARED_TILES_CUH

#include <vector>

#include "library/core/cuda/tile_list.cuh"
#include "library/fluvial/cuda/memory.cuh"
#include "library/fluvial/tile_merge.h"

namespace ter_cuda
{

/** The tiles of a call, united. */
struct united_tiles {
    std::vector<size_t> order;
    std::vector<ter_merged_rect> rects; /* coarse ones first */
};

/** Unite the tiles of a call. A few points stay by themselves: what they need of the network is found on the host. */
united_tiles unite_tiles(const ter_fluvial *world, const tile_list &list);

/** A tile of a rectangle: from scratch memory to where the caller wants it, in each layer. */
struct tile_copy {
    size_t from, to; /* samples from the layer's first one */
    size_t stride;   /* of the rectangle's rows */
};

/** Scratch memory of rectangles, layer by layer. */
struct shared_samples {
    size_t samples; /* of a layer */
    std::vector<tile_copy> copies;

    /** Make room for a rectangle's samples and list its tiles. Returns its first sample in each layer. */
    size_t add(const united_tiles &tiles, const ter_merged_rect &rect, const tile_list &list);
};

/** Layers of that memory, which grows as needed. Errors TER_ENOMEM, TER_EDEVICE */
ter_status reserve_shared(fluvial_memory *memory, const shared_samples &shared, const ter_layers &out,
                          ter_layers *layers);

/** Copy the samples of all tiles. Errors TER_ENOMEM, TER_EDEVICE */
ter_status copy_shared(fluvial_memory *memory, const shared_samples &shared, const ter_layers &layers,
                       const ter_tile_layout &layout, const ter_layers &out, cudaStream_t stream);

} // namespace ter_cuda

#endif
