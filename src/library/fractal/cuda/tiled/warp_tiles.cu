/* warp_tiles.cu - launches the kernel for large arrays of basis midpoint. */
#include <math.h>

#include "library/fractal/cuda/tiled/warp_tiles.cuh"

namespace
{

/** The grid of units that covers an array. A unit is the 128 x 32 samples that one warp makes. */
struct unit_grid {
    int column, row; /* place of the first unit's first point in the output: 0 or negative */
    int64_t u, v;    /* the first unit's first cell of 16 x 16 points */
    int units_i, units_j;
};

unit_grid make_unit_grid(const ter_cuda_batch *batch)
{
    const ter_cuda_tile &tile = batch->tiles[0];
    unit_grid grid = {};
    grid.column = -(int)(tile.i & (UNIT_WIDTH - 1));
    grid.row = -(int)(tile.j & (UNIT_HEIGHT - 1));
    grid.u = (tile.i + grid.column) >> CELL_LOG;
    grid.v = (tile.j + grid.row) >> CELL_LOG;
    grid.units_i = divide_up(batch->width - grid.column, UNIT_WIDTH);
    grid.units_j = divide_up(batch->height - grid.row, UNIT_HEIGHT);
    return grid;
}

/** The common level of a grid of units, without its memory. */
common_level make_common_level(const unit_grid &grid)
{
    const int64_t u = common_cell(grid.u), v = common_cell(grid.v),
                  v_last = common_cell(grid.v + UNIT_CELL_ROWS * grid.units_j - 1);
    common_level c = {};
    c.u = u & ~(int64_t)(COMMON_WIDTH - 1);
    c.v = v & ~(int64_t)(COMMON_HEIGHT - 1);
    c.warps_i =
        divide_up((int)(u - c.u) + grid.units_i + 1, COMMON_WIDTH); /* cells, and the corners east of the last one */
    c.n_warps = c.warps_i * divide_up((int)(v_last - c.v) + 2, COMMON_HEIGHT);
    c.pitch = c.warps_i * COMMON_WIDTH;
    return c;
}

/** Make the tensor map of the units that lie completely inside the array. Does nothing if there are none, or if the
 * device has no tensor copies. */
template <class SAMPLE>
ter_status map_inside(const ter_cuda_batch *batch, const unit_grid &grid, region_array<SAMPLE> *array)
{
    constexpr unsigned LINE = BOX_LINE / (unsigned)sizeof(SAMPLE), LINES = boxed_output<SAMPLE>::LINES;
    const int first_i = grid.column < 0, first_j = grid.row < 0;
    const int units_i = (batch->width - grid.column) / UNIT_WIDTH - first_i,
              units_j = (batch->height - grid.row) / UNIT_HEIGHT - first_j;
    int compute_major = 0;
    const ter_status status = find_attribute(cudaDevAttrComputeCapabilityMajor, &compute_major);
    if (status != TER_OK || compute_major < 9 || units_i < 1 || units_j < 1)
        return status;
    const tensor_shape shape = {
        {LINE, (uint64_t)units_i * LINES, REGION_HEIGHT, (uint64_t)units_j * WARP_ROWS},
        {LINE, batch->row_stride, REGION_HEIGHT * batch->row_stride},
        {LINE, LINES, REGION_HEIGHT, WARP_ROWS},
    };
    SAMPLE *first = array->out + (grid.row + first_j * UNIT_HEIGHT) * (ptrdiff_t)batch->row_stride + grid.column +
                    first_i * UNIT_WIDTH;
    array->has_map = make_tensor_map(first, shape, &array->map);
    return TER_OK;
}

/** Units of a grid that remain east of whole blocks of `warps` units. If they would fill more than half a block, none
 * remain: the last block makes them and is not whole. */
units_left leave_units(const unit_grid &grid, int warps)
{
    const int n = grid.units_i % warps;
    if (grid.units_i < warps || n > warps / 2)
        return {};
    return {grid.units_i - n, n, grid.units_j, 0};
}

template <int VALLEY, class SAMPLE, template <class> class OUTPUT>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *memory, cudaStream_t stream)
{
    constexpr int WARPS = OUTPUT<SAMPLE>::WARPS;
    const unit_grid grid = make_unit_grid(batch);
    int blocks_i = divide_up(grid.units_i, WARPS);
    region_launch<SAMPLE> g = {};
    g.array.columns = batch->width;
    if (WARPS > 1) {
        g.left = leave_units(grid, WARPS);
        if (g.left.units_i > 0) {
            blocks_i = g.left.unit_i / WARPS;
            g.left.blocks_j = divide_up(g.left.units_i * g.left.units_j, blocks_i * WARPS);
            g.array.columns = grid.column + g.left.unit_i * UNIT_WIDTH;
        }
    }
    g.array.out = output_of<SAMPLE>(*batch) + batch->tiles[0].slot * batch->slot_stride;
    g.array.stride = batch->row_stride;
    g.array.width = batch->width;
    g.array.height = batch->height;
    g.array.is_aligned = ter_batch_is_aligned(*batch) && grid.column % 4 == 0;
    g.array.column = grid.column;
    g.array.row = grid.row;
    g.array.quantiser = batch->quantiser;
    if (WARPS == 1) {
        const ter_status status = map_inside(batch, grid, &g.array);
        if (status != TER_OK)
            return status;
    }
    g.level = batch->tiles[0].level;
    g.u = grid.u;
    g.v = grid.v;
    if (memory) {
        g.common = make_common_level(grid);
        g.common.memory = *memory;
        g.common.blocks_j = divide_up(g.common.n_warps, blocks_i * WARPS);
    }
    return launch_overlapped(regions_kernel<VALLEY, SAMPLE, OUTPUT>,
                             dim3((unsigned)blocks_i, (unsigned)(g.common.blocks_j + g.left.blocks_j + grid.units_j)),
                             32 * WARPS, OUTPUT<SAMPLE>::BYTES, stream, *f, g);
}

template <template <class> class OUTPUT>
ter_status launch_any(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                      cudaStream_t stream)
{
    if (batch->out_u16)
        return (f->is_valley ? launch<1, uint16_t, OUTPUT> : launch<0, uint16_t, OUTPUT>)(f, batch, common, stream);
    return (f->is_valley ? launch<1, float, OUTPUT> : launch<0, float, OUTPUT>)(f, batch, common, stream);
}

} // namespace

bool ter_array_fits(const ter_cuda_batch *batch)
{
    return batch->width <= INT32_MAX - 2 * UNIT_WIDTH && batch->row_stride <= UINT32_MAX / sizeof(float);
}

/* Heights of level 0 are multiples of a step: the last bit of their amplitude or of base. On each further level the
 * step is an eighth of the previous step, or the last bit of the level's amplitude. With amplitudes from 2^-40 on, the
 * first step is at least 2^-63, and the step after 28 levels at least 2^-147. So quarters of heights are floats, too:
 * the smallest float is 2^-149. With valleys no height is divided. */
bool ter_can_divide_heights(const ter_field *f)
{
    constexpr float LEAST = 0x1p-40f, MOST = 0x1p100f;
    if (f->is_valley)
        return true;
    bool can = f->base == 0 || (fabsf(f->base) >= LEAST && fabsf(f->base) <= MOST);
    for (int k = 0; k <= f->levels + TER_FINE_LODS; k++)
        can = can && f->amplitude[k] >= LEAST && f->amplitude[k] <= MOST;
    return can;
}

ter_status ter_regions_common(const ter_cuda_batch *batch, size_t *points)
{
    *points = 0;
    if (batch->level_min < COMMON_DEPTH + COMMON_LEVEL_MIN)
        return TER_OK;
    int n_multiprocessors = 0;
    const ter_status status = find_attribute(cudaDevAttrMultiProcessorCount, &n_multiprocessors);
    if (status != TER_OK)
        return status;
    const unit_grid grid = make_unit_grid(batch);
    const int64_t at_once = (int64_t)REGION_RESIDENT * n_multiprocessors;
    if ((int64_t)grid.units_i * grid.units_j >
        2 * at_once) /* with fewer units all would begin before the common level is complete */
        *points = (size_t)make_common_level(grid).n_warps * COMMON_WIDTH * COMMON_HEIGHT;
    return TER_OK;
}

ter_status ter_regions(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                       cudaStream_t stream)
{
    return launch_any<boxed_output>(f, batch, common, stream);
}

ter_status ter_regions_sheared(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common,
                               cudaStream_t stream)
{
    return launch_any<sheared_output>(f, batch, common, stream);
}
