/* test_beach.cu - the function fast_beach(), which flattens land near the sea with a faster division, returns the same
 * bits as ter_beach() for four sea levels and every height between -10^6 m and 10^6 m. */
#include <cstdio>

#include "library/fluvial/cuda/beach.cuh"

static __global__ void compare_kernel(float sea, unsigned long long *n_compared, unsigned long long *n_different)
{
    unsigned long long compared = 0, different = 0;
    for (unsigned long long n = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; n >> 32 == 0;
         n += (unsigned long long)gridDim.x * blockDim.x) {
        const float height = __uint_as_float((unsigned)n);
        if (!(fabsf(height) < 1e6f))
            continue;
        compared++;
        different += __float_as_uint(fast_beach(height, sea)) != __float_as_uint(ter_beach(height, sea));
    }
    atomicAdd(n_compared, compared);
    atomicAdd(n_different, different);
}

int main(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        fprintf(stderr, "skipped: no CUDA device\n");
        return 77;
    }
    static const float seas[] = {0.0f, 0.1f, 137.3f, 1999.999f};
    unsigned long long *counts, host[2];
    cudaMalloc(&counts, sizeof host);
    cudaMemset(counts, 0, sizeof host);
    for (float sea : seas)
        compare_kernel<<<4096, 256>>>(sea, counts, counts + 1);
    if (cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    cudaFree(counts);
    printf("%llu beaches compared, %llu differ\n", host[0], host[1]);
    return host[0] < 1000000000ull || host[1] != 0;
}
