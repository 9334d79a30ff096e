/* heights.cuh - makes heights at spacings below 16 m; method `tiled`. */
#ifndef TERRANE_FLUVIAL_CUDA_HEIGHTS_CUH
#define TERRANE_FLUVIAL_CUDA_HEIGHTS_CUH

#include "library/fluvial/cuda/samples.cuh"

namespace ter_cuda
{

constexpr int FORMED_STEP = 4; /* m; finest spacing with rills. A second launch makes finer points from these */

/** Index in ter_fluvial_job.fine of the first lattice with a spacing of `step` metres or more. */
inline __host__ __device__ int first_lattice(const ter_fluvial_job *job, int step)
{
    int n = 0;
    while (job->fine[n].step < step)
        n++;
    return n;
}

/* If block_output.is_wet marks the wet tiles, heights of samples are stored in the height layer. Heights of dry tiles
 * are then final; heights of wet tiles still lack rivers and beaches. Without marks, all heights are stored in scratch
 * memory and lack rivers and beaches. Errors of all functions: TER_EDEVICE */

/** Make heights at points of FORMED_STEP from those at points of TER_FORM_STEP. Blocks are of levels of detail 0 to 2.
 */
ter_status run_formed_heights(const fluvial_jobs &jobs, const block_output *outputs);

/** Make the heights of the samples of blocks of one level of detail, 0 to 3, from those at points of FORMED_STEP; at
 * level 3, from those at points of TER_FORM_STEP. At level 2 nothing is left to do. */
ter_status run_fine_heights(const fluvial_jobs &jobs, const block_output *outputs, int lod);

/** Finish the dry tiles of blocks of level of detail 4: store the heights of the jobs, with beaches. */
ter_status run_dry_heights(const fluvial_jobs &jobs, const block_output *host_outputs, const block_output *outputs);

} // namespace ter_cuda

#endif
