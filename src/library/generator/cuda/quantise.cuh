/* quantise.cuh - converts floats in device memory to 16-bit samples. */
#ifndef TERRANE_GENERATOR_CUDA_QUANTISE_CUH
#define TERRANE_GENERATOR_CUDA_QUANTISE_CUH

#include "library/generator/cuda/fill.cuh"

namespace ter_cuda
{

/** Whether kernels can quantise the heights of a world in registers, because nothing is added to the heights later. */
inline bool is_quantised_in_registers(const ter_world *world)
{
    return world->params.basis != TER_BASIS_FLUVIAL && !(world->field.craters.age > 0.0f);
}

/** Quantise rows of floats, `stride` floats apart, to samples of a layout. */
ter_status quantise_rows(const float *values, size_t stride, const ter_tile_layout &layout, const sample_memory &out,
                         cudaStream_t stream);

/** Queue the making of layers of tiles as 16-bit samples on a stream. With method `tiled`, kernels of bases midpoint
 * and smooth quantise heights without craters in registers; otherwise floats are made in scratch memory and then
 * quantised. Errors TER_ENOMEM, TER_EDEVICE */
ter_status fill_u16_device(cuda_state *cuda, const ter_world *world, const tile_list &list, const ter_u16_layers &out,
                           cudaStream_t stream);

} // namespace ter_cuda

#endif
