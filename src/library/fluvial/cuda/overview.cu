/* overview.cu - tiles of levels of detail above 8.
 *
 *     host     blocks of one level of detail -> device: the warp at their samples -> host: the network's windows
 *     device   provinces -> nodes, down to cells of half a step -> what each says of its surroundings -> samples
 */
#include "library/fluvial/cuda/overview.cuh"

#include "library/fluvial/blur.h"
#include "library/fluvial/cuda/blocks.cuh"
#include "library/fluvial/cuda/cell_edges.cuh"
#include "library/fluvial/cuda/network.cuh"
#include "library/fluvial/cuda/pass.cuh"
#include "library/fluvial/overview_plan.h"

using namespace ter_cuda;

namespace
{

constexpr size_t GROUP_BYTES = (size_t)1 << 30; /* device memory that the networks of a group of blocks aim at */
constexpr size_t GROUP_MAX = 1024;              /* blocks of a group */
constexpr size_t BLURRED_MAX = (size_t)1 << 24; /* points that means are made of at a time */

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

/** Blocks of one level of detail on their way. */
struct group {
    fluvial_memory &memory;
    cudaStream_t stream;
    std::vector<ter_fluvial_job> jobs;
    std::vector<size_t> offsets; /* of each block's arrays in their arena */

    fluvial_jobs planned() const
    {
        return {jobs.data(), (const ter_fluvial_job *)memory.jobs.at, (int)jobs.size(), stream};
    }
};

/** The places of a block's samples. */
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

/** Plan the samples of blocks of one level of detail, as many as a group may have. */
ter_status plan_points(group *g, const ter_fluvial *f, const fluvial_block *blocks, size_t count)
{
    size_t bytes = 0;
    g->jobs.clear();
    g->offsets.clear();
    for (size_t n = 0; n < count && n < GROUP_MAX && blocks[n].lod == blocks[0].lod && bytes < GROUP_BYTES; n++) {
        ter_arena arena = {nullptr, 0};
        g->jobs.emplace_back();
        ter_plan_overview_points(f, blocks[n].lod, blocks[n].points.at, &arena, &g->jobs.back());
        g->offsets.push_back(bytes);
        bytes += arena.bytes;
    }
    const ter_status status = reserve(&g->memory.points, bytes);
    for (size_t n = 0; n < g->jobs.size() && status == TER_OK; n++) {
        ter_arena arena = {(char *)g->memory.points.at + g->offsets[n], 0};
        ter_plan_overview_points(f, blocks[n].lod, blocks[n].points.at, &arena, &g->jobs[n]);
    }
    return status == TER_OK ? upload(&g->memory.jobs, g->jobs, g->stream) : status;
}

ter_status run_sample_places(const fluvial_jobs &jobs)
{
    TER_PASSES_TO_OVERVIEW_PLACES(job, LAUNCH);
    return TER_OK;
}

/** Plan the networks of a group, in the order of the blocks as far as memory goes. */
ter_status plan_networks(group *g)
{
    const size_t count = g->jobs.size();
    std::vector<cell_edges> edges(count);
    ter_status status = reserve(&g->memory.edges, count * sizeof(cell_edges));
    if (status == TER_OK)
        status = run_sample_places(g->planned());
    if (status == TER_OK)
        status = find_edges(g->planned(), sample_places(), g->memory.edges.at, edges.data());
    if (status != TER_OK)
        return status;
    const int shift = 24 - g->jobs[0].overview.level;
    size_t bytes = 0;
    for (size_t n = 0; n < count; n++) {
        const cell_edges &e = edges[n];
        ter_arena arena = {nullptr, 0};
        ter_plan_overview_network(
            ter_window_between(e.low_x >> shift, e.low_y >> shift, e.high_x >> shift, e.high_y >> shift), &arena,
            &g->jobs[n]);
        if (n > 0 && bytes + arena.bytes > 2 * GROUP_BYTES) { /* the others wait for the next group */
            g->jobs.resize(n);
            break;
        }
        g->offsets[n] = bytes;
        bytes += arena.bytes;
    }
    status = reserve(&g->memory.network, bytes);
    for (size_t n = 0; n < g->jobs.size() && status == TER_OK; n++) {
        const cell_edges &e = edges[n];
        ter_arena arena = {(char *)g->memory.network.at + g->offsets[n], 0};
        ter_plan_overview_network(
            ter_window_between(e.low_x >> shift, e.low_y >> shift, e.high_x >> shift, e.high_y >> shift), &arena,
            &g->jobs[n]);
    }
    return status == TER_OK ? upload(&g->memory.jobs, g->jobs, g->stream) : status;
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

ter_status run_group(group *g, const fluvial_block *blocks)
{
    std::vector<ter_fluvial_output> outputs;
    for (size_t n = 0; n < g->jobs.size(); n++)
        outputs.push_back(blocks[n].samples);
    ter_status status = upload(&g->memory.outputs, outputs, g->stream);
    const fluvial_jobs jobs = g->planned();
    if (status == TER_OK)
        status = g->jobs[0].overview.level >= 0 ? run_node_summaries(jobs) : run_cell_summaries(jobs);
    if (status != TER_OK)
        return status;
    const int width = greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.width; });
    const int height = greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.height; });
    const dim3 grid((unsigned)((width + TILE_X - 1) / TILE_X), (unsigned)((height + TILE_Y - 1) / TILE_Y),
                    (unsigned)jobs.count);
    overview_kernel<<<grid, dim3(TILE_X, TILE_Y), 0, g->stream>>>(jobs.device,
                                                                  (const ter_fluvial_output *)g->memory.outputs.at);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

/** Blocks of tiles, by level of detail. */
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

/** A block of means, and the points that it is made of. */
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

/** Fill blocks of one size, few enough for their points to have room. */
ter_status fill_blurred_blocks(fluvial_state *cuda, const ter_fluvial *world, const fluvial_block *blocks, size_t count,
                               cudaStream_t stream, fill_points_function *fill_points)
{
    const ter_window at = blocks[0].points.at;
    const int width = at.width + 2, height = at.height + 2;
    const size_t samples = (size_t)width * (size_t)height;
    ter_layers points = {};
    size_t n_layers = 0;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        n_layers += blocks[0].samples.layer[layer] || layer <= TER_LAYER_WATER;
    ter_status status = reserve(&cuda->fluvial.blurred, n_layers * count * samples * sizeof(float));
    if (status != TER_OK)
        return status;
    n_layers = 0;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
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
    constexpr size_t BLOCKS_MAX = 65535; /* of a grid */
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
    const std::vector<fluvial_block> blocks = blocks_of(world, list, out,
                                                        cuda->method == TER_METHOD_TILED         ? side_of_tiled
                                                        : cuda->method == TER_METHOD_SINGLE_PASS ? side_of_single_pass
                                                                                                 : side_of_recursive);
    group g = {cuda->fluvial, stream, {}, {}};
    ter_status status = TER_OK;
    for (size_t first = 0; first < blocks.size() && status == TER_OK; first += g.jobs.size()) {
        status = plan_points(&g, world, &blocks[first], blocks.size() - first);
        if (status == TER_OK)
            status = plan_networks(&g);
        if (status == TER_OK)
            status = run_group(&g, &blocks[first]);
    }
    return status;
}
