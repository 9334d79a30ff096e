/* edge_network.c - plans the network of a window, makes it by the kernels of this machine, and checks smallest areas.
 */
#include "library/reaches/edge_network.h"

ter_status edge_network_make(const ter_fluvial *f, ter_window cells, const ter_cancel *cancel, ter_fluvial_job *job,
                             ter_fluvial_memory *memory)
{
    ter_arena arena = {NULL, 0};
    job->f = *f;
    ter_plan_drainage(cells, &arena, job);
    if (!ter_fluvial_reserve(memory, arena.bytes))
        return ter_fail(TER_ENOMEM, "no memory for a network of %d x %d cells", cells.width, cells.height);
    arena = (ter_arena){memory->at, 0};
    ter_plan_drainage(cells, &arena, job);
    ter_fluvial_best_kernels()->network(job, cancel);
    return ter_check_cancelled(cancel);
}

ter_status edge_network_least(const ter_world *world, double min_area_m2, float *cells)
{
    const double square = world->params.spacing * world->params.spacing;
    const double area = min_area_m2 == 0.0 ? TER_EDGE_AREA_WET * square : min_area_m2;
    if (!(area >= TER_EDGE_AREA_MIN * square * (1.0 - 1e-6)))
        return ter_fail(TER_EINVAL, "min_area_m2 is %g, expected at least %g: smaller channels have no bed", area,
                        TER_EDGE_AREA_MIN * square);
    *cells = (float)(area / square / (double)TER_AREA);
    return TER_OK;
}
