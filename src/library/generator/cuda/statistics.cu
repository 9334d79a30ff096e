/* statistics.cu - statistics of rectangles, and heights of scattered points. Only results are copied to the host. */
#include "library/world/height_sums.h"

#include <vector>

#include "library/fractal/cuda/single_pass/single_pass.h"
#include "library/generator/cuda/entries.h"
#include "library/generator/cuda/fill.cuh"
#include "library/generator/cuda/reduce.h"

using namespace ter_cuda;

namespace
{

/** Sums and histogram that all parts of a rectangle add to. */
struct reduction {
    ter_sum_unit unit;
    ter_cuda_histogram histogram;
    ter_cuda_sums *sums;
};

/** Make a part of a rectangle in the chunk and reduce it there. */
ter_status reduce_part(cuda_state *cuda, const ter_world *world, const ter_tile &part, int width, int height,
                       const reduction &r)
{
    ter_tile_layout layout = {};
    layout.width = width;
    layout.height = height;
    layout.row_stride = (size_t)width;
    float *heights = (float *)cuda->chunk.at;
    const ter_status status = fill_device(cuda, world, {&part, 1, &layout}, {heights, nullptr, {}}, cuda->stream);
    if (status != TER_OK)
        return status;
    return ter_reduce({heights, (size_t)width * (size_t)height}, r.unit, r.histogram, r.sums, cuda->stream);
}

/** Reduce a rectangle, in parts that fit the chunk. */
ter_status reduce_rect(cuda_state *cuda, const ter_world *world, const ter_rect &rect, const reduction &r)
{
    const int64_t width_max = (int64_t)CHUNK_FLOATS / 16;
    for (int64_t column = 0; column < rect.width; column += width_max) {
        const int64_t width = rect.width - column < width_max ? rect.width - column : width_max;
        const int64_t rows = (int64_t)CHUNK_FLOATS / width;
        for (int64_t row = 0; row < rect.height; row += rows) {
            const int64_t height = rect.height - row < rows ? rect.height - row : rows;
            const ter_tile part = {rect.level, rect.i + column, rect.j + row};
            const ter_status status = reduce_part(cuda, world, part, (int)width, (int)height, r);
            if (status != TER_OK)
                return status;
        }
    }
    return TER_OK;
}

} // namespace

ter_status ter_cuda_statistics(void *state, const ter_world *world, const ter_rect *rect,
                               const ter_histogram *histogram, ter_statistics *out)
{
    cuda_state *cuda = (cuda_state *)state;
    TER_CUDA(cudaSetDevice(cuda->device));
    const uint64_t count = (uint64_t)rect->width * (uint64_t)rect->height;
    const ter_sum_unit unit = ter_sum_unit_of(&world->params, count);
    const int bins = histogram ? histogram->bins : 0;
    const size_t histogram_bytes = (size_t)bins * sizeof(uint64_t);
    ter_status status = reserve(&cuda->small, sizeof(ter_cuda_sums) + histogram_bytes);
    if (status == TER_OK)
        status = reserve(&cuda->chunk, CHUNK_FLOATS * sizeof(float));
    if (status != TER_OK)
        return status;
    ter_cuda_sums *sums = (ter_cuda_sums *)cuda->small.at;
    unsigned long long *counts = (unsigned long long *)(sums + 1);
    ter_cuda_sums host = TER_CUDA_NO_SUMS;
    TER_CUDA(cudaMemcpyAsync(sums, &host, sizeof host, cudaMemcpyHostToDevice, cuda->stream));
    TER_CUDA(cudaMemsetAsync(counts, 0, histogram_bytes, cuda->stream));
    ter_cuda_histogram in_bins = {counts, bins, 0.0f, 0.0f};
    if (histogram) {
        in_bins.lo = histogram->lo;
        in_bins.bin_scale = (float)bins / (histogram->hi - histogram->lo);
    }
    status = reduce_rect(cuda, world, *rect, {unit, in_bins, sums});
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(&host, sums, sizeof host, cudaMemcpyDeviceToHost, cuda->stream));
    if (bins > 0)
        TER_CUDA(cudaMemcpyAsync(histogram->counts, counts, histogram_bytes, cudaMemcpyDeviceToHost, cuda->stream));
    TER_CUDA(cudaStreamSynchronize(cuda->stream));
    out->min_m = ter_unordered(host.min_ordered);
    out->max_m = ter_unordered(host.max_ordered);
    out->count = count;
    out->mean_m = ter_sum_mean(unit, (int64_t)host.sum, count);
    return TER_OK;
}

/** Heights of points of a fluvial world: each point is a tile of one sample. */
static ter_status heights_of_tiles(cuda_state *cuda, const ter_world *world, int level, const int64_t (*points)[2],
                                   size_t count, float *out)
{
    std::vector<ter_tile> tiles(count);
    for (size_t n = 0; n < count; n++)
        tiles[n] = {level, points[n][0], points[n][1]};
    ter_tile_layout layout = {};
    layout.width = layout.height = 1;
    layout.row_stride = layout.slot_stride = 1;
    ter_layers layers = {};
    layers.at[TER_LAYER_HEIGHT] = out;
    return fill_host(cuda, world, {tiles.data(), count, &layout}, layers);
}

ter_status ter_cuda_heights_at(void *state, const ter_world *world, int level, const int64_t (*points)[2], size_t count,
                               float *out)
{
    cuda_state *cuda = (cuda_state *)state;
    if (world->params.basis == TER_BASIS_FLUVIAL)
        return heights_of_tiles(cuda, world, level, points, count, out);
    TER_CUDA(cudaSetDevice(cuda->device));
    const size_t points_bytes = count * sizeof points[0];
    ter_status status = reserve(&cuda->small, points_bytes + count * sizeof(float));
    if (status != TER_OK)
        return status;
    float *device_out = (float *)((char *)cuda->small.at + points_bytes);
    TER_CUDA(cudaMemcpyAsync(cuda->small.at, points, points_bytes, cudaMemcpyHostToDevice, cuda->stream));
    status = ter_points(&world->field, level, (const int64_t(*)[2])cuda->small.at, count, device_out, cuda->stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(out, device_out, count * sizeof(float), cudaMemcpyDeviceToHost, cuda->stream));
    TER_CUDA(cudaStreamSynchronize(cuda->stream));
    return TER_OK;
}
