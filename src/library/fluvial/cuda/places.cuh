/* places.cuh - the warp at the points of blocks, of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_PLACES_CUH
#define TERRANE_FLUVIAL_CUDA_PLACES_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** Knots of all octaves of the warp. Errors TER_EDEVICE */
ter_status run_knots(const fluvial_jobs &jobs);

/** run_places, rows of points at once: knots, the warp at the points of all grounds, and the places between which
 * samples lie, of ter_place_plan the last lattice alone. Errors TER_EDEVICE */
ter_status run_tiled_places(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
