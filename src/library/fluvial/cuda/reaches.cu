/* reaches.cu - ter_make_reaches. A bed has eight points: a thread makes one of them, and the reach that begins there.
 */
#include "library/fluvial/cuda/reaches.cuh"

#include "library/fluvial/cuda/cell_bounds.cuh"
#include "library/fluvial/surface.h"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128, POINTS = TER_REACHES + 1, CELLS = THREADS / POINTS; /* of a block of threads */

static_assert(POINTS == 8, "four beds a warp");

/** Least and greatest value of the threads of a bed. */
__device__ float least_of_bed(unsigned bed, float value)
{
    for (int step = 1; step < POINTS; step *= 2)
        value = fminf(value, __shfl_xor_sync(bed, value, step));
    return value;
}

__device__ float greatest_of_bed(unsigned bed, float value)
{
    return -least_of_bed(bed, -value);
}

/** Let the inner points of a bed follow the ground.
 *
 *  bed  the threads of the bed, as a mask of the warp
 *  i    point of this thread
 */
__device__ void lower_bed(const ter_fluvial_job *job, const ter_course &course, unsigned bed, int i, ter_bank *b)
{
    const bool is_inner = i > 0 && i < TER_REACHES;
    if (is_inner) {
        float side = b->z;
        ter_sides_around(job, course.k, 1, &b->x, &b->y, b->z, &side);
        b->z = ter_bed_height(&course, b->z, side);
    }
    for (int step = 1; step < POINTS; step *= 2) {
        const float upstream = __shfl_up_sync(bed, b->z, step, POINTS);
        if (is_inner && i >= step)
            b->z = ter_min(b->z, upstream);
    }
}

__global__ void __launch_bounds__(THREADS) reaches_kernel(const ter_fluvial_job *jobs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_window at = job->piece_at;
    const size_t cell = (size_t)blockIdx.x * CELLS + threadIdx.x / POINTS;
    const int i = (int)(threadIdx.x % POINTS);
    if (cell >= ter_window_count(at) || job->course[cell] != TER_COURSE_BROOK)
        return;
    const unsigned bed = 0xffu << (threadIdx.x & 24u);
    const int64_t cell_x = at.x + (int64_t)(cell % (size_t)at.width),
                  cell_y = at.y + (int64_t)(cell / (size_t)at.width);
    const ter_course course = ter_course_of_pieces(job, cell_x, cell_y, job->piece + cell * TER_PIECES);
    float first, last;
    ter_course_areas(job, &course, &first, &last);
    ter_bank b = ter_bed_bank(&course, i);
    float roam[2];
    ter_wander_bed(job, cell_x, cell_y, &course, i, &b, roam);
    if (ter_runs_on(job, &course))
        lower_bed(job, course, bed, i, &b);
    ter_roam_bed(roam, &b);
    ter_bank next = b;
    next.x = __shfl_down_sync(bed, b.x, 1, POINTS);
    next.y = __shfl_down_sync(bed, b.y, 1, POINTS);
    next.z = __shfl_down_sync(bed, b.z, 1, POINTS);
    next.broad = __shfl_down_sync(bed, b.broad, 1, POINTS);
    const ter_reach reach = ter_reach_between(job, &course, i < TER_REACHES ? i : i - 1, b, next, first, last);
    const float width = ter_max(reach.width, reach.width + reach.dwidth);
    const float extent = greatest_of_bed(bed, (width + ter_river_extent(width)) * (1.0f / TER_UNIT) + 1.0f);
    const float4 box = make_float4(least_of_bed(bed, b.x) - extent, least_of_bed(bed, b.y) - extent,
                                   greatest_of_bed(bed, b.x) + extent, greatest_of_bed(bed, b.y) + extent);
    if (i < TER_REACHES)
        job->reach[cell * TER_REACHES + (size_t)i] = reach;
    else
        *(float4 *)&((cell_bounds *)job->piece_bounds)[cell].bed_x0 = box;
}

} // namespace

ter_status ter_cuda::run_reaches(const fluvial_jobs &jobs)
{
    const int most =
        greatest_of(jobs, [&](int n) { return (int)((ter_window_count(jobs.host[n].piece_at) + CELLS - 1) / CELLS); });
    reaches_kernel<<<dim3((unsigned)most, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
