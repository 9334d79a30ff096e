/* fluvial.cu - tiles of fluvial worlds. The methods single-pass and recursive: blocks, many of which go through each
 * pass together, a launch a pass.
 *
 *     host     plan of the points
 *     device   warp and places
 *     host     plan of the network, from the cells that the places lie in
 *     device   provinces -> nodes of nine levels -> channels -> ground -> gullies -> heights -> samples
 *
 * A block's arrays lie in one piece of device memory; a group of blocks is as large as the memory for it allows.
 */
#include "library/fluvial/cuda/fluvial.h"

#include "library/fluvial/blur.h"
#include "library/fluvial/cuda/blocks.cuh"
#include "library/fluvial/cuda/extents.cuh"
#include "library/fluvial/cuda/overview.cuh"

using namespace ter_cuda;

namespace
{

constexpr size_t GROUP_BYTES = (size_t)1 << 30; /* device memory that a group of blocks aims at */
constexpr int GROUP_MAX = 1024;                 /* blocks of a group */

int side_of_single_pass(int lod)
{
    return lod < 8 ? 16 : 4;
}

int side_of_recursive(int lod)
{
    constexpr int sides[] = {4096, 4096, 2048, 1024, 1024, 512, 512, 512, 256, 256};
    return sides[lod];
}

/** A group of blocks on its way. */
struct group {
    fluvial_memory &memory;
    cudaStream_t stream;
    std::vector<ter_fluvial_job> jobs;
    std::vector<size_t> offsets; /* of each block's points and network in their arenas */

    fluvial_jobs planned() const
    {
        return {jobs.data(), (const ter_fluvial_job *)memory.jobs.at, (int)jobs.size(), stream};
    }
};

/** Plan the points of blocks, as many as fit; the windows of the warp are known from the lattice alone. */
ter_status plan_points(group *g, const ter_fluvial *f, const fluvial_block *blocks, size_t count)
{
    size_t bytes = 0;
    g->jobs.clear();
    g->offsets.clear();
    for (size_t n = 0; n < count && n < GROUP_MAX && (n == 0 || bytes < GROUP_BYTES); n++) {
        ter_arena arena = {nullptr, 0};
        g->jobs.emplace_back();
        ter_plan_points(f, blocks[n].points, &arena, &g->jobs.back());
        g->offsets.push_back(bytes);
        bytes += arena.bytes;
    }
    const ter_status status = reserve(&g->memory.points, bytes);
    for (size_t n = 0; n < g->jobs.size() && status == TER_OK; n++) {
        ter_arena arena = {(char *)g->memory.points.at + g->offsets[n], 0};
        ter_plan_points(f, blocks[n].points, &arena, &g->jobs[n]);
    }
    return status == TER_OK ? upload(&g->memory.jobs, g->jobs, g->stream) : status;
}

/** Plan the networks of a group, in the order of the blocks as far as memory goes. */
ter_status plan_networks(group *g)
{
    const size_t count = g->jobs.size();
    std::vector<ter_window> cells(count);
    ter_status status = reserve(&g->memory.edges, fluvial_extents_bytes(count));
    if (status == TER_OK)
        status = find_extents(g->planned(), g->memory.edges.at, cells.data());
    size_t bytes = 0;
    for (size_t n = 0; n < count && status == TER_OK; n++) {
        ter_arena arena = {nullptr, 0};
        ter_plan_network(cells[n], &arena, &g->jobs[n]);
        if (n > 0 && bytes + arena.bytes > 2 * GROUP_BYTES) { /* the others wait for the next group */
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
        ter_plan_network(cells[n], &arena, &g->jobs[n]);
    }
    return status == TER_OK ? upload(&g->memory.jobs, g->jobs, g->stream) : status;
}

ter_status run_group(group *g, const fluvial_block *blocks)
{
    std::vector<ter_fluvial_output> outputs;
    for (size_t n = 0; n < g->jobs.size(); n++)
        outputs.push_back(blocks[n].samples);
    ter_status status = upload(&g->memory.outputs, outputs, g->stream);
    const fluvial_jobs jobs = g->planned();
    for (ter_status (*run)(const fluvial_jobs &) :
         {run_places, run_channels, run_pieces, run_ground, run_gullies, run_heights})
        if (status == TER_OK)
            status = run(jobs);
    return status == TER_OK ? run_samples(jobs, (const ter_fluvial_output *)g->memory.outputs.at) : status;
}

/** Make blocks that have one level; scratch memory belongs to the generator, so that a call waits for the one before
 * it. */
ter_status fill_blocks(fluvial_state *cuda, const ter_fluvial *world, const std::vector<fluvial_block> &blocks,
                       cudaStream_t stream)
{
    group g = {cuda->fluvial, stream, {}, {}};
    for (size_t first = 0; first < blocks.size(); first += g.jobs.size()) {
        ter_status status = plan_points(&g, world, &blocks[first], blocks.size() - first);
        if (status == TER_OK)
            status = plan_networks(&g);
        if (status == TER_OK)
            status = run_group(&g, &blocks[first]);
        if (status != TER_OK)
            return status;
    }
    return TER_OK;
}

ter_status fill_by_passes(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                          cudaStream_t stream)
{
    ter_status status = TER_OK;
    for (size_t first = 0, end; first < list.count && status == TER_OK; first = end) {
        for (end = first + 1; end < list.count && list.tiles[end].level == list.tiles[first].level;)
            end++;
        std::vector<fluvial_block> blocks;
        for (size_t n = first; n < end; n++)
            cut_tile(world, list, n, out,
                     cuda->method == TER_METHOD_SINGLE_PASS ? side_of_single_pass : side_of_recursive, &blocks);
        status = fill_blocks(cuda, world, blocks, stream);
    }
    return status;
}

ter_status check_capture(cudaStream_t stream)
{
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    TER_CUDA(cudaStreamIsCapturing(stream, &capture));
    return capture == cudaStreamCaptureStatusNone
               ? TER_OK
               : ter_fail(
                     TER_EINVAL,
                     "a world of basis fluvial while the stream records a graph, expected one of another basis: its "
                     "windows are planned while it is made");
}

/** Tiles whose samples are points, by the generator's method. */
ter_status fill_points(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                       cudaStream_t stream)
{
    return cuda->method == TER_METHOD_TILED ? fill_fluvial_tiled(cuda, world, list, out, stream)
                                            : fill_by_passes(cuda, world, list, out, stream);
}

/** What the samples of a level of detail are. */
enum { POINTS, MEANS, OVERVIEWS, KINDS };

int kind_of(const ter_fluvial *world, const ter_tile &tile)
{
    const int lod = world->levels - tile.level;
    return lod < TER_BLUR_LOD ? POINTS : lod == TER_BLUR_LOD ? MEANS : OVERVIEWS;
}

ter_status fill_kind(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                     cudaStream_t stream, int kind)
{
    return kind == POINTS  ? fill_points(cuda, world, list, out, stream)
           : kind == MEANS ? fill_blurred(cuda, world, list, out, stream, fill_points)
                           : fill_overviews(cuda, world, list, out, stream);
}

/** Tiles of a call, kind by kind. */
ter_status fill_kinds(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                      cudaStream_t stream)
{
    ter_status status = TER_OK;
    for (int kind = 0; kind < KINDS && status == TER_OK; kind++) {
        std::vector<ter_tile> tiles;
        std::vector<uint32_t> slots;
        for (size_t n = 0; n < list.count; n++)
            if (kind_of(world, list.tiles[n]) == kind) {
                tiles.push_back(list.tiles[n]);
                slots.push_back((uint32_t)list.slot(n));
            }
        ter_tile_layout layout = *list.layout;
        layout.slots = slots.data();
        if (tiles.size() == list.count) /* as it is: slots may be more than 32 bits */
            return fill_kind(cuda, world, list, out, stream, kind);
        if (!tiles.empty())
            status = fill_kind(cuda, world, {tiles.data(), tiles.size(), &layout}, out, stream, kind);
    }
    return status;
}

} // namespace

ter_status ter_cuda::fill_fluvial(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                                  const ter_layers &out, cudaStream_t stream)
{
    ter_status status = check_capture(stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaSetDevice(cuda->device));
    TER_CUDA(cudaStreamWaitEvent(stream, cuda->scratch_is_free, 0));
    status = fill_kinds(cuda, world, list, out, stream);
    if (status == TER_OK)
        TER_CUDA(cudaEventRecord(cuda->scratch_is_free, stream));
    return status;
}
