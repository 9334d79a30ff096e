/* overview.cuh - fills tiles of levels of detail above 8: overviews and means of points. */
#ifndef TERRANE_FLUVIAL_CUDA_OVERVIEW_CUH
#define TERRANE_FLUVIAL_CUDA_OVERVIEW_CUH

#include "library/core/cuda/tile_list.cuh"
#include "library/fluvial/cuda/memory.cuh"

namespace ter_cuda
{

/** A function that fills tiles whose samples are points. */
typedef ter_status fill_points_function(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                                        const ter_layers &out, cudaStream_t stream);

/** Fill tiles of TER_BLUR_LOD, whose samples are means of points.
 *
 *  fill_points  makes the points
 *  Errors       TER_ENOMEM, TER_EDEVICE
 */
ter_status fill_blurred(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                        cudaStream_t stream, fill_points_function *fill_points);

/** Fill tiles of levels of detail from TER_OVERVIEW_LOD on. The method only sets the size of blocks: in every
 * method run_node_levels makes the nodes of the network, and the other steps follow the definition. The host waits
 * until the device has found the cells over which blocks lie. Errors TER_ENOMEM, TER_EDEVICE */
ter_status fill_overviews(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                          cudaStream_t stream);

} // namespace ter_cuda

#endif
