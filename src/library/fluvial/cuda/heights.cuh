/* heights.cuh - heights below 16 m, of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_HEIGHTS_CUH
#define TERRANE_FLUVIAL_CUDA_HEIGHTS_CUH

#include "library/fluvial/cuda/samples.cuh"

namespace ter_cuda
{

constexpr int FORMED_STEP = 4; /* m; points with rills, from which finer ones are made by launches of their own */

/** The lattice of a job whose points are `step` metres apart: an index of ter_fluvial_job.fine. */
inline __host__ __device__ int first_lattice(const ter_fluvial_job *job, int step)
{
    int n = 0;
    while (job->fine[n].step < step)
        n++;
    return n;
}

/* Heights that are samples go where they are wanted: where tiles of samples are marked, to the height layer, finished
 * where a tile is dry, without rivers and beaches elsewhere. Without marks all of them go to scratch memory, without
 * rivers and beaches. Errors TER_EDEVICE */

/** Heights at points of FORMED_STEP, from those of TER_FORM_STEP, of blocks of levels of detail 0 to 2. */
ter_status run_formed_heights(const fluvial_jobs &jobs, const block_output *outputs);

/** Heights of blocks of one level of detail, 0 to 3: from those of FORMED_STEP, or of level 3 from TER_FORM_STEP. At
 * level 2 nothing is left to do. */
ter_status run_fine_heights(const fluvial_jobs &jobs, const block_output *outputs, int lod);

/** Heights of the dry tiles of blocks of level of detail 4, which are the jobs' own with beaches. */
ter_status run_dry_heights(const fluvial_jobs &jobs, const block_output *host_outputs, const block_output *outputs);

} // namespace ter_cuda

#endif
