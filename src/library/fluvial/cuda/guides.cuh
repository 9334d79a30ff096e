/* guides.cuh - copies the tables of guides to device memory. */
#ifndef TERRANE_FLUVIAL_CUDA_GUIDES_CUH
#define TERRANE_FLUVIAL_CUDA_GUIDES_CUH

#include "library/fluvial/cuda/memory.cuh"

namespace ter_cuda
{

/** A world as kernels read it: the tables of its guide, if it has one, are those of a copy in device memory. The last
 * two copies are kept.
 *
 *  out     valid until the next call with another guide
 *  Errors  TER_ENOMEM, TER_EDEVICE
 */
ter_status guided_on_device(fluvial_memory *memory, const ter_fluvial *world, cudaStream_t stream, ter_fluvial *out);

} // namespace ter_cuda

#endif
