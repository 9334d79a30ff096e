/* tile_list.cuh - the tiles of a call, and their places in the output. */
#ifndef TERRANE_CORE_CUDA_TILE_LIST_CUH
#define TERRANE_CORE_CUDA_TILE_LIST_CUH

#include "library/core/layer_arrays.h"

namespace ter_cuda
{

/** Tiles to make, and their places in the output. */
struct tile_list {
    const ter_tile *tiles; /* host memory, copied before the call returns */
    size_t count;
    const ter_tile_layout *layout;

    size_t slot(size_t n) const
    {
        return layout->slots ? layout->slots[n] : n;
    }
};

} // namespace ter_cuda

#endif
