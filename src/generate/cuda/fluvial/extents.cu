/* extents.cu - cells that the places of blocks lie in.
 *
 * The warp is evaluated 256 m apart, or at the points themselves where they are further apart. Its second derivative is at most
 * .0024 / m along each axis (the sum of 4 x reach / pitch^2 of its octaves), so that between these points it leaves their hull by
 * 38 m at most. Below 64 m it follows the four-point rule, which along an axis leaves the hull of its points by an eighth of the
 * greatest difference of neighbours: the warp changes by at most 4.12 m a metre (the sum of 2 x reach / pitch), so that is 33 m for
 * one halving in one direction, 131 m for both halvings in both. One cell more on each side, 256 m, covers all of it.
 */
#include "generate/cuda/fluvial/extents.cuh"

#include <climits>

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128;

struct cell_edges {
    long long low_x, low_y, high_x, high_y;
};

__global__ void clear_kernel(cell_edges *edges, int count)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n < count)
        edges[n] = {LLONG_MAX, LLONG_MAX, LLONG_MIN, LLONG_MIN};
}

__device__ void widen(cell_edges *e, int64_t x, int64_t y)
{
    e->low_x = x < e->low_x ? x : e->low_x;
    e->low_y = y < e->low_y ? y : e->low_y;
    e->high_x = x > e->high_x ? x : e->high_x;
    e->high_y = y > e->high_y ? y : e->high_y;
}

constexpr int EXTENTS_STEP = 256; /* m */

/** Knots of all octaves of the warp. */
__global__ void __launch_bounds__(THREADS) knots_kernel(const ter_fluvial_job *jobs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    int first = 0;
    for (int m = 0; m < TER_WARP_OCTAVES; m++) {
        const int width = job->warp_at[m].width, count = width * job->warp_at[m].height;
        for (int n = (int)(blockIdx.x * THREADS + threadIdx.x) - first; n < count; n += (int)gridDim.x * THREADS)
            if (n >= 0)
                ter_make_warp_knot(job, m, n % width, n / width);
        first = (first + count) % ((int)gridDim.x * THREADS); /* the next octave's begin with the threads after */
    }
}

__global__ void __launch_bounds__(THREADS) extents_kernel(const ter_fluvial_job *jobs, cell_edges *edges)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const ter_lattice warp_at = ter_plan_warp(job);
    const ter_lattice at = warp_at.step < EXTENTS_STEP ? ter_lattice_cover(warp_at, EXTENTS_STEP, 0) : warp_at;
    const int64_t x0 = warp_at.at.x * warp_at.step, x1 = x0 + (int64_t)(warp_at.at.width - 1) * warp_at.step;
    const int64_t y0 = warp_at.at.y * warp_at.step, y1 = y0 + (int64_t)(warp_at.at.height - 1) * warp_at.step;
    const int count = at.at.width * at.at.height;
    if ((int)(blockIdx.x * THREADS) >= count)
        return;
    cell_edges e = {LLONG_MAX, LLONG_MAX, LLONG_MIN, LLONG_MIN};
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < count; n += (int)gridDim.x * THREADS) {
        const int64_t wide_x = (at.at.x + n % at.at.width) * at.step, wide_y = (at.at.y + n / at.at.width) * at.step;
        const int64_t x = wide_x < x0 ? x0 : wide_x > x1 ? x1 : wide_x, y = wide_y < y0 ? y0 : wide_y > y1 ? y1 : wide_y;
        float warp[2];
        ter_warp_at(job, x, y, warp);
        widen(&e, ter_turned_x(x, y) + (int64_t)rintf(warp[0] * 256.0f), ter_turned_y(x, y) + (int64_t)rintf(warp[1] * 256.0f));
    }
    __shared__ cell_edges all;
    if (threadIdx.x == 0)
        all = {LLONG_MAX, LLONG_MAX, LLONG_MIN, LLONG_MIN};
    __syncthreads();
    atomicMin(&all.low_x, e.low_x);
    atomicMin(&all.low_y, e.low_y);
    atomicMax(&all.high_x, e.high_x);
    atomicMax(&all.high_y, e.high_y);
    __syncthreads();
    if (threadIdx.x == 0) {
        cell_edges *out = &edges[blockIdx.y];
        atomicMin(&out->low_x, all.low_x);
        atomicMin(&out->low_y, all.low_y);
        atomicMax(&out->high_x, all.high_x);
        atomicMax(&out->high_y, all.high_y);
    }
}

} // namespace

size_t ter_cuda::fluvial_extents_bytes(size_t count)
{
    return count * sizeof(cell_edges);
}

ter_status ter_cuda::find_extents(const fluvial_jobs &jobs, void *memory, ter_window *cells)
{
    std::vector<cell_edges> edges((size_t)jobs.count);
    clear_kernel<<<(unsigned)(jobs.count + THREADS - 1) / THREADS, THREADS, 0, jobs.stream>>>((cell_edges *)memory, jobs.count);
    constexpr int BLOCKS = 4096; /* of threads, about, of all blocks of points */
    const unsigned blocks = jobs.count < BLOCKS / 8 ? (unsigned)(BLOCKS / jobs.count) : 8;
    knots_kernel<<<dim3(blocks, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device);
    extents_kernel<<<dim3(blocks, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device, (cell_edges *)memory);
    TER_CUDA(cudaGetLastError());
    TER_CUDA(cudaMemcpyAsync(edges.data(), memory, fluvial_extents_bytes(edges.size()), cudaMemcpyDeviceToHost, jobs.stream));
    TER_CUDA(cudaStreamSynchronize(jobs.stream));
    for (size_t n = 0; n < edges.size(); n++)
        cells[n] = ter_window_grown(ter_window_between(edges[n].low_x >> TER_CELL_SHIFT, edges[n].low_y >> TER_CELL_SHIFT,
                                                       edges[n].high_x >> TER_CELL_SHIFT, edges[n].high_y >> TER_CELL_SHIFT),
                                    1);
    return TER_OK;
}
