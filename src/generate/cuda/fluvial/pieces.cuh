/* pieces.cuh - the pieces of channels of the method tiled. */
#ifndef TER_GENERATE_CUDA_FLUVIAL_PIECES_CUH
#define TER_GENERATE_CUDA_FLUVIAL_PIECES_CUH

#include "generate/cuda/fluvial/launch.cuh"

namespace ter_cuda
{

/** The pieces of the channels, and the bounds of those of each cell. Errors TER_EDEVICE */
ter_status run_bounded_pieces(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
