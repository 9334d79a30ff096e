/* warp_cells.cuh - basis midpoint: the lanes of a warp descend from one common cell of a coarse level to 8 x 4
 * adjacent cells, one per lane, and from these to 8 x 8 samples each. Lanes do not pass heights to one another. They
 * pass random words, because these are expensive (a Philox call has about 46 instructions) and few blocks serve all
 * lanes.
 *
 *     level           cells that are split   blocks of their bytes
 *     ... to L - 3    1, of all lanes        3: here, east, south; lanes compute 1 or 2, a warp those of 20 levels
 *     L - 2           2                      6; a lane computes one
 *     L - 1           4 or 8                 24; a lane computes one
 *     L               32                     each lane has its cell
 *
 * A split takes five bytes, one for each new point: three of the cell's block, one of the block that contains the
 * cell's north-east corner, and one of the block that contains its south-west corner.
 *
 *     o---n---o        n, w, m   bytes of the cell's block, `here`
 *     |   |   |        e         byte of the block `east`: `here`, or the next block to the east
 *     w---m---e        s         byte of the block `south`: `here`, or the next block to the south
 *     |   |   |
 *     o---s---o */
#ifndef TERRANE_FRACTAL_CUDA_WARP_CELLS_CUH
#define TERRANE_FRACTAL_CUDA_WARP_CELLS_CUH

#include "library/fractal/cuda/block.cuh"
#include "library/fractal/cuda/block_column.cuh"

namespace
{

constexpr int WARP_COLUMNS = 8, WARP_ROWS = 4; /* lanes of a warp, side by side */

/** Displacements that a cell's split needs, as bytes of words. */
struct split_bytes {
    uint32_t here;  /* byte 0: east of the north-west corner, 1: south of it, 2: the centre */
    uint32_t east;  /* byte 1: south of the north-east corner */
    uint32_t south; /* byte 0: east of the south-west corner */
};

/** The three bytes of a block for a cell whose north-west corner is the even point (i, j) of the block. */
__device__ __forceinline__ uint32_t bytes_at(const ter_words &b, uint32_t i, uint32_t j)
{
    const uint32_t even = (j & 2) ? b.w[2] : b.w[0], odd = (j & 2) ? b.w[3] : b.w[1];
    return __byte_perm(even, odd, (i & 2) ? 0x0763 : 0x0541);
}

/** Split the cell p of level k - 1, and replace p by the quarter that is_east and is_south choose. */
template <int VALLEY>
__device__ __forceinline__ void descend(const ter_field &f, int k, const split_bytes &r, bool is_east, bool is_south,
                                        float p[2][2])
{
    const float a = f.amplitude[k];
    const float north = displace<VALLEY>(f, a, byte_r(r.here, 0), ter_edge(p[0][0], p[0][1]));
    const float west = displace<VALLEY>(f, a, byte_r(r.here, 1), ter_edge(p[0][0], p[1][0]));
    const float east = displace<VALLEY>(f, a, byte_r(r.east, 1), ter_edge(p[0][1], p[1][1]));
    const float south = displace<VALLEY>(f, a, byte_r(r.south, 0), ter_edge(p[1][0], p[1][1]));
    const float centre = displace<VALLEY>(f, a, byte_r(r.here, 2), ter_centre(north, south, west, east));
    const float corner[2] = {is_east ? p[0][1] : p[0][0],
                             is_east ? p[1][1] : p[1][0]}; /* outer corner of the northern and of the southern row */
    const float side = is_east ? east : west;
    const float outer = is_south ? corner[1] : corner[0], outer_row = is_south ? south : north;
    /* the quarter has one corner of the cell, two edge points and the centre */
    const float along[2] = {is_east ? outer_row : outer,
                            is_east ? outer : outer_row}; /* its outer row, from west to east */
    const float inner[2] = {is_east ? centre : side, is_east ? side : centre};
    p[0][0] = is_south ? inner[0] : along[0];
    p[0][1] = is_south ? inner[1] : along[1];
    p[1][0] = is_south ? along[0] : inner[0];
    p[1][1] = is_south ? along[1] : inner[1];
}

/** Random bytes of the levels 0 to `level`, on which all lanes are in one cell. Items 0 to 3 are for the corners of the
 * cell of level 0, then each level has three items. Lane n holds item n and item 32 + n. */
struct uniform_random {
    uint32_t first, second;

    static __device__ __forceinline__ uint32_t item(const ter_field &f, int n, int level, int64_t u, int64_t v)
    {
        const int m = n - 4, k = n < 4 ? 0 : 1 + m / 3, which = n < 4 ? 0 : m % 3;
        if (k > level)
            return 0;
        /* a corner of the cell of level 0, or of the cell of level k - 1 to split, in points of level k */
        const int64_t i = n < 4 ? (u >> level) + (n & 1) : 2 * (u >> (level - k + 1)) + (which == 1 ? 2 : 0);
        const int64_t j = n < 4 ? (v >> level) + (n >> 1) : 2 * (v >> (level - k + 1)) + (which == 2 ? 2 : 0);
        const ter_words b = ter_random_block(&f, k, i >> 2, j >> 2);
        return n < 4 ? ter_words_row(&b, j) >> (8 * (int)(i & 3)) & 0xff : bytes_at(b, (uint32_t)i, (uint32_t)j);
    }

    __device__ __forceinline__ uniform_random(const ter_field &f, int lane, int level, int64_t u, int64_t v)
        : first(item(f, lane, level, u, v)), second(4 + 3 * level > 32 ? item(f, 32 + lane, level, u, v) : 0)
    {
    }

    __device__ __forceinline__ uint32_t get(int n) const
    {
        return __shfl_sync(ALL_LANES, n < 32 ? first : second, n & 31);
    }

    /** Bytes for the step to level k >= 1. */
    __device__ __forceinline__ split_bytes split(int k) const
    {
        return {get(3 * k + 1), get(3 * k + 2), get(3 * k + 3)};
    }
};

/** Descend from level 0 to cell (u, v) of `level`, which contains all lanes' samples. */
template <int VALLEY>
__device__ __forceinline__ void descend_together(const ter_field &f, const uniform_random &random, int level, int64_t u,
                                                 int64_t v, float p[2][2])
{
#pragma unroll
    for (int n = 0; n < 4; n++)
        p[n >> 1][n & 1] = ter_height_root(&f, byte_r(random.get(n), 0));
    for (int k = 1; k <= level; k++) {
        const int depth = level - k;
        descend<VALLEY>(f, k, random.split(k), (uint32_t)u >> depth & 1, (uint32_t)v >> depth & 1, p);
    }
}

/** Bytes for the split at the even point (i, j), from its block and the blocks east and south of it. */
__device__ __forceinline__ split_bytes split_bytes_in(const ter_words &here, const ter_words &east,
                                                      const ter_words &south, uint32_t i, uint32_t j)
{
    return {bytes_at(here, i, j), bytes_at(east, i + 2, j), bytes_at(south, i, j + 2)};
}

/** Bytes for the split at the even point (i, j) of a block, from the lanes that hold this block and the blocks east
 * and south of it. */
__device__ __forceinline__ split_bytes split_bytes_from(const ter_words &words, unsigned here, unsigned east,
                                                        unsigned south, unsigned i, unsigned j)
{
    ter_words b, e = {}, s = {};
#pragma unroll
    for (int n = 0; n < 4; n++)
        b.w[n] = __shfl_sync(ALL_LANES, words.w[n], here);
    e.w[1] = __shfl_sync(ALL_LANES, words.w[1], east);
    e.w[3] = __shfl_sync(ALL_LANES, words.w[3], east);
    s.w[0] = __shfl_sync(ALL_LANES, words.w[0], south);
    s.w[2] = __shfl_sync(ALL_LANES, words.w[2], south);
    return split_bytes_in(b, e, s, i, j);
}

/** Random bytes of the splits from a cell that contains all lanes' samples to the lanes' own cells, 8 x ROWS side by
 * side, three levels below. The splits of steps FIRST to 3 are held. Few cells are split, each with bytes of three
 * blocks; a lane computes one of these blocks. */
template <int ROWS, int FIRST> struct shared_splits {
    uint32_t bytes;

    /** Number of cells that are split in a step: across, and down (rows are even). */
    static __device__ __forceinline__ constexpr unsigned columns(int step)
    {
        return 1u << (step - 1);
    }

    static __device__ __forceinline__ constexpr unsigned rows(int step)
    {
        return step == 3 ? ROWS / 2 : 1;
    }

    /** First lane of a step. Each cell of the previous steps takes three lanes. */
    static __device__ __forceinline__ constexpr unsigned begin(int step)
    {
        return step == FIRST ? 0 : step == 2 ? 3 * columns(1) : 3 * (columns(2) + (FIRST == 1 ? columns(1) : 0));
    }

    /** Take bytes that are already computed. */
    explicit __device__ __forceinline__ shared_splits(uint32_t known) : bytes(known)
    {
    }

    /** Compute the bytes. level: of the lanes' cells; (u, v): the first of these cells, multiples of 8 and ROWS. */
    __device__ __forceinline__ shared_splits(const ter_field &f, unsigned lane, int level, int64_t u, int64_t v)
    {
        static_assert(FIRST == 2 && begin(3) + 3 * columns(3) * rows(3) <= 32, "each block needs its own lane");
        const unsigned step = 2 + (lane >= begin(3));
        const unsigned n = lane - (step == 3 ? begin(3) : 0), cell = n / 3, which = n - 3 * cell;
        const unsigned column = cell & (columns((int)step) - 1), row = cell >> (step - 1);
        const int64_t i = 2 * ((u >> (4 - step)) + column) + (which == 1 ? 2 : 0),
                      j = 2 * ((v >> (4 - step)) + row) + (which == 2 ? 2 : 0);
        bytes = bytes_at(ter_random_block(&f, level - 3 + (int)step, i >> 2, j >> 2), (uint32_t)i, (uint32_t)j);
    }

    /** Descend from the cell where step FIRST begins to the lane's cell. (x, y): place of this cell among the cells of
     * all lanes; v: row of the first of these cells. */
    template <int VALLEY>
    __device__ __forceinline__ void descend_to(const ter_field &f, int level, unsigned x, unsigned y, int64_t v,
                                               float p[2][2]) const
    {
#pragma unroll
        for (int step = FIRST; step <= 3; step++) {
            const unsigned from = begin(step) + 3 * ((y >> (4 - step)) * columns(step) + (x >> (4 - step)));
            const split_bytes r = {__shfl_sync(ALL_LANES, bytes, from), __shfl_sync(ALL_LANES, bytes, from + 1),
                                   __shfl_sync(ALL_LANES, bytes, from + 2)};
            descend<VALLEY>(f, level - 3 + step, r, x >> (3 - step) & 1, ((unsigned)v + y) >> (3 - step) & 1, p);
        }
    }
};

/** Descend from level 0 to the lane's cell of `level` >= 3. (u, w): the warp's group of 8 x 4 cells, counted in
 * groups.
 */
template <int VALLEY>
__device__ __forceinline__ void find_cell(const ter_field &f, int lane, int level, int64_t u, int64_t w, float p[2][2])
{
    const int common = level - 3,
              half = (int)(w & 1); /* all lanes are in one cell of this level, in its northern or southern half */
    const unsigned x = (unsigned)lane % WARP_COLUMNS, y = (unsigned)lane / WARP_COLUMNS;
    const uniform_random random(f, lane, common + 1, 2 * u, w & ~INT64_C(1));
    const shared_splits<WARP_ROWS, 2> rest(f, (unsigned)lane, level, WARP_COLUMNS * u, WARP_ROWS * w);
    descend_together<VALLEY>(f, random, common, u, w >> 1, p);
    descend<VALLEY>(f, common + 1, random.split(common + 1), x >> 2, half, p);
    rest.descend_to<VALLEY>(f, level, x, y, WARP_ROWS * w, p);
}

/* ---- the last three levels ---- */

/** The 3 x 3 points that the cell p spans; a: amplitude of their level. */
template <int VALLEY>
__device__ __forceinline__ void split(const ter_field &f, float a, const split_bytes &r, const float p[2][2],
                                      float c[3][3])
{
    c[0][0] = p[0][0];
    c[0][2] = p[0][1];
    c[2][0] = p[1][0];
    c[2][2] = p[1][1];
    c[0][1] = displace<VALLEY>(f, a, byte_r(r.here, 0), ter_edge(p[0][0], p[0][1]));
    c[1][0] = displace<VALLEY>(f, a, byte_r(r.here, 1), ter_edge(p[0][0], p[1][0]));
    c[1][2] = displace<VALLEY>(f, a, byte_r(r.east, 1), ter_edge(p[0][1], p[1][1]));
    c[2][1] = displace<VALLEY>(f, a, byte_r(r.south, 0), ter_edge(p[1][0], p[1][1]));
    c[1][1] = displace<VALLEY>(f, a, byte_r(r.here, 2), ter_centre(c[0][1], c[2][1], c[1][0], c[1][2]));
}

/** Bytes for the split of cell (u, v) of level k - 1. */
__device__ __forceinline__ split_bytes split_bytes_of(const ter_field &f, int k, int64_t u, int64_t v)
{
    const int64_t i = 2 * u, j = 2 * v;
    const ter_words here = ter_random_block(&f, k, i >> 2, j >> 2),
                    east = ter_random_block(&f, k, (i + 2) >> 2, j >> 2),
                    south = ter_random_block(&f, k, i >> 2, (j + 2) >> 2);
    return split_bytes_in(here, east, south, (uint32_t)i, (uint32_t)j);
}

/** All words that block (ib, jb) of level k needs, by three Philox calls. */
__device__ __forceinline__ midpoint_words midpoint_words_of(const ter_field &f, int k, int64_t ib, int64_t jb)
{
    const ter_words east = ter_random_block(&f, k, ib + 1, jb), south = ter_random_block(&f, k, ib, jb + 1);
    return {ter_random_block(&f, k, ib, jb), east.w[1], east.w[3], south.w[0]};
}

/** Copy 3 x 3 parents out of a grid. */
template <int ROWS, int COLUMNS>
__device__ __forceinline__ void take_parents(const float (&g)[ROWS][COLUMNS], int row, int column,
                                             float p[MIDPOINT_PARENTS][MIDPOINT_PARENTS])
{
#pragma unroll
    for (int n = 0; n < 9; n++)
        p[n / 3][n % 3] = g[row + n / 3][column + n % 3];
}

/** Make 8 x 8 samples of `level`, from (i, j) on, multiples of 8, from the cell of level - 3 that they fill. `output`
 * takes four rows of eight samples at a time. */
template <int VALLEY, class OUTPUT>
__device__ __forceinline__ void finish_eight(const ter_field &f, int level, int64_t i, int64_t j, const float p[2][2],
                                             const OUTPUT &output)
{
    float c[3][3], g[5][5];
    split<VALLEY>(f, f.amplitude[level - 2], split_bytes_of(f, level - 2, i >> 3, j >> 3), p, c);
    grow_midpoint<VALLEY>(f, f.amplitude[level - 1], midpoint_words_of(f, level - 1, i >> 3, j >> 3), c, g);
    const int64_t ib = i >> 2, jb = j >> 2;
    ter_words row[2] = {ter_random_block(&f, level, ib, jb), ter_random_block(&f, level, ib + 1, jb)};
#pragma unroll
    for (int y = 0; y < 2; y++) {
        const ter_words east = ter_random_block(&f, level, ib + 2, jb + y);
        const ter_words below[2] = {ter_random_block(&f, level, ib, jb + y + 1),
                                    ter_random_block(&f, level, ib + 1, jb + y + 1)};
        float h[2][5][5];
#pragma unroll
        for (int x = 0; x < 2; x++) {
            float parents[MIDPOINT_PARENTS][MIDPOINT_PARENTS];
            take_parents(g, 2 * y, 2 * x, parents);
            const ter_words &beside = x == 0 ? row[1] : east;
            grow_midpoint<VALLEY>(f, f.amplitude[level], {row[x], beside.w[1], beside.w[3], below[x].w[0]}, parents,
                                  h[x]);
        }
        output.stage(0, h);
        output.flush(4 * y);
        row[0] = below[0];
        row[1] = below[1];
    }
}

} // namespace

#endif
