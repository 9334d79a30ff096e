/* far_ground.cuh - the ground where points lie so far apart that they share no list of pieces, of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_FAR_GROUND_CUH
#define TERRANE_FLUVIAL_CUDA_FAR_GROUND_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** The ground at those lattices of all blocks whose points lie more than LISTED_STEP metres apart, of the first one
 * with the spline. Errors TER_EDEVICE */
ter_status run_far_ground(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
