/* segments.cu - does the work of ter_make_pieces, and finds the bounds of the pieces of each cell.
 *
 * About one node in six belongs to a river, which must read the valley sides of the 24 channels around it. If its
 * thread did that alone, the other threads of the warp would wait. So the rivers of a block of threads are listed, and
 * each thread takes one channel of one river. Points of courses that meander are listed in the same way. The pieces of
 * a row of cells are made in shared memory, from where a warp stores them with full transactions.
 */
#include "library/fluvial/cuda/segments.cuh"

#include "library/core/float_order.h"
#include "library/fluvial/cuda/cell_bounds.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128, TILE_X = 32, TILE_Y = THREADS / TILE_X;
constexpr int REACH = 2, SIDE = 2 * REACH + 1; /* a river reads the channels of SIDE x SIDE nodes around its own */
constexpr int POINTS = TER_PIECES - 1;         /* points of a course that may be lowered */

/** Rivers of a block of threads. */
struct river_list {
    int count;
    int k[THREADS];                                                   /* indices of their nodes */
    ter_press press[THREADS];                                         /* plateaus at these nodes */
    float x[POINTS][THREADS], y[POINTS][THREADS], z[POINTS][THREADS]; /* points of their courses */
    int least[POINTS][THREADS]; /* lowest heights of the sides at these points, as ter_ordered() integers */
};

/** Do the work of ter_sides_around for all listed rivers. */
__device__ void find_sides(const ter_fluvial_job *job, river_list *rivers)
{
    const int width = job->node_at[TER_NETWORK_LAST].width, tasks = rivers->count * SIDE * SIDE;
    for (int n = (int)threadIdx.x; n < tasks; n += THREADS) {
        const int r = n / (SIDE * SIDE), m = n % (SIDE * SIDE), a = m % SIDE - REACH, b = m / SIDE - REACH;
        const int beside = rivers->k[r] + b * width + a;
        const float bound = ter_channel_bound(job->node[TER_NETWORK_LAST & 1] + beside, width);
        if ((a == 0 && b == 0) || job->node[TER_NETWORK_LAST & 1][beside].kind == TER_NODE_BARE ||
            bound >= fmaxf(rivers->z[0][r], rivers->z[1][r]))
            continue;
        const ter_straight side = ter_straight_channel(job, beside);
        for (int i = 0; i < POINTS; i++)
            if (bound < rivers->z[i][r])
                atomicMin(&rivers->least[i][r], ter_ordered(__float_as_int(ter_straight_side(
                                                    &side, rivers->press[r], rivers->x[i][r] - (float)a * TER_CELL,
                                                    rivers->y[i][r] - (float)b * TER_CELL))));
    }
}

/** Lower the courses of a block of threads. wants: whether this thread's course may be lowered. All threads call. */
__device__ void lower_courses(const ter_fluvial_job *job, bool wants, river_list *rivers, ter_course *course)
{
    if (threadIdx.x == 0)
        rivers->count = 0;
    __syncthreads();
    const int r = wants ? atomicAdd(&rivers->count, 1) : 0;
    if (wants) {
        rivers->k[r] = course->k;
        rivers->press[r] = ter_press_at(job, course->k);
        for (int i = 0; i < POINTS; i++) {
            const ter_bank &g = course->g[i + 1];
            rivers->x[i][r] = g.x;
            rivers->y[i][r] = g.y;
            rivers->z[i][r] = g.z;
            rivers->least[i][r] = ter_ordered(__float_as_int(g.z));
        }
    }
    __syncthreads();
    find_sides(job, rivers);
    __syncthreads();
    if (wants)
        for (int i = 0; i < POINTS; i++)
            course->g[i + 1].z = ter_lower_height(course, i + 1, __int_as_float(ter_ordered(rivers->least[i][r])));
}

/** Those points of the courses of a block of threads that meander. */
struct wander_list {
    static constexpr int POINTS_MAX = (TER_PIECES + 1) * THREADS;
    int count;
    unsigned short cell[POINTS_MAX]; /* thread of the point's cell */
    float x[POINTS_MAX], y[POINTS_MAX], reach[POINTS_MAX];
};

/** Do the work of ter_wander_point for the courses of a block of threads. All threads call.
 *
 *  first_x, first_y  first cell of the block
 *  is_made           whether this thread's course is made
 */
__device__ void wander_courses(const ter_fluvial_job *job, int64_t first_x, int64_t first_y, bool is_made,
                               wander_list *list, ter_course *course)
{
    if (threadIdx.x == 0)
        list->count = 0;
    __syncthreads();
    int entry[TER_PIECES + 1];
    for (int i = 0; i <= TER_PIECES; i++) {
        ter_bank &g = course->g[i];
        entry[i] = is_made && g.wander > 0.0f ? atomicAdd(&list->count, 1) : -1;
        if (entry[i] >= 0) {
            list->cell[entry[i]] = (unsigned short)threadIdx.x;
            list->x[entry[i]] = g.x;
            list->y[entry[i]] = g.y;
            list->reach[entry[i]] = g.wander;
        } else {
            ter_wander_point(job, 0, 0, 0.0f, &g.x, &g.y);
        }
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < list->count; n += THREADS)
        ter_wander_point(job, first_x + list->cell[n] % TILE_X, first_y + list->cell[n] / TILE_X, list->reach[n],
                         &list->x[n], &list->y[n]);
    __syncthreads();
    for (int i = 0; i <= TER_PIECES; i++)
        if (entry[i] >= 0) {
            course->g[i].x = list->x[entry[i]];
            course->g[i].y = list->y[entry[i]];
        }
}

constexpr int FOURS = TER_PIECES * (int)sizeof(ter_piece) / (int)sizeof(float4); /* float4 of the pieces of a cell */

/** Pieces of the cells of a warp. One float4 of padding between cells avoids bank conflicts. */
struct row_of_pieces {
    float4 four[TILE_X][FOURS + 1];
};

/** Store the pieces of the cells of a warp. is_made: whether this lane's cell is made; to: pieces of the first cell */
__device__ void write_pieces(const row_of_pieces &row, bool is_made, ter_piece *to)
{
    const unsigned made = __ballot_sync(0xffffffffu, is_made);
    __syncwarp();
    for (int n = (int)(threadIdx.x % TILE_X); n < TILE_X * FOURS; n += TILE_X)
        if (made >> n / FOURS & 1u)
            ((float4 *)to)[n] = row.four[n / FOURS][n % FOURS];
}

/** Whether the pieces of cell (x, y) of the window are made. mask: NULL, or the mask of the network */
__device__ __forceinline__ bool is_cell_made(const ter_fluvial_job *job, const tile_mask *mask, int x, int y)
{
    const ter_window at = job->piece_at;
    if (x >= at.width || y >= at.height || !is_in_mask(mask, TER_NETWORK_LAST, at.x + x, at.y + y, RINGS_OF_PIECES))
        return false;
    const int k = ter_window_index(job->node_at[TER_NETWORK_LAST], at.x + x, at.y + y);
    return job->node[TER_NETWORK_LAST & 1][k].kind != TER_NODE_BARE;
}

/** The last thread with a cell that is made, or -1. All threads of the block call. */
__device__ __forceinline__ int last_thread(bool is_made)
{
    __shared__ int last;
    if (threadIdx.x == 0)
        last = -1;
    __syncthreads();
    if (is_made)
        atomicMax(&last, (int)threadIdx.x);
    __syncthreads();
    return last;
}

/** Make pieces and bounds: one thread for each cell. */
__global__ void __launch_bounds__(THREADS) pieces_kernel(const ter_fluvial_job *jobs, const tile_mask *masks)
{
    __shared__ union {
        river_list rivers;
        wander_list wander;
        row_of_pieces rows[TILE_Y];
    } s;
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const ter_window at = job->piece_at;
    const int first_x = (int)blockIdx.x * TILE_X, first_y = (int)blockIdx.y * TILE_Y;
    if (first_x >= at.width || first_y >= at.height)
        return;
    const int x = first_x + (int)threadIdx.x % TILE_X, y = first_y + (int)threadIdx.x / TILE_X;
    const bool is_made = is_cell_made(job, masks ? &masks[blockIdx.z] : nullptr, x, y);
    const size_t cell = (size_t)y * (size_t)at.width + (size_t)x;
    if (!is_made && x < at.width && y < at.height) {
        job->course[cell] = TER_COURSE_NONE;
        ((cell_bounds *)job->piece_bounds)[cell] = no_bounds();
    }
    const int last_made = last_thread(is_made);
    if (last_made < 0)
        return;
    /* All threads must reach the barriers. A thread without a cell computes that of `last_made` and stores nothing. */
    const int of = is_made ? (int)threadIdx.x : last_made;
    const int64_t cell_x = at.x + first_x + of % TILE_X, cell_y = at.y + first_y + of / TILE_X;
    ter_course course = ter_course_from(job, ter_window_index(job->node_at[TER_NETWORK_LAST], cell_x, cell_y));
    lower_courses(job, is_made && ter_takes_lower_way(job, &course), &s.rivers, &course);
    __syncthreads(); /* the list has been read */
    wander_courses(job, at.x + first_x, at.y + first_y, is_made, &s.wander, &course);
    __syncthreads();
    row_of_pieces &row = s.rows[threadIdx.x / TILE_X];
    if (is_made) {
        ter_piece *pieces = (ter_piece *)row.four[threadIdx.x % TILE_X];
        ter_pieces_of(job, &course, pieces);
        job->course[cell] = ter_course_of(pieces);
        ((cell_bounds *)job->piece_bounds)[cell] = bounds_of(pieces);
    }
    write_pieces(row, is_made, job->piece + ((size_t)y * (size_t)at.width + (size_t)first_x) * TER_PIECES);
}

} // namespace

ter_status ter_cuda::run_bounded_pieces(const fluvial_jobs &jobs, const tile_mask *masks)
{
    const int columns = greatest_of(jobs, [&](int n) { return (jobs.host[n].piece_at.width + TILE_X - 1) / TILE_X; });
    const int rows = greatest_of(jobs, [&](int n) { return (jobs.host[n].piece_at.height + TILE_Y - 1) / TILE_Y; });
    pieces_kernel<<<dim3((unsigned)columns, (unsigned)rows, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(
        jobs.device, masks);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
