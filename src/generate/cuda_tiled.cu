/* cuda_tiled.cu - generator `tiled`: a block makes its tile's coarse hierarchy once in shared memory, threads finish the last level
 * in registers and store it; one launch.
 *
 * A block of THREADS threads makes one tile of at most TILE_MAX x TILE_MAX points whose origin is a multiple of 4, in four steps:
 *   1. plan     a thread a level: the window of that level that the tile depends on
 *   2. random   all Philox blocks of all coarse levels, spread over all threads, into shared memory
 *   3. descend  level by level from the root: one warp while the window is small, then all threads; a thread makes a 2 x 2 quad
 *   4. finish   the tile's own level: a thread owns a column of 4 x 4 patches, one Philox block each, and walks down it
 */
#include "generate/cuda_launch.h"

namespace
{

constexpr int THREADS = 128;
constexpr int TILE_MAX = 128;
constexpr int TILE_SMALL = 64;
constexpr int LEVELS = TER_LEVELS_MAX + 1; /* plan entries: the coarse levels, and the border column of basis midpoint */

/** The window of one level in shared memory, and its random words. */
struct window {
    int64_t ib, jb; /* first Philox block */
    int n_blocks_i, n_blocks_j;
    int first_word;    /* first Philox block's place in the words array */
    int width, height; /* points */
    int parity_i, parity_j;
    int offset_i, offset_j; /* pairs from the first block's origin to the window's first pair, 0 or 1 */
};

struct plan {
    window level[LEVELS];
    int n_words;
};

/** Tile geometry of a launch: sizes of the shared arrays. */
struct geometry {
    int width, height;        /* points of a block's tile, multiples of 4 */
    int n_tiles_i, n_tiles_j; /* blocks that cover one tile of the batch */
    int pitch[2], floats[2];  /* the two grids: [0] the level above the tile, [1] the one above that */
    int n_words;              /* Philox blocks */
    bool is_aligned;
};

__host__ __device__ inline int window_width_max(int basis, int width, int depth)
{
    return basis == TER_BASIS_SMOOTH ? ((width + 4) >> depth) + 7 : ((width + 1) >> depth) + 3;
}

template <int BASIS> __device__ window plan_level(int64_t i, int64_t j, int width, int height, int depth)
{
    const int64_t i0 = ter_window_low(BASIS, i, depth), i1 = ter_window_high(BASIS, i + width - 1, depth);
    const int64_t j0 = ter_window_low(BASIS, j, depth), j1 = ter_window_high(BASIS, j + height - 1, depth);
    const int edge = BASIS == TER_BASIS_MIDPOINT; /* a centre at the far side needs the edge points beyond it */
    window w;
    w.ib = i0 >> 2;
    w.jb = j0 >> 2;
    w.n_blocks_i = (int)(((i1 + edge) >> 2) - w.ib) + 1;
    w.n_blocks_j = (int)(((j1 + edge) >> 2) - w.jb) + 1;
    w.width = (int)(i1 - i0) + 1;
    w.height = (int)(j1 - j0) + 1;
    w.parity_i = (int)(i0 & 1);
    w.parity_j = (int)(j0 & 1);
    w.offset_i = (int)(i0 >> 1 & 1);
    w.offset_j = (int)(j0 >> 1 & 1);
    return w;
}

/** Step 1. The first warp: a lane a level, then a prefix sum of the numbers of Philox blocks. */
template <int BASIS> __device__ void make_plan(plan *plan, int level, int64_t i, int64_t j, int width, int height)
{
    if (threadIdx.x >= 32)
        return;
    const int lane = (int)threadIdx.x;
    window w = {};
    if (lane < level)
        w = plan_level<BASIS>(i, j, width, height, level - lane);
    if (BASIS == TER_BASIS_MIDPOINT && lane == level) { /* the column of blocks east of the tile */
        w.ib = (i + width) >> 2;
        w.jb = j >> 2;
        w.n_blocks_i = 1;
        w.n_blocks_j = height / 4;
    }
    const int n = w.n_blocks_i * w.n_blocks_j;
    int sum = n;
    for (int step = 1; step < 32; step *= 2) {
        const int below = __shfl_up_sync(0xffffffffu, sum, step);
        sum += lane >= step ? below : 0;
    }
    w.first_word = sum - n;
    if (lane < LEVELS)
        plan->level[lane] = w;
    if (lane == 31)
        plan->n_words = sum;
}

/** Step 2. */
__device__ void make_words(const ter_field &f, const plan &plan, int last_level, uint4 *words)
{
    for (int n = (int)threadIdx.x; n < plan.n_words; n += THREADS) {
        int k = last_level;
        while (n < plan.level[k].first_word)
            k--;
        const window &w = plan.level[k];
        const int block = n - w.first_word;
        const int row = block / w.n_blocks_i;
        const ter_words b = ter_random_block(&f, k, w.ib + (block - row * w.n_blocks_i), w.jb + row);
        words[n] = make_uint4(b.w[0], b.w[1], b.w[2], b.w[3]);
    }
}

/** The two r bytes of pair u (counted from the window's first pair) in row 2 v + odd. */
__device__ __forceinline__ unsigned pair_bytes(const window &w, const uint4 *words, int u, int v, int odd)
{
    u += w.offset_i;
    v += w.offset_j;
    const unsigned char *block = (const unsigned char *)&words[w.first_word + (v >> 1) * w.n_blocks_i + (u >> 1)];
    return *(const unsigned short *)(block + (v & 1) * 8 + odd * 4 + (u & 1) * 2);
}

/** Byte n of a word as the float r: the byte becomes the mantissa of 2^23 + byte, which is exact. */
__device__ __forceinline__ float byte_r(unsigned word, int n)
{
    return __uint_as_float(__byte_perm(word, 0x4B000000u, 0x7440 | n)) - 8388736.0f;
}

template <int VALLEY> __device__ __forceinline__ float displace(const ter_field &f, float amplitude, float r, float m)
{
    return ter_displace(r, amplitude, m, VALLEY, f.valley_offset, f.valley_slope);
}

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

/** Quads of one level, n = first, first + step, ...: from `parent` to `child`. */
template <int BASIS, int VALLEY>
__device__ void descend_level(const ter_field &f, const window &w, const uint4 *words, int k, const float *parent, int parent_pitch,
                              float *child, int child_pitch, int first, int step)
{
    const int n_u = (w.width + w.parity_i + 1) >> 1, n_v = (w.height + w.parity_j + 1) >> 1;
    const float a = f.amplitude[k];
    for (int n = first; n < n_u * n_v; n += step) {
        const int v = n / n_u, u = n - v * n_u;
        const unsigned r0 = pair_bytes(w, words, u, v, 0), r1 = pair_bytes(w, words, u, v, 1);
        const float *at;
        quad q;
        if constexpr (BASIS == TER_BASIS_SMOOTH) {
            at = parent + (v + 1) * parent_pitch + u + 1;
            q = quad_smooth<VALLEY>(f, a, at, parent_pitch, r0, r1);
        } else {
            at = parent + v * parent_pitch + u;
            const unsigned below = pair_bytes(w, words, u, v + 1, 0), beside = pair_bytes(w, words, u + 1, v, 1);
            q = quad_midpoint<VALLEY>(f, a, at, parent_pitch, r0, r1, below, beside);
        }
        const int column = 2 * u - w.parity_i, row = 2 * v - w.parity_j;
        float *to = child + row * child_pitch + column;
        const bool has_west = column >= 0, has_east = column + 1 < w.width;
        if (row >= 0) {
            if (has_west)
                to[0] = at[0];
            if (has_east)
                to[1] = q.east;
        }
        if (row + 1 < w.height) {
            if (has_west)
                to[child_pitch] = q.south;
            if (has_east)
                to[child_pitch + 1] = q.centre;
        }
    }
}

/** Step 3. Leaves the level above the tile in grid[0]. */
template <int BASIS, int VALLEY>
__device__ void descend(const ter_field &f, const plan &plan, const uint4 *words, int level, float *const grid[2],
                        const geometry &g)
{
    const int root_grid = (level - 1) & 1;
    const window &root = plan.level[0];
    for (int n = (int)threadIdx.x; n < root.width * root.height; n += THREADS) {
        const int row = n / root.width, column = n - row * root.width;
        const unsigned pair =
            pair_bytes(root, words, (column + root.parity_i) >> 1, (row + root.parity_j) >> 1, (row + root.parity_j) & 1);
        grid[root_grid][row * g.pitch[root_grid] + column] =
            ter_height_root(&f, byte_r((column + root.parity_i) & 1 ? pair >> 8 : pair, 0));
    }
    __syncthreads();
    int k = 1;
    for (; k < level; k++) { /* as long as a warp has a lane a quad, one warp goes down alone */
        const window &w = plan.level[k];
        if (((w.width + w.parity_i + 1) >> 1) * ((w.height + w.parity_j + 1) >> 1) > 32)
            break;
        const int to = (level - 1 - k) & 1;
        if (threadIdx.x < 32) {
            descend_level<BASIS, VALLEY>(f, w, words, k, grid[!to], g.pitch[!to], grid[to], g.pitch[to], (int)threadIdx.x, 32);
            __syncwarp();
        }
    }
    __syncthreads();
    for (; k < level; k++) {
        const int to = (level - 1 - k) & 1;
        descend_level<BASIS, VALLEY>(f, plan.level[k], words, k, grid[!to], g.pitch[!to], grid[to], g.pitch[to], (int)threadIdx.x,
                                     THREADS);
        __syncthreads();
    }
}

/** Where a tile's points go, clipped to the tile of the batch it is a part of. */
struct target {
    float *out; /* row 0, column 0 of the batch's tile */
    size_t stride;
    int column, row; /* of the block's tile in it: may be negative, down to -3 */
    int width, height;
    bool is_aligned;
};

/** Store four points of a row. */
__device__ __forceinline__ void store_four(const target &t, int column, int row, float4 h)
{
    column += t.column;
    row += t.row;
    if ((unsigned)row >= (unsigned)t.height)
        return;
    float *to = t.out + (size_t)row * t.stride + column;
    if (t.is_aligned && column >= 0 && column + 4 <= t.width) {
        *(float4 *)to = h;
        return;
    }
    const float values[4] = {h.x, h.y, h.z, h.w};
#pragma unroll
    for (int n = 0; n < 4; n++)
        if ((unsigned)(column + n) < (unsigned)t.width)
            to[n] = values[n];
}

/** Step 4 for level 0: heights are random numbers alone. */
__device__ void finish_root(const ter_field &f, int64_t i, int64_t j, const geometry &g, const target &t)
{
    const int n_patches_i = g.width / 4;
    for (int n = (int)threadIdx.x; n < n_patches_i * (g.height / 4); n += THREADS) {
        const int row = n / n_patches_i, column = n - row * n_patches_i;
        const ter_words b = ter_random_block(&f, 0, (i >> 2) + column, (j >> 2) + row);
#pragma unroll
        for (int r = 0; r < 4; r++)
            store_four(t, 4 * column, 4 * row + r,
                       make_float4(ter_height_root(&f, byte_r(b.w[r], 0)), ter_height_root(&f, byte_r(b.w[r], 1)),
                                   ter_height_root(&f, byte_r(b.w[r], 2)), ter_height_root(&f, byte_r(b.w[r], 3))));
    }
}

/** A parent row as a thread of basis smooth holds it: its two points, and the two that lie between them and to the east. */
struct smooth_row {
    float e0, e1, q0, q1;
};

__device__ __forceinline__ smooth_row load_smooth_row(const float *at)
{
    const float2 a = *(const float2 *)at, b = *(const float2 *)(at + 2);
    smooth_row row;
    row.e0 = a.y;
    row.e1 = b.x;
    row.q0 = ter_four(a.x, a.y, b.x, b.y);
    row.q1 = ter_four(a.y, b.x, b.y, at[4]);
    return row;
}

/** The row on a parent row: two points kept, two displaced. */
template <int VALLEY> __device__ __forceinline__ float4 smooth_even(const ter_field &f, float a, unsigned word, const smooth_row &p)
{
    return make_float4(p.e0, displace<VALLEY>(f, a, byte_r(word, 1), p.q0), p.e1, displace<VALLEY>(f, a, byte_r(word, 3), p.q1));
}

/** The row between parent rows b and c. */
template <int VALLEY>
__device__ __forceinline__ float4 smooth_odd(const ter_field &f, float amplitude, unsigned word, const smooth_row &a,
                                             const smooth_row &b, const smooth_row &c, const smooth_row &d)
{
    return make_float4(displace<VALLEY>(f, amplitude, byte_r(word, 0), ter_four(a.e0, b.e0, c.e0, d.e0)),
                       displace<VALLEY>(f, amplitude, byte_r(word, 1), ter_four(a.q0, b.q0, c.q0, d.q0)),
                       displace<VALLEY>(f, amplitude, byte_r(word, 2), ter_four(a.e1, b.e1, c.e1, d.e1)),
                       displace<VALLEY>(f, amplitude, byte_r(word, 3), ter_four(a.q1, b.q1, c.q1, d.q1)));
}

template <int VALLEY>
__device__ void finish_smooth(const ter_field &f, int level, int64_t i, int64_t j, const float *parent, const geometry &g,
                              const target &t)
{
    const int n_patches_i = g.width / 4, n_patches_j = g.height / 4;
    const int n_strips = THREADS / n_patches_i, rows_a_strip = (n_patches_j + n_strips - 1) / n_strips;
    const int strip = (int)threadIdx.x / n_patches_i, patch = (int)threadIdx.x - strip * n_patches_i;
    const int first = strip * rows_a_strip, last = min(first + rows_a_strip, n_patches_j);
    if (strip >= n_strips || first >= last)
        return;
    const float a = f.amplitude[level];
    const int pitch = g.pitch[0];
    const float *at = parent + 2 * first * pitch + 2 * patch;
    smooth_row p0 = load_smooth_row(at), p1 = load_smooth_row(at + pitch), p2 = load_smooth_row(at + 2 * pitch);
    for (int row = first; row < last; row++) {
        at += 2 * pitch;
        const ter_words b = ter_random_block(&f, level, (i >> 2) + patch, (j >> 2) + row);
        store_four(t, 4 * patch, 4 * row, smooth_even<VALLEY>(f, a, b.w[0], p1));
        const smooth_row p3 = load_smooth_row(at + pitch);
        store_four(t, 4 * patch, 4 * row + 1, smooth_odd<VALLEY>(f, a, b.w[1], p0, p1, p2, p3));
        store_four(t, 4 * patch, 4 * row + 2, smooth_even<VALLEY>(f, a, b.w[2], p2));
        const smooth_row p4 = load_smooth_row(at + 2 * pitch);
        store_four(t, 4 * patch, 4 * row + 3, smooth_odd<VALLEY>(f, a, b.w[3], p1, p2, p3, p4));
        p0 = p2;
        p1 = p3;
        p2 = p4;
    }
}

/** A parent row of basis midpoint: its two points and the next to the east, and the two displaced edge points between them. */
struct midpoint_row {
    float p0, p1, p2, edge0, edge1;
};

template <int VALLEY>
__device__ __forceinline__ midpoint_row load_midpoint_row(const ter_field &f, float a, const float *at, unsigned word)
{
    const float2 p = *(const float2 *)at;
    midpoint_row row;
    row.p0 = p.x;
    row.p1 = p.y;
    row.p2 = at[2];
    row.edge0 = displace<VALLEY>(f, a, byte_r(word, 1), ter_edge(row.p0, row.p1));
    row.edge1 = displace<VALLEY>(f, a, byte_r(word, 3), ter_edge(row.p1, row.p2));
    return row;
}

/** The row between parent rows n and s; `beside` holds the r byte of the edge point east of the patch. */
template <int VALLEY>
__device__ __forceinline__ float4 midpoint_odd(const ter_field &f, float a, unsigned word, unsigned beside, const midpoint_row &n,
                                               const midpoint_row &s)
{
    const float side0 = displace<VALLEY>(f, a, byte_r(word, 0), ter_edge(n.p0, s.p0));
    const float side1 = displace<VALLEY>(f, a, byte_r(word, 2), ter_edge(n.p1, s.p1));
    const float side2 = displace<VALLEY>(f, a, byte_r(beside, 0), ter_edge(n.p2, s.p2));
    const float centre0 = ter_centre(n.edge0, s.edge0, side0, side1);
    const float centre1 = ter_centre(n.edge1, s.edge1, side1, side2);
    return make_float4(side0, displace<VALLEY>(f, a, byte_r(word, 1), centre0), side1,
                       displace<VALLEY>(f, a, byte_r(word, 3), centre1));
}

template <int VALLEY>
__device__ void finish_midpoint(const ter_field &f, int level, int64_t i, int64_t j, const float *parent, const uint4 *border,
                                const geometry &g, const target &t)
{
    const int lane = (int)threadIdx.x % 32;
    const int n_patches_i = g.width / 4, n_patches_j = g.height / 4;
    const int strips_a_warp = 32 / n_patches_i, n_strips = strips_a_warp * (THREADS / 32);
    const int rows_a_strip = (n_patches_j + n_strips - 1) / n_strips;
    const int strip_in_warp = lane / n_patches_i, patch = lane - strip_in_warp * n_patches_i;
    const int first = ((int)threadIdx.x / 32 * strips_a_warp + strip_in_warp) * rows_a_strip;
    const bool is_idle = strip_in_warp >= strips_a_warp; /* idle lanes go along: neighbours shuffle with them */
    const float a = f.amplitude[level];
    const int pitch = g.pitch[0];
    const float *at = parent + 2 * first * pitch + 2 * patch;
    ter_words b = ter_random_block(&f, level, (i >> 2) + patch, (j >> 2) + first);
    const bool has_first = !is_idle && first < n_patches_j;
    midpoint_row p0 = {};
    if (has_first)
        p0 = load_midpoint_row<VALLEY>(f, a, at, b.w[0]);
    for (int n = 0; n < rows_a_strip; n++) {
        const int row = first + n;
        const bool is_inside = !is_idle && row < n_patches_j;
        const ter_words below = ter_random_block(&f, level, (i >> 2) + patch, (j >> 2) + row + 1);
        unsigned beside = __shfl_down_sync(0xffffffffu, __byte_perm(b.w[1], b.w[3], 0x0040), 1);
        if (is_inside) {
            if (patch == n_patches_i - 1)
                beside = __byte_perm(border[row].y, border[row].w, 0x0040);
            const midpoint_row p1 = load_midpoint_row<VALLEY>(f, a, at + pitch, b.w[2]);
            const midpoint_row p2 = load_midpoint_row<VALLEY>(f, a, at + 2 * pitch, below.w[0]);
            store_four(t, 4 * patch, 4 * row, make_float4(p0.p0, p0.edge0, p0.p1, p0.edge1));
            store_four(t, 4 * patch, 4 * row + 1, midpoint_odd<VALLEY>(f, a, b.w[1], beside, p0, p1));
            store_four(t, 4 * patch, 4 * row + 2, make_float4(p1.p0, p1.edge0, p1.p1, p1.edge1));
            store_four(t, 4 * patch, 4 * row + 3, midpoint_odd<VALLEY>(f, a, b.w[3], beside >> 8, p1, p2));
            p0 = p2;
        }
        at += 2 * pitch;
        b = below;
    }
}

template <int BASIS, int VALLEY>
__global__ void __launch_bounds__(THREADS)
    tiled_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch,
                 const __grid_constant__ geometry g)
{
    extern __shared__ uint4 shared[];
    __shared__ plan plan;
    uint4 *words = shared;
    float *const grid[2] = {(float *)(shared + g.n_words), (float *)(shared + g.n_words) + g.floats[0]};

    const ter_cuda_tile tile = ter_batch_tile(batch, (int)blockIdx.z);
    const int64_t i = (tile.i & ~INT64_C(3)) + (int64_t)blockIdx.x * g.width;
    const int64_t j = (tile.j & ~INT64_C(3)) + (int64_t)blockIdx.y * g.height;
    target t;
    t.out = batch.out + tile.slot * batch.slot_stride;
    t.stride = batch.row_stride;
    t.column = (int)(i - tile.i);
    t.row = (int)(j - tile.j);
    t.width = batch.width;
    t.height = batch.height;
    t.is_aligned = g.is_aligned && (tile.i & 3) == 0;
    if (tile.level == 0) {
        finish_root(f, i, j, g, t);
        return;
    }
    make_plan<BASIS>(&plan, tile.level, i, j, g.width, g.height);
    __syncthreads();
    make_words(f, plan, BASIS == TER_BASIS_MIDPOINT ? tile.level : tile.level - 1, words);
    __syncthreads();
    descend<BASIS, VALLEY>(f, plan, words, tile.level, grid, g);
    if constexpr (BASIS == TER_BASIS_SMOOTH)
        finish_smooth<VALLEY>(f, tile.level, i, j, grid[0], g, t);
    else
        finish_midpoint<VALLEY>(f, tile.level, i, j, grid[0], words + plan.level[tile.level].first_word, g, t);
}

/** Philox blocks that cover `width` points of any alignment. */
int blocks_max(int width)
{
    return (width + 3) / 4 + 1;
}

int round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

/** Tile size of a launch: as large as the tiles of the batch, at most TILE_MAX, smaller where that leaves multiprocessors idle. */
geometry make_geometry(const ter_field *f, const ter_cuda_batch *batch)
{
    int n_multiprocessors = 1, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n_multiprocessors, cudaDevAttrMultiProcessorCount, device);
    const int before = batch->is_origin_aligned ? 0 : 3; /* points between a block's origin and the tile's */
    const int width = round_up(batch->width + before, 4), height = round_up(batch->height + before, 4);
    const int n_large = (width + TILE_MAX - 1) / TILE_MAX * ((height + TILE_MAX - 1) / TILE_MAX) * batch->count;
    const int side = n_large < 4 * n_multiprocessors && (width > TILE_MAX || height > TILE_MAX) ? TILE_SMALL : TILE_MAX;
    geometry g = {};
    g.width = width < side ? width : side;
    g.height = height < side ? height : side;
    g.n_tiles_i = (width + g.width - 1) / g.width;
    g.n_tiles_j = (height + g.height - 1) / g.height;
    for (int n = 0; n < 2; n++) {
        g.pitch[n] = round_up(window_width_max(f->basis, g.width, n + 1) + 1, 4);
        g.floats[n] = g.pitch[n] * (window_width_max(f->basis, g.height, n + 1) + 1);
    }
    for (int depth = 1; depth <= f->levels; depth++)
        g.n_words += blocks_max(window_width_max(f->basis, g.width, depth) + 1) *
                     blocks_max(window_width_max(f->basis, g.height, depth) + 1);
    g.n_words += g.height / 4;
    g.is_aligned = ter_batch_is_aligned(*batch);
    return g;
}

template <int BASIS, int VALLEY>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, const geometry &g, cudaStream_t stream)
{
    const size_t bytes = (size_t)g.n_words * sizeof(uint4) + (size_t)(g.floats[0] + g.floats[1]) * sizeof(float);
    TER_CUDA(cudaFuncSetAttribute(tiled_kernel<BASIS, VALLEY>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    const dim3 grid((unsigned)g.n_tiles_i, (unsigned)g.n_tiles_j, (unsigned)batch->count);
    tiled_kernel<BASIS, VALLEY><<<grid, THREADS, bytes, stream>>>(*f, *batch, g);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

ter_status ter_tiled(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    const geometry g = make_geometry(f, batch);
    if (f->basis == TER_BASIS_SMOOTH)
        return f->is_valley ? launch<TER_BASIS_SMOOTH, 1>(f, batch, g, stream) : launch<TER_BASIS_SMOOTH, 0>(f, batch, g, stream);
    return f->is_valley ? launch<TER_BASIS_MIDPOINT, 1>(f, batch, g, stream) : launch<TER_BASIS_MIDPOINT, 0>(f, batch, g, stream);
}
