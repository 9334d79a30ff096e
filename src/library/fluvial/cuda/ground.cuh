/* ground.cuh - the ground of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_GROUND_CUH
#define TERRANE_FLUVIAL_CUDA_GROUND_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** Whether points of a block's ground share lists: some are near one another. */
bool has_lists(const ter_fluvial_job &job);

/** The ground at all lattices of all blocks, from lists of the pieces that matter. Errors TER_EDEVICE */
ter_status run_listed_ground(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
