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

/** A point of the ground, and the pieces that can change it. */
struct listed_point {
    const ter_piece *pieces; /* of the job */
    const piece_list &list;  /* the block's list */
    const near_list &near;   /* the warp's list */
    int count;               /* entries of the warp's list */
    int best;                /* the entry of the block's list that is likely to have the lowest side */
    float x, y;              /* the point, units from the corner */
};

/** The first pass over the warp's list: find the lowest side, and skip pieces whose side is too high at all points of
 * the warp.
 *
 *  cache    receives sides of the first 32 entries
 *  Returns  the set of entries that the cache holds
 */
__device__ __forceinline__ unsigned find_lowest(const listed_point &at, side_cache *cache, ter_ground_sum *sum)
{
    const int lane = (int)(threadIdx.x & 31u);
    const ter_piece first = listed_piece(at.pieces, at.list, at.best);
    const float best_height = ter_side_at(&first, at.x - first.x, at.y - first.y, sum->top, sum->above).height;
    float high = greatest_of_warp(best_height);
    unsigned is_cached = 0;
    int n_cached = 0;
    for (int n = 0; n < at.count; n++) {
        if (at.near.low[n] > high + at.near.slack)
            continue;
        const ter_piece p = listed_piece(at.pieces, at.list, at.near.entry[n] & ~HAS_SHORE);
        const ter_side side = ter_side_at(&p, at.x - p.x, at.y - p.y, sum->top, sum->above);
        const bool is_lower = side.height < sum->low;
        ter_ground_lowest(&p, &side, sum);
        if (n < 32 && n_cached < side_cache::SIDES_MAX) {
            cache->height[n_cached][lane] = side.height;
            cache->t[n_cached++][lane] = side.t;
            is_cached |= 1u << n;
        }
        if (__any_sync(FULL_WARP, is_lower))
            high = greatest_of_warp(fminf(sum->low, best_height));
    }
    return is_cached;
}

/** The second pass over the warp's list: round crests and add lakes, and skip pieces that change no point of the warp.
 * is_cached: the set of entries that the cache holds */
__device__ __forceinline__ void add_sides(const listed_point &at, unsigned is_cached, const side_cache *cache,
                                          ter_ground_sum *sum)
{
    const int lane = (int)(threadIdx.x & 31u);
    int n_cached = 0;
    for (int n = 0; n < at.count; n++) {
        const int entry = at.near.entry[n], k = entry & ~HAS_SHORE, slot = n_cached;
        const ter_piece *from = at.pieces + at.list.index[k];
        const bool was_cached = n < 32 && (is_cached >> n & 1u);
        const float height = was_cached ? cache->height[slot][lane] : at.near.low[n];
        n_cached += was_cached;
        const bool is_shore = (entry & HAS_SHORE) && __any_sync(FULL_WARP, !ter_is_filled(sum, __ldg(&from->lake)));
        if (!is_shore && !__any_sync(FULL_WARP, height - sum->low < sum->reach))
            continue;
        ter_piece p = {};
        ter_side side;
        if (was_cached && !is_shore) {
            side = cached_side(from, height, cache->t[slot][lane]);
        } else {
            p = listed_piece(at.pieces, at.list, k);
            side = ter_side_at(&p, at.x - p.x, at.y - p.y, sum->top, sum->above);
        }
        if (!is_shore)
            p.lake = TER_NO_LAKE;
        if (side.height < TER_NO_SIDE)
            ter_ground_add(&p, &side, at.x - p.x, at.y - p.y, sum);
    }
}

/** Make a point of the ground from its warp's list. patch: third number of the warp at the point; cache: of this warp
 */
__device__ ter_ground make_point(const ter_fluvial *f, const listed_point &at, const ter_province_place &province,
                                 float patch, side_cache *cache)
{
    ter_ground_sum sum;
    ter_ground out;
    ter_ground_begin(&province, &sum);
    const unsigned is_cached = find_lowest(at, cache, &sum);
    ter_ground_between(&sum);
    add_sides(at, is_cached, cache, &sum);
    ter_ground_finish(f, &province, patch, &sum, &out);
    return out;
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

/** The corner of the cell in which the first point of a block of threads lies. */
__device__ near_corner corner_of(const ter_ground_plan *plan, const ground_point &p)
{
    const ter_window at = plan->points.at;
    int64_t x, y;
    ter_ground_place(plan, at.x + p.first_x, at.y + p.first_y, (size_t)p.first_y * (size_t)at.width + (size_t)p.first_x,
                     &x, &y);
    return {x >> TER_CELL_SHIFT, y >> TER_CELL_SHIFT};
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
    int64_t px, py;
    ter_ground_place(plan, at.x + p.x, at.y + p.y, k, &px, &py);
    const near_corner corner = corner_of(plan, p);
    const ter_province_place province = ter_province_at(job->province_at, job->province, px, py);
    const float x = corner.x(px), y = corner.y(py);
    const box mine = box_of_warp(x, y, ter_province_value(&province, TER_PROVINCE_ABOVE));
    const disc all = disc_of_block(x, y, mine, s.boxes, s.radii);
    int count = list_near(job, corner, all, &s);
    if (count <= PIECES_MAX) {
        count = reduce_list(job, all, count, &s);
        int best;
        const int nearest = choose_nearest(job, disc_of_warp(mine, x, y), count, s.list, &s.near[warp], &best);
        if (nearest <= NEAR_MAX) {
            const listed_point point = {job->piece, s.list, s.near[warp], nearest, best, x, y};
            const ter_ground out = make_point(&job->f, point, province, plan->warp[k * TER_SHIFTS + 2], &s.cache[warp]);
            if (p.is_inside)
                plan->ground[k] = out;
            return;
        }
    }
    if (p.is_inside) /* the warp stretches these points over more pieces than a list holds */
        make_by_definition(job, warped_point_at(plan, p.x, p.y), &plan->ground[k]);
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
