/* segments.cuh - the pieces of channels of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_SEGMENTS_CUH
#define TERRANE_FLUVIAL_CUDA_SEGMENTS_CUH

#include "library/fluvial/cuda/sparse_mask.cuh"

namespace ter_cuda
{

/** The pieces of the channels, and the bounds of those of each cell, where they are wanted; elsewhere no cell has a
 * river.
 *
 *  wanted  of each network, device memory; NULL: everywhere
 *  Errors  TER_EDEVICE
 */
ter_status run_bounded_pieces(const fluvial_jobs &jobs, const wanted_tiles *wanted);

} // namespace ter_cuda

#endif
