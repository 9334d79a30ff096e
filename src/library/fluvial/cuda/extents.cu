/* extents.cu - finds the cells in which the places of blocks lie.
 *
 * The warp is evaluated at points 256 m apart, or at the ground's points where these are further apart. The second
 * derivative of the warp is at most .007 / m along each axis (the sum of 4 x reach / pitch^2 over its octaves). Between
 * the evaluated points a place therefore lies at most 115 m outside of their hull. At spacings below 32 m the warp
 * follows the four-point rule. Along an axis, a halving leaves the hull of its points by at most an eighth of their
 * greatest second difference, together 4 m, and shifts new points by at most 3 m. A margin of one cell, 512 m, covers
 * all. This holds for the hull of all evaluated points, and for the hull of any four adjacent ones.
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

/** Window of the cells between bounds, with a margin of cells on each side. */
ter_window cells_within(const cell_edges &e, int margin)
{
    return ter_window_grown(ter_window_between(e.low_x >> TER_CELL_SHIFT, e.low_y >> TER_CELL_SHIFT,
                                               e.high_x >> TER_CELL_SHIFT, e.high_y >> TER_CELL_SHIFT),
                            margin);
}

/** Places of the points at which the warp of a block is evaluated, for find_edges. */
struct warp_point_places {
    __device__ int count(const ter_fluvial_job *job) const
    {
        const warp_points points = warp_points_of(job);
        return points.at.width * points.at.height;
    }
    __device__ network_place at(const ter_fluvial_job *job, int n) const
    {
        const warp_points points = warp_points_of(job);
        return warp_point_place(job, points, n % points.at.width, n / points.at.width);
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
        status = find_edges(jobs, warp_point_places(), memory, edges.data());
    if (status != TER_OK)
        return status;
    for (size_t n = 0; n < edges.size(); n++)
        cells[n] = cells_within(edges[n], 1);
    return TER_OK;
}

namespace
{

/** Set the bounds of the ground points of all jobs, m. Returns false if a job has more than FEW_POINTS samples. */
bool bound_few_points(const std::vector<ter_fluvial_job> &jobs, cached_extents *e)
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

bool is_of_world(const cached_extents &cached, const cached_extents &e)
{
    return cached.is_found && memcmp(&cached.f, &e.f, sizeof e.f) == 0;
}

/** Whether a cached extent covers the bounds of another one. */
bool covers(const cached_extents &cached, const cached_extents &e)
{
    return is_of_world(cached, e) && cached.x0 <= e.x0 && cached.y0 <= e.y0 && cached.x1 >= e.x1 && cached.y1 >= e.y1;
}

/** Cells in which all places between bounds lie, computed on the host. step: m; spacing at which the warp is evaluated
 */
ter_window find_cells_between(const cached_extents &k, int step)
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
    const int margin = step == WARP_POINT_STEP       ? 1
                       : step == 2 * WARP_POINT_STEP ? 2
                                                     : 4; /* 115, 460 and 1,840 m, and 4 m of the halvings */
    return cells_within(e, margin);
}

} // namespace

bool ter_cuda::find_extents_of_few(const std::vector<ter_fluvial_job> &jobs, fluvial_memory *memory, ter_window *cells)
{
    constexpr int STEPS = 16, STEP_MAX = 1024;
    constexpr int64_t MARGIN = 1024; /* m */
    cached_extents e = {true, 0, jobs[0].f, 0, 0, 0, 0, {}};
    if (!bound_few_points(jobs, &e) || std::max(e.x1 - e.x0, e.y1 - e.y0) > STEPS * STEP_MAX - 2 * MARGIN)
        return false;
    cached_extents *cache = memory->extents_cache;
    cached_extents &cached = cache[is_of_world(cache[0], e)   ? 0
                                   : is_of_world(cache[1], e) ? 1
                                                              : cache[1].used < cache[0].used];
    if (!covers(cached, e)) {
        e.x0 -= MARGIN;
        e.y0 -= MARGIN;
        e.x1 += MARGIN;
        e.y1 += MARGIN;
        int step = WARP_POINT_STEP;
        while (std::max(e.x1 - e.x0, e.y1 - e.y0) > STEPS * step)
            step *= 2;
        e.cells = find_cells_between(e, step);
        cached = e;
    }
    cached.used = memory->n_calls;
    std::fill(cells, cells + jobs.size(), cached.cells);
    return true;
}
