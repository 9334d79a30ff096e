/* cuda_tiled.cu - generator `tiled`: a block makes its tile's coarse hierarchy once in shared memory, threads finish the last level
 * in registers and store it; one launch.
 *
 * A block of THREADS threads makes one tile of at most TILE_MAX x TILE_MAX points whose origin is a multiple of 4, in five steps:
 *   1. plan     a thread a level: the window of that level that the tile depends on
 *   2. random   Philox blocks of the levels that step 3 makes, spread over all threads, into shared memory
 *   3. descend  level by level from the root: one warp while the window is small, then all threads; a thread makes 2 x 2 quads
 *   4. widen    the last two levels above the tile: a thread owns a column of 4 x 4 patches, one Philox block each
 *   5. finish   the tile's own level in the same way, but into the output
 * Every level's grid in shared memory starts on a multiple of 4 points, so patches and pairs never lie half outside.
 * README.md in this folder tells what was measured.
 */
#include "generate/cuda_launch.h"

namespace
{

constexpr int THREADS = 128;
constexpr int TILE_MAX = 128;
constexpr int TILE_SMALL = 64;
constexpr int LEVELS = TER_LEVELS_MAX + 1; /* plan entries: the coarse levels, and the border column of basis midpoint */
constexpr int PATCH_LEVELS = 2;            /* levels above the tile that are made in patches */
constexpr int PAD = 8;                     /* floats readable before and behind a grid */
constexpr unsigned ALL_LANES = 0xffffffffu;

/** The window of one level in shared memory, and its random words. */
struct window {
    int64_t ib, jb; /* first Philox block; the grid's first point is (4 ib, 4 jb) */
    int n_blocks_i, n_blocks_j;
    int first_word;         /* first Philox block's place in the words array */
    int pair_i, pair_j;     /* first pair that is needed, 0 or 1 from the grid's origin */
    int n_pairs_i, n_pairs_j;
    int parent_i, parent_j; /* place of the first pair's parent in the parent's grid */
    int width, height;      /* points that are needed; level 0 only */
    int first_i, first_j;   /* first point that is needed, from the grid's origin; level 0 only */
};

struct plan {
    window level[LEVELS];
    int n_words;
};

/** Tile geometry of a launch: sizes of the shared arrays. */
struct geometry {
    int width, height;       /* points of a block's tile, multiples of 4 */
    int n_tiles_i, n_tiles_j; /* blocks that cover one tile of the batch */
    int pitch[2], floats[2]; /* the two grids: [0] the level above the tile, [1] the one above that */
    int n_words;             /* Philox blocks */
    bool is_aligned;
};

/** A level's grid in shared memory. */
struct grid {
    float *at;
    int pitch;
};

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
    w.pair_i = (int)((i0 >> 1) - 2 * w.ib);
    w.pair_j = (int)((j0 >> 1) - 2 * w.jb);
    w.n_pairs_i = (int)((i1 >> 1) - (i0 >> 1)) + 1;
    w.n_pairs_j = (int)((j1 >> 1) - (j0 >> 1)) + 1;
    w.parent_i = (int)((i0 >> 1) - (ter_window_low(BASIS, i, depth + 1) & ~INT64_C(3)));
    w.parent_j = (int)((j0 >> 1) - (ter_window_low(BASIS, j, depth + 1) & ~INT64_C(3)));
    w.width = (int)(i1 - i0) + 1;
    w.height = (int)(j1 - j0) + 1;
    w.first_i = (int)(i0 & 3);
    w.first_j = (int)(j0 & 3);
    w.first_word = 0;
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
    const bool has_words = lane < max(level - PATCH_LEVELS, 1) || lane == level;
    const int n = has_words ? w.n_blocks_i * w.n_blocks_j : 0;
    int sum = n;
    for (int step = 1; step < 32; step *= 2) {
        const int below = __shfl_up_sync(ALL_LANES, sum, step);
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

/** The two r bytes of pair u in row 2 v + odd, both counted from the grid's origin. */
__device__ __forceinline__ unsigned pair_bytes(const window &w, const uint4 *words, int u, int v, int odd)
{
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

/** Quads of one level, n = first, first + step, ... */
template <int BASIS, int VALLEY>
__device__ void descend_level(const ter_field &f, const window &w, const uint4 *words, int k, const grid &parent, const grid &child,
                              int first, int step)
{
    const float a = f.amplitude[k];
    for (int n = first; n < w.n_pairs_i * w.n_pairs_j; n += step) {
        const int row = n / w.n_pairs_i, column = n - row * w.n_pairs_i;
        const int u = column + w.pair_i, v = row + w.pair_j;
        const float *at = parent.at + (row + w.parent_j) * parent.pitch + column + w.parent_i;
        const unsigned r0 = pair_bytes(w, words, u, v, 0), r1 = pair_bytes(w, words, u, v, 1);
        quad q;
        if constexpr (BASIS == TER_BASIS_SMOOTH)
            q = quad_smooth<VALLEY>(f, a, at, parent.pitch, r0, r1);
        else
            q = quad_midpoint<VALLEY>(f, a, at, parent.pitch, r0, r1, pair_bytes(w, words, u, v + 1, 0), pair_bytes(w, words, u + 1, v, 1));
        float *to = child.at + 2 * v * child.pitch + 2 * u;
        *(float2 *)to = make_float2(at[0], q.east);
        *(float2 *)(to + child.pitch) = make_float2(q.south, q.centre);
    }
}

/** Step 3: the root, then levels 1 to last; level k goes to grids[(last_grid - k) & 1]. */
template <int BASIS, int VALLEY>
__device__ void descend(const ter_field &f, const plan &plan, const uint4 *words, int last, int level, const grid grids[2])
{
    const window &root = plan.level[0];
    const grid &to = grids[(level - 1) & 1];
    for (int n = (int)threadIdx.x; n < root.width * root.height; n += THREADS) {
        const int row = n / root.width + root.first_j, column = n % root.width + root.first_i;
        const unsigned pair = pair_bytes(root, words, column >> 1, row >> 1, row & 1);
        to.at[row * to.pitch + column] = ter_height_root(&f, byte_r(column & 1 ? pair >> 8 : pair, 0));
    }
    __syncthreads();
    int k = 1;
    for (; k <= last; k++) { /* as long as a warp has a lane a quad, one warp goes down alone */
        const window &w = plan.level[k];
        if (w.n_pairs_i * w.n_pairs_j > 32)
            break;
        const int g = (level - 1 - k) & 1;
        if (threadIdx.x < 32) {
            descend_level<BASIS, VALLEY>(f, w, words, k, grids[!g], grids[g], (int)threadIdx.x, 32);
            __syncwarp();
        }
    }
    __syncthreads();
    for (; k <= last; k++) {
        const int g = (level - 1 - k) & 1;
        descend_level<BASIS, VALLEY>(f, plan.level[k], words, k, grids[!g], grids[g], (int)threadIdx.x, THREADS);
        __syncthreads();
    }
}

/* ---- where patches go: four points of a row at a time ---- */

/** A grid in shared memory. */
struct shared_sink {
    grid to;

    __device__ __forceinline__ void store(int column, int row, float4 h) const
    {
        *(float4 *)(to.at + row * to.pitch + column) = h;
    }
};

/** The output, for a tile that lies inside it and whose rows start on 16 bytes. */
struct inner_sink {
    float *out; /* column 0, row 0 of the block's tile */
    size_t stride;

    __device__ __forceinline__ void store(int column, int row, float4 h) const
    {
        *(float4 *)(out + (size_t)row * stride + column) = h;
    }
};

/** The output, for any tile: clipped, point by point. */
struct clipped_sink {
    float *out;      /* column 0, row 0 of the batch's tile */
    size_t stride;
    int column, row; /* of the block's tile in it: may be negative, down to -3 */
    int width, height;

    __device__ __forceinline__ void store(int patch_column, int patch_row, float4 h) const
    {
        const int x = column + patch_column, y = row + patch_row;
        if ((unsigned)y >= (unsigned)height)
            return;
        float *to = out + (size_t)y * stride + x;
        const float values[4] = {h.x, h.y, h.z, h.w};
#pragma unroll
        for (int n = 0; n < 4; n++)
            if ((unsigned)(x + n) < (unsigned)width)
                to[n] = values[n];
    }
};

/** Patches of a level to be made, and the grid above them. */
struct patches {
    int64_t ib, jb;     /* first Philox block */
    int n_i, n_j;       /* blocks */
    const float *above; /* parent of the first block's first point */
    int pitch;
};

/** The part of a thread: a column of patches. */
struct strip {
    int column, first, last; /* rows first .. last - 1; none when idle */
};

/** Columns side by side over all threads, as many strips of rows as fit. Where a thread needs words of its eastern neighbour, lane 31
 *  stands for the next warp's lane 0: it makes that one's words, and nothing else. */
template <bool HAS_NEIGHBOUR> __device__ __forceinline__ strip strip_of(const patches &p)
{
    constexpr int USED = HAS_NEIGHBOUR ? 31 : 32;
    const int thread = HAS_NEIGHBOUR ? (int)(threadIdx.x / 32 * 31 + threadIdx.x % 32) : (int)threadIdx.x;
    const int n_strips = THREADS / 32 * USED / p.n_i, rows = (p.n_j + n_strips - 1) / n_strips;
    const int n = thread / p.n_i;
    strip s;
    s.column = thread - n * p.n_i;
    s.first = n < n_strips ? min(n * rows, p.n_j) : p.n_j;
    s.last = HAS_NEIGHBOUR && threadIdx.x % 32 == 31 ? s.first : min(s.first + rows, p.n_j);
    return s;
}

/* ---- patches of basis smooth ---- */

/** A parent row as a thread holds it: its two points, and the two that lie between them and to the east. */
struct smooth_row {
    float e0, e1, q0, q1;
};

__device__ __forceinline__ smooth_row load_smooth_row(const float *at)
{
    const float2 a = *(const float2 *)(at - 2), b = *(const float2 *)at, c = *(const float2 *)(at + 2);
    smooth_row row;
    row.e0 = b.x;
    row.e1 = b.y;
    row.q0 = ter_four(a.y, b.x, b.y, c.x);
    row.q1 = ter_four(b.x, b.y, c.x, c.y);
    return row;
}

/** The row on a parent row: two points kept, two displaced. */
template <int VALLEY>
__device__ __forceinline__ float4 smooth_even(const ter_field &f, float a, unsigned word, const smooth_row &p)
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

template <int VALLEY, class SINK> __device__ __forceinline__ void patches_smooth(const ter_field &f, int k, const patches &p, const SINK &sink)
{
    const strip s = strip_of<false>(p);
    if (s.first >= s.last)
        return;
    const float a = f.amplitude[k];
    const float *at = p.above + 2 * s.first * p.pitch + 2 * s.column;
    smooth_row p0 = load_smooth_row(at - p.pitch), p1 = load_smooth_row(at), p2 = load_smooth_row(at + p.pitch);
    for (int row = s.first; row < s.last; row++) {
        at += 2 * p.pitch;
        const ter_words b = ter_random_block(&f, k, p.ib + s.column, p.jb + row);
        sink.store(4 * s.column, 4 * row, smooth_even<VALLEY>(f, a, b.w[0], p1));
        const smooth_row p3 = load_smooth_row(at);
        sink.store(4 * s.column, 4 * row + 1, smooth_odd<VALLEY>(f, a, b.w[1], p0, p1, p2, p3));
        sink.store(4 * s.column, 4 * row + 2, smooth_even<VALLEY>(f, a, b.w[2], p2));
        const smooth_row p4 = load_smooth_row(at + p.pitch);
        sink.store(4 * s.column, 4 * row + 3, smooth_odd<VALLEY>(f, a, b.w[3], p1, p2, p3, p4));
        p0 = p2;
        p1 = p3;
        p2 = p4;
    }
}

/* ---- patches of basis midpoint ---- */

/** A parent row: its two points and the next to the east, and the two displaced edge points between them. */
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

/** The row on a parent row. */
__device__ __forceinline__ float4 midpoint_even(const midpoint_row &p)
{
    return make_float4(p.p0, p.edge0, p.p1, p.edge1);
}

/** The row between parent rows n and s; byte `beside_byte` of `beside` is that of the edge point east of the patch. */
template <int VALLEY>
__device__ __forceinline__ float4 midpoint_odd(const ter_field &f, float a, unsigned word, unsigned beside, int beside_byte,
                                               const midpoint_row &n, const midpoint_row &s)
{
    const float side0 = displace<VALLEY>(f, a, byte_r(word, 0), ter_edge(n.p0, s.p0));
    const float side1 = displace<VALLEY>(f, a, byte_r(word, 2), ter_edge(n.p1, s.p1));
    const float side2 = displace<VALLEY>(f, a, byte_r(beside, beside_byte), ter_edge(n.p2, s.p2));
    const float centre0 = ter_centre(n.edge0, s.edge0, side0, side1);
    const float centre1 = ter_centre(n.edge1, s.edge1, side1, side2);
    return make_float4(side0, displace<VALLEY>(f, a, byte_r(word, 1), centre0), side1, displace<VALLEY>(f, a, byte_r(word, 3), centre1));
}

/** The first bytes of rows 1 and 3 of a block, for the block west of it. */
__device__ __forceinline__ unsigned western_bytes(unsigned row1, unsigned row3)
{
    return __byte_perm(row1, row3, 0x0040);
}

/** border: words of the blocks east of the last column; NULL where nobody asks for what depends on them. */
template <int VALLEY, class SINK>
__device__ __forceinline__ void walk_midpoint(const ter_field &f, int k, const patches &p, const strip &s, int n_rows, const uint4 *border,
                                              const SINK &sink)
{
    const float a = f.amplitude[k];
    const float *at = p.above + 2 * s.first * p.pitch + 2 * s.column;
    ter_words b = ter_random_block(&f, k, p.ib + s.column, p.jb + s.first);
    midpoint_row p0 = {};
    if (s.first < s.last)
        p0 = load_midpoint_row<VALLEY>(f, a, at, b.w[0]);
    for (int n = 0; n < n_rows; n++) { /* idle lanes go along: neighbours shuffle with them */
        const int row = s.first + n;
        const ter_words below = ter_random_block(&f, k, p.ib + s.column, p.jb + row + 1);
        unsigned beside = __shfl_down_sync(ALL_LANES, western_bytes(b.w[1], b.w[3]), 1);
        if (row < s.last) {
            if (border && s.column == p.n_i - 1)
                beside = western_bytes(border[row].y, border[row].w);
            const midpoint_row p1 = load_midpoint_row<VALLEY>(f, a, at + p.pitch, b.w[2]);
            sink.store(4 * s.column, 4 * row, midpoint_even(p0));
            sink.store(4 * s.column, 4 * row + 1, midpoint_odd<VALLEY>(f, a, b.w[1], beside, 0, p0, p1));
            at += 2 * p.pitch;
            p0 = load_midpoint_row<VALLEY>(f, a, at, below.w[0]);
            sink.store(4 * s.column, 4 * row + 2, midpoint_even(p1));
            sink.store(4 * s.column, 4 * row + 3, midpoint_odd<VALLEY>(f, a, b.w[3], beside, 1, p1, p0));
        }
        b = below;
    }
}

/** Patches in shared memory: the last column's eastern neighbours are not needed, whatever their bytes. */
template <int VALLEY> __device__ __forceinline__ void patches_midpoint(const ter_field &f, int k, const patches &p, const shared_sink &sink)
{
    const strip s = strip_of<true>(p);
    const int n_strips = THREADS / 32 * 31 / p.n_i;
    walk_midpoint<VALLEY>(f, k, p, s, (p.n_j + n_strips - 1) / n_strips, nullptr, sink);
}

/** The tile's own patches: whole strips a warp, and the border for the last column. */
template <int VALLEY, class SINK>
__device__ __forceinline__ void finish_midpoint(const ter_field &f, int k, const patches &p, const uint4 *border, const SINK &sink)
{
    const int lane = (int)threadIdx.x % 32, strips_a_warp = 32 / p.n_i, n_strips = strips_a_warp * (THREADS / 32);
    const int rows = (p.n_j + n_strips - 1) / n_strips, in_warp = lane / p.n_i;
    strip s;
    s.column = lane - in_warp * p.n_i;
    s.first = in_warp < strips_a_warp ? min(((int)threadIdx.x / 32 * strips_a_warp + in_warp) * rows, p.n_j) : p.n_j;
    s.last = min(s.first + rows, p.n_j);
    walk_midpoint<VALLEY>(f, k, p, s, rows, border, sink);
}

/* ---- the kernel ---- */

/** Step 4: level k of the plan, in patches. */
template <int BASIS, int VALLEY>
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
        patches_smooth<VALLEY>(f, k, p, sink);
    else
        patches_midpoint<VALLEY>(f, k, p, sink);
}

/** Level 0: heights are random numbers alone. */
template <class SINK> __device__ void finish_root(const ter_field &f, const patches &p, const SINK &sink)
{
    for (int n = (int)threadIdx.x; n < p.n_i * p.n_j; n += THREADS) {
        const int row = n / p.n_i, column = n - row * p.n_i;
        const ter_words b = ter_random_block(&f, 0, p.ib + column, p.jb + row);
#pragma unroll
        for (int r = 0; r < 4; r++)
            sink.store(4 * column, 4 * row + r,
                       make_float4(ter_height_root(&f, byte_r(b.w[r], 0)), ter_height_root(&f, byte_r(b.w[r], 1)),
                                   ter_height_root(&f, byte_r(b.w[r], 2)), ter_height_root(&f, byte_r(b.w[r], 3))));
    }
}

/** Step 5. */
template <int BASIS, int VALLEY, class SINK>
__device__ __forceinline__ void finish(const ter_field &f, int level, const patches &p, const uint4 *border, const SINK &sink)
{
    if (level == 0)
        finish_root(f, p, sink);
    else if constexpr (BASIS == TER_BASIS_SMOOTH)
        patches_smooth<VALLEY>(f, level, p, sink);
    else
        finish_midpoint<VALLEY>(f, level, p, border, sink);
}

template <int BASIS, int VALLEY>
__global__ void __launch_bounds__(THREADS)
    tiled_kernel(const __grid_constant__ ter_field f, const __grid_constant__ ter_cuda_batch batch, const __grid_constant__ geometry g)
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
        make_words(f, plan, BASIS == TER_BASIS_MIDPOINT ? level : max(level - 1 - PATCH_LEVELS, 0), words);
        __syncthreads();
        const int first_patch_level = max(level - PATCH_LEVELS, 1);
        descend<BASIS, VALLEY>(f, plan, words, first_patch_level - 1, level, grids);
        for (int k = first_patch_level; k < level; k++) {
            const int to = (level - 1 - k) & 1;
            widen<BASIS, VALLEY>(f, plan.level[k], plan.level[k - 1], k, grids[!to], grids[to]);
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
    if (g.is_aligned && column >= 0 && row >= 0 && column % 4 == 0 && column + g.width <= batch.width && row + g.height <= batch.height) {
        const inner_sink sink = {out + (size_t)row * batch.row_stride + column, batch.row_stride};
        finish<BASIS, VALLEY>(f, level, p, border, sink);
    } else {
        const clipped_sink sink = {out, batch.row_stride, column, row, batch.width, batch.height};
        finish<BASIS, VALLEY>(f, level, p, border, sink);
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
        g.pitch[n] = 4 * blocks_max(f->basis, g.width, n + 1);
        g.floats[n] = g.pitch[n] * (4 * blocks_max(f->basis, g.height, n + 1) + 4) + 2 * PAD;
    }
    for (int depth = 1; depth <= f->levels; depth++)
        if (depth > PATCH_LEVELS || depth == f->levels)
            g.n_words += blocks_max(f->basis, g.width, depth) * blocks_max(f->basis, g.height, depth);
    g.n_words = g.n_words > 0 ? g.n_words : 1;
    for (int depth = 1; depth <= PATCH_LEVELS; depth++) { /* a tile of a coarse level: the root is a level that patches would make */
        const int root = blocks_max(f->basis, g.width, depth) * blocks_max(f->basis, g.height, depth);
        g.n_words = g.n_words > root ? g.n_words : root;
    }
    g.n_words += g.height / 4;
    g.is_aligned = ter_batch_is_aligned(*batch);
    return g;
}

template <int BASIS, int VALLEY>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, const geometry &g, cudaStream_t stream)
{
    const size_t bytes = (size_t)g.n_words * sizeof(uint4) + (size_t)(g.floats[0] + g.floats[1]) * sizeof(float);
    TER_CUDA(cudaFuncSetAttribute(tiled_kernel<BASIS, VALLEY>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    const dim3 blocks((unsigned)g.n_tiles_i, (unsigned)g.n_tiles_j, (unsigned)batch->count);
    tiled_kernel<BASIS, VALLEY><<<blocks, THREADS, bytes, stream>>>(*f, *batch, g);
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
