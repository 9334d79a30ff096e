/* ground.cu - does the work of ter_make_ground for points near one another. They share lists of the pieces that can
 * change them (segment_lists.cuh). far_ground.cu makes points far apart, which have few pieces in common.
 */
#include "library/fluvial/cuda/ground.cuh"

#include "library/fluvial/cuda/far_ground.cuh"
#include "library/fluvial/cuda/ground_points.cuh"
#include "library/fluvial/cuda/segment_lists.cuh"

using namespace ter_cuda;

namespace
{

constexpr int COLUMNS = 16; /* columns of points of a block of threads */

/** A side from the cache, at this lane's point. height, t: cached values */
__device__ __forceinline__ ter_side cached_side(const ter_piece *from, float height, float t)
{
    const float4 half = __ldg((const float4 *)from + 1); /* inverse, z, dz, slope */
    return {height, ter_fma(t, half.z, half.y), t, 0.0f, ter_fma(t, __ldg(&from->dslope), half.w)};
}

/** Make a point of the ground from its warp's list. The first pass over the list finds the lowest side, and skips
 * pieces whose side is too high at all points of the warp. The second pass rounds crests and adds lakes, and skips
 * pieces that change no point of the warp.
 *
 *  l      the block's list; near, count: the warp's list, and the number of its entries
 *  best   the entry of the block's list that is likely to have the lowest side
 *  x, y   the point, units from the corner
 *  patch  third number of the warp at the point
 *  cache  cache of this warp
 */
__device__ void make_point(const ter_fluvial_job *job, const piece_list &l, const near_list &near, int count, int best,
                           float x, float y, const ter_province_place &province, float patch, side_cache *cache,
                           ter_ground *out)
{
    const int lane = (int)(threadIdx.x & 31u);
    ter_ground_sum sum;
    ter_ground_begin(&province, &sum);
    const ter_piece *pieces = job->piece;
    const ter_piece first = load_piece(pieces + l.index[best], l.x[best], l.y[best]);
    const float best_height = ter_side_at(&first, x - first.x, y - first.y, sum.top, sum.above).height;
    float high = greatest_of_warp(best_height);
    unsigned is_cached = 0; /* of the first 32 entries */
    int n_cached = 0;
    for (int n = 0; n < count; n++) {
        if (near.low[n] > high + near.slack)
            continue;
        const int k = near.entry[n] & ~HAS_SHORE;
        const ter_piece p = load_piece(pieces + l.index[k], l.x[k], l.y[k]);
        const ter_side side = ter_side_at(&p, x - p.x, y - p.y, sum.top, sum.above);
        const bool is_lower = side.height < sum.low;
        ter_ground_lowest(&p, &side, &sum);
        if (n < 32 && n_cached < side_cache::SIDES_MAX) {
            cache->height[n_cached][lane] = side.height;
            cache->t[n_cached++][lane] = side.t;
            is_cached |= 1u << n;
        }
        if (__any_sync(FULL_WARP, is_lower))
            high = greatest_of_warp(fminf(sum.low, best_height));
    }
    ter_ground_between(&sum);
    n_cached = 0;
    for (int n = 0; n < count; n++) {
        const int k = near.entry[n] & ~HAS_SHORE, slot = n_cached;
        const ter_piece *from = pieces + l.index[k];
        const bool was_cached = n < 32 && (is_cached >> n & 1u);
        const float height = was_cached ? cache->height[slot][lane] : near.low[n];
        n_cached += was_cached;
        const bool is_shore =
            (near.entry[n] & HAS_SHORE) && __any_sync(FULL_WARP, !ter_is_filled(&sum, __ldg(&from->lake)));
        if (!is_shore && !__any_sync(FULL_WARP, height - sum.low < sum.reach))
            continue;
        ter_piece p = {};
        ter_side side;
        if (was_cached && !is_shore) {
            side = cached_side(from, height, cache->t[slot][lane]);
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

/** The point of a thread. */
struct ground_point {
    int x, y;             /* in the lattice's window; a point beyond the window is moved onto its edge */
    bool is_inside;       /* false if it has been moved */
    int first_x, first_y; /* the first point of the block of threads */
};

/** Number of columns of blocks of threads over a window of points. */
__host__ __device__ int blocks_across(const ter_window &at)
{
    return (at.width + COLUMNS - 1) / COLUMNS;
}

/** Number of blocks of threads over a window of points. */
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
    p->is_inside = p->x == x && p->y == y;
    return true;
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
        count = reduce_list(job, all, count, &s);
        int best;
        const int nearest = choose_nearest(job, disc_of_warp(mine, in_x, in_y), count, s.list, &s.near[warp], &best);
        if (nearest <= NEAR_MAX) {
            ter_ground out;
            make_point(job, s.list, s.near[warp], nearest, best, in_x, in_y, province, shift[2], &s.cache[warp], &out);
            if (p.is_inside)
                plan->ground[k] = out;
            return;
        }
    }
    if (p.is_inside) /* the warp stretches these points over more pieces than a list holds */
        make_by_definition(
            job, {(at.x + p.x) * plan->points.step, (at.y + p.y) * plan->points.step, {shift[0], shift[1], shift[2]}},
            &plan->ground[k]);
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
    for (int g = 0; g < TER_GROUNDS_MAX; g++) {
        const int most = greatest_of(jobs, [&](int n) {
            const ter_lattice &points = jobs.host[n].ground[g].points;
            return g < jobs.host[n].n_grounds && points.step <= LISTED_STEP ? blocks_of(points.at) : 0;
        });
        if (most > 0)
            ground_kernel<<<dim3((unsigned)most, (unsigned)jobs.count), LIST_THREADS, 0, jobs.stream>>>(jobs.device, g);
        TER_CUDA(cudaGetLastError());
    }
    return run_far_ground(jobs);
}
