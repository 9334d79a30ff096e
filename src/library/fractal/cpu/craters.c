/* craters.c - adds craters to a batch of tiles, block by block. */
#include "library/fractal/cpu/craters.h"

typedef struct crater_pass {
    const ter_cpu_state *cpu;
    const ter_cpu_batch *batch;
    ter_blocks blocks; /* the same for every tile */
} crater_pass;

static void add_to_block(void *user, int thread, int64_t n)
{
    const crater_pass *p = user;
    size_t tile;
    const ter_grid block = ter_cpu_batch_block(p->batch, &p->blocks, n, &tile);
    (void)thread;
    p->cpu->kernels->craters(p->batch->f, p->batch->tiles[tile].level, &block);
}

ter_status ter_cpu_craters(ter_cpu_state *cpu, const ter_cpu_batch *batch)
{
    enum { POINTS_MIN = 1 << 12 }; /* of a block that is worth another thread */
    const ter_grid first = ter_cpu_batch_grid(batch, 0);
    crater_pass pass = {.cpu = cpu, .batch = batch};
    pass.blocks = ter_blocks_cut_usual(&first, (int64_t)batch->count, ter_team_size(cpu->team), POINTS_MIN);
    return ter_cpu_run(cpu, ter_blocks_count(&pass.blocks) * (int64_t)batch->count, add_to_block, &pass);
}
