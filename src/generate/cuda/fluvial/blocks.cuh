/* blocks.cuh - tiles of fluvial worlds, cut into blocks. */
#ifndef TER_GENERATE_CUDA_FLUVIAL_BLOCKS_CUH
#define TER_GENERATE_CUDA_FLUVIAL_BLOCKS_CUH

#include <vector>

#include "generate/cuda/fill.cuh"
#include "generate/cuda/fluvial/launch.cuh"

namespace ter_cuda
{

/** One block: a part of a tile. */
struct fluvial_block {
    ter_lattice points;
    size_t first; /* its first sample in each layer */
    int lod;
};

/** Blocks of the tiles first .. end - 1. side: samples of a block's side at a level of detail */
inline void cut_blocks(const ter_world *world, const tile_list &list, size_t first, size_t end, int (*side_at)(int lod),
                       std::vector<fluvial_block> *blocks)
{
    const ter_tile_layout &layout = *list.layout;
    for (size_t n = first; n < end; n++) {
        const int lod = world->params.levels - list.tiles[n].level, side = side_at(lod);
        for (int y = 0; y < layout.height; y += side)
            for (int x = 0; x < layout.width; x += side) {
                const ter_window at = {list.tiles[n].i + x, list.tiles[n].j + y, layout.width - x < side ? layout.width - x : side,
                                       layout.height - y < side ? layout.height - y : side};
                blocks->push_back(
                    {{at, 1 << lod}, list.slot(n) * layout.slot_stride + (size_t)y * layout.row_stride + (size_t)x, lod});
            }
    }
}

/** Where the samples of a block go. */
inline ter_fluvial_output output_of(const fluvial_block &block, size_t stride, const ter_layers &out)
{
    ter_fluvial_output samples = {};
    samples.stride = stride;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        samples.layer[layer] = out.at[layer] ? out.at[layer] + block.first : nullptr;
    return samples;
}

/** Copy to device memory, which grows as needed. */
template <class T> ter_status upload(device_array *memory, const std::vector<T> &values, cudaStream_t stream)
{
    const size_t bytes = values.size() * sizeof(T);
    const ter_status status = reserve(memory, bytes);
    if (status == TER_OK)
        TER_CUDA(cudaMemcpyAsync(memory->at, values.data(), bytes, cudaMemcpyHostToDevice, stream));
    return status;
}

/** The method tiled: lists and shared networks. */
ter_status fill_fluvial_tiled(cuda_state *cuda, const ter_world *world, const tile_list &list, const ter_layers &out,
                              cudaStream_t stream);

} // namespace ter_cuda

#endif
