/* network.cu - launches the passes of the network inside of a mask. Two passes have special kernels.
 *
 * Nodes: half of the nodes of a level are free, and free nodes take longer. A block of threads lists its free nodes, so
 * that all lanes of a warp work on free nodes together.
 *
 * Smoothing of channels: a round reads little more than the places of the round before. A block of threads makes all
 * rounds in shared memory, for a tile and the nodes around it:
 *
 *      +-----------------+      HALO nodes around the tile; each round makes one ring of them fewer
 *      |   +---------+   |
 *      |   | 32 x 16 |   |
 *      |   +---------+   |
 *      +-----------------+
 */
#include "library/fluvial/cuda/network.cuh"

#include "library/fluvial/cuda/pass.cuh"
#include "library/fluvial/cuda/sparse_mask.cuh"

using namespace ter_cuda;

namespace
{

/** Grid of a launch over windows of nodes.
 *
 *  columns, rows  nodes of a block of threads
 *  size_of        returns the columns and rows of a job's window
 */
template <class Size> dim3 grid_over(const fluvial_jobs &jobs, int columns, int rows, Size size_of)
{
    const int across = greatest_of(jobs, [&](int n) { return (size_of(jobs.host[n]).x + columns - 1) / columns; });
    const int down = greatest_of(jobs, [&](int n) { return (size_of(jobs.host[n]).y + rows - 1) / rows; });
    return dim3((unsigned)across, (unsigned)down, (unsigned)jobs.count);
}

/** Call step(job, n, x, y) for the nodes of a level's window that lie inside of its margin and of the mask. */
template <void (*step)(const ter_fluvial_job *, int, int, int)>
__global__ void __launch_bounds__(THREADS)
    step_kernel(const ter_fluvial_job *jobs, const tile_mask *masks, int n, int level, int margin, int rings)
{
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const ter_window at = job->node_at[level];
    const int x = (int)blockIdx.x * TILE_X + (int)threadIdx.x % TILE_X,
              y = (int)blockIdx.y * TILE_Y + (int)threadIdx.x / TILE_X;
    if (x < at.width - 2 * margin && y < at.height - 2 * margin &&
        is_in_mask(masks ? &masks[blockIdx.z] : nullptr, level, at.x + margin + x, at.y + margin + y, rings))
        step(job, n, x, y);
}

/** Launch step_kernel. level: level of the window */
template <void (*step)(const ter_fluvial_job *, int, int, int)>
ter_status run_step(const fluvial_jobs &jobs, const tile_mask *masks, int n, int level, int margin, int rings)
{
    const dim3 grid = grid_over(jobs, TILE_X, TILE_Y, [&](const ter_fluvial_job &job) {
        return make_int2(job.node_at[level].width - 2 * margin, job.node_at[level].height - 2 * margin);
    });
    step_kernel<step><<<grid, THREADS, 0, jobs.stream>>>(jobs.device, masks, n, level, margin, rings);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

/* ---- nodes ---- */

/** Make the children of level n. further: number of rings that this level covers in addition to those of the
 * last level */
ter_status run_children(const fluvial_jobs &jobs, const tile_mask *masks, int n, int further)
{
    const int coarse = n - 1, children = ter_child_margin(n);
    ter_status status = run_step<ter_make_edge>(jobs, masks, n, coarse, ter_edge_margin(n), RINGS_OF_EDGES + further);
    if (status == TER_OK)
        status = run_step<ter_make_children>(jobs, masks, n, coarse, children, RINGS_OF_CHILDREN + further);
    if (status == TER_OK)
        status = run_step<ter_make_corner>(jobs, masks, n, coarse, children, RINGS_OF_CORNERS + further);
    return status;
}

constexpr int NODE_ROWS = 16; /* rows of TILE_X nodes of a block of threads */

/** Do the work of ter_make_node for a level. */
__global__ void __launch_bounds__(THREADS)
    nodes_kernel(const ter_fluvial_job *jobs, const tile_mask *masks, int level, int rings)
{
    __shared__ unsigned short free_node[TILE_X * NODE_ROWS];
    __shared__ int count;
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const tile_mask *mask = masks ? &masks[blockIdx.z] : nullptr;
    const ter_window coarse = job->node_at[level - 1], at = job->node_at[level];
    const int first_x = (int)blockIdx.x * TILE_X, first_y = (int)blockIdx.y * NODE_ROWS;
    if (first_x >= at.width || first_y >= at.height)
        return;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    for (int n = (int)threadIdx.x; n < TILE_X * NODE_ROWS; n += THREADS) {
        const int x = first_x + n % TILE_X, y = first_y + n / TILE_X;
        if (x >= at.width || y >= at.height || !is_in_mask(mask, level, at.x + x, at.y + y, rings))
            continue;
        if (ter_child_of(job, coarse, at.x + x, at.y + y)->kind == TER_NODE_FREE)
            free_node[atomicAdd(&count, 1)] = (unsigned short)n;
        else
            ter_make_node(job, level, x, y);
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < count; n += THREADS)
        ter_make_node(job, level, first_x + free_node[n] % TILE_X, first_y + free_node[n] / TILE_X);
}

ter_status run_nodes(const fluvial_jobs &jobs, const tile_mask *masks, int level, int rings)
{
    const dim3 grid = grid_over(jobs, TILE_X, NODE_ROWS, [&](const ter_fluvial_job &job) {
        return make_int2(job.node_at[level].width, job.node_at[level].height);
    });
    nodes_kernel<<<grid, THREADS, 0, jobs.stream>>>(jobs.device, masks, level, rings);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

/* ---- smoothing ---- */

constexpr int SMOOTH_THREADS = 256;
constexpr int SMOOTH_ROWS = 16; /* rows of TILE_X channels that a block of threads smooths */
constexpr int HALO = TER_SMOOTH_ROUNDS;
constexpr int AROUND_X = TILE_X + 2 * HALO, AROUND_Y = SMOOTH_ROWS + 2 * HALO;
constexpr int PER_THREAD = (AROUND_X * AROUND_Y + SMOOTH_THREADS - 1) / SMOOTH_THREADS; /* channels of a thread, at most
                                                                                         */
constexpr int SMOOTH_MARGIN = TER_SMOOTH_ROUNDS + 1; /* ter_smooth_margin of the last round */

/** A channel while it is smoothed. */
struct smooth_channel {
    ter_node node;
    int from; /* direction of its main inflow; -1: it is not moved */
};

/** Load channel n of a tile with its halo. first_x, first_y: node in the tile's corner; place: receives its place */
__device__ smooth_channel load_channel(const ter_fluvial_job *job, const tile_mask *mask, int n, int first_x,
                                       int first_y, ter_spot *place)
{
    const ter_window at = job->node_at[TER_NETWORK_LAST];
    const int x = first_x + n % AROUND_X - HALO, y = first_y + n / AROUND_X - HALO;
    smooth_channel c = {};
    c.from = -1;
    if (n < AROUND_X * AROUND_Y && x > 0 && y > 0 && x < at.width - 1 && y < at.height - 1 &&
        is_in_mask(mask, TER_NETWORK_LAST, at.x + x, at.y + y, RINGS_OF_CHANNELS)) {
        const int k = y * at.width + x;
        c.node = job->node[TER_NETWORK_LAST & 1][k];
        c.from = c.node.to == TER_SINK ? -1 : job->channel[k].from;
        place->x = c.node.x * TER_CELL;
        place->y = c.node.y * TER_CELL;
    }
    return c;
}

/** Do one round of ter_smooth_channel for the channels of this thread. before, after: places of a tile with its halo */
__device__ __forceinline__ void smooth_once(const smooth_channel channel[PER_THREAD], int round, const ter_spot *before,
                                            ter_spot *after)
{
#pragma unroll
    for (int m = 0; m < PER_THREAD; m++) {
        const int n = (int)threadIdx.x + m * SMOOTH_THREADS, x = n % AROUND_X, y = n / AROUND_X;
        if (x <= round || y <= round || x >= AROUND_X - 1 - round || y >= AROUND_Y - 1 - round)
            continue;
        const int from = channel[m].from, to = channel[m].node.to;
        after[n] = from < 0 ? before[n]
                            : ter_smoothed(&channel[m].node, from, before[n],
                                           before[n + ter_direction_y(from) * AROUND_X + ter_direction_x(from)],
                                           before[n + ter_direction_y(to) * AROUND_X + ter_direction_x(to)]);
    }
}

/** Do all rounds of ter_smooth_channel. */
__global__ void __launch_bounds__(SMOOTH_THREADS) smooth_kernel(const ter_fluvial_job *jobs, const tile_mask *masks)
{
    __shared__ ter_spot place[2][AROUND_X * AROUND_Y];
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const tile_mask *mask = masks ? &masks[blockIdx.z] : nullptr;
    const ter_window at = job->node_at[TER_NETWORK_LAST];
    const int first_x = (int)blockIdx.x * TILE_X + SMOOTH_MARGIN,
              first_y = (int)blockIdx.y * SMOOTH_ROWS + SMOOTH_MARGIN;
    const int end_x = min(first_x + TILE_X, at.width - SMOOTH_MARGIN),
              end_y = min(first_y + SMOOTH_ROWS, at.height - SMOOTH_MARGIN);
    if (first_x >= end_x || first_y >= end_y)
        return;
    const auto is_stored = [&](int x, int y) {
        return x < end_x && y < end_y && is_in_mask(mask, TER_NETWORK_LAST, at.x + x, at.y + y, RINGS_OF_SLOPES);
    };
    bool is_any_stored = false;
    for (int n = (int)threadIdx.x; n < TILE_X * SMOOTH_ROWS; n += SMOOTH_THREADS)
        is_any_stored |= is_stored(first_x + n % TILE_X, first_y + n / TILE_X);
    if (!__syncthreads_or(is_any_stored))
        return;
    smooth_channel channel[PER_THREAD];
#pragma unroll
    for (int m = 0; m < PER_THREAD; m++) {
        const int n = (int)threadIdx.x + m * SMOOTH_THREADS;
        channel[m] = load_channel(job, mask, n, first_x, first_y, &place[0][min(n, AROUND_X * AROUND_Y - 1)]);
    }
    __syncthreads();
#pragma unroll
    for (int round = 0; round < TER_SMOOTH_ROUNDS; round++) {
        smooth_once(channel, round, place[round & 1], place[(round + 1) & 1]);
        __syncthreads();
    }
    for (int n = (int)threadIdx.x; n < TILE_X * SMOOTH_ROWS; n += SMOOTH_THREADS) {
        const int x = first_x + n % TILE_X, y = first_y + n / TILE_X;
        if (is_stored(x, y))
            job->place[TER_SMOOTH_ROUNDS & 1][y * at.width + x] =
                place[TER_SMOOTH_ROUNDS & 1][(n / TILE_X + HALO) * AROUND_X + n % TILE_X + HALO];
    }
}

ter_status run_smoothing(const fluvial_jobs &jobs, const tile_mask *masks)
{
    const dim3 grid = grid_over(jobs, TILE_X, SMOOTH_ROWS, [&](const ter_fluvial_job &job) {
        const ter_window at = job.node_at[TER_NETWORK_LAST];
        return make_int2(at.width - 2 * SMOOTH_MARGIN, at.height - 2 * SMOOTH_MARGIN);
    });
    smooth_kernel<<<grid, SMOOTH_THREADS, 0, jobs.stream>>>(jobs.device, masks);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

ter_status ter_cuda::run_node_levels(const fluvial_jobs &jobs, const tile_mask *masks)
{
    TER_PASSES_TO_PROVINCES(job, LAUNCH);
    TER_PASSES_TO_ROOT(job, LAUNCH);
    const int last = jobs.host[0].last;
    ter_status status = TER_OK;
    for (int level = 1; level <= last && status == TER_OK; level++) {
        const tile_mask *of_level = level < MASK_FIRST_LEVEL ? nullptr : masks;
        const int further = (last - level) * RINGS_OF_A_LEVEL;
        status = run_children(jobs, of_level, level, further);
        if (status == TER_OK)
            status = run_nodes(jobs, of_level, level, RINGS_OF_NODES + further);
        if (status == TER_OK)
            status =
                run_step<ter_share_ground>(jobs, of_level, level, level, TER_AREA_MARGIN, RINGS_OF_AREAS + further);
        if (status == TER_OK && level == jobs.host[0].f.guide_level)
            LAUNCH(ter_guide_node, level, job->node_at[level].width, job->node_at[level].height);
    }
    return status;
}

ter_status ter_cuda::run_network(const fluvial_jobs &jobs, const tile_mask *masks)
{
    constexpr int LAST = TER_NETWORK_LAST;
    ter_status status = run_node_levels(jobs, masks);
    if (status != TER_OK)
        return status;
    TER_PASSES_TO_MEANDERS(job, LAUNCH);
    status = run_step<ter_make_channel>(jobs, masks, 0, LAST, 1, RINGS_OF_CHANNELS);
    if (status == TER_OK)
        status = run_smoothing(jobs, masks);
    if (status == TER_OK)
        status = run_step<ter_steepen_channel>(jobs, masks, 0, LAST, TER_STEEPEN_MARGIN, RINGS_OF_SLOPES);
    return status;
}
