/* heights.cuh - heights below 8 m, of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_HEIGHTS_CUH
#define TERRANE_FLUVIAL_CUDA_HEIGHTS_CUH

#include "library/fluvial/cuda/samples.cuh"

namespace ter_cuda
{

/** Heights of blocks of one level of detail, 0 to 2, from their points 8 m apart.
 *
 *  outputs  where tiles of samples are marked, heights go to the height layer: finished where a tile is dry, without
 * rivers and beaches elsewhere. Without marks all of them go to scratch memory, without rivers and beaches. Errors
 * TER_EDEVICE
 */
ter_status run_fine_heights(const fluvial_jobs &jobs, const block_output *outputs, int lod);

/** Heights of the dry tiles of blocks of levels of detail 3 and 4, which are the jobs' own with beaches. */
ter_status run_dry_heights(const fluvial_jobs &jobs, const block_output *host_outputs, const block_output *outputs);

} // namespace ter_cuda

#endif
