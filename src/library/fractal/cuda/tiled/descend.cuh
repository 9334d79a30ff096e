/* descend.cuh - a block of threads makes the coarse levels that a rectangle depends on, in shared memory.
 *
 * `depth` is the number of levels above the rectangle. Levels of large depth have small windows:
 *   depth 3 and more  in quads: a thread makes 2 x 2 points, from the parent of the first point
 *   depth 2 and 1     in patches: a thread makes 4 x 4 points, one Philox block
 * Steps:
 *   1. random   all threads compute the random bytes of all quads and the heights of level 0
 *   2. descend  level by level: by one warp while a window has at most 4 x 4, then 6 x 5 quads, then by all threads
 *   3. widen    the two levels of patches
 * A grid of quads starts at a multiple of 2 points, a grid of patches at a multiple of 4, so that each quad or patch
 * lies either completely inside or completely outside of the grid.
 *
 * Windows of a tile of 124 x 128 samples of basis smooth, level 20, in points. They are made from the right to the
 * left:
 *
 *     depth      1     2     3     4     5     6     7 ... 20
 *     columns   66    36    21    14    10     8     7         (width - 6 >> depth) + 7 at most
 *     made in   patches     quads, all threads   quads, one warp
 */
#ifndef TERRANE_FRACTAL_CUDA_TILED_DESCEND_CUH
#define TERRANE_FRACTAL_CUDA_TILED_DESCEND_CUH

#include "library/fractal/cuda/tiled/block_tiles.cuh"

namespace
{

constexpr int PATCH_DEPTH = 2;                 /* levels in patches */
constexpr int PAD = 8;                         /* readable floats before and after a grid */
constexpr int QUAD_PITCH = 28, QUAD_ROWS = 30; /* one row lies before the grid's first row */
constexpr int QUAD_FLOATS = QUAD_PITCH * QUAD_ROWS + 2 * PAD;
constexpr int ALONE_COLUMNS = 6, ALONE_ROWS = 5; /* quads that one warp makes at once */
constexpr int WIDE_DEPTH = PATCH_DEPTH + 1;      /* depth of the only level that may need more than 8 x 8 quads */

/** Size of a level's window in quads, and in the Philox blocks that have the quads' random bytes. A block has four
 * quads. There is one more block if the window starts at the second quad of a block. */
struct window_size {
    int columns_shift, rows;       /* quads: 2^columns_shift x rows */
    int block_columns, block_rows; /* blocks */

    __host__ __device__ constexpr int pitch() const /* quads from one row of random bytes to the next */
    {
        return 2 * block_columns;
    }

    __host__ __device__ constexpr int blocks() const
    {
        return block_columns * block_rows;
    }

    __host__ __device__ constexpr int words() const
    {
        return 4 * blocks();
    }
};
constexpr window_size NARROW = {2, 4, 3, 3}, MIDDLE = {3, 8, 5, 5}, WIDE = {4, 12, 9, 7};

/** Sizes of a descent, the same for all blocks of a launch. The arrays of quads suffice for rectangles of up to 136
 * points on a side. */
struct descent {
    int width, height;      /* points of the rectangle, multiples of 4 */
    int narrow_depth;       /* least depth at which 4 x 4 quads hold a window */
    int alone_depth;        /* least depth at which 6 x 5 quads hold a window */
    int pitch[PATCH_DEPTH]; /* of the grids of depth 1 and 2 */
    int floats[PATCH_DEPTH];
    patch_split split[PATCH_DEPTH];
};

/** Position of a level's window relative to the window of the level above. */
struct step {
    int from;     /* index, in the grid of the level above, of the parent of the first quad or patch */
    int n_i, n_j; /* quads */
    int bytes;    /* index of the first quad's random bytes */
};

/** Shared memory of a descent. The level above the rectangle is made last and overwrites memory that is no longer
 * needed. */
struct descent_memory {
    grid above;   /* depth 1 */
    grid second;  /* depth 2 */
    grid quad[2]; /* depth 3 and more, alternating; level 0 is in the first grid */
    step *steps;  /* one per level */
    uint32_t *bytes;
};

__host__ __device__ constexpr int quad_bytes_max(int levels)
{
    return NARROW.words() * levels + 4 * MIDDLE.words() + WIDE.words() +
           MIDDLE.words(); /* the last term is for reads beyond the last quad */
}

/** Bytes of shared memory of a descent. */
__host__ __device__ inline int descent_bytes(const descent &d)
{
    const int early = (2 * QUAD_FLOATS + quad_bytes_max(TER_LEVEL_MAX)) * 4 + TER_LEVEL_MAX * (int)sizeof(step);
    const int late = d.floats[0] * 4;
    return (early > late ? early : late) + d.floats[1] * 4;
}

__device__ __forceinline__ descent_memory place_descent(const descent &d, float *memory)
{
    descent_memory m;
    m.second = {memory + PAD + d.pitch[1], d.pitch[1]};
    float *rest = memory + d.floats[1];
    m.above = {rest + PAD + d.pitch[0], d.pitch[0]};
    m.steps = (step *)rest;
    rest += TER_LEVEL_MAX * sizeof(step) / sizeof(float);
    m.quad[0] = {rest + PAD + QUAD_PITCH, QUAD_PITCH};
    m.quad[1] = {rest + QUAD_FLOATS + PAD + QUAD_PITCH, QUAD_PITCH};
    m.bytes = (uint32_t *)(rest + 2 * QUAD_FLOATS);
    return m;
}

/** A level's window along one direction. */
struct extent {
    int64_t low, high; /* points needed */
};

template <int BASIS> __device__ __forceinline__ extent extent_of(int64_t first, int size, int depth)
{
    constexpr int EDGE =
        BASIS == TER_BASIS_MIDPOINT; /* a centre at the far side needs the edge points beyond that side */
    return {ter_window_low(BASIS, first, depth), ter_window_high(BASIS, first + size - 1, depth) + EDGE};
}

/** First point of a level's grid. */
template <int BASIS> __device__ __forceinline__ int64_t grid_origin(int64_t first, int depth)
{
    const int64_t low = ter_window_low(BASIS, first, depth);
    return depth <= PATCH_DEPTH ? low & ~INT64_C(3) : low & ~INT64_C(1);
}

/** Index, in the grid of the level above, of the parent of the first quad or patch of a level. */
template <int BASIS> __device__ __forceinline__ int place_in_parent(const descent &d, int64_t i, int64_t j, int depth)
{
    const int shift = depth <= PATCH_DEPTH ? 2 : 1;
    const int column =
        (int)((ter_window_low(BASIS, i, depth) >> shift << (shift - 1)) - grid_origin<BASIS>(i, depth + 1));
    const int row = (int)((ter_window_low(BASIS, j, depth) >> shift << (shift - 1)) - grid_origin<BASIS>(j, depth + 1));
    return row * (depth == 1 ? d.pitch[1] : QUAD_PITCH) + column;
}

/* ---- step 1 ---- */

__device__ __forceinline__ window_size size_of_window(const descent &d, int depth)
{
    constexpr window_size narrow = NARROW, middle = MIDDLE, wide = WIDE;
    return depth >= d.narrow_depth ? narrow : depth > WIDE_DEPTH ? middle : wide;
}

/** Index of level k's random bytes; k >= 1, and at least WIDE_DEPTH above the rectangle. */
__device__ __forceinline__ int bytes_of_level(const descent &d, int level, int k)
{
    const int n_narrow = max(level - d.narrow_depth, 0);
    return NARROW.words() * min(k - 1, n_narrow) + MIDDLE.words() * max(k - 1 - n_narrow, 0);
}

template <int BASIS> __device__ __forceinline__ step plan_step(const descent &d, int level, int64_t i, int64_t j, int k)
{
    const int depth = level - k;
    step s = {place_in_parent<BASIS>(d, i, j, depth)};
    if (depth >= WIDE_DEPTH) {
        const extent x = extent_of<BASIS>(i, d.width, depth), z = extent_of<BASIS>(j, d.height, depth);
        s.n_i = (int)((x.high >> 1) - (x.low >> 1)) + 1;
        s.n_j = (int)((z.high >> 1) - (z.low >> 1)) + 1;
        s.bytes = bytes_of_level(d, level, k) + (int)(z.low >> 1 & 1) * size_of_window(d, depth).pitch() +
                  (int)(x.low >> 1 & 1);
    }
    return s;
}

/** The random bytes of the four quads of a block: quad[row][column]. */
struct block_quads {
    uint32_t quad[2][2];
};

__device__ __forceinline__ block_quads quads_of(const ter_words &b)
{
    return {{{__byte_perm(b.w[0], b.w[1], 0x5410), __byte_perm(b.w[0], b.w[1], 0x7632)},
             {__byte_perm(b.w[2], b.w[3], 0x5410), __byte_perm(b.w[2], b.w[3], 0x7632)}}};
}

/** Store a quad of level 0. */
__device__ __forceinline__ void store_root_quad(const ter_field &f, uint32_t bytes, float *at)
{
    *(float2 *)at = make_float2(ter_height_root(&f, byte_r(bytes, 0)), ter_height_root(&f, byte_r(bytes, 1)));
    *(float2 *)(at + QUAD_PITCH) =
        make_float2(ter_height_root(&f, byte_r(bytes, 2)), ter_height_root(&f, byte_r(bytes, 3)));
}

/** The blocks of the random field that a descent needs are numbered level by level. */
struct block_number {
    int level; /* of the block */
    int block; /* its number in the window of its level */
};

/** Numbers of the first blocks of the kinds of levels. */
struct block_levels {
    int n_narrow;       /* levels 1 to n_narrow have windows of size NARROW */
    int narrow, middle; /* first block of level 1; of the levels of size MIDDLE */
    int wide, all;      /* first block of the level of size WIDE; number of blocks */

    __device__ __forceinline__ block_levels(const descent &d, int level)
    {
        const int n_middle = max(min(d.narrow_depth, level) - 1 - WIDE_DEPTH, 0);
        n_narrow = max(level - d.narrow_depth, 0);
        narrow = size_of_window(d, level).blocks();
        middle = narrow + NARROW.blocks() * n_narrow;
        wide = middle + MIDDLE.blocks() * n_middle;
        all = level > WIDE_DEPTH ? wide + WIDE.blocks() : wide;
    }

    /** Block n of the descent of `level`. */
    __device__ __forceinline__ block_number at(int level, int n) const
    {
        if (n >= wide)
            return {level - WIDE_DEPTH, n - wide};
        if (n >= middle) {
            const int k = (n - middle) / MIDDLE.blocks();
            return {k + 1 + n_narrow, n - middle - MIDDLE.blocks() * k};
        }
        if (n >= narrow) {
            const int k = (n - narrow) / NARROW.blocks();
            return {k + 1, n - narrow - NARROW.blocks() * k};
        }
        return {0, n};
    }
};

/** Store the heights of a block of level 0. x, z: its first quad in the window; it may lie partly outside */
__device__ __forceinline__ void store_root_block(const ter_field &f, const block_quads &q, const window_size &size,
                                                 int x, int z, float *quads)
{
#pragma unroll
    for (int t = 0; t < 4; t++) {
        const int column = x + (t & 1), row = z + (t >> 1);
        if ((unsigned)column < (unsigned)min(1 << size.columns_shift, QUAD_PITCH / 2) &&
            (unsigned)row < (unsigned)size.rows)
            store_root_quad(f, q.quad[t >> 1][t & 1], quads + 2 * (row * QUAD_PITCH + column));
    }
}

/** Make the heights of level 0, and the random bytes of all other levels of quads. A thread computes one block of the
 * random field at a time. */
template <int BASIS, int THREADS>
__device__ __forceinline__ void make_random(const ter_field &f, const descent &d, int level, int64_t i, int64_t j,
                                            const descent_memory &m)
{
    const block_levels levels(d, level);
    for (int n = (int)threadIdx.x; n < levels.all; n += THREADS) {
        const block_number number = levels.at(level, n);
        const int k = number.level, block = number.block, depth = level - k;
        const window_size size = size_of_window(d, depth);
        const int row = depth >= d.narrow_depth ? block / NARROW.block_columns
                        : depth > WIDE_DEPTH    ? block / MIDDLE.block_columns
                                                : block / WIDE.block_columns;
        const int column = block - row * size.block_columns;
        const int64_t u = ter_window_low(BASIS, i, depth) >> 1, v = ter_window_low(BASIS, j, depth) >> 1;
        const block_quads q = quads_of(ter_random_block(&f, k, (u >> 1) + column, (v >> 1) + row));
        if (k > 0) {
            uint32_t *to = m.bytes + bytes_of_level(d, level, k) + 2 * row * size.pitch() + 2 * column;
            *(uint2 *)to = make_uint2(q.quad[0][0], q.quad[0][1]);
            *(uint2 *)(to + size.pitch()) = make_uint2(q.quad[1][0], q.quad[1][1]);
        } else {
            store_root_block(f, q, size, 2 * column - (int)(u & 1), 2 * row - (int)(v & 1), m.quad[0].at);
        }
    }
}

/* ---- step 2 ---- */

/** Random bytes of a quad, and for basis midpoint those of the quads to the east and to the south. */
struct quad_random {
    uint32_t own, east, south;
};

template <int BASIS> __device__ __forceinline__ quad_random load_quad_random(const uint32_t *at, int pitch)
{
    quad_random r = {};
    r.own = at[0];
    if constexpr (BASIS == TER_BASIS_MIDPOINT) {
        r.east = at[1];
        r.south = at[pitch];
    }
    return r;
}

/** Make a quad; p: the parent of its first point. */
template <int BASIS, int VALLEY>
__device__ __forceinline__ void make_quad(const ter_field &f, float a, const quad_random &r, const float *p, float *to)
{
    float east, south, centre;
    if constexpr (BASIS == TER_BASIS_SMOOTH) {
        float q[4];
#pragma unroll
        for (int t = 0; t < 4; t++) {
            const float *row = p + (t - 1) * QUAD_PITCH;
            q[t] = ter_four(row[-1], row[0], row[1], row[2]);
        }
        east = displace<VALLEY>(f, a, byte_r(r.own, 1), q[1]);
        south =
            displace<VALLEY>(f, a, byte_r(r.own, 2), ter_four(p[-QUAD_PITCH], p[0], p[QUAD_PITCH], p[2 * QUAD_PITCH]));
        centre = displace<VALLEY>(f, a, byte_r(r.own, 3), ter_four(q[0], q[1], q[2], q[3]));
    } else {
        const float nw = p[0], ne = p[1], sw = p[QUAD_PITCH], se = p[QUAD_PITCH + 1];
        east = displace<VALLEY>(f, a, byte_r(r.own, 1), ter_edge(nw, ne));
        south = displace<VALLEY>(f, a, byte_r(r.own, 2), ter_edge(nw, sw));
        const float s = displace<VALLEY>(f, a, byte_r(r.south, 1), ter_edge(sw, se));
        const float e = displace<VALLEY>(f, a, byte_r(r.east, 2), ter_edge(ne, se));
        centre = displace<VALLEY>(f, a, byte_r(r.own, 3), ter_centre(east, s, south, e));
    }
    *(float2 *)to = make_float2(p[0], east);
    *(float2 *)(to + QUAD_PITCH) = make_float2(south, centre);
}

/** By one warp: make levels 1 to n_narrow in 4 x 4 quads, and levels up to n_alone in 6 x 5 quads. Steps and random
 * bytes of a level are loaded while the previous level is computed. */
template <int BASIS, int VALLEY>
__device__ __forceinline__ void descend_alone(const ter_field &f, const descent_memory &m, int n_narrow, int n_alone)
{
    const int lane = (int)threadIdx.x;
    float *parent = m.quad[0].at, *child = m.quad[1].at;
    if (n_narrow > 0) {
        const int place = (lane >> 2) * QUAD_PITCH + (lane & 3);
        const uint32_t *bytes = m.bytes + (lane >> 2) * NARROW.pitch() + (lane & 3);
        quad_random random = load_quad_random<BASIS>(bytes + m.steps[1].bytes, NARROW.pitch());
        int from = m.steps[1].from;
        float a = f.amplitude[1];
        for (int k = 1; k <= n_narrow; k++) {
            const int ahead = min(k + 1, n_narrow);
            const quad_random next_random = load_quad_random<BASIS>(bytes + m.steps[ahead].bytes, NARROW.pitch());
            const int next_from = m.steps[ahead].from;
            const float next_a = f.amplitude[ahead];
            if (lane < 1 << NARROW.columns_shift << 2)
                make_quad<BASIS, VALLEY>(f, a, random, parent + from + place, child + 2 * place);
            __syncwarp();
            float *const done = child;
            child = parent;
            parent = done;
            random = next_random;
            from = next_from;
            a = next_a;
        }
    }
    const int row = lane / ALONE_COLUMNS, column = lane - row * ALONE_COLUMNS, place = row * QUAD_PITCH + column;
    const uint32_t *bytes = m.bytes + row * MIDDLE.pitch() + column;
    for (int k = n_narrow + 1; k <= n_alone; k++) {
        if (row < ALONE_ROWS)
            make_quad<BASIS, VALLEY>(f, f.amplitude[k],
                                     load_quad_random<BASIS>(bytes + m.steps[k].bytes, MIDDLE.pitch()),
                                     parent + m.steps[k].from + place, child + 2 * place);
        __syncwarp();
        float *const done = child;
        child = parent;
        parent = done;
    }
}

/* ---- step 3 ---- */

/** A level in patches, `depth` levels above a rectangle from (i, j). */
struct wide_level {
    int depth;
    int64_t i, j;
    const float *above; /* parent of its first block's first point */
    int pitch;
};

template <int BASIS, int VALLEY, int THREADS>
__device__ __forceinline__ void widen(const ter_field &f, const descent &d, int level, const wide_level &w,
                                      const grid &to)
{
    patches p;
    p.ib = ter_window_low(BASIS, w.i, w.depth) >> 2;
    p.jb = ter_window_low(BASIS, w.j, w.depth) >> 2;
    p.split = d.split[w.depth - 1];
    p.above = w.above;
    p.pitch = w.pitch;
    make_patches<BASIS, VALLEY, THREADS, false>(f, level - w.depth, p, grid_sink{to});
}

/** Make level k in quads from the level above it, `level` - k levels above the rectangle. */
template <int BASIS, int VALLEY, int THREADS>
__device__ __forceinline__ void make_quads(const ter_field &f, const descent &d, const descent_memory &m, int level,
                                           int k)
{
    const window_size size = size_of_window(d, level - k);
    const int shift = size.columns_shift;
    const step s = m.steps[k];
    const float *parent = (k & 1 ? m.quad[0].at : m.quad[1].at) + s.from;
    float *child = k & 1 ? m.quad[1].at : m.quad[0].at;
    for (int n = (int)threadIdx.x; n < s.n_j << shift; n += THREADS) {
        const int column = n & ((1 << shift) - 1), row = n >> shift;
        if (column < s.n_i)
            make_quad<BASIS, VALLEY>(
                f, f.amplitude[k],
                load_quad_random<BASIS>(m.bytes + s.bytes + row * size.pitch() + column, size.pitch()),
                parent + row * QUAD_PITCH + column, child + 2 * (row * QUAD_PITCH + column));
    }
}

/** Make all levels above the rectangle of `level` >= 1 that begins at (i, j), multiples of 4. Then m.above holds the
 * level directly above the rectangle. All threads of a block call it together; it ends with a barrier. */
template <int BASIS, int VALLEY, int THREADS>
__device__ __forceinline__ void descend(const ter_field &f, const descent &d, const descent_memory &m, int level,
                                        int64_t i, int64_t j)
{
    const int last_quad = level - WIDE_DEPTH; /* finest level that is made in quads */
    if (last_quad >= 0) {
        if ((int)threadIdx.x < level)
            m.steps[threadIdx.x] = plan_step<BASIS>(d, level, i, j, (int)threadIdx.x);
        make_random<BASIS, THREADS>(f, d, level, i, j, m);
        __syncthreads();
        const int n_narrow = max(level - d.narrow_depth, 0), n_alone = max(level - d.alone_depth, 0);
        if (n_alone > 0 || n_narrow > 0) {
            if (threadIdx.x < 32)
                descend_alone<BASIS, VALLEY>(f, m, n_narrow, n_alone);
            __syncthreads();
        }
        for (int k = n_alone + 1; k <= last_quad; k++) {
            make_quads<BASIS, VALLEY, THREADS>(f, d, m, level, k);
            __syncthreads();
        }
    }
    if (level >= PATCH_DEPTH) {
        const float *quads = last_quad & 1 ? m.quad[1].at : m.quad[0].at;
        widen<BASIS, VALLEY, THREADS>(f, d, level, {2, i, j, quads + place_in_parent<BASIS>(d, i, j, 2), QUAD_PITCH},
                                      m.second);
        __syncthreads();
    }
    const float *above = m.second.at + place_in_parent<BASIS>(d, i, j, 1);
    widen<BASIS, VALLEY, THREADS>(f, d, level, {1, i, j, above, m.second.pitch}, m.above);
    __syncthreads();
}

/** Address in m.above of the parent of point (i, j), multiples of 4, of a rectangle from (first_i, first_j). */
template <int BASIS>
__device__ __forceinline__ const float *parent_of(const descent_memory &m, int64_t first_i, int64_t first_j, int64_t i,
                                                  int64_t j)
{
    return m.above.at + (int)(j / 2 - grid_origin<BASIS>(first_j, 1)) * m.above.pitch +
           (int)(i / 2 - grid_origin<BASIS>(first_i, 1));
}

/* ---- host ---- */

/** Largest possible width in points of a level's window, for a tile that is `width` points wide `depth` levels below.
 */
inline int window_max(int basis, int width, int depth)
{
    return basis == TER_BASIS_SMOOTH ? ((width - 6) >> depth) + 7 : ((width - 1) >> depth) + 3;
}

/** Largest number of Philox blocks that cover the width of a level's window and the edge points beyond it. */
inline int blocks_max(int basis, int width, int depth)
{
    return (window_max(basis, width, depth) + (basis == TER_BASIS_MIDPOINT) + 2) / 4 + 1;
}

/** The descent of a rectangle of width x height points, multiples of 4, for blocks of `threads` threads. */
inline descent make_descent(int basis, int threads, int width, int height)
{
    descent d = {};
    d.width = width;
    d.height = height;
    const int side = width > height ? width : height;
    d.alone_depth = WIDE_DEPTH + 1;
    while (basis == TER_BASIS_SMOOTH ? (side - 6) >> d.alone_depth > 2 : (side - 1) >> d.alone_depth > 6)
        d.alone_depth++;
    d.narrow_depth = d.alone_depth;
    while (basis == TER_BASIS_SMOOTH ? (side - 6) >> d.narrow_depth > 0 : (side - 1) >> d.narrow_depth > 3)
        d.narrow_depth++;
    for (int n = 0; n < PATCH_DEPTH; n++) {
        const int n_i = blocks_max(basis, width, n + 1), n_j = blocks_max(basis, height, n + 1);
        d.pitch[n] = 4 * n_i;
        d.floats[n] = d.pitch[n] * (4 * n_j + 4) + 2 * PAD;
        d.split[n] = make_patch_split(basis, threads, n_i, n_j, false);
    }
    return d;
}

} // namespace

#endif
