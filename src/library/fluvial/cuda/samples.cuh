/* samples.cuh - makes samples from heights: applies rivers, lakes and beaches, and stores layers; method `tiled`. */
#ifndef TERRANE_FLUVIAL_CUDA_SAMPLES_CUH
#define TERRANE_FLUVIAL_CUDA_SAMPLES_CUH

#include "library/fluvial/cuda/launch.cuh"

namespace ter_cuda
{

constexpr int SAMPLE_TILE = 16; /* samples of a tile, in each direction; tiles begin at multiples of it in the world */

/** Whether samples of a spacing get their heights from run_fine_heights, which stores them in the height layer. step: m
 */
inline __host__ __device__ bool is_fused(int step)
{
    return step < TER_FORM_STEP;
}

/** Output of a block, and its intermediate heights in scratch memory. Rows in scratch memory have no gaps. */
struct block_output {
    ter_fluvial_output samples;
    unsigned char *is_wet; /* one for each tile, row by row: whether rivers may change it. NULL: tiles are not marked,
                              and all are finished from heights in scratch */
    float *formed;         /* scratch: heights at points of 4 m, from which points of 2 and 1 m are made */
    float *fine;           /* scratch: heights of samples at spacings below 16 m; NULL if tiles are marked */
    int tiles_x, tiles_y;  /* columns and rows of tiles */
};

constexpr int RIVERS_OF_TILE = 12; /* greatest number of reaches of rivers that a wet_tile lists */

/** A wet tile, which rivers may change, and the reaches of these rivers in the order of their nodes. */
struct wet_tile {
    int block, tile;           /* index in the batch; index in the block */
    int count;                 /* number of reaches; more than RIVERS_OF_TILE: they are not listed */
    int reach[RIVERS_OF_TILE]; /* indices in ter_fluvial_job.reach */
};

/** Number of columns or rows of tiles over the `count` samples that begin with sample `first`. */
inline __host__ __device__ int tiles_across(int64_t first, int count)
{
    return (int)(((first + count - 1) >> 4) - (first >> 4)) + 1;
}

/** Mark the wet tiles of blocks of levels of detail 0 to 4 in block_output.is_wet, and list them.
 *
 *  list    receives the wet tiles in any order; room for all tiles of all blocks
 *  count   receives their number; device memory, as list
 *  Errors  TER_EDEVICE
 */
ter_status run_mark_tiles(const fluvial_jobs &jobs, const block_output *host_outputs, const block_output *outputs,
                          wet_tile *list, int *count);

/** Finish the heights of the listed tiles. At spacings below 16 m they are read from the height layer, otherwise from
 * the jobs. Errors TER_EDEVICE */
ter_status run_finish_listed(const fluvial_jobs &jobs, const block_output *outputs, const wet_tile *list,
                             const int *count);

/** Finish all layers of all tiles, from heights in scratch memory. Errors TER_EDEVICE */
ter_status run_finish_all(const fluvial_jobs &jobs, const block_output *host_outputs, const block_output *outputs);

} // namespace ter_cuda

#endif
