/* cell_edges.cuh - finds the bounds of each block's places in the plane of the network. */
#ifndef TERRANE_FLUVIAL_CUDA_CELL_EDGES_CUH
#define TERRANE_FLUVIAL_CUDA_CELL_EDGES_CUH

#include <climits>

#include "library/core/cuda/check.h"
#include "library/fluvial/cuda/batch.cuh"

namespace ter_cuda
{

/** A place in the plane of the network, 2^-8 units. */
struct network_place {
    int64_t x, y;
};

/** Bounds of some places, both ends included. */
struct cell_edges {
    long long low_x, low_y, high_x, high_y;
};

/** Extend bounds to a place. */
__host__ __device__ inline void widen(cell_edges *e, network_place p)
{
    e->low_x = p.x < e->low_x ? p.x : e->low_x;
    e->low_y = p.y < e->low_y ? p.y : e->low_y;
    e->high_x = p.x > e->high_x ? p.x : e->high_x;
    e->high_y = p.y > e->high_y ? p.y : e->high_y;
}

constexpr int EDGE_THREADS = 128;

static __global__ void clear_edges_kernel(cell_edges *edges, int count)
{
    const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (n < count)
        edges[n] = {LLONG_MAX, LLONG_MAX, LLONG_MIN, LLONG_MIN};
}

template <class Places>
__global__ void __launch_bounds__(EDGE_THREADS)
    edges_kernel(const ter_fluvial_job *jobs, Places places, cell_edges *edges)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const int count = places.count(job);
    if ((int)(blockIdx.x * EDGE_THREADS) >= count)
        return;
    cell_edges e = {LLONG_MAX, LLONG_MAX, LLONG_MIN, LLONG_MIN};
    for (int n = (int)(blockIdx.x * EDGE_THREADS + threadIdx.x); n < count; n += (int)gridDim.x * EDGE_THREADS)
        widen(&e, places.at(job, n));
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

/** Find the bounds of the places of each block. The host waits for the device.
 *
 *  places  object whose count(job) and at(job, n) give the places of a block, on the device
 *  memory  device memory for jobs.count cell_edges
 *  out     receives the bounds, one per block
 *  Errors  TER_EDEVICE
 */
template <class Places> ter_status find_edges(const fluvial_jobs &jobs, Places places, void *memory, cell_edges *out)
{
    constexpr int BLOCKS = 4096; /* approximate number of blocks of threads in the launch */
    const unsigned blocks = jobs.count < BLOCKS / 8 ? (unsigned)(BLOCKS / jobs.count) : 8;
    cell_edges *edges = (cell_edges *)memory;
    clear_edges_kernel<<<(unsigned)(jobs.count + EDGE_THREADS - 1) / EDGE_THREADS, EDGE_THREADS, 0, jobs.stream>>>(
        edges, jobs.count);
    edges_kernel<<<dim3(blocks, (unsigned)jobs.count), EDGE_THREADS, 0, jobs.stream>>>(jobs.device, places, edges);
    TER_CUDA(cudaGetLastError());
    TER_CUDA(cudaMemcpyAsync(out, memory, (size_t)jobs.count * sizeof *out, cudaMemcpyDeviceToHost, jobs.stream));
    TER_CUDA(cudaStreamSynchronize(jobs.stream));
    return TER_OK;
}

} // namespace ter_cuda

#endif
