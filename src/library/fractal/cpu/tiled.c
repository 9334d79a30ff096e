/* tiled.c - makes blocks of about 1024 x 256 points, each level by level (descent.h). The last level is written to the
 * output.
 *
 * Neighbouring blocks have nearly the same points at coarse levels, and each block would compute them again. So all
 * blocks of a large array start from a common level, which is made once. For 4096 x 4096 points:
 *
 *     level L - 4   +---+---+---+---+    256 x 256 points, made by `recursive`: 256 KB that all blocks read
 *                   |   |   |   |   |
 *     L - 3 ..      | b | b | b | b |    each block makes its windows of these levels in its scratch
 *     L - 1         |   |   |   |   |
 *     level L       +---+---+---+---+    each block writes its own part of the output
 *
 * The common level is at least 4 levels above the output. Four levels above, it has a 256th of the points. If that is
 * more than 2^17 points, a coarser level is taken.
 */
#include "library/fractal/cpu/tiled.h"

#include "library/fractal/cpu/recursive.h"

/** A batch cut into blocks. */
typedef struct block_pass {
    const ter_cpu_state *cpu;
    const ter_cpu_batch *batch;
    ter_blocks blocks; /* the same for every tile */
    ter_common_level common;
} block_pass;

static void make_block(void *user, int thread, int64_t n)
{
    const block_pass *p = user;
    size_t tile;
    const ter_grid block = ter_cpu_batch_block(p->batch, &p->blocks, n, &tile);
    ter_descend(p->cpu->kernels, p->batch->f, p->batch->tiles[tile].level, &p->common, &block,
                ter_descent_scratch(p->cpu, thread));
}

/** Make the common level of an array of several blocks. */
static ter_status make_common_level(ter_cpu_state *cpu, const ter_field *f, int level, const ter_grid *out,
                                    ter_common_level *common)
{
    enum { DEPTH_MIN = 4, POINTS_MAX = 1 << 17 };
    if (level <= DEPTH_MIN)
        return TER_OK;
    int depth = DEPTH_MIN;
    while (depth < level && (out->width >> depth) * (out->height >> depth) > POINTS_MAX)
        depth++;
    ter_grid grid = ter_grid_window(f, out, depth);
    const ter_status status = ter_cpu_reserve(&cpu->common, ter_grid_floats(&grid), "the level that blocks start from");
    if (status != TER_OK)
        return status;
    ter_grid_place(&grid, cpu->common.at);
    *common = (ter_common_level){.grid = grid, .depth = depth};
    return ter_cpu_recursive(cpu, f, level - depth, &grid);
}

/** Whether it is faster to make the whole array level by level, without blocks: there is only one thread, the array
 * fits the caches, and the basis is smooth. The windows of neighbouring blocks overlap most in this basis.
 */
static bool is_best_whole(const ter_cpu_state *cpu, const ter_field *f, const ter_grid *out)
{
    enum { WHOLE_POINTS = 1 << 18 };
    return ter_team_size(cpu->team) == 1 && f->basis == TER_BASIS_SMOOTH && out->width * out->height <= WHOLE_POINTS;
}

ter_status ter_cpu_tiled(ter_cpu_state *cpu, const ter_cpu_batch *batch)
{
    const ter_grid first = ter_cpu_batch_grid(batch, 0);
    block_pass pass = {.cpu = cpu, .batch = batch};
    pass.blocks = ter_blocks_cut_usual(&first, (int64_t)batch->count, ter_team_size(cpu->team), TER_BLOCK_POINTS_MIN);
    const int64_t per_tile = ter_blocks_count(&pass.blocks);
    if (batch->count == 1 && per_tile > 1) {
        if (is_best_whole(cpu, batch->f, &first))
            return ter_cpu_recursive(cpu, batch->f, batch->tiles[0].level, &first);
        const ter_status status = make_common_level(cpu, batch->f, batch->tiles[0].level, &first, &pass.common);
        if (status != TER_OK)
            return status;
    }
    return ter_cpu_run(cpu, per_tile * (int64_t)batch->count, make_block, &pass);
}
