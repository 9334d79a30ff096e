/* cuda_tiled.cu - generator `tiled`: a block makes its tile's coarse hierarchy once in shared memory, threads finish the last level
 * in registers and store it; one launch. Large arrays are finished in strips, small ones and batches of tiles in patches.
 * README.md in this folder tells what was measured.
 */
#include "generate/cuda_strips.cuh"

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

template <int BASIS, int VALLEY, class SINK>
__device__ __forceinline__ void finish(const ter_field &f, int level, const patches &p, const SINK &sink)
{
    if (level == 0)
        finish_root<THREADS>(f, p, sink);
    else if constexpr (BASIS == TER_BASIS_SMOOTH)
        patches_smooth<VALLEY>(f, level, p, sink);
    else
        patches_midpoint<VALLEY, true>(f, level, p, sink);
}

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
        finish<BASIS, VALLEY>(f, tile.level, p, sink);
    } else {
        const clipped_sink<SAMPLE> sink = {out, batch.row_stride, batch.quantiser, batch.width, batch.height, column, row};
        finish<BASIS, VALLEY>(f, tile.level, p, sink);
    }
}

/* ---- launch ---- */

int divide_up(int n, int by)
{
    return (n + by - 1) / by;
}

/** What launches depend on. */
struct device_facts {
    int n_multiprocessors, compute_major;
};

ter_status find_device_facts(device_facts *facts)
{
    int device = 0;
    TER_CUDA(cudaGetDevice(&device));
    TER_CUDA(cudaDeviceGetAttribute(&facts->n_multiprocessors, cudaDevAttrMultiProcessorCount, device));
    TER_CUDA(cudaDeviceGetAttribute(&facts->compute_major, cudaDevAttrComputeCapabilityMajor, device));
    return TER_OK;
}

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

/** Allow a kernel its dynamic shared memory, where that takes more than every kernel has. */
template <class KERNEL> ter_status allow_shared(KERNEL kernel, int bytes)
{
    constexpr int ALWAYS_ALLOWED = 48 * 1024;
    if (bytes > ALWAYS_ALLOWED)
        TER_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return TER_OK;
}

/** Launch a kernel whose blocks may make their coarse levels while the kernel before it in the stream is still running; it calls
 *  wait_for_previous_kernel before it stores. Source: "Programmatic Dependent Launch", CUDA C++ Programming Guide. */
template <class KERNEL, class... ARGUMENTS>
ter_status launch_overlapped(const device_facts &device, KERNEL kernel, dim3 blocks, int threads, int shared_bytes,
                             cudaStream_t stream, const ARGUMENTS &...arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    const ter_status status = allow_shared(kernel, shared_bytes);
    if (status != TER_OK)
        return status;
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = (size_t)shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = device.compute_major >= 9 ? 1 : 0;
    TER_CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
    return TER_OK;
}

dim3 strip_blocks(const ter_cuda_batch *batch, int n_turns)
{
    return dim3((unsigned)divide_up(batch->width + (int)(batch->tiles[0].i & 3), STRIPS * STRIP_WIDTH),
                (unsigned)divide_up(batch->height + 7, STRIPS * strip_height(n_turns)));
}

/** Turns of a strip: what makes the fewest rounds of blocks, each as long as its turns and its coarse levels. Many turns share the
 *  coarse levels among more points; but the rows of the output being written at one time lie further apart, which the memory does
 *  not like, and heights of midpoint, the cheaper basis, feel that first. */
int choose_turns(int basis, const ter_cuda_batch *batch, int n_multiprocessors)
{
    constexpr double TURNS_OF_COARSE_LEVELS = 4.0; /* what they cost, in turns */
    int best = 0;
    double best_cost = 0.0;
    const bool is_memory_bound = basis == TER_BASIS_MIDPOINT && !batch->out_u16;
    for (int turns = is_memory_bound ? 5 : TURNS_MAX; turns >= 3; turns--) {
        const dim3 blocks = strip_blocks(batch, turns);
        const double rounds = (double)blocks.x * blocks.y / (STRIP_RESIDENT * n_multiprocessors);
        const double cost = (rounds > 1.0 ? rounds : 1.0) * (turns + TURNS_OF_COARSE_LEVELS);
        if (best == 0 || cost < best_cost) {
            best = turns;
            best_cost = cost;
        }
    }
    return best;
}

template <int BASIS, int VALLEY, class SAMPLE, class CURSOR>
ter_status launch_strips(const ter_field *f, const ter_cuda_batch *batch, const device_facts &device, cudaStream_t stream)
{
    const strip_launch<SAMPLE> s = make_strip_launch<SAMPLE>(BASIS, *batch, choose_turns(BASIS, batch, device.n_multiprocessors));
    return launch_overlapped(device, strips_kernel<BASIS, VALLEY, SAMPLE, CURSOR>, strip_blocks(batch, s.n_turns), STRIP_THREADS,
                             descent_bytes(s.above), stream, *f, s);
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
    device_facts device;
    const ter_status status = find_device_facts(&device);
    if (status != TER_OK)
        return status;
    if (is_for_strips(batch)) {
        if (ter_batch_is_aligned(*batch) && batch->is_origin_aligned && batch->width % 4 == 0 && batch->height % 4 == 0)
            return launch_strips<BASIS, VALLEY, SAMPLE, whole_cursor<SAMPLE>>(f, batch, device, stream);
        return launch_strips<BASIS, VALLEY, SAMPLE, point_cursor<SAMPLE>>(f, batch, device, stream);
    }
    const geometry g = make_geometry(f, batch, device.n_multiprocessors);
    const dim3 blocks((unsigned)g.n_tiles_i, (unsigned)g.n_tiles_j, (unsigned)batch->count);
    return launch_overlapped(device, tiled_kernel<BASIS, VALLEY, SAMPLE>, blocks, THREADS, descent_bytes(g.tile), stream, *f,
                             *batch, g);
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
