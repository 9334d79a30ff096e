/* target_cuda.cu - the benchmark's target on one device: an array in its memory, timed by CUDA events. */
#include <new>
#include <vector>

#include <cuda_runtime.h>

#include "program/bench/target_cuda.cuh"

namespace
{

struct device_array {
    device_memory memory;
    cudaEvent_t start, stop;
};

void close(void *state)
{
    device_array *array = (device_array *)state;
    release(array->memory);
    if (array->start)
        cudaEventDestroy(array->start);
    if (array->stop)
        cudaEventDestroy(array->stop);
    delete array;
}

result set_up(device_array *array, size_t bytes)
{
    TRY(cudaEventCreate(&array->start));
    TRY(cudaEventCreate(&array->stop));
    return reserve(&array->memory, bytes);
}

result open(const bench_work *work, int threads, int n_devices, void **state)
{
    (void)threads, (void)n_devices;
    device_array *array = new (std::nothrow) device_array();
    if (!array)
        return result_of(RESULT_FAILED, "out of memory");
    const result res = set_up(array, bench_work_bytes(work));
    if (res.kind != RESULT_DONE) {
        close(array);
        return res;
    }
    *state = array;
    return result_done();
}

result stop_clock(device_array *array, int repeats, double *elapsed_ms)
{
    float ms = 0.0f;
    TRY(cudaEventRecord(array->stop, array->memory.stream));
    TRY(cudaEventSynchronize(array->stop));
    TRY(cudaEventElapsedTime(&ms, array->start, array->stop));
    *elapsed_ms = (double)ms / repeats;
    return result_done();
}

result time_fill(void *state, int repeats, double *elapsed_ms)
{
    device_array *array = (device_array *)state;
    TRY(cudaEventRecord(array->start, array->memory.stream));
    for (int n = 0; n < repeats; n++) {
        const result res = fill(array->memory, (float)n + 0.5f);
        if (res.kind != RESULT_DONE)
            return res;
    }
    return stop_clock(array, repeats, elapsed_ms);
}

result queue(const device_array *array, ter_generator *generator, const ter_world *world, const bench_work *work)
{
    const ter_output output = {TER_LAYER_HEIGHT, array->memory.at, work->range[0], work->range[1]};
    const ter_region region = ter_region_of_tiles(work->tiles, work->count, work->layout.width, work->layout.height);
    ter_target target = fill_target(&output, 1, &work->layout);
    target.sample_type = work->is_u16 ? TER_SAMPLE_U16 : TER_SAMPLE_FLOAT;
    target.memory = TER_MEMORY_DEVICE;
    target.cuda_stream = array->memory.stream;
    const ter_status status = ter_fill(generator, world, &region, &target);
    return result_of_library(status, "bench");
}

/** Record the kernel launches of a work as a graph. */
result record(const device_array *array, ter_generator *generator, const ter_world *world, const bench_work *work,
              cudaGraphExec_t *out)
{
    cudaGraph_t graph = nullptr;
    TRY(cudaStreamBeginCapture(array->memory.stream, cudaStreamCaptureModeThreadLocal));
    const result res = queue(array, generator, world, work);
    TRY(cudaStreamEndCapture(array->memory.stream, &graph));
    if (res.kind == RESULT_DONE) {
        const cudaError_t error = cudaGraphInstantiate(out, graph, 0);
        cudaGraphDestroy(graph);
        TRY(error);
    } else {
        cudaGraphDestroy(graph);
    }
    return res;
}

result time_graph(device_array *array, cudaGraphExec_t graph, int repeats, double *elapsed_ms)
{
    TRY(cudaGraphUpload(graph, array->memory.stream));
    TRY(cudaEventRecord(array->start, array->memory.stream));
    for (int n = 0; n < repeats; n++)
        TRY(cudaGraphLaunch(graph, array->memory.stream));
    return stop_clock(array, repeats, elapsed_ms);
}

result time_generator(void *state, ter_generator *generator, const ter_world *world, const bench_work *work,
                      bool is_replayed, int repeats, double *elapsed_ms)
{
    device_array *array = (device_array *)state;
    if (is_replayed) {
        cudaGraphExec_t graph = nullptr;
        result res = record(array, generator, world, work, &graph);
        if (res.kind == RESULT_DONE) {
            res = time_graph(array, graph, repeats, elapsed_ms);
            cudaGraphExecDestroy(graph);
        }
        return res;
    }
    TRY(cudaEventRecord(array->start, array->memory.stream));
    for (int n = 0; n < repeats; n++) {
        const result res = queue(array, generator, world, work);
        if (res.kind != RESULT_DONE)
            return res;
    }
    return stop_clock(array, repeats, elapsed_ms);
}

result read(void *state, size_t first, size_t count, void *out)
{
    TRY(cudaMemcpy(out, (const char *)((const device_array *)state)->memory.at + first, count, cudaMemcpyDeviceToHost));
    return result_done();
}

/** Memory and stream for a device's copies to pinned memory. */
struct device_copy {
    void *from, *to;
    cudaStream_t stream;
};

result open_copies(std::vector<device_copy> &copies, size_t bytes)
{
    for (size_t n = 0; n < copies.size(); n++) {
        TRY(cudaSetDevice((int)n));
        TRY(cudaStreamCreateWithFlags(&copies[n].stream, cudaStreamNonBlocking));
        TRY(cudaMalloc(&copies[n].from, bytes));
        TRY(cudaMallocHost(&copies[n].to, bytes));
    }
    return result_done();
}

/** Run `repeats` copies on every device, on all devices at the same time. */
result run_copies(const std::vector<device_copy> &copies, size_t bytes, int repeats, double *gb_per_s)
{
    const double start = clock_now_s();
    for (int r = 0; r < repeats; r++)
        for (const device_copy &copy : copies)
            TRY(cudaMemcpyAsync(copy.to, copy.from, bytes, cudaMemcpyDeviceToHost, copy.stream));
    for (const device_copy &copy : copies)
        TRY(cudaStreamSynchronize(copy.stream));
    *gb_per_s = (double)bytes * repeats * (double)copies.size() / (clock_now_s() - start) * 1e-9;
    return result_done();
}

result time_copy(int count, double *gb_per_s)
{
    constexpr int REPEATS = 8;
    const size_t bytes = (size_t)128 << 20;
    std::vector<device_copy> copies((size_t)count);
    result res = open_copies(copies, bytes);
    if (res.kind == RESULT_DONE)
        res = run_copies(copies, bytes, 1, gb_per_s);
    if (res.kind == RESULT_DONE)
        res = run_copies(copies, bytes, REPEATS, gb_per_s);
    for (size_t n = 0; n < copies.size(); n++) {
        cudaSetDevice((int)n);
        cudaFree(copies[n].from);
        cudaFreeHost(copies[n].to);
        if (copies[n].stream)
            cudaStreamDestroy(copies[n].stream);
    }
    cudaSetDevice(0);
    return res;
}

} // namespace

extern "C" const bench_target bench_target_cuda = {
    .backend = TER_BACKEND_CUDA,
    .can_replay = true,
    .can_quantise = true,
    .has_generators = false,
    .open = open,
    .close = close,
    .time_fill = time_fill,
    .time_generator = time_generator,
    .time_copy = time_copy,
    .read = read,
};
