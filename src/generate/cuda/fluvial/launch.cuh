/* launch.cuh - the launches that blocks of fluvial worlds go through. */
#ifndef TER_GENERATE_CUDA_FLUVIAL_LAUNCH_CUH
#define TER_GENERATE_CUDA_FLUVIAL_LAUNCH_CUH

#include <vector>

#include "generate/cuda/state.cuh"
#include "world/fluvial/passes.h"

namespace ter_cuda
{

constexpr int FEW_POINTS = 16; /* somebody asks about a place: no array has so few */

/** Blocks that go through the passes together: a row of the grid is a block. */
struct fluvial_jobs {
    const ter_fluvial_job *host;   /* `count` plans */
    const ter_fluvial_job *device; /* the same, uploaded */
    int count;
    cudaStream_t stream;
};

/** The greatest of some counts of each block, 0 without a block; count_of(n): of block n. */
template <class Count> int greatest_of(const fluvial_jobs &jobs, Count count_of)
{
    int most = 0;
    for (int n = 0; n < jobs.count; n++) {
        const int count = count_of(n);
        most = count > most ? count : most;
    }
    return most;
}

/* Passes of world/fluvial/passes.h. Blocks of several levels of detail may be mixed. Errors TER_EDEVICE */

/** The warp at the points of all grounds. */
ter_status run_places(const fluvial_jobs &jobs);

/** From provinces to the channels of the last level and the slopes beside them. */
ter_status run_channels(const fluvial_jobs &jobs);

/** The pieces of the channels, every one by its definition. */
ter_status run_pieces(const fluvial_jobs &jobs);

/** Where rivers are near. */
ter_status run_rivers(const fluvial_jobs &jobs);

/** The ground, every point by its definition. */
ter_status run_ground(const fluvial_jobs &jobs);

/** Gullies, and the heights with them down to 8 m. */
ter_status run_gullies(const fluvial_jobs &jobs);

/** Gullies down to 16 m of blocks that have points of 8 m: all but the last octave's own points. */
ter_status run_coarse_gullies(const fluvial_jobs &jobs);

/** Heights below 8 m, every point by its definition; blocks of one level of detail. */
ter_status run_heights(const fluvial_jobs &jobs);

/** Samples, every one by its definition. outputs: device memory */
ter_status run_samples(const fluvial_jobs &jobs, const ter_fluvial_output *outputs);

} // namespace ter_cuda

#endif
