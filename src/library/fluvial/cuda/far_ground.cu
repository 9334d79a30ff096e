/* far_ground.cu - makes the ground where points lie far apart. A thread makes a point from the pieces of the cells
 * around it, in three steps. Most cells are skipped by the bounds of their pieces:
 *
 *     nine cells around the point                     upper bound of the lowest side
 *     all cells that may have a side near that bound  the lowest side, and how far above it other sides count
 *     all cells that may have such a side, or a lake  the rounding of crests, and lakes
 */
#include "library/fluvial/cuda/far_ground.cuh"

#include "library/fluvial/cuda/cell_bounds.cuh"
#include "library/fluvial/cuda/ground_points.cuh"
#include "library/fluvial/cuda/segment_lists.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128;
constexpr int CELLS = 2 * TER_GROUND_CELLS + 1; /* columns, and rows, of cells around a point */

/** The point of a thread. */
struct far_point {
    const ter_piece *pieces;   /* of the north-west cell of the cells around the point */
    const cell_bounds *bounds; /* of that cell */
    int width;                 /* columns of the window of cells */
    float x, y;                /* units from the corner of that cell */
    float top, above;          /* values of the province */
};

/** Set of the cells of a row whose pieces may have a side at the point that is not above `height`. Bit n is column n.
 * WITH_LAKES: cells with a lake in reach are included as well */
template <bool WITH_LAKES> __device__ unsigned cells_below(const far_point &p, int row, float height)
{
    const cell_bounds *bounds = p.bounds + row * p.width;
    unsigned cells = 0;
    for (int a = 0; a < CELLS; a++) {
        const cell_bounds b = load_bounds(bounds + a);
        const float x = p.x - (float)a * TER_CELL, y = p.y - (float)row * TER_CELL;
        const float away_x = fmaxf(fmaxf(b.x0 - x, x - b.x1), 0.0f), away_y = fmaxf(fmaxf(b.y0 - y, y - b.y1), 0.0f);
        const float square = away_x * away_x + away_y * away_y;
        const bool is_low = lowest_side(b, square, p.above) <= height || (WITH_LAKES && TER_IS_LAKE(b.lake));
        constexpr float REACH = TER_SIDE_FAR * TER_CELL + 1.0f;
        cells |= (unsigned)(is_low && square < REACH * REACH) << a;
    }
    return cells;
}

/** Visit the pieces of a set of cells of a row that have a side at the point, in order.
 * visit(piece, x, y, side): x, y: the point, units from the start of the piece */
template <class Visit>
__device__ __forceinline__ void for_pieces(const far_point &p, int row, unsigned cells, Visit visit)
{
    for (; cells != 0; cells &= cells - 1) {
        const int a = ter_lowest_bit(cells);
        const ter_piece *pieces = p.pieces + (size_t)(row * p.width + a) * TER_PIECES;
        for (int i = 0; i < TER_PIECES; i++) {
            ter_piece piece = load_piece(pieces + i);
            const float x = p.x - (float)a * TER_CELL - piece.x, y = p.y - (float)row * TER_CELL - piece.y;
            const ter_side side = ter_side_at(&piece, x, y, p.top, p.above);
            if (side.height < TER_NO_SIDE)
                visit(piece, x, y, side);
        }
    }
}

/** The point at (px, py) of the network's plane. sum: ter_ground_begin at that point */
__device__ __forceinline__ far_point far_point_at(const ter_fluvial_job *job, int64_t px, int64_t py,
                                                  const ter_ground_sum &sum)
{
    const int corner = ter_window_index(job->piece_at, (px >> TER_CELL_SHIFT) - TER_GROUND_CELLS,
                                        (py >> TER_CELL_SHIFT) - TER_GROUND_CELLS);
    far_point p;
    p.pieces = job->piece + (size_t)corner * TER_PIECES;
    p.bounds = (const cell_bounds *)job->piece_bounds + corner;
    p.width = job->piece_at.width;
    p.x = (float)(int)(px & 0xffff) * (1.0f / 256.0f) + TER_GROUND_CELLS * TER_CELL; /* exact */
    p.y = (float)(int)(py & 0xffff) * (1.0f / 256.0f) + TER_GROUND_CELLS * TER_CELL;
    p.top = sum.top;
    p.above = sum.above;
    return p;
}

/** Make the ground at a point. */
__device__ void make_far_point(const ter_fluvial_job *job, const warped_point &w, ter_ground *out)
{
    const int64_t px = ter_place_x(w.x, w.y, w.warp), py = ter_place_y(w.x, w.y, w.warp);
    const ter_province_place province = ter_province_at(job->province_at, job->province, px, py);
    ter_ground_sum sum;
    ter_ground_begin(&province, &sum);
    const far_point p = far_point_at(job, px, py, sum);
    constexpr unsigned BESIDE = 7u << (TER_GROUND_CELLS - 1);
    float high = TER_NO_SIDE, slack = 0.0f;
    for (int row = TER_GROUND_CELLS - 1; row <= TER_GROUND_CELLS + 1; row++)
        for_pieces(p, row, cells_below<false>(p, row, high) & BESIDE,
                   [&](const ter_piece &, float, float, const ter_side &side) {
                       slack = side.height < high ? ter_side_reach(&side) : slack;
                       high = fminf(high, side.height);
                   });
    float reach = 0.0f; /* m; how far above the lowest side another side can count */
    do {
        high += slack;
        ter_ground_begin(&province, &sum);
        for (int row = 0; row < CELLS; row++)
            for_pieces(p, row, cells_below<false>(p, row, high),
                       [&](const ter_piece &piece, float, float, const ter_side &side) {
                           reach = side.height < sum.low ? ter_side_reach(&side) : reach;
                           ter_ground_lowest(&piece, &side, &sum);
                       });
        slack = fmaxf(reach, 1.0f);
    } while (sum.low + reach > high);
    ter_ground_between(&sum);
    for (int row = 0; row < CELLS; row++)
        for_pieces(p, row, cells_below<true>(p, row, sum.low + sum.reach),
                   [&](ter_piece &piece, float x, float y, const ter_side &side) {
                       if (ter_is_filled(&sum, piece.lake))
                           piece.lake = TER_NO_LAKE;
                       ter_ground_add(&piece, &side, x, y, &sum);
                   });
    ter_ground_finish(&job->f, &province, w.warp[2], &sum, out);
}

/** One thread for each point of ground g; a warp of threads covers 8 x 4 points. */
__global__ void __launch_bounds__(THREADS) far_ground_kernel(const ter_fluvial_job *jobs, int g)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_ground_plan *plan = &job->ground[g];
    const ter_window at = plan->points.at;
    if (g >= job->n_grounds || plan->points.step <= LISTED_STEP)
        return;
    const int across = (at.width + 15) / 16, lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const int x = (int)blockIdx.x % across * 16 + (warp & 1) * 8 + (lane & 7),
              y = (int)blockIdx.x / across * 8 + (warp >> 1) * 4 + (lane >> 3);
    if (x >= at.width || y >= at.height)
        return;
    const size_t k = (size_t)y * (size_t)at.width + (size_t)x;
    if (const ter_ground *made = find_made(job, g, x, y)) {
        plan->ground[k] = *made;
        return;
    }
    make_far_point(job, warped_point_at(plan, x, y), &plan->ground[k]);
}

} // namespace

ter_status ter_cuda::run_far_ground(const fluvial_jobs &jobs)
{
    for (int g = 0; g < TER_GROUNDS_MAX; g++) { /* later grounds copy points of the first, so they need its launch */
        const int most = greatest_of(jobs, [&](int n) {
            const ter_lattice &points = jobs.host[n].ground[g].points;
            return g < jobs.host[n].n_grounds && points.step > LISTED_STEP
                       ? (points.at.width + 15) / 16 * ((points.at.height + 7) / 8)
                       : 0;
        });
        if (most > 0)
            far_ground_kernel<<<dim3((unsigned)most, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device, g);
        TER_CUDA(cudaGetLastError());
    }
    return TER_OK;
}
