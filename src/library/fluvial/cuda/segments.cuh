/* segments.cuh - makes the pieces of channels; method `tiled`. */
#ifndef TERRANE_FLUVIAL_CUDA_SEGMENTS_CUH
#define TERRANE_FLUVIAL_CUDA_SEGMENTS_CUH

#include "library/fluvial/cuda/sparse_mask.cuh"

namespace ter_cuda
{

/** Make the pieces of the channels, and the bounds of the pieces of each cell. Cells outside of the masks get no
 * pieces.
 *
 *  masks   one mask for each network, in device memory; NULL: all cells are made
 *  Errors  TER_EDEVICE
 */
ter_status run_bounded_pieces(const fluvial_jobs &jobs, const tile_mask *masks);

} // namespace ter_cuda

#endif
