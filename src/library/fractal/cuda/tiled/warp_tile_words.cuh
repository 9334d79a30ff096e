/* warp_tile_words.cuh - random words of a unit. A unit is the 128 x 32 samples that a warp makes; it has 8 x 4 regions
 * of 16 x 8 samples, one per lane. Words that several lanes need, and words of blocks beside the unit, are computed
 * once, four blocks per lane, and passed on by shuffles. In addition, a lane computes the eight blocks of its region at
 * the output's level L, and two blocks of level L - 1. The four shared blocks of a lane are `cell`, `other` and `way`
 * of unit_plan, and the block of `south` of unit_words:
 *
 *     lane of a warp   0 ... 7        8 ... 11       12, 13         14 ... 21       22 ... 31
 *     `other`          east, level L  east, L - 1    east, L - 2    south, L - 2    splits of cells: 5 x 2, L - 3
 *     `cell`           even rows of lanes: cells' blocks of level L - 2; odd rows: south of the unit, level L - 1
 *     `way`            lanes 0 to 20: seven splits of cells, from seven levels above L down, three blocks each */
#ifndef TERRANE_FRACTAL_CUDA_TILED_WARP_TILE_WORDS_CUH
#define TERRANE_FRACTAL_CUDA_TILED_WARP_TILE_WORDS_CUH

#include "library/fractal/cuda/warp_cells.cuh"

namespace
{

constexpr int CELL_LOG = 4; /* regions are halves, north and south, of cells of 16 x 16 points, four levels up */
constexpr int UNIT_CELLS = WARP_COLUMNS, UNIT_CELL_ROWS = WARP_ROWS / 2;

/** A block that a lane computes for all lanes. depth: levels above the output's level; di, dj: place, counted from the
 * unit's first block of that level */
struct alignas(16) unit_block {
    int depth, di, dj;
};

struct unit_plan {
    unit_block cell, other, way;
};

struct unit_plans {
    unit_plan of[32];
};

/* First lanes of the groups in `other`; SPLIT_ACROSS: blocks of a row of SPLIT. */
constexpr int EAST_1 = 8, EAST_2 = 12, SOUTH_2 = 14, SPLIT = 22, SPLIT_ACROSS = 5;

/** Make the table of each lane's blocks, shown at the head of this file.
 *
 *  way  in the order of shared_splits: the cells seven, six and five levels above the output, and the cells east and
 *       south of them. Their depth is 5 to 3, because a cell corresponds to a block two levels further down. The
 *       bytes of a split are in the next level's blocks; a block has the bytes of 2 x 2 cells.
 */
constexpr unit_plans make_unit_plans()
{
    unit_plans plans = {};
    for (int lane = 0; lane < 32; lane++) {
        const int x = lane % WARP_COLUMNS, y = lane / WARP_COLUMNS;
        plans.of[lane].cell = y % 2 == 0 ? unit_block{2, x, y / 2} : unit_block{1, y / 2 * WARP_COLUMNS + x, 4};
        if (lane < EAST_1)
            plans.of[lane].other = {0, 32, lane};
        else if (lane < EAST_2)
            plans.of[lane].other = {1, 16, lane - EAST_1};
        else if (lane < SOUTH_2)
            plans.of[lane].other = {2, 8, lane - EAST_2};
        else if (lane < SPLIT)
            plans.of[lane].other = {2, lane - SOUTH_2, 2};
        else
            plans.of[lane].other = {3, (lane - SPLIT) % SPLIT_ACROSS, (lane - SPLIT) / SPLIT_ACROSS};
    }
    for (int step = 1, lane = 0; step <= 3; step++)
        for (int cell = 0; cell < 1 << (step - 1); cell++)
            for (int n = 0; n < 3; n++)
                plans.of[lane++].way = {6 - step, cell + (n == 1), n == 2};
    return plans;
}

__device__ const unit_plans UNIT_PLANS = make_unit_plans();

/** Random words that the lanes of a unit share. */
struct unit_words {
    unsigned x, y;         /* of the lane's region in the unit: 8 x 4 */
    ter_words cell, other; /* of unit_plan */
    uint32_t way;          /* the three bytes of the block in `way` that a split needs */
    uint32_t south;        /* first word of a block south of the unit, of the output's level; one block per lane */

    /** (u, v): the unit's first cell. */
    __device__ __forceinline__ unit_words(const ter_field &f, unsigned lane, int level, int64_t u, int64_t v)
        : x(lane % WARP_COLUMNS), y(lane / WARP_COLUMNS)
    {
        const int4 *plan = (const int4 *)&UNIT_PLANS.of[lane];
        const int4 of_cell = plan[0], of_other = plan[1], of_way = plan[2];
        const int64_t ib = 4 * u, jb = 4 * v;
        const int64_t i = (ib >> of_way.x) + of_way.y, j = (jb >> of_way.x) + of_way.z;
        way = bytes_at(ter_random_block(&f, level - 1 - of_way.x, i >> 1, j >> 1), 2 * (uint32_t)i, 2 * (uint32_t)j);
        cell = make(f, level, ib, jb, of_cell);
        other = make(f, level, ib, jb, of_other);
        south = ter_random_block(&f, level, ib | lane, jb + UNIT_HEIGHT_BLOCKS).w[0];
    }

    /** Descend from the cell p seven levels above the output, which contains the cells of all lanes, to the lane's
     * cell. */
    template <int VALLEY>
    __device__ __forceinline__ void descend_to_cell(const ter_field &f, int level, int64_t v, float p[2][2]) const
    {
        shared_splits<UNIT_CELL_ROWS, 1>(way).template descend_to<VALLEY>(f, level - CELL_LOG, x, y >> 1, v, p);
    }

    /** Bytes for the split of the lane's cell. */
    __device__ __forceinline__ split_bytes split() const
    {
        const unsigned cy = y >> 1, here = SPLIT + (x >> 1);
        return split_bytes_from(other, here, SPLIT + ((x + 1) >> 1), here + cy * SPLIT_ACROSS, 2 * x, 2 * cy);
    }

    /** western_bytes of the block east of the lane's region in a row of blocks.
     *
     *  first  words of the region's first block in that row
     *  last   lane whose `other` has the block for the easternmost lanes
     */
    __device__ __forceinline__ uint32_t eastern(const ter_words &first, unsigned last) const
    {
        const uint32_t next = __shfl_down_sync(ALL_LANES, western_bytes(first.w[1], first.w[3]), 1);
        const uint32_t beyond = __shfl_sync(ALL_LANES, western_bytes(other.w[1], other.w[3]), last);
        return x == WARP_COLUMNS - 1 ? beyond : next;
    }

    /** First word of the block south of the lane's region in a column of blocks.
     *
     *  first  first word of the region's first block in that column
     *  known  the word for the southernmost lanes, held by lane `last`
     */
    __device__ __forceinline__ uint32_t southern(uint32_t first, uint32_t known, unsigned last) const
    {
        const uint32_t next = __shfl_down_sync(ALL_LANES, first, WARP_COLUMNS);
        const uint32_t beyond = __shfl_sync(ALL_LANES, known, last);
        return y == WARP_ROWS - 1 ? beyond : next;
    }

  private:
    static constexpr int UNIT_HEIGHT_BLOCKS = UNIT_CELL_ROWS << (CELL_LOG - 2);

    static __device__ __forceinline__ ter_words make(const ter_field &f, int level, int64_t ib, int64_t jb, int4 b)
    {
        return ter_random_block(&f, level - b.x, (ib >> b.x) + b.y, (jb >> b.x) + b.z);
    }
};

} // namespace

#endif
