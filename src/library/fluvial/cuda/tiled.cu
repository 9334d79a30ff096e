/* tiled.cu - the method `tiled`: large blocks, of which those near each other share a network.
 *
 *     host               merges tiles into rectangles, from which samples are copied to the tiles at the end
 *     stream of plans    knots of the warp -> cells over which each block lies; the host waits for these
 *     host               finds blocks that share a network, while that has fewer nodes than a network for each
 *     caller's stream    networks -> for groups of blocks: warp, ground, gullies, heights, samples
 */
#include <algorithm>
#include <cstring>

#include "library/fluvial/cuda/blocks.cuh"
#include "library/fluvial/cuda/extents.cuh"
#include "library/fluvial/cuda/ground.cuh"
#include "library/fluvial/cuda/heights.cuh"
#include "library/fluvial/cuda/network.cuh"
#include "library/fluvial/cuda/places.cuh"
#include "library/fluvial/cuda/reaches.cuh"
#include "library/fluvial/cuda/samples.cuh"
#include "library/fluvial/cuda/cover.cuh"
#include "library/fluvial/cuda/segments.cuh"
#include "library/fluvial/cuda/shared_networks.cuh"
#include "library/fluvial/cuda/shared_tiles.cuh"
#include "library/fluvial/cuda/sparse_mask.cuh"

using namespace ter_cuda;

namespace
{

/** Targets for the device memory of a group of blocks, and of networks that are made together. For arrays other than
 * tiles, they are also limited to a share of the device's memory and to a third of the free memory. A generator keeps
 * the memory that it has reserved. */
constexpr size_t GROUP_BYTES = (size_t)2 << 30, GROUP_BYTES_OF_TILES = (size_t)192 << 20;
constexpr size_t NETWORK_BYTES = (size_t)16 << 30, NETWORK_BYTES_OF_TILES = (size_t)192 << 20;
constexpr size_t SHARE_OF_MEMORY = 8;             /* one eighth of the device's memory */
constexpr size_t CACHED_BYTES = (size_t)96 << 20; /* greatest size of a cached network with a margin */
constexpr size_t WHOLE_BYTES = (size_t)1 << 30;   /* greatest size of a cached network without a mask */
constexpr int TILE_MAX = 512;                     /* arrays with sides of at most this many samples are tiles */
constexpr size_t FEW_BLOCKS = 256;                /* a frame of a flight has fewer blocks of tiles */
constexpr size_t PLANNED_MAX = 4096;              /* greatest number of blocks planned together */
constexpr size_t SHARED_MAX = (size_t)1 << 24;    /* rough limit of the samples of merged rectangles made together */
constexpr int FORMED_LODS = 3;                    /* levels of detail below this one use heights at points of 4 m */
constexpr int FUSED_LODS = 4;  /* levels of detail below this one get their heights from run_fine_heights */
constexpr int MARKED_LODS = 5; /* below this one, wet tiles are marked if heights alone are requested */

/** Side of a block, samples. */
int side_at(int lod)
{
    constexpr int sides[] = {16384, 8192, 4096, 2048, 2048, 2048, 1024, 1024, 512, 512};
    return sides[lod];
}

/** As side_at, for tiles. The network of a single block must not exceed NETWORK_BYTES_OF_TILES. */
int side_of_tiles_at(int lod)
{
    constexpr int WIDTH_MAX = 528 << 9; /* m; 528 cells of 512 m */
    return std::min(side_at(lod), std::max(WIDTH_MAX >> lod, 1));
}

/** Blocks that are planned together. */
struct tiled_plan {
    fluvial_state *cuda;
    cudaStream_t stream;
    std::vector<fluvial_block> blocks; /* sorted by level of detail */
    std::vector<ter_window> cells;     /* window of cells over which each block lies */
    bool has_knots;                    /* whether fluvial_memory.plan_jobs holds plans of the blocks with their knots */
    bool is_far;                       /* whether no points of any ground share lists of pieces */
    bool is_height_alone, are_tiles;
    size_t group_bytes, network_bytes; /* targets for memory */
};

/** Bytes to reserve for an array. Tiles that need more than a quarter of the limit reserve all of it at once: the
 * batches of a flight vary in size, and each growth of the memory makes a frame wait for the device.
 *
 *  most  limit of the array, bytes
 */
size_t room_for(const tiled_plan &p, size_t bytes, size_t most)
{
    return p.are_tiles && bytes > most / 4 ? std::max(bytes, most) : bytes;
}

/* ---- networks ---- */

/** Make networks together.
 *
 *  masks  masks of the networks, or NULL
 *  nodes  memory for the arrays of the networks; it grows
 *  most   limit of that memory, bytes
 *  plans  receives one plan for each network
 */
ter_status make_networks(const tiled_plan &p, const ter_fluvial *f, const network *networks, const tile_mask *masks,
                         size_t count, device_array *nodes, size_t most, std::vector<ter_fluvial_job> *plans)
{
    fluvial_memory &memory = p.cuda->fluvial;
    ter_arena sizes = {nullptr, 0};
    for (size_t n = 0; n < count; n++) {
        ter_fluvial_job job;
        ter_plan_drainage(networks[n].cells, &sizes, &job);
    }
    ter_status status = reserve(nodes, room_for(p, sizes.bytes, most));
    ter_arena arena = {(char *)nodes->at, 0};
    plans->assign(count, ter_fluvial_job{});
    for (size_t n = 0; n < count && status == TER_OK; n++) {
        (*plans)[n].f = *f;
        ter_plan_drainage(networks[n].cells, &arena, &(*plans)[n]);
    }
    if (status == TER_OK)
        status = upload(&memory.networks, *plans, p.stream);
    const fluvial_jobs jobs = {plans->data(), (const ter_fluvial_job *)memory.networks.at, (int)count, p.stream};
    for (ter_status (*run)(const fluvial_jobs &, const tile_mask *) : {run_network, run_bounded_pieces})
        if (status == TER_OK)
            status = run(jobs, masks);
    return status == TER_OK ? run_reaches(jobs) : status;
}

/** Make the single network of all blocks, or take a cached one that contains its cells. A small network is made with a
 * margin, because the next frame of a flight asks for land nearby. */
ter_status make_one_network(const tiled_plan &p, const ter_fluvial *f, const network &n,
                            std::vector<ter_fluvial_job> *plans)
{
    constexpr int MARGIN = 16; /* cells */
    fluvial_memory &memory = p.cuda->fluvial;
    for (cached_network &cached : memory.network_cache)
        if (cached.is_made && memcmp(&cached.plan.f, f, sizeof *f) == 0 && ter_window_contains(cached.cells, n.cells)) {
            cached.used = memory.n_calls;
            plans->assign(1, cached.plan);
            return TER_OK;
        }
    network wide = n;
    const bool is_small = network_bytes(ter_window_grown(n.cells, MARGIN)) <= CACHED_BYTES;
    if (is_small)
        wide.cells = ter_window_grown(n.cells, MARGIN);
    cached_network &cached =
        memory.network_cache[!is_small ? 2 : memory.network_cache[1].used < memory.network_cache[0].used];
    cached.is_made = false;
    const ter_status status = is_small
                                  ? make_networks(p, f, &wide, nullptr, 1, &cached.nodes, CACHED_BYTES, plans)
                                  : make_networks(p, f, &wide, nullptr, 1, &memory.network, p.network_bytes, plans);
    if (status == TER_OK) {
        cached.is_made = true;
        cached.used = memory.n_calls;
        cached.cells = wide.cells;
        cached.plan = plans->front();
    }
    return status;
}

/* ---- blocks ---- */

/** A group of blocks, which go through the passes together. */
struct tiled_group {
    std::vector<ter_fluvial_job> jobs;
    std::vector<block_output> outputs;
    std::vector<int> lods; /* level of detail of each block, ascending */
    size_t n_tiles;        /* tiles of samples in all blocks */

    /** Number of blocks with a level of detail below `lod`. They are the first blocks. */
    int count_below(int lod) const
    {
        return (int)(std::lower_bound(lods.begin(), lods.end(), lod) - lods.begin());
    }
};

/** Place the arrays of a block in an arena. */
void place_block(const tiled_plan &p, const fluvial_block &block, ter_arena *arena, ter_fluvial_job *job,
                 block_output *output)
{
    const ter_window &at = block.points.at;
    const bool marks = p.is_height_alone && block.lod < MARKED_LODS;
    ter_place_warp(arena, job);
    ter_place_grounds(arena, job);
    ter_place_surface(job->n_fine - 1, job->n_octaves, arena, job);
    ter_place_cover(arena, 2, job);
    output->samples = block.samples;
    output->tiles_x = tiles_across(at.x, at.width);
    output->tiles_y = tiles_across(at.y, at.height);
    const size_t tiles = (size_t)output->tiles_x * (size_t)output->tiles_y;
    output->is_wet = marks ? (unsigned char *)ter_arena_cut(arena, tiles) : nullptr;
    const int formed = first_lattice(job, FORMED_STEP);
    const bool is_fine = block.lod < FUSED_LODS && !marks, is_formed = block.lod < FORMED_LODS && formed > 0;
    output->formed =
        is_formed ? (float *)ter_arena_cut(arena, ter_window_count(job->fine[formed].at) * sizeof(float)) : nullptr;
    output->fine = is_fine ? (float *)ter_arena_cut(arena, ter_window_count(at) * sizeof(float)) : nullptr;
}

/** Blocks first .. end - 1 of a group. */
fluvial_jobs part_of(const fluvial_jobs &jobs, int first, int end)
{
    return {jobs.host + first, jobs.device + first, end - first, jobs.stream};
}

/** Make the samples of the blocks of a group. Heights at points of 16 m, or coarser samples, have been made. */
ter_status finish_blocks(const tiled_plan &p, const tiled_group &g, const fluvial_jobs &jobs)
{
    const fluvial_memory &memory = p.cuda->fluvial;
    const block_output *host = g.outputs.data(), *outputs = (const block_output *)memory.outputs.at;
    int *count = (int *)memory.tiles.at;
    wet_tile *list = (wet_tile *)memory.tiles.at + 1;
    const int n_fine = g.count_below(FUSED_LODS), n_marked = p.is_height_alone ? g.count_below(MARKED_LODS) : 0;
    ter_status status = TER_OK;
    if (n_marked > 0)
        status = run_mark_tiles(part_of(jobs, 0, n_marked), host, outputs, list, count);
    if (status == TER_OK)
        status = run_formed_heights(part_of(jobs, 0, g.count_below(FORMED_LODS)), outputs);
    for (int first = 0, end; first < n_fine && status == TER_OK; first = end) {
        end = g.count_below(g.lods[(size_t)first] + 1);
        status = run_fine_heights(part_of(jobs, first, end), outputs + first, g.lods[(size_t)first]);
    }
    if (n_marked > n_fine && status == TER_OK)
        status = run_dry_heights(part_of(jobs, n_fine, n_marked), host + n_fine, outputs + n_fine);
    if (n_marked > 0 && status == TER_OK)
        status = run_finish_listed(part_of(jobs, 0, n_marked), outputs, list, count);
    if (n_marked < jobs.count && status == TER_OK)
        status = run_finish_all(part_of(jobs, n_marked, jobs.count), host + n_marked, outputs + n_marked);
    return status == TER_OK ? run_cover(jobs, &outputs->samples, sizeof *outputs) : status;
}

ter_status run_group(const tiled_plan &p, const tiled_group &g)
{
    fluvial_memory &memory = p.cuda->fluvial;
    ter_status status = upload(&memory.jobs, g.jobs, p.stream);
    if (status == TER_OK)
        status = upload(&memory.outputs, g.outputs, p.stream);
    if (status == TER_OK)
        status = reserve(&memory.tiles, (g.n_tiles + 1) * sizeof(wet_tile));
    const fluvial_jobs jobs = {g.jobs.data(), (const ter_fluvial_job *)memory.jobs.at, (int)g.jobs.size(), p.stream};
    for (ter_status (*run)(const fluvial_jobs &) : {run_tiled_places, run_listed_ground, run_dry_ground, run_gullies})
        if (status == TER_OK)
            status = run(jobs);
    return status == TER_OK ? finish_blocks(p, g, jobs) : status;
}

/** Make the blocks of some networks in groups, whose size is limited by the target for memory. The networks have been
 * made. */
ter_status make_blocks(const tiled_plan &p, const ter_fluvial *f, const network *networks,
                       const std::vector<ter_fluvial_job> &plans)
{
    std::vector<std::pair<int, int>> order; /* block, network */
    for (size_t n = 0; n < plans.size(); n++)
        for (int block : networks[n].blocks)
            order.push_back({block, (int)n});
    std::sort(order.begin(), order.end());
    ter_status status = TER_OK;
    for (size_t first = 0, end; first < order.size() && status == TER_OK; first = end) {
        tiled_group g = {{}, {}, {}, 0};
        ter_arena sizes = {nullptr, 0};
        for (end = first; end < order.size() && (end == first || sizes.bytes < p.group_bytes); end++) {
            const fluvial_block &block = p.blocks[(size_t)order[end].first];
            g.jobs.emplace_back();
            g.outputs.emplace_back();
            g.lods.push_back(block.lod);
            ter_plan_windows(f, block.points, &g.jobs.back());
            ter_plan_cover(&g.jobs.back());
            ter_share_network(&plans[(size_t)order[end].second], &g.jobs.back());
            place_block(p, block, &sizes, &g.jobs.back(), &g.outputs.back());
            g.n_tiles += (size_t)g.outputs.back().tiles_x * (size_t)g.outputs.back().tiles_y;
        }
        status = reserve(&p.cuda->fluvial.points, room_for(p, sizes.bytes, p.group_bytes + p.group_bytes / 4));
        ter_arena arena = {(char *)p.cuda->fluvial.points.at, 0};
        for (size_t n = first; n < end; n++)
            place_block(p, p.blocks[(size_t)order[n].first], &arena, &g.jobs[n - first], &g.outputs[n - first]);
        if (status == TER_OK)
            status = take_cover_climate(&p.cuda->fluvial, &g.jobs, p.stream);
        if (status == TER_OK)
            status = run_group(p, g);
    }
    return status;
}

/* ---- extents ---- */

/** Find the cells over which each block lies, on the stream of plans or on the host. The host waits for the result. If
 * the last call has made masks, the stream first waits until these have been computed. */
ter_status find_cells(tiled_plan *p, const ter_fluvial *f)
{
    fluvial_memory &memory = p->cuda->fluvial;
    std::vector<ter_fluvial_job> jobs(p->blocks.size());
    ter_arena sizes = {nullptr, 0};
    p->cells.resize(jobs.size());
    p->is_far = true;
    for (size_t n = 0; n < jobs.size(); n++) {
        ter_plan_windows(f, p->blocks[n].points, &jobs[n]);
        p->is_far = p->is_far && !has_lists(jobs[n]);
    }
    p->has_knots = !find_extents_of_few(jobs, &memory, p->cells.data());
    if (!p->has_knots)
        return TER_OK;
    for (ter_fluvial_job &job : jobs)
        ter_place_warp(&sizes, &job);
    ter_status status = reserve(&memory.plan_knots, sizes.bytes);
    ter_arena arena = {(char *)memory.plan_knots.at, 0};
    for (ter_fluvial_job &job : jobs)
        ter_place_warp(&arena, &job);
    TER_CUDA(cudaStreamWaitEvent(p->cuda->stream_of_plans, memory.plans_are_free, 0));
    if (status == TER_OK)
        status = upload(&memory.plan_jobs, jobs, p->cuda->stream_of_plans);
    if (status == TER_OK)
        status = reserve(&memory.edges, fluvial_extents_bytes(jobs.size()));
    return status == TER_OK ? find_extents({jobs.data(), (const ter_fluvial_job *)memory.plan_jobs.at, (int)jobs.size(),
                                            p->cuda->stream_of_plans},
                                           memory.edges.at, p->cells.data())
                            : status;
}

/** Make masks for networks that are not cached, if no points share lists of pieces: lists are made from all cells
 * around, also those that a mask leaves out.
 *
 *  masks  receives one mask for each network, or NULL
 */
ter_status make_masks(const tiled_plan &p, const std::vector<network> &networks, const tile_mask **masks)
{
    *masks = nullptr;
    const bool is_kept = networks.size() == 1 && networks[0].bytes <= WHOLE_BYTES;
    if (is_kept || !p.has_knots || !p.is_far)
        return TER_OK;
    fluvial_memory &memory = p.cuda->fluvial;
    ter_status status = find_masks((const ter_fluvial_job *)memory.plan_jobs.at, networks, &memory, p.stream, masks);
    if (status == TER_OK)
        TER_CUDA(cudaEventRecord(memory.plans_are_free, p.stream));
    return status;
}

/** Make all blocks of a plan: as many networks as fit the target for memory, then their blocks, and so on. */
ter_status make_planned(tiled_plan *p, const ter_fluvial *f)
{
    ter_status status = find_cells(p, f);
    if (status != TER_OK)
        return status;
    const std::vector<network> networks = share_networks(p->cells, p->network_bytes);
    const tile_mask *masks;
    status = make_masks(*p, networks, &masks);
    std::vector<ter_fluvial_job> plans;
    for (size_t first = 0, end; first < networks.size() && status == TER_OK; first = end) {
        size_t bytes = 0;
        for (end = first; end < networks.size(); end++) {
            if (end > first && bytes + networks[end].bytes > p->network_bytes)
                break;
            bytes += networks[end].bytes;
        }
        if (networks.size() == 1 && !masks) {
            status = make_one_network(*p, f, networks[0], &plans);
        } else {
            p->cuda->fluvial.network_cache[2].is_made = false;
            status = make_networks(*p, f, &networks[first], masks ? masks + first : nullptr, end - first,
                                   &p->cuda->fluvial.network, p->network_bytes, &plans);
        }
        if (status == TER_OK)
            status = make_blocks(*p, f, &networks[first], plans);
    }
    return status;
}

/** Set the targets for memory. They are small for few tiles, because the renderer may use the same device. They are
 * large for many tiles, because small groups of tiles that lie far apart leave most of the device idle. */
ter_status find_aims(tiled_plan *p)
{
    p->group_bytes = GROUP_BYTES_OF_TILES;
    p->network_bytes = NETWORK_BYTES_OF_TILES;
    if (p->are_tiles && p->blocks.size() < FEW_BLOCKS)
        return TER_OK;
    size_t free_bytes, all_bytes;
    TER_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
    const fluvial_memory &memory = p->cuda->fluvial;
    const size_t most =
        std::min(all_bytes / SHARE_OF_MEMORY, (free_bytes + memory.points.bytes + memory.network.bytes) / 3);
    p->group_bytes = std::min(GROUP_BYTES, most);
    p->network_bytes = std::min(p->are_tiles ? GROUP_BYTES : NETWORK_BYTES, most);
    return TER_OK;
}

/** Make blocks, PLANNED_MAX at a time. */
ter_status make_all(fluvial_state *cuda, const ter_fluvial *world, std::vector<fluvial_block> *blocks,
                    bool is_height_alone, bool are_tiles, cudaStream_t stream)
{
    std::stable_sort(blocks->begin(), blocks->end(),
                     [](const fluvial_block &a, const fluvial_block &b) { return a.lod < b.lod; });
    ter_status status = TER_OK;
    for (size_t first = 0; first < blocks->size() && status == TER_OK; first += PLANNED_MAX) {
        tiled_plan p = {};
        p.cuda = cuda;
        p.stream = stream;
        p.is_height_alone = is_height_alone;
        p.are_tiles = are_tiles;
        p.blocks.assign(blocks->begin() + (ptrdiff_t)first,
                        blocks->begin() + (ptrdiff_t)std::min(blocks->size(), first + PLANNED_MAX));
        status = find_aims(&p);
        if (status == TER_OK)
            status = make_planned(&p, world);
    }
    return status;
}

} // namespace

ter_status ter_cuda::fill_fluvial_tiled(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                                        const ter_layers &out, cudaStream_t stream)
{
    const merged_tiles tiles = merge_tiles(world, list);
    /* The kernels for heights alone do not add the detail of a guide. */
    bool is_height_alone = out.at[TER_LAYER_HEIGHT] != nullptr && !(world->guide_detail & TER_DETAIL_HEIGHTS);
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        is_height_alone = is_height_alone && (layer == TER_LAYER_HEIGHT || !out.at[layer]);
    ter_status status = TER_OK;
    cuda->fluvial.n_calls++;
    const bool are_tiles = list.layout->width <= TILE_MAX && list.layout->height <= TILE_MAX;
    int (*const side)(int) = are_tiles ? side_of_tiles_at : side_at;
    for (size_t first = 0, end; first < tiles.rects.size() && status == TER_OK; first = end) {
        shared_samples shared = {0, {}};
        std::vector<size_t> starts;
        for (end = first; end < tiles.rects.size() && shared.samples < SHARED_MAX; end++)
            starts.push_back(tiles.rects[end].count > 1 ? shared.add(tiles, tiles.rects[end], list) : 0);
        ter_layers layers;
        std::vector<fluvial_block> blocks;
        status = reserve_shared(&cuda->fluvial, shared, out, &layers);
        for (size_t n = first; n < end && status == TER_OK; n++) {
            const ter_merged_rect &r = tiles.rects[n];
            if (r.count > 1)
                cut_blocks(world, r.at, output_of(layers, starts[n - first], (size_t)r.at.width), side, &blocks);
            else
                cut_tile(world, list, tiles.order[r.first], out, side, &blocks);
        }
        if (status == TER_OK)
            status = make_all(cuda, world, &blocks, is_height_alone, are_tiles, stream);
        if (status == TER_OK)
            status = copy_shared(&cuda->fluvial, shared, layers, *list.layout, out, stream);
    }
    return status;
}
