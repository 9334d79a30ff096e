/* block_groups.cuh - makes blocks in groups, whose size is limited by a target for device memory. Blocks of a group go
 * through the passes together, one launch for each pass. */
#ifndef TERRANE_FLUVIAL_CUDA_BLOCK_GROUPS_CUH
#define TERRANE_FLUVIAL_CUDA_BLOCK_GROUPS_CUH

#include <vector>

#include "library/fluvial/cuda/blocks.cuh"

namespace ter_cuda
{

/** How blocks of one kind are planned and made. */
struct group_steps {
    /** First part of a block's plan. */
    void (*plan_points)(const ter_fluvial *f, const fluvial_block &block, ter_arena *arena, ter_fluvial_job *job);
    /** Find the window of cells in which the places of a block lie, for each block. The host waits for the device.
     *
     *  edges  device memory for one cell_edges per block
     *  cells  receives one window per block
     */
    ter_status (*find_cells)(const fluvial_jobs &jobs, void *edges, ter_window *cells);
    /** Second part of a block's plan. */
    void (*plan_network)(ter_window cells, ter_arena *arena, ter_fluvial_job *job);
    /** Make the samples. outputs: one per block, in device memory */
    ter_status (*run)(const fluvial_jobs &jobs, const ter_fluvial_output *outputs);
};

/** Make blocks. A group has consecutive blocks of one level of detail. Its scratch memory belongs to the generator, so
 * a call waits for the call before it. Errors TER_ENOMEM, TER_EDEVICE */
ter_status fill_in_groups(fluvial_memory *memory, const ter_fluvial *f, const std::vector<fluvial_block> &blocks,
                          const group_steps &steps, cudaStream_t stream);

} // namespace ter_cuda

#endif
