/* test_device.cu - fills of device memory on the caller's stream have the bits of the CPU: arrays large enough for
 * every kernel, odd strides and pointers, and batches of tiles. Blends and probes of morphs also have the same bits on
 * the device and on the CPU. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "short_calls.h"

static int n_failed;

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "line %d: ", __LINE__);                                                                    \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fprintf(stderr, " (%s)\n", ter_error_detail());                                                            \
            n_failed++;                                                                                                \
        }                                                                                                              \
    } while (0)

static ter_world *make_world(int n)
{
    ter_params params;
    ter_world *world = nullptr;
    ter_params_default(&params);
    params.basis = n % 2 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
    params.valley = n < 2 ? 0.0 : 0.7;
    CHECK(ter_world_create(&params, &world) == TER_OK, "world %d", n);
    return world;
}

static ter_generator *make_generator(ter_backend backend, ter_method method, bool is_by_sample = false)
{
    ter_generator_options options = {};
    options.struct_size = sizeof options;
    options.is_by_sample = is_by_sample;
    ter_generator *generator = nullptr;
    options.backend = backend;
    options.method = method;
    CHECK(ter_generator_create(&options, &generator) == TER_OK, "generator");
    return generator;
}

/** Fill device memory with the heights of a rectangle. */
static ter_status fill_device(ter_generator *generator, const ter_world *world, const ter_rect &rect, float *out,
                              size_t stride, cudaStream_t stream)
{
    const ter_output output = {TER_LAYER_HEIGHT, out, 0.0, 0.0};
    const ter_region region = ter_region_of_rect(&rect);
    ter_target target = ter_target_of_outputs(&output, 1);
    target.memory = TER_MEMORY_DEVICE;
    target.row_stride = stride;
    target.cuda_stream = stream;
    return ter_fill(generator, world, &region, &target);
}

/** Fill device memory with the heights of tiles. */
static ter_status fill_tiles_device(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                    size_t count, const tiles_layout &layout, float *out, cudaStream_t stream)
{
    ter_output outputs[TER_LAYER_COUNT];
    const float_layers layers = height_layer(out);
    const ter_region region = ter_region_of_tiles(tiles, count, layout.width, layout.height);
    ter_target target = target_of_layout(&layout, &layers, outputs);
    target.memory = TER_MEMORY_DEVICE;
    target.cuda_stream = stream;
    return ter_fill(generator, world, &region, &target);
}

/** Check a rectangle by one method. The output begins `shift` floats after a 16-byte boundary. */
static void check_rect(ter_method method, const ter_world *world, const ter_rect &rect, size_t stride, size_t shift,
                       float *device, cudaStream_t stream, bool is_by_sample = false)
{
    static std::vector<float> got, expected;
    ter_generator *cuda = make_generator(TER_BACKEND_CUDA, method, is_by_sample),
                  *cpu = make_generator(TER_BACKEND_CPU, TER_METHOD_TILED);
    const size_t count = stride * (size_t)rect.height;
    got.resize(count);
    expected.resize(count);
    cudaMemsetAsync(device, 0xff, (count + shift) * sizeof(float), stream);
    CHECK(fill_device(cuda, world, rect, device + shift, stride, stream) == TER_OK, "fill_device");
    cudaMemcpyAsync(got.data(), device + shift, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess, "stream");
    memset(expected.data(), 0xff, count * sizeof(float)); /* memory between rows must not change */
    CHECK(fill_rect_heights(cpu, world, &rect, expected.data(), stride) == TER_OK, "fill");
    CHECK(memcmp(got.data(), expected.data(), count * sizeof(float)) == 0,
          "%s, %lld x %lld, stride %zu, shift %zu differs", ter_method_name(method), (long long)rect.width,
          (long long)rect.height, stride, shift);
    ter_generator_destroy(cuda);
    ter_generator_destroy(cpu);
}

/** Check a rectangle of 16-bit samples. The output begins `shift` samples after a 16-byte boundary. */
static void check_u16(const ter_world *world, const ter_rect &rect, size_t stride, size_t shift, void *device,
                      cudaStream_t stream)
{
    static std::vector<float> heights;
    static std::vector<uint16_t> got, expected;
    const double lo = -700.0, hi = 900.0; /* some heights lie outside of this range */
    ter_generator *cuda = make_generator(TER_BACKEND_CUDA, TER_METHOD_TILED),
                  *cpu = make_generator(TER_BACKEND_CPU, TER_METHOD_TILED);
    const size_t count = stride * (size_t)rect.height;
    uint16_t *const out = (uint16_t *)device + shift;
    const ter_region region = ter_region_of_rect(&rect);
    const ter_output output = {TER_LAYER_HEIGHT, out, lo, hi}, reversed_output = {TER_LAYER_HEIGHT, out, hi, lo};
    ter_target samples = ter_target_of_outputs(&output, 1), reversed = ter_target_of_outputs(&reversed_output, 1);
    for (ter_target *target : {&samples, &reversed}) {
        target->sample_type = TER_SAMPLE_U16;
        target->memory = TER_MEMORY_DEVICE;
        target->row_stride = stride;
        target->cuda_stream = stream;
    }
    heights.resize((size_t)rect.width);
    got.resize(count);
    expected.assign(count, 0xffff); /* memory between rows must not change */
    cudaMemsetAsync(out, 0xff, count * sizeof(uint16_t), stream);
    CHECK(ter_fill(cuda, world, &region, &samples) == TER_OK, "fill_u16");
    cudaMemcpyAsync(got.data(), out, count * sizeof(uint16_t), cudaMemcpyDeviceToHost, stream);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess, "stream");
    for (int64_t row = 0; row < rect.height; row++) {
        const ter_rect one = {rect.level, rect.i, rect.j + row, rect.width, 1};
        CHECK(fill_rect_heights(cpu, world, &one, heights.data(), (size_t)rect.width) == TER_OK, "fill");
        ter_quantise_values(heights.data(), (size_t)rect.width, lo, hi, &expected[(size_t)row * stride]);
    }
    CHECK(memcmp(got.data(), expected.data(), count * sizeof(uint16_t)) == 0,
          "u16, %lld x %lld, stride %zu, shift %zu differs", (long long)rect.width, (long long)rect.height, stride,
          shift);
    CHECK(ter_fill(cuda, world, &region, &reversed) == TER_EINVAL, "range");
    CHECK(ter_fill(cpu, world, &region, &samples) == TER_ENOBACKEND, "backend");
    ter_generator_destroy(cuda);
    ter_generator_destroy(cpu);
}

/** One generator fills large arrays: one after another on one stream, and in parallel on two streams. Each launch must
 * have its own memory on the device. The arrays of the second round are larger than those of the first. The arrays of
 * the third round lie at other places. */
static void check_streams(const ter_world *world, float *device)
{
    enum { WIDTH = 4700, HEIGHT = 4300, ARRAYS = 4, STREAMS = 2, ROUNDS = 3 };
    static const int stream_of[ARRAYS] = {0, 0, 1, 0};
    const size_t count = (size_t)WIDTH * HEIGHT;
    std::vector<float> got(count), expected(count);
    ter_generator *cuda = make_generator(TER_BACKEND_CUDA, TER_METHOD_TILED),
                  *cpu = make_generator(TER_BACKEND_CPU, TER_METHOD_TILED);
    cudaStream_t streams[STREAMS];
    for (cudaStream_t &stream : streams)
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess, "stream");
    for (int round = 0; round < ROUNDS; round++) {
        const int width = round == 0 ? WIDTH - 200 : WIDTH;
        auto rect_of = [&](int n) { return ter_rect{20, 100000 * (round / 2) + 13 * n, -70000 * n, width, HEIGHT}; };
        for (int n = 0; n < ARRAYS; n++) {
            const ter_rect rect = rect_of(n);
            CHECK(fill_device(cuda, world, rect, device + n * count, (size_t)width, streams[stream_of[n]]) == TER_OK,
                  "fill");
        }
        for (cudaStream_t &stream : streams)
            CHECK(cudaStreamSynchronize(stream) == cudaSuccess, "stream");
        for (int n = 0; n < ARRAYS; n++) {
            const ter_rect rect = rect_of(n);
            const size_t bytes = (size_t)width * HEIGHT * sizeof(float);
            cudaMemcpy(got.data(), device + n * count, bytes, cudaMemcpyDeviceToHost);
            CHECK(fill_rect_heights(cpu, world, &rect, expected.data(), (size_t)width) == TER_OK, "fill");
            CHECK(memcmp(got.data(), expected.data(), bytes) == 0, "round %d, array %d of several streams differs",
                  round, n);
        }
    }
    for (cudaStream_t &stream : streams)
        cudaStreamDestroy(stream);
    ter_generator_destroy(cuda);
    ter_generator_destroy(cpu);
}

static void check_batch(const ter_world *world, float *device, cudaStream_t stream)
{
    enum { COUNT = 256, SIDE = 67, STRIDE = 68, SLOT = STRIDE * SIDE };
    std::vector<ter_tile> tiles(COUNT);
    std::vector<uint32_t> slots(COUNT);
    std::vector<float> got((size_t)COUNT * SLOT), expected((size_t)COUNT * SLOT);
    ter_generator *cuda = make_generator(TER_BACKEND_CUDA, TER_METHOD_TILED),
                  *cpu = make_generator(TER_BACKEND_CPU, TER_METHOD_RECURSIVE);
    for (int n = 0; n < COUNT; n++) {
        tiles[n] = {n % 21, 64 * (int64_t)(n * 37 % 101 - 50) - 1, 64 * (int64_t)(n * 53 % 89 - 40) - 1};
        slots[n] = (uint32_t)(n * 91 % COUNT);
    }
    const tiles_layout layout = {SIDE, SIDE, STRIDE, SLOT, slots.data()};
    cudaMemsetAsync(device, 0xff, got.size() * sizeof(float), stream);
    CHECK(fill_tiles_device(cuda, world, tiles.data(), COUNT, layout, device, stream) == TER_OK, "fill_tiles_device");
    cudaMemcpyAsync(got.data(), device, got.size() * sizeof(float), cudaMemcpyDeviceToHost, stream);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess, "stream");
    memset(expected.data(), 0xff, expected.size() * sizeof(float));
    CHECK(fill_tiles_heights(cpu, world, tiles.data(), COUNT, &layout, expected.data()) == TER_OK, "fill_tiles");
    CHECK(memcmp(got.data(), expected.data(), got.size() * sizeof(float)) == 0, "a batch of %d tiles differs", COUNT);
    ter_generator_destroy(cuda);
    ter_generator_destroy(cpu);
}

/** Load the first landscape of a morph. In even steps the morph makes the tiles. In odd steps this function makes them,
 * with gaps between rows and slots in reverse order, in device memory or pinned memory, and the morph copies them. */
static void load_first(ter_generator *generator, ter_morph *morph, const ter_world *world, const ter_tile *tiles,
                       const uint32_t *held, int step, cudaStream_t stream)
{
    enum { SIZE = 136, COUNT = 5, STRIDE = SIZE + 5 };
    const uint32_t slots[COUNT] = {4, 3, 2, 1, 0};
    const tiles_layout layout = {SIZE, SIZE, STRIDE, SIZE * STRIDE, slots};
    ter_morph_source source = source_of_tiles(0, world, step % 2 ? nullptr : tiles, held, COUNT);
    source.cuda_stream = stream;
    if (step % 2 == 0) {
        CHECK(ter_morph_load(morph, &source) == TER_OK, "load");
        return;
    }
    const bool is_device = ter_generator_backend(generator) == TER_BACKEND_CUDA && step % 4 == 1;
    const size_t bytes = (size_t)COUNT * SIZE * STRIDE * sizeof(float);
    void *memory = nullptr;
    if (is_device)
        CHECK(cudaMalloc(&memory, bytes) == cudaSuccess, "device memory");
    else
        CHECK(ter_host_memory_create(generator, bytes, &memory) == TER_OK, "host memory");
    float *const at = (float *)memory;
    CHECK((is_device ? fill_tiles_device(generator, world, tiles, COUNT, layout, at, stream)
                     : fill_tiles_heights(generator, world, tiles, COUNT, &layout, at)) == TER_OK,
          "tiles");
    ter_output outputs[TER_LAYER_COUNT];
    const float_layers layers = height_layer(at);
    ter_target made = target_of_layout(&layout, &layers, outputs);
    made.memory = is_device ? TER_MEMORY_DEVICE : TER_MEMORY_HOST;
    source.made = &made;
    CHECK(ter_morph_load(morph, &source) == TER_OK, "load what was made");
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess, "stream");
    if (is_device)
        cudaFree(memory);
    else
        ter_host_memory_destroy(generator, memory);
}

/** Load the second landscape, whose tiles `generator` makes. */
static ter_status load_second(ter_morph *morph, ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                              const uint32_t *held, size_t count, void *stream)
{
    ter_morph_source source = source_of_tiles(1, world, tiles, held, count);
    source.generator = generator;
    source.cuda_stream = stream;
    return ter_morph_load(morph, &source);
}

/** Blend into device memory or host memory. */
static ter_status blend_into(ter_morph *morph, const ter_blend &blend, const ter_morph_tiles &tiles,
                             const tiles_layout &layout, float *out, ter_memory memory, cudaStream_t stream)
{
    ter_output outputs[TER_LAYER_COUNT];
    const float_layers layers = height_layer(out);
    ter_target target = target_of_layout(&layout, &layers, outputs);
    target.memory = memory;
    target.cuda_stream = stream;
    return ter_morph_blend(morph, &blend, &tiles, &target);
}

/** Blends of two landscapes, and probes of them, have the same bits on device and host. */
static void check_morph(cudaStream_t stream)
{
    enum { SIZE = 136, COUNT = 5 };
    const ter_tile tiles[COUNT] = {
        {20, 100, -900}, {19, -4, 8}, {17, 1 << 20, -77}, {20, (INT64_C(1) << 40) + 1, 5}, {10, 3, 3}};
    const uint32_t held[COUNT] = {4, 2, 0, 1, 3};
    const size_t floats = (size_t)COUNT * SIZE * SIZE;
    const tiles_layout layout = {SIZE, SIZE, SIZE, SIZE * SIZE, held};
    ter_world *from = make_world(3), *to = make_world(2);
    ter_generator *generators[4];
    for (int n = 0; n < 4; n++)
        generators[n] = make_generator(n % 2 ? TER_BACKEND_CUDA : TER_BACKEND_CPU, TER_METHOD_TILED);
    std::vector<float> results[2] = {std::vector<float>(floats), std::vector<float>(floats)};
    float answers[2][TER_PROBE_POINTS_MAX], *device = nullptr;
    cudaMalloc((void **)&device, floats * sizeof(float));
    for (int step = 0; step <= 8; step++) {
        const ter_blend blend = {90, -850, step % 2 ? 1.7e-3 : 0.0, step % 3 ? -0.9e-3 : 0.0, 0.125 * step};
        ter_probe_point points[TER_PROBE_POINTS_MAX];
        for (int n = 0; n < TER_PROBE_POINTS_MAX; n++)
            points[n] = {100.3 + 37.7 * n, -880.1 - 5.3 * n * n, 20 - n % 6, n % 3 ? 0.3f : 0.0f};
        for (int n = 0; n < 2; n++) {
            ter_morph *morph = nullptr;
            ter_probe *probe = nullptr;
            uint64_t ticket = 0;
            int count = 0;
            CHECK(create_morph(generators[n], COUNT, SIZE, 0, &morph) == TER_OK, "morph");
            load_first(generators[n], morph, from, tiles, held, step, stream);
            ter_generator *other = generators[step % 2 ? n + 2 : n];
            void *its_stream = step % 2 ? ter_generator_stream(other) : stream;
            CHECK((its_stream == nullptr) == (n == 0 && step % 2), "stream of a generator");
            CHECK(load_second(morph, other, to, tiles, held, COUNT, its_stream) == TER_OK, "load by another one");
            CHECK(n == 0 || ter_generator_wait(other, its_stream) == TER_OK, "wait");
            CHECK(load_second(morph, generators[!n], to, tiles, held, COUNT, nullptr) == TER_EINVAL, "another backend");
            const ter_morph_tiles all = {TER_SIZED(ter_morph_tiles), 20, tiles, held, COUNT};
            CHECK(blend_into(morph, blend, all, layout, n ? device : results[0].data(),
                             n ? TER_MEMORY_DEVICE : TER_MEMORY_HOST, stream) == TER_OK,
                  "blend");
            CHECK(ter_probe_create(generators[n], nullptr, &probe) == TER_OK, "probe");
            CHECK(ask_blend(probe, from, to, &blend, points, TER_PROBE_POINTS_MAX, 1) == TER_OK, "ask");
            for (long k = 0; k < 2000000000L && count == 0; k++)
                ter_probe_answer(probe, &ticket, &count, answers[n]);
            CHECK(count == TER_PROBE_POINTS_MAX, "answer of %d places", count);
            std::vector<float> packed(floats);
            CHECK(blend_into(morph, blend, all, {SIZE, SIZE, 0, 0, nullptr}, packed.data(), TER_MEMORY_HOST, nullptr) ==
                      TER_OK,
                  "blend to the host");
            std::vector<float> spread(2 * floats, -1.0f); /* rows and slots have gaps between them */
            CHECK(blend_into(morph, blend, all, {SIZE, SIZE, SIZE + 7, (SIZE + 9) * SIZE, held}, spread.data(),
                             TER_MEMORY_HOST, nullptr) == TER_OK,
                  "blend to the host with gaps");
            if (n)
                cudaMemcpyAsync(results[1].data(), device, floats * sizeof(float), cudaMemcpyDeviceToHost, stream);
            CHECK(cudaStreamSynchronize(stream) == cudaSuccess, "stream");
            for (int k = 0; k < COUNT; k++)
                CHECK(memcmp(&packed[(size_t)k * SIZE * SIZE], &results[n][held[k] * (size_t)(SIZE * SIZE)],
                             SIZE * SIZE * sizeof(float)) == 0,
                      "blend to the host, tile %d", k);
            for (int k = 0; k < COUNT * SIZE; k++) {
                const float *row =
                    &spread[held[k / SIZE] * (size_t)((SIZE + 9) * SIZE) + k % SIZE * (size_t)(SIZE + 7)];
                CHECK(memcmp(row, &packed[(size_t)k * SIZE], SIZE * sizeof(float)) == 0 &&
                          (k % SIZE == SIZE - 1 || row[SIZE] == -1.0f),
                      "blend to the host with gaps, row %d", k);
            }
            ter_probe_destroy(probe);
            ter_morph_destroy(morph);
        }
        CHECK(memcmp(results[0].data(), results[1].data(), floats * sizeof(float)) == 0, "blend, step %d", step);
        CHECK(memcmp(answers[0], answers[1], sizeof answers[0]) == 0, "probe of a blend, step %d", step);
    }
    cudaFree(device);
    for (ter_generator *g : generators)
        ter_generator_destroy(g);
    ter_world_destroy(from);
    ter_world_destroy(to);
}

int main(void)
{
    char reason[256];
    if (ter_device_count(reason, sizeof reason) == 0) {
        fprintf(stderr, "skipped: no CUDA device: %s\n", reason);
        return 77;
    }
    const size_t floats = (size_t)9100 * 9100;
    float *device = nullptr;
    cudaStream_t stream;
    if (cudaMalloc(&device, (floats + 64) * sizeof(float)) != cudaSuccess ||
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess)
        return 1;
    for (int n = 0; n < 4; n++) {
        ter_world *world = make_world(n);
        const int64_t far_away = (INT64_C(1) << 40) - 76;
        check_rect(TER_METHOD_TILED, world, {20, -4501 + n, far_away + 1, 9003, 8999}, 9004, 0, device, stream);
        check_rect(TER_METHOD_TILED, world, {20, far_away, 4096, 8960, 8999}, 8960, 0, device, stream);
        const int64_t word = INT64_C(1) << 34; /* the random field's counter carries into its next word here */
        check_rect(TER_METHOD_TILED, world, {20, word - 2000, word - 1100, 4096, 3072}, 4096, 0, device, stream);
        check_rect(TER_METHOD_TILED, world, {20, word - 4001, word - 3002, 6004, 4100}, 6004, 0, device, stream);
        check_rect(TER_METHOD_SINGLE_PASS, world, {20, -4501 + n, far_away + 1, 4003, 3001}, 4004, n, device, stream);
        check_rect(TER_METHOD_SINGLE_PASS, world, {20, word - 2000, word - 1100, 4096, 3072}, 4096, 0, device, stream);
        check_rect(TER_METHOD_SINGLE_PASS, world, {19, 4 * far_away + 64, -1301, 1029, 301}, 1032, 0, device, stream);
        check_rect(TER_METHOD_TILED, world, {19, -1000, -1301, 2048, 2801}, 2048, 0, device, stream);
        check_rect(TER_METHOD_TILED, world, {20, -TER_COORDINATE_MAX, TER_COORDINATE_MAX - 1800, 1600, 1801}, 1600, 0,
                   device, stream);
        for (int level = 12; level <= 14;
             level++) /* levels around the coarsest one at which the parts of a launch share a coarse level */
            check_rect(TER_METHOD_TILED, world, {level, -2100, 4 * level - 3000, 5504, 5500}, 5504, 0, device, stream);
        for (int level = 1; level <= 12; level++)
            check_rect(TER_METHOD_TILED, world, {level, 4 * level - 2, -1000, 1664, 1604}, 1664, 0, device, stream);
        check_u16(world, {20, -4501 + n, 77, 1803, 1702}, 1804, 0, device, stream);
        check_u16(world, {20, 4096, -512, 2048, 1604}, 2048, 0, device, stream);
        check_u16(world, {20, 4096, -512, 5120, 4004}, 5120, 0, device, stream);
        check_u16(world, {17, 12, -8, 500, 260}, 501, 3, device, stream);
        check_u16(world, {17, 12, -8, 512, 260}, 512, 0, device, stream);
        /* A warp makes a unit, which is 128 samples wide, and a block of four warps makes four units side by side.
         * These arrays begin at any alignment and are 16, 17, 18 and 19 units wide, the last one incomplete: whole
         * blocks of four units, and 0 to 3 units more. */
        for (int64_t width : {1985, 2049, 2177, 2305}) {
            check_rect(TER_METHOD_TILED, world, {20, 128, -31, width, 1153}, (size_t)width, n, device, stream);
            check_rect(TER_METHOD_SINGLE_PASS, world, {20, -5, 64, width, 1061}, (size_t)width + 2, 3 - n, device,
                       stream);
            check_u16(world, {20, 256 - n, -32, width, 1057}, (size_t)width, n, device, stream);
        }
        /* Row strides of all four remainders modulo 4. Blocks of four samples begin on 16-byte boundaries, and between
         * them. */
        for (size_t step = 0; step < 4; step++) {
            /* i is the 2nd point of a block of four, j the 4th */
            const ter_rect inside = {20, word - 803, word - 401, 1597, 1611};
            check_rect(TER_METHOD_TILED, world, {20, -1000, 76, 1601 + (int64_t)step, 1603}, 1601 + step, 0, device,
                       stream);
            check_rect(TER_METHOD_TILED, world, inside, 1604 + step, (3 * step + 1) % 4, device, stream);
            check_rect(TER_METHOD_TILED, world, inside, 1604 + step, (3 * step + 2) % 4, device, stream);
        }
        for (int method = 0; method < TER_METHOD_COUNT; method++) {
            check_rect((ter_method)method, world, {17, 12, -8, 500, 260}, 501, 3, device, stream);
            check_rect((ter_method)method, world, {17, 12, -8, 512, 260}, 512, 0, device, stream);
            check_rect((ter_method)method, world, {2, -3, 5, 130, 140}, 132, 0, device, stream);
            check_rect((ter_method)method, world, {18, 7, -11, 5, 70000}, 8, 0, device, stream);
        }
        check_rect(TER_METHOD_SINGLE_PASS, world, {17, 12, -8, 500, 260}, 501, 3, device, stream, true);
        check_streams(world, device);
        check_batch(world, device, stream);
        ter_world_destroy(world);
    }
    check_morph(stream);
    cudaFree(device);
    cudaStreamDestroy(stream);
    printf("%s\n", n_failed ? "differences" : "all identical");
    return n_failed != 0;
}
