/* quantise.cu - converts heights in device memory to 16-bit samples, for kernels that do not quantise in registers. */
#include "library/generator/cuda/quantise.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 128;

__global__ void __launch_bounds__(THREADS)
    quantise_kernel(const float *heights, size_t stride, int width, size_t out_stride, uint16_t *out, ter_quantiser q)
{
    const int x = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (x < width)
        out[blockIdx.y * out_stride + (size_t)x] = ter_quantise(q, heights[blockIdx.y * stride + (size_t)x]);
}

} // namespace

ter_status ter_cuda::quantise_rows(const float *values, size_t stride, const ter_tile_layout &layout,
                                   const sample_memory &out, cudaStream_t stream)
{
    constexpr int ROWS_MAX = 32768; /* of a launch: a grid has at most 65535 rows of blocks */
    for (int row = 0; row < layout.height; row += ROWS_MAX) {
        const int rows = layout.height - row < ROWS_MAX ? layout.height - row : ROWS_MAX;
        const dim3 grid((unsigned)((layout.width + THREADS - 1) / THREADS), (unsigned)rows);
        quantise_kernel<<<grid, THREADS, 0, stream>>>(values + (size_t)row * stride, stride, layout.width,
                                                      layout.row_stride, out.samples + (size_t)row * layout.row_stride,
                                                      out.quantiser);
        TER_CUDA(cudaGetLastError());
    }
    return TER_OK;
}

namespace
{

constexpr size_t SCRATCH_FLOATS = (size_t)1 << 28; /* floats of all layers of a band, at most: 1 GiB */

int count_layers(const ter_u16_layers &out)
{
    int n_layers = 0;
    for (const uint16_t *layer : out.at)
        n_layers += layer != nullptr;
    return n_layers;
}

/** Make rows of a tile in scratch memory, and quantise them. first: index of the band's first sample in each output */
ter_status fill_band(cuda_state *cuda, const ter_world *world, const ter_tile &band, const ter_tile_layout &place,
                     const ter_u16_layers &out, size_t first, cudaStream_t stream)
{
    const size_t width = (size_t)place.width, floats = width * (size_t)place.height;
    ter_tile_layout packed = {};
    packed.width = place.width;
    packed.height = place.height;
    packed.row_stride = width;
    ter_layers made = {};
    float *next = (float *)cuda->fluvial.heights.at;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (out.at[layer]) {
            made.at[layer] = next;
            next += floats;
        }
    ter_status status = fill_layers_device(cuda, world, {&band, 1, &packed}, made, stream);
    for (int layer = 0; layer < TER_LAYER_COUNT && status == TER_OK; layer++)
        if (out.at[layer])
            status = quantise_rows(made.at[layer], width, place, {nullptr, out.at[layer] + first, out.quantiser[layer]},
                                   stream);
    return status;
}

ter_status fill_by_scratch(cuda_state *cuda, const ter_world *world, const tile_list &list, const ter_u16_layers &out,
                           cudaStream_t stream)
{
    const ter_tile_layout &layout = *list.layout;
    const size_t row_floats = (size_t)layout.width * (size_t)count_layers(out);
    const size_t fitting = SCRATCH_FLOATS / row_floats > 0 ? SCRATCH_FLOATS / row_floats : 1;
    const size_t rows_max = fitting < (size_t)layout.height ? fitting : (size_t)layout.height;
    TER_CUDA(cudaStreamWaitEvent(stream, cuda->scratch_is_free, 0));
    ter_status status = reserve(&cuda->fluvial.heights, rows_max * row_floats * sizeof(float));
    for (size_t n = 0; n < list.count; n++)
        for (size_t row = 0; row < (size_t)layout.height && status == TER_OK; row += rows_max) {
            const size_t left = (size_t)layout.height - row;
            const ter_tile band = {list.tiles[n].level, list.tiles[n].i, list.tiles[n].j + (int64_t)row};
            ter_tile_layout place = layout;
            place.height = (int)(left < rows_max ? left : rows_max);
            status = fill_band(cuda, world, band, place, out,
                               list.slot(n) * layout.slot_stride + row * layout.row_stride, stream);
        }
    if (status == TER_OK)
        TER_CUDA(cudaEventRecord(cuda->scratch_is_free, stream));
    return status;
}

} // namespace

ter_status ter_cuda::fill_u16_device(cuda_state *cuda, const ter_world *world, const tile_list &list,
                                     const ter_u16_layers &out, cudaStream_t stream)
{
    TER_CUDA(cudaSetDevice(cuda->device));
    const bool is_in_registers = cuda->method == TER_METHOD_TILED && is_quantised_in_registers(world);
    return is_in_registers ? fill_device(cuda, world, list,
                                         {nullptr, out.at[TER_LAYER_HEIGHT], out.quantiser[TER_LAYER_HEIGHT]}, stream)
                           : fill_by_scratch(cuda, world, list, out, stream);
}
