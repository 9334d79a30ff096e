/* block_tiles.cuh - makes levels in patches. A patch is the 4 x 4 points of one Philox block. A thread goes down a
 * column of patches, reads parents from shared memory and writes to a sink: a grid in shared memory, or the output. */
#ifndef TERRANE_FRACTAL_CUDA_TILED_BLOCK_TILES_CUH
#define TERRANE_FRACTAL_CUDA_TILED_BLOCK_TILES_CUH

#include "library/fractal/cuda/block_column.cuh"
#include "library/fractal/cuda/displace.cuh"
#include "library/fractal/cuda/tiled/sample_types.cuh"

namespace
{

/** A level's grid in shared memory. */
struct grid {
    float *at;
    int pitch;
};

/* ---- sinks: a cursor stores the four rows of a patch, then moves down to the next patch ---- */

/** A patch of a grid in shared memory. */
struct grid_cursor {
    float *at;
    int pitch;

    __device__ __forceinline__ void store(int row, float4 h) const
    {
        *(float4 *)(at + row * pitch) = h;
    }

    __device__ __forceinline__ void down()
    {
        at += 4 * pitch;
    }
};

struct grid_sink {
    grid to;

    __device__ __forceinline__ grid_cursor cursor(int column, int row) const
    {
        return {to.at + row * to.pitch + column, to.pitch};
    }
};

/** A patch of the output, for a tile that lies inside it and whose rows start on multiples of four samples. */
template <class SAMPLE> struct inner_cursor {
    SAMPLE *at;
    size_t stride;
    ter_quantiser quantiser;

    __device__ __forceinline__ void store(int row, float4 h) const
    {
        store_four(at + (size_t)row * stride, h, quantiser);
    }

    __device__ __forceinline__ void down()
    {
        at += 4 * stride;
    }
};

template <class SAMPLE> struct inner_sink {
    SAMPLE *out; /* column 0, row 0 of the block's tile */
    size_t stride;
    ter_quantiser quantiser;

    __device__ __forceinline__ inner_cursor<SAMPLE> cursor(int column, int row) const
    {
        return {out + (size_t)row * stride + column, stride, quantiser};
    }
};

/** A patch of the output, clipped point by point. */
template <class SAMPLE> struct clipped_cursor {
    SAMPLE *out; /* column 0, row 0 of the batch's tile */
    size_t stride;
    ter_quantiser quantiser;
    int width, height; /* of the batch's tile */
    int x, y;          /* of the patch in the batch's tile; may be negative, down to -3 */

    __device__ __forceinline__ void store(int row, float4 h) const
    {
        if ((unsigned)(y + row) < (unsigned)height)
            store_clipped(out + (size_t)(y + row) * stride + x, x, width, h, quantiser);
    }

    __device__ __forceinline__ void down()
    {
        y += 4;
    }
};

template <class SAMPLE> struct clipped_sink {
    SAMPLE *out;
    size_t stride;
    ter_quantiser quantiser;
    int width, height;
    int column, row; /* of the block's tile in the batch's tile */

    __device__ __forceinline__ clipped_cursor<SAMPLE> cursor(int patch_column, int patch_row) const
    {
        return {out, stride, quantiser, width, height, column + patch_column, row + patch_row};
    }
};

/** How a block's threads share patches: each takes a strip of a column. The host computes these numbers, because
 * division is expensive on the device. */
struct patch_split {
    int n_i, n_j;        /* patches */
    int n_strips;        /* strips of a column */
    int n_rows;          /* patches of a strip, fewer in the last one */
    unsigned reciprocal; /* 65536 / number of columns, rounded up: thread * this / 65536 is exact for 256 threads */
};

/** has_border: basis midpoint needs one more column east of the last one. */
inline patch_split make_patch_split(int basis, int threads, int n_i, int n_j, bool has_border)
{
    const bool is_midpoint = basis == TER_BASIS_MIDPOINT;
    const int n_columns = n_i + (is_midpoint && has_border), n_walkers = is_midpoint ? threads / 32 * 31 : threads;
    patch_split split = {n_i, n_j, n_walkers / n_columns};
    split.n_rows = (n_j + split.n_strips - 1) / split.n_strips;
    split.reciprocal = 65536u / (unsigned)n_columns + 1;
    return split;
}

/** Patches of a level to be made, and the grid of their parents. */
struct patches {
    int64_t ib, jb; /* first Philox block */
    patch_split split;
    const float *above; /* parent of the first block's first point */
    int pitch;
};

/** Make patches of level 0, whose points have no parents. */
template <int THREADS, class SINK> __device__ void finish_root(const ter_field &f, const patches &p, const SINK &sink)
{
    for (int n = (int)threadIdx.x; n < p.split.n_i * p.split.n_j; n += THREADS) {
        const int row = n / p.split.n_i, column = n - row * p.split.n_i;
        const ter_words b = ter_random_block(&f, 0, p.ib + column, p.jb + row);
        const auto cursor = sink.cursor(4 * column, 4 * row);
#pragma unroll
        for (int r = 0; r < 4; r++)
            cursor.store(r,
                         make_float4(ter_height_root(&f, byte_r(b.w[r], 0)), ter_height_root(&f, byte_r(b.w[r], 1)),
                                     ter_height_root(&f, byte_r(b.w[r], 2)), ter_height_root(&f, byte_r(b.w[r], 3))));
    }
}

/** A thread's share: a strip of one column of patches. */
struct strip {
    int column, first, last; /* rows first .. last - 1; first = last if the thread is idle */
};

/** Share of the n-th thread that makes patches; n_columns: columns of the split, including the border. */
__device__ __forceinline__ strip strip_of(const patch_split &split, int n, int n_columns)
{
    const int row = (int)((unsigned)n * split.reciprocal >> 16);
    strip s;
    s.column = n - row * n_columns;
    s.first = row < split.n_strips ? min(row * split.n_rows, split.n_j) : split.n_j;
    s.last = min(s.first + split.n_rows, split.n_j);
    return s;
}

/* ---- patches of basis smooth ---- */

/** A parent row in a thread's registers: two parents, the point midway between them, and the point midway to the next
 * parent to the east. */
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

/** A row of points on a parent row: two parents and two displaced points. */
template <int VALLEY>
__device__ __forceinline__ float4 smooth_even(const ter_field &f, float a, unsigned word, const smooth_row &p)
{
    return make_float4(p.e0, displace<VALLEY>(f, a, byte_r(word, 1), p.q0), p.e1,
                       displace<VALLEY>(f, a, byte_r(word, 3), p.q1));
}

/** A row of points between parent rows b and c. */
template <int VALLEY>
__device__ __forceinline__ float4 smooth_odd(const ter_field &f, float amplitude, unsigned word, const smooth_row &a,
                                             const smooth_row &b, const smooth_row &c, const smooth_row &d)
{
    return make_float4(displace<VALLEY>(f, amplitude, byte_r(word, 0), ter_four(a.e0, b.e0, c.e0, d.e0)),
                       displace<VALLEY>(f, amplitude, byte_r(word, 1), ter_four(a.q0, b.q0, c.q0, d.q0)),
                       displace<VALLEY>(f, amplitude, byte_r(word, 2), ter_four(a.e1, b.e1, c.e1, d.e1)),
                       displace<VALLEY>(f, amplitude, byte_r(word, 3), ter_four(a.q1, b.q1, c.q1, d.q1)));
}

/** State of a thread that goes down a column of patches: the parent rows above, on and below the first row of the next
 * patch. */
template <int VALLEY> struct smooth_walk {
    smooth_row p0, p1, p2;

    /** Make a patch; at: address of its column in the first of the next two parent rows. */
    template <class CURSOR>
    __device__ __forceinline__ void step(const ter_field &f, float a, const ter_words &b, const float *at, int pitch,
                                         CURSOR &cursor)
    {
        cursor.store(0, smooth_even<VALLEY>(f, a, b.w[0], p1));
        const smooth_row p3 = load_smooth_row(at);
        cursor.store(1, smooth_odd<VALLEY>(f, a, b.w[1], p0, p1, p2, p3));
        cursor.store(2, smooth_even<VALLEY>(f, a, b.w[2], p2));
        const smooth_row p4 = load_smooth_row(at + pitch);
        cursor.store(3, smooth_odd<VALLEY>(f, a, b.w[3], p1, p2, p3, p4));
        cursor.down();
        p0 = p2;
        p1 = p3;
        p2 = p4;
    }
};

template <int VALLEY, class SINK>
__device__ __forceinline__ void patches_smooth(const ter_field &f, int k, const patches &p, const SINK &sink)
{
    const strip s = strip_of(p.split, (int)threadIdx.x, p.split.n_i);
    if (s.first >= s.last)
        return;
    const float a = f.amplitude[k];
    const float *at = p.above + 2 * s.first * p.pitch + 2 * s.column;
    smooth_walk<VALLEY> walk = {load_smooth_row(at - p.pitch), load_smooth_row(at), load_smooth_row(at + p.pitch)};
    block_column random;
    random.start(f, k, p.ib + s.column, p.jb + s.first);
    auto cursor = sink.cursor(4 * s.column, 4 * s.first);
    for (int row = s.first; row < s.last; row++) {
        at += 2 * p.pitch;
        walk.step(f, a, random.row(f, k, p.ib + s.column, p.jb, row), at, p.pitch, cursor);
    }
}

/* ---- patches of basis midpoint ---- */

/** Two parents of a row, and the next parent to the east. */
struct midpoint_parents {
    float p0, p1, p2;
};

__device__ __forceinline__ midpoint_parents load_midpoint_parents(const float *at)
{
    const float2 p = *(const float2 *)at;
    return {p.x, p.y, at[2]};
}

/** A parent row with the two displaced edge points between its points. */
struct midpoint_row {
    float p0, p1, p2, edge0, edge1;
};

template <int VALLEY>
__device__ __forceinline__ midpoint_row displace_row(const ter_field &f, float a, const midpoint_parents &p,
                                                     unsigned word)
{
    return {p.p0, p.p1, p.p2, displace<VALLEY>(f, a, byte_r(word, 1), ter_edge(p.p0, p.p1)),
            displace<VALLEY>(f, a, byte_r(word, 3), ter_edge(p.p1, p.p2))};
}

/** A row of points on a parent row. */
__device__ __forceinline__ float4 midpoint_even(const midpoint_row &p)
{
    return make_float4(p.p0, p.edge0, p.p1, p.edge1);
}

/** The displaced edge points between parent rows n and s of a patch: south of its two parents, and south of the next
 * parent to the east. */
struct midpoint_sides {
    float side0, side1, side2;
};

template <int VALLEY>
__device__ __forceinline__ float displace_side(const ter_field &f, float a, unsigned word, int byte, float north,
                                               float south)
{
    return displace<VALLEY>(f, a, byte_r(word, byte), ter_edge(north, south));
}

/** A row of points between parent rows n and s. */
template <int VALLEY>
__device__ __forceinline__ float4 midpoint_odd(const ter_field &f, float a, unsigned word, const midpoint_sides &side,
                                               const midpoint_row &n, const midpoint_row &s)
{
    const float centre0 = ter_centre(n.edge0, s.edge0, side.side0, side.side1);
    const float centre1 = ter_centre(n.edge1, s.edge1, side.side1, side.side2);
    return make_float4(side.side0, displace<VALLEY>(f, a, byte_r(word, 1), centre0), side.side1,
                       displace<VALLEY>(f, a, byte_r(word, 3), centre1));
}

/** State of a thread that goes down a column of patches: the next patch's first row and its words. */
template <int VALLEY> struct midpoint_walk {
    midpoint_row p0;
    ter_words b;

    /** Make a patch and go on to the next one.
     *
     *  below         words of the next patch
     *  middle, last  the next two parent rows
     *  beside        western_bytes of the block to the east
     */
    template <class CURSOR>
    __device__ __forceinline__ void step(const ter_field &f, float a, const ter_words &below,
                                         const midpoint_parents &middle, const midpoint_parents &last, unsigned beside,
                                         CURSOR &cursor)
    {
        const midpoint_row p1 = displace_row<VALLEY>(f, a, middle, b.w[2]);
        cursor.store(0, midpoint_even(p0));
        cursor.store(1, midpoint_odd<VALLEY>(f, a, b.w[1], sides(f, a, b.w[1], p0, p1, beside, 0), p0, p1));
        p0 = displace_row<VALLEY>(f, a, last, below.w[0]);
        cursor.store(2, midpoint_even(p1));
        cursor.store(3, midpoint_odd<VALLEY>(f, a, b.w[3], sides(f, a, b.w[3], p1, p0, beside, 1), p1, p0));
        cursor.down();
        b = below;
    }

    __device__ __forceinline__ static midpoint_sides sides(const ter_field &f, float a, unsigned word,
                                                           const midpoint_row &n, const midpoint_row &s,
                                                           unsigned beside, int byte)
    {
        return {displace_side<VALLEY>(f, a, word, 0, n.p0, s.p0), displace_side<VALLEY>(f, a, word, 2, n.p1, s.p1),
                displace_side<VALLEY>(f, a, beside, byte, n.p2, s.p2)};
    }
};

/** Make patches of basis midpoint. A patch takes bytes of its eastern neighbour from the next lane, so lane 31 only
 * computes words for lane 30. HAS_BORDER: points that depend on blocks east of the last column are needed, too, so one
 * more column of blocks is computed. */
template <int VALLEY, bool HAS_BORDER, class SINK>
__device__ __forceinline__ void patches_midpoint(const ter_field &f, int k, const patches &p, const SINK &sink)
{
    const int lane = (int)threadIdx.x % 32;
    strip s = strip_of(p.split, (int)threadIdx.x / 32 * 31 + lane, p.split.n_i + HAS_BORDER);
    if (lane == 31 || s.column == p.split.n_i)
        s.last = s.first;
    const float a = f.amplitude[k];
    const float *at = p.above + 2 * s.first * p.pitch + 2 * s.column;
    block_column random;
    random.start(f, k, p.ib + s.column, p.jb + s.first);
    auto cursor = sink.cursor(4 * s.column, 4 * s.first);
    midpoint_walk<VALLEY> walk = {};
    walk.b = random.row(f, k, p.ib + s.column, p.jb, s.first);
    if (s.first < s.last)
        walk.p0 = displace_row<VALLEY>(f, a, load_midpoint_parents(at), walk.b.w[0]);
    for (int n = 0; n < p.split.n_rows; n++) { /* idle lanes take part, because other lanes shuffle with them */
        const int row = s.first + n;
        const ter_words below = random.row(f, k, p.ib + s.column, p.jb, row + 1);
        const unsigned beside = __shfl_down_sync(ALL_LANES, western_bytes(walk.b.w[1], walk.b.w[3]), 1);
        if (row < s.last) {
            const midpoint_parents middle = load_midpoint_parents(at + p.pitch),
                                   last = load_midpoint_parents(at + 2 * p.pitch);
            walk.step(f, a, below, middle, last, beside, cursor);
            at += 2 * p.pitch;
        } else {
            walk.b = below;
        }
    }
}

/** Make all patches of a level. HAS_BORDER as for patches_midpoint. */
template <int BASIS, int VALLEY, int THREADS, bool HAS_BORDER, class SINK>
__device__ __forceinline__ void make_patches(const ter_field &f, int k, const patches &p, const SINK &sink)
{
    if (k == 0)
        finish_root<THREADS>(f, p, sink);
    else if constexpr (BASIS == TER_BASIS_SMOOTH)
        patches_smooth<VALLEY>(f, k, p, sink);
    else
        patches_midpoint<VALLEY, HAS_BORDER>(f, k, p, sink);
}

} // namespace

#endif
