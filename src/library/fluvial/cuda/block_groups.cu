/* block_groups.cu - plans groups of blocks twice: first to count the bytes of their arrays, then to place the arrays in
 * device memory.
 *
 *     host     plan of the points, as many blocks as fit
 *     device   places
 *     host     plan of the network, from the cells in which the places lie; blocks that do not fit are left
 *     device   the passes, down to the samples
 */
#include "library/fluvial/cuda/block_groups.cuh"

#include "library/fluvial/cuda/cell_edges.cuh"
#include "library/fluvial/cuda/cover.cuh"

using namespace ter_cuda;

namespace
{

constexpr size_t GROUP_BYTES = (size_t)1 << 30; /* target for the device memory of the points of a group */
constexpr size_t GROUP_MAX = 1024;              /* greatest number of blocks of a group */

struct group {
    fluvial_memory &memory;
    cudaStream_t stream;
    std::vector<ter_fluvial_job> jobs;
    std::vector<size_t> offsets; /* of each block's arrays in the memory that is planned */

    fluvial_jobs planned() const
    {
        return {jobs.data(), (const ter_fluvial_job *)memory.jobs.at, (int)jobs.size(), stream};
    }
};

/** Plan the points of the first blocks, as many as fit. The windows of the warp follow from the lattice alone. */
ter_status plan_points(group *g, const ter_fluvial *f, const fluvial_block *blocks, size_t count,
                       const group_steps &steps)
{
    size_t bytes = 0;
    g->jobs.clear();
    g->offsets.clear();
    for (size_t n = 0; n < count && n < GROUP_MAX && blocks[n].lod == blocks[0].lod && bytes < GROUP_BYTES; n++) {
        ter_arena arena = {nullptr, 0};
        g->jobs.emplace_back();
        steps.plan_points(f, blocks[n], &arena, &g->jobs.back());
        g->offsets.push_back(bytes);
        bytes += arena.bytes;
    }
    const ter_status status = reserve(&g->memory.points, bytes);
    for (size_t n = 0; n < g->jobs.size() && status == TER_OK; n++) {
        ter_arena arena = {(char *)g->memory.points.at + g->offsets[n], 0};
        steps.plan_points(f, blocks[n], &arena, &g->jobs[n]);
    }
    return status == TER_OK ? upload(&g->memory.jobs, g->jobs, g->stream) : status;
}

/** Plan the networks of a group. Blocks whose networks do not fit are removed, and belong to the next group. */
ter_status plan_networks(group *g, const group_steps &steps)
{
    const size_t count = g->jobs.size();
    std::vector<ter_window> cells(count);
    ter_status status = reserve(&g->memory.edges, count * sizeof(cell_edges));
    if (status == TER_OK)
        status = steps.find_cells(g->planned(), g->memory.edges.at, cells.data());
    size_t bytes = 0;
    for (size_t n = 0; n < count && status == TER_OK; n++) {
        ter_arena arena = {nullptr, 0};
        steps.plan_network(cells[n], &arena, &g->jobs[n]);
        if (n > 0 && bytes + arena.bytes > 2 * GROUP_BYTES) {
            g->jobs.resize(n);
            break;
        }
        g->offsets[n] = bytes;
        bytes += arena.bytes;
    }
    if (status == TER_OK)
        status = reserve(&g->memory.network, bytes);
    for (size_t n = 0; n < g->jobs.size() && status == TER_OK; n++) {
        ter_arena arena = {(char *)g->memory.network.at + g->offsets[n], 0};
        steps.plan_network(cells[n], &arena, &g->jobs[n]);
    }
    if (status == TER_OK)
        status = take_cover_climate(&g->memory, &g->jobs, g->stream);
    return status == TER_OK ? upload(&g->memory.jobs, g->jobs, g->stream) : status;
}

ter_status run_group(group *g, const fluvial_block *blocks, const group_steps &steps)
{
    std::vector<ter_fluvial_output> outputs;
    for (size_t n = 0; n < g->jobs.size(); n++)
        outputs.push_back(blocks[n].samples);
    const ter_status status = upload(&g->memory.outputs, outputs, g->stream);
    return status == TER_OK ? steps.run(g->planned(), (const ter_fluvial_output *)g->memory.outputs.at) : status;
}

} // namespace

ter_status ter_cuda::fill_in_groups(fluvial_memory *memory, const ter_fluvial *f,
                                    const std::vector<fluvial_block> &blocks, const group_steps &steps,
                                    cudaStream_t stream)
{
    group g = {*memory, stream, {}, {}};
    ter_status status = TER_OK;
    for (size_t first = 0; first < blocks.size() && status == TER_OK; first += g.jobs.size()) {
        status = plan_points(&g, f, &blocks[first], blocks.size() - first, steps);
        if (status == TER_OK)
            status = plan_networks(&g, steps);
        if (status == TER_OK)
            status = run_group(&g, &blocks[first], steps);
    }
    return status;
}
