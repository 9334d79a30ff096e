/* blend.cu - blending two landscapes: reads both, writes what is displayed. */
#include <cstring>

#include "generate/blend.h"
#include "generate/cuda/check.h"
#include "generate/cuda/entries.h"

namespace
{

constexpr int THREADS = 256;
constexpr int BATCH = 96;
constexpr int PARTS = 16; /* blocks of a tile: those of a batch fill the device */

/** Tiles of a launch: they travel with its arguments. */
struct blend_batch {
    ter_blend_work work;
    ter_blend_tile tiles[BATCH];
};

static_assert(sizeof(blend_batch) < 4000, "a batch travels as a kernel argument");

/** PARTS blocks a tile; lanes go along rows. */
__global__ void __launch_bounds__(THREADS) blend_kernel(const __grid_constant__ blend_batch batch)
{
    const ter_blend_work &w = batch.work;
    const ter_blend_tile &tile = batch.tiles[blockIdx.x];
    const size_t points = (size_t)w.width * w.height;
    const float *from = w.from + tile.held * points, *to = w.to + tile.held * points;
    float *out = w.out + tile.slot * w.slot_stride;
    for (size_t n = blockIdx.y * THREADS + threadIdx.x; n < points; n += gridDim.y * THREADS) {
        const size_t row = n / (unsigned)w.width, column = n - row * (unsigned)w.width;
        const float dx = __ll2float_rn(tile.dx + ((int64_t)column << tile.shift));
        const float dz = __ll2float_rn(tile.dz + ((int64_t)row << tile.shift));
        const float share = ter_blend_share(dx, dz, w.along_x, w.along_z, w.begun);
        out[row * w.row_stride + column] = ter_blend_height(from[n], to[n], share);
        if (w.out_water) {
            const float dry = ter_not_a_number();
            const ter_wet_point before = {from[n], w.from_water ? w.from_water[tile.held * points + n] : dry, w.from_sea};
            const ter_wet_point after = {to[n], w.to_water ? w.to_water[tile.held * points + n] : dry, w.to_sea};
            w.out_water[tile.slot * w.slot_stride + row * w.row_stride + column] = ter_blend_water(before, after, share);
        }
    }
}

} // namespace

ter_status ter_cuda_blend(void *state, const ter_blend_work *work, void *stream)
{
    TER_CUDA(cudaSetDevice(*(const int *)state));
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
