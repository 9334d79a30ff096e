/* fill_device.cu - fills device memory with tiles. Tiles are divided into launches, and choose.cu chooses the kernel
 * of each launch. */
#include "library/generator/cuda/fill.cuh"

#include <nvtx3/nvToolsExt.h>

#include "library/fluvial/cuda/fluvial.h"
#include "library/fractal/cuda/choose.h"
#include "library/fractal/cuda/craters.h"
#include "library/fractal/cuda/recursive/recursive.h"
#include "library/fractal/cuda/single_pass/single_pass.h"

using namespace ter_cuda;

namespace
{

constexpr int ROWS_MAX = 32768; /* of a launch: a grid has at most 65535 rows of blocks */

/** Whether the stream is recording a graph. */
ter_status find_capture(cudaStream_t stream, bool *is_capturing)
{
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    TER_CUDA(cudaStreamIsCapturing(stream, &capture));
    *is_capturing = capture != cudaStreamCaptureStatusNone;
    return TER_OK;
}

/** Make a batch tile by tile. The scratch memory belongs to the generator, so a call waits for the previous call,
 * which may be on another stream. */
ter_status run_recursive(cuda_state *cuda, const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    bool is_capturing = false; /* a graph orders its work itself, and must not wait for other work */
    ter_status status = find_capture(stream, &is_capturing);
    if (status == TER_OK && !is_capturing)
        TER_CUDA(cudaStreamWaitEvent(stream, cuda->scratch_is_free, 0));
    for (int n = 0; n < batch->count && status == TER_OK; n++) {
        const ter_cuda_tile *tile = &batch->tiles[n];
        const size_t bytes = ter_recursive_scratch(f, tile, batch->width, batch->height) * sizeof(float);
        for (int s = 0; s < 2 && status == TER_OK; s++)
            status = reserve(&cuda->scratch[s], bytes);
        float *const scratch[2] = {(float *)cuda->scratch[0].at, (float *)cuda->scratch[1].at};
        if (status == TER_OK)
            status = ter_recursive(f, tile, batch, scratch, stream);
    }
    if (status == TER_OK && !is_capturing)
        TER_CUDA(cudaEventRecord(cuda->scratch_is_free, stream));
    return status;
}

typedef ter_status regions_launcher(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                                    cudaStream_t stream);

/** Make one large array. `tiled` shares a coarse level among the launch's blocks, unless there is no memory for this
 * level, or a graph is being recorded: a graph may run at any time, also while another launch uses the memory. With
 * `single-pass`, each warp descends from level 0. */
ter_status run_regions(cuda_state *cuda, const ter_field *f, const ter_cuda_batch *batch, regions_launcher *launch,
                       cudaStream_t stream)
{
    bool is_capturing = false;
    size_t points = 0;
    ter_status status = find_capture(stream, &is_capturing);
    if (status == TER_OK && cuda->method == TER_METHOD_TILED)
        status = ter_regions_common(batch, &points);
    if (status != TER_OK)
        return status;
    common_memory *c = nullptr;
    if (points == 0 || is_capturing || find_common_memory(&cuda->common, points, stream, cuda->stream, &c) != TER_OK)
        return launch(f, batch, nullptr, stream);
    const ter_cuda_common common = next_common(*c);
    status = launch(f, batch, &common, stream);
    if (status == TER_OK) /* otherwise the number must not change: the previous launch may still use the other memory */
        c->launches = common.launch;
    return status;
}

ter_status run_kernel(cuda_state *cuda, const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    switch (ter_cuda_choose(cuda->method, cuda->is_by_sample, f, batch)) {
    case TER_KERNEL_RECURSIVE:
        return run_recursive(cuda, f, batch, stream);
    case TER_KERNEL_SAMPLES:
        return ter_samples(f, batch, stream);
    case TER_KERNEL_WARPS:
        return ter_warps(f, batch, stream);
    case TER_KERNEL_REGIONS:
        return run_regions(cuda, f, batch, ter_regions, stream);
    case TER_KERNEL_REGIONS_SHEARED:
        return run_regions(cuda, f, batch, ter_regions_sheared, stream);
    case TER_KERNEL_STRIPS:
        return ter_strips(f, batch, stream);
    case TER_KERNEL_PATCHES:
        break;
    }
    return ter_patches(f, batch, stream);
}

/** Describe `count` tiles of a list, beginning with tile `first`, as a batch. count: at most TER_CUDA_BATCH_MAX */
ter_cuda_batch make_batch(const tile_list &list, size_t first, size_t count, const sample_memory &out)
{
    ter_cuda_batch batch = {};
    batch.count = (int)count;
    batch.width = list.layout->width;
    batch.height = list.layout->height;
    batch.row_stride = list.layout->row_stride;
    batch.slot_stride = list.layout->slot_stride;
    batch.out = out.heights;
    batch.out_u16 = out.samples;
    batch.quantiser = out.quantiser;
    batch.level_min = list.tiles[first].level;
    int64_t bits = 0;
    for (size_t n = 0; n < count; n++) {
        const ter_tile &tile = list.tiles[first + n];
        batch.tiles[n] = {tile.i, tile.j, tile.level, (uint32_t)list.slot(first + n)};
        batch.level_min = tile.level < batch.level_min ? tile.level : batch.level_min;
        bits |= tile.i | tile.j;
    }
    batch.is_origin_aligned = (bits & 3) == 0;
    return batch;
}

/** Fill tiles of at most ROWS_MAX rows. */
ter_status fill_low(cuda_state *cuda, const ter_world *world, const tile_list &list, const sample_memory &out,
                    cudaStream_t stream)
{
    ter_status status = TER_OK;
    for (size_t first = 0; first < list.count && status == TER_OK; first += TER_CUDA_BATCH_MAX) {
        const size_t left = list.count - first;
        const ter_cuda_batch batch =
            make_batch(list, first, left < TER_CUDA_BATCH_MAX ? left : TER_CUDA_BATCH_MAX, out);
        status = run_kernel(cuda, &world->field, &batch, stream);
        if (status == TER_OK && world->field.craters.age > 0.0f)
            status = ter_cuda_craters(&world->field, &batch, stream);
    }
    return status;
}

/** Fill tiles of more than ROWS_MAX rows one after the other, ROWS_MAX rows at a time. */
ter_status fill_high(cuda_state *cuda, const ter_world *world, const tile_list &list, const sample_memory &out,
                     cudaStream_t stream)
{
    const ter_tile_layout &layout = *list.layout;
    ter_tile_layout part_layout = layout;
    part_layout.slots = nullptr;
    for (size_t n = 0; n < list.count; n++) {
        const sample_memory tile_out = out.from(list.slot(n) * layout.slot_stride);
        for (int row = 0; row < layout.height; row += ROWS_MAX) {
            const ter_tile part = {list.tiles[n].level, list.tiles[n].i, list.tiles[n].j + row};
            part_layout.height = layout.height - row < ROWS_MAX ? layout.height - row : ROWS_MAX;
            const ter_status status =
                fill_low(cuda, world, {&part, 1, &part_layout}, tile_out.from((size_t)row * layout.row_stride), stream);
            if (status != TER_OK)
                return status;
        }
    }
    return TER_OK;
}

} // namespace

ter_status ter_cuda::fill_device(cuda_state *cuda, const ter_world *world, const tile_list &list,
                                 const sample_memory &out, cudaStream_t stream)
{
    TER_CUDA(cudaSetDevice(cuda->device));
    nvtxRangePushA("terrane tiles");
    ter_status status;
    if (world->params.basis == TER_BASIS_FLUVIAL) {
        ter_layers layers = {};
        layers.at[TER_LAYER_HEIGHT] = out.heights;
        status = fill_fluvial(cuda, &world->fluvial, list, layers, stream);
    } else {
        const auto fill = list.layout->height > ROWS_MAX ? fill_high : fill_low;
        status = fill(cuda, world, list, out, stream);
    }
    nvtxRangePop();
    return status;
}

ter_status ter_cuda::fill_layers_device(cuda_state *cuda, const ter_world *world, const tile_list &list,
                                        const ter_layers &out, cudaStream_t stream)
{
    return world->params.basis == TER_BASIS_FLUVIAL
               ? fill_fluvial(cuda, &world->fluvial, list, out, stream)
               : fill_device(cuda, world, list, {out.at[TER_LAYER_HEIGHT], nullptr, {}}, stream);
}
