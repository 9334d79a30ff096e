/* reaches.cu - does the work of ter_make_reaches. A bed has eight points. A thread makes one of them, and the reach
 * that begins there. */
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

constexpr int SIDES = 24; /* greatest number of channels beside a bed */

/** Channels whose sides may lie lower than a bed; cell_x, cell_y: corner of the channel's cell, units from that of the
 * bed's cell. */
struct side_list {
    ter_straight side[SIDES];
    float cell_x[SIDES], cell_y[SIDES];
};

/** List the channels around node k whose sides may lie below `high`. Each thread of the bed tests some of them. Returns
 * their number. */
__device__ int list_sides(const ter_fluvial_job *job, int k, float high, unsigned bed, int i, side_list *list)
{
    constexpr int REACH = 2, SIDE = 2 * REACH + 1;
    const int width = job->node_at[TER_NETWORK_LAST].width;
    int count = 0;
    for (int first = 0; first < SIDE * SIDE; first += POINTS) {
        const int n = first + i, a = n % SIDE - REACH, b = n / SIDE - REACH, beside = k + b * width + a;
        const ter_node *node = job->node[TER_NETWORK_LAST & 1] + beside;
        const bool matters =
            n < SIDE * SIDE && beside != k && node->kind != TER_NODE_BARE && ter_channel_bound(node, width) < high;
        const unsigned lanes = __ballot_sync(bed, matters) & bed;
        if (matters) {
            const int place = count + __popc(lanes & ((1u << (threadIdx.x & 31u)) - 1u));
            list->side[place] = ter_straight_channel(job, beside);
            list->cell_x[place] = (float)a * TER_CELL;
            list->cell_y[place] = (float)b * TER_CELL;
        }
        count += __popc(lanes);
    }
    __syncwarp(bed);
    return count;
}

/** Let the inner points of a bed follow the ground.
 *
 *  bed  the threads of the bed, as a mask of the warp
 *  i    point of this thread
 */
__device__ void lower_bed(const ter_fluvial_job *job, const ter_course &course, unsigned bed, int i, side_list *list,
                          ter_bank *b)
{
    const bool is_inner = i > 0 && i < TER_REACHES;
    const int count = list_sides(job, course.k, __shfl_sync(bed, b->z, 0, POINTS), bed, i, list);
    const ter_press press = ter_press_at(job, course.k);
    float side = b->z;
    for (int n = 0; n < count; n++)
        side = ter_min(side, ter_straight_side(&list->side[n], press, b->x - list->cell_x[n], b->y - list->cell_y[n]));
    if (is_inner)
        b->z = ter_bed_height(&course, b->z, side);
    for (int step = 1; step < POINTS; step *= 2) {
        const float upstream = __shfl_up_sync(bed, b->z, step, POINTS);
        if (is_inner && i >= step)
            b->z = ter_min(b->z, upstream);
    }
}

__global__ void __launch_bounds__(THREADS) reaches_kernel(const ter_fluvial_job *jobs)
{
    __shared__ side_list sides[CELLS];
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
        lower_bed(job, course, bed, i, &sides[threadIdx.x / POINTS], &b);
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
