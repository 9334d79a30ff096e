/* reduce.cu - sums, extremes and histograms of heights in device memory. Each thread adds some heights in registers, a
 * warp adds the sums of its threads by shuffles, and one atomic operation per warp adds the warp's sum to the result.
 *
 *     heights   0 1 2 3 ...                           thread t of T threads takes t, t + T, t + 2 T, ...
 *     a warp    lane 0..31 -> 16 -> 8 -> 4 -> 2 -> 1  five exchanges with the lane whose number differs in one bit
 *     result    atomicMin, atomicMax, atomicAdd by lane 0
 *
 * Extremes are compared as integers that have the same order as the floats, because atomicMin and atomicMax take
 * integers. */
#include "library/generator/cuda/reduce.h"

#include "library/world/height_sums.h"

namespace
{

constexpr int THREADS = 256;
constexpr unsigned BLOCKS_MAX = 4096;

__device__ __forceinline__ void add_to_sums(int low, int high, long long sum, ter_cuda_sums *sums)
{
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
        low = min(low, __shfl_xor_sync(0xffffffffu, low, step));
        high = max(high, __shfl_xor_sync(0xffffffffu, high, step));
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    }
    if (threadIdx.x % 32 == 0) {
        atomicMin(&sums->min_ordered, low);
        atomicMax(&sums->max_ordered, high);
        atomicAdd(&sums->sum, (unsigned long long)sum);
    }
}

/** Term of the sum: a height as fixed point. */
struct fixed_point_term {
    ter_sum_unit unit;

    __device__ __forceinline__ long long operator()(float h) const
    {
        return ter_sum_term(h, unit);
    }
};

/** Term of the sum: 1 if a height lies outside the range. */
struct clamped_term {
    ter_quantiser quantiser;

    __device__ __forceinline__ long long operator()(float h) const
    {
        return ter_is_clamped(quantiser, h);
    }
};

template <class TERM>
__global__ void __launch_bounds__(THREADS)
    reduce_kernel(const __grid_constant__ ter_cuda_heights heights, const __grid_constant__ TERM term,
                  const __grid_constant__ ter_cuda_histogram histogram, ter_cuda_sums *sums)
{
    extern __shared__ unsigned counts[]; /* of this block */
    for (int bin = (int)threadIdx.x; bin < histogram.bins; bin += THREADS)
        counts[bin] = 0;
    __syncthreads();
    int low = INT32_MAX, high = INT32_MIN;
    long long sum = 0;
    for (size_t n = (size_t)blockIdx.x * THREADS + threadIdx.x; n < heights.count; n += (size_t)gridDim.x * THREADS) {
        const float h = heights.at[n];
        const int ordered = ter_ordered(__float_as_int(h));
        low = min(low, ordered);
        high = max(high, ordered);
        sum += term(h);
        if (histogram.bins > 0)
            atomicAdd(&counts[ter_histogram_bin(h, histogram.lo, histogram.bin_scale, histogram.bins)], 1u);
    }
    add_to_sums(low, high, sum, sums);
    __syncthreads();
    for (int bin = (int)threadIdx.x; bin < histogram.bins; bin += THREADS)
        if (counts[bin])
            atomicAdd(&histogram.counts[bin], (unsigned long long)counts[bin]);
}

template <class TERM>
ter_status launch(ter_cuda_heights heights, const TERM &term, ter_cuda_histogram histogram, ter_cuda_sums *sums,
                  cudaStream_t stream)
{
    const size_t wanted = (heights.count + THREADS - 1) / THREADS;
    const unsigned blocks = wanted < BLOCKS_MAX ? (unsigned)wanted : BLOCKS_MAX;
    reduce_kernel<<<blocks, THREADS, (size_t)histogram.bins * sizeof(unsigned), stream>>>(heights, term, histogram,
                                                                                          sums);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

ter_status ter_reduce(ter_cuda_heights heights, ter_sum_unit unit, ter_cuda_histogram histogram, ter_cuda_sums *sums,
                      cudaStream_t stream)
{
    return launch(heights, fixed_point_term{unit}, histogram, sums, stream);
}

ter_status ter_reduce_clamped(ter_cuda_heights heights, ter_quantiser quantiser, ter_cuda_sums *sums,
                              cudaStream_t stream)
{
    return launch(heights, clamped_term{quantiser}, {}, sums, stream);
}
