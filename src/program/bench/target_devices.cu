/* target_devices.cu - the benchmark's target on several devices: each device has a band of the array's rows and a
 * generator of method `tiled`. */
#include <algorithm>
#include <new>
#include <vector>

#include "program/bench/target_cuda.cuh"

namespace
{

/** A device's band of rows. */
struct band {
    int row, rows;
    size_t first; /* offset in the array, bytes */
    device_memory memory;
    ter_generator *generator;
};

typedef std::vector<band> bands;

void close(void *state)
{
    bands *all = (bands *)state;
    for (size_t n = 0; n < all->size(); n++) {
        band &b = (*all)[n];
        cudaSetDevice((int)n);
        ter_generator_destroy(b.generator);
        release(b.memory);
    }
    cudaSetDevice(0);
    delete all;
}

result set_up(band *b, const bench_work *work, int n, int count)
{
    const int64_t height = work->layout.height;
    const size_t row_bytes = work->layout.row_stride * bench_work_sample_bytes(work);
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CUDA,
                                           .method = TER_METHOD_TILED, .threads = 0, .device = n};
    b->row = (int)(height * n / count);
    b->rows = (int)(height * (n + 1) / count) - b->row;
    b->first = (size_t)b->row * row_bytes;
    TRY(cudaSetDevice(n));
    const result res = reserve(&b->memory, bench_work_padded((size_t)b->rows * row_bytes));
    return res.kind == RESULT_DONE ? result_of_library(ter_generator_create(&options, &b->generator), "bench") : res;
}

result open(const bench_work *work, int threads, int n_devices, void **state)
{
    (void)threads;
    bands *all = new (std::nothrow) bands((size_t)n_devices);
    if (!all)
        return result_of(RESULT_FAILED, "out of memory");
    result res = result_done();
    for (int n = 0; n < n_devices && res.kind == RESULT_DONE; n++)
        res = set_up(&(*all)[(size_t)n], work, n, n_devices);
    if (res.kind != RESULT_DONE) {
        close(all);
        return res;
    }
    *state = all;
    return result_done();
}

/** Time `repeats` runs on all devices at once. `start` queues the work of one band in run number r. */
template <class START> result time_all(const bands &all, int repeats, double *elapsed_ms, const START &start)
{
    const double begin = clock_now_s();
    for (int r = 0; r < repeats; r++)
        for (size_t n = 0; n < all.size(); n++) {
            TRY(cudaSetDevice((int)n));
            const result res = start(all[n], r);
            if (res.kind != RESULT_DONE)
                return res;
        }
    for (const band &b : all)
        TRY(cudaStreamSynchronize(b.memory.stream));
    *elapsed_ms = (clock_now_s() - begin) * 1e3 / repeats;
    return result_done();
}

result time_fill(void *state, int repeats, double *elapsed_ms)
{
    return time_all(*(const bands *)state, repeats, elapsed_ms,
                    [](const band &b, int r) { return fill(b.memory, (float)r + 0.5f); });
}

result time_generator(void *state, ter_generator *generator, const ter_world *world, const bench_work *work,
                      bool is_replayed, int repeats, double *elapsed_ms)
{
    (void)generator, (void)is_replayed;
    return time_all(*(const bands *)state, repeats, elapsed_ms, [=](const band &b, int) {
        ter_tile tile = work->tiles[0];
        tile_layout layout = work->layout;
        tile.j += b.row;
        layout.height = b.rows;
        layer_arrays arrays = {};
        arrays.at[TER_LAYER_HEIGHT] = (float *)b.memory.at;
        return result_of_library(fill_tiles_device(b.generator, world, {&tile, 1}, &layout, &arrays, b.memory.stream),
                                 "bench");
    });
}

result read(void *state, size_t first, size_t count, void *out)
{
    const bands &all = *(const bands *)state;
    for (size_t n = 0; n < all.size(); n++) {
        const band &b = all[n];
        const size_t end = n + 1 < all.size() ? all[n + 1].first : b.first + b.memory.bytes;
        const size_t low = std::max(first, b.first), high = std::min(first + count, end);
        if (low < high)
            TRY(cudaMemcpy((char *)out + (low - first), (const char *)b.memory.at + (low - b.first), high - low,
                           cudaMemcpyDeviceToHost));
    }
    return result_done();
}

} // namespace

extern "C" const bench_target bench_target_devices = {
    .backend = TER_BACKEND_CUDA,
    .can_replay = false,
    .can_quantise = false,
    .has_generators = true,
    .open = open,
    .close = close,
    .time_fill = time_fill,
    .time_generator = time_generator,
    .time_copy = nullptr,
    .read = read,
};
