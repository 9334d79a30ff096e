/* launch.cuh - the launches that blocks of fluvial worlds go through. */
#ifndef TERRANE_FLUVIAL_CUDA_LAUNCH_CUH
#define TERRANE_FLUVIAL_CUDA_LAUNCH_CUH

#include "library/fluvial/cuda/batch.cuh"

namespace ter_cuda
{

constexpr int FEW_POINTS = 16; /* somebody asks about a place: no array has so few */

/* Passes of library/fluvial/passes.h. Blocks of several levels of detail may be mixed. Errors TER_EDEVICE */

/** The warp at the points of all grounds, and at the points between which samples lie. */
ter_status run_places(const fluvial_jobs &jobs);

/** From provinces to the channels of the last level and the slopes beside them. */
ter_status run_channels(const fluvial_jobs &jobs);

/** The pieces of the channels, every one by its definition. */
ter_status run_pieces(const fluvial_jobs &jobs);

/** The ground, every point by its definition. */
ter_status run_ground(const fluvial_jobs &jobs);

/** Gullies, and the heights with them down to 8 m. */
ter_status run_gullies(const fluvial_jobs &jobs);

/** Heights below 8 m, every point by its definition; blocks of one level of detail. */
ter_status run_heights(const fluvial_jobs &jobs);

/** Samples, every one by its definition. outputs: device memory */
ter_status run_samples(const fluvial_jobs &jobs, const ter_fluvial_output *outputs);

} // namespace ter_cuda

#endif
