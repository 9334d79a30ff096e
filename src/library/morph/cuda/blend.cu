/* blend.cu - blends two landscapes in device memory. */
#include <cstring>

#include "library/core/cuda/check.h"
#include "library/core/cuda/device_state.cuh"
#include "library/morph/blend.h"
#include "library/morph/cuda/morph.h"

namespace
{

constexpr int THREADS = 256;
constexpr int BATCH = 96;
constexpr int PARTS = 16; /* blocks of threads per tile, so that a batch fills the device */

/** Tiles of a launch, in the kernel's arguments. */
struct blend_batch {
    ter_blend_work work;
    ter_blend_tile tiles[BATCH];
};

static_assert(sizeof(blend_batch) < 4000, "a batch fits the arguments of a kernel");

/** Read a point of a landscape. */
__device__ __forceinline__ ter_wet_point read_point(const float *ground, const float *water, float sea, size_t n)
{
    return {ground[n], water ? water[n] : ter_not_a_number(), sea};
}

/** Blend tiles, each by PARTS blocks of threads. Lanes go along rows. Where a landscape's share is 0, it is not read.
 */
__global__ void __launch_bounds__(THREADS) blend_kernel(const __grid_constant__ blend_batch batch)
{
    const ter_blend_work &w = batch.work;
    const ter_blend_tile &tile = batch.tiles[blockIdx.x];
    const unsigned width = (unsigned)w.width, first = blockIdx.y * THREADS + threadIdx.x, step = gridDim.y * THREADS;
    const size_t held = tile.held * ((size_t)w.width * w.height), slot = tile.slot * w.slot_stride;
    const float *from_water = w.out_water ? w.from_water : nullptr, *to_water = w.out_water ? w.to_water : nullptr;
    unsigned row = first / width, column = first % width;
    while (row < (unsigned)w.height) {
        const float dx = ter_blend_steps(tile.dx + ((int64_t)column << tile.shift));
        const float dz = ter_blend_steps(tile.dz + ((int64_t)row << tile.shift));
        const float share = ter_blend_share(dx, dz, w.along_x, w.along_z, w.begun);
        const size_t point = held + (size_t)row * width + column, at = slot + row * w.row_stride + column;
        ter_wet_point before = {}, after = {};
        if (share < 1.0f)
            before = read_point(w.from, from_water, w.from_sea, point);
        if (share > 0.0f)
            after = read_point(w.to, to_water, w.to_sea, point);
        w.out[at] = ter_blend_height(before.ground, after.ground, share);
        if (w.out_water)
            w.out_water[at] = ter_blend_water(before, after, share);
        row += step / width;
        column += step % width;
        if (column >= width) {
            column -= width;
            row++;
        }
    }
}

} // namespace

ter_status ter_cuda_blend(void *state, const ter_blend_work *work, void *stream)
{
    TER_CUDA(cudaSetDevice(ter_cuda::device_of(state)));
    for (size_t first = 0; first < work->count; first += BATCH) {
        blend_batch batch;
        const size_t count = work->count - first < BATCH ? work->count - first : BATCH;
        batch.work = *work;
        memcpy(batch.tiles, work->tiles + first, count * sizeof batch.tiles[0]);
        blend_kernel<<<dim3((unsigned)count, PARTS), THREADS, 0, (cudaStream_t)stream>>>(batch);
        TER_CUDA(cudaGetLastError());
    }
    return TER_OK;
}
