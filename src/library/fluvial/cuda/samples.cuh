/* samples.cuh - from heights to samples: rivers, lakes, beaches, layers; of the method tiled. */
#ifndef TERRANE_FLUVIAL_CUDA_SAMPLES_CUH
#define TERRANE_FLUVIAL_CUDA_SAMPLES_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

constexpr int SAMPLE_TILE = 16; /* samples of a tile, in each direction; tiles begin at multiples of it in the world */

/** Whether heights of samples so far apart come from points of TER_FORM_STEP by run_fine_heights. step: m */
inline __host__ __device__ bool is_fused(int step)
{
    return step < TER_FORM_STEP;
}

/** Where the samples of a block go, and which of its tiles rivers may change. */
struct block_output {
    ter_fluvial_output samples;
    unsigned char *is_wet; /* one a tile, row by row; NULL: all tiles are finished, from heights in scratch memory */
    float *formed;         /* scratch: heights at points of 4 m, from which those 2 and 1 m apart are made */
    float *fine;           /* scratch: heights of samples less than 16 m apart, row by row; NULL: of marked tiles */
    int tiles_x, tiles_y;
};

constexpr int RIVERS_OF_TILE = 10; /* pieces of rivers that a marked tile holds */

/** A tile of samples to finish, and the pieces of rivers near it in the order of their nodes. */
struct wet_tile {
    int block, tile;
    int count; /* of the pieces; where it is more than RIVERS_OF_TILE, those are not listed */
    int piece[RIVERS_OF_TILE];
};

/** Rows and columns of tiles that a block's samples lie in. */
inline __host__ __device__ int tiles_across(int64_t first, int count)
{
    return (int)(((first + count - 1) >> 4) - (first >> 4)) + 1;
}

/** Find the wet tiles of blocks of levels of detail 0 to 4.
 *
 *  list   receives them, in any order; room for all tiles of all blocks
 *  count  their number, device memory
 */
ter_status run_mark_tiles(const fluvial_jobs &jobs, const block_output *host_outputs, const block_output *outputs,
                          wet_tile *list, int *count);

/** Finish the heights of the listed tiles: below 16 m from what lies in the height layer, else from the jobs' own. */
ter_status run_finish_listed(const fluvial_jobs &jobs, const block_output *outputs, const wet_tile *list,
                             const int *count);

/** Finish all tiles, from heights in scratch memory. */
ter_status run_finish_all(const fluvial_jobs &jobs, const block_output *host_outputs, const block_output *outputs);

} // namespace ter_cuda

#endif
