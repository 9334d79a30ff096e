/* shared_tiles.cu - merges tiles into rectangles, and copies the samples of rectangles to the tiles. A block of threads
 * copies some rows of one layer of a tile; lanes lie along rows. */
#include "library/fluvial/cuda/shared_tiles.cuh"

#include "library/fluvial/cuda/blocks.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS_X = 32, THREADS_Y = 8, PARTS = 4; /* PARTS: blocks of threads for each layer of a tile */

__global__ void __launch_bounds__(THREADS_X *THREADS_Y)
    copy_kernel(const tile_copy *copies, const __grid_constant__ ter_layers from, const __grid_constant__ ter_layers to,
                int width, int height, size_t stride)
{
    const int layer = (int)blockIdx.z;
    if (!from.at[layer])
        return;
    const tile_copy copy = copies[blockIdx.x];
    for (int y = (int)(blockIdx.y * THREADS_Y + threadIdx.y); y < height; y += PARTS * THREADS_Y)
        for (int x = (int)threadIdx.x; x < width; x += THREADS_X)
            to.at[layer][copy.to + (size_t)y * stride + (size_t)x] =
                from.at[layer][copy.from + (size_t)y * copy.stride + (size_t)x];
}

} // namespace

merged_tiles ter_cuda::merge_tiles(const ter_fluvial *world, const tile_list &list)
{
    constexpr size_t POINTS_MAX = (size_t)1 << 20;
    const ter_tile_layout &layout = *list.layout;
    const ter_merge_batch batch = {world,        world->levels, list.tiles, list.count,
                                   layout.width, layout.height, POINTS_MAX};
    merged_tiles tiles = {std::vector<size_t>(list.count), std::vector<ter_merged_rect>(list.count)};
    if ((int64_t)layout.width * layout.height <= FEW_POINTS)
        ter_merge_none(&batch, tiles.order.data(), tiles.rects.data());
    else
        tiles.rects.resize(ter_merge_tiles(&batch, tiles.order.data(), tiles.rects.data()));
    return tiles;
}

size_t shared_samples::add(const merged_tiles &tiles, const ter_merged_rect &rect, const tile_list &list)
{
    const size_t first = samples, stride = (size_t)rect.at.width;
    for (size_t n = rect.first; n < rect.first + rect.count; n++) {
        const ter_tile &tile = list.tiles[tiles.order[n]];
        copies.push_back({first + (size_t)(tile.j - rect.at.j) * stride + (size_t)(tile.i - rect.at.i),
                          list.slot(tiles.order[n]) * list.layout->slot_stride, stride});
    }
    samples += stride * (size_t)rect.at.height;
    return first;
}

ter_status ter_cuda::reserve_shared(fluvial_memory *memory, const shared_samples &shared, const ter_layers &out,
                                    ter_layers *layers)
{
    size_t n_layers = 0;
    for (const float *layer : out.at)
        n_layers += layer != nullptr;
    const ter_status status = reserve(&memory->shared, n_layers * shared.samples * sizeof(float));
    n_layers = 0;
    *layers = {};
    for (int n = 0; n < TER_LAND_LAYERS && status == TER_OK; n++)
        layers->at[n] = out.at[n] ? (float *)memory->shared.at + n_layers++ * shared.samples : nullptr;
    return status;
}

ter_status ter_cuda::copy_shared(fluvial_memory *memory, const shared_samples &shared, const ter_layers &layers,
                                 const ter_tile_layout &layout, const ter_layers &out, cudaStream_t stream)
{
    if (shared.copies.empty())
        return TER_OK;
    const ter_status status = upload(&memory->copies, shared.copies, stream);
    if (status != TER_OK)
        return status;
    copy_kernel<<<dim3((unsigned)shared.copies.size(), PARTS, TER_LAND_LAYERS), dim3(THREADS_X, THREADS_Y), 0,
                  stream>>>((const tile_copy *)memory->copies.at, layers, out, layout.width, layout.height,
                            layout.row_stride);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
