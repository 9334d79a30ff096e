/* extents.cuh - finds the cells of the network over which blocks of fluvial worlds lie. */
#ifndef TERRANE_FLUVIAL_CUDA_EXTENTS_CUH
#define TERRANE_FLUVIAL_CUDA_EXTENTS_CUH

#include <vector>

#include "library/fluvial/cuda/cell_edges.cuh"
#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** Lattice with the finest spacing of a job's grounds that covers all of them. */
__host__ __device__ inline ter_lattice ground_points_of(const ter_fluvial_job *job)
{
    ter_lattice all = job->ground[0].points;
    for (int g = 1; g < job->n_grounds; g++) {
        const ter_lattice &points = job->ground[g].points;
        const int finer = points.step < all.step ? points.step : all.step;
        all.at = ter_window_united(ter_lattice_cover(all, finer, 0).at, ter_lattice_cover(points, finer, 0).at);
        all.step = finer;
    }
    return all;
}

/** Points at which the warp of a block is evaluated. A place between four of these points lies at most one cell outside
 * of the box of their four places. */
struct warp_points {
    ter_window at; /* multiples of `step` metres; points beyond the edges are moved onto them */
    int step;
    int64_t x0, y0, x1, y1; /* m; edges of the block's ground */
};

constexpr int WARP_POINT_STEP = 256; /* m */

__device__ inline warp_points warp_points_of(const ter_fluvial_job *job)
{
    const ter_lattice points = ground_points_of(job),
                      at = points.step < WARP_POINT_STEP ? ter_lattice_cover(points, WARP_POINT_STEP, 0) : points;
    return {at.at,
            at.step,
            points.at.x * points.step,
            points.at.y * points.step,
            (points.at.x + points.at.width - 1) * points.step,
            (points.at.y + points.at.height - 1) * points.step};
}

/** Place of a point of the world, m. The knots of the warp have been made. */
__host__ __device__ inline network_place network_place_of(const ter_fluvial_job *job, int64_t x, int64_t y)
{
    float warp[TER_SHIFTS];
    ter_warp_at(job, x, y, warp);
    return {ter_place_x(x, y, warp), ter_place_y(x, y, warp)};
}

/** Place of point (x, y) of the window. */
__device__ inline network_place warp_point_place(const ter_fluvial_job *job, const warp_points &p, int x, int y)
{
    const int64_t px = (p.at.x + x) * p.step, py = (p.at.y + y) * p.step;
    return network_place_of(job, px < p.x0 ? p.x0 : px > p.x1 ? p.x1 : px, py < p.y0 ? p.y0 : py > p.y1 ? p.y1 : py);
}

/** Find the window of cells of the last level in which all places of a block lie, for each block. The host waits for
 * the device.
 *
 *  jobs    with memory placed for the knots of the warp, which are made
 *  edges   device memory of fluvial_extents_bytes(count)
 *  cells   receives one window per block
 *  Errors  TER_EDEVICE
 */
ter_status find_extents(const fluvial_jobs &jobs, void *edges, ter_window *cells);
size_t fluvial_extents_bytes(size_t count);

/** Find one window for all blocks on the host, without waiting for the device. This is for blocks of a few samples that
 * lie near each other, as those of a probe.
 *
 *  memory   holds the cache of extents. A new extent is found with a margin and stored there
 *  cells    receives the same window for each block
 *  Returns  false if blocks are larger or lie far apart; cells are unspecified then
 */
bool find_extents_of_few(const std::vector<ter_fluvial_job> &jobs, fluvial_memory *memory, ter_window *cells);

} // namespace ter_cuda

#endif
