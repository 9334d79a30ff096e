/* climate.cu - makes the climate of tiles: first the knots, which tiles near each other share, then the samples.
 *
 *     host     windows of knots; two are united if that needs no more points of the coarse land than two windows
 *     device   for each window: fields, coarse land, knots; then for each tile its samples
 */
#include "library/fluvial/cuda/climate.cuh"

#include <algorithm>
#include <vector>

#include "library/fluvial/climate_plan.h"
#include "library/fluvial/cuda/pass.cuh"

using namespace ter_cuda;

namespace
{

constexpr size_t PARTS_MAX = 4096;                  /* greatest number of tiles that are made together */
constexpr size_t BYTES_MAX = (size_t)512 << 20;     /* target for the memory of windows that are made together */
constexpr int64_t STRIP_SAMPLES = (int64_t)1 << 22; /* approximate limit of the samples of a part */

/** A tile, or some of its rows. */
struct climate_part {
    ter_window at;
    int lod;
    int job;      /* index of its knots' plan */
    size_t first; /* index of its first sample in all layers */
};

/** A window of knots. */
struct knot_window {
    int shift;
    ter_window knots;
};

/** Points of the coarse land that a window of knots needs. */
int64_t cost_of(const knot_window &w)
{
    const int64_t margin = 2 * (ter_climate_steps(w.shift) + 1);
    return (w.knots.width + margin) * (w.knots.height + margin);
}

/** Add knots to the last window, if that costs no more than a window of their own. */
void add_knots(const knot_window &own, std::vector<knot_window> *windows)
{
    if (!windows->empty() && windows->back().shift == own.shift) {
        knot_window both = windows->back();
        both.knots = ter_window_united(both.knots, own.knots);
        const bool is_small = (double)both.knots.width * (double)both.knots.height < 1e7;
        if (is_small && cost_of(both) <= cost_of(windows->back()) + cost_of(own)) {
            windows->back() = both;
            return;
        }
    }
    windows->push_back(own);
}

/** Cut the tiles of a call into parts. */
std::vector<climate_part> parts_of(const ter_fluvial *world, const tile_list &list)
{
    const ter_tile_layout &layout = *list.layout;
    const int rows = (int)std::clamp<int64_t>(STRIP_SAMPLES / layout.width, 1, layout.height);
    std::vector<climate_part> parts;
    for (size_t n = 0; n < list.count; n++)
        for (int row = 0; row < layout.height; row += rows) {
            const ter_tile &tile = list.tiles[n];
            const ter_window at = {tile.i, tile.j + row, layout.width, std::min(rows, layout.height - row)};
            parts.push_back({at, world->levels - tile.level, 0,
                             list.slot(n) * layout.slot_stride + (size_t)row * layout.row_stride});
        }
    return parts;
}

/** The layers of the climate, and the heights. */
struct climate_arrays {
    const float *heights;
    float *out[TER_CLIMATE_LAYERS];
    size_t row_stride;
};

__global__ void __launch_bounds__(THREADS)
    climate_kernel(const ter_fluvial_job *jobs, const climate_part *parts, climate_arrays arrays)
{
    const climate_part &part = parts[blockIdx.z];
    const ter_fluvial_job *job = &jobs[part.job];
    for (int y = (int)(blockIdx.y * TILE_Y + threadIdx.y); y < part.at.height; y += (int)gridDim.y * TILE_Y)
        for (int x = (int)(blockIdx.x * TILE_X + threadIdx.x); x < part.at.width; x += (int)gridDim.x * TILE_X) {
            const size_t k = part.first + (size_t)y * arrays.row_stride + (size_t)x;
            float values[TER_CLIMATE_NUMBERS], layers[TER_CLIMATE_LAYERS];
            ter_climate_at(&job->climate, part.lod, part.at.x + x, part.at.y + y, values);
            if (job->f.guide_climate)
                ter_guide_climate(job->f.guide, part.lod, part.at.x + x, part.at.y + y, values);
            ter_climate_of_sample(&job->f, values, arrays.heights[k], layers);
            TER_UNROLL
            for (int n = 0; n < TER_CLIMATE_LAYERS; n++)
                if (arrays.out[n])
                    arrays.out[n][k] = layers[n];
        }
}

/** Make the knots of plans. Plans whose knots lie equally far apart need the same passes. */
ter_status run_knots(const fluvial_jobs &jobs)
{
    TER_PASSES_TO_CLIMATE(job, LAUNCH);
    return TER_OK;
}

/** Make the samples of parts. The knots have been made. */
ter_status run_samples(const fluvial_memory &memory, const std::vector<climate_part> &parts,
                       const climate_arrays &arrays, cudaStream_t stream)
{
    constexpr int COLUMNS_MAX = 1024, ROWS_MAX = 4096; /* of a grid */
    const int width = parts[0].at.width, height = parts[0].at.height;
    const dim3 grid((unsigned)std::min((width + TILE_X - 1) / TILE_X, COLUMNS_MAX),
                    (unsigned)std::min((height + TILE_Y - 1) / TILE_Y, ROWS_MAX), (unsigned)parts.size());
    climate_kernel<<<grid, dim3(TILE_X, TILE_Y), 0, stream>>>((const ter_fluvial_job *)memory.climate_jobs.at,
                                                              (const climate_part *)memory.climate_parts.at, arrays);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

/** Plan windows of knots, and upload the plans. */
ter_status plan_windows(fluvial_memory *memory, const ter_fluvial *world, const std::vector<knot_window> &windows,
                        cudaStream_t stream, std::vector<ter_fluvial_job> *jobs)
{
    ter_arena sizes = {nullptr, 0};
    jobs->resize(windows.size());
    for (size_t n = 0; n < windows.size(); n++)
        ter_plan_climate(world, windows[n].shift, windows[n].knots, &sizes, &(*jobs)[n]);
    const ter_status status = reserve(&memory->climate, sizes.bytes);
    if (status != TER_OK)
        return status;
    ter_arena arena = {(char *)memory->climate.at, 0};
    for (size_t n = 0; n < windows.size(); n++)
        ter_plan_climate(world, windows[n].shift, windows[n].knots, &arena, &(*jobs)[n]);
    return upload(&memory->climate_jobs, *jobs, stream);
}

/** Bytes of the arrays of a window of knots. */
size_t bytes_of(const ter_fluvial *world, const knot_window &w)
{
    ter_arena size = {nullptr, 0};
    ter_fluvial_job job;
    ter_plan_climate(world, w.shift, w.knots, &size, &job);
    return size.bytes;
}

/** Make parts together. The knots of all of them have the same spacing. */
ter_status make_parts(fluvial_memory *memory, const ter_fluvial *world, const std::vector<knot_window> &windows,
                      const std::vector<climate_part> &parts, const climate_arrays &arrays, cudaStream_t stream)
{
    std::vector<ter_fluvial_job> jobs;
    ter_status status = plan_windows(memory, world, windows, stream, &jobs);
    if (status == TER_OK)
        status = upload(&memory->climate_parts, parts, stream);
    if (status == TER_OK)
        status = run_knots({jobs.data(), (const ter_fluvial_job *)memory->climate_jobs.at, (int)jobs.size(), stream});
    return status == TER_OK ? run_samples(*memory, parts, arrays, stream) : status;
}

} // namespace

ter_status ter_cuda::make_climate_knots(fluvial_memory *memory, const ter_fluvial *world,
                                        const std::vector<ter_window> &windows, cudaStream_t stream,
                                        std::vector<ter_climate_plan> *plans)
{
    std::vector<knot_window> shared;
    std::vector<size_t> share_of(windows.size());
    for (size_t n = 0; n < windows.size(); n++) {
        add_knots({TER_CLIMATE_SHIFT, windows[n]}, &shared);
        share_of[n] = shared.size() - 1;
    }
    std::vector<ter_fluvial_job> jobs;
    ter_status status = plan_windows(memory, world, shared, stream, &jobs);
    if (status == TER_OK)
        status = run_knots({jobs.data(), (const ter_fluvial_job *)memory->climate_jobs.at, (int)jobs.size(), stream});
    plans->clear();
    for (size_t share : share_of)
        plans->push_back(jobs[share].climate);
    return status;
}

ter_status ter_cuda::fill_climate(fluvial_memory *memory, const ter_fluvial *world, const tile_list &list,
                                  const float *heights, const ter_layers &out, cudaStream_t stream)
{
    climate_arrays arrays = {heights, {}, list.layout->row_stride};
    for (int n = 0; n < TER_CLIMATE_LAYERS; n++)
        arrays.out[n] = out.at[TER_LAND_LAYERS + n];
    const std::vector<climate_part> all = parts_of(world, list);
    ter_status status = TER_OK;
    for (size_t first = 0, end; first < all.size() && status == TER_OK; first = end) {
        std::vector<climate_part> parts;
        std::vector<knot_window> windows;
        size_t bytes = 0;
        for (end = first; end < all.size() && parts.size() < PARTS_MAX && bytes < BYTES_MAX; end++) {
            if (end > first &&
                (ter_climate_shift(all[end].lod) != windows.back().shift || all[end].at.height != all[first].at.height))
                break;
            add_knots({ter_climate_shift(all[end].lod), ter_climate_knots(all[end].lod, all[end].at)}, &windows);
            parts.push_back(all[end]);
            parts.back().job = (int)windows.size() - 1;
            bytes += windows.size() > 1 || end == first ? bytes_of(world, windows.back()) : 0;
        }
        status = make_parts(memory, world, windows, parts, arrays, stream);
    }
    return status;
}
