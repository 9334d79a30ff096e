/* cuda_patches.cuh - levels made in patches: a thread walks down a column of 4 x 4 Philox blocks, parents come from shared memory,
 * what it makes goes to a sink: a grid in shared memory, or the output. */
#ifndef TER_GENERATE_CUDA_PATCHES_CUH
#define TER_GENERATE_CUDA_PATCHES_CUH

#include "generate/cuda_window.cuh"

namespace
{

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
    float *out; /* column 0, row 0 of the batch's tile */
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

/** Level 0: heights are random numbers alone. */
template <int THREADS, class SINK> __device__ void finish_root(const ter_field &f, const patches &p, const SINK &sink)
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

/** The part of a thread: a column of patches. */
struct strip {
    int column, first, last; /* rows first .. last - 1; none when idle */
};

/** Columns side by side over all threads, as many strips of rows as fit. Where a thread needs words of its eastern neighbour, lane
 * 31 stands for the next warp's lane 0: it makes that one's words, and nothing else. */
template <int THREADS, bool HAS_NEIGHBOUR> __device__ __forceinline__ strip strip_of(const patches &p)
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

template <int VALLEY, int THREADS, class SINK>
__device__ __forceinline__ void patches_smooth(const ter_field &f, int k, const patches &p, const SINK &sink)
{
    const strip s = strip_of<THREADS, false>(p);
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
    return make_float4(side0, displace<VALLEY>(f, a, byte_r(word, 1), centre0), side1,
                       displace<VALLEY>(f, a, byte_r(word, 3), centre1));
}

/** The first bytes of rows 1 and 3 of a block, for the block west of it. */
__device__ __forceinline__ unsigned western_bytes(unsigned row1, unsigned row3)
{
    return __byte_perm(row1, row3, 0x0040);
}

/** border: words of the block east of this warp's last column, a row every border_stride; NULL where nobody asks for what depends
 *  on them. */
template <int VALLEY, class SINK>
__device__ __forceinline__ void walk_midpoint(const ter_field &f, int k, const patches &p, const strip &s, int n_rows,
                                              const uint4 *border, int border_stride, const SINK &sink)
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
            if (border && (s.column == p.n_i - 1 || s.column % 32 == 31)) {
                const uint4 east = border[row * border_stride];
                beside = western_bytes(east.y, east.w);
            }
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
template <int VALLEY, int THREADS>
__device__ __forceinline__ void patches_midpoint(const ter_field &f, int k, const patches &p, const shared_sink &sink)
{
    const strip s = strip_of<THREADS, true>(p);
    const int n_strips = THREADS / 32 * 31 / p.n_i;
    walk_midpoint<VALLEY>(f, k, p, s, (p.n_j + n_strips - 1) / n_strips, nullptr, 0, sink);
}

/** The tile's own patches: whole strips a warp, or a strip over several warps, and the border for the last column of each warp. */
template <int VALLEY, int THREADS, class SINK>
__device__ __forceinline__ void finish_midpoint(const ter_field &f, int k, const patches &p, const uint4 *border, const SINK &sink)
{
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
    const int n_wide = (p.n_i + 31) / 32;    /* warps side by side */
    const int n_i = n_wide > 1 ? 32 : p.n_i; /* patches side by side in a warp */
    const int strips_a_warp = 32 / n_i, n_strips = strips_a_warp * (THREADS / 32 / n_wide);
    const int rows = (p.n_j + n_strips - 1) / n_strips, in_warp = lane / n_i, across = warp % n_wide;
    strip s;
    s.column = across * 32 + lane - in_warp * n_i;
    const bool is_used = in_warp < strips_a_warp && s.column < p.n_i && warp / n_wide < THREADS / 32 / n_wide;
    s.first = is_used ? min((warp / n_wide * strips_a_warp + in_warp) * rows, p.n_j) : p.n_j;
    s.last = min(s.first + rows, p.n_j);
    walk_midpoint<VALLEY>(f, k, p, s, rows, border + across, n_wide, sink);
}

} // namespace

#endif
