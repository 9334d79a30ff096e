/* descent.c - makes the levels from the root, or from a common level, down to a block.
 *
 * Two scratch grids take turns. The last level is written into the block:
 *
 *     level 0   1   2   3 ... L-1   L
 *           A > B > A > B ...  B  > out        each window about half as wide as the next one
 */
#include "library/fractal/cpu/descent.h"

/** A scratch grid with the window of a level `depth` above the block. */
static ter_grid scratch_grid(const ter_field *f, const ter_grid *out, int depth, float *scratch, int which)
{
    ter_grid grid = ter_grid_window(f, out, depth);
    grid.at = scratch + which * (TER_DESCENT_FLOATS / 2) + TER_GRID_PAD;
    grid.stride = TER_PARENT_WIDTH;
    return grid;
}

void ter_descend(const ter_row_kernels *kernels, const ter_field *f, int level, const ter_common_level *common,
                 const ter_grid *out, float *scratch)
{
    if (level == 0) {
        kernels->root(f, out);
        return;
    }
    const bool is_from_root = !common || common->depth == 0;
    ter_grid parent;
    if (is_from_root) {
        parent = scratch_grid(f, out, level, scratch, 0);
        kernels->root(f, &parent);
    } else {
        parent = common->grid;
    }
    for (int k = is_from_root ? 1 : level - common->depth + 1; k < level; k++) {
        const ter_grid fine = scratch_grid(f, out, level - k, scratch, k & 1);
        kernels->refine(f, k, &parent, &fine);
        parent = fine;
    }
    kernels->refine(f, level, &parent, out);
}
