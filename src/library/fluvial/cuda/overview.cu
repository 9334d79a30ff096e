/* overview.cu - fills tiles of levels of detail above 8: overviews, and means of points at level of detail 9.
 *
 * Overviews are made in groups of blocks (block_groups.cuh). The passes are: nodes down to cells of half a step, then a
 * summary of each node, then samples.
 */
#include "library/fluvial/cuda/overview.cuh"

#include "library/fluvial/blur.h"
#include "library/fluvial/cuda/block_groups.cuh"
#include "library/fluvial/cuda/cell_edges.cuh"
#include "library/fluvial/cuda/network.cuh"
#include "library/fluvial/cuda/pass.cuh"
#include "library/fluvial/cuda/cover.cuh"
#include "library/fluvial/overview_plan.h"

using namespace ter_cuda;

namespace
{

constexpr size_t BLURRED_MAX = (size_t)1 << 24; /* greatest number of points whose means are made at a time */

/** Side of a block, in samples. */
int side_of_single_pass(int)
{
    return 4;
}

int side_of_recursive(int)
{
    return 128;
}

int side_of_tiled(int)
{
    return 1024;
}

/** Places of a block's samples, for find_edges. */
struct sample_places {
    __device__ int count(const ter_fluvial_job *job) const
    {
        return job->points.at.width * job->points.at.height;
    }
    __device__ network_place at(const ter_fluvial_job *job, int n) const
    {
        network_place place;
        ter_overview_place(job, n % job->points.at.width, n / job->points.at.width, &place.x, &place.y);
        return place;
    }
};

void plan_block_points(const ter_fluvial *f, const fluvial_block &block, ter_arena *arena, ter_fluvial_job *job)
{
    ter_plan_overview_points(f, block.lod, block.points.at, arena, job);
}

void plan_network(ter_window cells, ter_arena *arena, ter_fluvial_job *job)
{
    ter_plan_overview_network(cells, arena, job);
    ter_plan_overview_cover(job);
    ter_place_cover(arena, 0, job);
}

ter_status run_sample_places(const fluvial_jobs &jobs)
{
    TER_PASSES_TO_OVERVIEW_PLACES(job, LAUNCH);
    return TER_OK;
}

ter_status find_cells(const fluvial_jobs &jobs, void *memory, ter_window *cells)
{
    const int shift = 24 - jobs.host[0].overview.level;
    std::vector<cell_edges> edges((size_t)jobs.count);
    ter_status status = run_sample_places(jobs);
    if (status == TER_OK)
        status = find_edges(jobs, sample_places(), memory, edges.data());
    if (status != TER_OK)
        return status;
    for (size_t n = 0; n < edges.size(); n++) {
        const cell_edges &e = edges[n];
        cells[n] = ter_window_between(e.low_x >> shift, e.low_y >> shift, e.high_x >> shift, e.high_y >> shift);
    }
    return TER_OK;
}

ter_status run_node_summaries(const fluvial_jobs &jobs)
{
    const ter_status status = run_node_levels(jobs, nullptr);
    if (status != TER_OK)
        return status;
    LAUNCH(ter_summarise_node, 0, job->overview.at.width, job->overview.at.height);
    return TER_OK;
}

ter_status run_cell_summaries(const fluvial_jobs &jobs)
{
    TER_PASSES_TO_CELL_SUMMARIES(job, LAUNCH);
    return TER_OK;
}

__global__ void __launch_bounds__(THREADS)
    overview_kernel(const ter_fluvial_job *jobs, const ter_fluvial_output *outputs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const int x = (int)(blockIdx.x * TILE_X + threadIdx.x);
    for (int y = (int)(blockIdx.y * TILE_Y + threadIdx.y); y < job->points.at.height; y += (int)gridDim.y * TILE_Y)
        if (x < job->points.at.width)
            ter_make_overview(job, &outputs[blockIdx.z], x, y);
}

/** Make samples from plans: first the nodes of the network, then summaries, then samples. */
ter_status run_overviews(const fluvial_jobs &jobs, const ter_fluvial_output *outputs)
{
    ter_status status = jobs.host[0].overview.level >= 0 ? run_node_summaries(jobs) : run_cell_summaries(jobs);
    if (status == TER_OK)
        status = run_sand_fields(jobs);
    if (status != TER_OK)
        return status;
    const int width = greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.width; });
    const int height = greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.height; });
    const dim3 grid((unsigned)((width + TILE_X - 1) / TILE_X), (unsigned)((height + TILE_Y - 1) / TILE_Y),
                    (unsigned)jobs.count);
    overview_kernel<<<grid, dim3(TILE_X, TILE_Y), 0, jobs.stream>>>(jobs.device, outputs);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

/** Cut tiles into blocks, sorted by level of detail. */
std::vector<fluvial_block> blocks_of(const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                                     int (*side_at)(int lod))
{
    std::vector<fluvial_block> blocks;
    for (size_t n = 0; n < list.count; n++)
        cut_tile(world, list, n, out, side_at, &blocks);
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const fluvial_block &a, const fluvial_block &b) { return a.lod < b.lod; });
    return blocks;
}

/** A block of means, and the points from which it is made. */
struct blurred_block {
    ter_fluvial_output from, to;
    int width, height;
};

__global__ void __launch_bounds__(THREADS) blur_kernel(ter_fluvial f, const blurred_block *blocks)
{
    const blurred_block &b = blocks[blockIdx.y];
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < b.width * b.height; n += (int)gridDim.x * THREADS)
        ter_blur(&f, &b.from, &b.to, n % b.width, n / b.width);
}

/** Fill blocks of one size. Their points must fit the memory for them, BLURRED_MAX. */
ter_status fill_blurred_blocks(fluvial_state *cuda, const ter_fluvial *world, const fluvial_block *blocks, size_t count,
                               cudaStream_t stream, fill_points_function *fill_points)
{
    const ter_window at = blocks[0].points.at;
    const int width = at.width + 2, height = at.height + 2;
    const size_t samples = (size_t)width * (size_t)height;
    ter_layers points = {};
    size_t n_layers = 0;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        n_layers += blocks[0].samples.layer[layer] || layer <= TER_LAYER_WATER;
    ter_status status = reserve(&cuda->fluvial.blurred, n_layers * count * samples * sizeof(float));
    if (status != TER_OK)
        return status;
    n_layers = 0;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        if (blocks[0].samples.layer[layer] || layer <= TER_LAYER_WATER)
            points.at[layer] = (float *)cuda->fluvial.blurred.at + n_layers++ * count * samples;
    std::vector<ter_tile> tiles;
    std::vector<blurred_block> parts;
    for (size_t n = 0; n < count; n++) {
        tiles.push_back({world->levels - TER_BLUR_LOD, blocks[n].points.at.x - 1, blocks[n].points.at.y - 1});
        parts.push_back({output_of(points, n * samples, (size_t)width), blocks[n].samples, at.width, at.height});
    }
    const ter_tile_layout layout = {width, height, (size_t)width, samples, nullptr};
    status = fill_points(cuda, world, {tiles.data(), count, &layout}, points, stream);
    if (status == TER_OK)
        status = upload(&cuda->fluvial.blurred_blocks, parts, stream);
    if (status != TER_OK)
        return status;
    const unsigned across = (unsigned)std::min<size_t>((samples + THREADS - 1) / THREADS, 1024);
    blur_kernel<<<dim3(across, (unsigned)count), THREADS, 0, stream>>>(
        *world, (const blurred_block *)cuda->fluvial.blurred_blocks.at);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

ter_status ter_cuda::fill_blurred(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                                  const ter_layers &out, cudaStream_t stream, fill_points_function *fill_points)
{
    constexpr size_t BLOCKS_MAX = 65535; /* greatest number of rows of a grid */
    const std::vector<fluvial_block> blocks = blocks_of(world, list, out, side_of_tiled);
    ter_status status = TER_OK;
    for (size_t first = 0, end; first < blocks.size() && status == TER_OK; first = end) {
        const ter_window at = blocks[first].points.at;
        const size_t samples = (size_t)(at.width + 2) * (size_t)(at.height + 2);
        for (end = first + 1; end < blocks.size() && blocks[end].points.at.width == at.width &&
                              blocks[end].points.at.height == at.height && (end - first + 1) * samples <= BLURRED_MAX &&
                              end - first < BLOCKS_MAX;)
            end++;
        status = fill_blurred_blocks(cuda, world, &blocks[first], end - first, stream, fill_points);
    }
    return status;
}

ter_status ter_cuda::fill_overviews(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                                    const ter_layers &out, cudaStream_t stream)
{
    constexpr group_steps STEPS = {plan_block_points, find_cells, plan_network, run_overviews};
    const std::vector<fluvial_block> blocks = blocks_of(world, list, out,
                                                        cuda->method == TER_METHOD_TILED         ? side_of_tiled
                                                        : cuda->method == TER_METHOD_SINGLE_PASS ? side_of_single_pass
                                                                                                 : side_of_recursive);
    return fill_in_groups(&cuda->fluvial, world, blocks, STEPS, stream);
}
