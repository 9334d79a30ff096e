/* ground_points.cuh - functions for points of the ground that ground.cu and far_ground.cu share. */
#ifndef TERRANE_FLUVIAL_CUDA_GROUND_POINTS_CUH
#define TERRANE_FLUVIAL_CUDA_GROUND_POINTS_CUH

#include "library/fluvial/passes.h"

namespace
{

constexpr int LISTED_STEP = 64; /* m; points further apart share no list of pieces */

/** A point of a ground's lattice: its place in the world, metres, and the warp there. */
struct warped_point {
    int64_t x, y;
    float warp[TER_SHIFTS];
};

/** Point (x, y) of a ground's window. */
__device__ inline warped_point warped_point_at(const ter_ground_plan *plan, int x, int y)
{
    const ter_window at = plan->points.at;
    const float *warp = plan->warp + ((size_t)y * (size_t)at.width + (size_t)x) * TER_SHIFTS;
    return {(at.x + x) * plan->points.step, (at.y + y) * plan->points.step, {warp[0], warp[1], warp[2]}};
}

/** Call ter_ground_of, for the few points with more pieces than a list holds. It is not inlined, so that the kernel
 * needs fewer registers. */
__device__ __noinline__ inline void make_by_definition(const ter_fluvial_job *job, const warped_point &p,
                                                       ter_ground *out)
{
    ter_ground_of(job, p.x, p.y, p.warp, out);
}

/** The ground at point (x, y) of ground g's window, if the finest lattice contains that point; otherwise NULL. The warp
 * at the point is the same in both lattices, and so is the ground. */
__device__ inline const ter_ground *find_made(const ter_fluvial_job *job, int g, int x, int y)
{
    const ter_lattice &at = job->ground[g].points, &made = job->ground[0].points;
    const int64_t ratio = at.step / made.step, px = (at.at.x + x) * ratio, py = (at.at.y + y) * ratio;
    if (g == 0 || px < made.at.x || py < made.at.y || px >= made.at.x + made.at.width ||
        py >= made.at.y + made.at.height)
        return nullptr;
    return job->ground[0].ground + ter_window_index(made.at, px, py);
}

} // namespace

#endif
