/* backend.cu - the CUDA backend: devices, scratch memory, and the dispatch of batches to the kernels. */
#include <cstdio>
#include <new>

#include <nvtx3/nvToolsExt.h>

#include "generate/backend.h"
#include "generate/cuda/tiled/common_level.cuh"
#include "generate/cuda/kernels.h"
#include "generate/statistics.h"

namespace
{

constexpr size_t CHUNK_FLOATS = (size_t)16 << 20; /* of an array that leaves the device piece by piece: 64 MiB */
constexpr int ROWS_MAX = 32768;                   /* of a launch: a grid has at most 65535 rows of blocks */

struct cuda_state {
    int device; /* first: probe and interop read it */
    ter_method method;
    bool is_by_sample; /* single-pass a sample a thread */
    cudaStream_t stream;
    device_array scratch[2];     /* coarser levels of `recursive` */
    cudaEvent_t scratch_is_free; /* the last call that used them may have been on another stream */
    common_memories common;      /* of `tiled` */
    device_array chunk;          /* heights on their way to the host */
    device_array small;          /* points, sums, histogram */
};

bool is_multiple_of_4(const ter_tile *tiles, size_t count)
{
    int64_t bits = 0;
    for (size_t n = 0; n < count; n++)
        bits |= tiles[n].i | tiles[n].j;
    return (bits & 3) == 0;
}

int level_min(const ter_tile *tiles, size_t count)
{
    int least = tiles[0].level;
    for (size_t n = 1; n < count; n++)
        least = tiles[n].level < least ? tiles[n].level : least;
    return least;
}

ter_cuda_tile device_tile(const ter_tile *tile, const ter_tile_layout *layout, size_t n)
{
    ter_cuda_tile t = {};
    t.i = tile->i;
    t.j = tile->j;
    t.level = tile->level;
    t.slot = layout->slots ? layout->slots[n] : (uint32_t)n;
    return t;
}

ter_status run_recursive(cuda_state *cuda, const ter_field *f, const ter_tile *tiles, size_t first, size_t count,
                         const ter_tile_layout *layout, const ter_cuda_batch *batch, cudaStream_t stream)
{
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone; /* within a graph, its own order is the only one */
    TER_CUDA(cudaStreamIsCapturing(stream, &capture));
    if (capture == cudaStreamCaptureStatusNone)
        TER_CUDA(cudaStreamWaitEvent(stream, cuda->scratch_is_free, 0));
    for (size_t n = first; n < first + count; n++) {
        const ter_cuda_tile tile = device_tile(&tiles[n], layout, n);
        const size_t bytes = ter_recursive_scratch(f, &tile, layout->width, layout->height) * sizeof(float);
        for (int s = 0; s < 2; s++) {
            const ter_status status = reserve(&cuda->scratch[s], bytes);
            if (status != TER_OK)
                return status;
        }
        float *const scratch[2] = {(float *)cuda->scratch[0].at, (float *)cuda->scratch[1].at};
        const ter_status status = ter_recursive(f, &tile, batch, scratch, stream);
        if (status != TER_OK)
            return status;
    }
    if (capture == cudaStreamCaptureStatusNone)
        TER_CUDA(cudaEventRecord(cuda->scratch_is_free, stream));
    return TER_OK;
}

/** Where samples go: heights, or 16-bit ones. */
struct target {
    float *out;
    uint16_t *out_u16;
    ter_quantiser quantiser;

    target from(size_t samples) const
    {
        return {out ? out + samples : nullptr, out_u16 ? out_u16 + samples : nullptr, quantiser};
    }
};

/** One large array. A launch does without common memory where there is none to be had, and while a graph is being recorded, for
 * that may run at any time. */
ter_status run_regions(cuda_state *cuda, const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    TER_CUDA(cudaStreamIsCapturing(stream, &capture));
    size_t points = 0;
    ter_status status = ter_regions_common(batch, &points);
    if (status != TER_OK)
        return status;
    common_memory *c = nullptr;
    if (points == 0 || capture != cudaStreamCaptureStatusNone ||
        find_common_memory(&cuda->common, points, stream, cuda->stream, &c) != TER_OK)
        return ter_regions(f, batch, nullptr, stream);
    const ter_cuda_common common = next_common(*c);
    status = ter_regions(f, batch, &common, stream);
    if (status == TER_OK) /* else the one before this may still use the other memory */
        c->launches = common.launch;
    return status;
}

/** At most TER_CUDA_BATCH_MAX tiles, from `first` on. */
ter_status run_batch(cuda_state *cuda, const ter_field *f, const ter_tile *tiles, size_t first, size_t count,
                     const ter_tile_layout *layout, const target &out, cudaStream_t stream)
{
    ter_cuda_batch batch = {};
    batch.count = (int)count;
    batch.width = layout->width;
    batch.height = layout->height;
    batch.row_stride = layout->row_stride;
    batch.slot_stride = layout->slot_stride;
    batch.is_origin_aligned = is_multiple_of_4(tiles + first, count);
    batch.level_min = level_min(tiles + first, count);
    batch.out = out.out;
    batch.out_u16 = out.out_u16;
    batch.quantiser = out.quantiser;
    if (cuda->method == TER_METHOD_RECURSIVE)
        return run_recursive(cuda, f, tiles, first, count, layout, &batch, stream);
    for (size_t n = 0; n < count; n++)
        batch.tiles[n] = device_tile(&tiles[first + n], layout, first + n);
    if (cuda->method == TER_METHOD_SINGLE_PASS)
        return ter_single_pass(f, &batch, cuda->is_by_sample, stream);
    return ter_is_for_regions(f, &batch) ? run_regions(cuda, f, &batch, stream) : ter_tiled(f, &batch, stream);
}

ter_status run_tiles(cuda_state *cuda, const ter_world *world, const ter_tile *tiles, size_t count, const ter_tile_layout *layout,
                     const target &out, cudaStream_t stream);

/** Tiles higher than a launch grid: tile by tile, ROWS_MAX rows at a time. */
ter_status run_parts(cuda_state *cuda, const ter_world *world, const ter_tile *tiles, size_t count, const ter_tile_layout *layout,
                     const target &out, cudaStream_t stream)
{
    for (size_t n = 0; n < count; n++) {
        const target tile_out = out.from((size_t)(layout->slots ? layout->slots[n] : n) * layout->slot_stride);
        for (int row = 0; row < layout->height; row += ROWS_MAX) {
            const ter_tile part = {tiles[n].level, tiles[n].i, tiles[n].j + row};
            ter_tile_layout part_layout = {};
            part_layout.width = layout->width;
            part_layout.height = layout->height - row < ROWS_MAX ? layout->height - row : ROWS_MAX;
            part_layout.row_stride = layout->row_stride;
            const ter_status status =
                run_tiles(cuda, world, &part, 1, &part_layout, tile_out.from((size_t)row * layout->row_stride), stream);
            if (status != TER_OK)
                return status;
        }
    }
    return TER_OK;
}

ter_status run_tiles(cuda_state *cuda, const ter_world *world, const ter_tile *tiles, size_t count, const ter_tile_layout *layout,
                     const target &out, cudaStream_t stream)
{
    TER_CUDA(cudaSetDevice(cuda->device));
    if (layout->height > ROWS_MAX)
        return run_parts(cuda, world, tiles, count, layout, out, stream);
    nvtxRangePushA("terrane tiles");
    ter_status status = TER_OK;
    for (size_t first = 0; first < count && status == TER_OK; first += TER_CUDA_BATCH_MAX) {
        const size_t n = count - first < TER_CUDA_BATCH_MAX ? count - first : TER_CUDA_BATCH_MAX;
        status = run_batch(cuda, &world->field, tiles, first, n, layout, out, stream);
    }
    nvtxRangePop();
    return status;
}

ter_status fill_tiles_device(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                             const ter_tile_layout *layout, float *out, void *stream)
{
    return run_tiles((cuda_state *)state, world, tiles, count, layout, {out, nullptr, {}}, (cudaStream_t)stream);
}

ter_status fill_tiles_device_u16(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                                 const ter_tile_layout *layout, double lo, double hi, uint16_t *out, void *stream)
{
    cuda_state *cuda = (cuda_state *)state;
    if (cuda->method != TER_METHOD_TILED)
        return ter_fail(TER_EINVAL, "16-bit samples are made by generator tiled, not by %s", ter_method_name(cuda->method));
    return run_tiles(cuda, world, tiles, count, layout, {nullptr, out, ter_quantiser_of(lo, hi)}, (cudaStream_t)stream);
}

/** One tile to host memory, in strips that fit the chunk. */
ter_status fill_tile_host(cuda_state *cuda, const ter_world *world, const ter_tile *tile, int width, int height, float *out,
                          size_t stride)
{
    const size_t pitch = ((size_t)width + 3) / 4 * 4;
    const size_t rows = CHUNK_FLOATS / pitch > 0 ? CHUNK_FLOATS / pitch : 1;
    for (size_t row = 0; row < (size_t)height; row += rows) {
        const size_t n = (size_t)height - row < rows ? (size_t)height - row : rows;
        const ter_tile strip = {tile->level, tile->i, tile->j + (int64_t)row};
        ter_tile_layout layout = {};
        layout.width = width;
        layout.height = (int)n;
        layout.row_stride = pitch;
        ter_status status = reserve(&cuda->chunk, n * pitch * sizeof(float));
        if (status == TER_OK)
            status = fill_tiles_device(cuda, world, &strip, 1, &layout, (float *)cuda->chunk.at, cuda->stream);
        if (status != TER_OK)
            return status;
        TER_CUDA(cudaMemcpy2DAsync(out + row * stride, stride * sizeof(float), cuda->chunk.at, pitch * sizeof(float),
                                   (size_t)width * sizeof(float), n, cudaMemcpyDeviceToHost, cuda->stream));
        TER_CUDA(cudaStreamSynchronize(cuda->stream));
    }
    return TER_OK;
}

/** A batch of small tiles to host memory: packed on the device, then copied to their places. */
ter_status fill_packed_host(cuda_state *cuda, const ter_world *world, const ter_tile *tiles, size_t count,
                            const ter_tile_layout *layout, float *out)
{
    const size_t pitch = ((size_t)layout->width + 3) / 4 * 4, tile_floats = pitch * (size_t)layout->height;
    const size_t per_chunk = CHUNK_FLOATS / tile_floats;
    ter_tile_layout packed = {};
    packed.width = layout->width;
    packed.height = layout->height;
    packed.row_stride = pitch;
    packed.slot_stride = tile_floats;
    for (size_t first = 0; first < count; first += per_chunk) {
        const size_t n = count - first < per_chunk ? count - first : per_chunk;
        ter_status status = reserve(&cuda->chunk, n * tile_floats * sizeof(float));
        if (status == TER_OK)
            status = fill_tiles_device(cuda, world, tiles + first, n, &packed, (float *)cuda->chunk.at, cuda->stream);
        if (status != TER_OK)
            return status;
        for (size_t t = 0; t < n; t++) {
            const size_t slot = layout->slots ? layout->slots[first + t] : first + t;
            TER_CUDA(cudaMemcpy2DAsync(out + slot * layout->slot_stride, layout->row_stride * sizeof(float),
                                       (float *)cuda->chunk.at + t * tile_floats, pitch * sizeof(float),
                                       (size_t)layout->width * sizeof(float), (size_t)layout->height, cudaMemcpyDeviceToHost,
                                       cuda->stream));
        }
        TER_CUDA(cudaStreamSynchronize(cuda->stream));
    }
    return TER_OK;
}

ter_status fill_tiles(void *state, const ter_world *world, const ter_tile *tiles, size_t count, const ter_tile_layout *layout,
                      float *out)
{
    cuda_state *cuda = (cuda_state *)state;
    TER_CUDA(cudaSetDevice(cuda->device));
    if (count > 1 && ((size_t)layout->width + 3) * (size_t)layout->height <= CHUNK_FLOATS)
        return fill_packed_host(cuda, world, tiles, count, layout, out);
    for (size_t n = 0; n < count; n++) {
        const size_t slot = layout->slots ? layout->slots[n] : n;
        const ter_status status = fill_tile_host(cuda, world, &tiles[n], layout->width, layout->height,
                                                 out + slot * layout->slot_stride, layout->row_stride);
        if (status != TER_OK)
            return status;
    }
    return TER_OK;
}

ter_status heights(void *state, const ter_world *world, int level, const int64_t (*points)[2], size_t count, float *out)
{
    cuda_state *cuda = (cuda_state *)state;
    TER_CUDA(cudaSetDevice(cuda->device));
    const size_t points_bytes = count * sizeof points[0];
    ter_status status = reserve(&cuda->small, points_bytes + count * sizeof(float));
    if (status != TER_OK)
        return status;
    float *device_out = (float *)((char *)cuda->small.at + points_bytes);
    TER_CUDA(cudaMemcpyAsync(cuda->small.at, points, points_bytes, cudaMemcpyHostToDevice, cuda->stream));
    status = ter_points(&world->field, level, (const int64_t(*)[2])cuda->small.at, count, device_out, cuda->stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(out, device_out, count * sizeof(float), cudaMemcpyDeviceToHost, cuda->stream));
    TER_CUDA(cudaStreamSynchronize(cuda->stream));
    return TER_OK;
}

/** Generate strip by strip and reduce each where it lies. */
ter_status reduce_rect(cuda_state *cuda, const ter_world *world, const ter_rect *rect, ter_sum_unit unit, float lo, float bin_scale,
                       int bins, ter_cuda_sums *sums, unsigned long long *histogram)
{
    const int64_t width_max = (int64_t)CHUNK_FLOATS / 16;
    for (int64_t column = 0; column < rect->width; column += width_max) {
        const int64_t width = rect->width - column < width_max ? rect->width - column : width_max;
        const int64_t rows = (int64_t)CHUNK_FLOATS / width;
        for (int64_t row = 0; row < rect->height; row += rows) {
            const int64_t n = rect->height - row < rows ? rect->height - row : rows;
            const ter_tile strip = {rect->level, rect->i + column, rect->j + row};
            ter_tile_layout layout = {};
            layout.width = (int)width;
            layout.height = (int)n;
            layout.row_stride = (size_t)width;
            ter_status status = fill_tiles_device(cuda, world, &strip, 1, &layout, (float *)cuda->chunk.at, cuda->stream);
            if (status == TER_OK)
                status = ter_reduce((const float *)cuda->chunk.at, (size_t)(width * n), unit, lo, bin_scale, bins, sums, histogram,
                                    cuda->stream);
            if (status != TER_OK)
                return status;
        }
    }
    return TER_OK;
}

ter_status statistics(void *state, const ter_world *world, const ter_rect *rect, const ter_histogram *histogram,
                      ter_statistics *out)
{
    cuda_state *cuda = (cuda_state *)state;
    TER_CUDA(cudaSetDevice(cuda->device));
    const uint64_t count = (uint64_t)rect->width * (uint64_t)rect->height;
    const ter_sum_unit unit = ter_sum_unit_of(&world->params, count);
    const int bins = histogram ? histogram->bins : 0;
    const float lo = bins > 0 ? histogram->lo : 0.0f, bin_scale = bins > 0 ? (float)bins / (histogram->hi - lo) : 0.0f;
    const size_t histogram_bytes = (size_t)bins * sizeof(uint64_t);
    ter_status status = reserve(&cuda->small, sizeof(ter_cuda_sums) + histogram_bytes);
    if (status == TER_OK)
        status = reserve(&cuda->chunk, CHUNK_FLOATS * sizeof(float));
    if (status != TER_OK)
        return status;
    ter_cuda_sums *sums = (ter_cuda_sums *)cuda->small.at;
    unsigned long long *counts = (unsigned long long *)(sums + 1);
    ter_cuda_sums host = {INT32_MAX, INT32_MIN, 0};
    TER_CUDA(cudaMemcpyAsync(sums, &host, sizeof host, cudaMemcpyHostToDevice, cuda->stream));
    TER_CUDA(cudaMemsetAsync(counts, 0, histogram_bytes, cuda->stream));
    status = reduce_rect(cuda, world, rect, unit, lo, bin_scale, bins, sums, counts);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaMemcpyAsync(&host, sums, sizeof host, cudaMemcpyDeviceToHost, cuda->stream));
    if (bins > 0)
        TER_CUDA(cudaMemcpyAsync(histogram->counts, counts, histogram_bytes, cudaMemcpyDeviceToHost, cuda->stream));
    TER_CUDA(cudaStreamSynchronize(cuda->stream));
    out->min_m = ter_unordered(host.min_ordered);
    out->max_m = ter_unordered(host.max_ordered);
    out->count = count;
    out->mean_m = ter_sum_mean(unit, (int64_t)host.sum, count);
    return TER_OK;
}

/* ---- devices and life ---- */

int device_count(char *reason, size_t reason_size)
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0)
        return count;
    cudaGetLastError();
    snprintf(reason, reason_size, "%s", error == cudaSuccess ? "no CUDA device found" : cudaGetErrorString(error));
    return 0;
}

ter_status device_describe(int device, ter_device *out)
{
    char reason[128];
    const int count = device_count(reason, sizeof reason);
    if (device < 0 || device >= count)
        return ter_fail(TER_ENOBACKEND, "there is no CUDA device %d: %d found", device, count);
    cudaDeviceProp facts;
    TER_CUDA(cudaGetDeviceProperties(&facts, device));
    *out = {};
    snprintf(out->name, sizeof out->name, "%s", facts.name);
    out->compute_major = facts.major;
    out->compute_minor = facts.minor;
    out->multiprocessors = facts.multiProcessorCount;
    out->memory_bytes = facts.totalGlobalMem;
    TER_CUDA(cudaDriverGetVersion(&out->driver_version));
    TER_CUDA(cudaRuntimeGetVersion(&out->runtime_version));
    return TER_OK;
}

void destroy(void *state)
{
    cuda_state *cuda = (cuda_state *)state;
    cudaSetDevice(cuda->device);
    cudaDeviceSynchronize();
    for (device_array *array : {&cuda->scratch[0], &cuda->scratch[1], &cuda->chunk, &cuda->small})
        cudaFree(array->at);
    free_common_memories(&cuda->common);
    if (cuda->scratch_is_free)
        cudaEventDestroy(cuda->scratch_is_free);
    if (cuda->stream)
        cudaStreamDestroy(cuda->stream);
    delete cuda;
}

ter_status set_up(cuda_state *cuda)
{
    TER_CUDA(cudaSetDevice(cuda->device));
    TER_CUDA(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking));
    TER_CUDA(cudaEventCreateWithFlags(&cuda->scratch_is_free, cudaEventDisableTiming));
    return TER_OK;
}

ter_status create(const ter_generator_options *options, void **state)
{
    ter_device facts;
    const ter_status found = device_describe(options->device, &facts);
    if (found != TER_OK)
        return found;
    cuda_state *cuda = new (std::nothrow) cuda_state();
    if (!cuda)
        return ter_fail(TER_ENOMEM, "no memory for the CUDA backend");
    cuda->device = options->device;
    cuda->method = options->method;
    cuda->is_by_sample = options->is_by_sample != 0;
    const ter_status status = set_up(cuda);
    if (status != TER_OK) {
        destroy(cuda);
        return status;
    }
    *state = cuda;
    return TER_OK;
}

} // namespace

ter_status ter_cuda_fail(cudaError_t error, const char *call)
{
    cudaGetLastError();
    return ter_fail(error == cudaErrorMemoryAllocation ? TER_ENOMEM : TER_EDEVICE, "CUDA: %s (%s)", cudaGetErrorString(error),
                    call);
}

extern "C" {
const ter_backend_table ter_backend_cuda = {
    .kind = TER_BACKEND_CUDA,
    .name = "cuda",
    .device_count = device_count,
    .device_describe = device_describe,
    .create = create,
    .destroy = destroy,
    .fill_tiles = fill_tiles,
    .fill_tiles_device = fill_tiles_device,
    .fill_tiles_device_u16 = fill_tiles_device_u16,
    .heights = heights,
    .statistics = statistics,
    .fetch_create = ter_cuda_fetch_create,
    .fetch_start = ter_cuda_fetch_start,
    .fetch_wait = ter_cuda_fetch_wait,
    .fetch_destroy = ter_cuda_fetch_destroy,
    .host_memory_create = ter_cuda_host_memory_create,
    .host_memory_destroy = ter_cuda_host_memory_destroy,
    .memory_create = ter_cuda_memory_create,
    .memory_destroy = ter_cuda_memory_destroy,
    .memory_read = ter_cuda_memory_read,
    .blend = ter_cuda_blend,
    .gl_register = ter_cuda_gl_register,
    .gl_map = ter_cuda_gl_map,
    .gl_unmap = ter_cuda_gl_unmap,
    .gl_unregister = ter_cuda_gl_unregister,
    .probe_create = ter_cuda_probe_create,
    .probe_ask = ter_cuda_probe_ask,
    .probe_answer = ter_cuda_probe_answer,
    .probe_destroy = ter_cuda_probe_destroy,
};
}
