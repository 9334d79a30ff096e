/* launch.cu - each pass is a launch over the elements of all blocks of a group: a row of the grid is a block. */
#include "generate/cuda/fluvial/launch.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128;
constexpr int TILE_X = 32, TILE_Y = THREADS / TILE_X; /* elements of a block of threads */

/** The elements of a pass: extent(job) is their number in both directions, step(job, x, y) makes one. */
template <class Extent, class Step>
__global__ void __launch_bounds__(THREADS) pass_kernel(const ter_fluvial_job *jobs, Extent extent, Step step)
{
    const ter_fluvial_job *job = &jobs[blockIdx.z];
    const int2 size = extent(job);
    const int x = (int)(blockIdx.x * TILE_X + threadIdx.x);
    for (int y = (int)(blockIdx.y * TILE_Y + threadIdx.y); y < size.y; y += (int)gridDim.y * TILE_Y)
        if (x < size.x)
            step(job, x, y);
}

/** A launch for the largest block of a group; others let threads go. */
template <class Extent, class Step> ter_status run_pass(const fluvial_jobs &jobs, Extent extent, Step step)
{
    constexpr int ROWS_MAX = 65535; /* of a grid */
    const int2 most = make_int2(greatest_of(jobs, [&](int n) { return extent(&jobs.host[n]).x; }),
                                greatest_of(jobs, [&](int n) { return extent(&jobs.host[n]).y; }));
    if (most.x <= 0 || most.y <= 0)
        return TER_OK;
    const int rows = (most.y + TILE_Y - 1) / TILE_Y;
    const dim3 grid((unsigned)((most.x + TILE_X - 1) / TILE_X), (unsigned)(rows < ROWS_MAX ? rows : ROWS_MAX),
                    (unsigned)jobs.count);
    pass_kernel<<<grid, dim3(TILE_X, TILE_Y), 0, jobs.stream>>>(jobs.device, extent, step);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

/* In the passes `job` is `loops`, whose counts are the greatest of all blocks; in the lambdas it is the block that is being made.
 */
#define LAUNCH(function, n, columns, rows)                                                                                         \
    do {                                                                                                                           \
        const int n_of_pass = (n);                                                                                                 \
        const ter_status status_ = run_pass(                                                                                       \
            jobs, [=] __host__ __device__(const ter_fluvial_job *job) { return make_int2((columns), (rows)); },                    \
            [=] __device__(const ter_fluvial_job *job, int x, int y) { function(job, n_of_pass, x, y); });                         \
        if (status_ != TER_OK)                                                                                                     \
            return status_;                                                                                                        \
    } while (0)

int greater(int a, int b)
{
    return a > b ? a : b;
}

/** Loops that are long enough for all blocks. Windows that a block does not have are empty. */
ter_fluvial_job loops_of(const fluvial_jobs &jobs)
{
    ter_fluvial_job loops = jobs.host[0];
    for (int n = 1; n < jobs.count; n++) {
        const ter_fluvial_job &job = jobs.host[n];
        loops.n_grounds = greater(loops.n_grounds, job.n_grounds);
        loops.n_octaves = greater(loops.n_octaves, job.n_octaves);
        for (int g = 0; g < TER_GROUNDS_MAX; g++)
            loops.ground[g].n_coarse = greater(loops.ground[g].n_coarse, job.ground[g].n_coarse);
        for (int o = 0; o < TER_OCTAVES; o++)
            loops.octave[o].n_halvings = greater(loops.octave[o].n_halvings, job.octave[o].n_halvings);
    }
    return loops;
}

__global__ void __launch_bounds__(THREADS) samples_kernel(const ter_fluvial_job *jobs, const ter_fluvial_output *outputs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const int width = job->points.at.width, count = width * job->points.at.height;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < count; n += (int)gridDim.x * THREADS)
        ter_make_sample(job, &outputs[blockIdx.y], n % width, n / width);
}

} // namespace

ter_status ter_cuda::run_places(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    TER_PASSES_TO_PLACES(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_channels(const fluvial_jobs &jobs)
{
    TER_PASSES_TO_PROVINCES(job, LAUNCH);
    TER_PASSES_TO_ROOT(job, LAUNCH);
    TER_PASSES_TO_NODES(job, LAUNCH);
    TER_PASSES_TO_CHANNELS(job, LAUNCH);
    TER_PASS_TO_SLOPES(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_pieces(const fluvial_jobs &jobs)
{
    TER_PASS_TO_PIECES(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_rivers(const fluvial_jobs &jobs)
{
    TER_PASS_TO_RIVERS(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_ground(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    TER_PASSES_TO_GROUND(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_gullies(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    TER_PASSES_TO_GULLIES(job, LAUNCH);
    TER_PASS_TO_BASE(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_coarse_gullies(const fluvial_jobs &jobs)
{
    const ter_fluvial_job loops = loops_of(jobs), *job = &loops;
    for (int o = 0; o < TER_OCTAVES - 1; o++)
        TER_PASSES_TO_CARVED(job, o, LAUNCH);
    TER_PASSES_TO_WAVES(job, TER_OCTAVES - 1, LAUNCH);
    TER_PASSES_TO_SEEN(job, TER_OCTAVES - 1, job->octave[TER_OCTAVES - 1].n_halvings - 1, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_heights(const fluvial_jobs &jobs)
{
    const ter_fluvial_job *job = &jobs.host[0];
    TER_PASSES_TO_HEIGHTS(job, LAUNCH);
    return TER_OK;
}

ter_status ter_cuda::run_samples(const fluvial_jobs &jobs, const ter_fluvial_output *outputs)
{
    const int most = greatest_of(jobs, [&](int n) { return jobs.host[n].points.at.width * jobs.host[n].points.at.height; });
    const dim3 grid((unsigned)((most + THREADS - 1) / THREADS), (unsigned)jobs.count);
    samples_kernel<<<grid, THREADS, 0, jobs.stream>>>(jobs.device, outputs);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
