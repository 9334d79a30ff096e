/* reaches.cuh - makes the reaches of beds; method `tiled`. */
#ifndef TERRANE_FLUVIAL_CUDA_REACHES_CUH
#define TERRANE_FLUVIAL_CUDA_REACHES_CUH

#include "library/fluvial/cuda/batch.cuh"

namespace ter_cuda
{

/** Make the reaches of all cells with a brook, and the box of the reaches of each. run_bounded_pieces comes first.
 *
 *  Errors  TER_EDEVICE
 */
ter_status run_reaches(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
