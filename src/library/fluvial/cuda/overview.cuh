/* overview.cuh - tiles of levels of detail above 8. */
#ifndef TERRANE_FLUVIAL_CUDA_OVERVIEW_CUH
#define TERRANE_FLUVIAL_CUDA_OVERVIEW_CUH

#include "library/core/cuda/tile_list.cuh"
#include "library/fluvial/cuda/memory.cuh"

namespace ter_cuda
{

/** Fills tiles whose samples are points. */
typedef ter_status fill_points_function(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                                        const ter_layers &out, cudaStream_t stream);

/** Fill tiles of TER_BLUR_LOD, which are means of points.
 *
 *  fill_points  makes these
 *  Errors       TER_EDEVICE
 */
ter_status fill_blurred(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                        cudaStream_t stream, fill_points_function *fill_points);

/** Fill tiles of levels of detail from TER_OVERVIEW_LOD on, in blocks as large as the method has them; all by the
 * definition, but for the nodes of the network. The host waits for the cells that they lie over. Errors TER_EDEVICE */
ter_status fill_overviews(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                          cudaStream_t stream);

} // namespace ter_cuda

#endif
