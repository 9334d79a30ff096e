/* sparse_mask.cu - makes the masks of networks: marks the tiles of cells that are near places, then computes the rings
 * around these. */
#include "library/fluvial/cuda/sparse_mask.cuh"

#include "library/fluvial/cuda/extents.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128, LANES = 32;
constexpr int STRIP_COLUMNS = LANES - 1, STRIP_ROWS = 32; /* squares of four points that a warp covers */
constexpr int MARGIN =
    TER_GROUND_CELLS + 1; /* cells: those that a place reads, and one for places between the points */

/** A box around places. */
struct place_box {
    network_place low, high;
};

__device__ place_box box_around(const place_box &a, const place_box &b)
{
    return {{min(a.low.x, b.low.x), min(a.low.y, b.low.y)}, {max(a.high.x, b.high.x), max(a.high.y, b.high.y)}};
}

/** The box of the next lane. The last lane gets its own box. */
__device__ place_box box_beside(const place_box &b)
{
    constexpr unsigned ALL = 0xffffffffu;
    return {{__shfl_down_sync(ALL, b.low.x, 1), __shfl_down_sync(ALL, b.low.y, 1)},
            {__shfl_down_sync(ALL, b.high.x, 1), __shfl_down_sync(ALL, b.high.y, 1)}};
}

/** Mark the tiles of cells that a place in a box may read. */
__device__ void mark(const tile_mask &mask, const place_box &b)
{
    const int64_t x0 = ((b.low.x >> TER_CELL_SHIFT) - MARGIN) >> MASK_SHIFT,
                  x1 = ((b.high.x >> TER_CELL_SHIFT) + MARGIN) >> MASK_SHIFT;
    const int64_t y0 = ((b.low.y >> TER_CELL_SHIFT) - MARGIN) >> MASK_SHIFT,
                  y1 = ((b.high.y >> TER_CELL_SHIFT) + MARGIN) >> MASK_SHIFT;
    for (int64_t y = y0; y <= y1; y++)
        for (int64_t x = x0; x <= x1; x++)
            mask.rings[ter_window_index(mask.at, x, y)] = 1;
}

/** Mark the tiles of cells near each square of four points of warp_points. A warp goes down a strip of squares. */
__global__ void __launch_bounds__(THREADS)
    mark_kernel(const ter_fluvial_job *jobs, const int *network_of, const tile_mask *masks)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const tile_mask &mask = masks[network_of[blockIdx.y]];
    const warp_points points = warp_points_of(job);
    const int last_x = points.at.width - 1, last_y = points.at.height - 1, lane = (int)threadIdx.x % LANES;
    const int across = last_x / STRIP_COLUMNS + 1, strips = across * (last_y / STRIP_ROWS + 1), warps = THREADS / LANES;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x) / LANES; n < strips; n += (int)gridDim.x * warps) {
        const int x = min(n % across * STRIP_COLUMNS + lane, last_x), first_y = n / across * STRIP_ROWS;
        network_place above = warp_point_place(job, points, x, first_y);
        for (int y = first_y; y < min(first_y + STRIP_ROWS, last_y + 1); y++) {
            const network_place below = warp_point_place(job, points, x, min(y + 1, last_y));
            const place_box side = box_around({above, above}, {below, below});
            mark(mask, box_around(side, box_beside(side)));
            above = below;
        }
    }
}

/** Compute the distance of each tile from the nearest marked tile of its row, in tiles. */
__global__ void __launch_bounds__(THREADS) rows_kernel(const tile_mask *masks)
{
    const tile_mask &mask = masks[blockIdx.y];
    const int width = mask.at.width, count = width * mask.at.height;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < count; n += (int)gridDim.x * THREADS) {
        const int x = n % width;
        int least = RINGS_MAX + 1;
        for (int a = max(-RINGS_MAX, -x); a <= min(RINGS_MAX, width - 1 - x); a++)
            if (mask.rings[n + a])
                least = min(least, abs(a));
        mask.rows[n] = (unsigned char)least;
    }
}

/** Compute the ring of each tile from the distances along the rows. */
__global__ void __launch_bounds__(THREADS) rings_kernel(const tile_mask *masks)
{
    const tile_mask &mask = masks[blockIdx.y];
    const int width = mask.at.width, count = width * mask.at.height;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < count; n += (int)gridDim.x * THREADS) {
        const int y = n / width;
        int least = RINGS_MAX + 1;
        for (int b = max(-RINGS_MAX, -y); b <= min(RINGS_MAX, mask.at.height - 1 - y); b++)
            least = min(least, max(abs(b), (int)mask.rows[n + b * width]));
        mask.rings[n] = (unsigned char)least;
    }
}

/** Window of the tiles that contain all nodes of a network at level MASK_FIRST_LEVEL - 1 and at finer levels. */
ter_window tiles_over(ter_window cells)
{
    constexpr int LEVEL = MASK_FIRST_LEVEL - 1, SHIFT = MASK_SHIFT - (TER_NETWORK_LAST - LEVEL);
    ter_arena none = {nullptr, 0};
    ter_fluvial_job job;
    ter_plan_drainage(cells, &none, &job);
    const ter_window &at = job.node_at[LEVEL];
    return ter_window_between(at.x >> SHIFT, at.y >> SHIFT, (at.x + at.width - 1) >> SHIFT,
                              (at.y + at.height - 1) >> SHIFT);
}

} // namespace

ter_status ter_cuda::find_masks(const ter_fluvial_job *blocks, const std::vector<network> &networks,
                                fluvial_memory *memory, cudaStream_t stream, const tile_mask **masks)
{
    std::vector<tile_mask> tiles;
    std::vector<int> network_of; /* of each block */
    size_t count = 0;
    for (const network &n : networks) {
        tiles.push_back({tiles_over(n.cells), nullptr, nullptr});
        count += ter_window_count(tiles.back().at);
        network_of.resize(network_of.size() + n.blocks.size());
    }
    for (size_t n = 0; n < networks.size(); n++)
        for (int block : networks[n].blocks)
            network_of[(size_t)block] = (int)n;
    ter_status status = reserve(&memory->mask_rings, 2 * count);
    unsigned char *at = (unsigned char *)memory->mask_rings.at;
    for (tile_mask &t : tiles) {
        t.rings = at;
        t.rows = at + count;
        at += ter_window_count(t.at);
    }
    if (status == TER_OK)
        status = upload(&memory->masks, tiles, stream);
    if (status == TER_OK)
        status = upload(&memory->network_of, network_of, stream);
    if (status != TER_OK)
        return status;
    *masks = (const tile_mask *)memory->masks.at;
    TER_CUDA(cudaMemsetAsync(memory->mask_rings.at, 0, count, stream));
    constexpr unsigned BLOCKS = 64; /* of threads, for each block of points or network */
    mark_kernel<<<dim3(BLOCKS, (unsigned)network_of.size()), THREADS, 0, stream>>>(
        blocks, (const int *)memory->network_of.at, *masks);
    rows_kernel<<<dim3(BLOCKS, (unsigned)networks.size()), THREADS, 0, stream>>>(*masks);
    rings_kernel<<<dim3(BLOCKS, (unsigned)networks.size()), THREADS, 0, stream>>>(*masks);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
