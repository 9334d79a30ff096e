/* pieces.cuh - the pieces of channels of the method tiled. */
#ifndef TER_GENERATE_CUDA_FLUVIAL_PIECES_CUH
#define TER_GENERATE_CUDA_FLUVIAL_PIECES_CUH

#include "generate/cuda/fluvial/wanted.cuh"

namespace ter_cuda
{

/** The pieces of the channels, and the bounds of those of each cell, where they are wanted; elsewhere no cell has a river.
 *
 *  wanted  of each network, device memory; NULL: everywhere
 *  Errors  TER_EDEVICE
 */
ter_status run_bounded_pieces(const fluvial_jobs &jobs, const wanted_tiles *wanted);

} // namespace ter_cuda

#endif
