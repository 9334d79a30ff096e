/* ground.cuh - makes the ground for the method `tiled`. */
#ifndef TERRANE_FLUVIAL_CUDA_GROUND_CUH
#define TERRANE_FLUVIAL_CUDA_GROUND_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** Whether points of a block's ground share lists, because some lattice has a spacing of LISTED_STEP or less. */
bool has_lists(const ter_fluvial_job &job);

/** Make the ground of all blocks on all their lattices. Errors TER_EDEVICE */
ter_status run_listed_ground(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
