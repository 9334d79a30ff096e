/* extents.cuh - cells of the network that blocks of fluvial worlds lie over. */
#ifndef TER_GENERATE_CUDA_FLUVIAL_EXTENTS_CUH
#define TER_GENERATE_CUDA_FLUVIAL_EXTENTS_CUH

#include <vector>

#include "generate/cuda/fluvial/launch.cuh"

namespace ter_cuda
{

/** Cells of the last level in which all places of each block lie; waits for them.
 *
 *  jobs   with the knots of the warp placed; they are made
 *  edges  device memory of fluvial_extents_bytes(count)
 *  cells  one window a block
 *  Errors TER_EDEVICE
 */
ter_status find_extents(const fluvial_jobs &jobs, void *edges, ter_window *cells);
size_t fluvial_extents_bytes(size_t count);

/** One window for all of some blocks of a few samples, those of a probe, found on the host: no device is waited for. Returns false
 *  where blocks are larger or lie far apart.
 *
 *  memory  extents of the calls before are taken from it; it receives these, with a margin, where those do not reach so far
 */
bool find_extents_of_few(const std::vector<ter_fluvial_job> &jobs, fluvial_memory *memory, ter_window *cells);

} // namespace ter_cuda

#endif
