/* ground.cu - the ground of ter_make_ground: points near one another share lists of the channel pieces that matter,
 * piece_lists.cuh; points far apart have no pieces in common, and each looks for those that reach it.
 */
#include "generate/cuda/fluvial/ground.cuh"

#include "generate/cuda/fluvial/piece_lists.cuh"

using namespace ter_cuda;

namespace
{

constexpr int SIDE = 16;        /* points of a block of threads, in each direction */
constexpr int LISTED_STEP = 32; /* m; points further apart share no list */

/** A side that was met before, at this lane's point. */
__device__ __forceinline__ ter_side side_met(const ter_piece *from, float height, float t)
{
    const float4 half = __ldg((const float4 *)from + 1); /* inverse, z, dz, slope */
    return {height, ter_fma(t, half.z, half.y), t, 0.0f, ter_fma(t, __ldg(&from->dslope), half.w)};
}

/** A point of the ground from its warp's list. The first time, a piece is passed over whose side is nowhere as low as the highest
 * of what the warp's points have already; the second time, one that no point of the warp needs.
 *
 *  best  the entry of the block's list that is likely to be low
 *  met   of this warp
 */
__device__ void make_point(const ter_fluvial_job *job, const piece_list &l, const near_list &near, int count, int best, float x,
                           float y, const ter_province_place &province, met_sides *met, ter_ground *out)
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
        const bool is_shore = (near.entry[n] & HAS_SHORE) && __any_sync(FULL_WARP, !ter_is_filled(&sum, __ldg(&from->lake)));
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
    ter_ground_finish(&job->f, &province, &sum, out);
}

/** Pieces that reach a point, of the nodes around its cell: numbers of cells, row by row, and of pieces in them. */
struct far_list {
    static constexpr int PIECES_MAX = 96;
    unsigned char piece[PIECES_MAX][LIST_THREADS];
};

/** A point of the ground that shares no list: of the pieces of 9 x 9 cells, those that reach it. False when they are too many. */
__device__ bool make_far_point(const ter_fluvial_job *job, const ter_ground_plan *plan, size_t k, int64_t px, int64_t py,
                               far_list *list)
{
    constexpr int CELLS = 2 * TER_GROUND_CELLS + 1;
    constexpr float REACH = TER_SIDE_FAR * TER_CELL + 1.0f;
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int corner =
        ter_window_index(job->piece_at, (px >> TER_CELL_SHIFT) - TER_GROUND_CELLS, (py >> TER_CELL_SHIFT) - TER_GROUND_CELLS);
    int count = 0;
    for (int b = 0; b < CELLS; b++)
        for (int a = 0; a < CELLS; a++) {
            const int cell = corner + b * job->piece_at.width + a;
            const float x = in_x - (float)(a - TER_GROUND_CELLS) * TER_CELL, y = in_y - (float)(b - TER_GROUND_CELLS) * TER_CELL;
            const float4 around = __ldg((const float4 *)job->piece_bounds + cell);
            if (x < around.x - REACH || y < around.y - REACH || x > around.z + REACH || y > around.w + REACH)
                continue;
            for (int i = 0; i < TER_PIECES; i++) {
                const float4 p = __ldg((const float4 *)(job->piece + (size_t)cell * TER_PIECES + i));
                const float ax = p.x - x, ay = p.y - y;
                if (ter_max(ter_min(ax, ax + p.z), ter_min(ay, ay + p.w)) > REACH ||
                    ter_min(ter_max(ax, ax + p.z), ter_max(ay, ay + p.w)) < -REACH)
                    continue;
                if (count == far_list::PIECES_MAX)
                    return false;
                list->piece[count++][threadIdx.x] = (unsigned char)((b * CELLS + a) * TER_PIECES + i);
            }
        }
    const ter_province_place province = ter_province_at(job->province_at, job->province, px, py);
    ter_ground_sum sum;
    ter_ground_begin(&province, &sum);
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < count; n++) {
            const int entry = list->piece[n][threadIdx.x], cell = entry / TER_PIECES, a = cell % CELLS, b = cell / CELLS;
            const ter_piece *from = job->piece + (size_t)(corner + b * job->piece_at.width + a) * TER_PIECES + entry % TER_PIECES;
            ter_piece p = load_piece(from, __ldg(&from->x) + (float)(a - TER_GROUND_CELLS) * TER_CELL,
                                     __ldg(&from->y) + (float)(b - TER_GROUND_CELLS) * TER_CELL);
            if (ter_is_filled(&sum, p.lake))
                p.lake = TER_NO_LAKE;
            const ter_side side = ter_side_at(&p, in_x - p.x, in_y - p.y, sum.top, sum.above);
            if (side.height >= TER_NO_SIDE)
                continue;
            if (pass == 0)
                ter_ground_lowest(&p, &side, &sum);
            else
                ter_ground_add(&p, &side, in_x - p.x, in_y - p.y, &sum);
        }
        if (pass == 0)
            ter_ground_between(&sum);
    }
    ter_ground_finish(&job->f, &province, &sum, &plan->ground[k]);
    return true;
}

/** This thread's point of a block of points. */
struct ground_point {
    int x, y;       /* of the lattice's window; beyond it, the nearest */
    bool is_wanted; /* whether it lies in the window */
    int first_x, first_y;
};

__device__ bool find_point(const ter_window &at, ground_point *p)
{
    const int columns = (at.width + SIDE - 1) / SIDE, rows = (at.height + SIDE - 1) / SIDE;
    if ((int)blockIdx.x >= columns * rows)
        return false;
    const int warp = (int)(threadIdx.x >> 5), lane = (int)(threadIdx.x & 31u);
    p->first_x = (int)blockIdx.x % columns * SIDE;
    p->first_y = (int)blockIdx.x / columns * SIDE;
    const int x = p->first_x + (warp & 1) * 8 + (lane & 7), y = p->first_y + (warp >> 1) * 4 + (lane >> 3);
    p->x = x < at.width ? x : at.width - 1;
    p->y = y < at.height ? y : at.height - 1;
    p->is_wanted = p->x == x && p->y == y;
    return true;
}

/** A point that the finest lattice has already, or NULL: their warps agree, so do their grounds. x, y: of ground g's window */
__device__ const ter_ground *find_made(const ter_fluvial_job *job, int g, int x, int y)
{
    const ter_lattice &at = job->ground[g].points, &made = job->ground[0].points;
    const int64_t ratio = at.step / made.step, px = (at.at.x + x) * ratio, py = (at.at.y + y) * ratio;
    if (g == 0 || px < made.at.x || py < made.at.y || px >= made.at.x + made.at.width || py >= made.at.y + made.at.height)
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
    ter_ground_place(plan, at.x + p.x, at.y + p.y, k, &px, &py);
    ter_ground_place(plan, at.x + p.first_x, at.y + p.first_y, (size_t)p.first_y * (size_t)at.width + (size_t)p.first_x, &corner_x,
                     &corner_y);
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
            make_point(job, s.list, s.near[warp], nearest, best, in_x, in_y, province, &s.met[warp], &out);
            if (p.is_wanted)
                plan->ground[k] = out;
            return;
        }
    }
    if (p.is_wanted) /* the warp stretches these points over more pieces than a list holds */
        ter_make_ground(job, g, p.x, p.y);
}

__global__ void __launch_bounds__(LIST_THREADS) far_ground_kernel(const ter_fluvial_job *jobs, int g)
{
    __shared__ far_list list;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_ground_plan *plan = &job->ground[g];
    const ter_window at = plan->points.at;
    ground_point p;
    if (g >= job->n_grounds || plan->points.step <= LISTED_STEP || !find_point(at, &p) || !p.is_wanted)
        return;
    const size_t k = (size_t)p.y * (size_t)at.width + (size_t)p.x;
    if (const ter_ground *made = find_made(job, g, p.x, p.y)) {
        plan->ground[k] = *made;
        return;
    }
    int64_t px, py;
    ter_ground_place(plan, at.x + p.x, at.y + p.y, k, &px, &py);
    if (!make_far_point(job, plan, k, px, py, &list))
        ter_make_ground(job, g, p.x, p.y);
}

} // namespace

ter_status ter_cuda::run_listed_ground(const fluvial_jobs &jobs)
{
    for (int g = 0; g < TER_GROUNDS_MAX; g++) {
        int most[2] = {0, 0}; /* with lists, and far apart */
        for (int n = 0; n < jobs.count; n++) {
            const ter_lattice &points = jobs.host[n].ground[g].points;
            const int tiles = ((points.at.width + SIDE - 1) / SIDE) * ((points.at.height + SIDE - 1) / SIDE);
            int *m = &most[points.step > LISTED_STEP];
            *m = g < jobs.host[n].n_grounds && tiles > *m ? tiles : *m;
        }
        if (most[0] > 0)
            ground_kernel<<<dim3((unsigned)most[0], (unsigned)jobs.count), LIST_THREADS, 0, jobs.stream>>>(jobs.device, g);
        TER_CUDA(cudaGetLastError());
        if (most[1] > 0)
            far_ground_kernel<<<dim3((unsigned)most[1], (unsigned)jobs.count), LIST_THREADS, 0, jobs.stream>>>(jobs.device, g);
        TER_CUDA(cudaGetLastError());
    }
    return TER_OK;
}
