/* extents.cu - cells that the places of blocks lie in.
 *
 * The warp is evaluated 256 m apart, or at the points themselves where they are further apart. Its second derivative is
 * at most .007 / m along each axis (the sum of 4 x reach / pitch^2 of its octaves), so that between these points it
 * leaves their hull by 115 m at most. Below 32 m it follows the four-point rule, which along an axis and a halving
 * leaves the hull of its points by an eighth of their greatest second difference: 4 m at most in all. One cell more on
 * each side, 512 m, covers all of it: around all of these points, and around each four of them.
 */
#include "library/fluvial/cuda/extents.cuh"

#include <algorithm>
#include <climits>
#include <cstring>

#include "library/fluvial/cuda/cell_edges.cuh"
#include "library/fluvial/cuda/places.cuh"

using namespace ter_cuda;

namespace
{

/** Cells between edges, and `margin` more on each side. */
ter_window cells_within(const cell_edges &e, int margin)
{
    return ter_window_grown(ter_window_between(e.low_x >> TER_CELL_SHIFT, e.low_y >> TER_CELL_SHIFT,
                                               e.high_x >> TER_CELL_SHIFT, e.high_y >> TER_CELL_SHIFT),
                            margin);
}

/** The points at which the warp of a block is looked at. */
struct looked_places {
    __device__ int count(const ter_fluvial_job *job) const
    {
        const looked_points points = looked_points_of(job);
        return points.at.width * points.at.height;
    }
    __device__ network_place at(const ter_fluvial_job *job, int n) const
    {
        const looked_points points = looked_points_of(job);
        return looked_place(job, points, n % points.at.width, n / points.at.width);
    }
};

} // namespace

size_t ter_cuda::fluvial_extents_bytes(size_t count)
{
    return count * sizeof(cell_edges);
}

ter_status ter_cuda::find_extents(const fluvial_jobs &jobs, void *memory, ter_window *cells)
{
    std::vector<cell_edges> edges((size_t)jobs.count);
    ter_status status = run_knots(jobs);
    if (status == TER_OK)
        status = find_edges(jobs, looked_places(), memory, edges.data());
    if (status != TER_OK)
        return status;
    for (size_t n = 0; n < edges.size(); n++)
        cells[n] = cells_within(edges[n], 1);
    return TER_OK;
}

namespace
{

/** Bounds of the points of jobs, m. Returns false where a job has more than a few points. */
bool bound_few_points(const std::vector<ter_fluvial_job> &jobs, kept_extents *e)
{
    e->x0 = e->y0 = INT64_MAX;
    e->x1 = e->y1 = INT64_MIN;
    for (const ter_fluvial_job &job : jobs) {
        const ter_lattice w = ground_points_of(&job);
        if (job.points.at.width * job.points.at.height > FEW_POINTS)
            return false;
        e->x0 = std::min(e->x0, w.at.x * w.step);
        e->y0 = std::min(e->y0, w.at.y * w.step);
        e->x1 = std::max(e->x1, (w.at.x + w.at.width - 1) * w.step);
        e->y1 = std::max(e->y1, (w.at.y + w.at.height - 1) * w.step);
    }
    return true;
}

bool is_of_world(const kept_extents &kept, const kept_extents &e)
{
    return kept.is_found && memcmp(&kept.f, &e.f, sizeof e.f) == 0;
}

bool reaches(const kept_extents &kept, const kept_extents &e)
{
    return is_of_world(kept, e) && kept.x0 <= e.x0 && kept.y0 <= e.y0 && kept.x1 >= e.x1 && kept.y1 >= e.y1;
}

/** Cells over which all places between bounds lie; the warp is looked at every `step` metres. */
ter_window find_cells_between(const kept_extents &k, int step)
{
    ter_fluvial_job job;
    ter_arena sizes = {nullptr, 0};
    memset(&job, 0, sizeof job);
    job.f = k.f;
    for (int n = 0; n < TER_WARP_OCTAVES; n++)
        job.warp_at[n] = ter_spline_window(k.x0, k.y0, k.x1, k.y1, TER_WARP_SHIFT - n);
    ter_place_warp(&sizes, &job);
    std::vector<char> memory(sizes.bytes);
    ter_arena arena = {memory.data(), 0};
    ter_place_warp(&arena, &job);
    for (int n = 0; n < TER_WARP_OCTAVES; n++)
        for (int m = 0; m < job.warp_at[n].width * job.warp_at[n].height; m++)
            ter_make_warp_knot(&job, n, m % job.warp_at[n].width, m / job.warp_at[n].width);
    cell_edges e = {LLONG_MAX, LLONG_MAX, LLONG_MIN, LLONG_MIN};
    for (int64_t y = k.y0; y < k.y1 + step; y += step)
        for (int64_t x = k.x0; x < k.x1 + step; x += step)
            widen(&e, network_place_of(&job, std::min(x, k.x1), std::min(y, k.y1)));
    const int margin = step == LOOKED_STEP       ? 1
                       : step == 2 * LOOKED_STEP ? 2
                                                 : 4; /* 115, 460 and 1,840 m, and 4 m of the halvings */
    return cells_within(e, margin);
}

} // namespace

bool ter_cuda::find_extents_of_few(const std::vector<ter_fluvial_job> &jobs, fluvial_memory *memory, ter_window *cells)
{
    constexpr int STEPS = 16, STEP_MAX = 1024;
    constexpr int64_t MARGIN = 1024; /* m */
    kept_extents e = {true, 0, jobs[0].f, 0, 0, 0, 0, {}};
    if (!bound_few_points(jobs, &e) || std::max(e.x1 - e.x0, e.y1 - e.y0) > STEPS * STEP_MAX - 2 * MARGIN)
        return false;
    kept_extents *few = memory->few;
    kept_extents &kept = few[is_of_world(few[0], e) ? 0 : is_of_world(few[1], e) ? 1 : few[1].used < few[0].used];
    if (!reaches(kept, e)) {
        e.x0 -= MARGIN;
        e.y0 -= MARGIN;
        e.x1 += MARGIN;
        e.y1 += MARGIN;
        int step = LOOKED_STEP;
        while (std::max(e.x1 - e.x0, e.y1 - e.y0) > STEPS * step)
            step *= 2;
        e.cells = find_cells_between(e, step);
        kept = e;
    }
    kept.used = memory->n_calls;
    std::fill(cells, cells + jobs.size(), kept.cells);
    return true;
}
