/* places.cuh - makes the warp at the points of blocks; method `tiled`. */
#ifndef TERRANE_FLUVIAL_CUDA_PLACES_CUH
#define TERRANE_FLUVIAL_CUDA_PLACES_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

/** Make the knots of all octaves of the warp. Errors TER_EDEVICE */
ter_status run_knots(const fluvial_jobs &jobs);

/** As run_places, but faster: knots, the warp at the points of all grounds, and the last lattice of ter_place_plan. The
 * lattices between are not stored. Errors TER_EDEVICE */
ter_status run_tiled_places(const fluvial_jobs &jobs);

} // namespace ter_cuda

#endif
