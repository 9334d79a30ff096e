/* blocks.cuh - cuts tiles of fluvial worlds into blocks. */
#ifndef TERRANE_FLUVIAL_CUDA_BLOCKS_CUH
#define TERRANE_FLUVIAL_CUDA_BLOCKS_CUH

#include <algorithm>
#include <vector>

#include "library/core/cuda/tile_list.cuh"
#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** A part of a rectangle that is made at once. */
struct fluvial_block {
    ter_lattice points;         /* the samples; at levels of detail below 0 the step is not used */
    ter_fluvial_output samples; /* where they go */
    int lod;
};

/** Output of a rectangle whose first sample is sample `first` of each layer. */
inline ter_fluvial_output output_of(const ter_layers &layers, size_t first, size_t stride)
{
    ter_fluvial_output samples = {};
    samples.stride = stride;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        samples.layer[layer] = layers.at[layer] ? layers.at[layer] + first : nullptr;
    return samples;
}

/** Cut a rectangle into blocks, and append them.
 *
 *  samples  output of the rectangle
 *  side_at  returns the side of a block at a level of detail, samples
 */
inline void cut_blocks(const ter_fluvial *world, const ter_rect &rect, const ter_fluvial_output &samples,
                       int (*side_at)(int lod), std::vector<fluvial_block> *blocks)
{
    const int lod = world->levels - rect.level, side = side_at(lod);
    for (int64_t y = 0; y < rect.height; y += side)
        for (int64_t x = 0; x < rect.width; x += side) {
            const ter_window at = {rect.i + x, rect.j + y, (int)std::min<int64_t>(rect.width - x, side),
                                   (int)std::min<int64_t>(rect.height - y, side)};
            fluvial_block block = {{at, lod > 0 ? 1 << lod : 1}, samples, lod};
            for (float *&layer : block.samples.layer)
                layer = layer ? layer + (size_t)y * samples.stride + (size_t)x : nullptr;
            blocks->push_back(block);
        }
}

/** Cut tile n of a call into blocks, which write straight to the call's layers. */
inline void cut_tile(const ter_fluvial *world, const tile_list &list, size_t n, const ter_layers &out,
                     int (*side_at)(int lod), std::vector<fluvial_block> *blocks)
{
    const ter_tile_layout &layout = *list.layout;
    const ter_tile &tile = list.tiles[n];
    cut_blocks(world, {tile.level, tile.i, tile.j, layout.width, layout.height},
               output_of(out, list.slot(n) * layout.slot_stride, layout.row_stride), side_at, blocks);
}

/** Fill tiles whose samples are points, by the method `tiled`. Errors TER_ENOMEM, TER_EDEVICE */
ter_status fill_fluvial_tiled(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                              const ter_layers &out, cudaStream_t stream);

} // namespace ter_cuda

#endif
