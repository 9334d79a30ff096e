/* fine.cu - fills tiles of levels of detail below 0.
 *
 *     device memory    points 1 m apart, and points 8 m apart, made as tiles of levels of detail 0 and 3
 *     device memory    the microrelief of the points 8 m apart
 *     a block          a tile of 128 x 128 samples, level of detail by level of detail, from the points 1 m apart in
 *                      shared memory; the last level of detail is written to the output. A thread makes 4 x 4
 *                      points at a time, which share one draw of random words
 *     a thread         layers of a sample, if other layers than the height are requested
 */
#include "library/fluvial/cuda/fine.cuh"

#include <type_traits>

#include "library/fluvial/cuda/blocks.cuh"
#include "library/fluvial/cuda/pass.cuh"
#include "library/fluvial/fine.h"

using namespace ter_cuda;

namespace
{

constexpr size_t POINTS_MAX = (size_t)1 << 27; /* approximate limit of points 1 m apart made at a time */
constexpr size_t BLOCKS_MAX = 65535;           /* greatest number of rows of a grid */
constexpr int FINE_THREADS = 256;
constexpr int PATCH = 4;                     /* points on each side of the patch that a thread makes at a time */
constexpr int PATCH_SOURCES = PATCH / 2 + 3; /* points of twice the spacing that a patch depends on, along a side */

/** A tile has 2^tile_log(depth) samples on each side. */
__host__ __device__ constexpr int tile_log(int depth)
{
    return depth == 1 ? 6 : 7;
}

/** base_side: upper bound of the number of points 1 m apart on a side of a tile's window. last_side: the same for
 * points of the next to last level of detail. */
__host__ __device__ constexpr int base_side(int depth)
{
    return ((1 << tile_log(depth)) >> depth) + 7;
}

__host__ __device__ constexpr int last_side(int depth)
{
    return (1 << tile_log(depth)) / 2 + 3;
}

/** A block of samples, and what it is made from. */
struct fine_part {
    ter_fine_plan plan;
    ter_fluvial_output base, land, out;
    ter_microrelief *micro;
    float *heights; /* of the block: in the output, or in memory of the generator */
    size_t stride;  /* of these heights */
    int tiles_x, tiles_y;
};

__device__ __forceinline__ int clamped(int64_t x, int64_t first, int count)
{
    const int64_t n = x - first;
    return n < 0 ? 0 : n >= count ? count - 1 : (int)n;
}

__global__ void __launch_bounds__(THREADS) micro_kernel(ter_fluvial f, const fine_part *parts)
{
    const fine_part &p = parts[blockIdx.y];
    const ter_window at = p.plan.micro, land = p.plan.land;
    for (int n = (int)(blockIdx.x * THREADS + threadIdx.x); n < at.width * at.height; n += (int)gridDim.x * THREADS) {
        const int64_t x = at.x + n % at.width, y = at.y + n / at.width;
        const size_t k = (size_t)(y - land.y) * p.land.stride + (size_t)(x - land.x);
        p.micro[n] = ter_make_microrelief(&f, &p.land, k, x, y);
    }
}

/** Microrelief of the square metres of a tile: the reach for each level of detail, and the skew. */
template <int DEPTH> struct tile_micro {
    static constexpr int SIDE = base_side(DEPTH);
    static constexpr int POINTS = SIDE / TER_MATERIAL_STEP + 3;
    static constexpr int SKEW = offsetof(ter_microrelief, skew) / sizeof(float);
    float reach[DEPTH][SIDE * SIDE], skew[SIDE * SIDE];
    ter_microrelief at_points[POINTS * POINTS];
};

/** Byte n of a word minus 127.5. It avoids a conversion to float, of which a multiprocessor does only few per clock:
 * 0x47000000 with the byte as bits 8 to 15 is the float 32768 + byte. */
__device__ __forceinline__ float byte_from_middle(uint32_t word, int n)
{
    return __uint_as_float(__byte_perm(word, 0x47000000u, 0x7404u | (uint32_t)n << 4)) - 32895.5f;
}

__device__ __forceinline__ int clamped_to(int n, int count)
{
    return n < 0 ? 0 : n >= count ? count - 1 : n;
}

/** A window. x, y: its first point, relative to the first point of the tile */
struct local_window {
    int x, y, width, height;
};

/** Displace a point of level of detail -N that is not a point of level of detail 1 - N. */
__device__ __forceinline__ float displaced(float height, float byte_from_middle, float skew, float reach)
{
    return ter_fma(ter_skewed(byte_from_middle, skew), reach, height);
}

/** A patch of level of detail -N: its PATCH x PATCH points. Its corner lies at (x, y) from the tile's corner; both are
 * multiples of PATCH.
 *
 *  words         random words of the patch
 *  from, coarse  window and heights of level of detail 1 - N; points outside of the window are read at its edge
 *  base          window of the square metres
 */
template <int N, int DEPTH>
__device__ __forceinline__ void make_patch(const ter_words &words, const local_window &from, const float *coarse,
                                           const local_window &base, const tile_micro<DEPTH> &micro, int x, int y,
                                           float out[PATCH][PATCH])
{
    constexpr bool IS_INSIDE = N == DEPTH; /* patches of the last level of detail lie in the tile */
    constexpr int CELLS = N == 1 ? 2 : 1;  /* square metres along a side of a patch */
    const int fx = (x >> 1) - 1 - from.x, fy = (y >> 1) - 1 - from.y;
    float along[PATCH_SOURCES][PATCH]; /* coarse rows refined along the row */
#pragma unroll
    for (int r = 0; r < PATCH_SOURCES; r++) {
        const float *row = coarse + (IS_INSIDE ? fy + r : clamped_to(fy + r, from.height)) * from.width;
        float p[PATCH_SOURCES];
#pragma unroll
        for (int c = 0; c < PATCH_SOURCES; c++)
            p[c] = row[IS_INSIDE ? fx + c : clamped_to(fx + c, from.width)];
        along[r][0] = p[1];
        along[r][1] = ter_four(p[0], p[1], p[2], p[3]);
        along[r][2] = p[2];
        along[r][3] = ter_four(p[1], p[2], p[3], p[4]);
    }
    float reach[CELLS][CELLS], skew[CELLS][CELLS];
#pragma unroll
    for (int b = 0; b < CELLS; b++)
#pragma unroll
        for (int a = 0; a < CELLS; a++) {
            const int cell = clamped_to((y >> N) + b - base.y, base.height) * base.width +
                             clamped_to((x >> N) + a - base.x, base.width);
            reach[b][a] = micro.reach[N - 1][cell];
            skew[b][a] = micro.skew[cell];
        }
#pragma unroll
    for (int j = 0; j < PATCH; j++)
#pragma unroll
        for (int i = 0; i < PATCH; i++) {
            const int r = j / 2, b = CELLS > 1 ? j / 2 : 0, a = CELLS > 1 ? i / 2 : 0;
            const float h =
                j % 2 ? ter_four(along[r][i], along[r + 1][i], along[r + 2][i], along[r + 3][i]) : along[r + 1][i];
            out[j][i] = i % 2 || j % 2 ? displaced(h, byte_from_middle(words.w[j], i), skew[b][a], reach[b][a]) : h;
        }
}

/** Store a row of a patch; x, y: its first point in the array. */
__device__ __forceinline__ void store_row(float *heights, size_t stride, int width, int height, int x, int y,
                                          const float row[PATCH])
{
    if (y < 0 || y >= height)
        return;
    float *out = heights + (size_t)y * stride + x;
    if (x >= 0 && x + PATCH <= width && ((uintptr_t)out & 15) == 0) {
        *(float4 *)out = make_float4(row[0], row[1], row[2], row[3]);
        return;
    }
#pragma unroll
    for (int i = 0; i < PATCH; i++)
        if (x + i >= 0 && x + i < width)
            out[i] = row[i];
}

/** Window of level of detail -N of a tile, from the tile's corner. */
__device__ __forceinline__ local_window window_of(const ter_fine_plan &tile, int n)
{
    const ter_window &w = tile.at[n], &samples = tile.at[tile.depth];
    const int shift = tile.depth - n;
    return {(int)(w.x - (samples.x >> shift)), (int)(w.y - (samples.y >> shift)), w.width, w.height};
}

/** Make a window of level of detail -N from the window of level of detail 1 - N.
 *
 *  to  the array: its window from the corner of the tile, and the distance between its rows
 */
template <int N, int DEPTH>
__device__ __forceinline__ void refine(const ter_fluvial &f, const ter_fine_plan &tile, const float *coarse,
                                       const tile_micro<DEPTH> &micro, const local_window &to, float *heights,
                                       size_t stride)
{
    const local_window made = window_of(tile, N), from = window_of(tile, N - 1), base = window_of(tile, 0);
    const int64_t corner_x = tile.at[DEPTH].x >> (DEPTH - N), corner_y = tile.at[DEPTH].y >> (DEPTH - N);
    const int first_x = made.x >> 2, first_y = made.y >> 2, across = ((made.x + made.width - 1) >> 2) - first_x + 1,
              down = ((made.y + made.height - 1) >> 2) - first_y + 1;
    for (int n = (int)threadIdx.x; n < across * down; n += FINE_THREADS) {
        const int x = (first_x + n % across) * PATCH, y = (first_y + n / across) * PATCH;
        const ter_words words =
            ter_tagged_words(f.round_key, TER_TAG_MICRO + N - 1, (corner_x + x) >> 2, (corner_y + y) >> 2);
        float patch[PATCH][PATCH];
        make_patch<N, DEPTH>(words, from, coarse, base, micro, x, y, patch);
#pragma unroll
        for (int j = 0; j < PATCH; j++)
            store_row(heights, stride, to.width, to.height, x - to.x, y + j - to.y, patch[j]);
    }
}

/** Load the microrelief around a tile, and interpolate it at its square metres. All threads of the block call. */
template <int DEPTH> __device__ void load_micro(const fine_part &p, const ter_fine_plan &tile, tile_micro<DEPTH> *micro)
{
    const ter_window points = tile.micro, known = p.plan.micro, mine = tile.at[0];
    for (int n = (int)threadIdx.x; n < points.width * points.height; n += FINE_THREADS) {
        const int x = clamped(points.x + n % points.width, known.x, known.width),
                  y = clamped(points.y + n / points.width, known.y, known.height);
        micro->at_points[n] = p.micro[y * known.width + x];
    }
    __syncthreads();
    for (int n = (int)threadIdx.x; n < mine.width * mine.height; n += FINE_THREADS) {
        const int64_t x = mine.x + n % mine.width, y = mine.y + n / mine.width;
        micro->skew[n] = ter_micro_value(points, micro->at_points, tile_micro<DEPTH>::SKEW, x, y);
#pragma unroll
        for (int k = 0; k < DEPTH; k++)
            micro->reach[k][n] = ter_micro_value(points, micro->at_points, k, x, y);
    }
}

/** Make the heights of the samples: a block of threads for each tile. */
template <int DEPTH>
__global__ void __launch_bounds__(FINE_THREADS, 4)
    heights_kernel(const __grid_constant__ ter_fluvial f, const fine_part *parts)
{
    constexpr int LOG = tile_log(DEPTH), LAST = last_side(DEPTH), BASE = base_side(DEPTH);
    __shared__ tile_micro<DEPTH> micro;
    /* Levels of detail alternate between two arrays. The next to last one is the largest. */
    __shared__ __align__(16) float large[LAST * LAST],
        small[BASE * BASE > LAST * LAST / 3 ? BASE * BASE : LAST * LAST / 3];
    float *const level[2] = {DEPTH % 2 ? large : small, DEPTH % 2 ? small : large};
    const fine_part &p = parts[blockIdx.y];
    if ((int)blockIdx.x >= p.tiles_x * p.tiles_y)
        return;
    const ter_window at = p.plan.at[DEPTH], base = p.plan.at[0];
    const ter_window samples = {((at.x >> LOG) + (int)blockIdx.x % p.tiles_x) * (1 << LOG),
                                ((at.y >> LOG) + (int)blockIdx.x / p.tiles_x) * (1 << LOG), 1 << LOG, 1 << LOG};
    const ter_fine_plan tile = ter_plan_fine(DEPTH, samples);
    const ter_window mine = tile.at[0];
    for (int n = (int)threadIdx.x; n < mine.width * mine.height; n += FINE_THREADS) {
        const int x = clamped(mine.x + n % mine.width, base.x, base.width),
                  y = clamped(mine.y + n / mine.width, base.y, base.height);
        level[0][n] = p.base.layer[TER_LAYER_HEIGHT][(size_t)y * p.base.stride + (size_t)x];
    }
    load_micro<DEPTH>(p, tile, &micro);
    __syncthreads();
    const auto to_shared = [&](auto number) {
        constexpr int N = decltype(number)::value;
        if constexpr (N < DEPTH) {
            const local_window to = window_of(tile, N);
            refine<N, DEPTH>(f, tile, level[(N - 1) & 1], micro, to, level[N & 1], (size_t)to.width);
            __syncthreads();
        }
    };
    to_shared(std::integral_constant<int, 1>());
    to_shared(std::integral_constant<int, 2>());
    to_shared(std::integral_constant<int, 3>());
    const local_window out = {(int)(at.x - samples.x), (int)(at.y - samples.y), at.width, at.height};
    refine<DEPTH, DEPTH>(f, tile, level[(DEPTH - 1) & 1], micro, out, p.heights, p.stride);
}

__global__ void __launch_bounds__(THREADS) ripples_kernel(ter_fluvial f, const fine_part *parts)
{
    const fine_part &p = parts[blockIdx.y];
    const ter_window at = p.plan.at[p.plan.depth];
    const size_t count = (size_t)at.width * (size_t)at.height;
    for (size_t n = (size_t)blockIdx.x * THREADS + threadIdx.x; n < count; n += (size_t)gridDim.x * THREADS) {
        const int x = (int)(n % (size_t)at.width), y = (int)(n / (size_t)at.width);
        float *height = p.heights + (size_t)y * p.stride + (size_t)x;
        *height = ter_rippled(&f, p.plan.depth, p.plan.micro, p.micro, at.x + x, at.y + y, *height);
    }
}

__global__ void __launch_bounds__(THREADS) layers_kernel(ter_fluvial f, const fine_part *parts)
{
    const fine_part &p = parts[blockIdx.y];
    const ter_window at = p.plan.at[p.plan.depth];
    const size_t count = (size_t)at.width * (size_t)at.height;
    for (size_t n = (size_t)blockIdx.x * THREADS + threadIdx.x; n < count; n += (size_t)gridDim.x * THREADS) {
        const int x = (int)(n % (size_t)at.width), y = (int)(n / (size_t)at.width);
        ter_finish_fine(&f, &p.plan, &p.base, at.x + x, at.y + y, p.heights[(size_t)y * p.stride + (size_t)x], &p.out);
    }
}

/** Size of a window that is large enough for each block of a group. */
struct window_size {
    int width, height;

    void include(const ter_window &w)
    {
        width = std::max(width, w.width);
        height = std::max(height, w.height);
    }
    size_t count() const
    {
        return (size_t)width * (size_t)height;
    }
};

/** Blocks that are made together: they have one size, one level of detail, and the same layers. */
struct fine_group {
    fluvial_state *cuda;
    const ter_fluvial *world;
    const fluvial_block *blocks;
    size_t count;
    cudaStream_t stream;
    window_size base, land, micro;
    std::vector<fine_part> parts;
};

bool base_needs(const fine_group &g, int layer)
{
    return ter_base_needs(g.world, &g.blocks[0].samples, layer);
}

bool land_needs(const fine_group &g, int layer)
{
    return ter_micro_needs(g.world, layer);
}

ter_window base_window(const ter_fine_plan &plan)
{
    return plan.at[0];
}

ter_window land_window(const ter_fine_plan &plan)
{
    return plan.land;
}

/** Points from which samples are made. */
struct point_kind {
    int lod;                                     /* level of detail of the points */
    window_size fine_group::*size;               /* size of the tiles */
    ter_window (*window)(const ter_fine_plan &); /* the window of the plan at which a block's tile begins */
    bool (*is_needed)(const fine_group &, int);  /* whether a layer is needed */
    ter_fluvial_output fine_part::*output;       /* member of the parts that receives the place of the layers */
};

constexpr point_kind BASE_POINTS = {0, &fine_group::base, base_window, base_needs, &fine_part::base};
constexpr point_kind LAND_POINTS = {TER_MATERIAL_LOD, &fine_group::land, land_window, land_needs, &fine_part::land};

/** Number of floats of the points of a kind, for all blocks of a group. */
size_t floats_of(const fine_group &g, const point_kind &kind)
{
    int n_layers = 0;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        n_layers += kind.is_needed(g, layer);
    return (size_t)n_layers * g.count * (g.*kind.size).count();
}

/** Make points of a kind for all blocks of a group: a tile of one size for each block. memory: for their layers */
ter_status make_points(fine_group *g, const point_kind &kind, float *memory, fill_points_function *fill_points)
{
    const window_size &size = g->*kind.size;
    ter_layers layers = {};
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        if (kind.is_needed(*g, layer)) {
            layers.at[layer] = memory;
            memory += g->count * size.count();
        }
    std::vector<ter_tile> tiles;
    for (size_t n = 0; n < g->count; n++) {
        const ter_window at = kind.window(g->parts[n].plan);
        tiles.push_back({g->world->levels - kind.lod, at.x, at.y});
        g->parts[n].*kind.output = output_of(layers, n * size.count(), (size_t)size.width);
    }
    const ter_tile_layout layout = {size.width, size.height, (size_t)size.width, size.count(), nullptr};
    return fill_points(g->cuda, g->world, {tiles.data(), g->count, &layout}, layers, g->stream);
}

/** Plan the blocks of a group, and place their arrays. */
ter_status place_parts(fine_group *g, float **base, float **land)
{
    for (size_t n = 0; n < g->count; n++) {
        fine_part part = {};
        part.plan = ter_plan_fine(-g->blocks[n].lod, g->blocks[n].points.at);
        g->base.include(part.plan.at[0]);
        g->land.include(part.plan.land);
        g->micro.include(part.plan.micro);
        g->parts.push_back(part);
    }
    const ter_window at = g->blocks[0].points.at;
    const bool has_heights = g->blocks[0].samples.layer[TER_LAYER_HEIGHT] != nullptr;
    const size_t samples = (size_t)at.width * (size_t)at.height, heights = has_heights ? 0 : g->count * samples,
                 bases = floats_of(*g, BASE_POINTS), lands = floats_of(*g, LAND_POINTS);
    device_array *memory = &g->cuda->fluvial.fine;
    const ter_status status = reserve(memory, (heights + bases + lands) * sizeof(float) +
                                                  g->count * g->micro.count() * sizeof(ter_microrelief));
    if (status != TER_OK)
        return status;
    *base = (float *)memory->at + heights;
    *land = *base + bases;
    ter_microrelief *micro = (ter_microrelief *)(*land + lands);
    for (size_t n = 0; n < g->count; n++) {
        fine_part &part = g->parts[n];
        part.out = g->blocks[n].samples;
        part.micro = micro + n * g->micro.count();
        part.heights = has_heights ? part.out.layer[TER_LAYER_HEIGHT] : (float *)memory->at + n * samples;
        part.stride = has_heights ? part.out.stride : (size_t)at.width;
        const ter_window &own = g->blocks[n].points.at;
        const int log = tile_log(part.plan.depth);
        part.tiles_x = (int)(((own.x + own.width - 1) >> log) - (own.x >> log)) + 1;
        part.tiles_y = (int)(((own.y + own.height - 1) >> log) - (own.y >> log)) + 1;
    }
    return TER_OK;
}

/** Launch the kernels of a group whose points are made. */
ter_status run_group(fine_group *g)
{
    fluvial_memory &memory = g->cuda->fluvial;
    const ter_status status = upload(&memory.fine_parts, g->parts, g->stream);
    if (status != TER_OK)
        return status;
    const fine_part *parts = (const fine_part *)memory.fine_parts.at;
    int tiles = 1;
    for (const fine_part &part : g->parts)
        tiles = std::max(tiles, part.tiles_x * part.tiles_y);
    const unsigned rows = (unsigned)g->count;
    const unsigned micro = (unsigned)std::min<size_t>((g->micro.count() + THREADS - 1) / THREADS, 4096);
    micro_kernel<<<dim3(micro, rows), THREADS, 0, g->stream>>>(*g->world, parts);
    TER_CUDA(cudaGetLastError());
    constexpr void (*KERNELS[])(ter_fluvial, const fine_part *) = {heights_kernel<1>, heights_kernel<2>,
                                                                   heights_kernel<3>, heights_kernel<4>};
    KERNELS[g->parts[0].plan.depth - 1]<<<dim3((unsigned)tiles, rows), FINE_THREADS, 0, g->stream>>>(*g->world, parts);
    TER_CUDA(cudaGetLastError());
    const dim3 samples((unsigned)std::min(16 * tiles, 65536), rows);
    if (g->world->sand > 0.0f) {
        ripples_kernel<<<samples, THREADS, 0, g->stream>>>(*g->world, parts);
        TER_CUDA(cudaGetLastError());
    }
    if (ter_is_height_alone(&g->blocks[0].samples))
        return TER_OK;
    layers_kernel<<<samples, THREADS, 0, g->stream>>>(*g->world, parts);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status fill_group(fine_group *g, fill_points_function *fill_points)
{
    float *base = nullptr, *land = nullptr;
    ter_status status = place_parts(g, &base, &land);
    if (status == TER_OK)
        status = make_points(g, BASE_POINTS, base, fill_points);
    if (status == TER_OK)
        status = make_points(g, LAND_POINTS, land, fill_points);
    return status == TER_OK ? run_group(g) : status;
}

/** Side of a block, in samples: blocks are 4096 m wide, or 1024 m if layers other than the height are needed. */
int side_of_heights(int lod)
{
    return 4096 << -lod;
}

int side_of_layers(int lod)
{
    return 1024 << -lod;
}

} // namespace

ter_status ter_cuda::fill_fine(fluvial_state *cuda, const ter_fluvial *world, const tile_list &list,
                               const ter_layers &out, cudaStream_t stream, fill_points_function *fill_points)
{
    std::vector<fluvial_block> blocks;
    const ter_fluvial_output requested = output_of(out, 0, 0);
    const bool is_alone = ter_is_height_alone(&requested);
    for (size_t n = 0; n < list.count; n++)
        cut_tile(world, list, n, out, is_alone ? side_of_heights : side_of_layers, &blocks);
    std::stable_sort(blocks.begin(), blocks.end(),
                     [](const fluvial_block &a, const fluvial_block &b) { return a.lod < b.lod; });
    ter_status status = TER_OK;
    for (size_t first = 0, end; first < blocks.size() && status == TER_OK; first = end) {
        const fluvial_block &like = blocks[first];
        const ter_window at = like.points.at;
        const size_t points = ter_window_count(ter_plan_fine(-like.lod, at).at[0]);
        for (end = first + 1; end < blocks.size() && blocks[end].lod == like.lod &&
                              blocks[end].points.at.width == at.width && blocks[end].points.at.height == at.height &&
                              (end - first + 1) * points <= POINTS_MAX && end - first < BLOCKS_MAX;)
            end++;
        fine_group group = {cuda, world, &blocks[first], end - first, stream, {}, {}, {}, {}};
        status = fill_group(&group, fill_points);
    }
    return status;
}
