/* fill_device.cu - fills device memory with heights, which a kernel uses there without a copy. */
#include <cstdio>
#include <terrane/terrane.h>

__global__ void find_highest(const float *heights, int count, int *highest_cm)
{
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < count; n += gridDim.x * blockDim.x)
        atomicMax(highest_cm, __float2int_rn(heights[n] * 100.0f));
}

int main()
{
    const int side = 512;
    int *highest_cm = nullptr, lowest = -2147483647 - 1;
    float *heights = nullptr;
    ter_params params;
    ter_world *world = nullptr;
    ter_generator *generator = nullptr;
    ter_generator_options options = {};
    cudaStream_t stream;

    ter_params_default(&params);
    params.seed = 42;
    options.struct_size = sizeof options;
    options.backend = TER_BACKEND_CUDA;
    const ter_rect rect = {params.levels, 1913248, 2535840, side, side};
    if (ter_world_create(&params, &world) != TER_OK || ter_generator_create(&options, &generator) != TER_OK) {
        fprintf(stderr, "%s\n", ter_error_detail());
        return 1;
    }
    cudaStreamCreate(&stream);
    cudaMalloc(&heights, sizeof(float) * side * side);
    cudaMallocManaged(&highest_cm, sizeof *highest_cm);
    *highest_cm = lowest;
    const ter_region region = ter_region_of_rect(&rect);
    const ter_output output = {TER_LAYER_HEIGHT, heights, 0.0, 0.0};
    ter_target target = ter_target_of_outputs(&output, 1);
    target.memory = TER_MEMORY_DEVICE;
    target.cuda_stream = stream;
    /* The fill is queued on the stream, so the kernel that is queued after it sees the heights. */
    if (ter_fill(generator, world, &region, &target) != TER_OK) {
        fprintf(stderr, "%s\n", ter_error_detail());
        return 1;
    }
    find_highest<<<64, 256, 0, stream>>>(heights, side * side, highest_cm);
    const cudaError_t error = cudaStreamSynchronize(stream);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 1;
    }
    printf("cuda: highest %.2f m\n", *highest_cm / 100.0);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    cudaFree(heights);
    cudaFree(highest_cm);
    cudaStreamDestroy(stream);
    return 0;
}
