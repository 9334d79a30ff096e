/* pieces.cu - ter_make_pieces, and the bounds of the pieces of each cell.
 *
 * One node in ten or so is that of a river, which looks at the sides of the 24 channels around it. The threads of a warp do that
 * together, a channel each, for one river after the other.
 */
#include "generate/cuda/fluvial/pieces.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128, TILE_X = 32, TILE_Y = THREADS / TILE_X;
constexpr unsigned FULL_WARP = 0xffffffffu;

__device__ float least_of_warp(float x)
{
    for (int n = 16; n > 0; n /= 2)
        x = fminf(x, __shfl_xor_sync(FULL_WARP, x, n));
    return x;
}

/** ter_sides_around by a whole warp, with the same arguments in all threads. It looks at more sides than the definition, which stops
 *  when one is lower than `low`; then the result is at most `low` too. */
__device__ float sides_around(const ter_fluvial_job *job, int k, float x, float y, float high)
{
    constexpr int REACH = 2, SIDE = 2 * REACH + 1;
    const int width = job->node_at[TER_NETWORK_LAST].width, lane = (int)(threadIdx.x & 31u);
    const int a = lane % SIDE - REACH, b = lane / SIDE - REACH, beside = k + b * width + a;
    float side = high;
    if (lane < SIDE * SIDE && (a != 0 || b != 0) &&
        ter_channel_bound(job->node[TER_NETWORK_LAST & 1] + beside, width) < high)
        side = ter_channel_side(job, beside, x - (float)a * TER_CELL, y - (float)b * TER_CELL);
    return fminf(high, least_of_warp(side));
}

/** Lower the points of the warp's courses that want it. */
__device__ void lower_courses(const ter_fluvial_job *job, bool wants, ter_course *course)
{
    const int lane = (int)(threadIdx.x & 31u);
    for (unsigned left = __ballot_sync(FULL_WARP, wants); left != 0; left &= left - 1) {
        const int of = __ffs((int)left) - 1, k = __shfl_sync(FULL_WARP, course->k, of);
        for (int i = 1; i < TER_PIECES; i++) {
            const ter_bank *g = &course->g[i];
            const float sides = sides_around(job, k, __shfl_sync(FULL_WARP, g->x, of), __shfl_sync(FULL_WARP, g->y, of),
                                             __shfl_sync(FULL_WARP, g->z, of));
            if (lane == of)
                course->g[i].z = ter_lower_height(course, i, sides);
        }
    }
}

__device__ float4 bounds_of(const ter_piece pieces[TER_PIECES])
{
    float4 b = make_float4(1e30f, 1e30f, -1e30f, -1e30f);
    for (int i = 0; i < TER_PIECES; i++) {
        const ter_piece &p = pieces[i];
        b.x = fminf(b.x, fminf(p.x, p.x + p.along_x));
        b.y = fminf(b.y, fminf(p.y, p.y + p.along_y));
        b.z = fmaxf(b.z, fmaxf(p.x, p.x + p.along_x));
        b.w = fmaxf(b.w, fmaxf(p.y, p.y + p.along_y));
    }
    return b;
}

/** A thread a cell. */
__global__ void __launch_bounds__(THREADS) pieces_kernel(const ter_fluvial_job *jobs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const ter_window at = job->piece_at;
    const int x = (int)(blockIdx.x * TILE_X + threadIdx.x % TILE_X), y = (int)(blockIdx.y * TILE_Y + threadIdx.x / TILE_X);
    if ((int)(blockIdx.x * TILE_X) >= at.width || y >= at.height)
        return; /* whole warps */
    const bool is_in = x < at.width;
    const int64_t cell_x = at.x + (is_in ? x : at.width - 1), cell_y = at.y + y;
    ter_course course = ter_course_from(job, ter_window_index(job->node_at[TER_NETWORK_LAST], cell_x, cell_y));
    lower_courses(job, is_in && ter_takes_lower_way(job, &course), &course);
    if (!is_in)
        return;
    ter_piece pieces[TER_PIECES];
    ter_pieces_of(job, cell_x, cell_y, &course, pieces);
    const size_t cell = (size_t)y * (size_t)at.width + (size_t)x;
    for (int i = 0; i < TER_PIECES; i++)
        job->piece[cell * TER_PIECES + (size_t)i] = pieces[i];
    job->has_river[cell] = ter_is_river(pieces);
    ((float4 *)job->piece_bounds)[cell] = bounds_of(pieces);
}

} // namespace

ter_status ter_cuda::run_bounded_pieces(const fluvial_jobs &jobs)
{
    constexpr int ROWS_MAX = 65535; /* of a grid */
    int columns = 0, rows = 0;
    for (int n = 0; n < jobs.count; n++) {
        columns = std::max(columns, (jobs.host[n].piece_at.width + TILE_X - 1) / TILE_X);
        rows = std::max(rows, (jobs.host[n].piece_at.height + TILE_Y - 1) / TILE_Y);
    }
    static_assert(TILE_Y * ROWS_MAX >= 65536, "networks have fewer rows of cells");
    pieces_kernel<<<dim3((unsigned)columns, (unsigned)rows, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
