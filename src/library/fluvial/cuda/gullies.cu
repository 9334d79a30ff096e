/* gullies.cu - ter_halve_seen, ter_carve_gully and ter_make_base of the last octave in one: a thread makes four points
 * of 8 m.
 *
 *     X-1   X       X+1  X+2      o  points of 16 m: the ground, the octaves before, what coarser levels of detail see
 *      o    o        o    o       .  the four points of thread (X, Y): that of 16 m, and those east, south and
 *                                    south-east of it
 *      o    o   .    o    o
 *           .   .                 The four-point rule needs 4 x 4 points of 16 m for them. A block of threads loads
 *      o    o        o    o       those of its 32 x 8 threads into shared memory, and the 34 x 10 cells of gullies
 *                                 around its points.
 *      o    o        o    o
 */
#include "library/fluvial/cuda/gullies.cuh"

using namespace ter_cuda;

namespace
{

constexpr int LAST = TER_OCTAVES - 1, THREADS_X = 32, THREADS_Y = 8, THREADS = THREADS_X * THREADS_Y;
constexpr int WIDTH = THREADS_X + 3, HEIGHT = THREADS_Y + 3;    /* points of 16 m of a block of threads */
constexpr int CELLS_X = THREADS_X + 2, CELLS_Y = THREADS_Y + 2; /* and cells */
constexpr int GROUND_FLOATS = sizeof(ter_ground) / sizeof(float), GROUND_USED = 7; /* up to ter_ground.raise */
constexpr int CELL_FLOATS = sizeof(ter_gully) / sizeof(float);

enum { GROUND_HEIGHT, GROUND_LAKE, GROUND_ABOVE, GROUND_STRENGTH, GROUND_ALPINE, GROUND_REACH, GROUND_RAISE };
static_assert(TER_GROUND_FIELD(lake) == GROUND_LAKE && TER_GROUND_FIELD(raise) == GROUND_RAISE,
              "fields by their numbers");

struct gully_points {
    float ground[GROUND_USED][HEIGHT][WIDTH];
    float kept[HEIGHT][WIDTH], fade[HEIGHT][WIDTH], seen[HEIGHT][WIDTH];
    float cell[CELL_FLOATS][CELLS_Y][CELLS_X];
};

/** The part of a window that a block of threads reads. */
struct window_part {
    int x, y; /* of its first point, in the window or beyond it */
    int width, height;

    __device__ window_part(const ter_window &at, int64_t first_x, int64_t first_y)
        : x((int)(first_x - at.x)), y((int)(first_y - at.y)), width(at.width), height(at.height)
    {
    }

    /** Index of a row's first point in the window; n: row of the part. */
    __device__ size_t row(int n) const
    {
        return (size_t)min(max(y + n, 0), height - 1) * (size_t)width;
    }

    /** Column of the window; beyond it, the nearest. n: column of the part */
    __device__ int column(int n) const
    {
        return min(max(x + n, 0), width - 1);
    }
};

/** A warp brings a row. x, y: point of 16 m of the block's first thread */
__device__ void load_points(const ter_fluvial_job *job, int64_t x, int64_t y, gully_points *s)
{
    const ter_ground_plan *plan = &job->ground[0];
    const ter_octave_plan *o = &job->octave[LAST], *before = &job->octave[LAST - 1];
    const int coarse = o->n_halvings - 1, lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const window_part grounds(plan->points.at, x - 1, y - 1), carved(before->points.at, x - 1, y - 1);
    const window_part seen(o->coarse[coarse].at, x - 1, y - 1), cells(o->cells, x - 1, y - 1);
    for (int row = warp; row < HEIGHT; row += THREADS / 32) {
        const float *ground = (const float *)(plan->ground + grounds.row(row));
        for (int n = lane; n < WIDTH * GROUND_FLOATS; n += 32) {
            const int column = n / GROUND_FLOATS, field = n % GROUND_FLOATS;
            if (field < GROUND_USED)
                s->ground[field][row][column] = ground[grounds.column(column) * GROUND_FLOATS + field];
        }
        const ter_carved *c = before->carved + carved.row(row);
        const float *see = o->seen[coarse & 1] + seen.row(row);
        for (int column = lane; column < WIDTH; column += 32) {
            s->kept[row][column] = c[carved.column(column)].kept;
            s->fade[row][column] = c[carved.column(column)].fade;
            s->seen[row][column] = see[seen.column(column)];
        }
        if (row >= CELLS_Y)
            continue;
        const float *cell = (const float *)(o->gully[TER_PHASE_ROUNDS & 1] + cells.row(row));
        for (int n = lane; n < CELLS_X * CELL_FLOATS; n += 32) {
            const int column = n / CELL_FLOATS, field = n % CELL_FLOATS;
            s->cell[field][row][column] = cell[cells.column(column) * CELL_FLOATS + field];
        }
    }
}

/** The four points between points of 16 m by the four-point rule: [south][east]. p: the point north-west of the
 * thread's own */
__device__ __forceinline__ void halve(const float (*p)[WIDTH], int x, float out[2][2])
{
    float q[4];
#pragma unroll
    for (int r = 0; r < 4; r++)
        q[r] = ter_four(p[r][x], p[r][x + 1], p[r][x + 2], p[r][x + 3]);
    out[0][0] = p[1][x + 1];
    out[0][1] = q[1];
    out[1][0] = ter_four(p[0][x + 1], p[1][x + 1], p[2][x + 1], p[3][x + 1]);
    out[1][1] = ter_four(q[0], q[1], q[2], q[3]);
}

/** The same on straight lines: ter_between_value. */
__device__ __forceinline__ float value_between(const float (*p)[WIDTH], int x, int east, int south)
{
    const float a = 0.5f * (float)east, b = 0.5f * (float)south;
    const float north_value = ter_fma(a, p[1][x + 1 + east] - p[1][x + 1], p[1][x + 1]);
    const float south_value = ter_fma(a, p[1 + south][x + 1 + east] - p[1 + south][x + 1], p[1 + south][x + 1]);
    return ter_fma(b, south_value - north_value, north_value);
}

/** The least around it: ter_between_least. */
__device__ __forceinline__ float least_between(const float (*p)[WIDTH], int x, int east, int south)
{
    return ter_min(ter_min(p[1][x + 1], p[1][x + 1 + east]), ter_min(p[1 + south][x + 1], p[1 + south][x + 1 + east]));
}

/** Kernel of the cell (x, y) of the block's. */
__device__ __forceinline__ ter_gully cell_at(const gully_points &s, int x, int y)
{
    return {s.cell[0][y][x], s.cell[1][y][x], s.cell[2][y][x], s.cell[3][y][x], s.cell[4][y][x]};
}

__global__ void __launch_bounds__(THREADS, 4) gullied_heights_kernel(const ter_fluvial_job *jobs)
{
    __shared__ gully_points s;
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const ter_window at = job->fine[job->n_fine - 1].at;
    const int64_t first_x = (at.x >> 1) + (int64_t)blockIdx.x * THREADS_X,
                  first_y = (at.y >> 1) + (int64_t)blockIdx.y * THREADS_Y;
    if (2 * first_x >= at.x + at.width || 2 * first_y >= at.y + at.height)
        return;
    load_points(job, first_x, first_y, &s);
    __syncthreads();
    const int x = (int)threadIdx.x % THREADS_X, y = (int)threadIdx.x / THREADS_X;
    float kept[2][2], fade[2][2], seen[2][2], height[2][2];
    halve(&s.kept[y], x, kept);
    halve(&s.fade[y], x, fade);
    halve(&s.seen[y], x, seen);
    halve(&s.ground[GROUND_HEIGHT][y], x, height);
    float *out = job->height[(job->n_fine - 1) & 1];
#pragma unroll
    for (int south = 0; south < 2; south++)
#pragma unroll
        for (int east = 0; east < 2; east++) {
            const ter_gully k[4] = {cell_at(s, x + east, y + south), cell_at(s, x + east + 1, y + south),
                                    cell_at(s, x + east, y + south + 1), cell_at(s, x + east + 1, y + south + 1)};
            const ter_gully *const around[4] = {&k[0], &k[1], &k[2], &k[3]};
            const ter_gully_ground ground = {value_between(&s.ground[GROUND_ABOVE][y], x, east, south),
                                             value_between(&s.ground[GROUND_STRENGTH][y], x, east, south),
                                             value_between(&s.ground[GROUND_ALPINE][y], x, east, south),
                                             value_between(&s.ground[GROUND_REACH][y], x, east, south),
                                             value_between(&s.ground[GROUND_RAISE][y], x, east, south),
                                             0.0f};
            ter_carved c = {0.0f, kept[south][east], fade[south][east]};
            const float added =
                ter_gully_between(LAST, around, 0.5f * (float)(1 - east), 0.5f * (float)(1 - south), &ground, &c.fade);
            ter_carve(LAST, added, seen[south][east], &ground, &c);
            const float lake = least_between(&s.ground[GROUND_LAKE][y], x, east, south);
            float h = height[south][east];
            if (TER_IS_LAKE(lake))
                h = ter_max(h, least_between(&s.ground[GROUND_HEIGHT][y], x, east, south));
            const int64_t column = 2 * (first_x + x) + east - at.x, row = 2 * (first_y + y) + south - at.y;
            if (column >= 0 && column < at.width && row >= 0 && row < at.height)
                out[(size_t)row * (size_t)at.width + (size_t)column] = ter_gullied(h, lake, c.kept);
        }
}

} // namespace

ter_status ter_cuda::run_gullied_heights(const fluvial_jobs &jobs)
{
    const auto window_of = [&](int n) { return jobs.host[n].fine[jobs.host[n].n_fine - 1].at; };
    const int columns = greatest_of(jobs, [&](int n) { return window_of(n).width / 2 / THREADS_X + 2; });
    const int rows = greatest_of(jobs, [&](int n) { return window_of(n).height / 2 / THREADS_Y + 2; });
    gullied_heights_kernel<<<dim3((unsigned)columns, (unsigned)rows, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(
        jobs.device);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
