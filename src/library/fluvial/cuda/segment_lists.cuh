/* segment_lists.cuh - lists of the pieces of channels that can change a point in a disc: first for a block of threads,
 * then from that list for each warp.
 *
 *     256 threads   16 x 16 points   pieces whose side may be the lowest or near the lowest somewhere in the disc,
 *                                    or whose lake may have its shore or its dam there
 *      32 threads    8 x 4 points    pieces of that list for which this holds in the warp's disc: about 20 of the
 *                                    243 pieces that the definition visits
 *
 * A piece that is not listed would change nothing: its side is too high at every point of the disc. Lists keep the
 * order of the nodes, in which the definition adds. */
#ifndef TERRANE_FLUVIAL_CUDA_SEGMENT_LISTS_CUH
#define TERRANE_FLUVIAL_CUDA_SEGMENT_LISTS_CUH

#include "library/fluvial/cuda/lists.cuh"

namespace
{

constexpr int PIECES_MAX = 768;   /* greatest number of pieces of a block's list */
constexpr int NEAR_MAX = 192;     /* greatest number of entries of a warp's list */
constexpr int HAS_SHORE = 0x8000; /* flag of an entry of a warp's list */

/** A block's list: indices of the pieces in the job, and their starts, units from the corner. */
struct piece_list {
    int index[PIECES_MAX];
    float x[PIECES_MAX], y[PIECES_MAX];
};

/** Lower bounds of the sides of a block's list in its disc, and lowest heights of the lines there; see
 * side_bounds. */
struct piece_bounds {
    float low[PIECES_MAX], foot[PIECES_MAX];
};

/** A warp's list. */
struct near_list {
    unsigned short
        entry[NEAR_MAX]; /* index in the block's list; HAS_SHORE: the shore or dam of its lake may reach a point */
    float low[NEAR_MAX]; /* m; lower bound of its side */
    float slack;         /* m; how far above the lowest side another side can count */
};

/** Cache of sides at the points of a warp. The first pass over the warp's list fills it, the second pass reads it. */
struct side_cache {
    static constexpr int SIDES_MAX = 14;
    float height[SIDES_MAX][32], t[SIDES_MAX][32]; /* as in ter_side */
};

/** Shared memory of a block of threads. */
struct listed_shared {
    piece_list list;
    near_list near[LIST_WARPS];
    union {
        piece_bounds bounds;          /* while the block's list is made */
        side_cache cache[LIST_WARPS]; /* after that */
    };
    list_counts counts;
    box boxes[LIST_WARPS];
    float high[LIST_WARPS], slack[LIST_WARPS], radii[LIST_WARPS];
};

/** Load a piece, four floats at a time. */
__device__ __forceinline__ ter_piece load_piece(const ter_piece *p)
{
    constexpr int LOADS = sizeof(ter_piece) / sizeof(float4);
    union {
        float4 four[LOADS];
        ter_piece piece;
    } u = {};
    for (int n = 0; n < LOADS; n++)
        u.four[n] = __ldg((const float4 *)p + n);
    return u.piece;
}

/** Load a piece and set its start to (x, y). */
__device__ __forceinline__ ter_piece load_piece(const ter_piece *p, float x, float y)
{
    ter_piece piece = load_piece(p);
    piece.x = x;
    piece.y = y;
    return piece;
}

/** Load piece n of a block's list. pieces: those of the job */
__device__ __forceinline__ ter_piece listed_piece(const ter_piece *pieces, const piece_list &l, int n)
{
    return load_piece(pieces + l.index[n], l.x[n], l.y[n]);
}

/** Bounds of a piece's side in a disc.
 *
 *  low      receives the lower bound, m; TER_NO_SIDE if the side reaches no part of the disc
 *  foot     receives the lowest height of the line near the disc, m
 *  Returns  the upper bound, m; TER_NO_SIDE if the side does not reach all of the disc
 */
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
    return ter_max(z0, z1) + far * ter_sqrt(p.inverse) * ter_max(p.before, p.after) +
           steep * ter_valley_side(far, narrow) + 8.0f * TER_CELL * beyond * beyond + 0.1f;
}

/** Whether the shore or the dam of a piece's lake may lie in a disc; see ter_shore_over. low, foot: of side_bounds */
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

/** Whether a piece can change a point in a disc. low, foot: of side_bounds; high: upper bound of the lowest side;
 * slack: how far above the lowest side another side can count */
__device__ bool matters(const ter_piece &p, const disc &d, float low, float foot, float high, float slack)
{
    return low < TER_NO_SIDE && (low <= high + slack || may_be_shore(p, d, low, foot));
}

/** How far above the lowest side another side can count, if the lowest side is that of this piece, m. */
__device__ float slack_of(const ter_piece &p, float high, float foot)
{
    return ter_min(0.36f * TER_CELL * ter_max(p.slope, p.slope + p.dslope), 0.7f * (high - foot));
}

/** List the pieces that reach the disc of a block of points. Returns their number; more than PIECES_MAX means that the
 * list is incomplete. */
__device__ int list_near(const ter_fluvial_job *job, const near_corner &corner, const disc &d, listed_shared *s)
{
    const float reach = TER_SIDE_FAR * TER_CELL + d.radius + 1.0f;
    const cells c = cells_around(corner, job->piece_at, d, TER_GROUND_CELLS);
    const ter_window at = job->piece_at;
    int count = 0;
    for (int base = 0; base < c.count * TER_PIECES && count <= PIECES_MAX; base += LIST_THREADS) {
        const int n = base + (int)threadIdx.x, cell = n / TER_PIECES, x = c.x0 + cell % c.width,
                  y = c.y0 + cell / c.width;
        const int index =
            (int)(ter_window_index(at, corner.cell_x + x, corner.cell_y + y) * TER_PIECES + n % TER_PIECES);
        float px = 0.0f, py = 0.0f;
        bool is_near = n < c.count * TER_PIECES && job->course[index / TER_PIECES] != TER_COURSE_NONE;
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

/** Least x of a block of threads. of_warps: shared memory, one element for each warp. All threads of the block call. */
__device__ __forceinline__ float least_of_block(float x, float *of_warps)
{
    of_warps[threadIdx.x >> 5] = least_of_warp(x);
    __syncthreads();
    for (int n = 0; n < LIST_WARPS; n++)
        x = fminf(x, of_warps[n]);
    return x;
}

/** Greatest x of a block of threads; as least_of_block. */
__device__ __forceinline__ float greatest_of_block(float x, float *of_warps)
{
    of_warps[threadIdx.x >> 5] = greatest_of_warp(x);
    __syncthreads();
    for (int n = 0; n < LIST_WARPS; n++)
        x = fmaxf(x, of_warps[n]);
    return x;
}

/** Remove the pieces that are not chosen from the block's list. The list keeps its order. choose: whether entry n, the
 * given piece, is chosen. Returns the number of pieces that remain. */
template <class CHOOSE>
__device__ __forceinline__ int keep_chosen(const ter_piece *pieces, int count, listed_shared *s, CHOOSE choose)
{
    piece_list &l = s->list;
    int n_chosen = 0;
    for (int base = 0; base < count; base += LIST_THREADS) { /* in place, because entries move only towards the front */
        const int n = base + (int)threadIdx.x;
        int index = 0;
        float x = 0.0f, y = 0.0f;
        bool is_chosen = false;
        if (n < count) {
            index = l.index[n];
            x = l.x[n];
            y = l.y[n];
            is_chosen = choose(n, load_piece(pieces + index, x, y));
        }
        const int place = append_in_order(is_chosen, &s->counts, &n_chosen);
        if (place >= 0) {
            l.index[place] = index;
            l.x[place] = x;
            l.y[place] = y;
        }
    }
    __syncthreads();
    return n_chosen;
}

/** Reduce the block's list to the pieces that can change a point in its disc. Returns their number. */
__device__ int reduce_list(const ter_fluvial_job *job, const disc &d, int count, listed_shared *s)
{
    const piece_list &l = s->list;
    piece_bounds &b = s->bounds;
    float high = TER_NO_SIDE, slack = 0.0f;
    __syncthreads();
    for (int n = (int)threadIdx.x; n < count; n += LIST_THREADS)
        high = ter_min(high, side_bounds(listed_piece(job->piece, l, n), d, &b.low[n], &b.foot[n]));
    high = least_of_block(high, s->high);
    for (int n = (int)threadIdx.x; n < count; n += LIST_THREADS)
        if (b.low[n] <= high)
            slack = ter_max(slack, slack_of(listed_piece(job->piece, l, n), high, b.foot[n]));
    slack = greatest_of_block(slack, s->slack);
    return keep_chosen(job->piece, count, s,
                       [&](int n, const ter_piece &p) { return matters(p, d, b.low[n], b.foot[n], high, slack); });
}

/** A lane's part of the bounds of the block's list in the warp's disc: those of entries lane, lane + 32, .. */
struct warp_bounds {
    static constexpr int ROUNDS = 8;
    float low[ROUNDS], foot[ROUNDS];
};

/** Find a lane's part of the bounds of the block's list in the warp's disc.
 *
 *  best     receives the entry with the lowest upper bound
 *  Returns  that bound
 */
__device__ __forceinline__ float find_bounds(const ter_fluvial_job *job, const disc &d, int count, const piece_list &l,
                                             warp_bounds *b, int *best)
{
    const int lane = (int)(threadIdx.x & 31u);
    float high = TER_NO_SIDE;
    *best = lane < count ? lane : 0;
#pragma unroll
    for (int r = 0; r < warp_bounds::ROUNDS; r++) {
        const int n = 32 * r + lane;
        b->low[r] = b->foot[r] = TER_NO_SIDE;
        if (n < count) {
            const float top = side_bounds(listed_piece(job->piece, l, n), d, &b->low[r], &b->foot[r]);
            *best = top < high ? n : *best;
            high = ter_min(high, top);
        }
    }
    const float least = least_of_warp(high);
    const unsigned has_least = __ballot_sync(FULL_WARP, high == least);
    *best = __shfl_sync(FULL_WARP, *best, __ffs((int)has_least) - 1);
    return least;
}

/** How far above the lowest side another side can count in the warp's disc, m. least: upper bound of the lowest side */
__device__ __forceinline__ float slack_of_warp(const ter_fluvial_job *job, int count, const piece_list &l,
                                               const warp_bounds &b, float least)
{
    float slack = 0.0f;
#pragma unroll
    for (int r = 0; r < warp_bounds::ROUNDS; r++) {
        const int n = 32 * r + (int)(threadIdx.x & 31u);
        if (n < count && b.low[r] <= least)
            slack = ter_max(slack, slack_of(listed_piece(job->piece, l, n), least, b.foot[r]));
    }
    return greatest_of_warp(slack);
}

/** Make a warp's list: the pieces of the block's list that can change a point in the warp's disc.
 *
 *  count    entries of the block's list
 *  best     receives the entry with the lowest upper bound
 *  Returns  the number of pieces; more than NEAR_MAX means that the list is unusable
 */
__device__ int choose_nearest(const ter_fluvial_job *job, const disc &d, int count, const piece_list &l,
                              near_list *near, int *best)
{
    const int lane = (int)(threadIdx.x & 31u);
    if (count > 32 * warp_bounds::ROUNDS)
        return NEAR_MAX + 1;
    warp_bounds b;
    const float least = find_bounds(job, d, count, l, &b, best);
    const float slack = slack_of_warp(job, count, l, b, least);
    if (lane == 0)
        near->slack = slack;
    int n_chosen = 0;
#pragma unroll
    for (int r = 0; r < warp_bounds::ROUNDS; r++) {
        const int n = 32 * r + lane;
        bool is_chosen = false;
        int entry = n;
        if (n < count && b.low[r] < TER_NO_SIDE) {
            const bool has_shore = may_be_shore(listed_piece(job->piece, l, n), d, b.low[r], b.foot[r]);
            is_chosen = has_shore || b.low[r] <= least + slack;
            entry |= has_shore ? HAS_SHORE : 0;
        }
        const unsigned lanes = __ballot_sync(FULL_WARP, is_chosen);
        if (is_chosen) {
            const int place = n_chosen + __popc(lanes & ((1u << lane) - 1u));
            near->entry[place] = (unsigned short)entry;
            near->low[place] = b.low[r];
        }
        n_chosen += __popc(lanes);
    }
    __syncwarp();
    return n_chosen;
}

} // namespace

#endif
