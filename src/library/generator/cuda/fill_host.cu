/* fill_host.cu - fills host memory with tiles. They are made in the generator's chunk, a buffer in device memory, and
 * copied from there. */
#include <algorithm>

#include "library/fluvial/cuda/fluvial.h"
#include "library/generator/cuda/fill.cuh"

using namespace ter_cuda;

namespace
{

/** Smallest distance between rows, in floats, at which every row starts at a multiple of 16 bytes. */
size_t aligned_pitch(int width)
{
    return ((size_t)width + 3) / 4 * 4;
}

/** Make tiles in the chunk, which grows to `floats`. */
ter_status fill_chunk(cuda_state *cuda, const ter_world *world, const tile_list &list, size_t floats)
{
    const ter_status status = reserve(&cuda->chunk, floats * sizeof(float));
    return status == TER_OK ? fill_device(cuda, world, list, {(float *)cuda->chunk.at, nullptr, {}}, cuda->stream)
                            : status;
}

/** Copy a tile from the chunk, where its rows are `pitch` floats apart. */
ter_status copy_tile(cuda_state *cuda, const float *from, size_t pitch, float *to, const ter_tile_layout &layout)
{
    TER_CUDA(cudaMemcpy2DAsync(to, layout.row_stride * sizeof(float), from, pitch * sizeof(float),
                               (size_t)layout.width * sizeof(float), (size_t)layout.height, cudaMemcpyDeviceToHost,
                               cuda->stream));
    return TER_OK;
}

/** Rows of a tile that are made together in the chunk. */
struct row_band {
    ter_tile tile;          /* the band as a tile */
    ter_tile_layout packed; /* in the chunk */
    ter_tile_layout place;  /* in the caller's memory */
};

/** The band of at most rows_max rows from `row` on. pitch: distance of its rows in the chunk, floats */
row_band band_at(const ter_tile &tile, const ter_tile_layout &layout, size_t row, size_t rows_max, size_t pitch)
{
    row_band band = {{tile.level, tile.i, tile.j + (int64_t)row}, {}, layout};
    band.packed.width = layout.width;
    band.packed.height = band.place.height = (int)std::min((size_t)layout.height - row, rows_max);
    band.packed.row_stride = pitch;
    return band;
}

/** Fill one tile, in bands of rows that fit the chunk. */
ter_status fill_banded(cuda_state *cuda, const ter_world *world, const ter_tile &tile, const ter_tile_layout &layout,
                       float *out)
{
    const size_t pitch = aligned_pitch(layout.width), rows_max = CHUNK_FLOATS / pitch > 0 ? CHUNK_FLOATS / pitch : 1;
    for (size_t row = 0; row < (size_t)layout.height; row += rows_max) {
        const row_band band = band_at(tile, layout, row, rows_max, pitch);
        const size_t rows = (size_t)band.packed.height;
        ter_status status = fill_chunk(cuda, world, {&band.tile, 1, &band.packed}, rows * pitch);
        if (status == TER_OK)
            status = copy_tile(cuda, (const float *)cuda->chunk.at, pitch, out + row * layout.row_stride, band.place);
        if (status != TER_OK)
            return status;
        TER_CUDA(cudaStreamSynchronize(cuda->stream));
    }
    return TER_OK;
}

/** Fill small tiles. As many as fit the chunk are made together; then they are copied to their places. */
ter_status fill_packed(cuda_state *cuda, const ter_world *world, const tile_list &list, float *out)
{
    const ter_tile_layout &layout = *list.layout;
    const size_t pitch = aligned_pitch(layout.width), tile_floats = pitch * (size_t)layout.height;
    const size_t per_chunk = CHUNK_FLOATS / tile_floats;
    ter_tile_layout packed = {};
    packed.width = layout.width;
    packed.height = layout.height;
    packed.row_stride = pitch;
    packed.slot_stride = tile_floats;
    for (size_t first = 0; first < list.count; first += per_chunk) {
        const size_t left = list.count - first, count = left < per_chunk ? left : per_chunk;
        ter_status status = fill_chunk(cuda, world, {list.tiles + first, count, &packed}, count * tile_floats);
        for (size_t n = 0; n < count && status == TER_OK; n++)
            status = copy_tile(cuda, (const float *)cuda->chunk.at + n * tile_floats, pitch,
                               out + list.slot(first + n) * layout.slot_stride, layout);
        if (status != TER_OK)
            return status;
        TER_CUDA(cudaStreamSynchronize(cuda->stream));
    }
    return TER_OK;
}

/** Fill heights. Small tiles are made together, larger tiles one after the other. */
ter_status fill_heights(cuda_state *cuda, const ter_world *world, const tile_list &list, float *out)
{
    const ter_tile_layout &layout = *list.layout;
    if (list.count > 1 && aligned_pitch(layout.width) * (size_t)layout.height <= CHUNK_FLOATS)
        return fill_packed(cuda, world, list, out);
    ter_status status = TER_OK;
    for (size_t n = 0; n < list.count && status == TER_OK; n++)
        status = fill_banded(cuda, world, list.tiles[n], layout, out + list.slot(n) * layout.slot_stride);
    return status;
}

/** Fill layers of one tile, in bands of rows. The bands of all layers fit the chunk together. */
ter_status fill_layers_banded(cuda_state *cuda, const ter_world *world, const ter_tile &tile,
                              const ter_tile_layout &layout, const ter_layers &out)
{
    size_t n_layers = 0;
    for (const float *layer : out.at)
        n_layers += layer != nullptr;
    const size_t pitch = (size_t)layout.width, in_chunk = CHUNK_FLOATS / (pitch * n_layers),
                 rows_max = in_chunk > 0 ? in_chunk : 1;
    for (size_t row = 0; row < (size_t)layout.height; row += rows_max) {
        const row_band band = band_at(tile, layout, row, rows_max, pitch);
        const size_t rows = (size_t)band.packed.height;
        ter_status status = reserve(&cuda->chunk, n_layers * rows * pitch * sizeof(float));
        ter_layers made = {};
        float *next = (float *)cuda->chunk.at;
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            if (out.at[layer]) {
                made.at[layer] = next;
                next += rows * pitch;
            }
        if (status == TER_OK)
            status = fill_fluvial(cuda, &world->fluvial, {&band.tile, 1, &band.packed}, made, cuda->stream);
        for (int layer = 0; layer < TER_LAYER_COUNT && status == TER_OK; layer++)
            if (out.at[layer])
                status = copy_tile(cuda, made.at[layer], pitch, out.at[layer] + row * layout.row_stride, band.place);
        if (status != TER_OK)
            return status;
        TER_CUDA(cudaStreamSynchronize(cuda->stream));
    }
    return TER_OK;
}

} // namespace

ter_status ter_cuda::fill_host(cuda_state *cuda, const ter_world *world, const tile_list &list, const ter_layers &out)
{
    TER_CUDA(cudaSetDevice(cuda->device));
    int n_layers = 0;
    for (const float *layer : out.at)
        n_layers += layer != nullptr;
    if (n_layers == 1 && out.at[TER_LAYER_HEIGHT])
        return fill_heights(cuda, world, list, out.at[TER_LAYER_HEIGHT]);
    ter_status status = TER_OK;
    for (size_t n = 0; n < list.count && status == TER_OK; n++) {
        ter_layers tile = {};
        for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
            if (out.at[layer])
                tile.at[layer] = out.at[layer] + list.slot(n) * list.layout->slot_stride;
        status = fill_layers_banded(cuda, world, list.tiles[n], *list.layout, tile);
    }
    return status;
}
