/* fluvial.cu - fills tiles of fluvial worlds: sorts them by the kind of their samples, and makes points by the methods
 * `single-pass` and `recursive`. These methods launch the passes of the definition for many blocks together: small
 * blocks or large ones.
 */
#include "library/fluvial/cuda/fluvial.h"

#include "library/fluvial/blur.h"
#include "library/fluvial/climate_layers.h"
#include "library/fluvial/cuda/block_groups.cuh"
#include "library/fluvial/cuda/climate.cuh"
#include "library/fluvial/cuda/extents.cuh"
#include "library/fluvial/cuda/fine.cuh"
#include "library/fluvial/cuda/guides.cuh"
#include "library/fluvial/cuda/overview.cuh"
#include "library/fluvial/cuda/cover.cuh"

using namespace ter_cuda;

namespace
{

/** Side of a block, in samples. */
int side_of_single_pass(int lod)
{
    return lod < 8 ? 16 : 4;
}

int side_of_recursive(int lod)
{
    constexpr int sides[] = {4096, 4096, 2048, 1024, 1024, 512, 512, 512, 256, 256};
    return sides[lod];
}

void plan_block_points(const ter_fluvial *f, const fluvial_block &block, ter_arena *arena, ter_fluvial_job *job)
{
    ter_plan_points(f, block.points, arena, job);
    ter_plan_cover(job);
    ter_place_cover(arena, 2, job);
}

/** Make samples from plans: run the passes for places, channels, pieces, ground, gullies, heights and samples. */
ter_status run_passes(const fluvial_jobs &jobs, const ter_fluvial_output *outputs)
{
    ter_status status = TER_OK;
    for (ter_status (*run)(const fluvial_jobs &) :
         {run_places, run_channels, run_pieces, run_ground, run_gullies, run_heights})
        if (status == TER_OK)
            status = run(jobs);
    if (status == TER_OK)
        status = run_samples(jobs, outputs);
    return status == TER_OK ? run_cover(jobs, outputs, sizeof *outputs) : status;
}

ter_status fill_by_passes(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                          cudaStream_t stream)
{
    constexpr group_steps STEPS = {plan_block_points, find_extents, ter_plan_network, run_passes};
    std::vector<fluvial_block> blocks;
    for (size_t n = 0; n < list.count; n++)
        cut_tile(world, list, n, out, cuda->method == TER_METHOD_SINGLE_PASS ? side_of_single_pass : side_of_recursive,
                 &blocks);
    return fill_in_groups(&cuda->fluvial, world, blocks, STEPS, stream);
}

/** Fail while the stream records a graph. */
ter_status check_capture(cudaStream_t stream)
{
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    TER_CUDA(cudaStreamIsCapturing(stream, &capture));
    return capture == cudaStreamCaptureStatusNone
               ? TER_OK
               : ter_fail(
                     TER_EINVAL,
                     "a world of basis fluvial while the stream records a graph, expected one of another basis: its "
                     "windows are planned while it is made");
}

/** Fill tiles whose samples are points, by the generator's method. */
ter_status fill_points(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                       cudaStream_t stream)
{
    return cuda->method == TER_METHOD_TILED ? fill_fluvial_tiled(cuda, world, list, out, stream)
                                            : fill_by_passes(cuda, world, list, out, stream);
}

/** Kinds of samples. Each level of detail has one kind. */
enum { FINE, POINTS, MEANS, OVERVIEWS, KINDS };

int kind_of(const ter_fluvial *world, const ter_tile &tile)
{
    const int lod = world->levels - tile.level;
    return lod < 0 ? FINE : lod < TER_BLUR_LOD ? POINTS : lod == TER_BLUR_LOD ? MEANS : OVERVIEWS;
}

/** Fill tiles of one kind. */
ter_status fill_kind(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                     cudaStream_t stream, int kind)
{
    return kind == FINE     ? fill_fine(cuda, world, list, out, stream, fill_points)
           : kind == POINTS ? fill_points(cuda, world, list, out, stream)
           : kind == MEANS  ? fill_blurred(cuda, world, list, out, stream, fill_points)
                            : fill_overviews(cuda, world, list, out, stream);
}

/** Fill the tiles of a call, kind by kind. */
ter_status fill_kinds(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list, const ter_layers &out,
                      cudaStream_t stream)
{
    ter_status status = TER_OK;
    for (int kind = 0; kind < KINDS && status == TER_OK; kind++) {
        std::vector<ter_tile> tiles;
        std::vector<uint32_t> slots;
        for (size_t n = 0; n < list.count; n++)
            if (kind_of(world, list.tiles[n]) == kind) {
                tiles.push_back(list.tiles[n]);
                slots.push_back((uint32_t)list.slot(n));
            }
        ter_tile_layout layout = *list.layout;
        layout.slots = slots.data();
        if (tiles.size() == list.count) /* the original list: its slots may need more than 32 bits */
            return fill_kind(cuda, world, list, out, stream, kind);
        if (!tiles.empty())
            status = fill_kind(cuda, world, {tiles.data(), tiles.size(), &layout}, out, stream, kind);
    }
    return status;
}

/** Add the layers to those of a call that the cover of the ground needs but the call does not want. */
ter_status reserve_needed(fluvial_memory *memory, const ter_fluvial *world, const tile_list &list, ter_layers *land)
{
    ter_layer needed[TER_COVER_NEEDS];
    const int n_needed = list.count > 0 ? ter_cover_needs(world, land->at, needed) : 0;
    if (n_needed == 0)
        return TER_OK;
    const ter_tile_layout &layout = *list.layout;
    size_t last = 0;
    for (size_t n = 0; n < list.count; n++)
        last = list.slot(n) > last ? list.slot(n) : last;
    const size_t samples =
        last * layout.slot_stride + (size_t)(layout.height - 1) * layout.row_stride + (size_t)layout.width;
    const ter_status status = reserve(&memory->under_cover, (size_t)n_needed * samples * sizeof(float));
    for (int n = 0; n < n_needed; n++)
        land->at[needed[n]] = (float *)memory->under_cover.at + (size_t)n * samples;
    return status;
}

} // namespace

ter_status ter_cuda::fill_fluvial(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                                  const ter_layers &out, cudaStream_t stream)
{
    ter_status status = check_capture(stream);
    if (status != TER_OK)
        return status;
    TER_CUDA(cudaSetDevice(cuda->device));
    TER_CUDA(cudaStreamWaitEvent(stream, cuda->scratch_is_free, 0));
    ter_fluvial on_device;
    status = guided_on_device(&cuda->fluvial, world, stream, &on_device);
    ter_layers land = ter_land_of(&out);
    if (status == TER_OK)
        status = reserve_needed(&cuda->fluvial, world, list, &land);
    if (status == TER_OK)
        status = fill_kinds(cuda, &on_device, list, land, stream);
    if (status == TER_OK && ter_first_of_climate(&out) < TER_LAYER_COUNT)
        status = fill_climate(&cuda->fluvial, &on_device, list, land.at[TER_LAYER_HEIGHT], out, stream);
    if (status == TER_OK)
        TER_CUDA(cudaEventRecord(cuda->scratch_is_free, stream));
    return status;
}
