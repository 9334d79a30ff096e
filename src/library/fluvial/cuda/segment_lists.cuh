/* segment_lists.cuh - lists of the channel pieces that matter in a disc of points: those of a block of threads, and of
 * these those of a warp.
 *
 *     256 threads   16 x 16 points   pieces whose side can be lowest, near the lowest, or over a shore, somewhere in
 *                                    the disc
 *      32 threads    8 x 4 points    the same, chosen from that list: about 20 of the definition's 243
 *
 * A piece that a list leaves out would change nothing: its side is too high at every point of the disc. Lists keep the
 * order of the nodes, in which sums are made. */
#ifndef TERRANE_FLUVIAL_CUDA_SEGMENT_LISTS_CUH
#define TERRANE_FLUVIAL_CUDA_SEGMENT_LISTS_CUH

#include "library/fluvial/cuda/lists.cuh"

namespace
{

constexpr int PIECES_MAX = 768; /* of a block's list */
constexpr int NEAR_MAX = 192;   /* of a warp's list */
constexpr int HAS_SHORE = 0x8000;

/** Pieces near a block of points: their numbers in the job, starts relative to the corner, and bounds of their sides.
 */
struct piece_list {
    int index[PIECES_MAX];
    float x[PIECES_MAX], y[PIECES_MAX];
};

/** Bounds of the sides of such a list in its disc. */
struct piece_bounds {
    float low[PIECES_MAX], foot[PIECES_MAX];
};

/** Pieces near a warp's points: entries of the block's list. */
struct near_list {
    unsigned short
        entry[NEAR_MAX]; /* of the block's list; HAS_SHORE: its lake, or the dam of that, may reach a point */
    float low[NEAR_MAX];
    float slack; /* m; how far above the lowest side another can count */
};

/** Sides that were met the first time, at the points of a warp: what the second time cannot read from their pieces. */
struct met_sides {
    static constexpr int SIDES_MAX = 14;
    float height[SIDES_MAX][32], t[SIDES_MAX][32]; /* as in ter_side */
};

struct listed_shared {
    piece_list list;
    near_list near[LIST_WARPS];
    union {
        piece_bounds bounds;       /* while the block's list is made */
        met_sides met[LIST_WARPS]; /* afterwards */
    };
    list_counts counts;
    box boxes[LIST_WARPS];
    float high[LIST_WARPS], slack[LIST_WARPS], radii[LIST_WARPS];
};

/** A piece but for its bed, which the ground does not read. */
__device__ __forceinline__ ter_piece load_piece(const ter_piece *p)
{
    constexpr int LOADS = 4;
    static_assert(offsetof(ter_piece, lake) + sizeof(float) == LOADS * sizeof(float4), "four loads");
    union {
        float4 four[sizeof(ter_piece) / sizeof(float4)];
        ter_piece piece;
    } u = {};
    for (int n = 0; n < LOADS; n++)
        u.four[n] = __ldg((const float4 *)p + n);
    return u.piece;
}

/** x, y: where it begins */
__device__ __forceinline__ ter_piece load_piece(const ter_piece *p, float x, float y)
{
    ter_piece piece = load_piece(p);
    piece.x = x;
    piece.y = y;
    return piece;
}

/** Bounds of a piece's side in a disc: nowhere lower than *low, nowhere higher than the result. Both are TER_NO_SIDE
 * where it does not reach, or not everywhere. */
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

/** Whether a piece can matter in a disc where the lowest side is nowhere higher than `high`. low, foot: of side_bounds
 */
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
    const cells c = cells_between(corner, job->piece_at, d.x - d.radius, d.y - d.radius, d.x + d.radius, d.y + d.radius,
                                  TER_GROUND_CELLS);
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

/** Keep the pieces of the block's list that matter in its disc; their count. */
__device__ int keep_near(const ter_fluvial_job *job, const disc &d, int count, listed_shared *s)
{
    piece_list &l = s->list;
    const int warp = (int)(threadIdx.x >> 5);
    float high = TER_NO_SIDE, slack = 0.0f;
    __syncthreads();
    for (int n = (int)threadIdx.x; n < count; n += LIST_THREADS)
        high = ter_min(high, side_bounds(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), d, &s->bounds.low[n],
                                         &s->bounds.foot[n]));
    s->high[warp] = least_of_warp(high);
    __syncthreads();
    for (int n = 0; n < LIST_WARPS; n++)
        high = fminf(high, s->high[n]);
    for (int n = (int)threadIdx.x; n < count; n += LIST_THREADS)
        if (s->bounds.low[n] <= high)
            slack =
                ter_max(slack, slack_of(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), high, s->bounds.foot[n]));
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
            is_kept =
                matters(load_piece(job->piece + index, x, y), d, s->bounds.low[n], s->bounds.foot[n], high, slack);
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
    static constexpr int ROUNDS = 8;
    float low[ROUNDS], foot[ROUNDS];
};

/** Pieces of the block's list that matter in a warp's disc; their count, or more than the warp's list holds.
 *
 *  count  of the block's list
 *  best   receives the entry whose side is nowhere higher than any other's bound
 */
__device__ int keep_nearest(const ter_fluvial_job *job, const disc &d, int count, const piece_list &l, near_list *near,
                            int *best)
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
            const float top =
                side_bounds(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), d, &b.low[r], &b.foot[r]);
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
    if (lane == 0)
        near->slack = slack;
    int kept = 0;
#pragma unroll
    for (int r = 0; r < warp_bounds::ROUNDS; r++) {
        const int n = 32 * r + lane;
        bool is_kept = false;
        int entry = n;
        if (n < count && b.low[r] < TER_NO_SIDE) {
            const bool has_shore =
                may_be_shore(load_piece(job->piece + l.index[n], l.x[n], l.y[n]), d, b.low[r], b.foot[r]);
            is_kept = has_shore || b.low[r] <= least + slack;
            entry |= has_shore ? HAS_SHORE : 0;
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

} // namespace

#endif
