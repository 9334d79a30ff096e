/* ground.cu - the ground of ter_make_ground, with lists of the channel pieces that matter.
 *
 *     256 threads   16 x 16 points   pieces whose side can be lowest, near the lowest, or over a shore somewhere in their disc
 *      32 threads    8 x 4 points    the same, of the list before: about 20 of the 243 that the definition goes through
 *
 * A piece that a list leaves out would change nothing: its side is too high at every point of the disc. Lists keep the order of the
 * nodes, in which sums are made. Points far apart have no pieces in common; each looks for those that reach it.
 */
#include "generate/cuda/fluvial/ground.cuh"

#include "generate/cuda/fluvial/lists.cuh"

using namespace ter_cuda;

namespace
{

constexpr int SIDE = 16;        /* points of a block of threads, in each direction */
constexpr int PIECES_MAX = 768; /* of a block's list */
constexpr int NEAR_MAX = 192;   /* of a warp's list */
constexpr int IN_LAKE = 0x8000;
constexpr int LISTED_STEP = 32; /* m; points further apart share no list */

/** Pieces near a block of points: their numbers in the job, starts relative to the corner, and bounds of their sides. */
struct piece_list {
    int index[PIECES_MAX];
    float x[PIECES_MAX], y[PIECES_MAX], low[PIECES_MAX], foot[PIECES_MAX];
};

/** Pieces near a warp's points: entries of the block's list. */
struct near_list {
    unsigned short entry[NEAR_MAX]; /* of the block's list; IN_LAKE: a lake lies on it */
    float low[NEAR_MAX];
};

/** Sides that were met the first time, at the points of a warp. */
struct met_sides {
    static constexpr int SIDES_MAX = 16;
    float height[SIDES_MAX][32];
};

struct listed_shared {
    piece_list list;
    near_list near[LIST_WARPS];
    met_sides met[LIST_WARPS];
    list_counts counts;
    box boxes[LIST_WARPS];
    float high[LIST_WARPS], slack[LIST_WARPS], radii[LIST_WARPS];
};

__device__ __forceinline__ ter_piece load_piece(const ter_piece *p, float x, float y)
{
    static_assert(sizeof(ter_piece) == 64, "four loads");
    union {
        float4 four[4];
        ter_piece piece;
    } u;
    for (int n = 0; n < 4; n++)
        u.four[n] = __ldg((const float4 *)p + n);
    u.piece.x = x;
    u.piece.y = y;
    return u.piece;
}

/** Bounds of a piece's side in a disc: nowhere lower than *low, nowhere higher than the result. Both are TER_NO_SIDE where it does
 *  not reach, or not everywhere. */
__device__ float side_bounds(const ter_piece &p, const disc &d, float *low, float *foot)
{
    float along;
    const float distance = ter_sqrt(ter_piece_distance(&p, d.x - p.x, d.y - p.y, &along));
    const float share = d.radius * ter_sqrt(p.inverse), t0 = ter_clamp(along - share, 0.0f, 1.0f),
                t1 = ter_clamp(along + share, 0.0f, 1.0f);
    const float near = ter_max(distance - d.radius, 0.0f), far = distance + d.radius;
    const float z0 = ter_fma(t0, p.dz, p.z), z1 = ter_fma(t1, p.dz, p.z);
    const float narrow = ter_min(p.floor, p.floor + p.dfloor), wide = ter_max(p.floor, p.floor + p.dfloor);
    const float flat = ter_min(p.slope, p.slope + p.dslope), steep = ter_max(p.slope, p.slope + p.dslope);
    *foot = ter_min(z0, z1);
    *low = near < TER_SIDE_FAR * TER_CELL ? *foot + d.above * flat * ter_valley_side(near, wide) - 0.1f : TER_NO_SIDE;
    if (far >= TER_SIDE_FAR * TER_CELL)
        return TER_NO_SIDE;
    const float beyond = ter_max(0.0f, far * far * (1.0f / (TER_CELL * TER_CELL)) - TER_SIDE_NEAR * TER_SIDE_NEAR) *
                         (1.0f / (TER_SIDE_FAR * TER_SIDE_FAR - TER_SIDE_NEAR * TER_SIDE_NEAR));
    return ter_max(z0, z1) + far * ter_sqrt(p.inverse) * ter_max(p.before, p.after) + steep * ter_valley_side(far, narrow) +
           8.0f * TER_CELL * beyond * beyond + 0.1f;
}

/** Whether the shore of a piece's lake, or its dam, may lie in a disc; see ter_shore_over. low, foot: of side_bounds */
__device__ bool may_be_shore(const ter_piece &p, const disc &d, float low, float foot)
{
    if (!TER_IS_LAKE(p.lake))
        return false;
    float along;
    const float near = ter_sqrt(ter_piece_distance(&p, d.x - p.x, d.y - p.y, &along)) - d.radius - TER_SHORE_WIDTH;
    const float wide = ter_max(p.floor, p.floor + p.dfloor);
    const float flat = ter_min(p.slope, p.slope + p.dslope), steep = ter_max(p.slope, p.slope + p.dslope);
    const float ring = foot + d.above * flat * ter_valley_side(ter_max(near, 0.0f), wide) - 0.1f;
    return ter_min(ring, low - TER_SHORE_WIDTH * steep) < p.lake + 1.0f + TER_DAM_FOOT;
}

/** Whether a piece can matter in a disc where the lowest side is nowhere higher than `high`. low, foot: of side_bounds */
__device__ bool matters(const ter_piece &p, const disc &d, float low, float foot, float high, float slack)
{
    return low < TER_NO_SIDE && (low <= high + slack || may_be_shore(p, d, low, foot));
}

/** How far above the lowest side another can count. */
__device__ float slack_of(const ter_piece &p, float high, float foot)
{
    return ter_min(0.36f * TER_CELL * ter_max(p.slope, p.slope + p.dslope), 0.7f * (high - foot));
}

/** Pieces of the cells around a block of points that reach its disc; their count, or more than the list holds. */
__device__ int list_near(const ter_fluvial_job *job, const near_corner &corner, const disc &d, listed_shared *s)
{
    const float reach = TER_SIDE_FAR * TER_CELL + d.radius + 1.0f;
    const cells c =
        cells_between(corner, job->piece_at, d.x - d.radius, d.y - d.radius, d.x + d.radius, d.y + d.radius, TER_GROUND_CELLS);
    const ter_window at = job->piece_at;
    int count = 0;
    for (int base = 0; base < c.count * TER_PIECES && count <= PIECES_MAX; base += LIST_THREADS) {
        const int n = base + (int)threadIdx.x, cell = n / TER_PIECES, x = c.x0 + cell % c.width, y = c.y0 + cell / c.width;
        const int index = (int)(ter_window_index(at, corner.cell_x + x, corner.cell_y + y) * TER_PIECES + n % TER_PIECES);
        float px = 0.0f, py = 0.0f;
        bool is_near = n < c.count * TER_PIECES;
        if (is_near) {
            const float4 start = __ldg((const float4 *)(job->piece + index));
            px = start.x + (float)x * TER_CELL;
            py = start.y + (float)y * TER_CELL;
            const float ax = px - d.x, ay = py - d.y;
            is_near = ter_max(ter_min(ax, ax + start.z), ter_min(ay, ay + start.w)) <= reach &&
                      ter_min(ter_max(ax, ax + start.z), ter_max(ay, ay + start.w)) >= -reach;
        }
        const int place = append_in_order(is_near, &s->counts, &count);
        if (place >= 0 && place < PIECES_MAX) {
            s->list.index[place] = index;
            s->list.x[place] = px;
            s->list.y[place] = py;
        }
    }
    return count;
}

/** Keep the pieces of the block's list that matter in its disc; their count. */
__device__ int keep_near(const ter_fluvial_job *job, const disc &d, int count, listed_shared *s)
{
    piece_list &l = s->list;
    const int warp = (int)(threadIdx.x >> 5);
    float high = TER_NO_SIDE, slack = 0.0f;
    __syncthreads();
    for (int n = (int)threadIdx.x; n < count; n += LIST_THREADS)
        high = ter_min(high, side_bounds(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), d, &l.low[n], &l.foot[n]));
    s->high[warp] = least_of_warp(high);
    __syncthreads();
    for (int n = 0; n < LIST_WARPS; n++)
        high = fminf(high, s->high[n]);
    for (int n = (int)threadIdx.x; n < count; n += LIST_THREADS)
        if (l.low[n] <= high)
            slack = ter_max(slack, slack_of(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), high, l.foot[n]));
    s->slack[warp] = greatest_of_warp(slack);
    __syncthreads();
    for (int n = 0; n < LIST_WARPS; n++)
        slack = fmaxf(slack, s->slack[n]);
    int kept = 0;
    for (int base = 0; base < count; base += LIST_THREADS) { /* an entry never moves behind where it was */
        const int n = base + (int)threadIdx.x;
        int index = 0;
        float x = 0.0f, y = 0.0f;
        bool is_kept = false;
        if (n < count) {
            index = l.index[n];
            x = l.x[n];
            y = l.y[n];
            is_kept = matters(load_piece(job->piece + index, x, y), d, l.low[n], l.foot[n], high, slack);
        }
        const int place = append_in_order(is_kept, &s->counts, &kept);
        if (place >= 0) {
            l.index[place] = index;
            l.x[place] = x;
            l.y[place] = y;
        }
    }
    __syncthreads();
    return kept;
}

/** A lane's part of the bounds of a block's list in its warp's disc: entries lane, lane + 32, .. */
struct warp_bounds {
    static constexpr int ROUNDS = 6;
    float low[ROUNDS], foot[ROUNDS];
};

/** Pieces of the block's list that matter in a warp's disc; their count, or more than the warp's list holds.
 *
 *  count  of the block's list
 *  best   receives the entry whose side is nowhere higher than any other's bound
 */
__device__ int keep_nearest(const ter_fluvial_job *job, const disc &d, int count, const piece_list &l, near_list *near, int *best)
{
    const int lane = (int)(threadIdx.x & 31u);
    if (count > 32 * warp_bounds::ROUNDS)
        return NEAR_MAX + 1;
    warp_bounds b;
    float high = TER_NO_SIDE, slack = 0.0f;
    *best = lane < count ? lane : 0;
#pragma unroll
    for (int r = 0; r < warp_bounds::ROUNDS; r++) {
        const int n = 32 * r + lane;
        b.low[r] = b.foot[r] = TER_NO_SIDE;
        if (n < count) {
            const float top = side_bounds(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), d, &b.low[r], &b.foot[r]);
            *best = top < high ? n : *best;
            high = ter_min(high, top);
        }
    }
    const float least = least_of_warp(high);
    const unsigned has_least = __ballot_sync(FULL_WARP, high == least);
    *best = __shfl_sync(FULL_WARP, *best, __ffs((int)has_least) - 1);
#pragma unroll
    for (int r = 0; r < warp_bounds::ROUNDS; r++) {
        const int n = 32 * r + lane;
        if (n < count && b.low[r] <= least)
            slack = ter_max(slack, slack_of(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), least, b.foot[r]));
    }
    slack = greatest_of_warp(slack);
    int kept = 0;
#pragma unroll
    for (int r = 0; r < warp_bounds::ROUNDS; r++) {
        const int n = 32 * r + lane;
        bool is_kept = false;
        int entry = n;
        if (n < count) {
            const ter_piece p = load_piece(job->piece + l.index[n], l.x[n], l.y[n]);
            is_kept = matters(p, d, b.low[r], b.foot[r], least, slack);
            entry |= TER_IS_LAKE(p.lake) ? IN_LAKE : 0;
        }
        const unsigned lanes = __ballot_sync(FULL_WARP, is_kept);
        if (is_kept) {
            const int place = kept + __popc(lanes & ((1u << lane) - 1u));
            near->entry[place] = (unsigned short)entry;
            near->low[place] = b.low[r];
        }
        kept += __popc(lanes);
    }
    __syncwarp();
    return kept;
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
        const int k = near.entry[n] & ~IN_LAKE;
        const ter_piece p = load_piece(pieces + l.index[k], l.x[k], l.y[k]);
        const ter_side side = ter_side_at(&p, x - p.x, y - p.y, sum.top, sum.above);
        const bool is_lower = side.height < sum.low;
        ter_ground_lowest(&p, &side, &sum);
        if (n < 32 && n_met < met_sides::SIDES_MAX) {
            met->height[n_met++][lane] = side.height;
            is_met |= 1u << n;
        }
        if (__any_sync(FULL_WARP, is_lower))
            high = greatest_of_warp(fminf(sum.low, best_height));
    }
    ter_ground_between(&sum);
    n_met = 0;
    for (int n = 0; n < count; n++) {
        const int entry = near.entry[n];
        const bool was_met = n < 32 && (is_met >> n & 1u);
        const float height = was_met ? met->height[n_met][lane] : near.low[n];
        n_met += was_met;
        if (!(entry & IN_LAKE) && !__any_sync(FULL_WARP, height - sum.low < sum.reach))
            continue;
        const int k = entry & ~IN_LAKE;
        const ter_piece p = load_piece(pieces + l.index[k], l.x[k], l.y[k]);
        const ter_side side = ter_side_at(&p, x - p.x, y - p.y, sum.top, sum.above);
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
            const ter_piece p = load_piece(from, __ldg(&from->x) + (float)(a - TER_GROUND_CELLS) * TER_CELL,
                                           __ldg(&from->y) + (float)(b - TER_GROUND_CELLS) * TER_CELL);
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

/** Bounds of the pieces of each cell. */
__global__ void __launch_bounds__(LIST_THREADS) bounds_kernel(const ter_fluvial_job *jobs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const int n = (int)(blockIdx.x * LIST_THREADS + threadIdx.x);
    if (n >= job->piece_at.width * job->piece_at.height)
        return;
    float4 b = make_float4(1e30f, 1e30f, -1e30f, -1e30f);
    for (int i = 0; i < TER_PIECES; i++) {
        const float4 p = *(const float4 *)(job->piece + (size_t)n * TER_PIECES + i);
        b.x = fminf(b.x, fminf(p.x, p.x + p.z));
        b.y = fminf(b.y, fminf(p.y, p.y + p.w));
        b.z = fmaxf(b.z, fmaxf(p.x, p.x + p.z));
        b.w = fmaxf(b.w, fmaxf(p.y, p.y + p.w));
    }
    ((float4 *)job->piece_bounds)[n] = b;
}

} // namespace

ter_status ter_cuda::run_piece_bounds(const fluvial_jobs &jobs)
{
    int most = 0;
    for (int n = 0; n < jobs.count; n++) {
        const int cells = jobs.host[n].piece_at.width * jobs.host[n].piece_at.height;
        most = cells > most ? cells : most;
    }
    const dim3 grid((unsigned)((most + LIST_THREADS - 1) / LIST_THREADS), (unsigned)jobs.count);
    bounds_kernel<<<grid, LIST_THREADS, 0, jobs.stream>>>(jobs.device);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

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
