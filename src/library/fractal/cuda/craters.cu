/* craters.cu - adds craters to heights in device memory, one sample per thread. Each thread looks for its craters. */
#include "library/fractal/cuda/craters.h"

#include "library/fractal/crater.h"

namespace
{

constexpr int TILE_X = 32, TILE_Y = 4; /* neighbouring samples are mostly near the same craters */

__global__ void __launch_bounds__(TILE_X *TILE_Y)
    crater_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch)
{
    const int column = (int)(blockIdx.x * TILE_X + threadIdx.x), row = (int)(blockIdx.y * TILE_Y + threadIdx.y);
    if (column >= batch.width || row >= batch.height)
        return;
    const ter_cuda_tile &tile = batch.tiles[blockIdx.z];
    float *height = batch.out + (size_t)tile.slot * batch.slot_stride + (size_t)row * batch.row_stride + column;
    *height = ter_crater_height(&f, tile.level, tile.i + column, tile.j + row, *height);
}

} // namespace

ter_status ter_cuda_craters(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    const dim3 grid((unsigned)divide_up(batch->width, TILE_X), (unsigned)divide_up(batch->height, TILE_Y),
                    (unsigned)batch->count);
    crater_kernel<<<grid, dim3(TILE_X, TILE_Y), 0, stream>>>(*f, *batch);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
