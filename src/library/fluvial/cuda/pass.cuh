/* pass.cuh - launches a pass of library/fluvial/passes.h for a batch of blocks, one layer of the grid for each block.
 */
#ifndef TERRANE_FLUVIAL_CUDA_PASS_CUH
#define TERRANE_FLUVIAL_CUDA_PASS_CUH

#include "library/fluvial/cuda/batch.cuh"

namespace
{

constexpr int THREADS = 128;
constexpr int TILE_X = 32, TILE_Y = THREADS / TILE_X; /* columns and rows of elements of a block of threads */

/** Make the elements of a pass. extent(job): columns and rows of elements; step(job, x, y): makes one */
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

/** Launch a pass. The grid is as large as the largest block; surplus threads of other blocks exit. */
template <class Extent, class Step>
inline ter_status run_pass(const ter_cuda::fluvial_jobs &jobs, Extent extent, Step step)
{
    constexpr int ROWS_MAX = 65535; /* of a grid */
    const int2 most = make_int2(ter_cuda::greatest_of(jobs, [&](int n) { return extent(&jobs.host[n]).x; }),
                                ter_cuda::greatest_of(jobs, [&](int n) { return extent(&jobs.host[n]).y; }));
    if (most.x <= 0 || most.y <= 0)
        return TER_OK;
    const int rows = (most.y + TILE_Y - 1) / TILE_Y;
    const dim3 grid((unsigned)((most.x + TILE_X - 1) / TILE_X), (unsigned)(rows < ROWS_MAX ? rows : ROWS_MAX),
                    (unsigned)jobs.count);
    pass_kernel<<<grid, dim3(TILE_X, TILE_Y), 0, jobs.stream>>>(jobs.device, extent, step);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

/* RUN of passes.h. Outside of this macro `job` is a job whose loop counts hold for all blocks; in the lambdas it is the
 * job of one block.
 */
#define LAUNCH(function, n, columns, rows)                                                                             \
    do {                                                                                                               \
        const int n_of_pass = (n);                                                                                     \
        const ter_status status_ = run_pass(                                                                           \
            jobs, [=] __host__ __device__(const ter_fluvial_job *job) { return make_int2((columns), (rows)); },        \
            [=] __device__(const ter_fluvial_job *job, int x, int y) { function(job, n_of_pass, x, y); });             \
        if (status_ != TER_OK)                                                                                         \
            return status_;                                                                                            \
    } while (0)

} // namespace

#endif
