/* choose.cu - the table of kernels. Its thresholds are measured: docs/lab has the figures, README.md in this folder the reasons. */
#include "generate/cuda/choose.h"

#include "generate/cuda/single_pass/single_pass.h"
#include "generate/cuda/tiled/tiled.h"

namespace
{

constexpr bool YES = true, NO = false;
constexpr int64_t LARGE = 1 << 20;   /* samples: smaller arrays are made sooner in patches */
constexpr int STRIP_SIDE_MIN = 1536; /* samples: the same for strips */

constexpr ter_cuda_choice CHOICES[] = {
    /* method               midpoint smooth one array divides level                 width             height             samples */
    {TER_METHOD_RECURSIVE, YES, YES, NO, NO, 0, 1, 1, 1, TER_KERNEL_RECURSIVE},
    {TER_METHOD_SINGLE_PASS, YES, NO, YES, YES, TER_REGION_LEVEL_MIN, TER_UNIT_WIDTH, TER_UNIT_HEIGHT, LARGE,
     TER_KERNEL_REGIONS_FROM_ROOT},
    {TER_METHOD_SINGLE_PASS, YES, YES, NO, NO, TER_WARP_LEVEL_MIN, 1, 1, 1, TER_KERNEL_WARPS},
    {TER_METHOD_SINGLE_PASS, YES, YES, NO, NO, 0, 1, 1, 1, TER_KERNEL_SAMPLES},
    {TER_METHOD_TILED, YES, NO, YES, YES, TER_REGION_LEVEL_MIN, TER_UNIT_WIDTH, TER_UNIT_HEIGHT, LARGE, TER_KERNEL_REGIONS},
    {TER_METHOD_TILED, NO, YES, YES, NO, TER_STRIP_LEVEL_MIN, STRIP_SIDE_MIN, STRIP_SIDE_MIN, 1, TER_KERNEL_STRIPS},
    {TER_METHOD_TILED, YES, YES, NO, NO, 0, 1, 1, 1, TER_KERNEL_PATCHES},
};

bool is_met(const ter_cuda_choice &c, ter_method method, const ter_field *f, const ter_cuda_batch *batch)
{
    return c.method == method && (f->basis == TER_BASIS_SMOOTH ? c.is_smooth : c.is_midpoint) &&
           (!c.is_one_array || (batch->count == 1 && ter_array_fits(batch))) && (!c.needs_division || ter_can_divide_heights(f)) &&
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
    return TER_KERNEL_PATCHES; /* not reached: the last row takes all that is left */
}
