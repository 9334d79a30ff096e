/* gullies.cuh - heights at 8 m with the last octave of gullies, of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_GULLIES_CUH
#define TERRANE_FLUVIAL_CUDA_GULLIES_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

constexpr int GULLIED_LODS = 4; /* levels of detail that have points of 8 m */

/** The last octave at points of 8 m, and the heights there, of blocks of levels of detail below GULLIED_LODS whose
 * gullies have been made to 16 m. Errors TER_EDEVICE */
ter_status run_gullied_heights(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
