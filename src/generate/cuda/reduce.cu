/* reduce.cu - minimum, maximum, sum and histogram of heights in device memory, and arrays of quantised ones: warp
 * shuffles, then shared memory, then atomics. */
#include "generate/cuda/kernels.h"
#include "generate/statistics.h"

namespace
{

constexpr int THREADS = 256;

__device__ __forceinline__ void warp_reduce(int &low, int &high, long long &sum)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        low = min(low, __shfl_xor_sync(0xffffffffu, low, step));
        high = max(high, __shfl_xor_sync(0xffffffffu, high, step));
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
}

__device__ __forceinline__ void add_to_sums(int low, int high, long long sum, ter_cuda_sums *sums)
{
    warp_reduce(low, high, sum);
    if (threadIdx.x % 32 == 0) {
        atomicMin(&sums->min_ordered, low);
        atomicMax(&sums->max_ordered, high);
        atomicAdd(&sums->sum, (unsigned long long)sum);
    }
}

__global__ void __launch_bounds__(THREADS) quantise_kernel(const float *__restrict__ heights, size_t count, ter_quantiser quantiser,
                                                           uint16_t *__restrict__ out, ter_cuda_sums *sums)
{
    int low = INT32_MAX, high = INT32_MIN;
    long long n_clamped = 0;
    for (size_t n = (size_t)blockIdx.x * THREADS + threadIdx.x; n < count; n += (size_t)gridDim.x * THREADS) {
        const float h = heights[n];
        const int ordered = ter_ordered(__float_as_int(h));
        low = min(low, ordered);
        high = max(high, ordered);
        n_clamped += ter_is_clamped(quantiser, h);
        out[n] = ter_quantise(quantiser, h);
    }
    add_to_sums(low, high, n_clamped, sums);
}

unsigned blocks_for(size_t count)
{
    const size_t wanted = (count + THREADS - 1) / THREADS;
    return wanted < 4096 ? (unsigned)wanted : 4096u;
}

__global__ void __launch_bounds__(THREADS)
    reduce_kernel(const float *__restrict__ heights, size_t count, ter_sum_unit unit, float lo, float bin_scale, int bins,
                  ter_cuda_sums *sums, unsigned long long *histogram)
{
    extern __shared__ unsigned counts[];
    for (int bin = (int)threadIdx.x; bin < bins; bin += THREADS)
        counts[bin] = 0;
    __syncthreads();
    int low = INT32_MAX, high = INT32_MIN;
    long long sum = 0;
    for (size_t n = (size_t)blockIdx.x * THREADS + threadIdx.x; n < count; n += (size_t)gridDim.x * THREADS) {
        const float h = heights[n];
        const int ordered = ter_ordered(__float_as_int(h));
        low = min(low, ordered);
        high = max(high, ordered);
        sum += ter_sum_term(h, unit);
        if (bins > 0)
            atomicAdd(&counts[ter_histogram_bin(h, lo, bin_scale, bins)], 1u);
    }
    add_to_sums(low, high, sum, sums);
    __syncthreads();
    for (int bin = (int)threadIdx.x; bin < bins; bin += THREADS)
        if (counts[bin])
            atomicAdd(&histogram[bin], (unsigned long long)counts[bin]);
}

} // namespace

ter_status ter_reduce(const float *heights, size_t count, ter_sum_unit unit, float lo, float bin_scale, int bins,
                      ter_cuda_sums *sums, unsigned long long *histogram, cudaStream_t stream)
{
    reduce_kernel<<<blocks_for(count), THREADS, (size_t)bins * sizeof(unsigned), stream>>>(heights, count, unit, lo, bin_scale,
                                                                                           bins, sums, histogram);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status ter_quantise_array(const float *heights, size_t count, const ter_quantiser *quantiser, uint16_t *out,
                              ter_cuda_sums *sums, cudaStream_t stream)
{
    quantise_kernel<<<blocks_for(count), THREADS, 0, stream>>>(heights, count, *quantiser, out, sums);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
