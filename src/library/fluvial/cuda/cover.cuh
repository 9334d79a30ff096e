/* cover.cuh - makes sand and glaciers, and lays them on samples. */
#ifndef TERRANE_FLUVIAL_CUDA_COVER_CUH
#define TERRANE_FLUVIAL_CUDA_COVER_CUH

#include <vector>

#include "library/fluvial/cuda/batch.cuh"
#include "library/fluvial/cover_plan.h"

namespace ter_cuda
{

/** Queue the making of the climate that the sand and the glaciers of jobs depend on, and store its plans in the jobs,
 * which the caller uploads afterwards. Nothing is done for jobs without them. Errors TER_ENOMEM, TER_EDEVICE */
ter_status take_cover_climate(fluvial_memory *memory, std::vector<ter_fluvial_job> *jobs, cudaStream_t stream);

/** Make the knots of the sand's slow fields. Errors TER_EDEVICE */
ter_status run_sand_fields(const fluvial_jobs &jobs);

/** Make the ice and the sand of jobs, and lay them on their samples. The ground and the samples have been made.
 *
 *  outputs  output of the first job, in device memory
 *  stride   bytes from the output of one job to that of the next
 *  Errors   TER_EDEVICE
 */
ter_status run_cover(const fluvial_jobs &jobs, const ter_fluvial_output *outputs, size_t stride);

} // namespace ter_cuda

#endif
