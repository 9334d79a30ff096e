/* launch.cuh - launches the passes of the definition for a batch of blocks. */
#ifndef TERRANE_FLUVIAL_CUDA_LAUNCH_CUH
#define TERRANE_FLUVIAL_CUDA_LAUNCH_CUH

#include "library/fluvial/cuda/batch.cuh"

namespace ter_cuda
{

constexpr int FEW_POINTS = 16; /* a block with at most this many samples comes from a probe, not from an array */

/* Passes of library/fluvial/passes.h. A batch may mix blocks of several levels of detail. Errors TER_EDEVICE */

/** Make the warp at the points of all grounds, and at the points of the places' lattices. */
ter_status run_places(const fluvial_jobs &jobs);

/** Run the passes from the provinces to the channels of the last level and the slopes of their valleys. */
ter_status run_channels(const fluvial_jobs &jobs);

/** Make the pieces of the channels, and the reaches of their beds. */
ter_status run_pieces(const fluvial_jobs &jobs);

/** Make the ground without gullies. */
ter_status run_ground(const fluvial_jobs &jobs);
/** Let the ground follow the drought of the climate, after another kernel than run_ground has made it. */
ter_status run_dry_ground(const fluvial_jobs &jobs);

/** Make the gullies, and the heights with gullies at the coarsest of the fine lattices. */
ter_status run_gullies(const fluvial_jobs &jobs);

/** Make the heights of the finer lattices. All blocks of the batch have one level of detail. */
ter_status run_heights(const fluvial_jobs &jobs);

/** Make the samples. outputs: one per block, in device memory */
ter_status run_samples(const fluvial_jobs &jobs, const ter_fluvial_output *outputs);

} // namespace ter_cuda

#endif
