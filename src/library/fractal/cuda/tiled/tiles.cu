/* tiles.cu - method `tiled` for any batch: a block of threads makes its tile's coarse levels in shared memory, then
 * its threads make the tile in patches of 4 x 4 points. Each thread goes down a column of patches and keeps the parent
 * rows that the next patch also needs. */
#include "library/core/cuda/overlapped_launch.cuh"
#include "library/fractal/cuda/tiled/descend.cuh"
#include "library/fractal/cuda/tiled/tiled.h"

namespace
{

constexpr int THREADS = 128;
/* Largest tile, in patches: one lane per column, and one lane for the border of basis midpoint. */
constexpr int TILE_COLUMNS = 31;
constexpr int TILE_ROWS = 32;
constexpr int SMALL_COLUMNS = 15, SMALL_ROWS = 16; /* used if large tiles would leave multiprocessors idle */

/** Tile geometry of a launch. */
struct geometry {
    int n_tiles_i, n_tiles_j; /* blocks of threads that make one tile of the batch, across and down */
    descent tile;
    patch_split split; /* of the tile itself */
    bool is_aligned;
};

template <int BASIS, int VALLEY, class SAMPLE>
__global__ void __launch_bounds__(THREADS)
    patches_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch,
                   const __grid_constant__ geometry g)
{
    extern __shared__ float4 shared[];
    let_next_kernel_start();
    const descent_memory memory = place_descent(g.tile, (float *)shared);
    const ter_cuda_tile &tile = batch.tiles[blockIdx.z];
    const int64_t i = (tile.i & ~INT64_C(3)) + (int64_t)blockIdx.x * g.tile.width;
    const int64_t j = (tile.j & ~INT64_C(3)) + (int64_t)blockIdx.y * g.tile.height;
    if (tile.level > 0)
        descend<BASIS, VALLEY, THREADS>(f, g.tile, memory, tile.level, i, j);
    patches p;
    p.ib = i >> 2;
    p.jb = j >> 2;
    p.split = g.split;
    p.above = tile.level > 0 ? parent_of<BASIS>(memory, i, j, i, j) : nullptr;
    p.pitch = memory.above.pitch;

    wait_for_previous_kernel();
    const int column = (int)(i - tile.i), row = (int)(j - tile.j);
    SAMPLE *out = output_of<SAMPLE>(batch) + tile.slot * batch.slot_stride;
    if (g.is_aligned && column >= 0 && row >= 0 && column % 4 == 0 && column + g.tile.width <= batch.width &&
        row + g.tile.height <= batch.height) {
        const inner_sink<SAMPLE> sink = {out + (size_t)row * batch.row_stride + column, batch.row_stride,
                                         batch.quantiser};
        make_patches<BASIS, VALLEY, THREADS, true>(f, tile.level, p, sink);
    } else {
        const clipped_sink<SAMPLE> sink = {out, batch.row_stride, batch.quantiser, batch.width, batch.height, column,
                                           row};
        make_patches<BASIS, VALLEY, THREADS, true>(f, tile.level, p, sink);
    }
}

geometry make_geometry(const ter_field *f, const ter_cuda_batch *batch, int n_multiprocessors)
{
    const int before = batch->is_origin_aligned ? 0 : 3; /* a patch begins at most this many points before its tile */
    const int n_columns = divide_up(batch->width + before, 4), n_rows = divide_up(batch->height + before, 4);
    int columns = TILE_COLUMNS, rows = TILE_ROWS;
    if (divide_up(n_columns, columns) * divide_up(n_rows, rows) * (int64_t)batch->count < 2 * n_multiprocessors &&
        (n_columns > columns || n_rows > rows)) {
        columns = SMALL_COLUMNS;
        rows = SMALL_ROWS;
    }
    geometry g = {};
    g.n_tiles_i = divide_up(n_columns, columns);
    g.n_tiles_j = divide_up(n_rows, rows);
    g.tile = make_descent(f->basis, THREADS, 4 * divide_up(n_columns, g.n_tiles_i), 4 * divide_up(n_rows, g.n_tiles_j));
    g.split = make_patch_split(f->basis, THREADS, g.tile.width / 4, g.tile.height / 4, true);
    g.is_aligned = ter_batch_is_aligned(*batch);
    return g;
}

template <int BASIS, int VALLEY, class SAMPLE>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    int n_multiprocessors = 0;
    const ter_status status = find_attribute(cudaDevAttrMultiProcessorCount, &n_multiprocessors);
    if (status != TER_OK)
        return status;
    const geometry g = make_geometry(f, batch, n_multiprocessors);
    const dim3 blocks((unsigned)g.n_tiles_i, (unsigned)g.n_tiles_j, (unsigned)batch->count);
    return launch_overlapped(patches_kernel<BASIS, VALLEY, SAMPLE>, blocks, THREADS, descent_bytes(g.tile), stream, *f,
                             *batch, g);
}

template <int BASIS, int VALLEY> ter_status launch(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    return (batch->out_u16 ? launch<BASIS, VALLEY, uint16_t> : launch<BASIS, VALLEY, float>)(f, batch, stream);
}

} // namespace

ter_status ter_patches(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    if (f->basis == TER_BASIS_SMOOTH)
        return (f->is_valley ? launch<TER_BASIS_SMOOTH, 1> : launch<TER_BASIS_SMOOTH, 0>)(f, batch, stream);
    return (f->is_valley ? launch<TER_BASIS_MIDPOINT, 1> : launch<TER_BASIS_MIDPOINT, 0>)(f, batch, stream);
}
