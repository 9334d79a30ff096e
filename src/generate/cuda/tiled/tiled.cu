/* tiled.cu - generator `tiled`: a block makes its tile's coarse hierarchy once in shared memory, threads finish the last level
 * in registers and store it; one launch. Large arrays of basis smooth are finished in strips, small ones and batches of tiles in
 * patches; those of basis midpoint are made elsewhere (regions.cu), but near the root, and where heights are so small that
 * they cannot be divided. README.md in this folder tells what was measured.
 */
#include <algorithm>

#include "generate/cuda/overlapped_launch.cuh"
#include "generate/cuda/tiled/strips.cuh"

namespace
{

constexpr int THREADS = 128;     /* of a block that makes a tile in patches */
constexpr int TILE_COLUMNS = 31; /* largest tile, in patches: a lane a column, and one lane for the border of basis midpoint */
constexpr int TILE_ROWS = 32;
constexpr int SMALL_COLUMNS = 15, SMALL_ROWS = 16; /* where large tiles leave multiprocessors idle */

constexpr int STRIP_SIDE_MIN = 1536; /* smaller arrays are sooner done in patches */

/** Tile geometry of a launch. */
struct geometry {
    int n_tiles_i, n_tiles_j; /* blocks that cover one tile of the batch */
    descent tile;
    patch_split split; /* of the tile itself */
    bool is_aligned;
};

template <int BASIS, int VALLEY, class SAMPLE>
__global__ void __launch_bounds__(THREADS)
    tiled_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch,
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
        const inner_sink<SAMPLE> sink = {out + (size_t)row * batch.row_stride + column, batch.row_stride, batch.quantiser};
        make_patches<BASIS, VALLEY, THREADS, true>(f, tile.level, p, sink);
    } else {
        const clipped_sink<SAMPLE> sink = {out, batch.row_stride, batch.quantiser, batch.width, batch.height, column, row};
        make_patches<BASIS, VALLEY, THREADS, true>(f, tile.level, p, sink);
    }
}

/* ---- launch ---- */

geometry make_geometry(const ter_field *f, const ter_cuda_batch *batch, int n_multiprocessors)
{
    const int before = batch->is_origin_aligned ? 0 : 3; /* points between a block's origin and the tile's */
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

/** As few bands of equal strips as cover `rows`. */
strip_bands equal_bands(int rows, int n_turns)
{
    return {{divide_up(rows, band_height(n_turns)), 0}, {n_turns, n_turns}};
}

/** Bands of an array, `across` tiles wide. Strips of many turns share the coarse levels among more points. The array ends with a
 * round of lower bands, which leaves multiprocessors idle for a shorter time; one of a single round has as few turns as fit. */
strip_bands choose_bands(const ter_cuda_batch *batch, int across, int n_multiprocessors)
{
    constexpr int TURNS_MIN = 3, TURNS_LAST = TURNS_MAX / 2;
    const int rows = batch->height + 7, bands_at_once = STRIP_RESIDENT * n_multiprocessors / across;
    if (divide_up(rows, band_height(TURNS_MAX)) > bands_at_once) {
        const int n_first = divide_up(rows - (bands_at_once + 1) * band_height(TURNS_LAST), band_height(TURNS_MAX));
        if (n_first <= 0)
            return equal_bands(rows, TURNS_MAX);
        const int n_last = divide_up(rows - n_first * band_height(TURNS_MAX), band_height(TURNS_LAST));
        return {{n_first, n_last}, {TURNS_MAX, TURNS_LAST}};
    }
    int turns = TURNS_MIN;
    while (divide_up(rows, band_height(turns)) > bands_at_once)
        turns++;
    return equal_bands(rows, turns);
}

template <int VALLEY, class SAMPLE, class CURSOR>
ter_status launch_strips(const ter_field *f, const ter_cuda_batch *batch, int n_multiprocessors, cudaStream_t stream)
{
    const int across = divide_up(batch->width + (int)(batch->tiles[0].i & 3), STRIPS * STRIP_WIDTH);
    const strip_bands bands = choose_bands(batch, across, n_multiprocessors);
    const strip_launch<SAMPLE> s = make_strip_launch<SAMPLE>(*batch, bands);
    const int shared_bytes = std::max(descent_bytes(s.above[0]), descent_bytes(s.above[1]));
    return launch_overlapped(strips_kernel<VALLEY, SAMPLE, CURSOR>, dim3((unsigned)across, (unsigned)(bands.n[0] + bands.n[1])),
                             STRIP_THREADS, shared_bytes, stream, *f, s);
}

/** Whether a batch is one array large enough for strips, and their 32-bit sizes hold it. */
bool is_for_strips(const ter_cuda_batch *batch)
{
    return batch->count == 1 && batch->width >= STRIP_SIDE_MIN && batch->height >= STRIP_SIDE_MIN &&
           batch->level_min >= STRIP_LEVEL_MIN && batch->row_stride <= UINT32_MAX / sizeof(float);
}

template <int BASIS, int VALLEY, class SAMPLE>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    int n_multiprocessors = 0;
    const ter_status status = find_attribute(cudaDevAttrMultiProcessorCount, &n_multiprocessors);
    if (status != TER_OK)
        return status;
    if constexpr (BASIS == TER_BASIS_SMOOTH) {
        if (is_for_strips(batch)) {
            if (ter_batch_is_aligned(*batch) && batch->is_origin_aligned && batch->width % 4 == 0 && batch->height % 4 == 0)
                return launch_strips<VALLEY, SAMPLE, whole_cursor<SAMPLE>>(f, batch, n_multiprocessors, stream);
            return launch_strips<VALLEY, SAMPLE, point_cursor<SAMPLE>>(f, batch, n_multiprocessors, stream);
        }
    }
    const geometry g = make_geometry(f, batch, n_multiprocessors);
    const dim3 blocks((unsigned)g.n_tiles_i, (unsigned)g.n_tiles_j, (unsigned)batch->count);
    return launch_overlapped(tiled_kernel<BASIS, VALLEY, SAMPLE>, blocks, THREADS, descent_bytes(g.tile), stream, *f, *batch, g);
}

template <int BASIS, int VALLEY> ter_status launch(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    return batch->out_u16 ? launch<BASIS, VALLEY, uint16_t>(f, batch, stream) : launch<BASIS, VALLEY, float>(f, batch, stream);
}

} // namespace

ter_status ter_tiled(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    if (f->basis == TER_BASIS_SMOOTH)
        return f->is_valley ? launch<TER_BASIS_SMOOTH, 1>(f, batch, stream) : launch<TER_BASIS_SMOOTH, 0>(f, batch, stream);
    return f->is_valley ? launch<TER_BASIS_MIDPOINT, 1>(f, batch, stream) : launch<TER_BASIS_MIDPOINT, 0>(f, batch, stream);
}
