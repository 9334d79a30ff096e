/* target_cuda.cu - device memory and CUDA events. */
#include <new>

#include <cuda_runtime.h>

extern "C" {
#include "bench/target.h"
}

namespace
{

struct device_array {
    float *at;
    cudaEvent_t start, stop;
};

#define TRY(call)                                                                                                                  \
    do {                                                                                                                           \
        const cudaError_t error_ = (call);                                                                                         \
        if (error_ != cudaSuccess)                                                                                                 \
            return outcome_of(OUTCOME_FAILED, "CUDA: %s (%s)", cudaGetErrorString(error_), #call);                                 \
    } while (0)

__global__ void fill_kernel(float4 *out, size_t count, float value)
{
    const size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (n < count)
        out[n] = make_float4(value, value, value, value);
}

void close(void *state)
{
    device_array *array = (device_array *)state;
    cudaFree(array->at);
    if (array->start)
        cudaEventDestroy(array->start);
    if (array->stop)
        cudaEventDestroy(array->stop);
    delete array;
}

outcome set_up(device_array *array, size_t floats)
{
    TRY(cudaMalloc((void **)&array->at, (floats + 3) / 4 * sizeof(float4)));
    TRY(cudaMemset(array->at, 0, floats * sizeof(float)));
    TRY(cudaEventCreate(&array->start));
    TRY(cudaEventCreate(&array->stop));
    return outcome_done();
}

outcome open(size_t floats, int threads, void **state)
{
    (void)threads;
    device_array *array = new (std::nothrow) device_array();
    if (!array)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    const outcome o = set_up(array, floats);
    if (o.kind != OUTCOME_DONE) {
        close(array);
        return o;
    }
    *state = array;
    return outcome_done();
}

outcome stop_clock(device_array *array, int repeats, double *elapsed_ms)
{
    float ms = 0.0f;
    TRY(cudaEventRecord(array->stop, 0));
    TRY(cudaEventSynchronize(array->stop));
    TRY(cudaEventElapsedTime(&ms, array->start, array->stop));
    *elapsed_ms = (double)ms / repeats;
    return outcome_done();
}

outcome time_fill(void *state, size_t floats, int repeats, double *elapsed_ms)
{
    device_array *array = (device_array *)state;
    const size_t count = (floats + 3) / 4;
    TRY(cudaEventRecord(array->start, 0));
    for (int n = 0; n < repeats; n++)
        fill_kernel<<<(unsigned)((count + 255) / 256), 256>>>((float4 *)array->at, count, (float)n + 0.5f);
    TRY(cudaGetLastError());
    return stop_clock(array, repeats, elapsed_ms);
}

outcome time_generator(void *state, ter_generator *generator, const ter_world *world, const ter_rect *rect, int repeats,
                       double *elapsed_ms)
{
    device_array *array = (device_array *)state;
    TRY(cudaEventRecord(array->start, 0));
    for (int n = 0; n < repeats; n++) {
        const ter_status status = ter_generator_fill_device(generator, world, rect, array->at, (size_t)rect->width, nullptr);
        if (status != TER_OK)
            return outcome_of_library(status, "bench");
    }
    return stop_clock(array, repeats, elapsed_ms);
}

outcome read(void *state, size_t first, size_t count, float *out)
{
    TRY(cudaMemcpy(out, ((const device_array *)state)->at + first, count * sizeof(float), cudaMemcpyDeviceToHost));
    return outcome_done();
}

} // namespace

extern "C" const bench_target bench_target_cuda = {
    .backend = TER_BACKEND_CUDA,
    .open = open,
    .close = close,
    .time_fill = time_fill,
    .time_generator = time_generator,
    .read = read,
};
