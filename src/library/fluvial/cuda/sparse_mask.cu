/* sparse_mask.cu - the cells of a network that places are near: marked by looking at the places, then rings around
 * them. */
#include "library/fluvial/cuda/sparse_mask.cuh"

#include "library/fluvial/cuda/extents.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128, LANES = 32;
constexpr int STRIP_COLUMNS = LANES - 1, STRIP_ROWS = 32; /* squares of places that a warp looks at */
constexpr int MARGIN = TER_GROUND_CELLS + 1; /* cells: what a place looks at, and a bound of those between */

/** Corners of a box of places. */
struct place_box {
    network_place low, high;
};

__device__ place_box box_around(const place_box &a, const place_box &b)
{
    return {{min(a.low.x, b.low.x), min(a.low.y, b.low.y)}, {max(a.high.x, b.high.x), max(a.high.y, b.high.y)}};
}

/** The box of the next lane; the last lane gets its own. */
__device__ place_box box_beside(const place_box &b)
{
    constexpr unsigned ALL = 0xffffffffu;
    return {{__shfl_down_sync(ALL, b.low.x, 1), __shfl_down_sync(ALL, b.low.y, 1)},
            {__shfl_down_sync(ALL, b.high.x, 1), __shfl_down_sync(ALL, b.high.y, 1)}};
}

__device__ void mark(const wanted_tiles &wanted, const place_box &b)
{
    const int64_t x0 = ((b.low.x >> TER_CELL_SHIFT) - MARGIN) >> WANTED_SHIFT,
                  x1 = ((b.high.x >> TER_CELL_SHIFT) + MARGIN) >> WANTED_SHIFT;
    const int64_t y0 = ((b.low.y >> TER_CELL_SHIFT) - MARGIN) >> WANTED_SHIFT,
                  y1 = ((b.high.y >> TER_CELL_SHIFT) + MARGIN) >> WANTED_SHIFT;
    for (int64_t y = y0; y <= y1; y++)
        for (int64_t x = x0; x <= x1; x++)
            wanted.rings[ter_window_index(wanted.at, x, y)] = 1;
}

/** Mark the tiles near the boxes of squares of looked points. A warp goes down a strip of them. */
__global__ void __launch_bounds__(THREADS)
    mark_kernel(const ter_fluvial_job *jobs, const int *network_of, const wanted_tiles *wanted)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const wanted_tiles &tiles = wanted[network_of[blockIdx.y]];
    const looked_points points = looked_points_of(job);
    const int last_x = points.at.width - 1, last_y = points.at.height - 1, lane = (int)threadIdx.x % LANES;
    const int across = last_x / STRIP_COLUMNS + 1, strips = across * (last_y / STRIP_ROWS + 1), warps = THREADS / LANES;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x) / LANES; n < strips; n += (int)gridDim.x * warps) {
        const int x = min(n % across * STRIP_COLUMNS + lane, last_x), first_y = n / across * STRIP_ROWS;
        network_place above = looked_place(job, points, x, first_y);
        for (int y = first_y; y < min(first_y + STRIP_ROWS, last_y + 1); y++) {
            const network_place below = looked_place(job, points, x, min(y + 1, last_y));
            const place_box side = box_around({above, above}, {below, below});
            mark(tiles, box_around(side, box_beside(side)));
            above = below;
        }
    }
}

/** Tiles of a row between each and the nearest one that is marked. */
__global__ void __launch_bounds__(THREADS) rows_kernel(const wanted_tiles *wanted)
{
    const wanted_tiles &tiles = wanted[blockIdx.y];
    const int width = tiles.at.width, count = width * tiles.at.height;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < count; n += (int)gridDim.x * THREADS) {
        const int x = n % width;
        int least = RINGS_MAX + 1;
        for (int a = max(-RINGS_MAX, -x); a <= min(RINGS_MAX, width - 1 - x); a++)
            if (tiles.rings[n + a])
                least = min(least, abs(a));
        tiles.rows[n] = (unsigned char)least;
    }
}

__global__ void __launch_bounds__(THREADS) rings_kernel(const wanted_tiles *wanted)
{
    const wanted_tiles &tiles = wanted[blockIdx.y];
    const int width = tiles.at.width, count = width * tiles.at.height;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < count; n += (int)gridDim.x * THREADS) {
        const int y = n / width;
        int least = RINGS_MAX + 1;
        for (int b = max(-RINGS_MAX, -y); b <= min(RINGS_MAX, tiles.at.height - 1 - y); b++)
            least = min(least, max(abs(b), (int)tiles.rows[n + b * width]));
        tiles.rings[n] = (unsigned char)least;
    }
}

/** Tiles over all nodes of a network from the level on before the first whose cells are left out. */
ter_window tiles_over(ter_window cells)
{
    constexpr int LEVEL = WANTED_FIRST_LEVEL - 1, SHIFT = WANTED_SHIFT - (TER_NETWORK_LAST - LEVEL);
    ter_arena none = {nullptr, 0};
    ter_fluvial_job job;
    ter_plan_drainage(cells, &none, &job);
    const ter_window &at = job.node_at[LEVEL];
    return ter_window_between(at.x >> SHIFT, at.y >> SHIFT, (at.x + at.width - 1) >> SHIFT,
                              (at.y + at.height - 1) >> SHIFT);
}

} // namespace

ter_status ter_cuda::find_wanted(const ter_fluvial_job *blocks, const std::vector<network> &networks,
                                 fluvial_memory *memory, cudaStream_t stream, const wanted_tiles **wanted)
{
    std::vector<wanted_tiles> tiles;
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
    ter_status status = reserve(&memory->wanted, 2 * count);
    unsigned char *at = (unsigned char *)memory->wanted.at;
    for (wanted_tiles &t : tiles) {
        t.rings = at;
        t.rows = at + count;
        at += ter_window_count(t.at);
    }
    if (status == TER_OK)
        status = upload(&memory->wanted_tiles, tiles, stream);
    if (status == TER_OK)
        status = upload(&memory->network_of, network_of, stream);
    if (status != TER_OK)
        return status;
    *wanted = (const wanted_tiles *)memory->wanted_tiles.at;
    TER_CUDA(cudaMemsetAsync(memory->wanted.at, 0, count, stream));
    constexpr unsigned BLOCKS = 64; /* of threads, for each block of points or network */
    mark_kernel<<<dim3(BLOCKS, (unsigned)network_of.size()), THREADS, 0, stream>>>(
        blocks, (const int *)memory->network_of.at, *wanted);
    rows_kernel<<<dim3(BLOCKS, (unsigned)networks.size()), THREADS, 0, stream>>>(*wanted);
    rings_kernel<<<dim3(BLOCKS, (unsigned)networks.size()), THREADS, 0, stream>>>(*wanted);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
