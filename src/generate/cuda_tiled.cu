/* cuda_tiled.cu - generator `tiled`: a block makes its tile's coarse hierarchy once in shared memory, threads finish the last level
 * in registers and store it; one launch.
 *
 * A block makes one tile whose origin is a multiple of 4, in five steps:
 *   1. plan     a thread a level: the window of that level that the tile depends on
 *   2. random   Philox blocks of the levels that step 3 makes, spread over all threads, into shared memory
 *   3. descend  level by level from the root: one warp while the window is small, then all threads; a thread makes 2 x 2 quads
 *   4. widen    the last two levels above the tile: a thread owns a column of 4 x 4 patches, one Philox block each
 *   5. finish   the tile's own level in the same way, but into the output
 * Every level's grid in shared memory starts on a multiple of 4 points, so patches and pairs never lie half outside.
 * README.md in this folder tells what was measured.
 */
#include "generate/cuda_patches.cuh"
#include "generate/cuda_window.cuh"

namespace
{

/** Threads of a block and the largest tile it makes. */
struct block_shape {
    int threads, width, height;
};

constexpr block_shape LARGE = {256, 256, 256}; /* for arrays that fill the device many times over */
constexpr block_shape SMALL = {128, 128, 128};
constexpr int LARGE_SHARED_BYTES = 220 * 1024; /* of a multiprocessor that holds two of them */
constexpr int SMALLEST = 64;                   /* tile side where even SMALL leaves multiprocessors idle */
constexpr int PAD = 8;                         /* floats readable before and behind a grid */

/** Tile geometry of a launch: sizes of the shared arrays. */
struct geometry {
    int width, height;        /* points of a block's tile, multiples of 4 */
    int n_tiles_i, n_tiles_j; /* blocks that cover one tile of the batch */
    int pitch[2], floats[2];  /* the two grids: [0] the level above the tile, [1] the one above that */
    int n_words;              /* Philox blocks */
    bool is_aligned;
};

/* ---- step 3: quads ---- */

/** The three new points of a quad whose first point is parent point p(0, 0). */
struct quad {
    float east, south, centre;
};

/** at points to p(0, 0); reads p(-1 .. 2, -1 .. 2). */
template <int VALLEY>
__device__ __forceinline__ quad quad_smooth(const ter_field &f, float a, const float *at, int pitch, unsigned r0, unsigned r1)
{
    float q[4];
#pragma unroll
    for (int t = 0; t < 4; t++) {
        const float *row = at + (t - 1) * pitch;
        q[t] = ter_four(row[-1], row[0], row[1], row[2]);
    }
    quad out;
    out.east = displace<VALLEY>(f, a, byte_r(r0, 1), q[1]);
    out.south = displace<VALLEY>(f, a, byte_r(r1, 0), ter_four(at[-pitch], at[0], at[pitch], at[2 * pitch]));
    out.centre = displace<VALLEY>(f, a, byte_r(r1, 1), ter_four(q[0], q[1], q[2], q[3]));
    return out;
}

/** at points to p(0, 0); reads p(0 .. 1, 0 .. 1). r0, r1: this quad's rows; below: first row of the quad south; beside: second row
 *  of the quad east. */
template <int VALLEY>
__device__ __forceinline__ quad quad_midpoint(const ter_field &f, float a, const float *at, int pitch, unsigned r0, unsigned r1,
                                              unsigned below, unsigned beside)
{
    const float nw = at[0], ne = at[1], sw = at[pitch], se = at[pitch + 1];
    quad out;
    out.east = displace<VALLEY>(f, a, byte_r(r0, 1), ter_edge(nw, ne));
    out.south = displace<VALLEY>(f, a, byte_r(r1, 0), ter_edge(nw, sw));
    const float s = displace<VALLEY>(f, a, byte_r(below, 1), ter_edge(sw, se));
    const float e = displace<VALLEY>(f, a, byte_r(beside, 0), ter_edge(ne, se));
    out.centre = displace<VALLEY>(f, a, byte_r(r1, 1), ter_centre(out.east, s, out.south, e));
    return out;
}

/** What a thread needs for a quad beside the heights: it can be fetched while the level above is still being made. */
struct quad_job {
    int from, to; /* places of the parent and of the quad in their grids */
    unsigned r0, r1, below, beside;
    float amplitude;
    bool is_active;
};

template <int BASIS>
__device__ __forceinline__ quad_job fetch_quad(const ter_field &f, const window &w, const uint4 *words, int k, int parent_pitch,
                                               int child_pitch, int n)
{
    quad_job q = {};
    q.is_active = n < w.n_pairs_i * w.n_pairs_j;
    if (!q.is_active)
        return q;
    const int row = divide(n, w.pair_columns), column = n - row * w.n_pairs_i;
    const int u = column + w.pair_i, v = row + w.pair_j;
    q.from = (row + w.parent_j) * parent_pitch + column + w.parent_i;
    q.to = 2 * v * child_pitch + 2 * u;
    q.r0 = pair_bytes(w, words, u, v, 0);
    q.r1 = pair_bytes(w, words, u, v, 1);
    if (BASIS == TER_BASIS_MIDPOINT) {
        q.below = pair_bytes(w, words, u, v + 1, 0);
        q.beside = pair_bytes(w, words, u + 1, v, 1);
    }
    q.amplitude = f.amplitude[k];
    return q;
}

template <int BASIS, int VALLEY>
__device__ __forceinline__ void make_quad(const ter_field &f, const quad_job &job, const grid &parent, const grid &child)
{
    if (!job.is_active)
        return;
    const float *at = parent.at + job.from;
    quad q;
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        q = quad_smooth<VALLEY>(f, job.amplitude, at, parent.pitch, job.r0, job.r1);
    else
        q = quad_midpoint<VALLEY>(f, job.amplitude, at, parent.pitch, job.r0, job.r1, job.below, job.beside);
    float *to = child.at + job.to;
    *(float2 *)to = make_float2(at[0], q.east);
    *(float2 *)(to + child.pitch) = make_float2(q.south, q.centre);
}

/** Step 3: the root, then levels 1 to last; level k goes to grids[(last_grid - k) & 1]. */
template <int BASIS, int VALLEY, int THREADS>
__device__ void descend(const ter_field &f, const plan &plan, const uint4 *words, int last, int level, const grid grids[2])
{
    const window &root = plan.level[0];
    patches p = {};
    p.ib = root.ib;
    p.jb = root.jb;
    p.n_i = root.n_blocks_i;
    p.n_j = root.n_blocks_j;
    const shared_sink sink = {grids[(level - 1) & 1]};
    finish_root<THREADS>(f, p, sink);
    __syncthreads();
    const grid &even = grids[(level - 1) & 1], &odd = grids[level & 1]; /* where levels 0, 2, ... and 1, 3, ... go */
    int k = 1;
    for (; k <= last && plan.level[k].n_pairs_i * plan.level[k].n_pairs_j <= 32; k++) { /* counted here, made below by one warp */
    }
    const int n_alone = k - 1;
    if (threadIdx.x < 32 && n_alone > 0) {
        quad_job job = fetch_quad<BASIS>(f, plan.level[1], words, 1, even.pitch, odd.pitch, (int)threadIdx.x);
        for (int m = 1; m <= n_alone; m++) {
            const grid &parent = m & 1 ? even : odd, &child = m & 1 ? odd : even;
            quad_job next = {};
            if (m < n_alone)
                next = fetch_quad<BASIS>(f, plan.level[m + 1], words, m + 1, child.pitch, parent.pitch, (int)threadIdx.x);
            make_quad<BASIS, VALLEY>(f, job, parent, child);
            __syncwarp();
            job = next;
        }
    }
    __syncthreads();
    for (; k <= last; k++) {
        const grid &parent = k & 1 ? even : odd, &child = k & 1 ? odd : even;
        const window &w = plan.level[k];
        for (int n = (int)threadIdx.x; n < w.n_pairs_i * w.n_pairs_j; n += THREADS)
            make_quad<BASIS, VALLEY>(f, fetch_quad<BASIS>(f, w, words, k, parent.pitch, child.pitch, n), parent, child);
        __syncthreads();
    }
}

/* ---- the kernel ---- */

/** Step 4: level k of the plan, in patches. */
template <int BASIS, int VALLEY, int THREADS>
__device__ void widen(const ter_field &f, const window &w, const window &above, int k, const grid &parent, const grid &child)
{
    patches p;
    p.ib = w.ib;
    p.jb = w.jb;
    p.n_i = w.n_blocks_i;
    p.n_j = w.n_blocks_j;
    p.above = parent.at + (int)(2 * w.jb - 4 * above.jb) * parent.pitch + (int)(2 * w.ib - 4 * above.ib);
    p.pitch = parent.pitch;
    const shared_sink sink = {child};
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        patches_smooth<VALLEY, THREADS>(f, k, p, sink);
    else
        patches_midpoint<VALLEY, THREADS>(f, k, p, sink);
}

/** Step 5. */
template <int BASIS, int VALLEY, int THREADS, class SINK>
__device__ __forceinline__ void finish(const ter_field &f, int level, const patches &p, const uint4 *border, const SINK &sink)
{
    if (level == 0)
        finish_root<THREADS>(f, p, sink);
    else if constexpr (BASIS == TER_BASIS_SMOOTH)
        patches_smooth<VALLEY, THREADS>(f, level, p, sink);
    else
        finish_midpoint<VALLEY, THREADS>(f, level, p, border, sink);
}

template <int BASIS, int VALLEY, int THREADS>
__global__ void __launch_bounds__(THREADS)
    tiled_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch,
                 const __grid_constant__ geometry g)
{
    extern __shared__ uint4 shared[];
    __shared__ plan plan;
    uint4 *words = shared;
    float *floats = (float *)(shared + g.n_words);
    const grid grids[2] = {{floats + PAD + g.pitch[0], g.pitch[0]}, {floats + g.floats[0] + PAD + g.pitch[1], g.pitch[1]}};

    const ter_cuda_tile tile = ter_batch_tile(batch, (int)blockIdx.z);
    const int64_t i = (tile.i & ~INT64_C(3)) + (int64_t)blockIdx.x * g.width;
    const int64_t j = (tile.j & ~INT64_C(3)) + (int64_t)blockIdx.y * g.height;
    const int level = tile.level;
    if (level > 0) {
        make_plan<BASIS>(&plan, level, i, j, g.width, g.height);
        __syncthreads();
        make_words<BASIS, THREADS>(f, plan, level, g.width / 4, words);
        __syncthreads();
        const int first_patch_level = max(level - PATCH_LEVELS, 1);
        descend<BASIS, VALLEY, THREADS>(f, plan, words, first_patch_level - 1, level, grids);
        for (int k = first_patch_level; k < level; k++) {
            const int to = (level - 1 - k) & 1;
            widen<BASIS, VALLEY, THREADS>(f, plan.level[k], plan.level[k - 1], k, grids[!to], grids[to]);
            __syncthreads();
        }
    }
    const window &above = plan.level[level > 0 ? level - 1 : 0];
    patches p;
    p.ib = i >> 2;
    p.jb = j >> 2;
    p.n_i = g.width / 4;
    p.n_j = g.height / 4;
    p.above = level > 0 ? grids[0].at + (int)(j / 2 - 4 * above.jb) * g.pitch[0] + (int)(i / 2 - 4 * above.ib) : nullptr;
    p.pitch = g.pitch[0];
    const uint4 *border = words + (BASIS == TER_BASIS_MIDPOINT ? plan.level[level].first_word : 0);

    const int column = (int)(i - tile.i), row = (int)(j - tile.j);
    float *out = batch.out + tile.slot * batch.slot_stride;
    if (g.is_aligned && column >= 0 && row >= 0 && column % 4 == 0 && column + g.width <= batch.width &&
        row + g.height <= batch.height) {
        const inner_sink sink = {out + (size_t)row * batch.row_stride + column, batch.row_stride};
        finish<BASIS, VALLEY, THREADS>(f, level, p, border, sink);
    } else {
        const clipped_sink sink = {out, batch.row_stride, column, row, batch.width, batch.height};
        finish<BASIS, VALLEY, THREADS>(f, level, p, border, sink);
    }
}

/* ---- launch ---- */

/** Most points a window of a level can have, for a tile of `width` points `depth` levels below. */
int window_max(int basis, int width, int depth)
{
    return basis == TER_BASIS_SMOOTH ? ((width - 6) >> depth) + 7 : ((width - 1) >> depth) + 3;
}

/** Most Philox blocks that cover a level's window, the edge points beyond it included. */
int blocks_max(int basis, int width, int depth)
{
    return (window_max(basis, width, depth) + (basis == TER_BASIS_MIDPOINT) + 2) / 4 + 1;
}

int round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

int n_tiles(int width, int height, const block_shape &shape)
{
    return (width + shape.width - 1) / shape.width * ((height + shape.height - 1) / shape.height);
}

/** Shape of a launch's blocks: large ones where there are enough to go round and shared memory for two, smaller ones where
 *  multiprocessors would be idle. */
block_shape choose_shape(int width, int height, int count)
{
    int n_multiprocessors = 1, shared = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n_multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    const bool is_roomy = shared >= LARGE_SHARED_BYTES;
    if (is_roomy && n_tiles(width, height, LARGE) * (int64_t)count >= 8 * n_multiprocessors && width > SMALL.width &&
        height > SMALL.height)
        return LARGE;
    const bool is_large = width > SMALL.width || height > SMALL.height;
    if (n_tiles(width, height, SMALL) * (int64_t)count >= 2 * n_multiprocessors || !is_large)
        return SMALL;
    return {SMALL.threads, SMALLEST, SMALLEST};
}

geometry make_geometry(const ter_field *f, const ter_cuda_batch *batch, block_shape *shape)
{
    const int before = batch->is_origin_aligned ? 0 : 3; /* points between a block's origin and the tile's */
    const int width = round_up(batch->width + before, 4), height = round_up(batch->height + before, 4);
    *shape = choose_shape(width, height, batch->count);
    geometry g = {};
    g.width = width < shape->width ? width : shape->width;
    g.height = height < shape->height ? height : shape->height;
    g.n_tiles_i = (width + g.width - 1) / g.width;
    g.n_tiles_j = (height + g.height - 1) / g.height;
    for (int n = 0; n < 2; n++) {
        g.pitch[n] = 4 * blocks_max(f->basis, g.width, n + 1);
        g.floats[n] = g.pitch[n] * (4 * blocks_max(f->basis, g.height, n + 1) + 4) + 2 * PAD;
    }
    for (int depth = PATCH_LEVELS + 1; depth < f->levels; depth++)
        g.n_words += blocks_max(f->basis, g.width, depth) * blocks_max(f->basis, g.height, depth);
    g.n_words += g.height / 4 * ((g.width / 4 + 31) / 32);
    g.is_aligned = ter_batch_is_aligned(*batch);
    return g;
}

size_t shared_bytes(const geometry &g)
{
    return (size_t)g.n_words * sizeof(uint4) + (size_t)(g.floats[0] + g.floats[1]) * sizeof(float);
}

template <int BASIS, int VALLEY, int THREADS>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, const geometry &g, cudaStream_t stream)
{
    const size_t bytes = shared_bytes(g);
    TER_CUDA(cudaFuncSetAttribute(tiled_kernel<BASIS, VALLEY, THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    const dim3 blocks((unsigned)g.n_tiles_i, (unsigned)g.n_tiles_j, (unsigned)batch->count);
    tiled_kernel<BASIS, VALLEY, THREADS><<<blocks, THREADS, bytes, stream>>>(*f, *batch, g);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

template <int BASIS, int VALLEY> ter_status launch_shape(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    block_shape shape;
    const geometry g = make_geometry(f, batch, &shape);
    if (shape.threads == LARGE.threads)
        return launch<BASIS, VALLEY, LARGE.threads>(f, batch, g, stream);
    return launch<BASIS, VALLEY, SMALL.threads>(f, batch, g, stream);
}

} // namespace

ter_status ter_tiled(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    if (f->basis == TER_BASIS_SMOOTH)
        return f->is_valley ? launch_shape<TER_BASIS_SMOOTH, 1>(f, batch, stream)
                            : launch_shape<TER_BASIS_SMOOTH, 0>(f, batch, stream);
    return f->is_valley ? launch_shape<TER_BASIS_MIDPOINT, 1>(f, batch, stream)
                        : launch_shape<TER_BASIS_MIDPOINT, 0>(f, batch, stream);
}
