/* ground.cu - the ground of ter_make_ground: points near one another share lists of the channel pieces that matter,
 * piece_lists.cuh; points far apart have no pieces in common, and each looks for those that reach it.
 */
#include "library/fluvial/cuda/ground.cuh"

#include <algorithm>

#include <cuda_fp16.h>

#include "library/fluvial/cuda/segment_lists.cuh"

using namespace ter_cuda;

namespace
{

constexpr int COLUMNS = 16;                      /* of the points of a block of threads */
constexpr int FAR_THREADS = 128, FAR_BLOCKS = 5; /* of a multiprocessor */
constexpr int LISTED_STEP = 32;                  /* m; points further apart share no list */

/** A point of a ground's lattice, or beside one: its place in the world, metres, and the warp there. */
struct warped_point {
    int64_t x, y;
    float warp[TER_SHIFTS];
};

/** ter_ground_of, for the few points whose pieces are too many for a list; apart, for the registers of all others. */
__device__ __noinline__ void make_by_definition(const ter_fluvial_job *job, const warped_point &p, ter_ground *out)
{
    ter_ground_of(job, p.x, p.y, p.warp, out);
}

/** A side that was met before, at this lane's point. */
__device__ __forceinline__ ter_side side_met(const ter_piece *from, float height, float t)
{
    const float4 half = __ldg((const float4 *)from + 1); /* inverse, z, dz, slope */
    return {height, ter_fma(t, half.z, half.y), t, 0.0f, ter_fma(t, __ldg(&from->dslope), half.w)};
}

/** A point of the ground from its warp's list. The first time, a piece is passed over whose side is nowhere as low as
 * the highest of what the warp's points have already; the second time, one that no point of the warp needs.
 *
 *  best  the entry of the block's list that is likely to be low
 *  met   of this warp
 */
__device__ void make_point(const ter_fluvial_job *job, const piece_list &l, const near_list &near, int count, int best,
                           float x, float y, const ter_province_place &province, float patch, met_sides *met,
                           ter_ground *out)
{
    const int lane = (int)(threadIdx.x & 31u);
    ter_ground_sum sum;
    ter_ground_begin(&province, &sum);
    const ter_piece *pieces = job->piece;
    const ter_piece first = load_piece(pieces + l.index[best], l.x[best], l.y[best]);
    const float best_height = ter_side_at(&first, x - first.x, y - first.y, sum.top, sum.above).height;
    float high = greatest_of_warp(best_height);
    unsigned is_met = 0; /* of the first 32 entries */
    int n_met = 0;
    for (int n = 0; n < count; n++) {
        if (near.low[n] > high)
            continue;
        const int k = near.entry[n] & ~HAS_SHORE;
        const ter_piece p = load_piece(pieces + l.index[k], l.x[k], l.y[k]);
        const ter_side side = ter_side_at(&p, x - p.x, y - p.y, sum.top, sum.above);
        const bool is_lower = side.height < sum.low;
        ter_ground_lowest(&p, &side, &sum);
        if (n < 32 && n_met < met_sides::SIDES_MAX) {
            met->height[n_met][lane] = side.height;
            met->t[n_met++][lane] = side.t;
            is_met |= 1u << n;
        }
        if (__any_sync(FULL_WARP, is_lower))
            high = greatest_of_warp(fminf(sum.low, best_height));
    }
    ter_ground_between(&sum);
    n_met = 0;
    for (int n = 0; n < count; n++) {
        const int k = near.entry[n] & ~HAS_SHORE, of_met = n_met;
        const ter_piece *from = pieces + l.index[k];
        const bool was_met = n < 32 && (is_met >> n & 1u);
        const float height = was_met ? met->height[of_met][lane] : near.low[n];
        n_met += was_met;
        const bool is_shore =
            (near.entry[n] & HAS_SHORE) && __any_sync(FULL_WARP, !ter_is_filled(&sum, __ldg(&from->lake)));
        if (!is_shore && !__any_sync(FULL_WARP, height - sum.low < sum.reach))
            continue;
        ter_piece p = {};
        ter_side side;
        if (was_met && !is_shore) {
            side = side_met(from, height, met->t[of_met][lane]);
        } else {
            p = load_piece(from, l.x[k], l.y[k]);
            side = ter_side_at(&p, x - p.x, y - p.y, sum.top, sum.above);
        }
        if (!is_shore)
            p.lake = TER_NO_LAKE;
        if (side.height < TER_NO_SIDE)
            ter_ground_add(&p, &side, x - p.x, y - p.y, &sum);
    }
    ter_ground_finish(&job->f, &province, patch, &sum, out);
}

constexpr float FAR_REACH = TER_SIDE_FAR * TER_CELL + 1.0f; /* units; beyond it no piece has a side */

constexpr int FAR_CELLS = 2 * TER_GROUND_CELLS + 1;

/** Pieces that reach a point which shares no list, of 13 x 13 cells. The second time, those alone are gone through that
 * count. */
struct far_list {
    static constexpr int PIECES_MAX = 64;
    unsigned short piece[PIECES_MAX][FAR_THREADS]; /* cells, row by row, and of each its pieces */
    __half height[PIECES_MAX][FAR_THREADS];       /* m; of their sides at the point, rounded down */
};

/** Cells of a row of FAR_CELLS whose pieces may reach a point, a bit each. x, y: from the first one; bounds: of its pieces
 */
__device__ unsigned cells_near(const float4 *bounds, float x, float y)
{
    float4 around[FAR_CELLS];
#pragma unroll
    for (int a = 0; a < FAR_CELLS; a++)
        around[a] = __ldg(bounds + a);
    unsigned near = 0;
#pragma unroll
    for (int a = 0; a < FAR_CELLS; a++) {
        const float in_x = x - (float)a * TER_CELL;
        const bool is_near = in_x >= around[a].x - FAR_REACH && y >= around[a].y - FAR_REACH &&
                             in_x <= around[a].z + FAR_REACH && y <= around[a].w + FAR_REACH;
        near |= (unsigned)is_near << a;
    }
    return near;
}

/** The first time through the pieces of a cell: list those that reach a point. The sum receives the lowest side.
 *
 *  entry  of the first of them
 *  x, y   of the point, from the corner of the cell
 *  lakes  listed pieces with a lake, a bit each
 *  count  of the list; more than it holds when the list is full
 */
__device__ void meet_cell(const ter_piece *pieces, int entry, float x, float y, ter_ground_sum *sum, far_list *list,
                          unsigned long long *lakes, int *count)
{
    ter_piece loaded[TER_PIECES]; /* at once: threads wait for memory here more than for anything else */
#pragma unroll
    for (int i = 0; i < TER_PIECES; i++)
        loaded[i] = load_piece(pieces + i);
#pragma unroll
    for (int i = 0; i < TER_PIECES; i++) {
        const ter_piece &p = loaded[i];
        const ter_side side = ter_side_at(&p, x - p.x, y - p.y, sum->top, sum->above);
        if (side.height >= TER_NO_SIDE)
            continue;
        ter_ground_lowest(&p, &side, sum);
        if (*count < far_list::PIECES_MAX) {
            list->piece[*count][threadIdx.x] = (unsigned short)(entry + i);
            list->height[*count][threadIdx.x] = __float2half_rd(side.height);
            *lakes |= (unsigned long long)TER_IS_LAKE(p.lake) << *count;
        }
        (*count)++;
    }
}

/** Keep those of a list that count beside the lowest side: so low, or with a lake; how many. */
__device__ int keep_counting(const ter_ground_sum &sum, unsigned long long lakes, int count, far_list *list)
{
    int kept = 0;
    for (int n = 0; n < count; n++)
        if (__half2float(list->height[n][threadIdx.x]) - sum.low < sum.reach || (lakes >> n & 1u))
            list->piece[kept++][threadIdx.x] = list->piece[n][threadIdx.x];
    return kept;
}

/** A point of the ground that shares no list. False when too many pieces reach it. */
__device__ bool make_far_point(const ter_fluvial_job *job, const warped_point &point, far_list *list, ter_ground *out)
{
    const int64_t px = ter_place_x(point.x, point.y, point.warp), py = ter_place_y(point.x, point.y, point.warp);
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int corner = ter_window_index(job->piece_at, (px >> TER_CELL_SHIFT) - TER_GROUND_CELLS,
                                        (py >> TER_CELL_SHIFT) - TER_GROUND_CELLS);
    const ter_province_place province = ter_province_at(job->province_at, job->province, px, py);
    ter_ground_sum sum;
    ter_ground_begin(&province, &sum);
    unsigned long long lakes = 0;
    int count = 0;
    for (int b = 0; b < FAR_CELLS; b++) {
        const float x = in_x + TER_GROUND_CELLS * TER_CELL, y = in_y - (float)(b - TER_GROUND_CELLS) * TER_CELL;
        const int first = corner + b * job->piece_at.width;
        for (unsigned near = cells_near((const float4 *)job->piece_bounds + first, x, y); near != 0; near &= near - 1) {
            const int a = ter_lowest_bit(near);
            meet_cell(job->piece + (size_t)(first + a) * TER_PIECES, (b * FAR_CELLS + a) * TER_PIECES,
                      x - (float)a * TER_CELL, y, &sum, list, &lakes, &count);
        }
    }
    if (count > far_list::PIECES_MAX)
        return false;
    ter_ground_between(&sum);
    count = keep_counting(sum, lakes, count, list);
    for (int n = 0; n < count; n++) {
        const int entry = list->piece[n][threadIdx.x], cell = entry / TER_PIECES, a = cell % FAR_CELLS,
                  b = cell / FAR_CELLS;
        ter_piece p =
            load_piece(job->piece + (size_t)(corner + b * job->piece_at.width + a) * TER_PIECES + entry % TER_PIECES);
        const float x = in_x - (float)(a - TER_GROUND_CELLS) * TER_CELL - p.x,
                    y = in_y - (float)(b - TER_GROUND_CELLS) * TER_CELL - p.y;
        if (ter_is_filled(&sum, p.lake))
            p.lake = TER_NO_LAKE;
        const ter_side side = ter_side_at(&p, x, y, sum.top, sum.above);
        ter_ground_add(&p, &side, x, y, &sum);
    }
    ter_ground_finish(&job->f, &province, point.warp[2], &sum, out);
    return true;
}

/** This thread's point of a block of points. */
struct ground_point {
    int x, y;       /* of the lattice's window; beyond it, the nearest */
    bool is_wanted; /* whether it lies in the window */
    int first_x, first_y;
};

/** Blocks of so many threads that a window of points is cut into. */
__host__ __device__ int blocks_across(const ter_window &at)
{
    return (at.width + COLUMNS - 1) / COLUMNS;
}

__host__ __device__ int blocks_of(const ter_window &at)
{
    constexpr int rows = LIST_THREADS / COLUMNS;
    return blocks_across(at) * ((at.height + rows - 1) / rows);
}

__device__ bool find_point(const ter_window &at, ground_point *p)
{
    if ((int)blockIdx.x >= blocks_of(at))
        return false;
    const int columns = blocks_across(at), rows = LIST_THREADS / COLUMNS;
    const int warp = (int)(threadIdx.x >> 5), lane = (int)(threadIdx.x & 31u);
    p->first_x = (int)blockIdx.x % columns * COLUMNS;
    p->first_y = (int)blockIdx.x / columns * rows;
    const int x = p->first_x + (warp & 1) * 8 + (lane & 7), y = p->first_y + (warp >> 1) * 4 + (lane >> 3);
    p->x = x < at.width ? x : at.width - 1;
    p->y = y < at.height ? y : at.height - 1;
    p->is_wanted = p->x == x && p->y == y;
    return true;
}

/** A point that the finest lattice has already, or NULL: their warps agree, so do their grounds. x, y: of ground g's
 * window */
__device__ const ter_ground *find_made(const ter_fluvial_job *job, int g, int x, int y)
{
    const ter_lattice &at = job->ground[g].points, &made = job->ground[0].points;
    const int64_t ratio = at.step / made.step, px = (at.at.x + x) * ratio, py = (at.at.y + y) * ratio;
    if (g == 0 || px < made.at.x || py < made.at.y || px >= made.at.x + made.at.width ||
        py >= made.at.y + made.at.height)
        return nullptr;
    return job->ground[0].ground + ter_window_index(made.at, px, py);
}

__global__ void __launch_bounds__(LIST_THREADS) ground_kernel(const ter_fluvial_job *jobs, int g)
{
    __shared__ listed_shared s;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_ground_plan *plan = &job->ground[g];
    const ter_window at = plan->points.at;
    ground_point p;
    if (g >= job->n_grounds || plan->points.step > LISTED_STEP || !find_point(at, &p))
        return;
    const int warp = (int)(threadIdx.x >> 5);
    const size_t k = (size_t)p.y * (size_t)at.width + (size_t)p.x;
    const ter_ground *made = find_made(job, g, p.x, p.y);
    if (__syncthreads_and(made != nullptr)) {
        plan->ground[k] = *made;
        return;
    }
    int64_t px, py, corner_x, corner_y;
    const float *shift = plan->warp + k * TER_SHIFTS;
    ter_ground_place(plan, at.x + p.x, at.y + p.y, k, &px, &py);
    ter_ground_place(plan, at.x + p.first_x, at.y + p.first_y, (size_t)p.first_y * (size_t)at.width + (size_t)p.first_x,
                     &corner_x, &corner_y);
    const near_corner corner = {corner_x >> TER_CELL_SHIFT, corner_y >> TER_CELL_SHIFT};
    const ter_province_place province = ter_province_at(job->province_at, job->province, px, py);
    const float in_x = corner.x(px), in_y = corner.y(py);
    const box mine = box_of_warp(in_x, in_y, ter_province_value(&province, TER_PROVINCE_ABOVE));
    const disc all = disc_of_block(in_x, in_y, mine, s.boxes, s.radii);
    int count = list_near(job, corner, all, &s);
    if (count <= PIECES_MAX) {
        count = keep_near(job, all, count, &s);
        int best;
        const int nearest = keep_nearest(job, disc_of_warp(mine, in_x, in_y), count, s.list, &s.near[warp], &best);
        if (nearest <= NEAR_MAX) {
            ter_ground out;
            make_point(job, s.list, s.near[warp], nearest, best, in_x, in_y, province, shift[2], &s.met[warp], &out);
            if (p.is_wanted)
                plan->ground[k] = out;
            return;
        }
    }
    if (p.is_wanted) /* the warp stretches these points over more pieces than a list holds */
        make_by_definition(job,
                           {(at.x + p.x) * plan->points.step,
                            (at.y + p.y) * plan->points.step,
                            {shift[0], shift[1], shift[2]}},
                           &plan->ground[k]);
}

/** Points that are made for each point of a coarse ground: of the first one, those that it is smoothed over. */
__host__ __device__ inline int points_of_each(int g)
{
    return g == 0 ? TER_AROUND : 1;
}

/** A thread a point. Heights beside the points of the first ground go to its `around`. */
__global__ void __launch_bounds__(FAR_THREADS, FAR_BLOCKS) far_ground_kernel(const ter_fluvial_job *jobs, int g)
{
    __shared__ far_list list;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_ground_plan *plan = &job->ground[g];
    const ter_window at = plan->points.at;
    const int each = points_of_each(g), thread = (int)(blockIdx.x * FAR_THREADS + threadIdx.x);
    const int k = thread / each, n = thread % each, beside = each == 1 ? TER_AROUND / 2 : n;
    if (g >= job->n_grounds || plan->points.step <= LISTED_STEP || k >= at.width * at.height)
        return;
    warped_point p;
    p.x = (at.x + k % at.width) * plan->points.step + (beside % 3 - 1) * TER_GROUND_STEP;
    p.y = (at.y + k / at.width) * plan->points.step + (beside / 3 - 1) * TER_GROUND_STEP;
    ter_ground made;
    if (beside == TER_AROUND / 2) {
        for (int c = 0; c < TER_SHIFTS; c++)
            p.warp[c] = plan->warp[(size_t)k * TER_SHIFTS + c];
        if (const ter_ground *same = find_made(job, g, k % at.width, k / at.width)) {
            plan->ground[k] = *same;
            return;
        }
    } else {
        ter_warp_at(job, p.x, p.y, p.warp);
    }
    if (!make_far_point(job, p, &list, &made))
        make_by_definition(job, p, &made);
    if (each > 1)
        plan->around[(size_t)k * TER_AROUND + n] = made.height;
    if (beside == TER_AROUND / 2)
        plan->ground[k] = made;
}

/** ter_smooth_coarse_ground, from the heights around each point. */
__global__ void __launch_bounds__(FAR_THREADS) smooth_far_kernel(const ter_fluvial_job *jobs)
{
    const ter_ground_plan *plan = &jobs[blockIdx.y].ground[0];
    const int k = (int)(blockIdx.x * FAR_THREADS + threadIdx.x);
    if (plan->points.step <= LISTED_STEP || k >= plan->points.at.width * plan->points.at.height)
        return;
    float w[4];
    ter_spline_weights(0.0f, w);
    plan->ground[k].smooth = ter_spline_value(plan->around + (size_t)k * TER_AROUND, 1, 3, w, w);
}

/** ter_smooth_ground, of grounds of TER_GROUND_STEP. */
__global__ void __launch_bounds__(FAR_THREADS) smooth_listed_kernel(const ter_fluvial_job *jobs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_window at = job->ground[0].points.at;
    const int n = (int)(blockIdx.x * FAR_THREADS + threadIdx.x), width = at.width - 2;
    if (job->ground[0].points.step == TER_GROUND_STEP && n < width * (at.height - 2))
        ter_smooth_ground(job, 0, n % width, n / width);
}

} // namespace

bool ter_cuda::has_lists(const ter_fluvial_job &job)
{
    for (int g = 0; g < job.n_grounds; g++)
        if (job.ground[g].points.step <= LISTED_STEP)
            return true;
    return false;
}

ter_status ter_cuda::run_listed_ground(const fluvial_jobs &jobs)
{
    int smoothed[2] = {0, 0}; /* blocks of threads, with lists and far apart */
    for (int g = 0; g < TER_GROUNDS_MAX; g++) {
        int most[2] = {0, 0};
        for (int n = 0; n < jobs.count; n++) {
            const ter_lattice &points = jobs.host[n].ground[g].points;
            const bool is_far = points.step > LISTED_STEP;
            const int count = points.at.width * points.at.height;
            const int threads = count * points_of_each(g);
            const int blocks =
                is_far ? (threads + FAR_THREADS - 1) / FAR_THREADS : blocks_of(points.at);
            if (g >= jobs.host[n].n_grounds)
                continue;
            most[is_far] = blocks > most[is_far] ? blocks : most[is_far];
            if (g == 0)
                smoothed[is_far] = std::max(smoothed[is_far], (count + FAR_THREADS - 1) / FAR_THREADS);
        }
        if (most[0] > 0)
            ground_kernel<<<dim3((unsigned)most[0], (unsigned)jobs.count), LIST_THREADS, 0, jobs.stream>>>(jobs.device,
                                                                                                           g);
        TER_CUDA(cudaGetLastError());
        if (most[1] > 0)
            far_ground_kernel<<<dim3((unsigned)most[1], (unsigned)jobs.count), FAR_THREADS, 0, jobs.stream>>>(
                jobs.device, g);
        TER_CUDA(cudaGetLastError());
    }
    if (smoothed[0] > 0)
        smooth_listed_kernel<<<dim3((unsigned)smoothed[0], (unsigned)jobs.count), FAR_THREADS, 0, jobs.stream>>>(
            jobs.device);
    TER_CUDA(cudaGetLastError());
    if (smoothed[1] > 0)
        smooth_far_kernel<<<dim3((unsigned)smoothed[1], (unsigned)jobs.count), FAR_THREADS, 0, jobs.stream>>>(
            jobs.device);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
