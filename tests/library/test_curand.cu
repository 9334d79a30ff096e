/* test_curand.cu - the random field on the device has the same words as cuRAND's Philox. */
#include <cstdio>

#include <curand_kernel.h>

#include "library/world/world.h"

static __global__ void compare_kernel(const __grid_constant__ ter_field f, unsigned long long seed, int64_t ib,
                                      int64_t jb, unsigned *n_different)
{
    const int64_t i = ib + threadIdx.x, j = jb + blockIdx.x;
    const int k = blockIdx.y;
    const unsigned long long mask = (1ull << 48) - 1;
    curandStatePhilox4_32_10_t state;
    curand_init(seed, ((unsigned long long)k << 48) | ((unsigned long long)j & mask),
                4 * ((unsigned long long)i & mask), &state);
    const uint4 expected = curand4(&state);
    const ter_words words = ter_random_block(&f, k, i, j);
    if (words.w[0] != expected.x || words.w[1] != expected.y || words.w[2] != expected.z || words.w[3] != expected.w)
        atomicAdd(n_different, 1u);
}

int main(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        fprintf(stderr, "skipped: no CUDA device\n");
        return 77;
    }
    static const int64_t origins[][2] = {
        {0, 0}, {-64, -64}, {(1ll << 44) - 70, -(1ll << 44)}, {(1ll << 32) - 60, (1ll << 33) - 3}};
    static const unsigned long long seeds[] = {0, 1, 18446744073709551615ull, 9876543210ull};
    unsigned *n_different, host = 0, compared = 0;
    cudaMalloc(&n_different, sizeof *n_different);
    cudaMemset(n_different, 0, sizeof *n_different);
    for (unsigned long long seed : seeds) {
        ter_params params;
        ter_params_default(&params);
        params.basis = TER_BASIS_SMOOTH;
        params.seed = seed;
        ter_world *world = nullptr;
        if (ter_world_create(&params, &world) != TER_OK)
            return 1;
        for (const int64_t(&origin)[2] : origins) {
            compare_kernel<<<dim3(128, 25), 128>>>(world->field, seed, origin[0], origin[1], n_different);
            compared += 128 * 25 * 128;
        }
        ter_world_destroy(world);
    }
    if (cudaMemcpy(&host, n_different, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    cudaFree(n_different);
    printf("%u blocks of four words compared with cuRAND, %u differ\n", compared, host);
    return host != 0;
}
