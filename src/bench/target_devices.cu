/* target_devices.cu - an array on several devices: each has a band of its rows, and a generator `tiled` of its own. */
#include <algorithm>
#include <chrono>
#include <new>
#include <vector>

#include "bench/target_cuda.cuh"

namespace
{

/** A device's band of rows. */
struct band {
    int row, rows;
    size_t first, bytes; /* of the array */
    void *at;
    cudaStream_t stream;
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
        cudaFree(b.at);
        if (b.stream)
            cudaStreamDestroy(b.stream);
    }
    cudaSetDevice(0);
    delete all;
}

outcome set_up(band *b, const bench_work *work, int n, int count)
{
    const int64_t height = work->layout.height;
    const size_t row_bytes = work->layout.row_stride * bench_work_sample_bytes(work);
    const ter_generator_options options = {.backend = TER_BACKEND_CUDA, .method = TER_METHOD_TILED, .threads = 0, .device = n};
    b->row = (int)(height * n / count);
    b->rows = (int)(height * (n + 1) / count) - b->row;
    b->first = (size_t)b->row * row_bytes;
    b->bytes = ((size_t)b->rows * row_bytes + 15) / 16 * 16;
    TRY(cudaSetDevice(n));
    TRY(cudaMalloc(&b->at, b->bytes));
    TRY(cudaMemset(b->at, 0, b->bytes));
    TRY(cudaDeviceSynchronize());
    TRY(cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking));
    return outcome_of_library(ter_generator_create(&options, &b->generator), "bench");
}

outcome open(const bench_work *work, int threads, int n_devices, void **state)
{
    (void)threads;
    bands *all = new (std::nothrow) bands((size_t)n_devices);
    if (!all)
        return outcome_of(OUTCOME_FAILED, "out of memory");
    outcome o = outcome_done();
    for (int n = 0; n < n_devices && o.kind == OUTCOME_DONE; n++)
        o = set_up(&(*all)[(size_t)n], work, n, n_devices);
    if (o.kind != OUTCOME_DONE) {
        close(all);
        return o;
    }
    *state = all;
    return outcome_done();
}

/** Time `repeats` runs of `start`, which queues a band's share of the n-th, on all devices at once. */
template <class START> outcome time_all(const bands &all, int repeats, double *elapsed_ms, const START &start)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int r = 0; r < repeats; r++)
        for (size_t n = 0; n < all.size(); n++) {
            TRY(cudaSetDevice((int)n));
            const outcome o = start(all[n], r);
            if (o.kind != OUTCOME_DONE)
                return o;
        }
    for (const band &b : all)
        TRY(cudaStreamSynchronize(b.stream));
    *elapsed_ms = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e3 / repeats;
    return outcome_done();
}

outcome time_fill(void *state, int repeats, double *elapsed_ms)
{
    return time_all(*(const bands *)state, repeats, elapsed_ms, [](const band &b, int r) {
        fill(b.at, b.bytes / sizeof(float4), (float)r + 0.5f, b.stream);
        TRY(cudaGetLastError());
        return outcome_done();
    });
}

outcome time_generator(void *state, ter_generator *generator, const ter_world *world, const bench_work *work, bool is_replayed,
                       int repeats, double *elapsed_ms)
{
    (void)generator, (void)is_replayed; /* every band has its own */
    return time_all(*(const bands *)state, repeats, elapsed_ms, [=](const band &b, int) {
        ter_tile tile = work->tiles[0];
        ter_tile_layout layout = work->layout;
        tile.j += b.row;
        layout.height = b.rows;
        return outcome_of_library(ter_generator_fill_tiles_device(b.generator, world, &tile, 1, &layout, (float *)b.at, b.stream),
                                  "bench");
    });
}

outcome read(void *state, size_t first, size_t count, void *out)
{
    const bands &all = *(const bands *)state;
    for (size_t n = 0; n < all.size(); n++) {
        const band &b = all[n];
        const size_t end = n + 1 < all.size() ? all[n + 1].first : b.first + b.bytes;
        const size_t low = std::max(first, b.first), high = std::min(first + count, end);
        if (low < high)
            TRY(cudaMemcpy((char *)out + (low - first), (const char *)b.at + (low - b.first), high - low, cudaMemcpyDeviceToHost));
    }
    return outcome_done();
}

} // namespace

extern "C" const bench_target bench_target_devices = {
    .backend = TER_BACKEND_CUDA,
    .can_replay = false,
    .can_quantise = false,
    .open = open,
    .close = close,
    .time_fill = time_fill,
    .time_generator = time_generator,
    .time_copy = nullptr,
    .read = read,
};
