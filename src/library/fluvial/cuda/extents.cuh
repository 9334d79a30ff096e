/* extents.cuh - cells of the network that blocks of fluvial worlds lie over. */
#ifndef TERRANE_FLUVIAL_CUDA_EXTENTS_CUH
#define TERRANE_FLUVIAL_CUDA_EXTENTS_CUH

#include <vector>

#include "library/fluvial/cuda/cell_edges.cuh"
#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** Points of the finest spacing of a job's grounds that cover all of them. */
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

/** Points at which the warp of a block is evaluated. Places between four of them lie no more than a cell outside of the
 * box of those four places. */
struct looked_points {
    ter_window at; /* multiples of `step` metres; those beyond an edge stand for points on it */
    int step;
    int64_t x0, y0, x1, y1; /* m; the edges */
};

constexpr int LOOKED_STEP = 256; /* m */

__device__ inline looked_points looked_points_of(const ter_fluvial_job *job)
{
    const ter_lattice points = ground_points_of(job),
                      at = points.step < LOOKED_STEP ? ter_lattice_cover(points, LOOKED_STEP, 0) : points;
    return {at.at,
            at.step,
            points.at.x * points.step,
            points.at.y * points.step,
            (points.at.x + points.at.width - 1) * points.step,
            (points.at.y + points.at.height - 1) * points.step};
}

/** Place of a point, m; with the knots of the warp. */
__host__ __device__ inline network_place network_place_of(const ter_fluvial_job *job, int64_t x, int64_t y)
{
    float warp[TER_SHIFTS];
    ter_warp_at(job, x, y, warp);
    return {ter_place_x(x, y, warp), ter_place_y(x, y, warp)};
}

/** Place of looked point (x, y) of the window. */
__device__ inline network_place looked_place(const ter_fluvial_job *job, const looked_points &p, int x, int y)
{
    const int64_t px = (p.at.x + x) * p.step, py = (p.at.y + y) * p.step;
    return network_place_of(job, px < p.x0 ? p.x0 : px > p.x1 ? p.x1 : px, py < p.y0 ? p.y0 : py > p.y1 ? p.y1 : py);
}

/** Cells of the last level in which all places of each block lie; waits for them.
 *
 *  jobs   with the knots of the warp placed; they are made
 *  edges  device memory of fluvial_extents_bytes(count)
 *  cells  one window a block
 *  Errors TER_EDEVICE
 */
ter_status find_extents(const fluvial_jobs &jobs, void *edges, ter_window *cells);
size_t fluvial_extents_bytes(size_t count);

/** One window for all of some blocks of a few samples, those of a probe, found on the host: no device is waited for.
 * Returns false where blocks are larger or lie far apart.
 *
 *  memory  extents of the calls before are taken from it; it receives these, with a margin, where those do not reach so
 * far
 */
bool find_extents_of_few(const std::vector<ter_fluvial_job> &jobs, fluvial_memory *memory, ter_window *cells);

} // namespace ter_cuda

#endif
