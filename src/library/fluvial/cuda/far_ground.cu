/* far_ground.cu - the ground where points lie far apart: a warp makes a point, and with one of the first ground the
 * eight around it that the spline reads.
 *
 *     cells near the points -> their pieces, bounded in the points' disc -> those that matter -> heights of their sides
 *     at each point -> of each point the lowest, then those that count beside it
 *
 * Lanes are cells, then pieces, then pairs of a piece and a point, then points.
 */
#include "library/fluvial/cuda/far_ground.cuh"

#include "library/fluvial/cuda/ground_points.cuh"
#include "library/fluvial/cuda/segment_lists.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128, WARPS = THREADS / 32;
constexpr int CELLS_MAX = 256; /* around a point: 13 x 13, or one more where its disc lies over an edge */
constexpr int KEPT_MAX = 192;  /* pieces that matter */

/** What a warp shares. */
struct far_shared {
    unsigned short cell[CELLS_MAX];      /* columns and rows from the first, a byte each */
    int index[KEPT_MAX];                 /* pieces that matter, in the order of their nodes */
    float x[KEPT_MAX], y[KEPT_MAX];      /* where they begin, relative to the corner */
    bool has_shore[KEPT_MAX];            /* their lake, or the dam of that, may reach a point */
    float height[KEPT_MAX * TER_AROUND]; /* of their sides at each point */
};

/** A lane's point. */
struct far_point {
    near_corner corner; /* the same in all lanes */
    float x, y;         /* relative to it */
    ter_province_place province;
};

/** Cells whose pieces may reach a disc; their count. */
__device__ int list_cells(const ter_fluvial_job *job, const cells &c, const near_corner &corner, const disc &d,
                          far_shared *s)
{
    const float reach = TER_SIDE_FAR * TER_CELL + d.radius + 1.0f;
    const int lane = (int)(threadIdx.x & 31u);
    int count = 0;
    for (int base = 0; base < c.count; base += 32) {
        const int n = base + lane, x = c.x0 + n % c.width, y = c.y0 + n / c.width;
        bool is_near = n < c.count;
        if (is_near) {
            const float4 around = __ldg((const float4 *)job->piece_bounds +
                                        ter_window_index(job->piece_at, corner.cell_x + x, corner.cell_y + y));
            const float in_x = d.x - (float)x * TER_CELL, in_y = d.y - (float)y * TER_CELL;
            is_near = in_x >= around.x - reach && in_y >= around.y - reach && in_x <= around.z + reach &&
                      in_y <= around.w + reach;
        }
        const unsigned lanes = __ballot_sync(FULL_WARP, is_near);
        if (is_near)
            s->cell[count + __popc(lanes & ((1u << lane) - 1u))] = (unsigned short)((x - c.x0) | (y - c.y0) << 8);
        count += __popc(lanes);
    }
    __syncwarp();
    return count;
}

/** A piece of a listed cell. */
struct listed_piece {
    int index;
    float x, y; /* where it begins, relative to the corner */
    ter_piece piece;
};

__device__ __forceinline__ listed_piece listed_at(const ter_fluvial_job *job, const cells &c, const near_corner &corner,
                                                  const far_shared &s, int n)
{
    const unsigned cell = s.cell[(unsigned)n / TER_PIECES];
    const int x = c.x0 + (int)(cell & 0xffu), y = c.y0 + (int)(cell >> 8);
    listed_piece p;
    p.index = ter_window_index(job->piece_at, corner.cell_x + x, corner.cell_y + y) * TER_PIECES + n % TER_PIECES;
    p.piece = load_piece(job->piece + p.index);
    p.x = p.piece.x = p.piece.x + (float)x * TER_CELL;
    p.y = p.piece.y = p.piece.y + (float)y * TER_CELL;
    return p;
}

/** Keep the pieces that matter in a disc; their count, or more than the list holds. */
__device__ int keep_far(const ter_fluvial_job *job, const cells &c, const near_corner &corner, const disc &d,
                        int n_cells, far_shared *s)
{
    constexpr int ROUNDS = 8;
    const int lane = (int)(threadIdx.x & 31u), count = n_cells * TER_PIECES;
    if (count > 32 * ROUNDS)
        return KEPT_MAX + 1;
    float low[ROUNDS], room[ROUNDS], high = TER_NO_SIDE, slack = 0.0f;
    unsigned shores = 0; /* a bit a round */
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const int n = 32 * r + lane;
        low[r] = TER_NO_SIDE;
        room[r] = 0.0f;
        if (n >= count)
            continue;
        const listed_piece p = listed_at(job, c, corner, *s, n);
        float foot;
        high = ter_min(high, side_bounds(p.piece, d, &low[r], &foot));
        room[r] = ter_max(p.piece.slope, p.piece.slope + p.piece.dslope);
        if (low[r] < TER_NO_SIDE && may_be_shore(p.piece, d, low[r], foot))
            shores |= 1u << r;
        /* slack_of needs the foot once `high` is known */
        s->height[r * 32 + lane] = foot;
    }
    high = least_of_warp(high);
#pragma unroll
    for (int r = 0; r < ROUNDS; r++)
        if (low[r] <= high)
            slack = ter_max(slack, ter_min(0.36f * TER_CELL * room[r], 0.7f * (high - s->height[r * 32 + lane])));
    slack = greatest_of_warp(slack);
    int kept = 0;
#pragma unroll
    for (int r = 0; r < ROUNDS; r++) {
        const bool has_shore = shores >> r & 1u;
        const bool is_kept = low[r] < TER_NO_SIDE && (has_shore || low[r] <= high + slack);
        const unsigned lanes = __ballot_sync(FULL_WARP, is_kept);
        const int place = kept + __popc(lanes & ((1u << lane) - 1u));
        if (is_kept && place < KEPT_MAX) {
            const listed_piece p = listed_at(job, c, corner, *s, 32 * r + lane);
            s->index[place] = p.index;
            s->x[place] = p.x;
            s->y[place] = p.y;
            s->has_shore[place] = has_shore;
        }
        kept += __popc(lanes);
    }
    __syncwarp();
    return kept;
}

__device__ __forceinline__ ter_piece kept_piece(const ter_fluvial_job *job, const far_shared &s, int n)
{
    return load_piece(job->piece + s.index[n], s.x[n], s.y[n]);
}

/** The ground at a lane's point, from the pieces that matter. POINTS: of the warp; lanes beyond them repeat them */
template <int POINTS>
__device__ void sum_kept(const ter_fluvial_job *job, const far_point &p, int kept, float patch, far_shared *s,
                         ter_ground *out)
{
    constexpr int AT_ONCE = 32 / POINTS; /* pieces */
    const int lane = (int)(threadIdx.x & 31u), point = lane % POINTS;
    ter_ground_sum sum;
    ter_ground_begin(&p.province, &sum);
    for (int n = lane / POINTS; n < kept && lane < AT_ONCE * POINTS; n += AT_ONCE) {
        const ter_piece piece = kept_piece(job, *s, n);
        s->height[n * POINTS + point] =
            ter_side_at(&piece, p.x - piece.x, p.y - piece.y, sum.top, sum.above).height;
    }
    __syncwarp();
    int lowest = 0;
    float low = TER_NO_SIDE;
    for (int n = 0; n < kept; n++) {
        const float height = s->height[n * POINTS + point];
        lowest = height < low ? n : lowest;
        low = ter_min(low, height);
    }
    if (low < TER_NO_SIDE) {
        const ter_piece piece = kept_piece(job, *s, lowest);
        const ter_side side = ter_side_at(&piece, p.x - piece.x, p.y - piece.y, sum.top, sum.above);
        ter_ground_lowest(&piece, &side, &sum);
    }
    ter_ground_between(&sum);
    for (int n = 0; n < kept; n++) {
        const float height = s->height[n * POINTS + point];
        if (!s->has_shore[n] && !__any_sync(FULL_WARP, height - sum.low < sum.reach))
            continue;
        ter_piece piece = kept_piece(job, *s, n);
        if (ter_is_filled(&sum, piece.lake))
            piece.lake = TER_NO_LAKE;
        const float x = p.x - piece.x, y = p.y - piece.y;
        const ter_side side = ter_side_at(&piece, x, y, sum.top, sum.above);
        if (side.height < TER_NO_SIDE)
            ter_ground_add(&piece, &side, x, y, &sum);
    }
    ter_ground_finish(&job->f, &p.province, patch, &sum, out);
}

/** A warp's points: a point of a ground's lattice, or that and those around it. */
template <int POINTS>
__device__ void make_far(const ter_fluvial_job *job, const ter_ground_plan *plan, int k, far_shared *s)
{
    constexpr int MIDDLE = POINTS / 2;
    const ter_window at = plan->points.at;
    const int lane = (int)(threadIdx.x & 31u), point = lane % POINTS;
    const int beside = POINTS == TER_AROUND ? point : TER_AROUND / 2;
    warped_point w;
    w.x = (at.x + k % at.width) * plan->points.step + (beside % 3 - 1) * TER_GROUND_STEP;
    w.y = (at.y + k / at.width) * plan->points.step + (beside / 3 - 1) * TER_GROUND_STEP;
    const float *shift = POINTS == TER_AROUND ? plan->around + ((size_t)k * TER_AROUND + point) * TER_SHIFTS
                                              : plan->warp + (size_t)k * TER_SHIFTS;
    for (int c = 0; c < TER_SHIFTS; c++)
        w.warp[c] = shift[c];
    const int64_t px = ter_place_x(w.x, w.y, w.warp), py = ter_place_y(w.x, w.y, w.warp);
    far_point p;
    p.corner = {(int64_t)__shfl_sync(FULL_WARP, (long long)px, MIDDLE) >> TER_CELL_SHIFT,
                (int64_t)__shfl_sync(FULL_WARP, (long long)py, MIDDLE) >> TER_CELL_SHIFT};
    p.x = p.corner.x(px);
    p.y = p.corner.y(py);
    p.province = ter_province_at(job->province_at, job->province, px, py);
    const box around = box_of_warp(p.x, p.y, ter_province_value(&p.province, TER_PROVINCE_ABOVE));
    const disc d = disc_of_warp(around, p.x, p.y);
    const cells c = cells_between(p.corner, job->piece_at, around.x0, around.y0, around.x1, around.y1,
                                  TER_GROUND_CELLS);
    ter_ground ground;
    int kept = KEPT_MAX + 1;
    if (c.count <= CELLS_MAX)
        kept = keep_far(job, c, p.corner, d, list_cells(job, c, p.corner, d, s), s);
    if (kept <= KEPT_MAX)
        sum_kept<POINTS>(job, p, kept, w.warp[2], s, &ground);
    else if (lane < POINTS)
        make_by_definition(job, w, &ground);
    if (POINTS == TER_AROUND) {
        __syncwarp();
        if (lane < POINTS)
            s->height[lane] = ground.height;
        __syncwarp();
        float weights[4];
        ter_spline_weights(0.0f, weights);
        ground.smooth = ter_spline_value(s->height, 1, 3, weights, weights);
    }
    if (lane == MIDDLE)
        plan->ground[k] = ground;
}

/** A warp a point of ground g. */
__global__ void __launch_bounds__(THREADS) far_ground_kernel(const ter_fluvial_job *jobs, int g)
{
    __shared__ far_shared shared[WARPS];
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const int k = (int)(blockIdx.x * WARPS + threadIdx.x / 32);
    const ter_ground_plan *plan = &job->ground[g];
    const ter_window at = plan->points.at;
    if (g >= job->n_grounds || plan->points.step <= LISTED_STEP || k >= at.width * at.height)
        return;
    if (g == 0)
        make_far<TER_AROUND>(job, plan, k, &shared[threadIdx.x / 32]);
    else if (const ter_ground *made = find_made(job, g, k % at.width, k / at.width))
        plan->ground[k] = *made;
    else
        make_far<1>(job, plan, k, &shared[threadIdx.x / 32]);
}

} // namespace

ter_status ter_cuda::run_far_ground(const fluvial_jobs &jobs)
{
    for (int g = 0; g < TER_GROUNDS_MAX; g++) { /* a later one takes points from the first */
        const int most = greatest_of(jobs, [&](int n) {
            const ter_lattice &points = jobs.host[n].ground[g].points;
            return g < jobs.host[n].n_grounds && points.step > LISTED_STEP ? points.at.width * points.at.height : 0;
        });
        if (most > 0)
            far_ground_kernel<<<dim3((unsigned)((most + WARPS - 1) / WARPS), (unsigned)jobs.count), THREADS, 0,
                                jobs.stream>>>(jobs.device, g);
        TER_CUDA(cudaGetLastError());
    }
    return TER_OK;
}
