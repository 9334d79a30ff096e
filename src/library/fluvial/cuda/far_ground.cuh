/* far_ground.cuh - makes the ground where points lie so far apart that they share no list of pieces; method `tiled`. */
#ifndef TERRANE_FLUVIAL_CUDA_FAR_GROUND_CUH
#define TERRANE_FLUVIAL_CUDA_FAR_GROUND_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** Make the ground of all blocks on lattices with a spacing above LISTED_STEP. Errors TER_EDEVICE */
ter_status run_far_ground(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
