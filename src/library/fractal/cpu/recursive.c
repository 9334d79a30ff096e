/* recursive.c - makes level 0 and then each level over the window of the whole array. All threads work on one level at
 * a time.
 *
 * Two arrays take turns. Each can hold the level before the last one; the last level is written to the output.
 * Source: diamond-square over a growing array: Fournier, Fussell, Carpenter, "Computer rendering of stochastic models",
 * 1982.
 */
#include "library/fractal/cpu/recursive.h"

/** One level of an array, made from the level above. */
typedef struct level_pass {
    const ter_cpu_state *cpu;
    const ter_field *f;
    int k;
    ter_grid parent, out;
    ter_blocks blocks;
} level_pass;

static void refine_block(void *user, int thread, int64_t n)
{
    const level_pass *p = user;
    const ter_grid block = ter_blocks_at(&p->blocks, &p->out, n);
    (void)thread;
    p->cpu->kernels->refine(p->f, p->k, &p->parent, &block);
}

static ter_status refine_level(level_pass *p)
{
    p->blocks = ter_blocks_cut_usual(&p->out, 1, ter_team_size(p->cpu->team), TER_BLOCK_POINTS_MIN);
    return ter_cpu_run(p->cpu, ter_blocks_count(&p->blocks), refine_block, p);
}

ter_status ter_cpu_recursive(ter_cpu_state *cpu, const ter_field *f, int level, const ter_grid *out)
{
    if (level == 0) {
        cpu->kernels->root(f, out);
        return TER_OK;
    }
    const ter_grid widest = ter_grid_window(f, out, 1);
    for (int n = 0; n < 2; n++) {
        const ter_status status = ter_cpu_reserve(&cpu->levels[n], ter_grid_floats(&widest), "the coarser levels");
        if (status != TER_OK)
            return status;
    }
    level_pass pass = {.cpu = cpu, .f = f, .parent = ter_grid_window(f, out, level)};
    ter_grid_place(&pass.parent, cpu->levels[0].at);
    cpu->kernels->root(f, &pass.parent);
    for (pass.k = 1; pass.k < level; pass.k++) {
        pass.out = ter_grid_window(f, out, level - pass.k);
        ter_grid_place(&pass.out, cpu->levels[pass.k & 1].at);
        const ter_status status = refine_level(&pass);
        if (status != TER_OK)
            return status;
        pass.parent = pass.out;
    }
    pass.out = *out;
    return refine_level(&pass);
}

ter_status ter_cpu_recursive_batch(ter_cpu_state *cpu, const ter_cpu_batch *batch)
{
    ter_status status = TER_OK;
    for (size_t n = 0; n < batch->count && status == TER_OK; n++) {
        const ter_grid grid = ter_cpu_batch_grid(batch, n);
        status = ter_cpu_recursive(cpu, batch->f, batch->tiles[n].level, &grid);
    }
    return status;
}
