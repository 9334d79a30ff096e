/* craters.c - adds craters to a batch of tiles, block by block. */
#include "library/fractal/cpu/craters.h"

ter_status ter_cpu_craters(ter_cpu_state *cpu, const ter_cpu_batch *batch)
{
    enum { POINTS_MIN = 1 << 12 }; /* of a block that is worth another thread */
    return ter_cpu_batch_run(cpu, batch, POINTS_MIN, cpu->kernels->craters);
}
