/* block.c - from a rectangle of points to its windows, and through the kernels to samples. */
#include "library/fluvial/cpu/block.h"

/** Plan the points and make their places; the network's windows depend on them. */
static bool plan_points(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                        ter_lattice points, ter_window *cells)
{
    ter_arena arena = {NULL, 0};
    ter_plan_points(f, points, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->points, arena.bytes))
        return false;
    arena = (ter_arena){m->points.at, 0};
    ter_plan_points(f, points, &arena, &m->job);
    *cells = kernels->places(&m->job);
    return true;
}

static bool plan_network(ter_fluvial_maker *m, ter_window cells)
{
    ter_arena arena = {NULL, 0};
    ter_plan_network(cells, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->network, arena.bytes))
        return false;
    arena = (ter_arena){m->network.at, 0};
    ter_plan_network(cells, &arena, &m->job);
    return true;
}

/** Room for gullies and heights of the form's lattice alone: the network is a region's, finer heights are made in
 * bands. */
static bool place_surface(ter_fluvial_maker *m)
{
    ter_arena arena = {NULL, 0};
    ter_place_surface(m->job.n_fine - 1, m->job.n_octaves, &arena, &m->job);
    if (!ter_fluvial_reserve(&m->network, arena.bytes))
        return false;
    arena = (ter_arena){m->network.at, 0};
    ter_place_surface(m->job.n_fine - 1, m->job.n_octaves, &arena, &m->job);
    return true;
}

bool ter_fluvial_make_block(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                            ter_lattice points, const ter_fluvial_output *out, bool is_streamed)
{
    ter_window cells;
    if (!plan_points(m, kernels, f, points, &cells))
        return false;
    if (!place_surface(m) || !ter_fluvial_reserve(&m->scratch, kernels->scratch_bytes))
        return false;
    ter_fluvial_region *region = ter_fluvial_regions_take(m->regions, kernels, f, cells, &m->cancel);
    if (!region)
        return false;
    ter_share_network(ter_fluvial_region_job(region), &m->job);
    kernels->samples(&m->job, out, is_streamed, m->scratch.at, &m->cancel);
    ter_fluvial_regions_leave(m->regions, region);
    return true;
}

bool ter_fluvial_define_block(ter_fluvial_maker *m, const ter_fluvial_kernels *kernels, const ter_fluvial *f,
                              ter_lattice points, const ter_fluvial_output *out)
{
    ter_window cells;
    if (!plan_points(m, kernels, f, points, &cells) || !plan_network(m, cells))
        return false;
    kernels->defined_samples(&m->job, out, &m->cancel);
    return true;
}

void ter_fluvial_maker_free(ter_fluvial_maker *m)
{
    free(m->points.at);
    free(m->network.at);
    free(m->scratch.at);
    free(m->united.at);
}
