/* choose.cu - the table that says which kernel makes a batch. Its thresholds were measured:
 * docs/lab/2026-cuda-generators.md has the figures, and README.md in this folder describes the kernels. */
#include "library/fractal/cuda/choose.h"

#include "library/fractal/cuda/single_pass/single_pass.h"
#include "library/fractal/cuda/tiled/tiled.h"

namespace
{

constexpr bool YES = true, NO = false;
constexpr int64_t LARGE = 1 << 20; /* samples: for smaller arrays patches are faster */
constexpr int64_t SHEAR = 1 << 21; /* samples: in smaller arrays, the four warps of a block lose more by waiting for one
                                      another than they gain by storing whole lines of memory */
constexpr int STRIP_SIDE_MIN = 1536; /* samples of a side: for smaller arrays patches are faster than strips */

constexpr ter_cuda_rows ANY = TER_ROWS_ANY, SECTORS = TER_ROWS_ON_SECTORS;
constexpr int UNIT = TER_REGION_LEVEL_MIN, WARP = TER_WARP_LEVEL_MIN, STRIP = TER_STRIP_LEVEL_MIN,
              SIDE = STRIP_SIDE_MIN;
constexpr int W = TER_UNIT_WIDTH, H = TER_UNIT_HEIGHT;
constexpr ter_method RECURSIVE = TER_METHOD_RECURSIVE, SINGLE_PASS = TER_METHOD_SINGLE_PASS, TILED = TER_METHOD_TILED;

/* clang-format off */
constexpr ter_cuda_choice CHOICES[] = {
    /* method    midpoint smooth one array divides  rows  level width height samples  kernel */
    {RECURSIVE,     YES,   YES,    NO,      NO,      ANY,     0,    1,    1,     1, TER_KERNEL_RECURSIVE},
    {SINGLE_PASS,   YES,   NO,     YES,     YES,     SECTORS, UNIT, W,    H, LARGE, TER_KERNEL_REGIONS},
    {SINGLE_PASS,   YES,   NO,     YES,     YES,     ANY,     UNIT, W,    H, SHEAR, TER_KERNEL_REGIONS_SHEARED},
    {SINGLE_PASS,   YES,   NO,     YES,     YES,     ANY,     UNIT, W,    H, LARGE, TER_KERNEL_REGIONS},
    {SINGLE_PASS,   YES,   YES,    NO,      NO,      ANY,     WARP, 1,    1,     1, TER_KERNEL_WARPS},
    {SINGLE_PASS,   YES,   YES,    NO,      NO,      ANY,     0,    1,    1,     1, TER_KERNEL_SAMPLES},
    {TILED,         YES,   NO,     YES,     YES,     SECTORS, UNIT, W,    H, LARGE, TER_KERNEL_REGIONS},
    {TILED,         YES,   NO,     YES,     YES,     ANY,     UNIT, W,    H, SHEAR, TER_KERNEL_REGIONS_SHEARED},
    {TILED,         YES,   NO,     YES,     YES,     ANY,     UNIT, W,    H, LARGE, TER_KERNEL_REGIONS},
    {TILED,         NO,    YES,    YES,     NO,      ANY,     STRIP, SIDE, SIDE, 1, TER_KERNEL_STRIPS},
    {TILED,         YES,   YES,    NO,      NO,      ANY,     0,    1,    1,     1, TER_KERNEL_PATCHES},
};
/* clang-format on */

/** Whether rows, and columns whose coordinate is a multiple of 128, start on sectors of memory. */
bool is_on_sectors(const ter_cuda_batch *batch)
{
    constexpr uint64_t SECTOR = 32;
    const uint64_t size = batch->out_u16 ? sizeof(uint16_t) : sizeof(float);
    const uint64_t first = batch->out_u16 ? (uintptr_t)batch->out_u16 : (uintptr_t)batch->out;
    const uint64_t at = first + batch->tiles[0].slot * batch->slot_stride * size;
    return at % SECTOR == 0 && (uint64_t)batch->tiles[0].i * size % SECTOR == 0 &&
           batch->row_stride * size % SECTOR == 0;
}

bool has_rows(ter_cuda_rows rows, const ter_cuda_batch *batch)
{
    if (rows == TER_ROWS_ANY)
        return true;
    return is_on_sectors(batch) && (rows == TER_ROWS_ON_SECTORS ||
                                    (batch->is_origin_aligned && batch->width % 4 == 0 && batch->height % 4 == 0));
}

bool is_met(const ter_cuda_choice &c, ter_method method, const ter_field *f, const ter_cuda_batch *batch)
{
    return c.method == method && (f->basis == TER_BASIS_SMOOTH ? c.is_smooth : c.is_midpoint) &&
           (!c.is_one_array || (batch->count == 1 && ter_array_fits(batch))) &&
           (!c.needs_division || ter_can_divide_heights(f)) && has_rows(c.rows, batch) &&
           batch->level_min >= c.level_min && batch->width >= c.width_min && batch->height >= c.height_min &&
           (int64_t)batch->width * batch->height >= c.samples_min;
}

} // namespace

const ter_cuda_choice *ter_cuda_choices(int *count)
{
    *count = (int)(sizeof CHOICES / sizeof CHOICES[0]);
    return CHOICES;
}

ter_cuda_kernel ter_cuda_choose(ter_method method, bool is_by_sample, const ter_field *f, const ter_cuda_batch *batch)
{
    if (method == TER_METHOD_SINGLE_PASS && is_by_sample)
        return TER_KERNEL_SAMPLES;
    for (const ter_cuda_choice &c : CHOICES)
        if (is_met(c, method, f, batch))
            return c.kernel;
    return TER_KERNEL_PATCHES; /* not reached: the last row has no conditions */
}
